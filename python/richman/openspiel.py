"""Games for OpenSpiel, which needs ``pip install open_spiel``.

Both bid at a simultaneous node, or one after the other in the open; then the holder of the star
decides a tie, and the winner of the bid moves or lets the other player move.

>>> import richman.openspiel
>>> game = richman.openspiel.load("connect:rows=3,cols=3,line=3", alice="1*", bob=1)
>>> state = game.new_initial_state()
>>> state.is_simultaneous_node(), state.legal_actions(0)
(True, [0, 1])
>>> state.apply_actions([1, 1])
>>> str(state)
'.../.../...; Alice 1*, Bob 1; tie at 1: alice'
>>> [state.action_to_string(each) for each in state.legal_actions()]
['keep the star', 'use the star']

The game is registered as ``python_richman``; in a string, parameters of a game are written with
colons and semicolons: ``python_richman(game=connect;rows:3;cols:3;line:3,holdings=1*:1)``.

Player 0 is Alice. Utilities are 1, 0 and -1, or her score and its negative. Every state is public:
sealed bids are made at once. There are strings of information states, and strings and tensors of
observations.
"""

from __future__ import annotations

import functools
import re
from typing import Any

try:
    import numpy
    import pyspiel
except ImportError as missing:
    raise ImportError(
        f"richman.openspiel needs {missing.name}: pip install open_spiel numpy"
    ) from None

from ._game import Game, GameLike, as_game
from ._nodes import PLAYERS, Node, Setting
from ._options import MECHANISM, Chips, HoldingLike
from ._richman import Error

__all__ = ["RichmanGame", "RichmanState", "load"]

_KIND = pyspiel.GameType
_PARAMETERS: dict[str, Any] = {
    "game": "tic-tac-toe",
    "holdings": "",
    "position": "",
    "limit": 0,
    **dict.fromkeys(MECHANISM, ""),
}
_OWN: dict[str, Game] = {}
_SAFE = re.compile(r"[^,=()]*")


def _kind(dynamics: Any) -> Any:
    return _KIND(
        short_name="python_richman",
        long_name="Bidding game",
        dynamics=dynamics,
        chance_mode=_KIND.ChanceMode.DETERMINISTIC,
        information=_KIND.Information.PERFECT_INFORMATION,
        utility=_KIND.Utility.ZERO_SUM,
        reward_model=_KIND.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_PARAMETERS,
    )


def load(
    game: GameLike,
    *,
    alice: HoldingLike | None = None,
    bob: HoldingLike | None = None,
    chips: Chips | None = None,
    position: Any = None,
    limit: int | None = None,
    **mechanism: Any,
) -> Any:
    """A game of OpenSpiel: any game, from holdings as in :class:`richman.play.Match`.

    `limit` is the number of turns after which a match is a draw; by default 200, or none where the
    game ends by itself. A game that has no name is known to this process alone.

    Raises richman.Error for holdings, positions or a mechanism that cannot be.

    >>> import richman.openspiel
    >>> str(richman.openspiel.load("hex:size=2", chips=4).num_distinct_actions())
    '13'
    """
    subject = as_game(game)
    setting = Setting(
        subject, alice=alice, bob=bob, chips=chips, position=position, limit=limit, **mechanism
    )
    hands = setting.hands
    parameters: dict[str, Any] = {
        "game": _written(subject),
        "holdings": f"{hands['alice']}:{hands['bob']}",
        "limit": limit or 0,
        "position": "" if position is None else subject.notation(position),
    }
    for name in MECHANISM:
        value = mechanism.get(name)
        if value is not None and not isinstance(value, str):
            value = "+".join(map(str, value))
        parameters[name] = value or ""
    # Digits and signs alone would be read as a number.
    parameters["bids"] = re.sub(r"^([0-9+]+)$", r"\1;", parameters["bids"])
    for name, value in parameters.items():
        if not _SAFE.fullmatch(str(value)):
            raise Error(
                f"OpenSpiel cannot write the {name} {value}: it has one of the signs , = ( )"
            )
    return pyspiel.load_game("python_richman", parameters)


def _written(game: Game) -> str:
    """The game as a parameter: its name, or a number in this process."""
    how, source, _ = game._made
    name = str(source).replace(":", ",", 1).replace(",", ";").replace("=", ":")
    if how == "name" and _SAFE.fullmatch(name) and _read(name) == source:
        return name
    for key, known in _OWN.items():
        if known is game:
            return key
    key = f"own-{len(_OWN) + 1}"
    _OWN[key] = game
    return key


def _read(name: str) -> str:
    first, _, rest = name.partition(";")
    pairs = ",".join(each.replace(":", "=", 1) for each in rest.split(";"))
    return f"{first}:{pairs}" if rest else first


@functools.lru_cache(maxsize=64)
def _setting(**parameters: Any) -> Setting:
    given = {key: value for key, value in parameters.items() if value}
    name = given.pop("game")
    if re.fullmatch(r"own-\d+", name) and name not in _OWN:
        raise Error(f"{name} is not known to this process: load it with richman.openspiel.load")
    if "bids" in given:
        given["bids"] = given["bids"].rstrip(";")
    holdings = given.pop("holdings", None)
    if holdings is not None:
        given["alice"], found, given["bob"] = holdings.partition(":")
        if not found:
            raise Error(f'"{holdings}" are not two holdings: write both with a colon, such as 4*:4')
    return Setting(_OWN.get(name) or as_game(_read(name)), **given)


class RichmanGame(pyspiel.Game):
    """A bidding game; made by :func:`load`, or by ``pyspiel.load_game("python_richman")``."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        self.setting: Setting = _setting(**given)
        is_open = (given["bidding"] or "sealed") != "sealed" or given["preset"] == "gasarch"
        dynamics = _KIND.Dynamics.SEQUENTIAL if is_open else _KIND.Dynamics.SIMULTANEOUS
        bound = float(self.setting.bound)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setting.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0,
            # Two bids, the star, letting the other player move, a move.
            max_game_length=5 * self.setting.limit,
        )
        super().__init__(_kind(dynamics), info, params or {})

    def new_initial_state(self) -> RichmanState:
        """The match before its first turn."""
        return RichmanState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """What players see, as OpenSpiel asks for it."""
        if params:
            raise Error(f"observers of python_richman have no parameters, but {params} are given")
        return _Observer(self.setting, iig_obs_type is not None and iig_obs_type.perfect_recall)


class RichmanState(pyspiel.State):
    """A match in progress."""

    def __init__(self, game: RichmanGame) -> None:
        super().__init__(game)
        self.node: Node = game.setting.start

    def current_player(self) -> Any:
        """0 for Alice, 1 for Bob, or that both bid, or that the match is over."""
        due = self.node.due
        if len(due) == 1:
            return PLAYERS.index(due[0])
        return pyspiel.PlayerId.SIMULTANEOUS if due else pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.legal(PLAYERS[player]))

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after({self.node.due[0]: action})

    def _apply_actions(self, actions: list[int]) -> None:
        self.node = self.node.after(dict(zip(PLAYERS, actions)))

    def _action_to_string(self, player: int, action: int) -> str:
        found = self.node.legal(PLAYERS[player]).get(action)
        if isinstance(found, dict) and "move" in found:
            return f"move {found['move']}"
        return self.node.setting.text(action)

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.node.is_over

    def returns(self) -> list[float]:
        """Alice's and Bob's utility."""
        payoff = self.node.payoff
        return [float(payoff), float(-payoff)]

    def __str__(self) -> str:
        return str(self.node)


class _Observer:
    """What a player sees: everything but sealed bids, which are never pending."""

    def __init__(self, setting: Setting, is_perfect_recall: bool) -> None:
        self.is_perfect_recall = is_perfect_recall
        self.tensor = None if is_perfect_recall else numpy.zeros(setting.size, numpy.float32)
        self.dict = {} if self.tensor is None else setting.views(self.tensor)

    def set_from(self, state: RichmanState, player: int) -> None:
        """Writes what a player sees into the tensor."""
        if self.tensor is not None:
            state.node.fill(self.dict, player)

    def string_from(self, state: RichmanState, player: int) -> str:
        """What a player sees; with perfect recall also all actions before."""
        if self.is_perfect_recall:
            return f"{state.history_str()}\n{state.node}"
        return str(state.node)


pyspiel.register_game(_kind(_KIND.Dynamics.SIMULTANEOUS), RichmanGame)
