"""Matches and computer players.

A match takes one action at a time: both players bid; who holds the star may have to decide a tie;
the winner of the bid moves, or lets the other move.

>>> import richman as rm
>>> match = rm.play.Match("tic-tac-toe", alice="4*", bob=4)
>>> match.bid("alice", 1)
>>> match.bid("bob", 1)
>>> match.use_star(True)
>>> match.move("b2")
>>> match.position, str(match.hands["bob"])
('.../.A./...', '5*')
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, Unpack

from . import _options, _richman
from ._answer import asked, opened, sized
from ._game import Game, GameLike
from ._numbers import Holding
from ._options import Chips, Choices, HoldingLike, Player
from ._records import Review, review
from ._richman import Error
from ._strategy import Choice, Strategy

__all__ = ["Computer", "Match", "MatchEnd", "MatchTurn", "View", "play_out"]


class View(NamedTuple):
    """What a player, or a spectator, sees of a match. A sealed bid is only in its bidder's view."""

    position: str
    """The position."""
    hands: dict[str, Holding]
    """The current holdings of "alice" and "bob"."""
    stage: str
    """"bids", "tie", "moving" or "over"."""
    due: list[str]
    """Whose decision the match waits for."""
    named: int | None
    """An open bid that must be answered."""
    own_bid: int | None
    """The viewer's own bid, while it is sealed."""
    bids: dict[str, int | None] | None
    """Both bids, once they are known and one is won."""
    allowed_bids: list[tuple[int, int]]
    """The bids that the viewer may make now, both ends included."""
    moves: list[str]
    """The moves that the viewer may make now."""
    bank: int
    """Chips that left the game."""


class MatchTurn(NamedTuple):
    """A finished turn."""

    position: str
    """The position before it."""
    hands: dict[str, Holding]
    """The holdings before it."""
    bids: dict[str, int | None]
    """The bids; None for a player who could not bid, and for both where one moved without a bid."""
    star_used: bool | None
    """In a tie that the star decided: whether it was used."""
    winner: str | None
    """The winner of the bid; None where a player moved without one."""
    mover: str
    """Who moved."""
    move: str | None
    """The move; None if the mover had none."""


class MatchEnd(NamedTuple):
    """How a match ended."""

    how: str
    """"game", "resigned", "limit" or "no bids"."""
    winner: str | None
    """The winner; None for a draw, or if play that need not end was cut off."""
    score: int | None
    """Alice's score in a scoring game."""
    average: str | None = None
    """The average of the weights in a mean-payoff game, such as "1/3"."""


class Match:
    """A match. Without holdings both players get half of `chips`, by default what suits the game.

    `limit` is the number of turns after which it is a draw, or cut off if the game need not end;
    such games need one. Matches are pickled and copied with all their actions, also a sealed bid.
    """

    __slots__ = ("_actions", "_match", "_options", "game")

    game: Game
    """The game."""

    def __init__(
        self,
        game: GameLike,
        *,
        alice: HoldingLike | None = None,
        bob: HoldingLike | None = None,
        chips: Chips | None = None,
        position: Hashable | None = None,
        limit: int | None = None,
        **more: Unpack[Choices],
    ) -> None:
        self.game, _ = opened(game, more)
        own = {
            "position": self.game._at(position),
            "chips": None if chips is None else _options.total(chips),
            "alice": None if alice is None else _options.held("alice", alice),
            "bob": None if bob is None else _options.held("bob", bob),
            "limit": None if limit is None else _options.whole("limit", limit),
        }
        self._options = _options.options(more, _options.CHOICES, own)
        self._actions: list[tuple[str, str]] = []
        self._match = _richman.Match(self.game._handle(), _options.document(self._options))

    def _act(self, player: str, action: object) -> None:
        written = json.dumps(action)
        self._match.act(player, written)
        self._actions.append((player, written))

    def bid(self, player: Player, bid: int) -> None:
        """Bids. With sealed bids the other player does not see it before both are in.

        Raises richman.Error if the player may not bid that now; then nothing changes.
        """
        self._act(player, {"bid": _options.whole("a bid", bid)})

    def use_star(self, use: bool) -> None:
        """Decides a tie, for the holder of the star."""
        self._act(self._decider(), {"use_star": _options.flag("use", use)})

    def move(self, name: str) -> None:
        """Moves, for the player who may."""
        self._act(self._decider(), {"move": _options.word("a move", name)})

    def let(self) -> None:
        """Lets the other player move, for the winner of the bid."""
        self._act(self._decider(), "let")

    def stay(self) -> None:
        """In a scoring game: ends it by the rule for stuck players instead of letting the other
        player move."""
        self._act(self._decider(), "stay")

    def resign(self, player: Player) -> None:
        """Resigns, at any time."""
        self._act(player, "resign")

    def _decider(self) -> str:
        due = self.view().due
        return due[0] if due else "alice"  # whose action is then refused with the reason

    def view(self, viewer: Player | None = None) -> View:
        """What a player sees; by default a spectator."""
        found = json.loads(self._match.view(viewer))
        return View(
            position=found["position"],
            hands={player: Holding(found[player]) for player in ("alice", "bob")},
            stage=found["stage"],
            due=found["due"],
            named=found["named"],
            own_bid=found["own_bid"],
            bids=found["bids"],
            allowed_bids=[(low, high) for low, high in found["allowed_bids"]],
            moves=found["moves"],
            bank=found["bank"],
        )

    @property
    def position(self) -> str:
        """The position."""
        return self.view().position

    @property
    def hands(self) -> dict[str, Holding]:
        """The current holdings of "alice" and "bob"."""
        return self.view().hands

    @property
    def over(self) -> MatchEnd | None:
        """How the match ended; None if it goes on."""
        found = json.loads(self._match.view(None))["over"]
        return None if found is None else MatchEnd(**found)

    @property
    def turns(self) -> list[MatchTurn]:
        """The finished turns."""
        turns = []
        for turn in json.loads(self._match.turns()):
            hands = {player: Holding(hand) for player, hand in turn.pop("hands").items()}
            turns.append(MatchTurn(hands=hands, **turn))
        return turns

    def record(self, tags: Mapping[str, str] | None = None) -> str:
        """The record of the match, which ``richman review`` reads. Sealed bids are left out."""
        return self._match.record(list((tags or {}).items()))

    def review(self, **limits: Any) -> Review:
        """Reviews the match, finished or not: see :func:`richman.review`."""
        return review(self, **limits)

    def svg(self) -> str:
        """The position as SVG."""
        return self.game.svg(self.position) if self.game.rules is not None else self._match.svg()

    def computer(self, level: str = "best", seed: int = 1, **limits: Any) -> Computer:
        """A computer player for this match: see :class:`Computer`."""
        return Computer(self, level, seed, **limits)

    def __repr__(self) -> str:
        hands = self.hands
        return f"<Match of {self.game.name}: {hands['alice']} to {hands['bob']} at {self.position}>"

    def __copy__(self) -> Match:
        return self._remade(self._match.copy())

    def __deepcopy__(self, memo: object) -> Match:
        return self.__copy__()

    def _remade(self, match: _richman.Match) -> Match:
        other = object.__new__(Match)
        other.game, other._options = self.game, self._options
        other._match, other._actions = match, list(self._actions)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self.game, self._options, self._actions)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        mine = (self.game, self._options, self._actions)
        return mine == (other.game, other._options, other._actions)

    def __hash__(self) -> int:
        return hash((self.game, len(self._actions)))

    def _repr_svg_(self) -> str:
        return sized(self.svg())


def _replayed(game: Game, options: dict[str, Any], actions: list[tuple[str, str]]) -> Match:
    match = object.__new__(Match)
    match.game, match._options, match._actions = game, options, []
    match._match = _richman.Match(game._handle(), _options.document(options))
    for player, action in actions:
        match._act(player, json.loads(action))
    return match


class Computer:
    """A computer player of the rules of a match: "perfect", "best", "advanced", "intermediate",
    "beginner", "rounding", "greedy" or "random", optionally with a chance to err or a time, as in
    "best:errs=1/5,ms=100".

    It sees a match only from its own seat. The game is solved at once, within 60 seconds or `time`.
    """

    __slots__ = ("_bot", "level", "time")

    level: str
    """How it plays."""
    time: float | None
    """The seconds that it may think about an action."""

    def __init__(self, match: Match, level: str = "best", seed: int = 1, **limits: Any) -> None:
        found = _options.options(limits, _options.LIMITS, match._options)
        self.level = _options.word("level", level)
        self.time = found.get("time")
        number = _options.whole("seed", seed, most=2**64 - 1)
        self._bot = asked(limits, _richman.Bot, match.game, found, self.level, number)

    def act(self, match: Match, player: Player) -> dict[str, Any] | str:
        """Takes the pending decision of `player` in a match, and returns the action.

        Raises richman.Error if nothing is to be decided.
        """
        action = json.loads(self._bot.act(match._match, player, self.time))
        match._act(player, action)
        return action  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<Computer {self.level}>"


Policy = Callable[[str, Holding, Holding], Choice]
"""A function from a position and both holdings to what to do."""
Bot = Computer | Strategy | Policy
"""Whoever can play."""


def play_out(match: Match, alice: Bot, bob: Bot) -> MatchEnd:
    """Plays a match to its end. Each player is a computer player or a policy: a function from
    position and both holdings to :class:`richman.Choice`.

    >>> import richman as rm
    >>> match = rm.play.Match("tic-tac-toe", alice="4*", bob=4)
    >>> alice = rm.solve("tic-tac-toe", alice="4*", bob=4).strategy("alice")
    >>> rm.play.play_out(match, alice, match.computer("greedy")).winner
    'alice'
    """
    players: dict[str, Bot] = {"alice": alice, "bob": bob}
    choices: dict[str, Choice] = {}
    stage = "moving"
    while (end := match.over) is None:
        view = match.view()
        if not view.due:
            raise Error("the match waits for nobody")
        if view.stage == "bids" != stage:
            choices.clear()  # those of the turn before
        stage = view.stage
        who: Any = view.due[0]
        decide(match, who, players[who], choices)
    return end


def decide(match: Match, who: Any, player: Bot, choices: dict[str, Choice]) -> None:
    """Takes the pending decision of a player; `choices` are those of this turn."""
    if isinstance(player, Computer):
        player.act(match, who)
        return
    view = match.view()
    if who not in choices:
        choices[who] = chosen(player, view)
    choice = choices[who]
    if view.stage == "bids":
        if choice.bid is None:
            raise Error(f"the policy of {who} does not bid at {view.position}")
        match.bid(who, choice.bid)
    elif view.stage == "tie":
        match.use_star(choice.use_star)
    else:
        move_as(match, who, choice)


def chosen(player: Strategy | Policy, view: View) -> Choice:
    """What a policy does at what is seen."""
    hands = view.hands["alice"], view.hands["bob"]
    if isinstance(player, Strategy):
        return player(view.position, *hands, view.named)
    return player(view.position, *hands)


def move_as(match: Match, who: Any, choice: Choice) -> None:
    """Moves as a choice says, or lets the other player move; if that cannot be, moves anywhere.

    Raises richman.Error if the choice is a move that there is not.
    """
    seen = json.loads(match._match.view(who))
    has_won, is_tied = seen["winner"] == who, seen["bids"]["alice"] == seen["bids"]["bob"]
    move = choice.move
    if has_won and is_tied and choice.after_tie is not None:
        move = choice.after_tie.move
    if has_won and move is None:
        try:
            match.let()
            return
        except Error:
            pass
    if not has_won or move is None:
        bid = max(each for each in seen["bids"].values() if each is not None)
        move = choice.made_to_move_after(bid, is_tied)
    moves = seen["moves"]
    if move is not None and moves and move not in moves:
        there_is = f"which is none of the moves there: {', '.join(moves)}"
        raise Error(f"the policy of {who} moves {move} at {seen['position']}, {there_is}")
    if moves:
        match.move(move or moves[0])
    else:
        match.let()
