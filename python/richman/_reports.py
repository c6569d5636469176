"""Comparisons, trees, random-turn play and duels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Unpack

from . import _options, _richman, documents
from ._answer import Answer, asked, facts, listing, opened
from ._game import GameLike
from ._numbers import Interval, share, shown
from ._options import Chips, Choices, HoldingLike, Limits


class Comparison(Answer[documents.CompareReport]):
    """How the win thresholds of two games compare; made by :func:`richman.compare`."""

    __slots__ = ()

    @property
    def order(self) -> str:
        """ "less" if G's threshold is never above H's, so that G is better for Alice; "equal",
        "greater" or "incomparable"."""
        return str(self.data["order"])

    @property
    def proved(self) -> bool:
        """Whether this holds for all totals; otherwise totals up to 1023 were compared."""
        return bool(self.data["proved"])

    @property
    def below(self) -> int | None:
        """The first total at which Alice needs less in G."""
        return self.data["witness"]["below"]

    @property
    def above(self) -> int | None:
        """The first total at which Alice needs more in G."""
        return self.data["witness"]["above"]

    def __repr__(self) -> str:
        return f"<Comparison: {self.data['g']['game']} is {self.order} to {self.data['h']['game']}>"

    def _repr_html_(self) -> str:
        g, h = self.data["g"]["game"], self.data["h"]["game"]
        pairs = [("G", g), ("H", h), ("order", self.order), ("proved", self.proved)]
        return facts([*pairs, ("below at", self.below), ("above at", self.above)])


def compare(
    g: GameLike,
    h: GameLike,
    *,
    position: Hashable | None = None,
    other_position: Hashable | None = None,
    within: int | None = None,
    **more: Unpack[Choices],
) -> Comparison:
    """Compares two games: whether Alice ever needs more chips to win `g` than `h`, over all totals.

    `position` and `other_position` are where `g` and `h` start. Proofs end after 150 seconds, or
    after `time`. It is the command ``richman compare``.

    >>> import richman as rm
    >>> rm.compare(rm.expr("(A & B^2) & B"), rm.expr("B^2")).order
    'less'
    """
    (first, spent), (second, more_spent) = opened(g, more), opened(h, more)
    own = {
        "position": first._at(position),
        "other_position": second._at(other_position),
        "within": None if within is None else _options.whole("within", within),
    }
    found = _options.options(more, _options.CHOICES, own)
    answer = asked(more, _richman.compare, first, second, found, spent=spent + more_spent)
    return Comparison(answer.document, (first, second, found), answer)


class Tree(Answer[documents.TreeReport]):
    """The tree of optimal moves; made by :func:`richman.tree`."""

    __slots__ = ()

    def _report(self) -> Any:
        game, options = self._question
        return self._known(lambda: asked({}, _richman.tree, game, options))

    @property
    def nodes(self) -> list[documents.TreeNode]:
        """The positions of the tree, as the document lists them."""
        return list(self.data["nodes"])

    @property
    def edges(self) -> list[documents.TreeEdge]:
        """The optimal moves between them."""
        return list(self.data["edges"])

    def svg(self) -> str:
        """The tree drawn as SVG."""
        return str(self._report().svg())

    def dot(self) -> str:
        """The tree as a graph for Graphviz."""
        return str(self._report().dot())

    def __str__(self) -> str:
        return str(self._report().text)

    def __repr__(self) -> str:
        return f"<Tree of {self.data['game']}, {len(self.nodes)} positions>"

    def _repr_svg_(self) -> str:
        return self.svg()


def tree(
    game: GameLike,
    *,
    position: Hashable | None = None,
    chips: Chips | None = None,
    draw: bool = False,
    all: bool = False,
    full: bool = False,
    short: bool = False,
    depth: int | None = None,
    at_least: Fraction | str | int | None = None,
    **more: Unpack[Choices],
) -> Tree:
    """The tree of optimal moves: for every position one best move of each player, its threshold and
    its wedge sum.

    With `chips` for so many in all, else for real money. `draw` is about the draw threshold, `all`
    shows all equally good moves, `full` also positions that are won at once, `short` no moves from
    positions with a known sum, and `depth` only the first moves. `at_least` is the average that
    Alice wants in a game for a long-run average. It is ``richman tree``.

    >>> import richman as rm
    >>> rm.tree("tug-of-war:length=4").nodes[0]["wedge"]["sum"]
    '1a & 1b'
    """
    subject, spent = opened(game, more)
    flags = {"draw": draw, "all": all, "full": full, "short": short}
    own = {
        "position": subject._at(position),
        "chips": None if chips is None else _options.total(chips),
        "depth": None if depth is None else _options.whole("depth", depth),
        "at_least": None if at_least is None else _options.part("at_least", at_least),
        **{name: _options.flag(name, value) for name, value in flags.items()},
    }
    found = _options.options(more, _options.CHOICES, own)
    answer = asked(more, _richman.tree, subject, found, spent=spent)
    return Tree(answer.document, (subject, found), answer)


class Chance(NamedTuple):
    """A chance in random-turn play."""

    chance: Fraction | Interval
    """The chance under best play, from coins alone."""
    from_threshold: Fraction | Interval | None
    """1 minus the real-money threshold; None where chance moves too."""
    agree: bool
    """Whether the two agree, as Richman's theorem says."""
    played: float
    """The part of the games played out; an estimate."""
    interval: tuple[float, float]
    """The 99% confidence interval of that estimate."""
    value: Fraction | Interval
    """The chance as it was solved: 1 minus the threshold, or where chance moves too, by itself."""


class RandomTurn(Answer[documents.RandomTurnReport]):
    """Random-turn play; made by :func:`richman.random_turn`."""

    __slots__ = ()

    @property
    def wins(self) -> Chance:
        """Alice's chance to win."""
        return self._chance("wins")

    @property
    def holds(self) -> Chance:
        """Alice's chance not to lose."""
        return self._chance("holds")

    def _chance(self, key: Literal["wins", "holds"]) -> Chance:
        found = self.data[key]
        chance, other = share(found["chance"]), share(found.get("from_threshold"))
        value = other if other is not None else share(found["value"])
        assert chance is not None and value is not None
        low, high = found["interval"]
        return Chance(chance, other, found["agree"], found["played"], (low, high), value)

    def __repr__(self) -> str:
        return f"<RandomTurn of {self.data['game']}: wins {shown(self.wins.chance)}>"

    def _repr_html_(self) -> str:
        rows = (
            (name, each.chance, each.value, each.agree, each.played)
            for name, each in (("wins", self.wins), ("holds", self.holds))
        )
        solved = "solved" if self.wins.from_threshold is None else "1 - threshold"
        return listing(("", "chance", solved, "agree", "played"), rows)


def random_turn(
    game: GameLike,
    *,
    position: Hashable | None = None,
    games: int = 100_000,
    within: int = 1000,
    seed: int = 1,
    **more: Unpack[Limits],
) -> RandomTurn:
    """Random-turn play: a fair coin decides who moves. Alice's chances to win and not to lose.

    `games` are played for each end of an interval, of at most `within` moves. It is
    ``richman random-turn``.

    >>> import richman as rm
    >>> rm.random_turn("tug-of-war:length=4", games=100).wins.agree
    True
    """
    subject, spent = opened(game, more)
    own = {
        "position": subject._at(position),
        "games": _options.whole("games", games, 1, 1_000_000_000),
        "within": _options.whole("within", within, 1, 1_000_000),
        "seed": _options.whole("seed", seed, most=2**64 - 1),
    }
    found = _options.options(more, _options.LIMITS, own)
    answer = asked(more, _richman.random_turn_play, subject, found, spent=spent)
    return RandomTurn(answer.document, (subject, found), answer)


class Duel(Answer[documents.DuelReport]):
    """Many games of two computer players; made by :func:`richman.duel`."""

    __slots__ = ()

    @property
    def wins(self) -> int:
        """The games that the first player won."""
        return int(self.data["wins"])

    @property
    def draws(self) -> int:
        """The drawn games."""
        return int(self.data["draws"])

    @property
    def losses(self) -> int:
        """The games that the first player lost."""
        return int(self.data["losses"])

    @property
    def score(self) -> float:
        """The first player's part of all points, a draw being half; an estimate."""
        return float(self.data["score"])

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95% confidence interval."""
        low, high = self.data["interval"]
        return low, high

    def __repr__(self) -> str:
        first, second = self.data["players"]
        results = f"{self.wins} won, {self.draws} drawn, {self.losses} lost"
        return f"<Duel of {first} and {second}: {results}>"

    def _repr_html_(self) -> str:
        keys = (
            "game",
            "players",
            "games",
            "wins",
            "draws",
            "losses",
            "score",
            "interval",
            "rating",
        )
        return facts([(key, dict(self.data)[key]) for key in keys])


def duel(
    game: GameLike,
    *,
    alice: str = "best",
    bob: str = "greedy",
    games: int = 1000,
    chips: Chips | None = None,
    holdings: Iterable[tuple[HoldingLike, HoldingLike]] | None = None,
    position: Hashable | None = None,
    within: int | None = None,
    opening: int = 0,
    times: bool = False,
    exchange: bool = True,
    seed: int = 1,
    **more: Unpack[Choices],
) -> Duel:
    """Plays two computer players against each other for many games.

    `alice` is the first player, who is Bob in every other game unless `exchange` is False: a name
    such as "perfect", "rounding" or "beginner", as ``richman duel`` describes. Games start from
    every division of `chips` in turn, 8 by default, or from `holdings`.

    >>> import richman as rm
    >>> d = rm.duel("tug-of-war", alice="perfect", bob="random", games=10)
    >>> d.wins + d.draws + d.losses
    10
    """
    subject, spent = opened(game, more)
    if chips is not None and holdings is not None:
        raise _richman.Error("games start from every division of chips, or from holdings: give one")
    pairs = [
        f"{_options.held('holdings', a)}:{_options.held('holdings', b)}" for a, b in holdings or ()
    ]
    own = {
        "position": subject._at(position),
        "alice_plays": _options.word("alice", alice),
        "bob_plays": _options.word("bob", bob),
        "games": _options.whole("games", games, 1, 10_000_000),
        "chips": None if chips is None else _options.total(chips),
        "holdings": pairs or None,
        "within": None if within is None else _options.whole("within", within),
        "opening": _options.whole("opening", opening, most=1000),
        "times": _options.flag("times", times),
        "no_exchange": not _options.flag("exchange", exchange),
        "seed": _options.whole("seed", seed, most=2**64 - 1),
    }
    found = _options.options(more, _options.CHOICES, own)
    answer = asked(more, _richman.duel_of, subject, found, spent=spent)
    return Duel(answer.document, (subject, found), answer)
