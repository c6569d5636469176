"""Matches, computer players and policies."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path
from typing import Any, Literal

import pytest

import richman as rm
from richman import Holding
from richman.play import Match, play_out

T = "tic-tac-toe"


def test_a_match_turn_by_turn() -> None:
    match = Match(T, alice="4*", bob=4)
    assert match.view().due == ["alice", "bob"] and match.over is None
    match.bid("alice", 1)
    assert match.view("bob").own_bid is None and match.view("bob").allowed_bids == [(0, 4)]
    match.bid("bob", 1)
    assert match.view().stage == "tie" and match.view().due == ["alice"]
    match.use_star(True)
    assert match.view("alice").moves[:3] == ["a1", "b1", "c1"]
    assert match.hands["bob"] == Holding("5*")
    match.move("b2")
    (turn,) = match.turns
    assert (turn.winner, turn.mover, turn.move, turn.star_used) == ("alice", "alice", "b2", True)
    match.bid("alice", 0)
    match.bid("bob", 2)
    match.let()
    assert match.view().due == ["alice"]
    match.resign("alice")
    end = match.over
    assert end is not None and (end.how, end.winner) == ("resigned", "bob")


def test_what_a_match_refuses_changes_nothing() -> None:
    match = Match(T, alice="4*", bob=4)
    before = match.view()
    refused: list[tuple[str, Any]] = [
        ("Alice has 4 chips and cannot bid 5", lambda: match.bid("alice", 5)),
        ("is not to do that now", lambda: match.move("b2")),
        ("is not to do that now", lambda: match.use_star(True)),
        ("not a player", lambda: match.bid("carol", 1)),  # type: ignore[arg-type]
    ]
    for reason, act in refused:
        with pytest.raises(rm.Error, match=reason):
            act()
    with pytest.raises(TypeError):
        match.bid("alice", 1.5)  # type: ignore[arg-type]
    assert match.view() == before
    with pytest.raises(rm.Error, match="star"):
        Match(T, alice=4, bob=4)


def test_equal_chips_by_default() -> None:
    hands = Match(T).hands
    assert hands == {"alice": Holding("8*"), "bob": Holding(8)}
    hands = Match(T, chips=9, ties="alice").hands
    assert hands == {"alice": Holding(4), "bob": Holding(5)}


def test_a_strategy_wins_from_every_won_start() -> None:
    for chips in (3, 4):
        for star, had in itertools.product((True, False), range(chips + 1)):
            alice, bob = Holding(had, star), Holding(chips - had, not star)
            solution = rm.solve(T, alice=alice, bob=bob)
            for seed in range(3):
                match = Match(T, alice=alice, bob=bob)
                policy = solution.strategy("alice")
                end = play_out(match, policy, match.computer("random", seed))
                if solution.outcome == "alice":
                    assert end.winner == "alice"
                elif solution.outcome == "draw":
                    assert end.winner != "bob"


@pytest.mark.parametrize("player", ["alice", "bob"])
def test_a_strategy_names_moves_as_its_position_does(player: Literal["alice", "bob"]) -> None:
    """Symmetric positions are solved as one, and their moves have other names."""
    policy = rm.solve(T, chips=8).strategy(player)
    for position in ("B../.B./...", "..B/.B./...", ".../.B./B..", "A../.../..B", "..A/.../B.."):
        for alice, star in itertools.product(range(9), (True, False)):
            one, other = Holding(alice, star), Holding(8 - alice, not star)
            solved = rm.solve(T, position=position, alice=one, bob=other).advice[player]
            assert policy.advice(position, one, other) == solved


def test_a_strategy_under_other_mechanisms() -> None:
    mechanisms = [
        {"bidding": "alice-first"},
        {"bidding": "bob-first"},
        {"payment": "poorman"},
        {"ties": "loser"},
    ]
    for choices in mechanisms:
        for alice, bob in (("9*", 1), ("6*", 6)):
            solution = rm.solve(T, alice=alice, bob=bob, **choices)  # type: ignore[arg-type]
            match = Match(T, alice=alice, bob=bob, **choices)  # type: ignore[arg-type]
            end = play_out(match, solution.strategy("alice"), match.computer("random", 5))
            assert solution.outcome != "alice" or end.winner == "alice"
    match = Match("hex:size=3", alice="9*", bob=3)
    policy = rm.solve("hex:size=3", alice="9*", bob=3).strategy()
    assert play_out(match, policy, match.computer("greedy")).winner == "alice"


def test_a_strategy_is_saved_and_pickled(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    ends = {"0": {"winner": "alice"}, "2": {"winner": "bob"}}
    positions = {**ends, "1": {"alice": ["0"], "bob": ["2"]}}
    graph = {"name": "walk", "start": "1", "positions": positions}
    for game, position in ((rm.game(T), ".../.A./..."), (rm.from_dict(graph), "1")):
        policy = rm.solve(game, chips=8).strategy("bob")
        policy.save(path)
        for other in (rm.Strategy.load(path), pickle.loads(pickle.dumps(policy))):
            assert other(position, "3", "5*") == policy(position, "3", "5*")
    path.write_text("{}")
    with pytest.raises(rm.Error, match="no saved strategy"):
        rm.Strategy.load(path)
    with pytest.raises(rm.Error, match="over"):
        rm.solve(T, chips=8).strategy()("AAA/BB./...", "4*", 4)
    with pytest.raises(rm.Error, match="for chips"):
        rm.solve(T).strategy()


def test_a_function_is_a_policy() -> None:
    def bold(position: str, alice: Holding, bob: Holding) -> rm.Choice:
        return rm.Choice(bob.chips, True, None)

    match = Match("tug-of-war", alice="5*", bob=5, limit=50)
    assert play_out(match, match.computer("perfect"), bold).winner == "alice"


def test_scoring_matches() -> None:
    match = Match("subtraction:heap=5", alice="3*", bob=3, preset="larsson")
    end = play_out(match, match.computer("perfect"), match.computer("random"))
    assert end.how == "game" and end.score is not None and end.score >= 1
    assert match.review().turns


def test_records_are_read_by_the_review() -> None:
    match = Match(T, alice="4*", bob=4)
    play_out(match, match.computer("random", 1), match.computer("random", 2))
    record = match.record({"Event": "a test"})
    assert 'Event "a test"' in record
    assert rm.review(record) == match.review() != None  # noqa: E711


def test_a_slow_win_is_no_mistake(documents: Path) -> None:
    review = rm.review(documents / "examples" / "dp10-1-1.txt")
    assert not review.mistakes and [each["player"] for each in review.slower] == ["alice"]
    assert str(review).endswith(review.slower[0]["text"])


def test_a_review_names_mistakes() -> None:
    match = Match(T, alice="4*", bob=4)
    match.bid("alice", 0)
    match.bid("bob", 3)
    match.move("b1")
    review = match.review()
    first = review.mistakes[0]
    assert (first["turn"], first["player"], first["better"]["bids"]) == (1, "alice", [[1, 1]])
    assert str(review).splitlines()[:2] == [review.summary, f"turn 1: {first['text']}"]
    frame = review.to_frame()
    assert list(frame["alice"]) == [Holding("4*"), Holding("7*")]
    assert [each["grade"] for each in review.mistakes] == ["result", "margin", "margin"]
    assert list(frame["alice_margin"]) == [0, 2] and list(frame["move"]) == ["b1", None]


def test_a_policy_that_moves_where_there_is_no_move_is_refused() -> None:
    def wrong(position: str, alice: Holding, bob: Holding) -> rm.Choice:
        return rm.Choice(bid=alice.chips, use_star=True, move="z9")

    match = rm.play.Match("tic-tac-toe", alice="4*", bob=4)
    with pytest.raises(rm.Error, match=r"moves z9 at .*, which is none of the moves there: a1, "):
        rm.play.play_out(match, wrong, match.computer("greedy"))
