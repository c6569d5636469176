"""Exact numbers: holdings, bounds and thresholds. Nothing here is ever a float."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import total_ordering
from typing import Any

from ._richman import Error


def whole_number(value: object) -> int | None:
    """A whole number of Python, of numpy or of anything that is used as one; None for other values,
    and for True and False."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


_HOLDING = re.compile(r"([0-9]+)(\*?)")


@total_ordering
class Holding:
    """What a player holds: a number of chips, and whether the star that decides ties.

    Holdings are ordered ``0 < 0* < 1 < 1* < ...``, and compare with numbers of chips.

    >>> Holding("4*").chips, Holding("4*").star
    (4, True)
    >>> sorted([Holding("1"), Holding("0*"), Holding(0)])
    [Holding('0'), Holding('0*'), Holding('1')]
    >>> Holding("4*") > 4
    True

    Raises :class:`richman.Error` for text that is not a holding, and :class:`TypeError` for other
    types.
    """

    __slots__ = ("chips", "star")

    chips: int
    """The number of chips."""
    star: bool
    """Whether the player holds the star."""

    def __init__(self, value: str | int | Holding, star: bool | None = None) -> None:
        if isinstance(value, Holding):
            chips, has_star = value.chips, value.star
        elif isinstance(value, str):
            found = _HOLDING.fullmatch(value.strip())
            if found is None:
                raise Error(
                    f'"{value}" is not a holding: write a number of chips, with a star for the '
                    "tie-breaking advantage, such as 4 or 4*"
                )
            chips, has_star = int(found[1]), bool(found[2])
        else:
            number = whole_number(value)
            if number is None:
                raise TypeError(f"a holding is written like '4*' or 4, not {value!r}")
            chips, has_star = number, False
        if chips < 0:
            raise Error(f"{chips} chips are too few for a holding: write a number from 0")
        object.__setattr__(self, "chips", chips)
        object.__setattr__(self, "star", has_star if star is None else bool(star))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a holding does not change: make another")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a holding does not change: make another")

    def __str__(self) -> str:
        return f"{self.chips}*" if self.star else str(self.chips)

    def __repr__(self) -> str:
        return f"Holding('{self}')"

    def __eq__(self, other: object) -> bool:
        key = _half_steps(other)
        return NotImplemented if key is None else 2 * self.chips + self.star == key

    def __lt__(self, other: object) -> bool:
        key = _half_steps(other)
        return NotImplemented if key is None else 2 * self.chips + self.star < key

    def __hash__(self) -> int:
        # Holding(4) == 4, so both have one hash.
        return hash((self.chips, "*")) if self.star else hash(self.chips)

    def __reduce__(self) -> tuple[type[Holding], tuple[int, bool]]:
        return Holding, (self.chips, self.star)


def _half_steps(value: object) -> int | None:
    if isinstance(value, Holding):
        return 2 * value.chips + value.star
    number = whole_number(value)
    return None if number is None else 2 * number


@dataclass(frozen=True, slots=True)
class Interval:
    """Two exact numbers between which another provably lies, both ends included.

    >>> from fractions import Fraction
    >>> bounds = Interval(Fraction(1, 2), Fraction(5, 8))
    >>> bounds.width, Fraction(9, 16) in bounds
    (Fraction(1, 8), True)
    """

    low: Fraction
    """The lower bound."""
    high: Fraction
    """The upper bound."""

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise Error(f"the interval from {self.low} to {self.high} is empty")

    @property
    def width(self) -> Fraction:
        """The difference of the bounds."""
        return self.high - self.low

    @property
    def middle(self) -> Fraction:
        """The number halfway between the bounds; it is not proved to be special."""
        return (self.low + self.high) / 2

    def __contains__(self, number: object) -> bool:
        found = whole_number(number)
        exact = number if found is None else found
        return isinstance(exact, (int, Fraction)) and self.low <= exact <= self.high

    def __str__(self) -> str:
        return f"{shown(self.low)} to {shown(self.high)}"


Share = Fraction | Interval
"""A part of all the money: exact, or between proved bounds."""


def share(value: Any) -> Share | None:
    """The share of a document: a text, two texts, or nothing."""
    if value is None:
        return None
    if isinstance(value, list):
        return Interval(_fraction(value[0]), _fraction(value[1]))
    return _fraction(value)


def _fraction(value: str | int) -> Fraction:
    """A fraction of any length; int() refuses texts of more than a few thousand digits."""
    return Fraction(*(int(Decimal(part)) for part in str(value).split("/")))


def shown(value: object) -> str:
    """A number as text for people; a fraction too long for Python to write is rounded."""
    try:
        return str(value)
    except ValueError:
        return f"about {float(value)}" if isinstance(value, Fraction) else "a long number"


def holding(value: Any) -> Holding | None:
    """The holding of a document: a number, a text, or nothing."""
    return None if value is None else Holding(value)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Threshold:
    """What Alice needs with chips.

    Thresholds are ordered by their least holding. A threshold that no holding reaches is one more
    than the total.
    """

    threshold: Holding | None
    """The least holding that suffices; None if larger holdings need not suffice."""
    plain: int | None
    """The least number of chips without the star; None if no number suffices."""
    star: int | None
    """The least number of chips with the star; None if no number suffices."""
    wins: dict[str, list[tuple[int, int]]] | None = None
    """Where more chips can hurt: all ranges of chips that suffice, without and with the star."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Threshold):
            return (self.threshold, self.plain, self.star, self.wins) == (
                other.threshold,
                other.plain,
                other.star,
                other.wins,
            )
        return NotImplemented if _half_steps(other) is None else self.threshold == other

    def __lt__(self, other: object) -> bool:
        mine = self.threshold
        yours = other.threshold if isinstance(other, Threshold) else other
        return NotImplemented if mine is None or yours is None else mine < yours

    def __hash__(self) -> int:
        return hash(self.threshold)

    def __str__(self) -> str:
        if self.threshold is not None:
            return str(self.threshold)
        return f"{self.plain} without the star, {self.star} with it"


def threshold(value: Mapping[str, Any]) -> Threshold:
    """The threshold of a document."""
    wins = value.get("wins")
    sets = None if wins is None else {key: ranges(each) for key, each in wins.items()}
    plain, star = value.get("plain"), value.get("star")
    return Threshold(holding(value.get("threshold")), plain, star, sets)


def ranges(value: list[list[int]]) -> list[tuple[int, int]]:
    """Ranges of numbers, both ends included."""
    return [(low, high) for low, high in value]
