"""The second judge against the first: hundreds of solutions that the command saves, which both must
accept, and thousands of corrupted ones, on which both must agree.

    RICHMAN_BINARY=target/release/richman python -m pytest python/tests
"""

from __future__ import annotations

import ast
import copy
import itertools
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

CHECKER = Path(__file__).resolve().parent.parent / "richman_check.py"
sys.path.insert(0, str(CHECKER.parent))

import richman_check  # noqa: E402
from richman_check import Unusable, Wrong, check  # noqa: E402

Json = Any
PLAYERS = ("alice", "bob")

GAME_FILES = {
    # A zugzwang at z, draws, no cycle.
    "standoff": {"s": "u z | v z", "u": "win | z tie", "v": "z tie | loss", "z": "loss | win"},
    # Cycles, a zugzwang, a loop that nobody can leave, and one that both can.
    "carousel": {"s": "u d | v z", "u": "win w | s z", "v": "s tie | loss", "w": "w u | w",
                 "z": "loss | win", "d": "e | e d", "e": "d | d"},
    # Two loops that nobody can leave, and a draw.
    "detour": {"s": "win t | loss a", "t": "a tie | s c", "a": "b | b", "b": "a | a", "c": "c | c"},
    # Every share between those of poor and rich satisfies the equations at x, y and z.
    "rungs": {"x": "y poor | y rich", "y": "x z | z x", "z": "z poor | y z", "poor": "rich | loss",
              "rich": "win | poor"},
    # A cycle on which both players may stay for ever.
    "ladder": {"left": "right hers | right", "right": "left | left his", "hers": "win | loss",
               "his": "win loss | win loss"},
    # Both can stay, and nobody ever wins.
    "idle": {"s": "s tie | s tie"},
    # The winner of the bid must move, and Alice alone can stay: no threshold for real money.
    "stay": {"s": "s | half", "half": "win | loss"},
}
ENDS = {"win": "alice", "loss": "bob", "tie": "none"}
NAMED = ["tug-of-war:length=4,at=1", "tug-of-war", "ultimatum:degree=2", "ultimatum", "hex:size=2",
         "tic-tac-toe:rows=2,cols=3,line=2", "connect:rows=2,cols=3,line=2", "expr:E",
         "expr:(A & B^2) & B", "expr:(A & B^2) & (B^3 & E)", "expr:~(A^3 & B) & (E & A^2)"]


def game_file(name: str, moves: dict[str, str]) -> Json:
    """A game file from `position: "Alice's moves | Bob's moves"`."""
    positions: dict[str, Json] = {}
    for position, text in moves.items():
        alice, bob = (side.split() for side in text.split("|"))
        positions[position] = {"alice": alice, "bob": bob}
        positions |= {end: {"winner": ENDS[end]} for end in (*alice, *bob) if end in ENDS}
    return {"name": name, "start": next(iter(moves)), "positions": positions}


def random_game(rng: random.Random, number: int) -> Json:
    """A game of two to six positions that go on; without cycles, moves lead to later ones only."""
    count, is_cyclic = rng.randint(2, 6), rng.random() < 0.6
    ends = rng.choice([["win", "loss"], ["win", "loss"], ["win", "loss", "tie"]])
    moves = {}
    for at in range(count):
        later = [f"p{to}" for to in range(0 if is_cyclic else at + 1, count)]
        sides = [sorted({rng.choice(later if later and rng.random() < 0.65 else ends)
                         for _ in range(rng.randint(1, 3))}) for _ in PLAYERS]
        moves[f"p{at}"] = " | ".join(" ".join(side) for side in sides)
    game = game_file(f"random-{number}", moves)
    game["positions"] |= {end: {"winner": ENDS[end]} for end in ends}
    return game


def mechanisms() -> Iterator[dict[str, str]]:
    ties = ["advantage", "marker", "alice", "bob", "loser", "winner"]
    orders = ["sealed", "alice-first", "bob-first"]
    for payment in ("richman", "poorman", "taxman:1/2"):
        for bids in ("all", "0+2", "1+2") if payment == "richman" else ("all", "0+2"):
            for tie, bidding, right in itertools.product(ties, orders, ("chooses", "moves")):
                yield {"payment": payment, "ties": tie, "bidding": bidding, "right": right, "bids": bids}


def flags(mechanism: dict[str, str]) -> list[str]:
    return [word for choice, value in mechanism.items() for word in (f"--{choice}", value)]


@dataclass
class Case:
    """A true solution, with the game file that it is judged by."""

    name: str
    game: Json
    solution: Json

    @property
    def kind(self) -> str:
        return next(kind for kind in ("money", "chips", "purses", "rules") if kind in self.solution)


@dataclass
class Workshop:
    """Makes and judges solutions with the command."""

    binary: str
    folder: Path
    refused: Counter[str] = field(default_factory=Counter)
    games: dict[str, Json] = field(default_factory=dict)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.binary, *arguments], capture_output=True, text=True)

    def game(self, name: str) -> Json:
        if name not in self.games:
            exported = self.run("export", name)
            assert exported.returncode == 0, exported.stderr
            self.games[name] = json.loads(exported.stdout)
        return self.games[name]

    def add(self, game: Json) -> str:
        """The path of a game file, which takes the place of a name."""
        path = self.folder / f"{game['name']}.game.json"
        path.write_text(json.dumps(game))
        self.games[str(path)] = game
        return str(path)

    def solve(self, game: str, *arguments: str) -> Iterator[Case]:
        """Runs `solve GAME ARGUMENTS --save`, or another command if the arguments begin with one;
        nothing if the command refuses the question."""
        command, rest = ("table", arguments[1:]) if arguments[:1] == ("table",) else ("solve", arguments)
        option = "--certificate" if "--certificate" in rest else "--save"
        rest = tuple(word for word in rest if word != "--certificate")
        saved = self.folder / "saved.json"
        saved.unlink(missing_ok=True)
        run = self.run(command, game, *rest, option, str(saved))
        assert run.returncode in (0, 2), run.stderr
        if saved.exists():
            name = " ".join([command, Path(game).name, *rest, option])
            yield Case(name, self.game(game), json.loads(saved.read_text()))
        else:
            self.refused[run.stderr.split(": ", 1)[-1][:40]] += 1

    def verify(self, solution: Json) -> bool:
        path = self.folder / "judged.json"
        path.write_text(solution if isinstance(solution, str) else json.dumps(solution))
        run = self.run("verify", str(path))
        assert run.returncode in (0, 1, 2), run.stderr
        return run.returncode == 0


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    binary = os.environ.get("RICHMAN_BINARY", "")
    if not binary or not os.access(binary, os.X_OK):
        pytest.fail("set RICHMAN_BINARY to the path of the command richman, such as "
                    "target/release/richman", pytrace=False)
    return Workshop(str(Path(binary).resolve()), tmp_path_factory.mktemp("solutions"))


def money_questions(number: int) -> list[tuple[str, ...]]:
    return [(), ("--right", "moves"), ("--payment", "poorman"),
            ("--payment", ("taxman:1/2", "taxman:1/3", "taxman:1")[number % 3]),
            ("--payment", "poorman", "--right", "moves"), ("--width", "1e-3", "--payment", "poorman"),
            ("--time", "0")]


@pytest.fixture(scope="session")
def cases(workshop: Workshop) -> list[Case]:
    """Many games under the usual mechanisms, and a few under all of them."""
    files = [workshop.add(game_file(name, moves)) for name, moves in GAME_FILES.items()]
    rng = random.Random(20)
    randoms = [workshop.add(random_game(rng, number)) for number in range(24)]
    found: list[Case] = []
    for number, game in enumerate([*NAMED, *files, *randoms]):
        chips = str(number % 9)
        questions = [*money_questions(number), ("--chips", chips), ("table", "--certificate"),
                     ("--chips", chips, "--right", "moves"), ("--chips", "4", "--ties", "marker"),
                     ("table", "--chips", f"0..{number % 4 + 1}"),
                     ("--payment", "poorman", "--alice", "3*", "--bob", "2"),
                     ("--chips", str(7 + number % 3), "--bids", "2+3")]
        if game in randoms:
            questions = questions[:3] + questions[7:9] + questions[number % 4 + 10:][:1]
        for question in questions:
            found += workshop.solve(game, *question)
    usual = ["carousel", "standoff", "ultimatum:degree=2", "detour", "tug-of-war:length=4,at=1"]
    paths = [next((path for path in files if Path(path).name == f"{name}.game.json"), name) for name in usual]
    for number, mechanism in enumerate(mechanisms()):
        total = number // 5 % 4 + 1
        star = "*" if mechanism["ties"] not in PLAYERS else ""
        purses = ("--chips", str(total)) if mechanism["payment"] == "richman" else (
            "--alice", f"{total}{star}", "--bob", str(number % 3))
        found += workshop.solve(paths[number % len(paths)], *flags(mechanism), *purses)
    return found


def judged(game: Json, solution: Json) -> str:
    """The verdict of the checker: valid, wrong or unusable."""
    try:
        check(game, solution)
    except Unusable:
        return "unusable"
    except Wrong:
        return "wrong"
    return "valid"


def test_it_can_be_read_in_half_an_hour() -> None:
    lines = CHECKER.read_text().splitlines()
    tree = ast.parse(CHECKER.read_text())
    text = {line for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            for line in range(node.lineno, node.end_lineno + 1)}
    code = [line for number, line in enumerate(lines, 1)
            if number not in text and line.strip() and not line.strip().startswith("#")]
    assert len(code) <= 520 and len(lines) <= 730 and max(map(len, lines)) <= 100
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= set(sys.stdlib_module_names)


def test_true_solutions_are_proved(workshop: Workshop, cases: list[Case]) -> None:
    kinds = Counter()
    for case in cases:
        try:
            proved = check(case.game, case.solution)
        except Wrong as error:
            pytest.fail(f"{case.name}: {type(error).__name__}: {error}")
        kinds[case.kind, proved.split(" (")[0].partition(":")[2] if case.kind == "money" else ""] += 1
    print(kinds, len(cases), "refused by the command:", workshop.refused)
    assert len(cases) > 400
    assert all(kinds[kind, ""] > 30 for kind in ("chips", "purses", "rules"))
    assert kinds["money", " exact thresholds"] > 50 and kinds["money", " bounds on thresholds"] > 20
    mechanisms_seen = {(case.kind, tuple(case.solution["mechanism"].values())) for case in cases}
    assert len(mechanisms_seen) > 200
    for kind in ("chips", "purses"):
        for choice, words in (("ties", 6), ("bidding", 3), ("right", 2)):
            assert len({case.solution["mechanism"][choice] for case in cases if case.kind == kind}) == words


# --- Corruptions ---------------------------------------------------------------------------------


def places(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Json]]:
    """All values inside a JSON value, with their paths."""
    yield path, value
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, key))


def at(value: Json, path: tuple[Any, ...]) -> Json:
    for key in path:
        value = value[key]
    return value


def put(value: Json, path: tuple[Any, ...], item: Json) -> Json:
    """The value with another item at the path. It shares everything else with the old one."""
    if not path:
        return item
    changed = copy.copy(value)
    changed[path[0]] = put(value[path[0]] if len(path) > 1 else None, path[1:], item)
    return changed


def without(value: Json, path: tuple[Any, ...]) -> Json:
    holder = copy.copy(at(value, path[:-1]))
    del holder[path[-1]]
    return put(value, path[:-1], holder)


def ends_of(share: str) -> list[Fraction]:
    low, dots, high = share.partition("..")
    return [Fraction(low), Fraction(high if dots else low)]


def share_of(low: Fraction, high: Fraction) -> str:
    return str(low) if low == high else f"{low}..{high}"


def other_shares(share: str) -> Iterator[tuple[str, str]]:
    """Changes by one unit in the last place of either end, or both; wider; narrower; turned round."""
    low, high = ends_of(share)
    units = {Fraction(1, low.denominator), Fraction(1, high.denominator), Fraction(1, 1 << 70)}
    for unit in sorted(units):
        for what, by_low, by_high in (("up", 1, 1), ("down", -1, -1), ("wider", -1, 1), ("wider up", 0, 1),
                                      ("wider down", -1, 0), ("narrower", 1, -1), ("narrower up", 1, 0),
                                      ("narrower down", 0, -1)):
            changed = low + by_low * unit, high + by_high * unit
            if 0 <= min(changed) and max(changed) <= 1:
                yield what, share_of(*changed)
    if low < high:
        yield "the low end", str(low)
        yield "the high end", str(high)
        yield "turned round", share_of(high, low)
    yield "everything", "0..1"
    for end in ("0", "1", "1/2"):
        yield f"exactly {end}", end


Corrupt = tuple[str, Json]


def changed_leaves(case: Case) -> Iterator[Corrupt]:
    """Every number by one, every share by one unit; other types in its place; missing."""
    solution = case.solution
    for path, value in places(solution[case.kind], (case.kind,)):
        if type(value) is int:
            for change in (1, -1, 1000):
                yield f"{case.kind}: a number by {change}", put(solution, path, value + change)
            yield f"{case.kind}: a number of another type", put(solution, path, [str(value), float(value), True, None][value % 4])
        elif isinstance(value, str):
            for what, share in other_shares(value):
                yield f"{case.kind}: a share {what}", put(solution, path, share)
        if isinstance(value, (dict, list)) or type(path[-1]) is int or path[-1] in ("win", "draw"):
            if len(path) > 1:
                yield f"{case.kind}: a part is missing", without(solution, path)
        if isinstance(value, list) and value:
            yield f"{case.kind}: an item twice", put(solution, path, [value[0], *value])
            yield f"{case.kind}: reversed", put(solution, path, value[::-1])
            yield f"{case.kind}: empty", put(solution, path, [])


def position_lists(case: Case) -> Iterator[tuple[Any, ...]]:
    for path, value in places(case.solution[case.kind], (case.kind,)):
        if path[-1] == "positions":
            yield path


def changed_positions(case: Case) -> Iterator[Corrupt]:
    """Values of two positions exchanged, players exchanged, positions more, less, renamed."""
    solution = case.solution
    for path in position_lists(case):
        claims = at(solution, path)
        for one, two in itertools.combinations(claims, 2):
            yield "positions exchanged", put(solution, path, claims | {one: claims[two], two: claims[one]})
        for name, claim in claims.items():
            rest = {other: claims[other] for other in claims if other != name}
            yield "a position renamed", put(solution, path, rest | {name + " x": claim})
            yield "a position more", put(solution, path, claims | {name + " x": claim})
            yield "a position less", put(solution, path, rest)
        if case.kind in ("chips", "purses"):
            for name in claims:
                yield "players exchanged", put(solution, path, claims | {name: exchanged(claims[name])})
            yield "players exchanged everywhere", put(
                solution, path, {name: exchanged(claim) for name, claim in claims.items()})
        elif case.kind == "money":
            for name, (win, draw) in claims.items():
                yield "win and draw exchanged", put(solution, path, claims | {name: [draw, win]})
            both = {name: pair[::-1] for name, pair in claims.items()}
            changed = copy.deepcopy(put(solution, path, both))
            changed["money"] |= {"win": solution["money"]["draw"], "draw": solution["money"]["win"]}
            yield "win and draw exchanged everywhere", changed
            # Draws as wins, and wins as draws, solve the equations of cycles too.
            for goal in (0, 1):
                changed = copy.deepcopy(solution)
                changed["money"]["positions"] = {name: [pair[goal]] * 2 for name, pair in claims.items()}
                changed["money"] |= {"win": solution["money"][("win", "draw")[goal]]}
                changed["money"]["draw"] = changed["money"]["win"]
                yield "one threshold for both", changed


def exchanged(claim: Json) -> Json:
    turned = dict(zip(claim, claim.values()))
    for one, two in (("alice", "bob"), ("alice_holds", "bob_holds")):
        if one in claim:
            turned |= {one: claim[two], two: claim[one]}
    return turned


def changed_stages(case: Case) -> Iterator[Corrupt]:
    """Wins claimed early or late, all at once, in a circle; fixed points that nobody reaches."""
    if case.kind not in ("chips", "purses"):
        return
    time = 0 if case.kind == "chips" else 2
    for path in position_lists(case):
        claims = at(case.solution, path)
        for player in PLAYERS:
            for by in (1, -1):
                changed = copy.deepcopy(case.solution)
                for claim in at(changed, path).values():
                    for stage in claim[player]:
                        stage[time] = max(0, stage[time] + by) if stage[time] or by > 0 else 0
                yield f"stages {by} move later everywhere", changed
            for kept, what in ((lambda stages: stages[-1:], "only the last stage"),
                               (lambda stages: stages[:-1], "all but the last stage"),
                               (lambda stages: [], "no stage")):
                yield f"{what} everywhere", put(case.solution, path, {
                    name: claim | {player: kept(claim[player])} for name, claim in claims.items()})
        if case.kind != "chips":
            continue
        total = at(case.solution, path[:-1])["total"]
        last = max(stage[0] for claim in claims.values() for side in claim.values() for stage in side) \
            if any(side for claim in claims.values() for side in claim.values()) else 0
        for player, other in itertools.permutations(PLAYERS):
            for step in (0, 1, 1000):
                circle, draws = copy.deepcopy(claims), copy.deepcopy(claims)
                for order, (name, claim) in enumerate(claims.items()):
                    if "winner" in case.game["positions"][name]:
                        continue
                    when = last + 1 + order * step
                    won = claim[player][-1][1:] if claim[player] else [total + 1] * 2
                    lost = claim[other][-1][1:] if claim[other] else [total + 1] * 2
                    drawn = [total + 1 - lost[1], total + 1 - lost[0]]
                    circle[name][player] = claim[player] + [[when, 0, 0]] * (won != [0, 0])
                    draws[name][player] = claim[player] + [[when, *drawn]] * (won != drawn)
                yield "wins with nothing, in a circle", put(case.solution, path, circle)
                yield "draws as wins, in a circle", put(case.solution, path, draws)


def changed_rules(case: Case) -> Iterator[Corrupt]:
    if case.kind != "rules":
        return
    for player in PLAYERS:
        for number, rule in enumerate(case.solution["rules"][player]):
            values, block, step = rule["values"], rule["block"], rule["step"]
            path = ("rules", player, number)
            longer = [*values, *(value + step for value in values[-block:])]
            yield "a rule twice as long", put(case.solution, path, {"block": 2 * block, "step": 2 * step, "values": longer})
            yield "a rule with a late start", put(case.solution, path, {"block": block, "step": step, "values": longer})
            for by in (1, -1):
                late = [*longer, *(value + step for value in longer[-block:])]
                late[-1] += by
                yield "a rule that breaks later", put(case.solution, path, rule | {"values": late})
            for part in range(1, block):
                if block % part == 0:
                    yield "a shorter block", put(case.solution, path, {
                        "block": part, "step": step * part // block, "values": values[:len(values) - block + part]})
            for fixed in ({"block": 1, "step": 0, "values": [0]}, {"block": 1, "step": 1, "values": [1]},
                          {"block": 1, "step": 2, "values": [2]}, {"block": 1, "step": 2, "values": [1]}):
                yield "another rule", put(case.solution, path, fixed)


def changed_heads(case: Case) -> Iterator[Corrupt]:
    solution = case.solution
    for choice, words in {"payment": ["richman", "poorman", "taxman:1/3", "taxman:2", "x"],
                          "ties": ["advantage", "marker", "alice", "bob", "loser", "winner", ""],
                          "bidding": ["sealed", "alice-first", "bob-first", "both"],
                          "right": ["chooses", "moves", "neither"],
                          "bids": ["all", "0", "0+2", "1+5", "0+5", "2+3", "5", "-1", "+", "0+"]}.items():
        for word in words:
            yield f"mechanism: {choice}", put(solution, ("mechanism", choice), word)
        yield "mechanism: a choice missing", without(solution, ("mechanism", choice))
    for name in (*case.game["positions"], "nowhere"):
        yield "another start", put(solution, ("position",), name)
    for key in ("format", "version", "game", "position", "mechanism", case.kind):
        yield "a key missing", without(solution, (key,))
        for other in (None, 0, 2, "x", [], {}, True):
            yield "another head", put(solution, (key,), other)
    yield "a key more", put(solution, ("more",), 1)
    yield "two claims", put(solution, ("rules" if case.kind == "money" else "money",), solution[case.kind])
    if isinstance(solution["game"], str):
        for name in ("tug-of-war:length=5", "expr:E", "expr:(A & B^3) & B", "nothing", ""):
            yield "another game", put(solution, ("game",), name)
        return
    positions = solution["game"]["file"]["positions"]
    for name, position in positions.items():
        path = ("game", "file", "positions", name)
        if "winner" in position:
            for winner in ("alice", "bob", "none", "carol"):
                yield "the game: another winner", put(solution, (*path, "winner"), winner)
            continue
        yield "the game: players exchanged", put(solution, path, {"alice": position["bob"], "bob": position["alice"]})
        for player in PLAYERS:
            for target in positions:
                yield "the game: a move more", put(solution, (*path, player), [*position[player], target])
                yield "the game: another move", put(solution, (*path, player), [target, *position[player][1:]])
            yield "the game: a move less", put(solution, (*path, player), position[player][1:])


KINDS: list[Callable[[Case], Iterator[Corrupt]]] = [
    changed_leaves, changed_positions, changed_stages, changed_rules, changed_heads]
# Where only the checker refuses: another game with the same answers, more chips than it plays out.
# What may be changed without making a claim false: weaker bounds; the start, if all follow it; a
# mechanism that makes no difference; the order of a list; a claim that is left out; chips where
# nobody can win with any number of them.
MAY_BE_TRUE = ("another start", "mechanism: ", "the game: ",
               "one threshold for both", "win and draw exchanged", "positions exchanged", "players exchanged",
               "chips: a part is missing", "chips: reversed", "purses: a part is missing", "purses: reversed",
               "money: a share ", "chips: a number by", "purses: a number by")


def corruptions(cases: list[Case], rng: random.Random, each: int) -> Iterator[tuple[Case, str, Json]]:
    """For each sort of change up to `each` changed solutions, from cases in random order."""
    by_sort: Counter[str] = Counter()
    for case in rng.sample(cases, len(cases)):
        if len(case.solution[case.kind].get("positions", ()) if case.kind in ("money", "rules") else
               case.solution[case.kind][0]["positions"]) > 40:
            continue
        original = json.dumps(case.solution)
        for kind in KINDS:
            seen: Counter[str] = Counter()
            made = list(kind(case))
            for what, solution in rng.sample(made, len(made)):
                if seen[what] < 3 and by_sort[what] < each and json.dumps(solution) != original:
                    seen[what] += 1
                    by_sort[what] += 1
                    yield case, what, solution


def test_corrupted_solutions_are_refused_where_verify_refuses(workshop: Workshop, cases: list[Case]) -> None:
    tried, accepted, stricter = Counter(), Counter(), Counter()
    for case, what, solution in corruptions(cases, random.Random(7), int(os.environ.get("RICHMAN_CORRUPTIONS", "24"))):
        ours, theirs = judged(case.game, solution) == "valid", workshop.verify(solution)
        tried[what] += 1
        accepted[what] += ours and theirs
        assert theirs or not ours, f"only the checker accepts: {what} of {case.name}: {json.dumps(solution)}"
        if theirs and not ours:
            stricter[what] += 1
            assert what.startswith(("the game: ", "another game")) or what.endswith("number by 1000"), (
                f"only verify accepts: {what} of {case.name}: {json.dumps(solution)}")
    print(sum(tried.values()), "corruptions of", len(tried), "sorts; accepted", +accepted, "stricter", +stricter)
    assert sum(tried.values()) > 1000 and len(tried) > 60
    for what in +accepted:
        assert what.startswith(MAY_BE_TRUE), f"both accept: {what}"


# --- Hostile input -------------------------------------------------------------------------------


LADDER = json.dumps(game_file("ladder", GAME_FILES["ladder"]))
HOSTILE = {
    "empty": "", "no JSON": "{", "a list": "[]", "null": "null", "a number": "1e999", "NaN": "[NaN]",
    "minus infinity": '{"format": -Infinity}', "deep": "[" * 200_000, "deep objects": '{"a":' * 100_000,
    "a long number": "9" * 200_000, "a surrogate": '"\\ud800"', "a byte order mark": "\ufeff{}",
    "a key twice": '{"format": "richman-solution", "format": "richman-solution"}', "a zero": "{}\0",
}


def command(*paths: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(CHECKER), *map(str, paths)], capture_output=True, text=True)


def test_hostile_files_are_unusable(tmp_path: Path) -> None:
    game, bad, binary = tmp_path / "game.json", tmp_path / "bad.json", tmp_path / "binary.json"
    game.write_text(LADDER)
    binary.write_bytes(b"\xff\xfe{}")
    paths = [binary, tmp_path / "missing.json", tmp_path]
    for number, text in enumerate(HOSTILE.values()):
        paths.append(tmp_path / f"hostile-{number}.json")
        paths[-1].write_text(text)
    run = command(game, *paths)
    lines = run.stdout.splitlines()
    assert run.returncode == 2 and not run.stderr and len(lines) == len(paths), run.stderr
    assert all(line.startswith("unusable: ") for line in lines), run.stdout
    bad.write_text(HOSTILE["deep"])
    assert command(bad, game).returncode == 2 and not command(bad, game).stderr
    assert command().returncode == 2


def test_hostile_values_are_refused() -> None:
    """Every value of true solutions in turn replaced by values of other types and sizes."""
    game = game_file("ladder", GAME_FILES["ladder"])
    mechanism = {"payment": "richman", "ties": "advantage", "bidding": "sealed", "right": "chooses", "bids": "all"}
    head = {"format": "richman-solution", "version": 1, "game": "ladder", "position": "hers", "mechanism": mechanism}
    ends = {"win": "0", "loss": "1"}
    money = head | {"money": {"win": "1/2", "draw": "1/2", "positions": {
        "hers": ["1/2", "1/2"], **{name: [end] * 2 for name, end in ends.items()}}}}
    won, none = [[0, 0, 0]], []
    chips = head | {"chips": [{"total": 1, "win": {"plain": 1, "star": 1}, "draw": {"plain": 1, "star": 1}, "positions": {
        "hers": {"alice": [[1, 1, 1]], "bob": [[1, 1, 1]]}, "win": {"alice": won, "bob": none},
        "loss": {"alice": none, "bob": won}}}]}
    rule, nothing, never = ({"block": 1, "step": step, "values": [step]} for step in (1, 0, 2))
    rules = head | {"rules": {"win": {"block": 2, "step": 1, "from": 0}, "draw": {"block": 2, "step": 1, "from": 0},
                              "alice": [rule, nothing, never], "bob": [rule, nothing, never],
                              "positions": {"hers": [0, 0], "win": [1, 2], "loss": [2, 1]}}}
    values = [None, True, False, 0, -1, 1, 0.5, 1.0, float("nan"), float("inf"), 10**400, 2**32 - 1, "", "x", "1/0",
              "1/2/3", "..", "1..", "\ud800", "9" * 5000, "1" * 200_000, "1e9", "٣", "1_0", " 1", [], [[]], {}, {"file": {}},
              {"file": game}, [0] * 5]
    for solution in (money, chips, rules):
        hers = solution.get("chips")
        assert judged(game, solution) == "valid", hers
        for path, old in places(solution):
            for value in values:
                new = put(solution, path, value) if path else value
                verdict = judged(game, new)
                same = type(old) is type(value) and old == value
                assert verdict != "valid" or same or value == {"file": game}, (path, value)
    for path, old in places(game):
        for value in values:
            judged(put(game, path, value) if path else value, money)


def test_the_command_prints_what_is_proved(workshop: Workshop, tmp_path: Path) -> None:
    game, saved = tmp_path / "game.json", tmp_path / "saved.json"
    game.write_text(workshop.run("export", "tug-of-war").stdout)
    assert workshop.run("solve", "tug-of-war", "--chips", "8", "--save", str(saved)).returncode == 0
    run = command(game, saved)
    assert run.returncode == 0 and run.stdout.startswith("valid: chips") and not run.stderr
    wrong = tmp_path / "wrong.json"
    wrong.write_text(saved.read_text().replace('"plain":6', '"plain":5', 1))
    run = command(game, wrong)
    assert run.returncode == 1 and run.stdout.startswith("wrong: ") and not run.stderr
    run = command(game, saved, wrong, game)
    assert run.returncode == 2
    assert [line.split(":")[0] for line in run.stdout.splitlines()] == ["valid", "wrong", "unusable"]
    assert isinstance(richman_check.check(json.loads(game.read_text()), json.loads(saved.read_text())), str)
