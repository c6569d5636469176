"""The other reports: comparisons, trees, scores, coins, unitary games, duels, reviews, papers, proofs."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from . import _options, _richman
from ._answer import Answer, asked, facts, listing
from ._game import Game, GameLike, as_game
from ._numbers import Interval, share
from ._options import Chips, Choices, HoldingLike, Limits, Totals


class Comparison(Answer):
    """How the win thresholds of two games compare; made by :func:`richman.compare`."""

    __slots__ = ()

    @property
    def order(self) -> str:
        """"less" if G's threshold is never above H's, so that G is better for Alice; "equal",
        "greater" or "incomparable"."""
        return str(self.data["order"])

    @property
    def proved(self) -> bool:
        """Whether this holds for all totals; otherwise totals up to 1023 were compared."""
        return bool(self.data["proved"])

    @property
    def below(self) -> int | None:
        """The first total at which Alice needs less in G."""
        return self.data["witness"]["below"]  # type: ignore[no-any-return]

    @property
    def above(self) -> int | None:
        """The first total at which Alice needs more in G."""
        return self.data["witness"]["above"]  # type: ignore[no-any-return]

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
    first, second = as_game(g), as_game(h)
    own = {
        "position": first._at(position),
        "other_position": second._at(other_position),
        "within": None if within is None else _options.whole("within", within),
    }
    found = _options.options(more, _options.CHOICES, own)
    document = _options.document(found)
    answer = asked(more, _richman.compare, first._handle(), second._handle(), document)
    return Comparison(answer.document, (first, second, found), answer)


class Tree(Answer):
    """The tree of optimal moves; made by :func:`richman.tree`."""

    __slots__ = ()

    def _report(self) -> Any:
        game, options = self._question
        document = _options.document(options)
        return self._known(lambda: asked({}, _richman.tree, game._handle(), document))

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """The positions of the tree, as the document lists them."""
        return list(self.data["nodes"])

    @property
    def edges(self) -> list[dict[str, Any]]:
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
    **more: Unpack[Choices],
) -> Tree:
    """The tree of optimal moves: for every position one best move of each player, its threshold and
    its wedge sum.

    With `chips` for so many in all, else for real money. `draw` is about the draw threshold, `all`
    shows all equally good moves, `full` also positions that are won at once, `short` no moves from
    positions with a known sum, and `depth` only the first moves. It is ``richman tree``.

    >>> import richman as rm
    >>> rm.tree("tug-of-war:length=4").nodes[0]["wedge"]["sum"]
    '1a & 1b'
    """
    subject = as_game(game)
    flags = {"draw": draw, "all": all, "full": full, "short": short}
    own = {
        "position": subject._at(position),
        "chips": None if chips is None else _options.total(chips),
        "depth": None if depth is None else _options.whole("depth", depth),
        **{name: _options.flag(name, value) for name, value in flags.items()},
    }
    found = _options.options(more, _options.CHOICES, own)
    answer = asked(more, _richman.tree, subject._handle(), _options.document(found))
    return Tree(answer.document, (subject, found), answer)


class Scores(Answer):
    """The values of a scoring game; made by :func:`richman.scores`."""

    __slots__ = ()

    @property
    def total(self) -> int:
        """The number of chips."""
        return int(self.data["total"])

    @property
    def star_alice(self) -> list[int]:
        """The score that Alice can guarantee with the star, for her chips total, total - 1, ..., 0."""
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
    def minimax(self) -> dict[str, list[int]] | None:
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
        drawn = asked({}, _richman.scores, game._handle(), _options.document(options), True).map
        if drawn is None:
            raise _richman.Error("this game has no picture of its values")
        return drawn

    def __repr__(self) -> str:
        return f"<Scores of {self.data['game']}, {self.total} chips>"

    def _repr_html_(self) -> str:
        chips = range(self.total, -1, -1)
        return listing(("Alice's chips", "star: Alice", "star: Bob"), zip(chips, self.star_alice, self.star_bob))


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
    subject = as_game(game)
    own = {
        "position": subject._at(position),
        "chips": None if chips is None else _options.total(chips),
        "alice": None if alice is None else _options.held("alice", alice),
        "bob": None if bob is None else _options.held("bob", bob),
        "bids_table": _options.flag("bids_table", bids_table),
        "all": _options.flag("all", all),
    }
    found = _options.options(more, _options.CHOICES, own)
    answer = asked(more, _richman.scores, subject._handle(), _options.document(found), False)
    return Scores(answer.document, (subject, found), answer)


class Chance(NamedTuple):
    """A chance in random-turn play."""

    chance: Fraction | Interval
    """The chance under best play, from coins alone."""
    from_threshold: Fraction | Interval
    """1 minus the real-money threshold."""
    agree: bool
    """Whether the two agree, as Richman's theorem says."""
    played: float
    """The part of the games played out; an estimate."""
    interval: tuple[float, float]
    """The 99% confidence interval of that estimate."""


class RandomTurn(Answer):
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

    def _chance(self, key: str) -> Chance:
        found = self.data[key]
        chance, other = share(found["chance"]), share(found["from_threshold"])
        assert chance is not None and other is not None
        low, high = found["interval"]
        return Chance(chance, other, found["agree"], found["played"], (low, high))

    def __repr__(self) -> str:
        return f"<RandomTurn of {self.data['game']}: wins {self.wins.chance}>"

    def _repr_html_(self) -> str:
        rows = ((name, each.chance, each.from_threshold, each.agree, each.played)
                for name, each in (("wins", self.wins), ("holds", self.holds)))
        return listing(("", "chance", "1 - threshold", "agree", "played"), rows)


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
    subject = as_game(game)
    own = {
        "position": subject._at(position),
        "games": _options.whole("games", games, 1, 1_000_000_000),
        "within": _options.whole("within", within, 1, 1_000_000),
        "seed": _options.whole("seed", seed, most=2**64 - 1),
    }
    found = _options.options(more, _options.LIMITS, own)
    answer = asked(more, _richman.random_turn_play, subject._handle(), _options.document(found))
    return RandomTurn(answer.document, (subject, found), answer)


class Unitary(Answer):
    """Unitary games of Cumulative Subtraction; made by :func:`richman.unitary`."""

    __slots__ = ()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """For each total, the heap at which it converges; empty for an automaton."""
        return list(self.data.get("rows", []))

    def svg(self) -> str:
        """Where totals converge, or the winning bids of the automaton, drawn as SVG."""
        options, automaton = self._question
        document = _options.document(options)
        return str(self._known(lambda: asked({}, _richman.unitary, document, automaton)).svg())

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
    own = {"chips": None if chips is None else _options.totals("chips", chips)}
    found = _options.options(more, _options.LIMITS, own)
    of = None if automaton is None else _options.total(automaton)
    answer = asked(more, _richman.unitary, _options.document(found), of)
    return Unitary(answer.document, (found, of), answer)


class Duel(Answer):
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
        return f"<Duel of {first} and {second}: {self.wins} won, {self.draws} drawn, {self.losses} lost>"

    def _repr_html_(self) -> str:
        keys = ("game", "players", "games", "wins", "draws", "losses", "score", "interval", "rating")
        return facts([(key, self.data[key]) for key in keys])


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
    such as "perfect", "rounding" or "beginner", as ``richman duel`` describes. Games start from every
    division of `chips` in turn, 8 by default, or from `holdings`.

    >>> import richman as rm
    >>> d = rm.duel("tug-of-war", alice="perfect", bob="random", games=10)
    >>> d.wins + d.draws + d.losses
    10
    """
    subject = as_game(game)
    if chips is not None and holdings is not None:
        raise _richman.Error("games start from every division of chips, or from holdings: give one")
    pairs = [
        f"{_options.held('holdings', a)}:{_options.held('holdings', b)}" for a, b in holdings or ()
    ]
    own = {
        "position": subject._at(position),
        "alice": _options.word("alice", alice),
        "bob": _options.word("bob", bob),
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
    answer = asked(more, _richman.duel_of, subject._handle(), _options.document(found))
    return Duel(answer.document, (subject, found), answer)


class Reproduction(Answer):
    """Published results, computed again; made by :func:`richman.reproduce`."""

    __slots__ = ()

    @property
    def claims(self) -> list[dict[str, Any]]:
        """Every claim with its id, status, and the cells that match and differ."""
        return list(self.data["claims"])

    @property
    def as_recorded(self) -> bool:
        """Whether every claim has the status that the library records for it."""
        return all(each.get("unexpected") is None for each in self.claims)

    def __repr__(self) -> str:
        return f"<Reproduction of {len(self.claims)} claims>"

    def _repr_html_(self) -> str:
        keys = ("id", "status", "cells", "match", "what")
        return listing(keys, ([each.get(key, "") for key in keys] for each in self.claims))


def reproduce(key: str = "", *, deep: bool = False, **more: Unpack[Limits]) -> Reproduction:
    """Recomputes published results and compares them with the print, cell by cell.

    `key` is a paper's ("DP10", "G12", "K", "GSZ09", "LPR20", "BOARDS"), a result's id or its
    beginning; by default everything. `deep` checks larger ranges, and takes minutes. It is
    ``richman reproduce``.

    >>> import richman as rm
    >>> rm.reproduce("DP10 Figure 3").claims[0]["id"]
    'DP10 Figure 3'
    """
    own = {"deep": _options.flag("deep", deep)}
    found = _options.options(more, _options.LIMITS, own)
    answer = asked(more, _richman.reproduce, _options.word("key", key), _options.document(found))
    return Reproduction(answer.document, (key, found), answer)


class Verdict(Answer):
    """Whether a saved solution is right; made by :func:`richman.verify`. True if it is."""

    __slots__ = ()

    @property
    def valid(self) -> bool:
        """Whether all its claims hold."""
        return bool(self.data["valid"])

    @property
    def wrong(self) -> str | None:
        """The first wrong claim."""
        return self.data.get("wrong")

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return f"<Verdict: {'valid' if self.valid else self.wrong}>"


def verify(path: str | os.PathLike[str], **more: Unpack[Limits]) -> Verdict:
    """Proves a saved solution, a certificate or the folder of a database from the rules of its game,
    without solving.

    Raises richman.Error for a file that cannot be read; a wrong solution is a verdict. It is
    ``richman verify``.
    """
    found = _options.options(more, _options.LIMITS)
    answer = asked(more, _richman.verify, _options.path(path), _options.document(found))
    return Verdict(answer.document, (os.fspath(path), found), answer)


class Review(Answer):
    """The review of a match; made by :func:`richman.review`."""

    __slots__ = ()

    @property
    def turns(self) -> list[dict[str, Any]]:
        """Every turn: what it was worth before and after, and its mistakes."""
        return list(self.data["turns"])

    @property
    def mistakes(self) -> list[dict[str, Any]]:
        """All mistakes, each with the number of its turn under "turn"."""
        return [
            {"turn": number, **mistake}
            for number, turn in enumerate(self.turns, 1)
            for mistake in turn.get("mistakes", [])
        ]

    def svg(self) -> str:
        """Both players' margins over the turns, drawn as SVG.

        Raises richman.Error if there are none: the game was not solved, or more chips can hurt.
        """
        arguments = self._question
        drawn = self._known(lambda: asked({}, _richman.review_of, *_compiled(arguments))).svg()
        if drawn is None:
            name = arguments[0]
            raise _richman.Error(
                f"{name}: there are no margins to draw: the game was not solved, or more chips can hurt"
            )
        return str(drawn)

    def __repr__(self) -> str:
        return f"<Review of {len(self.turns)} turns, {len(self.mistakes)} mistakes>"

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg()
        except _richman.Error:
            return None


def _compiled(question: tuple[Any, ...]) -> tuple[Any, ...]:
    name, text, folder, game, options = question
    handle = None if game is None else game._handle()
    return name, text, folder, handle, _options.document(options)


def review(record: Any, *, game: GameLike | None = None, **more: Unpack[Limits]) -> Review:
    """Reviews a recorded match: the value of every turn, each decision that cost something, and the
    better choice.

    `record` is the path of a record, its text (of several lines), or a :class:`richman.play.Match`.
    `game` replaces the game that the record names, which must otherwise be listed or in a game file
    beside the record. It is ``richman review``.
    """
    found = _options.options(more, _options.LIMITS)
    text = getattr(record, "record", None)
    if callable(text):
        name, text, folder = "the match", text(), "."
        game = record.game if game is None else game
    elif isinstance(record, str) and "\n" in record:
        name, text, folder = "the record", record, "."
    else:
        name = _options.path(record)
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as cause:
            raise _richman.Error(f"{name}: {cause}") from cause
        folder = str(Path(name).parent)
    subject: Game | None = None if game is None else as_game(game)
    question = (name, text, folder, subject, found)
    answer = asked(more, _richman.review_of, *_compiled(question))
    return Review(answer.document, question, answer)
