"""Matches on a server that was started with ``richman serve``."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Hashable, Mapping
from typing import Any, Unpack

from . import _options
from ._game import Game, GameLike, as_game, from_dict
from ._game import game as named
from ._options import Chips, Choices, HoldingLike, Player
from ._richman import Error
from .play import Bot, Match, MatchEnd, decide

_TRIES = 6
_ADDRESS = re.compile(r"(https?://[^/?#@\s]+)/?")


class _LostError(Error):
    """A request that may or may not have arrived."""


class _PastError(Error):
    """An action for a match that went on meanwhile."""


class Server:
    """A server of matches, by its address such as ``"http://127.0.0.1:8080"``.

    It is asked through its interface for programs. Secrets of seats and invitations are sent in a
    header alone, and no message or representation shows them.
    """

    __slots__ = ("url",)

    url: str
    """The address, without a path."""

    def __init__(self, url: str) -> None:
        found = _ADDRESS.fullmatch(_options.word("url", url))
        if found is None:
            raise Error(f'"{url}" is no server: write an address such as http://127.0.0.1:8080')
        self.url = found[1]

    def match(
        self,
        game: GameLike,
        *,
        player: Player = "alice",
        opponent: str | None = "best",
        alice: HoldingLike | None = None,
        bob: HoldingLike | None = None,
        chips: Chips | None = None,
        position: Hashable | None = None,
        limit: int | None = None,
        **more: Unpack[Choices],
    ) -> Seat:
        """Sets up a match, and takes the seat of `player`.

        `opponent` is a level of the server's computer, such as "beginner"; None for whoever takes
        the invitation, which :attr:`Seat.invitation` holds. A game without a listed name is sent
        with all its positions. The other arguments are those of :class:`richman.play.Match`.

        Raises richman.Error with the server's sentence if there cannot be such a match.
        """
        subject = as_game(game)
        mechanism = _options.options(more, _options.CHOICES)
        hands = Match(subject, alice=alice, bob=bob, chips=chips, position=position, **more).hands
        if player not in ("alice", "bob"):
            raise Error(f'"{player}" is not a player: write alice or bob')
        seat: Any = "invited" if opponent is None else {"computer": opponent}
        other = "bob" if player == "alice" else "alice"
        how, source, _ = subject._made
        body: dict[str, Any] = {
            "holdings": {who: str(hand) for who, hand in hands.items()},
            "mechanism": {key: mechanism[key] for key in _options.MECHANISM if key in mechanism},
            "seats": {player: "person", other: seat},
            **({"game": source} if how == "name" else {"file": json.loads(subject.export())}),
        }
        if position is not None:
            body["position"] = subject._at(position)
        if limit is not None:
            body["limit"] = _options.whole("limit", limit, least=1)
        made = self._ask("matches", None, body)
        return Seat(self, made["tokens"][player], subject, made["invitation"])

    def accept(self, invitation: str, *, game: GameLike | None = None) -> Seat:
        """Takes the seat of an invitation, once. `game` is needed for rules in Python alone."""
        made = self._ask("invitation", _secret("an invitation", invitation), {})
        return Seat(self, made["token"], None if game is None else as_game(game))

    def seat(self, secret: str, *, game: GameLike | None = None) -> Seat:
        """A seat that was taken before, by its secret."""
        return Seat(self, _secret("a secret", secret), None if game is None else as_game(game))

    def _ask(self, path: str, secret: str | None, body: Mapping[str, Any] | None = None) -> Any:
        text = self._text(path, secret, body)
        try:
            return json.loads(text)
        except ValueError:
            raise Error(f"{self.url} answers without JSON: is it a server of richman?") from None

    def _text(self, path: str, secret: str | None, body: Mapping[str, Any] | None = None) -> str:
        """Asks until the server has time. Only requests that change nothing are sent again."""
        from . import _http

        data = None if body is None else json.dumps(body).encode()
        for attempt in range(_TRIES):
            seconds = 0.1 * 2**attempt
            try:
                status, later, text = _http.ask(f"{self.url}/api/v1/{path}", secret, data)
            except (OSError, ValueError) as cause:
                reason = f"{self.url} does not answer: {cause}"
                if body is not None:
                    raise _LostError(reason) from None
            else:
                if status < 300:
                    return text
                reason = self._reason(status, text)
                if status == 409:
                    raise _PastError(reason)
                if status not in (429, 503) or not later.isdecimal():
                    raise Error(reason)
                seconds = min(max(seconds, int(later)), 60)
            if attempt + 1 < _TRIES:
                time.sleep(seconds)
        raise Error(reason)

    def _reason(self, status: int, text: str) -> str:
        try:
            return str(json.loads(text)["error"]["message"])
        except (ValueError, KeyError, TypeError):
            return f"{self.url} answers with status {status}: is it a server of richman?"

    def __repr__(self) -> str:
        return f"<Server {self.url}>"


def _secret(name: str, value: object) -> str:
    """A secret, which no message repeats."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a str")
    if not re.fullmatch(r"[0-9A-Za-z_-]{1,200}", value):
        raise Error(f"{name} has letters and digits only: copy all of it")
    return value


class Seat:
    """A seat in a match on a server; made by :class:`Server`."""

    __slots__ = ("_game", "_secret", "_shown", "_start", "invitation", "player", "server")

    server: Server
    """The server."""
    player: Player
    """Who plays from this seat."""
    invitation: str | None
    """The secret with which somebody else takes the other seat."""

    def __init__(
        self, server: Server, secret: str, game: Game | None, invitation: str | None = None
    ) -> None:
        """Use the methods of :class:`Server`."""
        self.server = server
        self._secret = secret
        self.invitation = invitation
        self._shown: dict[str, Any] = server._ask("seat", secret)
        self.player = self._shown["you"]
        if self.player not in ("alice", "bob"):
            raise Error("this is the secret of both seats: a bot plays from one")
        at = f"matches/{self.id}"
        if game is None:
            shown = self._shown["game"]
            try:
                game = named(shown)
            except Error:
                game = from_dict(server._ask(f"{at}/file", None))
        self._game = game
        found = re.findall(
            r'^\[(Alice|Bob|Position) "(.*)"\]$', server._text(f"{at}/record", None), re.M
        )
        self._start = {name.lower(): value for name, value in found}

    @property
    def id(self) -> str:
        """The public name of the match: whoever knows it may watch."""
        return str(self._shown["id"])

    @property
    def secret(self) -> str:
        """The secret of the seat, for :meth:`Server.seat`: whoever knows it may play."""
        return self._secret

    @property
    def over(self) -> MatchEnd | None:
        """How the match ended; None if it went on when the server was last asked."""
        found = self._shown["result"]
        if found is None:
            return None
        average = self._shown.get("average")
        return MatchEnd(found["how"], found["winner"], found["score"], average)

    @property
    def match(self) -> Match:
        """The match as it was when the server was last asked, without bids that are sealed."""
        shown, start = self._shown, self._start
        mechanism = dict(shown["mechanism"])
        match: Match = Match(
            self._game,
            alice=start["alice"],
            bob=start["bob"],
            position=start.get("position"),
            limit=shown["limit"],
            **mechanism,
        )
        first: tuple[Player, Player] = ("alice", "bob")
        if mechanism["bidding"] == "bob-first":
            first = ("bob", "alice")
        for turn in [*shown["turns"], *([shown["open_turn"]] if shown["open_turn"] else [])]:
            for who in first:
                bid = turn[f"{who}_bids"]
                if bid is not None:
                    match.bid(who, bid)
            if match.view().stage == "tie" and turn["star_used"] is not None:
                match.use_star(turn["star_used"])
            if match.view().stage == "moving" and match.view().due != [turn["mover"]]:
                match.let()
            if turn.get("move") is not None:
                match.move(turn["move"])
            elif "move" in turn and match.view().stage == "moving":
                match.stay()
        if shown["named_bid"] is not None:
            match.bid(first[0], shown["named_bid"])
        return match

    def play(self, bot: Bot) -> MatchEnd:
        """Plays to the end, and waits for the other player whenever it must.

        `bot` is a policy or a computer player as in :func:`richman.play.play_out`; the seat's match
        makes one: ``seat.play(seat.match.computer("best"))``.

        Raises richman.Error if the server refuses an action, or does not answer for some seconds.
        """
        choices: dict[str, Any] = {}
        turn = 0
        while (end := self.over) is None:
            shown = self._shown
            if shown["trouble"] is not None:
                raise Error(f"the server's computer player cannot go on: {shown['trouble']}")
            if shown["decision"] is None:
                self._shown = self.server._ask(f"seat?after={shown['version']}", self._secret)
                continue
            if shown["turn"] != turn:
                choices.clear()
                turn = shown["turn"]
            match = self.match
            decide(match, self.player, bot, choices)
            action = json.loads(match._actions[-1][1])
            body = {"step": shown["decision"]["step"], "action": action}
            try:
                self._shown = self.server._ask("seat/actions", self._secret, body)
            except (_LostError, _PastError) as cause:
                # The match shows whether the action was taken, and what happened meanwhile.
                self._shown = self.server._ask("seat", self._secret)
                if isinstance(cause, _PastError) and self._shown["version"] == shown["version"]:
                    raise
        return end

    def resign(self) -> None:
        """Resigns, at any time."""
        body = {"step": self._shown["steps"][self.player], "action": "resign"}
        self._shown = self.server._ask("seat/actions", self._secret, body)

    def __repr__(self) -> str:
        return f"<Seat of {self.player} in {self.id} at {self.server.url}>"
