"""Solving without the interpreter's lock, Ctrl-C, progress and limits."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from own_games import TicTacToe

import richman as rm
from richman import _richman

LONG = "tic-tac-toe:rows=4,cols=4,line=4"
"""To unfold and solve all its positions takes minutes."""


def test_other_threads_run_while_a_game_is_solved() -> None:
    counted, stop = 0, threading.Event()

    def solve() -> None:
        with contextlib.suppress(rm.Error):
            rm.solve(LONG, chips=40, all=True, time=3)
        stop.set()

    thread = threading.Thread(target=solve)
    thread.start()
    begin = time.monotonic()
    while not stop.is_set():
        counted += 1
        time.sleep(0.001)
    passed = time.monotonic() - begin
    thread.join()
    assert passed > 1, "the game is too quick for this test"
    assert counted > 50 * passed


class Slow:
    """A heap that takes a moment for each position, and never ends."""

    start = 0

    def __init__(self, seconds: float = 0.001, moves: int = 1) -> None:
        self.seconds = seconds
        self.width = moves

    def moves(self, heap: int, player: str) -> Any:
        for more in range(1, self.width + 1):
            time.sleep(self.seconds / self.width)
            yield self.width * heap + more

    def winner(self, heap: int) -> str | None:
        return None


QUESTIONS: dict[str, Callable[..., Any]] = {
    "money": rm.solve,
    "chips": lambda game, **limits: rm.solve(game, chips=4, **limits),
    "all": lambda game, **limits: rm.solve(game, chips=4, all=True, **limits),
    "position": lambda game, **limits: rm.solve(game, position="7", **limits),
    "offers": rm.why,
    "table": lambda game, **limits: rm.table(game, chips=range(4), **limits),
    "tree": rm.tree,
    "comparison": lambda game, **limits: rm.compare("tug-of-war", game, **limits),
    "random-turn play": rm.random_turn,
    "duel": rm.duel,
    "match": lambda game, **limits: rm.play.Match(game, chips=4, **limits),
    "export": lambda game, **limits: game.export(**limits),
}
"""Every question about a game that may be the first about it."""
ALL = pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))


@ALL
def test_the_time_limit_holds_while_rules_are_unfolded(question: Callable[..., Any]) -> None:
    begin = time.monotonic()
    with pytest.raises(rm.Error, match="unfolding the game takes longer than allowed") as found:
        question(rm.rules(Slow()), time=0.3)
    assert "the rules may never end" in str(found.value) and "raise time" in str(found.value)
    assert 0.3 <= time.monotonic() - begin < 2


def test_the_time_limit_holds_within_a_long_list_of_moves() -> None:
    begin = time.monotonic()
    with pytest.raises(rm.Error, match="takes longer than allowed"):
        rm.solve(rm.rules(Slow(100, 100_000)), time=0.3)
    assert time.monotonic() - begin < 2


@ALL
def test_the_limits_of_positions_and_memory_hold_while_rules_are_unfolded(
    question: Callable[..., Any],
) -> None:
    endless = rm.rules(Slow(0))
    with pytest.raises(rm.Error, match="more than 100 positions"):
        question(endless, positions=100)
    with pytest.raises(rm.Error, match=r"the limit is 1\.0 MiB.*the rules may never end"):
        question(endless, memory="1MiB")


@ALL
def test_progress_is_told_while_rules_are_unfolded(question: Callable[..., Any]) -> None:
    told: list[tuple[str, int, int | None]] = []

    def enough(*stage: Any) -> None:
        told.append(stage)
        if len(told) > 3:
            raise StopAsyncIteration

    with pytest.raises(StopAsyncIteration):
        question(rm.rules(Slow()), progress=enough)
    assert all(stage == "unfolding" and total is None for stage, _, total in told)
    assert told[0][1] < told[-1][1]


def test_unfolding_takes_from_the_time_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    class Long(TicTacToe):
        def moves(self, board: str, player: str) -> list[str]:
            if board == "." * 9 and player == "alice":
                time.sleep(0.5)
            return super().moves(board, player)

    times: list[float] = []

    def asked(game: _richman.Game, options: str, progress: Any) -> _richman.Solution:
        times.append(json.loads(options)["time"])
        raise StopAsyncIteration

    monkeypatch.setattr(_richman, "solve", asked)
    game = rm.rules(Long())
    for _ in range(2):
        with pytest.raises(StopAsyncIteration):
            rm.solve(game, time=10)
    assert 5 < times[0] <= 9.5 and 9.9 < times[1] <= 10


def test_a_limit_that_was_met_is_no_limit_of_the_next_question() -> None:
    game = rm.rules(TicTacToe())
    with pytest.raises(rm.Error, match="more than 100 positions"):
        rm.solve(game, positions=100)
    assert rm.solve(game).win == rm.solve("tic-tac-toe").win


INTERRUPTED = """
import _thread, sys, threading, time
sys.path.append({folder!r})
import richman as rm
from own_games import random_arrays
arrays = random_arrays(1_000_000, 1)
threading.Timer(1.5, _thread.interrupt_main).start()
begin = time.monotonic()
try:
    {question}
except KeyboardInterrupt:
    print(time.monotonic() - begin - 1.5)
    sys.exit(7)
print("it was answered in", time.monotonic() - begin)
"""


@pytest.mark.parametrize(
    "question",
    [
        f"rm.solve('{LONG}', chips=60, all=True)",
        f"rm.solve('{LONG}', all=True, time=600)",
        "rm.solve('connect', time=600)",
        f"rm.table('{LONG}', chips='0..300')",
        "rm.duel('tic-tac-toe', games=10_000_000)",
        "rm.random_turn('connect:rows=4,cols=5')",
        "rm.unitary(chips='0..100000')",
        "rm.reproduce(deep=True)",
        "rm.solve(rm.from_arrays(*arrays), time=600)",
        "rm.solve(rm.from_arrays(*arrays), chips=1000).values()",
        "[rm.from_arrays(*arrays) for _ in range(1000)]",
    ],
)
def test_ctrl_c_ends_a_question_within_a_second(question: str) -> None:
    program = INTERRUPTED.format(folder=str(Path(__file__).parent), question=question)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 7, done.stdout + done.stderr
    assert float(done.stdout) < 1


def test_a_time_limit_is_an_error_with_chips() -> None:
    begin = time.monotonic()
    with pytest.raises(rm.Error, match="time"):
        rm.solve(LONG, chips=60, all=True, time=1)
    assert time.monotonic() - begin < 5


def test_a_limit_of_memory_is_an_error() -> None:
    with pytest.raises(rm.Error, match="memory"):
        rm.solve(LONG, chips=30, all=True, memory="5MB")


def test_a_limit_of_positions_is_an_error() -> None:
    with pytest.raises(rm.Error, match="more than 100 positions"):
        rm.solve("tic-tac-toe", chips=8, all=True, positions=100)


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int | None]] = []
    with pytest.raises(rm.Error):
        rm.solve(LONG, chips=60, all=True, time=1, progress=lambda *stage: told.append(stage))
    assert told and all(isinstance(stage, str) and done >= 0 for stage, done, _ in told)


def test_what_progress_raises_ends_the_question() -> None:
    def enough(*_: Any) -> None:
        raise StopAsyncIteration("enough")

    with pytest.raises(StopAsyncIteration):
        rm.solve(LONG, chips=60, all=True, progress=enough)


def test_progress_with_tqdm(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(rm.Error):
        rm.solve(LONG, chips=60, all=True, time=2, progress=True)
    assert "it/s" in capsys.readouterr().err
