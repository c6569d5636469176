"""Graphs from arrays, and the values of all positions as arrays."""

from __future__ import annotations

import array
import ctypes
import io
import json
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy
import pytest
from own_games import Domineering, random_arrays

import richman as rm

WINNERS = (None, "alice", "bob", "none")


def as_dict(indptr: Any, targets: Any, winners: Any, bob: Any = None, start: int = 0) -> Any:
    """The same game as a dict of a game file."""

    def moves(rows: Any, at: int) -> list[str]:
        indptr, targets = rows
        return [str(to) for to in targets[indptr[at] : indptr[at + 1]]]

    positions: dict[str, Any] = {}
    for at, winner in enumerate(winners):
        alice, own = moves((indptr, targets), at), moves(bob or (indptr, targets), at)
        ended = {"winner": WINNERS[winner]}
        positions[str(at)] = ended if winner else {"alice": alice, "bob": own}
    return {"name": "graph", "start": str(start), "positions": positions}


def random_game(seed: int) -> tuple[Any, Any, dict[str, Any]]:
    chance = random.Random(seed)
    indptr, targets, winners = random_arrays(chance.randint(3, 40), seed)
    more: dict[str, Any] = {"start": chance.randrange(len(winners))}
    if seed % 2:
        more["bob"] = random_arrays(len(winners), seed + 1000, winners)[:2]
    return (indptr, targets, winners), more, as_dict(indptr, targets, winners, **more)


@pytest.mark.parametrize("seed", range(12))
def test_a_graph_is_the_game_of_its_file(seed: int) -> None:
    arrays, more, file = random_game(seed)
    game, same = rm.from_arrays(*arrays, **more), rm.from_dict(file)
    assert json.loads(game.export()) == json.loads(same.export())
    stakes: list[dict[str, Any]] = [{}, {"chips": 5}, {"alice": "3*", "bob": 2}]
    for stake in stakes:
        assert rm.solve(game, **stake).json() == rm.solve(same, **stake).json()


TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_of_whole_numbers(kind: str) -> None:
    arrays, more, file = random_game(2)
    typed = [numpy.array(each, dtype=kind) for each in arrays]
    for each in typed:
        each.flags.writeable = False
    assert rm.solve(rm.from_arrays(*typed, **more)).json() == rm.solve(file).json()
    plain = [array.array(numpy.dtype(kind).char, each.tolist()) for each in typed]
    assert rm.solve(rm.from_arrays(*plain, **more)).json() == rm.solve(file).json()


INDPTR, TARGETS, ENDS = [0, 2, 4, 4, 4], [1, 2, 0, 3], [0, 0, 1, 2]


def walk(indptr: Any = INDPTR, targets: Any = TARGETS, winners: Any = ENDS, **more: Any) -> rm.Game:
    """A token between two ends; lists become arrays."""
    given = (indptr, targets, winners)
    made = (numpy.array(each, dtype="int64") if isinstance(each, list) else each for each in given)
    return rm.from_arrays(*made, **more)


REFUSED: list[tuple[str, Callable[[], Any]]] = [
    (r"indptr\[2\] is 1 after 2", lambda: walk(indptr=[0, 2, 1, 4, 4])),
    (r"indptr goes from 1 to 4: it must go from 0", lambda: walk(indptr=[1, 2, 4, 4, 4])),
    (r"indptr goes from 0 to 3: .* to 4", lambda: walk(indptr=[0, 2, 3, 3, 3])),
    (r"indptr\[1\] is -2: give a number from 0 to 4", lambda: walk(indptr=[0, -2, 4, 4, 4])),
    (r"indptr\[4\] is 5: give a number from 0 to 4", lambda: walk(indptr=[0, 2, 4, 4, 5])),
    (r"indptr has 4 numbers and winners 4", lambda: walk(indptr=[0, 2, 4, 4])),
    (r"indptr has 0 numbers", lambda: walk(indptr=[])),
    (r"targets\[3\] is 4: give a number from 0 to 3", lambda: walk(targets=[1, 2, 0, 4])),
    (r"targets\[0\] is -1", lambda: walk(targets=[-1, 2, 0, 3])),
    (r"targets\[1\] is 4611686018427387904", lambda: walk(targets=[1, 1 << 62, 0, 3])),
    (
        r"targets\[1\] is 18446744073709551615",
        lambda: walk(targets=numpy.array([1, 2**64 - 1, 0, 3], dtype="uint64")),
    ),
    (r"winners\[2\] is 4: give a number from 0 to 3", lambda: walk(winners=[0, 0, 4, 2])),
    (r"winners\[3\] is -1", lambda: walk(winners=[0, 0, 1, -1])),
    (r'position "2": Alice has no move', lambda: walk(winners=[0, 0, 0, 2])),
    (r'position "1" has both a winner and moves', lambda: walk(winners=[0, 3, 1, 2])),
    (r"no positions", lambda: walk([0], [], [])),
    (r"start is 4: .* below 4", lambda: walk(start=4)),
    (r"start is -1", lambda: walk(start=-1)),
    (r"has 2 dimensions", lambda: walk(targets=numpy.zeros((2, 2), dtype="int32"))),
    (r"has 0 dimensions", lambda: walk(targets=numpy.array(4))),
    (r"targets is not contiguous", lambda: walk(targets=numpy.zeros(8, dtype="int32")[::2])),
    (r"targets is not contiguous", lambda: walk(targets=numpy.zeros(4, dtype="int32")[::-1])),
    (
        r"winners is not contiguous",
        lambda: walk(winners=numpy.broadcast_to(numpy.int8(1), (1 << 50,))),
    ),
    (
        r"targets is not aligned",
        lambda: walk(targets=numpy.frombuffer(bytes(17), dtype="int32", offset=1)),
    ),
    (
        r"graph needs .* but the limit is",
        lambda: rm.from_arrays(
            numpy.zeros(100_000_001, "int8"), b"", numpy.zeros(100_000_000, "int8"), memory=10**6
        ),
    ),
    (r"there are 3 names for 4 positions", lambda: walk(names=["a", "b", "c"])),
    (r"there are 5 names for 4 positions", lambda: walk(names=["a", "b", "c", "d", "e"])),
    (r'names\[2\] is "a" again', lambda: walk(names=["a", "b", "a", "d"])),
    (r"names\[1\] is no text that can be written", lambda: walk(names=["a", "\ud800", "c", "d"])),
    (r"bob's indptr has 2 dimensions", lambda: walk(bob=(numpy.zeros((2, 2), int), b""))),
    (r"memory is -1", lambda: walk(memory=-1)),
]


@pytest.mark.parametrize(("message", "make"), REFUSED, ids=[message for message, _ in REFUSED])
def test_hostile_arrays_are_errors(message: str, make: Callable[[], Any]) -> None:
    with pytest.raises(rm.Error, match=message):
        make()


WRONG: list[Callable[[], Any]] = [
    lambda: rm.from_arrays(INDPTR, TARGETS, ENDS),
    lambda: walk(targets=numpy.array([1.0, 2.0, 0.0, 3.0])),
    lambda: walk(winners=numpy.array([False, False, True, True])),
    lambda: walk(
        targets=numpy.array([1, 2, 0, 3], dtype=">i4" if sys.byteorder == "little" else "<i4")
    ),
    lambda: walk(targets=numpy.array([1, 2, 0, 3], dtype=object)),
    lambda: walk(targets=numpy.array(["1", "2", "0", "3"])),
    lambda: walk(targets=numpy.zeros(4, dtype="datetime64[s]")),
    lambda: walk(targets=numpy.zeros(4, dtype=[("to", "int32")])),
    lambda: walk(targets=numpy.zeros(4, dtype="complex128")),
    lambda: walk(targets=(ctypes.c_float * 4)()),
    lambda: walk(winners="abcd"),
    lambda: walk(winners=None),
    lambda: walk(bob=numpy.zeros(3)),
    lambda: walk(bob=(INDPTR,)),
    lambda: walk(start=1.0),
    lambda: walk(start=True),
    lambda: walk(names="abcd"),
    lambda: walk(names=iter("abcd")),
    lambda: walk(names=[1, 2, 3, 4]),
    lambda: walk(name=3),
    lambda: walk(description=3),
    lambda: walk(memory="1GB"),
]


@pytest.mark.parametrize("make", WRONG)
def test_wrong_types_are_type_errors(make: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        make()


def test_positions_are_numbers() -> None:
    game = walk(description="a walk")
    assert game.start == "0" and game.description == "a walk"
    for one in (1, numpy.int8(1), "1"):
        assert game.notation(one) == "1" and game.position("1") == 1
        assert rm.solve(game, position=one).win == Fraction(2, 3)
        assert game.moves(one, "bob") == {"0": "0", "3": "3"}
        assert rm.table(game, chips=range(4), position=one).rows
        assert rm.play.Match(game, alice="2*", bob=2, position=one).position == "1"
    assert [game.winner(at) for at in range(4)] == [None, None, "alice", "bob"]
    for bad in (4, -1, "4", "01", "+1", " 1", ""):
        with pytest.raises(rm.Error):
            game.notation(bad)
    for wrong in (True, 1.0, None, (1,)):
        with pytest.raises(TypeError):
            game.notation(wrong)


def test_names_are_for_people() -> None:
    game = walk(names=["left", "right", "0", "3*"])
    assert game.moves(0, "alice") == {"right": "right", "0": "0"}
    assert (game.notation(0), game.notation("0"), game.position("0")) == ("left", "0", 2)
    assert rm.solve(game, position="right").win == rm.solve(game, position=1).win
    assert list(rm.solve(game).values().positions) == [0, 1, 2, 3]


@pytest.mark.parametrize("names", [None, ["a", "b", "c", "d"]])
def test_games_from_arrays_are_pickled(names: list[str] | None) -> None:
    game = walk(names=names, start=1)
    again = pickle.loads(pickle.dumps(game))
    assert again == game and hash(again) == hash(game)
    assert rm.solve(again).json() == rm.solve(game).json()
    for other in (walk(names=names), walk(targets=[2, 1, 0, 3], names=names, start=1)):
        assert other != game
    assert walk() != walk(names=["a", "b", "c", "d"])


def test_arrays_may_change_afterwards() -> None:
    targets = numpy.array(TARGETS)
    game = walk(targets=targets)
    targets[:] = 99
    assert rm.solve(game).win == Fraction(1, 3)


def test_solutions_are_saved_with_their_graph(tmp_path: Path) -> None:
    game, path = walk(), tmp_path / "solution.json"
    stakes: list[dict[str, Any]] = [{}, {"chips": 4}]
    for stake in stakes:
        rm.solve(game, **stake).save(path)
        assert rm.verify(path).valid
    game.to_file(tmp_path / "walk.json")
    assert rm.solve(tmp_path / "walk.json").json() == rm.solve(game).json()


def rows_of(file: Any, **stake: Any) -> dict[str, Any]:
    return {row["position"]: row for row in rm.solve(file, all=True, **stake).rows}


@pytest.mark.parametrize("width", ["0.5", "2^-60"])
@pytest.mark.parametrize("seed", range(8))
def test_doubles_bound_the_exact_thresholds(seed: int, width: str) -> None:
    arrays, more, file = random_game(seed)
    game = rm.from_arrays(*arrays, **more)
    exact = rm.solve(game, exact=True).values(exact=True)
    found = rm.solve(game, width=width).values()
    rows = rows_of(file, exact=True)
    assert [str(at) for at in found.positions] == sorted(rows, key=int)
    assert list(found.positions) == list(exact.positions)
    for bounds, shares, key in ((found.win, exact.win, "win"), (found.draw, exact.draw, "draw")):
        for at, low, high, share in zip(found.positions, *bounds, shares):
            assert share == Fraction(rows[str(at)][key])
            assert Fraction(float(low)) <= share <= Fraction(float(high))


def test_doubles_are_as_close_as_they_can_be() -> None:
    game = rm.rules(Domineering(3, 3))
    solution = rm.solve(game, exact=True)
    found, exact = solution.values(), solution.values(exact=True)
    assert len(found.positions) == solution.positions == len(set(found.positions))
    assert game.rules.start in set(found.positions)
    for bounds, shares in ((found.win, exact.win), (found.draw, exact.draw)):
        for low, high, share in zip(*bounds, shares):
            assert Fraction(low) == share == Fraction(high)  # all are dyadic
    third = walk()
    low, high = (each[0] for each in rm.solve(third, exact=True).values().win)
    assert Fraction(low) < Fraction(1, 3) < Fraction(high) and numpy.nextafter(low, 1) == high


def test_inexact_thresholds_are_intervals() -> None:
    indptr, targets, winners = random_arrays(50_000, 1)
    solution = rm.solve(rm.from_arrays(indptr, targets, winners), width="0.5", time=2)
    assert not solution.exact
    found, exact = solution.values(), solution.values(exact=True)
    assert exact.win[0] == solution.win and isinstance(exact.win[0], rm.Interval)
    for low, high, share in zip(*found.win, exact.win):
        ends = (share.low, share.high) if isinstance(share, rm.Interval) else (share, share)
        assert Fraction(low) <= ends[0] and ends[1] <= Fraction(high)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("chips", [0, 1, 6])
def test_thresholds_with_chips(seed: int, chips: int) -> None:
    arrays, more, file = random_game(seed)
    solution = rm.solve(rm.from_arrays(*arrays, **more), chips=chips)
    found, exact = solution.values(), solution.values(exact=True)
    rows = rows_of(file, chips=chips)
    assert found.win.dtype == found.draw.dtype == numpy.int64
    for key in ("win", "draw"):
        for at, steps, needed in zip(found.positions, getattr(found, key), getattr(exact, key)):
            row = rm.Holding(rows[str(at)][key]["threshold"])
            assert needed.threshold == row == rm.Holding(int(steps) // 2, bool(steps % 2))
            assert needed.plain == rows[str(at)][key]["plain"]
    ended = list(arrays[2])
    won = {1: 0, 2: 2 * (chips + 1), 3: 2 * (chips + 1)}
    for at, steps in zip(found.positions, found.win):
        assert ended[at] == 0 or steps == won[ended[at]]


def test_where_more_chips_hurt_there_is_no_least_holding() -> None:
    solution = rm.solve("tic-tac-toe", chips=6, bids=[0, 2], right="moves", all=True)
    found, exact = solution.values(), solution.values(exact=True)
    rows = {row["position"]: row["win"]["threshold"] for row in solution.rows}
    assert None in rows.values()
    for at, steps, needed in zip(found.positions, found.win, exact.win):
        assert (steps == -1) == (needed.threshold is None) == (rows[at] is None)


def test_where_chips_leave_the_game_there_are_no_thresholds() -> None:
    solution = rm.solve("tug-of-war", alice="4*", bob=4, payment="poorman")
    with pytest.raises(rm.Error, match="no thresholds of their own"):
        solution.values()


def test_values_of_a_pickled_solution() -> None:
    solution = rm.solve(walk())
    again = pickle.loads(pickle.dumps(solution))
    assert list(again.values().win.low) == list(solution.values().win.low)
    with pytest.raises(TypeError):
        solution.values(exact=1)  # type: ignore[arg-type]


def test_numbers_of_any_length() -> None:
    length = 20_000
    indptr = numpy.append(numpy.arange(0, 2 * length + 1, 2), [2 * length] * 2)
    targets = numpy.stack([numpy.arange(1, length + 1), numpy.full(length, length + 1)], 1).ravel()
    winners = numpy.zeros(length + 2, dtype="int8")
    winners[length:] = 2, 1
    solution = rm.solve(rm.from_arrays(indptr, targets, winners), exact=True)
    assert solution.win == Fraction(1, 2**length)
    assert solution.values(exact=True).win[0] == solution.win
    assert "about 0.0" in repr(solution) and "about 0.0" in solution._repr_html_()
    low, high = (float(each[0]) for each in solution.values().win)
    assert low == 0 and Fraction(high) > Fraction(1, 2**length)


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
import array, richman as rm
game = rm.from_arrays(array.array("l", [0, 2, 4, 4, 4]), bytes([1, 2, 0, 3]), bytes([0, 0, 1, 2]))
found, exact = rm.solve(game).values(), rm.solve(game).values(exact=True)
assert [type(each) for each in found.win] == [memoryview] * 2
assert found.positions.tolist() == [0, 1, 2, 3] and found.win.low.tolist()[2:] == [0, 1]
assert exact.win[1] == rm.solve(game, position=1).win and type(exact.win) is list
assert rm.solve(game, chips=3).values().win.tolist()[2:] == [0, 8]
"""


def test_numpy_is_not_needed() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], check=True, timeout=60)


MILLION = """
import resource, sys, numpy, richman as rm
side = 1000
numbers = numpy.arange(side * side, dtype="int32").reshape(side, side)
winners = numpy.zeros((side, side), dtype="int8")
winners[-1], winners[:, -1] = 1, 2
inner = numbers[:-1, :-1].ravel()
targets = numpy.stack([inner + 1, inner + side], 1).ravel()
indptr = numpy.append(0, numpy.cumsum(2 * (winners == 0).ravel()))
winners = winners.ravel()
def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
rm.solve("tic-tac-toe")
before = peak()
game = rm.from_arrays(indptr, targets, winners, memory=100_000_000)
assert peak() - before < 100_000_000, peak() - before
found = rm.solve(game, chips=5).values()
needed = dict(zip(found.positions.tolist(), found.win.tolist()))
assert len(needed) == game.position(str(side * side - 2)) + 1
least = rm.solve(game, chips=5).win.threshold
assert needed[0] == 2 * least.chips + least.star
"""


def test_a_million_positions() -> None:
    pytest.importorskip("resource")
    subprocess.run([sys.executable, "-c", MILLION], check=True, timeout=120)


def test_numpy_files_can_be_mapped(tmp_path: Path) -> None:
    for name, given in (("indptr", INDPTR), ("targets", TARGETS), ("winners", ENDS)):
        numpy.save(tmp_path / name, numpy.array(given, dtype="int32"))
    mapped = [
        numpy.load(tmp_path / f"{name}.npy", mmap_mode="r")
        for name in ("indptr", "targets", "winners")
    ]
    assert rm.solve(walk(*mapped)).win == Fraction(1, 3)
    assert io.BytesIO(bytes(ENDS)).getbuffer() == bytes(ENDS)
    assert rm.solve(walk(winners=io.BytesIO(bytes(ENDS)).getbuffer())).win == Fraction(1, 3)
