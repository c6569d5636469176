"""Processes that are forked after the package was used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource")  # Windows has no fork

QUESTIONS = {
    "chips": "rm.solve('hex:size=4', chips=20).json()",
    "money": "rm.solve('hex:size=3').json()",
    "all positions": "rm.solve('tic-tac-toe', chips=8, all=True).json()",
    "table": "rm.table('tic-tac-toe', chips=range(9)).json()",
    "tree": "rm.tree('tug-of-war').json()",
    "comparison": "rm.compare('tug-of-war', 'tic-tac-toe').json()",
    "scores": "rm.scores('subtraction', chips=9).json()",
    "a handle": "GAME.solve.values().win.low.tolist()",
    "own rules": "rm.solve(rm.rules(TicTacToe()), chips=8).json()",
    "random-turn play": "rm.random_turn('tug-of-war', games=1000).json()",
    "duel": "rm.duel('tug-of-war', alice='perfect', bob='random', games=20).json()",
    "published results": "rm.reproduce('DP10 Figure 3').json()",
    "match": "rm.play.Match('tic-tac-toe', chips=8).review().json()",
    "computer player": "decision()",
}

PROGRAM = """
import multiprocessing, sys
sys.path.append({folder!r})
import richman as rm
from own_games import TicTacToe

class GAME:
    solve = rm.solve('tic-tac-toe')

def decision():
    match = rm.play.Match(GAME.solve.game, chips=8)
    return match.computer().act(match, "alice")

def answered(question):
    return eval(question)

questions = {questions!r}
before = [answered(each) for each in questions]
context = multiprocessing.get_context("fork")
with context.Pool(1) as pool:
    assert pool.map(answered, questions) == before
with context.Pool(2) as pool:
    assert pool.map(answered, questions) == before
sys.exit(7)
"""


def run(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 7, done.stdout + done.stderr


def test_every_question_is_answered_in_a_fork() -> None:
    folder = str(Path(__file__).parent)
    run(PROGRAM.format(folder=folder, questions=list(QUESTIONS.values())))


NESTED = """
import os, sys
import richman as rm

def ask():
    return rm.solve('hex:size=4', chips=20).json()

def forked(deeper):
    child = os.fork()
    if not child:
        assert ask() == before
        if deeper:
            forked(deeper - 1)
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7

before = ask()
forked(2)
assert ask() == before
sys.exit(7)
"""


def test_a_fork_of_a_fork_answers() -> None:
    run(NESTED)


BUILD = """
import os, sys, tempfile
import richman as rm
from richman import _richman

with tempfile.TemporaryDirectory() as folder:
    game = rm.game("connect:rows=3,cols=3,line=3")
    build = _richman.BoardBuild(game._handle(), "{}", folder)
    child = os.fork()
    if not child:
        try:
            build.tasks()
        except rm.Error as error:
            os._exit(7 if "make it again" in str(error) else 1)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    build.close()
sys.exit(7)
"""


def test_a_database_under_construction_is_refused_in_a_fork() -> None:
    run(BUILD)


INTERRUPTED = """
import os, sys, time
import richman as rm

rm.solve("hex:size=4", chips=20)
child = os.fork()
if not child:
    begin = time.monotonic()
    try:
        rm.solve("tic-tac-toe:rows=4,cols=4,line=4", chips=60, all=True, time=1)
    except rm.Error:
        os._exit(7 if time.monotonic() - begin < 5 else 1)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
sys.exit(7)
"""


def test_limits_hold_in_a_fork() -> None:
    run(INTERRUPTED)
