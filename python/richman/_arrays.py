"""Graphs from arrays, and the values of all positions as arrays."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from . import _options, _richman
from ._game import MEMORY, Game
from ._numbers import Interval, threshold

_WHOLE = "bBhHiIlLqQ"


class Arrays(NamedTuple):
    """A graph as the compiled half takes it; arrays export a buffer."""

    name: str
    description: str | None
    start: int
    rows: list[tuple[Any, Any]]
    winners: Any
    names: list[str] | None
    memory: int


def _view(name: str, value: object) -> memoryview:
    """The buffer of an array, if it has whole numbers in one row."""
    kind = getattr(value, "dtype", type(value).__name__)
    wanted = f"{name} is an array of whole numbers, such as numpy's of int32 or array.array"
    try:
        view = memoryview(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError) as cause:
        raise TypeError(f"{wanted}, not {kind}") from cause
    if view.format.lstrip("@=") not in tuple(_WHOLE):
        raise TypeError(f"{wanted} in the byte order of this machine, not {kind}")
    if view.ndim != 1:
        raise _richman.Error(f"{name} has {view.ndim} dimensions: give an array of one")
    if not view.c_contiguous:
        raise _richman.Error(f"{name} is not contiguous: give a copy, as numpy.ascontiguousarray")
    return view


def from_arrays(
    indptr: Any,
    targets: Any,
    winners: Any,
    *,
    bob: tuple[Any, Any] | None = None,
    start: int = 0,
    names: Sequence[str] | None = None,
    name: str = "graph",
    description: str | None = None,
    memory: int = MEMORY,
) -> Game:
    """The game of a graph in compressed sparse rows: arrays of numpy, or of anything that exports a
    contiguous buffer of whole numbers, such as array.array.

    Positions are the numbers 0, ..., n - 1. From `position` the players move to
    ``targets[indptr[position]:indptr[position + 1]]``, so `indptr` has n + 1 numbers from 0 to the
    length of `targets`. If Bob's moves are others, `bob` is his own pair of such arrays, and the
    first are Alice's. `winners` has n numbers: 0 where the game goes on, 1 where Alice has won, 2
    where Bob has, and 3 for a draw. Where the game goes on, both players have a move; where it has
    ended, nobody has. A move that is given twice is one.

    Questions take numbers as positions, and answers name positions by their numbers as text, or by
    `names` if there are any. The arrays are read once and may change afterwards. In the end a
    position takes about 20 bytes and each player's move 4, and a name its letters and about 20
    bytes; before that twice as much, of `memory` in all.

    Raises richman.Error for numbers out of range, with the first of them, and TypeError for what is
    no array of whole numbers. :meth:`richman.Solution.values` gives thresholds as arrays too.

    >>> import array, richman as rm
    >>> indptr, targets = array.array("i", [0, 2, 4, 4, 4]), array.array("i", [1, 2, 0, 3])
    >>> g = rm.from_arrays(indptr, targets, bytes([0, 0, 1, 2]))
    >>> rm.solve(g).win, rm.solve(g, position=1).win
    (Fraction(1, 3), Fraction(2, 3))
    """
    rows = [(_view("indptr", indptr), _view("targets", targets))]
    if bob is not None:
        if not isinstance(bob, (tuple, list)) or len(bob) != 2:
            raise TypeError(f"bob is a pair of arrays, indptr and targets, not {bob!r}")
        rows.append((_view("bob's indptr", bob[0]), _view("bob's targets", bob[1])))
    if names is not None:
        if isinstance(names, str) or not hasattr(names, "__len__"):
            raise TypeError(f"names are a list of str, not {names!r}")
        names = [str(_options.word("a name", each)) for each in names]
    arrays = Arrays(
        _options.word("the name of a game", name),
        None if description is None else _options.word("the description", description),
        _options.whole("start", start),
        rows,
        _view("winners", winners),
        names,
        _options.whole("memory", memory, most=2**63),
    )
    return Game("arrays", arrays)


class Bounds(NamedTuple):
    """Doubles between which the exact thresholds of all positions lie, both ends included."""

    low: Any
    """The largest doubles that are proved to be no larger."""
    high: Any
    """The least doubles that are proved to be no less."""


class Values(NamedTuple):
    """The thresholds of all positions that can be reached; made by
    :meth:`richman.Solution.values`."""

    positions: Any
    """The numbers of the positions for a graph from arrays, ascending; else the positions."""
    win: Any
    """What Alice needs to force a win, for each position."""
    draw: Any
    """What Alice needs so that Bob cannot force a win."""


def values(game: Game, columns: tuple[Any, Any, Any]) -> Values:
    """The values of all positions from the columns of the compiled half."""
    positions, win, draw = columns
    if isinstance(positions, bytearray):
        return Values(_numbers(positions, "q"), _column(win), _column(draw))
    return Values(_objects(map(game.position, positions)), _column(win), _column(draw))


def _column(found: Any) -> Any:
    if isinstance(found, bytearray):
        return _numbers(found, "q")
    if isinstance(found, list):
        known = {text: threshold(json.loads(text)) for text in set(found)}
        return _objects(known[text] for text in found)
    low, high = found
    if isinstance(low, bytearray):
        return Bounds(_numbers(low, "d"), _numbers(high, "d"))
    return _objects(_share(*ends) for ends in zip(low, high))


def _share(low: Fraction, high: Fraction) -> Fraction | Interval:
    return low if low is high else Interval(low, high)


def _numbers(found: bytearray, letter: str) -> Any:
    """64-bit numbers as an array of numpy, or as a memoryview without numpy; nothing is copied."""
    try:
        import numpy
    except ImportError:
        return memoryview(found).cast(letter)  # type: ignore[call-overload]
    return numpy.frombuffer(found, dtype={"q": "int64", "d": "float64"}[letter])


def _objects(found: Iterable[Any]) -> Any:
    """Objects as an array of numpy, or as a list without numpy."""
    listed = list(found)
    try:
        import numpy
    except ImportError:
        return listed
    objects = numpy.empty(len(listed), dtype=object)
    for at, each in enumerate(listed):
        objects[at] = each  # one by one: tuples are no rows
    return objects
