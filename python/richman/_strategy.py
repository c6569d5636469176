"""Policies of best play."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from . import _options, _richman
from ._answer import asked
from ._game import Game, from_dict
from ._game import game as named
from ._numbers import Holding
from ._options import HoldingLike, Player
from ._richman import Error
from ._solve import Advice, advice, solve


class Choice(NamedTuple):
    """What a policy does in a turn."""

    bid: int | None
    """The bid; None if no amount may be bid."""
    use_star: bool
    """Whether to use the star in a tie at this bid."""
    move: str | None
    """The move after winning with this bid; None to let the other player move."""
    made_to_move: str | None = None
    """The move if the other player wins and lets this one move; None if it is `move`."""
    after_tie: Choice | None = None
    """What to do after winning a tie with the star, if that differs."""
    made_to_move_by_bid: tuple[tuple[tuple[int, int], bool, str | None], ...] = ()
    """The move if the other player wins with one of these bids, in a tie or not, and lets this one
    move, if it depends on them."""

    def made_to_move_after(self, bid: int, tied: bool) -> str | None:
        """The move if the other player wins with this bid and lets this one move."""
        for (least, most), is_tie, move in self.made_to_move_by_bid:
            if least <= bid <= most and is_tie == tied:
                return move
        return self.made_to_move or self.move


class Strategy:
    """A policy of best play with chips: call it with a position and both holdings.

    >>> import richman as rm
    >>> policy = rm.solve("tic-tac-toe", alice="4*", bob=4).strategy("alice")
    >>> choice = policy(".../.../...", "4*", 4)
    >>> choice.bid, choice.use_star, choice.move
    (1, True, 'b2')

    A player who can force a win takes one of the bids that win in the fewest moves. It can be
    pickled, and saved to a file that other machines read: see :meth:`save`. The game is solved when
    it is first called, for every division of the chips.
    """

    __slots__ = ("_known", "_options", "_policy", "game", "player")

    game: Game
    """The game."""
    player: Player
    """Who plays by it."""

    def __init__(self, game: Game, player: Player, options: Mapping[str, Any]) -> None:
        """Use :meth:`richman.Solution.strategy`."""
        if player not in ("alice", "bob"):
            raise Error(f'"{player}" is not a player: write alice or bob')
        self.game = game
        self.player = player
        kept = (*_options.MECHANISM, "memory", "positions", "within", "position", "chips")
        self._options = {key: options[key] for key in kept if key in options}
        if "chips" not in self._options:
            both = [Holding(options[each]).chips for each in ("alice", "bob") if each in options]
            self._options["chips"] = str(sum(both))
        self._policy: _richman.Policy | bool | None = False  # not solved yet
        self._known: dict[tuple[str, str, str], Advice | None] = {}

    def advice(self, position: Hashable, alice: HoldingLike, bob: HoldingLike) -> Advice | None:
        """All good decisions at a position with these holdings; None if the game is over there.

        Raises richman.Error for a position that cannot follow, or holdings that cannot be.
        """
        at = self.game._at(position)
        assert at is not None
        held = Holding(_options.held("alice", alice)), Holding(_options.held("bob", bob))
        key = at, str(held[0]), str(held[1])
        if key not in self._known:
            self._known[key] = self._asked(*key, held)
        return self._known[key]

    def _asked(self, at: str, alice: str, bob: str, held: tuple[Holding, Holding]) -> Advice | None:
        if self._policy is False:
            self._policy = asked({}, _richman.Policy.solved, self.game, self._options)
        total = int(self._options["chips"])
        policy = self._policy
        is_usual = sum(each.chips for each in held) == total
        is_usual = is_usual and sum(each.star for each in held) <= 1
        if isinstance(policy, _richman.Policy) and is_usual:
            found = policy.advice(at, self.player, alice, bob)
            return None if found is None else advice(json.loads(found))
        # Where chips leave the game, and where an engine judges positions one by one.
        options = dict(self._options)
        for other in ("position", "chips"):
            options.pop(other, None)
        within = options.pop("within", None)
        answer = solve(self.game, position=at, alice=alice, bob=bob, within=within, **options)
        return answer.advice[self.player]

    def __call__(
        self,
        position: Hashable,
        alice: HoldingLike,
        bob: HoldingLike,
        other_bid: int | None = None,
    ) -> Choice:
        """What to do: the bid, the star in a tie, and the move.

        `other_bid` is the other player's bid, for a player who answers it.
        Raises richman.Error if the game is over.
        """
        found = self.advice(position, alice, bob)
        if found is None:
            raise Error(f"the game is over at {position}")
        bid = _first(found)
        if found.answers and other_bid is not None:
            own = Holding(alice if self.player == "alice" else bob).chips
            bid = _answer(found, other_bid, _least(self._options.get("bids", "all"), own))
        star = bool(found.use_star)
        for bids, use_star in found.star_by_bid:
            if bid is not None and bids[0] <= bid <= bids[1]:
                star = use_star
        moves = found.moves
        for bids, best in found.moves_by_bid:
            if bid is not None and bids[0] <= bid <= bids[1]:
                moves = best
        made = found.made_to_move or (moves if found.let_other_move else [])
        by_bid = tuple(
            (bids, tied, _first_move(best)) for bids, tied, best in found.made_to_move_by_bid
        )
        choice = Choice(
            bid, star, _first_move(moves, found.let_other_move), _first_move(made), None, by_bid
        )
        if found.after_tie is None:
            return choice
        after = _first_move(found.after_tie["moves"], found.after_tie["let_other_move"])
        return choice._replace(after_tie=choice._replace(move=after))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the policy as JSON. A game that is not listed is saved with all its positions."""
        how, source, _ = self.game._made
        saved: dict[str, Any] = {"strategy": 1, "player": self.player, "options": self._options}
        if how == "name":
            saved["game"] = source
        else:
            saved["file"] = json.loads(self.game.export())
        import tempfile  # here, because it takes long

        target = Path(_options.path(path))
        # The file is complete or unchanged.
        folder = target.parent
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as new:
            json.dump(saved, new)
        os.replace(new.name, target)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Strategy:
        """The policy that :meth:`save` wrote.

        Raises richman.Error if the file is not one.
        """
        name = _options.path(path)
        try:
            saved = json.loads(Path(name).read_text(encoding="utf-8"))
            game = named(saved["game"]) if "game" in saved else from_dict(saved["file"])
            return Strategy(game, saved["player"], saved["options"])
        except (OSError, ValueError, KeyError, TypeError) as cause:
            raise Error(f"{name} is no saved strategy: {cause!r}") from cause

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Strategy):
            return NotImplemented
        mine = self.game, self.player, self._options
        return mine == (other.game, other.player, other._options)

    def __hash__(self) -> int:
        return hash((self.game, self.player))

    def __repr__(self) -> str:
        return f"<Strategy of {self.player} in {self.game.name}, {self._options['chips']} chips>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Strategy, (self.game, self.player, self._options)


def _first_move(moves: list[str], let_other_move: bool = False) -> str | None:
    return None if let_other_move or not moves else moves[0]


def _first(found: Advice) -> int | None:
    bids = found.fastest or found.bids
    return bids[0][0] if bids else None


def _least(bids: str, own: int) -> int | None:
    """The least amount that may be bid, if one has as much."""
    least = 0 if bids == "all" else min(int(amount) for amount in bids.split("+"))
    return least if least <= own else None


def _answer(found: Advice, other_bid: int, least: int | None) -> int | None:
    """A good answer to a bid: the lowest good bid above it, or one that loses, or the same."""
    for each in found.answers:
        low, high = each["to"]
        if low <= other_bid <= high:
            for first, last in each["higher"]:
                if last > other_bid:
                    return max(int(first), other_bid + 1)
            if each["lower"] and (least is None or least < other_bid):
                return least
            return other_bid if each["equal"] else _first(found)
    return _first(found)
