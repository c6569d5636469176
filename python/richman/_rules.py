"""Games by rules in Python."""

from __future__ import annotations

import dataclasses
import enum
import numbers
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from ._options import Player
from ._richman import Error


class Rules(Protocol):
    """The rules of a game; any object with these names serves.

    ``start`` is the position in which the game starts. Positions are any hashable values. The rules
    give new ones and never change them; what has changed is refused.

    ``moves(position, player)`` gives the positions to which "alice" or "bob" can move: a list or
    another iterable of positions, or moves with their names, as a dict ``{name: position}`` or as
    pairs ``(name, position)``. In a game that is played for a win both players need a move wherever
    play goes on. If the start is a pair too, so is every named position.

    ``winner(position)`` is "alice", "bob", "none" for a draw, or None while the game goes on.

    These are optional:

    - ``name``: a str; by default the name of the class
    - ``description``: a sentence on who wins
    - ``canonical(position)``: one position for all that are symmetric to it
    - ``notation(position)``: the name of a position, different for different ones; by default
      ``str(position)``
    - ``parse(text)``: the position of a notation that people may write in other ways
    - ``move_name(position, to, player)``: the name of a move, unless ``moves`` gives it; by default
      that of its target
    - ``svg(position)``: a drawing
    - ``scores(position)`` instead of ``winner``: the number at which a scoring game ends, or None
      while it goes on; with ``weight(position, to, player)``, what a move adds to Alice's score,
      and ``stuck(position, player)``, what is added if a player is to move and cannot
    """

    @property
    def start(self) -> Any:
        """Where the game starts."""

    def moves(self, position: Any, player: Player, /) -> Iterable[Any] | Mapping[str, Any]:
        """The positions to which a player can move, or the moves by their names."""


def nature_of(kind: type) -> str:
    """Whether objects of a class may change: see src/rules/nature.rs."""
    if issubclass(kind, (tuple, frozenset)):
        return "record"
    if issubclass(kind, (str, bytes, numbers.Number, enum.Enum, range, type)):
        return "value"
    if dataclasses.is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return "frozen"
    has_hash = kind.__hash__ is not object.__hash__ or kind.__eq__ is not object.__eq__
    has_text = kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__
    return "object" if has_hash or has_text else "nameless"


class Parts(NamedTuple):
    """The rules as the compiled half takes them."""

    name: str
    description: str | None
    start: Hashable
    moves: Callable[..., Any]
    winner: Callable[..., Any] | None
    scores: Callable[..., Any] | None
    weight: Callable[..., Any] | None = None
    stuck: Callable[..., Any] | None = None
    canonical: Callable[..., Any] | None = None
    notation: Callable[..., Any] | None = None
    move_name: Callable[..., Any] | None = None
    nature: Callable[..., Any] | None = nature_of


def is_rules(value: object) -> bool:
    """Whether a value looks like rules."""
    return all(hasattr(value, name) for name in ("start", "moves"))


def parts(rules: object) -> Parts:
    """Finds the parts of rules.

    Raises TypeError for what is missing or cannot be called, and richman.Error if ``start`` raises.
    """
    if isinstance(rules, type):
        raise TypeError(f"rules are an object: write {rules.__name__}(), not the class")
    kind = type(rules).__name__
    if not is_rules(rules):
        raise TypeError(f"{kind} has no rules of a game: it needs start, moves and winner")
    name = getattr(rules, "name", kind)
    if not isinstance(name, str):
        raise TypeError(f"the name of a game is a str, not {name!r}")
    description = getattr(rules, "description", None)
    if description is not None and not isinstance(description, str):
        raise TypeError(f"the description of a game is a str, not {description!r}")
    moves = method(rules, "moves")
    winner, scores = method(rules, "winner"), method(rules, "scores")
    if moves is None or (winner is None and scores is None):
        raise TypeError(f"{kind} needs a method winner(position), or scores(position)")
    if winner is not None and scores is not None:
        raise TypeError(f"{kind} has winner and scores: a game is played for one of them")
    optional = ("weight", "stuck", "canonical", "notation", "move_name")
    others = {each: method(rules, each) for each in optional}
    return Parts(name, description, start_of(rules, name), moves, winner, scores, **others)


def start_of(rules: object, name: str) -> Hashable:
    """The start of rules: a value, or what a method of this name gives."""
    try:
        start: Any = getattr(rules, "start", None)
        found: Hashable = start() if callable(start) else start
        return found
    except Exception as cause:
        raise Error(f"{name}: start raised {type(cause).__name__}: {cause}") from cause


def method(rules: object, name: str) -> Callable[..., Any] | None:
    """A method of rules, if they have it."""
    found: Any = getattr(rules, name, None)
    if found is not None and not callable(found):
        raise TypeError(f"{name} of {type(rules).__name__} is a method, not {found!r}")
    return found  # type: ignore[no-any-return]
