"""Changes to saved solutions that make them false, or no solutions, for every sort of claim."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Json = Any
Keys = tuple[Any, ...]  # the way to a value inside another
Corrupt = tuple[str, Json]  # the sort of a change, and the changed solution
PLAYERS = ("alice", "bob")
CHOICES = {  # the last word of each is not allowed
    "payment": ["richman", "poorman", "taxman:1/3", "x", "taxman:2"],
    "ties": ["advantage", "marker", "alice", "bob", "loser", "winner", ""],
    "bidding": ["sealed", "alice-first", "bob-first", "both"],
    "right": ["chooses", "moves", "neither"],
    "bids": ["all", "0", "0+2", "1+5", "0+5", "2+3", "5", "-1", "+", "0+"],
}
HEADS: list[Json] = [None, 0, 2, "x", [], {}, True]


@dataclass
class Case:
    """A true solution, with the game file that it is judged by."""

    name: str
    game: Json
    solution: Json

    @property
    def kind(self) -> str:
        return next(kind for kind in ("money", "chips", "purses", "rules") if kind in self.solution)

    def places(self) -> list[tuple[Keys, Json]]:
        """The values of the claims, with their paths."""
        return list(places(self.solution[self.kind], (self.kind,)))

    def positions(self) -> Iterator[tuple[Keys, dict[str, Json]]]:
        """The positions of every claim."""
        for path, value in self.places():
            if path[-1] == "positions":
                yield path, value


def places(value: Json, path: Keys = ()) -> Iterator[tuple[Keys, Json]]:
    """All values inside a JSON value, with their paths."""
    yield path, value
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, key))


def put(value: Json, path: Keys, item: Json) -> Json:
    """The value with another item at the path. It shares everything else with the old one."""
    if not path:
        return item
    changed = copy.copy(value)
    changed[path[0]] = put(value[path[0]] if len(path) > 1 else None, path[1:], item)
    return changed


def without(value: Json, path: Keys) -> Json:
    """The value without the item at the path."""
    if len(path) > 1:
        return put(value, path[:1], without(value[path[0]], path[1:]))
    changed = copy.copy(value)
    del changed[path[0]]
    return changed


def other_shares(share: str) -> Iterator[Corrupt]:
    """Changes by one unit in the last place of an end, or both; wider; narrower; turned round."""
    ends = [Fraction(end) for end in share.split("..")]
    low, high = ends[0], ends[-1]
    by_name = {
        **{"up": (1, 1), "down": (-1, -1)},
        **{"wider": (-1, 1), "wider up": (0, 1), "wider down": (-1, 0)},
        **{"narrower": (1, -1), "narrower up": (1, 0), "narrower down": (0, -1)},
    }
    units = {Fraction(1, low.denominator), Fraction(1, high.denominator), Fraction(1, 1 << 70)}
    for unit, (what, by) in itertools.product(sorted(units), by_name.items()):
        one, two = low + by[0] * unit, high + by[1] * unit
        if min(one, two) >= 0 and max(one, two) <= 1:
            yield what, str(one) if one == two else f"{one}..{two}"
    if low < high:
        yield from (("the low end", str(low)), ("the high end", str(high)))
        yield "turned round", f"{high}..{low}"
    yield "everything", "0..1"
    for end in ("0", "1", "1/2"):
        yield f"exactly {end}", end


def changed_values(case: Case) -> Iterator[Corrupt]:
    """Every number by one, every share by one unit; other types in its place; missing."""
    solution, kind = case.solution, case.kind
    for path, value in case.places():
        if type(value) is int:
            for change in (1, -1, 1000):
                yield f"{kind}: a number by {change}", put(solution, path, value + change)
            other = [str(value), float(value), True, None][value % 4]
            yield f"{kind}: a number of another type", put(solution, path, other)
        elif isinstance(value, str):
            for what, share in other_shares(value):
                yield f"{kind}: a share {what}", put(solution, path, share)
        is_part = isinstance(value, dict | list) or type(path[-1]) is int
        if len(path) > 1 and (is_part or path[-1] in ("win", "draw")):
            yield f"{kind}: a part is missing", without(solution, path)
        if isinstance(value, list) and value:
            yield f"{kind}: an item twice", put(solution, path, [value[0], *value])
            yield f"{kind}: reversed", put(solution, path, value[::-1])
            yield f"{kind}: empty", put(solution, path, [])


def exchanged(claim: dict[str, Json]) -> dict[str, Json]:
    """A claim about chips with what is said of one player said of the other."""
    other = {"alice": "bob", "bob": "alice", "alice_holds": "bob_holds", "bob_holds": "alice_holds"}
    return {key: claim[other[key]] for key in claim}


def changed_positions(case: Case) -> Iterator[Corrupt]:
    """Values of two positions exchanged, players exchanged, positions more, less, renamed."""
    solution = case.solution
    for path, claims in case.positions():
        for one, two in itertools.combinations(claims, 2):
            both = {one: claims[two], two: claims[one]}
            yield "positions exchanged", put(solution, path, claims | both)
        for name, claim in claims.items():
            rest = {other: claims[other] for other in claims if other != name}
            yield "a position renamed", put(solution, path, rest | {name + " x": claim})
            yield "a position more", put(solution, path, claims | {name + " x": claim})
            yield "a position less", put(solution, path, rest)
        if case.kind in ("chips", "purses"):
            all_exchanged = {name: exchanged(claim) for name, claim in claims.items()}
            yield "players exchanged everywhere", put(solution, path, all_exchanged)
            for name, claim in all_exchanged.items():
                yield "players exchanged", put(solution, path, claims | {name: claim})
        elif case.kind == "money":
            win, draw = solution["money"]["win"], solution["money"]["draw"]
            turned = {name: pair[::-1] for name, pair in claims.items()}
            for name, pair in turned.items():
                yield "win and draw exchanged", put(solution, path, claims | {name: pair})
            changed = {"win": draw, "draw": win, "positions": turned}
            yield "win and draw exchanged everywhere", put(solution, ("money",), changed)
            # Draws as wins, and wins as draws, solve the equations of cycles too.
            for goal, share in enumerate((win, draw)):
                same = {name: [pair[goal]] * 2 for name, pair in claims.items()}
                changed = {"win": share, "draw": share, "positions": same}
                yield "one threshold for both", put(solution, ("money",), changed)


def changed_stages(case: Case) -> Iterator[Corrupt]:
    """Wins claimed early or late, or in part; fixed points that nobody reaches."""
    if case.kind not in ("chips", "purses"):
        return
    time = 0 if case.kind == "chips" else 2
    for path, claims in case.positions():
        for player, by in itertools.product(PLAYERS, (1, -1)):
            changed = copy.deepcopy(claims)
            for stage in itertools.chain(*(claim[player] for claim in changed.values())):
                stage[time] = max(0, stage[time] + by) if stage[time] or by > 0 else 0
            yield f"stages {by} move later everywhere", put(case.solution, path, changed)
        for player, (what, kept) in itertools.product(
            PLAYERS,
            {
                "only the last stage": slice(-1, None),
                "all but the last stage": slice(-1),
                "no stage": slice(0),
            }.items(),
        ):
            changed = {
                name: claim | {player: claim[player][kept]} for name, claim in claims.items()
            }
            yield f"{what} everywhere", put(case.solution, path, changed)
        if case.kind == "chips":
            yield from circles(case, path, claims)


def circles(case: Case, path: Keys, claims: dict[str, Json]) -> Iterator[Corrupt]:
    """Where play goes on, wins with nothing, or with what is enough for a draw, after all others:
    each such claim rests on the next, in a circle."""
    never = case.solution["chips"][path[1]]["total"] + 1
    ends = [side[-1][0] for claim in claims.values() for side in claim.values() if side]
    for (player, other), delay in itertools.product(itertools.permutations(PLAYERS), (0, 1, 1000)):
        nothing, draws = copy.deepcopy(claims), copy.deepcopy(claims)
        for order, (name, claim) in enumerate(claims.items()):
            if "winner" in case.game["positions"][name]:
                continue
            when = max(ends, default=0) + 1 + order * delay
            won, lost = (
                side[-1][1:] if side else [never] * 2 for side in (claim[player], claim[other])
            )
            drawn = [never - lost[1], never - lost[0]]
            nothing[name][player] += [[when, 0, 0]] * (won != [0, 0])
            draws[name][player] += [[when, *drawn]] * (won != drawn)
        yield "wins with nothing, in a circle", put(case.solution, path, nothing)
        yield "draws as wins, in a circle", put(case.solution, path, draws)


def changed_rules(case: Case) -> Iterator[Corrupt]:
    """Rules that are too long, too short, early, late, or others."""
    for player in PLAYERS if case.kind == "rules" else ():
        for number, rule in enumerate(case.solution["rules"][player]):
            values, block, step = rule["values"], rule["block"], rule["step"]
            longer = [*values, *(value + step for value in values[-block:])]
            changed: list[tuple[str, int, int, list[int]]] = [
                ("a rule twice as long", 2 * block, 2 * step, longer),
                ("a rule with a late start", block, step, longer),
            ]
            for by in (1, -1):
                late = [*longer, *(value + step for value in longer[-block:])]
                changed += [("a rule that breaks later", block, step, [*late[:-1], late[-1] + by])]
            for less in range(1, len(values) - block + 1):
                changed += [("a rule that repeats too early", block, step, values[:-less])]
            for part in range(1, block):
                if block % part == 0:
                    short = values[: len(values) - block + part]
                    changed += [("a shorter block", part, step * part // block, short)]
            for value, rise in ((0, 0), (1, 1), (2, 2), (1, 2)):
                changed += [("another rule", 1, rise, [value])]
            for what, *parts in changed:
                new = dict(zip(("block", "step", "values"), parts))
                yield what, put(case.solution, ("rules", player, number), new)


def changed_heads(case: Case) -> Iterator[Corrupt]:
    """Another mechanism, start or kind of document."""
    solution = case.solution
    for choice, words in CHOICES.items():
        for word in words:
            yield f"mechanism: {choice}", put(solution, ("mechanism", choice), word)
        yield "mechanism: a choice missing", without(solution, ("mechanism", choice))
    for name in (*case.game["positions"], "nowhere"):
        yield "another start", put(solution, ("position",), name)
    for key in ("format", "version", "game", "position", "mechanism", case.kind):
        yield "a key missing", without(solution, (key,))
        for other in HEADS:
            yield "another head", put(solution, (key,), other)
    yield "a key more", put(solution, ("more",), 1)
    second = "rules" if case.kind == "money" else "money"
    yield "two claims", put(solution, (second,), solution[case.kind])


def changed_game(case: Case) -> Iterator[Corrupt]:
    """Another game: by name, or with other moves and winners."""
    solution = case.solution
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
        yield "the game: players exchanged", put(solution, path, exchanged(position))
        for player in PLAYERS:
            moves, place = position[player], (*path, player)
            for target in positions:
                yield "the game: a move more", put(solution, place, [*moves, target])
                yield "the game: another move", put(solution, place, [target, *moves[1:]])
            yield "the game: a move less", put(solution, place, moves[1:])


CHANGES: list[Callable[[Case], Iterator[Corrupt]]] = [
    *(changed_values, changed_positions, changed_stages),
    *(changed_rules, changed_heads, changed_game),
]


def corruptions(
    cases: list[Case], rng: random.Random, each: int
) -> Iterator[tuple[Case, str, Json]]:
    """For each sort of change up to `each` changed solutions, from cases in random order."""
    by_sort: Counter[str] = Counter()
    for case in rng.sample(cases, len(cases)):
        if any(len(positions) > 40 for _, positions in case.positions()):
            continue
        original = json.dumps(case.solution)
        for change in CHANGES:
            seen: Counter[str] = Counter()
            made = list(change(case))
            for what, solution in rng.sample(made, len(made)):
                if seen[what] < 3 and by_sort[what] < each and json.dumps(solution) != original:
                    seen[what] += 1
                    by_sort[what] += 1
                    yield case, what, solution
