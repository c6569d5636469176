"""Environments for PettingZoo, which needs ``pip install pettingzoo``.

>>> import richman.pettingzoo
>>> env = richman.pettingzoo.parallel_env("tic-tac-toe", alice="4*", bob=4)
>>> seen, infos = env.reset()
>>> [int(each) for each in seen["bob"]["action_mask"].nonzero()[0]]
[0, 1, 2, 3, 4]
>>> seen, rewards, *_ = env.step({"alice": 1, "bob": 1})
>>> env.text(int(seen["alice"]["action_mask"].argmax()))
'keep the star'

The agents "alice" and "bob" bid in one step; then the holder of the star decides a tie, and the
winner moves or lets the other player move, while the other agent waits: the last action. An
observation is a dict of ``observation``, an array of numbers from 0 to 1, and ``action_mask``. All
of it is public: no bid is in it before both are known, unless bids are open.

Rewards come at the end: 1 and -1 for a win and a loss, 0 for a draw, or the score. After the limit
on turns the episode is truncated. An action that the mask forbids ends the episode, with the worst
reward for its agent and 0 for the other; ``infos`` then says ``"illegal": True``.
"""

from __future__ import annotations

from typing import Any

try:
    import numpy
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import ParallelEnv
    from pettingzoo.utils.conversions import parallel_to_aec
except ImportError as missing:
    raise ImportError(
        f"richman.pettingzoo needs {missing.name}: pip install pettingzoo numpy"
    ) from None

from ._game import GameLike
from ._nodes import PLAYERS, Node, Setting
from ._options import Chips, HoldingLike
from ._richman import Error

__all__ = ["BiddingEnv", "env", "parallel_env"]


class BiddingEnv(ParallelEnv):
    """A match as a parallel environment; made by :func:`parallel_env`."""

    metadata = {"name": "richman_v0", "render_modes": ["ansi", "human"], "is_parallelizable": True}

    def __init__(self, setting: Setting, render_mode: str | None = None) -> None:
        if render_mode not in (None, "ansi", "human"):
            raise Error(f'the render mode "{render_mode}" is unknown: give "ansi", "human" or none')
        self.setting = setting
        self.render_mode = render_mode
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        self.node: Node = setting.start
        actions = setting.actions + 1
        self._spaces: dict[str, Any] = {
            agent: Dict(
                {
                    "observation": Box(0, 1, (setting.size,), numpy.float32),
                    "action_mask": Box(0, 1, (actions,), numpy.int8),
                }
            )
            for agent in PLAYERS
        }
        self._actions = {agent: Discrete(actions) for agent in PLAYERS}

    @property
    def wait(self) -> int:
        """The action of an agent who does not decide."""
        return self.setting.actions

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self._actions[agent]

    def text(self, action: int) -> str:
        """An action in words."""
        return "wait" if action == self.wait else self.setting.text(action)

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        """Begins a match. Nothing is random in it: `seed` and `options` change nothing."""
        self.node = self.setting.start
        self.agents = list(self.possible_agents)
        return self._seen(), {agent: {} for agent in self.agents}

    def _seen(self) -> dict[str, Any]:
        return {agent: self._of(agent) for agent in self.agents}

    def _of(self, agent: str) -> dict[str, Any]:
        seen = numpy.zeros(self.setting.size, numpy.float32)
        self.node.fill(self.setting.views(seen), PLAYERS.index(agent))
        mask = numpy.zeros(self.setting.actions + 1, numpy.int8)
        mask[list(self.node.legal(agent)) or [self.wait]] = 1
        return {"observation": seen, "action_mask": mask}

    def state(self) -> Any:
        """What Alice sees, which is everything."""
        return self._of("alice")["observation"]

    def step(self, actions: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Takes the actions of all agents.

        Raises richman.Error before a reset, and if an agent gives none.
        """
        if not self.agents:
            raise Error("no match is in play: call reset first")
        absent = [agent for agent in self.agents if actions.get(agent) is None]
        if absent:
            raise Error(f"{absent[0]} gives no action: {self.wait} is the one to wait")
        chosen = {agent: int(actions[agent]) for agent in self.agents}
        allowed = {agent: self.node.legal(agent) or {self.wait: None} for agent in self.agents}
        illegal = [agent for agent in self.agents if chosen[agent] not in allowed[agent]]
        if not illegal:
            self.node = self.node.after(chosen)
        over = self.node.seen["over"]
        is_cut = over is not None and over["how"] == "limit"
        payoff = self.node.payoff
        rewards = {"alice": float(payoff), "bob": float(-payoff)}
        if illegal:
            rewards = {agent: -float(self.setting.bound * (agent in illegal)) for agent in PLAYERS}
        ended = dict.fromkeys(self.agents, bool(illegal) or (over is not None and not is_cut))
        cut = dict.fromkeys(self.agents, is_cut)
        infos = {agent: {"illegal": True} if agent in illegal else {} for agent in self.agents}
        seen = self._seen()
        if illegal or over is not None:
            self.agents = []
        if self.render_mode == "human":
            print(self._drawn())
        return seen, rewards, ended, cut, infos

    def render(self) -> str | None:
        """The position as text, with the holdings; None if it is printed after every step."""
        return self._drawn() if self.render_mode == "ansi" else None

    def _drawn(self) -> str:
        return f"{self.setting.game.picture(self.node.seen['position'])}\n{self.node}"

    def close(self) -> None:
        """Nothing is open."""


def parallel_env(
    game: GameLike = "tic-tac-toe",
    *,
    alice: HoldingLike | None = None,
    bob: HoldingLike | None = None,
    chips: Chips | None = None,
    position: Any = None,
    limit: int | None = None,
    render_mode: str | None = None,
    **mechanism: Any,
) -> BiddingEnv:
    """An environment in which both agents act at once: any game, from holdings as in
    :class:`richman.play.Match`.

    `limit` is the number of turns after which an episode is truncated; by default 200, or none
    where the game ends by itself.

    Raises richman.Error for holdings, positions or a mechanism that cannot be.
    """
    setting = Setting(
        game, alice=alice, bob=bob, chips=chips, position=position, limit=limit, **mechanism
    )
    return BiddingEnv(setting, render_mode)


def env(game: GameLike = "tic-tac-toe", **options: Any) -> Any:
    """The same environment, in which the agents act one after the other (AEC).

    Bob does not see what Alice did in the same step. The options are those of
    :func:`parallel_env`.

    >>> import richman.pettingzoo
    >>> env = richman.pettingzoo.env("tug-of-war", chips=4)
    >>> env.reset(); env.agent_selection
    'alice'
    """
    return parallel_to_aec(parallel_env(game, **options))
