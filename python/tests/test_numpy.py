"""Whole numbers of numpy are taken wherever an int is."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy
import pytest

import richman as rm
import richman.boards

TYPES = [numpy.int64, numpy.int32, numpy.uint8, numpy.int8]
GRAPH = numpy.array([0, 2, 4, 4, 4]), numpy.array([1, 2, 0, 3]), numpy.array([0, 0, 1, 2])
Whole = Callable[[int], Any]


def game_of(of: Whole) -> dict[str, Any]:
    """A scoring game with numbers in every key that has one."""
    steps = {"alice": [{"to": "b", "weight": of(2)}], "bob": [{"to": "c", "weight": of(3)}]}
    stuck = {"stuck": {"alice": of(1), "bob": of(4)}}
    return {
        "name": "numbers",
        "start": "a",
        "positions": {"a": steps, "b": {"score": of(5)}, "c": stuck},
    }


@dataclasses.dataclass
class Heap:
    """A scoring game whose rules give such numbers, and whose positions are some."""

    of: Whole

    def start(self) -> Any:
        return self.of(6)

    def moves(self, heap: Any, player: str) -> Any:
        return [heap - self.of(taken) for taken in (1, 3) if taken <= heap]

    def scores(self, heap: Any) -> Any:
        return self.of(2) if heap == 0 else None

    def weight(self, heap: Any, to: Any, player: str) -> Any:
        return self.of(1 if player == "alice" else 2)

    def stuck(self, heap: Any, player: str) -> Any:
        return self.of(3)


def match(of: Whole) -> rm.play.Match:
    match = rm.play.Match("tic-tac-toe", chips=of(8), limit=of(20))
    match.bid("alice", of(2))
    match.bid("bob", of(1))
    return match


def mixed(of: Whole) -> Any:
    """A policy with probabilities 0 and 1."""

    def policy(position: str, alice: rm.Holding, bob: rm.Holding) -> Any:
        known = rm.Choice(of(0), False, None)
        return {known: of(1), rm.Choice(of(1), False, None): of(0)}

    return rm.exploitability(policy, "tug-of-war:length=4", player="alice", chips=of(2)).value


QUESTIONS: dict[str, Callable[[Whole], Any]] = {
    "solve": lambda of: rm.solve("tic-tac-toe", chips=of(8), within=of(7)),
    "holdings": lambda of: rm.solve("tic-tac-toe", alice="4*", bob=of(4)),
    "memory and time": lambda of: rm.solve("tug-of-war", memory=of(100), time=of(60)),
    "average": lambda of: rm.table("tug-of-war", at_least=of(1)),
    "positions": lambda of: rm.solve("tug-of-war", positions=of(100)),
    "width": lambda of: rm.solve("tug-of-war", width=of(1)),
    "bids": lambda of: rm.solve("tug-of-war", chips=of(5), bids=[of(0), of(5)]),
    "array of bids": lambda of: rm.solve("tug-of-war", chips=of(5), bids=numpy.array([0, 5])),
    "table": lambda of: rm.table("tug-of-war", chips=(of(0), of(8)), within=of(9)),
    "one row": lambda of: rm.table("tug-of-war", bob=of(4)),
    "tree": lambda of: rm.tree("tug-of-war", chips=of(5), depth=of(2)),
    "comparison": lambda of: rm.compare("tug-of-war", "tug-of-war", within=of(4)),
    "scores": lambda of: rm.scores("subtraction", chips=of(9)),
    "random turn": lambda of: rm.random_turn("tug-of-war", games=of(9), within=of(9), seed=of(2)),
    "unitary": lambda of: rm.unitary(automaton=of(3)),
    "duel": lambda of: rm.duel(
        "tug-of-war", chips=of(8), games=of(4), opening=of(1), seed=of(3), bob="random"
    ),
    "duel from holdings": lambda of: rm.duel("tug-of-war", games=4, holdings=[("4*", of(4))]),
    "match": lambda of: match(of).record(),
    "computer": lambda of: str(match(of).computer("random", seed=of(4))),
    "strategy": lambda of: rm.solve("tug-of-war", chips=of(8)).strategy()("2", "4*", of(4)),
    "probabilities": mixed,
    "arrays": lambda of: rm.solve(rm.from_arrays(*GRAPH, start=of(1)), position=of(0)).win,
    "dict": lambda of: rm.scores(rm.from_dict(game_of(of)), chips=of(3)),
    "rules": lambda of: rm.scores(Heap(of), chips=of(3)),
    "limits of rules": lambda of: rm.scores(
        rm.rules(Heap(of), positions=of(100)), chips=3, positions=of(90)
    ),
    "holding": lambda of: [rm.Holding(of(4)), rm.Holding("4*") > of(4), rm.Holding(4) == of(4)],
    "threshold": lambda of: [rm.solve("tic-tac-toe", chips=8).win > of(3)],
    "interval": lambda of: of(1) in rm.Interval(Fraction(1, 2), Fraction(3, 2)),
    "plan": lambda of: richman.boards.plan(
        "connect:rows=4,cols=4", chips=of(3), workers=of(2), cores=of(2), unit=of(100)
    ),
}


def answered(question: Callable[[Whole], Any], of: Whole) -> str:
    """The answer, or the error if the number is too small for the question."""
    try:
        found = question(of)
    except rm.Error as error:
        return f"refused: {error}"
    return found.json() if hasattr(found, "json") else repr(found)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
def test_whole_numbers_of_numpy_are_ints(question: Callable[[Whole], Any], kind: Any) -> None:
    assert answered(question, kind) == answered(question, int)


@pytest.mark.parametrize("value", [numpy.float64(4), numpy.bool_(True), numpy.array([4, 4])])
def test_other_values_of_numpy_are_no_whole_numbers(value: Any) -> None:
    for question in (
        lambda: rm.solve("tic-tac-toe", chips=value),
        lambda: rm.solve("tic-tac-toe", alice="4*", bob=value),
        lambda: rm.table("tic-tac-toe", chips=value),
        lambda: rm.tree("tic-tac-toe", depth=value),
        lambda: rm.Holding(value),
    ):
        with pytest.raises(TypeError):
            question()
