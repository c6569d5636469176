"""The environments for PettingZoo: its own checks, masks, and what is not seen."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy
import own_games
import pytest
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

import richman as rm
from richman.pettingzoo import env, parallel_env

GAMES: list[dict[str, Any]] = [
    {},
    {"game": "tug-of-war", "limit": 9},
    {"bidding": "alice-first"},
    {"game": "subtraction", "preset": "larsson"},
    {"game": "hex:size=3", "chips": 7, "payment": "poorman"},
    {"game": own_games.Chomp(3, 3)},
]


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_the_checks_of_pettingzoo(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(**options), 300)
        parallel_seed_test(functools.partial(parallel_env, **options))
        # It warns of masks in observations, and of agents without numbers.
        warnings.filterwarnings("ignore", "Observation|We recommend agents")
        api_test(env(**options), 300)
        seed_test(functools.partial(env, **options))


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode=None: env(render_mode=render_mode))
    drawn = parallel_env("tug-of-war", render_mode="ansi")
    drawn.reset()
    assert "Alice 8*, Bob 8" in str(drawn.render())
    with pytest.raises(rm.Error, match="render mode"):
        parallel_env(render_mode="film")


def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(numpy.array_equal(one[key], other[key]) for key in ("observation", "action_mask"))


def test_a_pending_bid_is_never_seen() -> None:
    turns = env("tic-tac-toe", alice="4*", bob=4)
    seen = []
    for bid in range(5):
        turns.reset()
        turns.step(bid)
        assert turns.agent_selection == "bob"
        seen.append(turns.last()[0])
        assert equal(seen[0], seen[-1])
        assert turns.last()[4] == {} and numpy.array_equal(
            turns.state(), seen[0]["observation"]
        ) is (
            False  # Alice's state says that it is hers
        )
    # A bid in the open is seen.
    opened = parallel_env("tic-tac-toe", alice="4*", bob=4, bidding="alice-first")
    answers = []
    for bid in range(5):
        opened.reset()
        answers.append(opened.step({"alice": bid, "bob": opened.wait})[0]["bob"])
    assert not any(equal(answers[0], other) for other in answers[1:])


def test_masks_are_the_legal_actions() -> None:
    both = parallel_env("tic-tac-toe", alice="4*", bob=4)
    seen, _ = both.reset()
    texts = [both.text(int(each)) for each in seen["bob"]["action_mask"].nonzero()[0]]
    assert texts == [f"bid {bid}" for bid in range(5)]
    seen, *_ = both.step({"alice": 2, "bob": 1})
    texts = [both.text(int(each)) for each in seen["alice"]["action_mask"].nonzero()[0]]
    assert texts[:2] == ["let the other player move", "move a1"] and len(texts) == 10
    assert seen["bob"]["action_mask"].nonzero()[0].tolist() == [both.wait]
    assert both.text(both.wait) == "wait"


def test_rewards_and_ends() -> None:
    short = parallel_env("tug-of-war:length=2", alice="5*", bob=1)
    short.reset()
    short.step({"alice": 2, "bob": 0})
    number = {short.text(each): each for each in range(short.wait + 1)}
    _, rewards, ended, cut, _ = short.step({"alice": number["move 0"], "bob": short.wait})
    assert rewards == {"alice": 1, "bob": -1} and not short.agents
    assert all(ended.values()) and not any(cut.values())
    with pytest.raises(rm.Error, match="reset"):
        short.step({})
    long = parallel_env("tug-of-war", alice="5*", bob=1, limit=1)
    long.reset()
    long.step({"alice": 2, "bob": 0})
    number = {long.text(each): each for each in range(long.wait + 1)}
    _, rewards, ended, cut, _ = long.step({"alice": number["move 2"], "bob": long.wait})
    assert rewards == {"alice": 0, "bob": 0}
    assert all(cut.values()) and not any(ended.values())


def test_a_forbidden_action_loses() -> None:
    both = parallel_env("tic-tac-toe", alice="4*", bob=4)
    both.reset()
    with pytest.raises(rm.Error, match="bob gives no action"):
        both.step({"alice": 0})
    _, rewards, ended, _, infos = both.step({"alice": 1, "bob": 5})
    assert rewards == {"alice": 0, "bob": -1} and all(ended.values())
    assert infos == {"alice": {}, "bob": {"illegal": True}}
