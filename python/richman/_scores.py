"""Scoring games, and the unitary games among them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Unpack

from . import _options, _richman, documents
from ._answer import Answer, asked, listing, opened
from ._game import GameLike
from ._options import Chips, Choices, HoldingLike, Limits, Totals


class Scores(Answer[documents.ScoresReport]):
    """The values of a scoring game; made by :func:`richman.scores`."""

    __slots__ = ()

    @property
    def total(self) -> int:
        """The number of chips."""
        return int(self.data["total"])

    @property
    def star_alice(self) -> list[int]:
        """The score that Alice can guarantee with the star, for her chips total, total - 1, ...,
        0."""
        return [int(each) for each in self.data["star_alice"]]

    @property
    def star_bob(self) -> list[int]:
        """The same if Bob has the star."""
        return [int(each) for each in self.data["star_bob"]]

    @property
    def unique(self) -> bool:
        """Whether these are also the scores to which Bob can hold her; else see `minimax`."""
        return bool(self.data["unique"])

    @property
    def minimax(self) -> documents.StarOutcomes | None:
        """The scores to which Bob can hold Alice, if they differ: "star_alice" and "star_bob"."""
        return self.data.get("minimax")

    @property
    def value(self) -> tuple[int, int] | None:
        """With given holdings: what Alice can guarantee, and what Bob can hold her to."""
        found = self.data.get("value")
        return None if found is None else (int(found[0]), int(found[1]))

    @property
    def bids(self) -> dict[str, list[int | None]] | None:
        """With given holdings: the best bids of "alice" and "bob"."""
        return self.data.get("bids")

    def svg(self) -> str:
        """The values of all positions drawn as SVG."""
        game, options = self._question
        drawn = asked({}, _richman.scores, game, options, True).map
        if drawn is None:
            raise _richman.Error("this game has no picture of its values")
        return drawn

    def __repr__(self) -> str:
        return f"<Scores of {self.data['game']}, {self.total} chips>"

    def _repr_html_(self) -> str:
        chips = range(self.total, -1, -1)
        return listing(
            ("Alice's chips", "star: Alice", "star: Bob"),
            zip(chips, self.star_alice, self.star_bob),
        )


def scores(
    game: GameLike,
    *,
    chips: Chips | None = None,
    alice: HoldingLike | None = None,
    bob: HoldingLike | None = None,
    position: Hashable | None = None,
    bids_table: bool = False,
    all: bool = False,
    **more: Unpack[Choices],
) -> Scores:
    """The values of a scoring game, in points: the score that Alice can guarantee, for every number
    of her chips.

    The preset is "larsson" by default. With a holding, there are also its value and the best bids;
    `bids_table` adds the matrix of bids, `all` the values of every position. It is
    ``richman scores``.

    >>> import richman as rm
    >>> rm.scores("subtraction:heap=4", chips=2).star_alice
    [2, 0, 0]
    """
    subject, spent = opened(game, more)
    own = {
        "position": subject._at(position),
        "chips": None if chips is None else _options.total(chips),
        "alice": None if alice is None else _options.held("alice", alice),
        "bob": None if bob is None else _options.held("bob", bob),
        "bids_table": _options.flag("bids_table", bids_table),
        "all": _options.flag("all", all),
    }
    found = _options.options(more, _options.CHOICES, own)
    answer = asked(more, _richman.scores, subject, found, False, spent=spent)
    return Scores(answer.document, (subject, found), answer)


class Unitary(Answer[documents.UnitaryDocument]):
    """Unitary games of Cumulative Subtraction; made by :func:`richman.unitary`."""

    __slots__ = ()

    @property
    def rows(self) -> list[documents.Convergence]:
        """For each total, the heap at which it converges; empty for an automaton."""
        return list(self.data.get("rows", []))

    def svg(self) -> str:
        """Where totals converge, or the winning bids of the automaton, drawn as SVG."""
        options, automaton = self._question
        return str(self._known(lambda: asked({}, _richman.unitary, options, automaton)).svg())

    def __repr__(self) -> str:
        return f"<Unitary: {', '.join(self.data)}>"

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg()
        except _richman.Error:
            return None


def unitary(
    *, chips: Totals | None = None, automaton: Chips | None = None, **more: Unpack[Limits]
) -> Unitary:
    """Unitary games: one item a turn. The heaps at which the values of these totals stop changing,
    or the bidding `automaton` of a total. It is ``richman unitary``.

    >>> import richman as rm
    >>> [row["converged"] for row in rm.unitary(chips="0..3").rows]
    [0, 1, 1, 3]
    """
    if chips is not None and automaton is not None:
        raise _richman.Error("ask for the convergence of totals, or for the automaton of one")
    own = {"totals": None if chips is None else _options.totals("chips", chips)}
    found = _options.options(more, _options.LIMITS, own)
    of = None if automaton is None else _options.total(automaton)
    answer = asked(more, _richman.unitary, found, of)
    return Unitary(answer.document, (found, of), answer)
