"""Solving without the interpreter's lock, Ctrl-C, progress and limits."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import richman as rm

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
