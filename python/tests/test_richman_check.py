"""The second judge against the first: hundreds of solutions that the command saves, which both must
accept, and thousands of corrupted ones, on which both must agree."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from corruptions import CHOICES, PLAYERS, Case, Json, corruptions, places, put

CHECKER = Path(__file__).resolve().parent.parent / "richman_check.py"
sys.path.insert(0, str(CHECKER.parent))

import richman_check  # noqa: E402
from richman_check import Unusable, Wrong, check  # noqa: E402

GAME_FILES = {
    # A zugzwang at z, draws, no cycle.
    "standoff": {"s": "u z | v z", "u": "win | z tie", "v": "z tie | loss", "z": "loss | win"},
    # Cycles, a zugzwang, a loop that nobody can leave, and one that both can.
    "carousel": {
        **{"s": "u d | v z", "u": "win w | s z", "v": "s tie | loss", "w": "w u | w"},
        **{"z": "loss | win", "d": "e | e d", "e": "d | d"},
    },
    # Two loops that nobody can leave, and a draw.
    "detour": {
        **{"s": "win t | loss a", "t": "a tie | s c", "a": "b | b", "b": "a | a", "c": "c | c"}
    },
    # Every share between those of poor and rich satisfies the equations at x, y and z.
    "rungs": {
        **{"x": "y poor | y rich", "y": "x z | z x", "z": "z poor | y z", "poor": "rich | loss"},
        **{"rich": "win | poor"},
    },
    # A cycle on which both players may stay forever.
    "ladder": {
        **{"left": "right hers | right", "right": "left | left his", "hers": "win | loss"},
        **{"his": "win loss | win loss"},
    },
    # Both can stay, and nobody ever wins.
    "idle": {"s": "s tie | s tie"},
    # The winner of the bid must move, and Alice alone can stay: no threshold for real money.
    "stay": {"s": "s | half", "half": "win | loss"},
}
ENDS = {"win": "alice", "loss": "bob", "tie": "none"}
NAMED = [
    *("tug-of-war:length=4,at=1", "tug-of-war", "ultimatum:degree=2", "ultimatum", "hex:size=2"),
    *("tic-tac-toe:rows=2,cols=3,line=2", "connect:rows=2,cols=3,line=2", "expr:E"),
    *("expr:(A & B^2) & B", "expr:(A & B^2) & (B^3 & E)", "expr:~(A^3 & B) & (E & A^2)"),
]


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

    def move(later: list[str]) -> str:
        return rng.choice(later if later and rng.random() < 0.65 else ends)

    moves = {}
    for at in range(count):
        later = [f"p{to}" for to in range(0 if is_cyclic else at + 1, count)]
        sides = [sorted({move(later) for _ in range(rng.randint(1, 3))}) for _ in PLAYERS]
        moves[f"p{at}"] = " | ".join(" ".join(side) for side in sides)
    game = game_file(f"random-{number}", moves)
    game["positions"] |= {end: {"winner": ENDS[end]} for end in ends}
    return game


def mechanisms() -> Iterator[dict[str, str]]:
    """All choices of ties, order and right, with some of payment and bids."""
    choices = [CHOICES[key][:-1] for key in ("ties", "bidding", "right")]
    for payment in ("richman", "poorman", "taxman:1/2"):
        for bids in ("all", "0+2", "1+2") if payment == "richman" else ("all", "0+2"):
            for ties, bidding, right in itertools.product(*choices):
                mechanism = {"payment": payment, "ties": ties, "bidding": bidding, "right": right}
                yield mechanism | {"bids": bids}


@dataclass
class Workshop:
    """Makes and judges solutions with the command."""

    binary: Path
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

    def save(self, game: str, *arguments: str, command: str = "solve") -> Iterator[Case]:
        """The solution that `solve` or `table` saves; none if the command refuses the question."""
        option = "--certificate" if "--certificate" in arguments else "--save"
        rest = [word for word in arguments if word != "--certificate"]
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
        path.write_text(json.dumps(solution))
        run = self.run("verify", str(path))
        assert run.returncode in (0, 1, 2), run.stderr
        return run.returncode == 0


@pytest.fixture(scope="session")
def workshop(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(binary.resolve(), tmp_path_factory.mktemp("solutions"))


def questions(number: int) -> list[str]:
    """What is asked about a game: the command that saves, and its options."""
    chips, part = number % 9, ("1/2", "1/3", "1")[number % 3]
    return [
        *("solve", "solve --right moves", "solve --payment poorman"),
        *(f"solve --payment taxman:{part}", "solve --payment poorman --right moves"),
        *("solve --width 1e-3 --payment poorman", "solve --time 0"),
        *(f"solve --chips {chips}", "table --certificate", f"solve --chips {chips} --right moves"),
        *("solve --chips 4 --ties marker", f"table --chips 0..{number % 4 + 1}"),
        *(
            "solve --payment poorman --alice 3* --bob 2",
            f"solve --chips {7 + number % 3} --bids 2+3",
        ),
    ]


@pytest.fixture(scope="session")
def cases(workshop: Workshop) -> list[Case]:
    """Many games under the usual mechanisms, and a few under all of them."""
    files = {name: workshop.add(game_file(name, moves)) for name, moves in GAME_FILES.items()}
    rng = random.Random(20)
    randoms = [workshop.add(random_game(rng, number)) for number in range(24)]
    found: list[Case] = []
    for number, game in enumerate([*NAMED, *files.values(), *randoms]):
        asked = questions(number)
        if game in randoms:
            asked = [*asked[:3], *asked[7:9], asked[number % 4 + 10]]
        for question in asked:
            command, *options = question.split()
            found += workshop.save(game, *options, command=command)
    usual = [files["carousel"], files["standoff"], "ultimatum:degree=2", files["detour"], NAMED[0]]
    for number, mechanism in enumerate(mechanisms()):
        total = number // 5 % 4 + 1
        star = "*" if mechanism["ties"] not in PLAYERS else ""
        purses = ["--alice", f"{total}{star}", "--bob", str(number % 3)]
        if mechanism["payment"] == "richman":
            purses = ["--chips", str(total)]
        options = [word for choice, value in mechanism.items() for word in (f"--{choice}", value)]
        found += workshop.save(usual[number % len(usual)], *options, *purses)
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
    assert len(lines) <= 600 and max(map(len, lines)) <= 100
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    imported = {line.split()[1].split(".")[0] for line in imports}
    assert imported and imported <= set(sys.stdlib_module_names)


def test_true_solutions_are_proved(workshop: Workshop, cases: list[Case]) -> None:
    kinds: Counter[str] = Counter()
    for case in cases:
        try:
            proved = check(case.game, case.solution)
        except Wrong as error:
            pytest.fail(f"{case.name}: {type(error).__name__}: {error}")
        kinds[proved.split(" (")[0] if case.kind == "money" else case.kind] += 1
    print(kinds, len(cases), "refused by the command:", workshop.refused)
    assert len(cases) > 400
    assert all(kinds[kind] > 30 for kind in ("chips", "purses", "rules"))
    assert kinds["real money: exact thresholds"] > 50
    assert kinds["real money: bounds on thresholds"] > 20
    seen = {(case.kind, tuple(case.solution["mechanism"].values())) for case in cases}
    assert len(seen) > 200
    for kind in ("chips", "purses"):
        mechanisms = [case.solution["mechanism"] for case in cases if case.kind == kind]
        for choice, words in (("ties", 6), ("bidding", 3), ("right", 2)):
            assert len({mechanism[choice] for mechanism in mechanisms}) == words


def test_rules_are_what_playing_out_gives(cases: list[Case]) -> None:
    """The formula for one turn, which the proof of rules rests on, against the definition."""
    compared = 0
    for case in cases:
        if case.kind != "rules":
            continue
        rules, start = case.solution["rules"], case.solution["position"]
        game = richman_check.read_game(case.game, start)
        mechanism = richman_check.Mechanism(**case.solution["mechanism"])
        for total in range(6):
            states = itertools.product(range(total + 1), (False, True))
            every = frozenset((own, total - own, star) for own, star in states)
            won, _ = richman_check.play_out(game, mechanism, "alice", "win", every, total)
            for name, (number, _) in rules["positions"].items():
                rule = richman_check.Rule(**rules["alice"][number])
                enough = {state for state in every if 2 * state[0] + state[2] >= rule.at(total)}
                assert won[name] == enough, f"{case.name}: {name} with {total} chips"
                compared += 1
    assert compared > 1000


def test_who_must_move_may_have_no_threshold() -> None:
    """A zugzwang, and a position at which Alice alone can stay: each half of the money."""
    for moves in ({"s": "loss | win"}, GAME_FILES["stay"]):
        game = game_file("game", moves)
        shares = {name: {"win": "0", "loss": "1"}.get(name, "1/2") for name in game["positions"]}
        pairs = {name: [share, share] for name, share in shares.items()}
        solution: Json = {
            **{"format": "richman-solution", "version": 1, "game": "game", "position": "s"},
            "mechanism": {"payment": "richman", "ties": "advantage", "bidding": "sealed"},
            "money": {"win": "1/2", "draw": "1/2", "positions": pairs},
        }
        for right, verdict in (("chooses", "valid"), ("moves", "wrong")):
            mechanism = solution["mechanism"] | {"right": right, "bids": "all"}
            assert judged(game, solution | {"mechanism": mechanism}) == verdict, (moves, right)


# What may be changed without making a claim false: weaker bounds; two bounds of the same threshold,
# exchanged; the start, if all follow it; a mechanism that makes no difference; the order of a list;
# a claim that is left out; chips where nobody can win with any number of them.
MAY_BE_TRUE = (
    *("another start", "mechanism: ", "the game: ", "one threshold for both", "money: a share "),
    *("win and draw exchanged", "money: reversed", "positions exchanged", "players exchanged"),
    *("chips: a part is missing", "chips: reversed", "chips: a number by"),
    *("purses: a part is missing", "purses: reversed", "purses: a number by"),
)


def test_corrupted_solutions_are_refused_where_verify_refuses(
    workshop: Workshop, cases: list[Case]
) -> None:
    tried: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    stricter: Counter[str] = Counter()
    each = int(os.environ.get("RICHMAN_CORRUPTIONS", "24"))
    for case, what, solution in corruptions(cases, random.Random(7), each):
        ours, theirs = judged(case.game, solution) == "valid", workshop.verify(solution)
        tried[what] += 1
        accepted[what] += ours and theirs
        stricter[what] += theirs and not ours
        changed = f"{what} of {case.name}: {json.dumps(solution)}"
        assert theirs or not ours, f"only the checker accepts: {changed}"
        # Another game with the same answers; more chips than the checker plays out.
        is_known = what.startswith(("the game: ", "another game")) or what.endswith("by 1000")
        assert ours or not theirs or is_known, f"only verify accepts: {changed}"
    sorts = len(tried)
    print(
        tried.total(), "corruptions of", sorts, "sorts; accepted", +accepted, "stricter", +stricter
    )
    assert tried.total() > 1000 and sorts > 60
    for what in +accepted:
        assert what.startswith(MAY_BE_TRUE), f"both accept: {what}"


# --- Hostile input -------------------------------------------------------------------------------


LADDER = game_file("ladder", GAME_FILES["ladder"])
HOSTILE = {
    **{"empty": "", "no JSON": "{", "a list": "[]", "null": "null", "a number": "1e999"},
    **{"NaN": "[NaN]", "minus infinity": '{"format": -Infinity}', "a zero": "{}\0"},
    **{"deep": "[" * 200_000, "deep objects": '{"a":' * 100_000, "a long number": "9" * 200_000},
    **{"a surrogate": '"\\ud800"', "a byte order mark": "\ufeff{}"},
    "a key twice": '{"format": "richman-solution", "format": "richman-solution"}',
}
VALUES: list[Json] = [
    *(None, True, False, 0, -1, 1, 0.5, 1.0, float("nan"), float("inf"), 10**400, 2**32 - 1),
    *("", "x", "1/0", "1/2/3", "..", "1..", "\ud800", "9" * 5000, "1" * 200_000, "1e9", "\u0663"),
    *("1_0", " 1", [], [[]], {}, {"file": {}}, {"file": LADDER}, [0] * 5),
]


def command(*paths: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, str(CHECKER), *map(str, paths)]
    return subprocess.run(line, capture_output=True, text=True)


def test_hostile_files_are_unusable(tmp_path: Path) -> None:
    game, bad, binary = (tmp_path / f"{name}.json" for name in ("game", "bad", "binary"))
    game.write_text(json.dumps(LADDER))
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
    mechanism = {"payment": "richman", "ties": "advantage", "bidding": "sealed"}
    head = {
        **{"format": "richman-solution", "version": 1, "game": "ladder", "position": "hers"},
        "mechanism": mechanism | {"right": "chooses", "bids": "all"},
    }
    money = {"hers": ["1/2", "1/2"], "win": ["0", "0"], "loss": ["1", "1"]}
    won: Json = [[0, 0, 0]]
    chips = {
        "hers": {"alice": [[1, 1, 1]], "bob": [[1, 1, 1]]},
        **{"win": {"alice": won, "bob": []}, "loss": {"alice": [], "bob": won}},
    }
    both, period = {"plain": 1, "star": 1}, {"block": 2, "step": 1, "from": 0}
    rules = [{"block": 1, "step": step, "values": [step]} for step in (1, 0, 2)]
    numbers = {"hers": [0, 0], "win": [1, 2], "loss": [2, 1]}
    solutions = [
        head | {"money": {"win": "1/2", "draw": "1/2", "positions": money}},
        head | {"chips": [{"total": 1, "win": both, "draw": both, "positions": chips}]},
        head
        | {
            "rules": {
                **{"win": period, "draw": period, "alice": rules, "bob": rules},
                "positions": numbers,
            }
        },
    ]
    for solution in solutions:
        check(LADDER, solution)
        for (path, old), value in itertools.product(places(solution), VALUES):
            verdict = judged(LADDER, put(solution, path, value))
            same = type(old) is type(value) and old == value
            assert verdict != "valid" or same or value == {"file": LADDER}, (path, value)
    for (path, _), value in itertools.product(places(LADDER), VALUES):
        judged(put(LADDER, path, value), solutions[0])


def test_the_command_prints_what_is_proved(workshop: Workshop, tmp_path: Path) -> None:
    game, saved, wrong = (tmp_path / f"{name}.json" for name in ("game", "saved", "wrong"))
    game.write_text(json.dumps(workshop.game("tug-of-war")))
    asked = ("solve", "tug-of-war", "--chips", "8", "--save", str(saved))
    assert workshop.run(*asked).returncode == 0
    run = command(game, saved)
    assert run.returncode == 0 and run.stdout.startswith("valid: chips") and not run.stderr
    wrong.write_text(saved.read_text().replace('"plain":6', '"plain":5', 1))
    run = command(game, wrong)
    assert run.returncode == 1 and run.stdout.startswith("wrong: ") and not run.stderr
    run = command(game, saved, wrong, game)
    assert run.returncode == 2
    assert [line.split(":")[0] for line in run.stdout.splitlines()] == [
        "valid",
        "wrong",
        "unusable",
    ]
