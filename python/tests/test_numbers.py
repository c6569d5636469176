"""Exact numbers: holdings, intervals, thresholds."""

from __future__ import annotations

import copy
import itertools
import pickle
from fractions import Fraction
from typing import Any

import pytest

import richman as rm
from richman import Holding, Interval


def test_holdings_are_ordered() -> None:
    texts = ["0", "0*", "1", "1*", "2", "10", "10*"]
    holdings = [Holding(text) for text in texts]
    for (first, a), (second, b) in itertools.product(enumerate(holdings), repeat=2):
        assert (a < b, a <= b, a == b) == (first < second, first <= second, first == second)
    assert [str(each) for each in sorted([*holdings[3:], *holdings[:3]])] == texts
    assert Holding(4) == 4 == Holding("4") and hash(Holding(4)) == hash(4)
    assert 4 < Holding("4*") < 5 and Holding(4, True) == Holding("4*")
    assert Holding("4*") != "4*" and Holding("4*") in {Holding("4*")}


def test_holdings_do_not_change() -> None:
    holding: Any = Holding("4*")
    with pytest.raises(AttributeError):
        holding.chips = 5
    with pytest.raises(AttributeError):
        del holding.star
    for other in (pickle.loads(pickle.dumps(holding)), copy.copy(holding), copy.deepcopy(holding)):
        assert other == holding


@pytest.mark.parametrize("text", ["", "*", "4**", "-1", "4.0", "four", "4 *", "\u0664"])
def test_what_is_no_holding_is_refused_as_by_the_command(text: str) -> None:
    with pytest.raises(rm.Error, match="is not a holding: write a number of chips"):
        Holding(text)
    if text != "-1":
        with pytest.raises(rm.Error) as ours:
            rm.solve("tic-tac-toe", alice=text, bob=4)
        with pytest.raises(rm.Error) as theirs:
            Holding(text)
        assert str(ours.value) == str(theirs.value)


@pytest.mark.parametrize("value", [4.0, True, None, b"4", [4]])
def test_other_types_are_type_errors(value: Any) -> None:
    with pytest.raises(TypeError):
        Holding(value)


def test_bounds_are_an_interval() -> None:
    s = rm.solve("connect", time=1)
    assert not s.exact and isinstance(s.win, Interval) and isinstance(s.bid, Interval)
    assert s.win.low < s.win.high and s.win.middle in s.win and s.win.width > 0
    assert "to" in str(s.win) and pickle.loads(pickle.dumps(s.win)) == s.win
    with pytest.raises(rm.Error, match="empty"):
        Interval(Fraction(1), Fraction(0))


def test_no_exact_number_is_a_float() -> None:
    def floats(value: object) -> bool:
        if isinstance(value, dict):
            return any(floats(each) for each in value.values())
        if isinstance(value, (list, tuple)):
            return any(floats(each) for each in value)
        return isinstance(value, float)

    for s in (
        rm.solve("tic-tac-toe"),
        rm.solve("connect", time=1),
        rm.solve("tic-tac-toe", alice="4*", bob=4),
    ):
        seen = [
            s.win,
            s.draw,
            s.bid,
            s.draw_bid,
            s.moves,
            s.alice,
            s.bob,
            s.total,
            s.within,
            s.advice,
        ]
        assert not floats(seen)
    t = rm.table("tic-tac-toe", chips=9)
    assert not floats([list(row) for row in t.rows])


def test_thresholds_are_ordered() -> None:
    rows = rm.table("tic-tac-toe", chips=range(20)).rows
    wins = [row.win for row in rows]
    assert sorted(wins) == wins and all(row.draw <= row.win for row in rows)
    assert wins[8] == Holding("4*") and wins[8] == rm.solve("tic-tac-toe", chips=8).win
    assert (wins[8].plain, wins[8].star) == (5, 4)
    restricted = rm.solve("tug-of-war", chips=8, ties="marker", right="moves").win
    assert isinstance(restricted, rm.Threshold)
