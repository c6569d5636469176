"""Matches for learning programs: what can be done is numbered, what is seen is an array."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy

from . import _options
from ._game import Game, GameLike
from ._options import Chips, HoldingLike
from ._richman import Error
from .play import Match

PLAYERS = ("alice", "bob")
LIMIT = 200
"""The turns after which a match of a game with cycles is a draw, as on the server."""
_WALK = 20_000
_STAGES = ("bids", "tie", "moving")


class Walk:
    """The positions that can follow: names of moves, texts of positions, and the longest play.

    At most `most` positions are looked at; `is_complete` says whether these are all.
    """

    def __init__(self, game: Game, start: str, most: int = _WALK) -> None:
        numbers = {start: 0}
        queue, targets = [start], list[list[int]]()
        names: set[str] = set()
        for position in queue:
            if len(queue) > most:
                break
            targets.append([])
            for player in PLAYERS:
                for name, to in game.moves(position, player).items():  # type: ignore[arg-type]
                    names.add(name)
                    if to not in numbers:
                        numbers[to] = len(queue)
                        queue.append(to)
                    targets[-1].append(numbers[to])
        self.positions = len(queue)
        self.is_complete = len(targets) == len(queue)
        self.names = sorted(names)
        self.alphabet = sorted({letter for position in queue for letter in position})
        lengths = {len(position) for position in queue}
        may_grow = not self.is_complete and len(lengths) > 1
        self.length = 2 * max(lengths) if may_grow else max(lengths)
        self.longest = _longest(targets) if self.is_complete else None


def _longest(targets: list[list[int]]) -> int | None:
    """The moves of the longest play from 0; None if plays can be endless."""
    into = [0] * len(targets)
    for each in targets:
        for to in each:
            into[to] += 1
    lengths = [0] * len(targets)
    ready = [0] if not into[0] else []
    for position in ready:
        for to in targets[position]:
            lengths[to] = max(lengths[to], lengths[position] + 1)
            into[to] -= 1
            if not into[to]:
                ready.append(to)
    return max(lengths) if len(ready) == len(targets) else None


class Setting:
    """A match before its first turn, and the numbers of all actions in it.

    Numbers 0 to `total` are bids; then come keeping the star, using it, letting the other player
    move, staying, and the moves by name. In a game of more than 20,000 positions a move whose name
    was not met gets the lowest free number of its position.
    """

    def __init__(
        self,
        game: GameLike,
        *,
        alice: HoldingLike | None = None,
        bob: HoldingLike | None = None,
        chips: Chips | None = None,
        position: Any = None,
        limit: int | None = None,
        **choices: Any,
    ) -> None:
        given = {"alice": alice, "bob": bob, "chips": chips, "position": position}
        first: Match = Match(game, **given, **choices)
        self.game = first.game
        self.hands = first.hands
        self.total = sum(hand.chips for hand in self.hands.values())
        self.walk = Walk(self.game, first.position)
        longest = None if self.walk.longest is None else self.walk.longest + 1
        self.limit = _options.whole("limit", limit, least=1) if limit else longest or LIMIT
        self.is_cut = longest is None or self.limit < longest
        """Whether the limit can end a match before the game does."""
        self.base = self.total + 5
        self.names = {name: self.base + at for at, name in enumerate(self.walk.names)}
        self.actions = self.base + len(self.names)
        self.start = Node(self, Match(game, limit=self.limit, **given, **choices), 0)
        self.bound = _bound(self.game, self.limit)
        alphabet = len(self.walk.alphabet) + (not self.walk.is_complete)
        self.letters = {letter: at for at, letter in enumerate(self.walk.alphabet)}
        chips_shape = (self.total + 1,)
        self.pieces: dict[str, tuple[int, ...]] = {
            "player": (2,),
            "due": (2,),
            "stage": (len(_STAGES),),
            "chips": (2, *chips_shape),
            "star": (2,),
            "bid": chips_shape,
            "may_let": (1,),
            "turns": (1,),
            "position": (self.walk.length, alphabet),
        }
        self.size = sum(int(numpy.prod(shape)) for shape in self.pieces.values())

    def text(self, number: int) -> str:
        """An action in words."""
        if number <= self.total:
            return f"bid {number}"
        words = ("keep the star", "use the star", "let the other player move", "stay")
        if number < self.base:
            return words[number - self.total - 1]
        return f"move {self.walk.names[number - self.base]}"

    def views(self, array: Any) -> dict[str, Any]:
        """The parts of a flat array of `size` numbers by their names."""
        found, at = {}, 0
        for name, shape in self.pieces.items():
            size = int(numpy.prod(shape))
            found[name] = array[at : at + size].reshape(shape)
            at += size
        return found


def _bound(game: Game, limit: int) -> int:
    """A number that no score exceeds: with scores, from the weights of all moves."""
    if not game.is_scoring:
        return 1
    ends, weights = [0], [0]
    for each in json.loads(game.export())["positions"].values():
        ends += [each.get("score", 0), *each.get("stuck", {}).values()]
        steps = (step for player in PLAYERS for step in each.get(player, []))
        weights += [step.get("weight", 0) for step in steps if isinstance(step, dict)]
    return max(map(abs, ends)) + limit * max(map(abs, weights))


class Node:
    """A match after some actions. It never changes; sealed bids are never in it alone."""

    __slots__ = ("_legal", "match", "seen", "setting", "turns")

    def __init__(self, setting: Setting, match: Match, turns: int) -> None:
        self.setting = setting
        self.match = match
        self.turns = turns
        self.seen: dict[str, Any] = json.loads(match._match.view(None))
        self._legal: dict[str, dict[int, object]] = {}

    def __deepcopy__(self, memo: object) -> Node:
        return self

    @property
    def due(self) -> list[str]:
        """The players who decide now; two of them bid at once."""
        return self.seen["due"]  # type: ignore[no-any-return]

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.seen["over"] is not None

    @property
    def payoff(self) -> int:
        """Alice's: her score, or 1 for a win, -1 for a loss, else 0."""
        over = self.seen["over"]
        if over is None:
            return 0
        if over["score"] is not None:
            return int(over["score"])
        return {"alice": 1, "bob": -1, None: 0}[over["winner"]]

    def legal(self, player: str) -> dict[int, object]:
        """The actions of a player by number, ascending."""
        if player not in self._legal:
            self._legal[player] = dict(sorted(self._allowed(player)))
        return self._legal[player]

    def _allowed(self, player: str) -> Iterator[tuple[int, object]]:
        if player not in self.due:
            return
        total, stage = self.setting.total, self.seen["stage"]
        view = json.loads(self.match._match.view(player))
        if stage == "bids":
            for low, high in view["allowed_bids"]:
                yield from ((bid, {"bid": bid}) for bid in range(low, high + 1))
        elif stage == "tie":
            yield from ((total + 1 + use, {"use_star": bool(use)}) for use in (0, 1))
        else:
            for number, word in ((total + 3, "let"), (total + 4, "stay")):
                try:
                    self.match._match.copy().act(player, json.dumps(word))
                except Error:
                    continue
                yield number, word
            yield from ((number, {"move": name}) for number, name in self._moves(view["moves"]))

    def _moves(self, names: list[str]) -> Iterator[tuple[int, str]]:
        setting = self.setting
        known = {name: setting.names[name] for name in names if name in setting.names}
        taken = set(known.values())
        free = (at for at in range(setting.base, setting.actions) if at not in taken)
        for name in names:
            number = known.get(name)
            if number is None:
                number = next(free, None)
            if number is None:
                raise Error(f"{setting.game.name} has too many moves at {self.seen['position']}")
            yield number, name

    def after(self, chosen: Mapping[str, int]) -> Node:
        """The match after an action of each player who decides.

        Raises richman.Error for an action that is not allowed.
        """
        match = self.match._remade(self.match._match.copy())
        moves = False
        for player in self.due:
            action = self.legal(player).get(chosen[player])
            if action is None:
                raise Error(f"action {chosen[player]} is not one of {player} at {self}")
            match._act(player, action)
            moves = self.seen["stage"] == "moving" and action != "let"
        # A move ends the turn, and the next one may begin with a move without a bid.
        return Node(self.setting, match, self.turns + moves)

    @property
    def _bid(self) -> int | None:
        """The bid that both know: one that must be answered, or that of a tie."""
        found = self.seen["named"] if self.seen["stage"] == "bids" else self.seen["tied_bid"]
        return None if found is None else int(found)

    @property
    def _may_let(self) -> bool:
        return any(self.setting.total + 3 in self.legal(player) for player in self.due)

    def __str__(self) -> str:
        """Everything that matters from now on, on one line."""
        seen = self.seen
        parts = [seen["position"], f"Alice {seen['alice']}, Bob {seen['bob']}"]
        if self.is_over:
            parts.append(f"over: {self.payoff}")
        elif seen["stage"] == "moving":
            may = " or lets" if self._may_let else ""
            parts.append(f"{seen['mover']} moves{may}")
        else:
            bid = "" if self._bid is None else f" at {self._bid}"
            parts.append(f"{seen['stage']}{bid}: {' and '.join(self.due)}")
        if self.setting.is_cut:
            parts.append(f"turn {self.turns + 1} of {self.setting.limit}")
        return "; ".join(parts)

    def fill(self, parts: dict[str, Any], player: int) -> None:
        """Writes what a player sees into the parts of an array."""
        seen, setting = self.seen, self.setting
        for part in parts.values():
            part.fill(0)
        parts["player"][player] = 1
        for at, who in enumerate(PLAYERS):
            hand = str(seen[who])
            parts["due"][at] = who in self.due
            parts["chips"][at, int(hand.rstrip("*"))] = 1
            parts["star"][at] = hand.endswith("*")
        if seen["stage"] in _STAGES:
            parts["stage"][_STAGES.index(seen["stage"])] = 1
        if self._bid is not None:
            parts["bid"][self._bid] = 1
        parts["may_let"][0] = self._may_let
        parts["turns"][0] = self.turns / setting.limit if setting.is_cut else 0
        for at, letter in enumerate(seen["position"][: setting.walk.length]):
            parts["position"][at, setting.letters.get(letter, -1)] = 1
