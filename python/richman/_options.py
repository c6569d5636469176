"""What is asked besides the game: the flags of the commands as keywords."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from numbers import Real
from typing import Any, Literal, TypeAlias, TypedDict

from ._numbers import Holding, whole_number
from ._richman import Error

Player = Literal["alice", "bob"]
Progress: TypeAlias = bool | Callable[[str, int, int | None], object] | None
HoldingLike: TypeAlias = Holding | str | int
Chips: TypeAlias = int | str
Totals: TypeAlias = range | int | str | tuple[int, int]


class Limits(TypedDict, total=False):
    """How much work an answer may take.

    time: seconds. Then real money is answered by proved bounds, and chips by an error.
    memory: bytes, or a size such as "500MB"; by default 4 GiB.
    positions: the most positions to unfold.
    progress: True or False for a progress bar of tqdm; by default there is one in a terminal. A
        function is called with the stage, the steps done, and all steps or None.
    """

    time: float | None
    memory: int | str | None
    positions: int | None
    progress: Progress


class Choices(Limits, total=False):
    """How bids are made, won and paid, and the limits.

    preset: the mechanism of a paper: "develin-payne", "larsson" or "gasarch". The others override
    it.
    payment: "richman" (to the other player), "poorman" (to the bank) or "taxman:1/2" (part of
    each).
    ties: "advantage", "marker", "alice", "bob", "loser" or "winner".
    bidding: "sealed", "alice-first" or "bob-first".
    right: "chooses" or "moves".
    bids: "all", or the amounts that may be bid, as in "0+5" or [0, 5].
    """

    preset: str | None
    payment: str | None
    ties: str | None
    bidding: str | None
    right: str | None
    bids: str | Iterable[int] | None


class Exactness(Choices, total=False):
    """The mechanism, the limits, and how exact real money must be.

    exact: exact thresholds or an error, never bounds.
    width: the width of the bounds to aim at, a number or a text such as "2^-40".
    """

    exact: bool
    width: float | str | Fraction | None


_WORDS = ("preset", "payment", "ties", "bidding", "right")
_LIMITS = ("time", "memory", "positions", "progress")
_EXACT = ("exact", "width")
MECHANISM = (*_WORDS, "bids")
LIMITS = _LIMITS
CHOICES = (*MECHANISM, *_LIMITS)
EXACTNESS = (*CHOICES, *_EXACT)


def whole(name: str, value: object, least: int = 0, most: int = 2**32 - 1) -> int:
    """A whole number, or an error that says which one is meant."""
    number = whole_number(value)
    if number is None:
        raise TypeError(f"{name} is a whole number, not {value!r}")
    if not least <= number <= most:
        raise Error(f"{name} is {number}: give a whole number from {least} to {most}")
    return number


def word(name: str, value: object) -> str:
    """A text, or an error that says which one is meant."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a str, not {value!r}")
    return value


def flag(name: str, value: object) -> bool:
    """True or False, or an error that says which one is meant."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return value


def total(value: object) -> str:
    """A number of chips as text; what is no number is refused with the command's sentence."""
    return _written("chips is a number of chips", value)


def _written(wanted: str, value: object, *kinds: type) -> str:
    """A whole number, a text or a value of these kinds, as text."""
    number = whole_number(value)
    if number is None and not isinstance(value, (str, *kinds)):
        raise TypeError(f"{wanted}, not {value!r}")
    return str(value if number is None else number)


def held(name: str, value: object) -> str:
    """A holding as text."""
    return _written(f"{name} is a holding such as '4*' or 4", value, Holding)


def totals(name: str, value: object) -> str:
    """A range of totals as text, both ends included."""
    if isinstance(value, range):
        if value.step != 1 or not value:
            raise Error(f"{name} is {value!r}: give a range of at least one number, without a step")
        return f"{value.start}..{value.stop - 1}"
    if isinstance(value, tuple) and len(value) == 2:
        return f"{whole(name, value[0])}..{whole(name, value[1])}"
    return _written(f"{name} is a range of numbers, such as range(256)", value)


def path(value: object) -> str:
    """The path of a file."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"a path is a str or a Path, not {value!r}")
    return os.fspath(value)


def part(name: str, value: object) -> str:
    """A rational number, as a fraction."""
    return _written(f"{name} is a Fraction, an int or a str such as '2/3'", value, Fraction)


def _bids(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return "+".join(str(whole("a bid", bid)) for bid in value)
    raise TypeError(f"bids is 'all' or the amounts that may be bid, not {value!r}")


def _time(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"time is a number of seconds, not {value!r}")
    if not Fraction(0) <= value < 10**9:
        raise Error(f"time is {value}: give a number of seconds from 0, such as 60")
    return float(value)


def _memory(value: object) -> int | str:
    return value if isinstance(value, str) else whole("memory", value, most=2**63)


def _width(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"width is a number such as 1e-12, not {value!r}")
    return repr(float(value))


_READERS: dict[str, Callable[[Any], Any]] = {
    "bids": _bids,
    "time": _time,
    "memory": _memory,
    "positions": lambda value: whole("positions", value, least=1, most=2**63),
    "exact": lambda value: flag("exact", value),
    "width": _width,
}


def options(
    given: Mapping[str, Any], known: tuple[str, ...], own: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The given keywords, checked, besides a question's own; what is None is left out."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"unexpected keyword {name!r}: there are {', '.join(known)}")
        if value is None or name == "progress":
            continue
        if name in _READERS:
            found[name] = _READERS[name](value)
        else:
            found[name] = word(name, value)
    for name, value in (own or {}).items():
        if value is not None and value is not False:
            found[name] = value
    return found


def document(found: Mapping[str, Any]) -> str:
    """Options as the compiled half reads them."""
    return json.dumps(found)
