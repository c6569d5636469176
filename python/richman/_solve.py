"""What a position is worth: real money, chips, and advice."""

from __future__ import annotations

import html
import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, cast

from . import _options, _richman, documents
from ._answer import Answer, asked, facts, opened, sized
from ._arrays import Values, values
from ._game import Game, GameLike
from ._numbers import Holding, Interval, Threshold, holding, ranges, share, shown, threshold
from ._options import Chips, Exactness, HoldingLike, Player, Progress

if TYPE_CHECKING:
    from ._strategy import Strategy


class Turn(NamedTuple):
    """A turn of a line of best play."""

    position: str
    """The position before the turn."""
    alice: Holding
    """Alice's holding before it."""
    bob: Holding
    """Bob's holding before it."""
    alice_bids: int | None
    """Her bid."""
    bob_bids: int | None
    """His bid."""
    star_used: bool | None
    """In a tie: whether the star was used."""
    winner: Player | None
    """The winner of the bid."""
    mover: Player | None
    """The player who moved."""
    move: str | None
    """The move."""


@dataclass(frozen=True, slots=True)
class Advice:
    """How a player should play. Ranges of bids hold both ends."""

    bids: list[tuple[int, int]]
    """All best bids, ascending; for a player who answers a bid, the good answers to every bid."""
    use_star: bool | None
    """Whether to use the star in a tie at a best bid; None if the player does not decide."""
    moves: list[str]
    """The moves that are best after every best bid; none if they depend on the bid."""
    let_other_move: bool
    """Whether to let the other player move after winning the bid."""
    fastest: list[tuple[int, int]] | None
    """The bids that win in the fewest moves, for a player who can force a win."""
    answers: list[documents.BidReply]
    """For a player who answers a bid: the good answers to each bid."""
    star_by_bid: list[tuple[tuple[int, int], bool]]
    """Whether to use the star, if that depends on the tied bid."""
    moves_by_bid: list[tuple[tuple[int, int], list[str]]]
    """The best moves after each bid, if cheaper bids leave more; if there are none after a bid, the
    move goes to the other player."""
    after_tie: documents.AfterTie | None
    """What to do after using the star, if that differs: moves and let_other_move."""
    made_to_move: list[str]
    """The best moves when the other player makes this one move, if they differ."""
    made_to_move_by_bid: list[tuple[tuple[int, int], bool, list[str]]]
    """The same for each bid of the other player, and whether it was a tie, if no move is best after
    all of them."""


def advice(value: documents.Advice | None) -> Advice | None:
    """The advice of a document."""
    if value is None:
        return None
    fastest = value.get("fastest")
    pair = tuple[int, int]
    stars: list[tuple[pair, bool]] = [
        ((each["bids"][0], each["bids"][1]), each["use_star"])
        for each in value.get("star_by_bid", [])
    ]
    after: list[tuple[pair, list[str]]] = [
        ((each["bids"][0], each["bids"][1]), each["moves"])
        for each in value.get("moves_by_bid", [])
    ]
    made: list[tuple[pair, bool, list[str]]] = [
        ((each["bids"][0], each["bids"][1]), each["tied"], each["moves"])
        for each in value.get("made_to_move_by_bid", [])
    ]
    return Advice(
        bids=ranges(value["bids"]),
        use_star=value["use_star"],
        moves=value["moves"],
        let_other_move=value["let_other_move"],
        fastest=None if fastest is None else ranges(fastest),
        answers=value.get("answers", []),
        star_by_bid=stars,
        moves_by_bid=after,
        after_tie=value.get("after_tie"),
        made_to_move=value.get("made_to_move", []),
        made_to_move_by_bid=made,
    )


class Solution(Answer[documents.SolveDocument]):
    """What a position is worth; made by :func:`richman.solve`."""

    __slots__ = ()

    @property
    def _asked(self) -> tuple[Game, dict[str, Any]]:
        game, options = self._question
        return game, options

    @property
    def game(self) -> Game:
        """The game."""
        return self._asked[0]

    @property
    def position(self) -> str:
        """The position, in the notation of the game."""
        return str(self.data["position"])

    @property
    def mechanism(self) -> dict[str, str]:
        """How bids are made, won and paid."""
        return {key: str(word) for key, word in self.data["mechanism"].items()}

    @property
    def total(self) -> int | None:
        """The number of chips; None for real money, or if chips leave the game."""
        return self.data.get("total")

    @property
    def win(self) -> Fraction | Interval | Threshold:
        """What Alice needs to force a win.

        Real money: she wins with a larger share of it; exact, or between bounds. Chips: the least
        holdings with which she wins.
        """
        return _need(self.data["win"])

    @property
    def draw(self) -> Fraction | Interval | Threshold:
        """What Alice needs so that Bob cannot force a win, in the same sense."""
        return _need(self.data["draw"])

    @property
    def average(self) -> Fraction | Interval | None:
        """In a game for a long-run average: the average, exact or between bounds."""
        return share(self.data.get("average"))

    @property
    def averages(self) -> dict[str, list[tuple[int, int, Fraction]]] | None:
        """In a game for a long-run average with chips: without ("plain") and with ("star") the
        star, the first and the last number of Alice's chips with an average, and the average."""
        found = self.data.get("averages")
        if found is None:
            return None
        return {
            star: [(first, last, Fraction(average)) for first, last, average in found[star]]
            for star in ("plain", "star")
        }

    @property
    def credits(self) -> dict[str, list[tuple[int, int, int | None]]] | None:
        """If asked for, the least credits by holding, as `averages`: if every weight is added to
        such a credit, Alice can keep it from ever falling below 0. None where none suffices."""
        found = self.data.get("credits")
        if found is None:
            return None
        return {
            star: [
                (first, last, None if credit is None else int(credit))
                for first, last, credit in found[star]
            ]
            for star in ("plain", "star")
        }

    @property
    def exact(self) -> bool:
        """Whether the thresholds are exact; otherwise they are proved bounds."""
        return bool(self.data["exact"])

    @property
    def bid(self) -> Fraction | Interval | None:
        """Real money: the best bid at the win threshold, as a share of all the money."""
        return share(self.data.get("bid"))

    @property
    def draw_bid(self) -> Fraction | Interval | None:
        """Real money: the best bid at the draw threshold."""
        return share(self.data.get("draw_bid"))

    @property
    def moves(self) -> dict[str, list[str]]:
        """The best moves of "alice" and "bob": real money, or with given holdings."""
        return self._moves("moves")

    @property
    def draw_moves(self) -> dict[str, list[str]]:
        """Real money: the moves that keep to the draw threshold."""
        return self._moves("draw_moves")

    def _moves(self, key: Literal["moves", "draw_moves"]) -> dict[str, list[str]]:
        found: Mapping[str, Any] | None = self.data.get(key)
        if found is not None:
            return {player: list(found[player]) for player in ("alice", "bob")}
        each = self.advice.items()
        return {player: [] if advice is None else advice.moves for player, advice in each}

    @property
    def alice(self) -> Holding | None:
        """Alice's holding, if given."""
        return holding(self.data.get("alice"))

    @property
    def bob(self) -> Holding | None:
        """Bob's holding, if given."""
        return holding(self.data.get("bob"))

    @property
    def outcome(self) -> str | None:
        """With given holdings: "alice" or "bob" if that player can force a win, "draw" or
        "undetermined"."""
        return self.data.get("outcome")

    @property
    def within(self) -> int | None:
        """With given holdings: the fewest moves in which the winner can force it."""
        return self.data.get("within")

    @property
    def advice(self) -> dict[str, Advice | None]:
        """With given holdings: how "alice" and "bob" should play; None if the game is over."""
        found = self.data.get("advice", {"alice": None, "bob": None})
        return {player: advice(each) for player, each in found.items()}

    @property
    def positions(self) -> int | None:
        """The number of solved positions; symmetric ones count once. None if nothing was
        unfolded."""
        return self.data.get("positions")

    @property
    def stop(self) -> str:
        """Why the solver stopped, and what is proved."""
        return str(self.data["stop"])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """With ``all=True``: every position that can be reached, as the document lists it."""
        return cast("list[dict[str, Any]]", list(self.data.get("rows") or []))

    def values(self, exact: bool = False, progress: Progress = None) -> Values:
        """The thresholds of all positions that can be reached, as arrays of numpy; without numpy as
        memoryviews and lists.

        Real money: ``win.low``, ``win.high``, ``draw.low`` and ``draw.high`` are doubles; the exact
        thresholds lie between them, and are equal to both where the two are equal. Chips: ``win``
        and ``draw`` are 64-bit integers, twice the chips and one more with the star, as 9 for 4*;
        twice the total and 2 if no holding suffices, and -1 if larger holdings need not suffice.
        With ``exact=True`` they are objects, as :attr:`win` is.

        Positions of a graph from arrays are its numbers, ascending; of rules in Python, their own
        positions; else texts. Every position is solved again, unless the question had ``all=True``,
        or was about real money and a graph from arrays.
        Raises richman.Error where chips leave the game, because there are no thresholds.

        >>> import richman as rm
        >>> v = rm.solve("tug-of-war:length=4").values()
        >>> list(zip(v.positions, v.win.low.tolist()))
        [('2', 0.5), ('1', 0.25), ('3', 0.75), ('0', 0.0), ('4', 1.0)]
        """
        game, options = self._asked
        left = {key: value for key, value in options.items() if key not in ("all", "trace")}
        given, exact = {"progress": progress}, _options.flag("exact", exact)
        return values(game, asked(given, _richman.values, game, self._handle, left, exact))

    def trace(self) -> list[Turn]:
        """A line of best play from the given holdings, turn by turn.

        Raises richman.Error without holdings.
        """
        found = self.data.get("trace")
        if found is None:
            game, options = self._asked
            again = asked({}, _richman.solve, game, {**options, "trace": True})
            found = Solution(again.document, (game, options)).data["trace"]
            assert found is not None
        turns = []
        for turn in found["turns"]:
            known: dict[str, Any] = {key: turn.get(key) for key in Turn._fields}
            known["alice"], known["bob"] = Holding(turn["alice"]), Holding(turn["bob"])
            turns.append(Turn(**known))
        return turns

    def save(self, path: str | os.PathLike[str]) -> None:
        """Solves every position and saves the solution to a file that :func:`richman.verify`
        proves.

        Raises richman.Error if it cannot be saved; an older file is then unchanged.
        """
        game, options = self._asked
        left = {key: value for key, value in options.items() if key not in ("all", "trace")}
        asked({}, _richman.save_solution, game, left, _options.path(path))

    def strategy(self, player: Player = "alice") -> Strategy:
        """A policy of best play with chips for `player`: see :class:`richman.Strategy`.

        Raises richman.Error for real money.
        """
        from ._strategy import Strategy

        game, options = self._asked
        if not any(key in options for key in ("chips", "alice", "bob")):
            raise _richman.Error(
                "a strategy is for chips: solve with chips=, or with both holdings"
            )
        return Strategy(game, player, options)

    def picture(self) -> str:
        """The position as text."""
        return self.game.picture(self.position)

    def svg(self) -> str:
        """The position as SVG, for real money on a board with the best moves."""
        game, options = self._asked
        known = self._known(lambda: asked({}, _richman.solve, game, options))
        drawn = None if _has_own_svg(game) else known.svg(game._handle())
        return game.svg(self.position) if drawn is None else drawn

    def __repr__(self) -> str:
        data = self.data
        if self.averages is not None:
            return f"<Solution of {data['game']}: averages with {self.total} chips>"
        if self.average is not None:
            return f"<Solution of {data['game']}: average {shown(self.average)}>"
        return f"<Solution of {data['game']}: win {shown(self.win)}, draw {shown(self.draw)}>"

    def _repr_html_(self) -> str:
        pairs = [
            ("game", self.data["game"]),
            ("position", self.position),
            ("total", self.total),
            *([("win", self.win), ("draw", self.draw)] if "win" in self.data else []),
            ("average", self.average),
            ("exact", self.exact),
            ("best bid", self.bid),
            ("outcome", self.outcome),
            ("within", self.within),
        ]
        for player, each in self.advice.items():
            bids = "" if each is None else ", ".join(map(_span, each.bids))
            star = ", with the star in a tie" if each is not None and each.use_star else ""
            pairs.append((f"{player.capitalize()}'s bids", bids + star if bids else None))
        moves = {player: ", ".join(each) for player, each in self.moves.items() if each}
        pairs += [(f"{player.capitalize()}'s moves", each) for player, each in moves.items()]
        try:
            board = sized(self.svg())
        except _richman.Error:
            board = f"<pre>{html.escape(self.position)}</pre>"
        return f"{board}{facts(pairs)}"


def _need(value: Any) -> Fraction | Interval | Threshold:
    found = threshold(value) if isinstance(value, dict) else share(value)
    assert found is not None
    return found


def _span(bids: tuple[int, int]) -> str:
    low, high = bids
    return str(low) if low == high else f"{low} to {high}"


def _has_own_svg(game: Game) -> bool:
    return getattr(game.rules, "svg", None) is not None


def solve(
    game: GameLike,
    *,
    position: Hashable | None = None,
    chips: Chips | None = None,
    alice: HoldingLike | None = None,
    bob: HoldingLike | None = None,
    within: int | None = None,
    share: Fraction | str | int | None = None,
    at_least: Fraction | str | int | None = None,
    credits: bool = False,
    trace: bool = False,
    all: bool = False,
    db: str | os.PathLike[str] | None = None,
    bounds: str | os.PathLike[str] | None = None,
    **more: Unpack[Exactness],
) -> Solution:
    """Solves a game: thresholds, best bids and best moves.

    Without `chips`, `alice` and `bob` money can be divided at will, and thresholds are shares of
    it. `chips` is the total in the game; with holdings the answer also has the outcome and advice
    for both players. `within` makes every play of more moves a draw. `share` is Alice's part
    of the money in a game for a long-run average, a half unless given. With `at_least` the answer
    is what she needs there for such an average; with chips and `credits` it also has the least
    credits. `trace` adds a line of best play, `all` the rows of every position. `db` is a folder
    made by ``richman build``; `bounds` a file of bounds to resume from. `more` are the mechanism
    and the limits: see :class:`richman.Exactness`. Real money takes 60 seconds at most and then
    gives bounds; chips
    have no limit of time.

    Raises richman.Error if it cannot be answered, TypeError for arguments of a wrong type.
    It is the command ``richman solve``, and agrees with an oracle that plays out every bid.

    >>> import richman as rm
    >>> s = rm.solve("tic-tac-toe")
    >>> s.win, s.bid, s.moves
    (Fraction(133, 256), Fraction(41, 256), {'alice': ['b2'], 'bob': ['b2']})
    >>> s = rm.solve("tic-tac-toe", alice="4*", bob=4)
    >>> s.outcome, s.within, s.advice["alice"].use_star
    ('alice', 7, True)
    """
    subject, spent = opened(game, more)
    own = {
        "position": subject._at(position),
        "chips": None if chips is None else _options.total(chips),
        "alice": None if alice is None else _options.held("alice", alice),
        "bob": None if bob is None else _options.held("bob", bob),
        "within": None if within is None else _options.whole("within", within),
        "share": None if share is None else _options.part("share", share),
        "at_least": None if at_least is None else _options.part("at_least", at_least),
        "credits": _options.flag("credits", credits),
        "trace": _options.flag("trace", trace),
        "all": _options.flag("all", all),
        "db": None if db is None else _options.path(db),
        "bounds": None if bounds is None else _options.path(bounds),
    }
    found = _options.options(more, _options.EXACTNESS, own)
    answer = asked(more, _richman.solve, subject, found, spent=spent)
    return Solution(answer.document, (subject, found), answer)


class Offers(Answer[documents.EngineOffers]):
    """What every engine offers for a question; made by :func:`richman.why`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Offers: {self._document}>"


def why(
    game: GameLike,
    *,
    position: Hashable | None = None,
    chips: Chips | None = None,
    alice: HoldingLike | None = None,
    bob: HoldingLike | None = None,
    within: int | None = None,
    **more: Unpack[Exactness],
) -> Offers:
    """The methods that could answer :func:`richman.solve`, how well and at what cost; solves
    nothing.

    >>> import richman as rm
    >>> list(rm.why("tic-tac-toe").data)
    ['game', 'position', 'engines']
    """
    subject, _ = opened(game, more)
    own = {
        "position": subject._at(position),
        "chips": None if chips is None else _options.total(chips),
        "alice": None if alice is None else _options.held("alice", alice),
        "bob": None if bob is None else _options.held("bob", bob),
        "within": None if within is None else _options.whole("within", within),
    }
    found = _options.options(more, _options.EXACTNESS, own)
    answer = _richman.why(subject._handle(), _options.document(found))
    return Offers(answer.document, (subject, found), answer)
