"""Rules that break their promises: an error that names the position, never a crash."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from own_games import Domineering, TicTacToe

import richman as rm


class Nim:
    start: Any = 5

    def moves(self, heap: Any, player: str) -> Any:
        return [heap - n or player for n in (1, 2) if n <= heap]

    def winner(self, heap: Any) -> Any:
        return heap if isinstance(heap, str) else None


def refused(rules: Any, **limits: int) -> rm.Error:
    with pytest.raises(rm.Error) as found:
        rm.solve(rm.rules(rules, **limits))
    return found.value


def test_a_rule_that_raises_is_the_cause() -> None:
    class Fails(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            if heap == 3:
                raise ZeroDivisionError("three is bad")
            return super().moves(heap, player)

    error = refused(Fails())
    assert str(error) == "Fails, position 3: moves raised ZeroDivisionError: three is bad"
    assert isinstance(error.__cause__, ZeroDivisionError)
    for name in ("winner", "canonical", "notation"):

        def fails(self: Any, heap: Any) -> Any:
            raise KeyError(heap)

        error = refused(type("Fails", (Nim,), {name: fails})())
        assert f"position 5: {name} raised KeyError" in str(error)
        assert isinstance(error.__cause__, KeyError)


def test_an_iterator_that_raises_is_the_cause() -> None:
    class Fails(Nim):
        def moves(self, heap: Any, player: str) -> Iterator[Any]:
            yield heap - 1
            raise LookupError("later")

    assert isinstance(refused(Fails()).__cause__, LookupError)


@pytest.mark.parametrize("given", [7, None, 1.5, object])
def test_moves_are_a_list(given: Any) -> None:
    class Wrong(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            return given

    error = refused(Wrong())
    assert "position 5: moves gave" in str(error) and isinstance(error.__cause__, TypeError)


@pytest.mark.parametrize("given", [[1, 2], {}, {3}, bytearray(b"x")])
def test_positions_are_hashable(given: Any) -> None:
    class Wrong(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            return [given]

    error = refused(Wrong())
    assert repr(given) in str(error) and isinstance(error.__cause__, TypeError)


NO_WINNERS = ["Alice", "", "white", 1, True, False, 0, ["alice"], b"alice", "\ud800"]


@pytest.mark.parametrize("given", NO_WINNERS, ids=repr)
def test_winners_are_known(given: Any) -> None:
    class Wrong(Nim):
        def winner(self, heap: Any) -> Any:
            return given if heap == 4 else None

    error = refused(Wrong())
    assert "position 4: winner gave" in str(error) and "give 'alice', 'bob' or 'none'" in str(error)


@pytest.mark.parametrize("given", [1.5, "1", 2**70, None])
def test_scores_are_whole_numbers(given: Any) -> None:
    class Wrong:
        start = 3

        def moves(self, heap: int, player: str) -> Any:
            return [heap - 1] if heap else []

        def scores(self, heap: int) -> Any:
            return None

        def weight(self, heap: int, to: int, player: str) -> Any:
            return given

    with pytest.raises(rm.Error, match="position 3: weight gave"):
        rm.scores(Wrong(), chips=2)


def test_a_player_without_a_move_is_named() -> None:
    class Stuck(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            return [] if heap == 2 and player == "bob" else super().moves(heap, player)

    assert 'position "2": Bob has no move although the game is not over' in str(refused(Stuck()))


def test_endless_rules_end_at_the_limit() -> None:
    class Endless(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            return [heap + 1]

    error = refused(Endless(), positions=100_000)
    assert "more than 100000 positions" in str(error) and "position 100005" in str(error)
    assert "the rules may never end" in str(error)
    assert "memory" in str(refused(Endless(), memory=10 << 20))


def test_an_endless_list_of_moves_ends() -> None:
    class Endless(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            return itertools.repeat(heap)

    assert "moves gave more than 16777216 positions" in str(refused(Endless()))


def test_moves_that_change_are_asked_once() -> None:
    class Changing(Nim):
        calls = 0

        def moves(self, heap: Any, player: str) -> Any:
            self.calls += 1
            return super().moves(heap, player)[:: 1 if self.calls % 2 else -1]

    assert rm.solve(rm.rules(Changing())).win == rm.solve(rm.rules(Nim())).win


class Lying:
    """Its hash is never the same twice."""

    count = itertools.count()

    def __init__(self, heap: int) -> None:
        self.heap = heap

    def __hash__(self) -> int:
        return next(self.count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lying) and self.heap == other.heap

    def __str__(self) -> str:
        return f"heap {self.heap}"


class OfLying(Nim):
    start = Lying(6)

    def moves(self, position: Any, player: str) -> Any:
        return [Lying(position.heap - n) if position.heap > n else player for n in (1, 2)]


def test_a_hash_that_lies_is_noticed() -> None:
    assert "as heap 6, or its hash has" in str(refused(OfLying()))


def test_a_hash_or_comparison_that_raises_is_the_cause() -> None:
    class Raises:
        def __init__(self, how: str) -> None:
            self.how = how

        def __hash__(self) -> int:
            if self.how == "hash":
                raise OSError("no hash")
            return 1

        def __eq__(self, other: object) -> bool:
            raise OSError("no comparison")

    for how in ("hash", "=="):

        class Wrong(Nim):
            start = Raises(how)

            def moves(self, position: Any, player: str, how: str = how) -> Any:
                return [Raises(how)]

        assert isinstance(refused(Wrong()).__cause__, OSError)


def test_a_repr_that_raises_is_left_out() -> None:
    class Silent:
        def __repr__(self) -> str:
            raise RuntimeError("no repr")

    class Wrong(Nim):
        start = Silent()

    assert "position that has no repr: str raised RuntimeError" in str(refused(Wrong()))


def test_different_positions_with_one_notation_are_noticed() -> None:
    class Vague(Nim):
        def notation(self, heap: Any) -> str:
            return "a heap"

    assert "is that of another position too" in str(refused(Vague()))
    Vague.notation = lambda self, heap: heap  # type: ignore[method-assign]
    assert "notation gave 5: give a str" in str(refused(Vague()))


def test_recursion_is_an_error() -> None:
    class Deep(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            return self.moves(heap, player)

    assert isinstance(refused(Deep()).__cause__, RecursionError)


def test_rules_that_ask_about_themselves_are_refused() -> None:
    class Own(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            rm.solve(game)
            return super().moves(heap, player)

    game = rm.rules(Own())
    with pytest.raises(rm.Error, match="ask about their own game") as found:
        rm.solve(game)
    assert isinstance(found.value.__cause__, rm.Error)


def test_rules_may_solve_other_games() -> None:
    class Clever(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            assert rm.solve("tug-of-war").exact
            return super().moves(heap, player)

    assert rm.solve(rm.rules(Clever())).win == rm.solve(rm.rules(Nim())).win


def test_two_threads_may_ask_first() -> None:
    game, found = rm.rules(TicTacToe()), []
    threads = [threading.Thread(target=lambda: found.append(rm.solve(game))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 4 and len(set(found)) == 1


def test_ctrl_c_in_rules_is_no_fault_of_theirs() -> None:
    class Slow(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            if isinstance(heap, int) and heap == 1000:
                os.kill(os.getpid(), signal.SIGINT)
            return [heap + 1]

    with pytest.raises(KeyboardInterrupt):
        rm.solve(rm.rules(Slow()))


def test_the_limit_of_memory_holds_when_solving() -> None:
    with pytest.raises(rm.Error, match="memory"):
        rm.solve(rm.rules(Domineering(4, 4)), memory="100kB", exact=True)


@pytest.mark.parametrize(
    "rules",
    [None, 5, [], object(), Nim, type("Endless", (), {"start": 1, "moves": lambda *_: []})()],
)
def test_what_is_no_rules_is_a_type_error(rules: Any) -> None:
    with pytest.raises(TypeError):
        rm.rules(rules)


def test_a_million_positions() -> None:
    class Grid(Nim):
        """A token on a grid, which goes right or up."""

        start = (0, 0)

        def moves(self, at: Any, player: str) -> Any:
            x, y = at
            return [(x + 1, y), (x, y + 1)]

        def winner(self, at: Any) -> Any:
            x, y = at
            return None if x < 1000 and y < 1000 else "alice" if x > y else "bob"

    assert rm.solve(rm.rules(Grid()), chips=3).exact


TEN_MILLION = """
import resource, sys
import richman as rm

class Huge:
    start = 0
    def moves(self, at, player):
        return [2 * at + 1, 2 * at + 2]
    def winner(self, at):
        return None if at < 10_000_000 else "alice" if at % 2 else "bob"

def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit

limit = 200_000_000
rm.solve("tic-tac-toe")
before = peak()
resource.setrlimit(resource.RLIMIT_DATA, (8 * limit, 8 * limit))
try:
    rm.solve(rm.rules(Huge(), memory=limit))
except rm.Error as error:
    assert "the limit is" in str(error) and "the rules may never end" in str(error), error
    assert peak() - before < 1.3 * limit, peak() - before
    assert rm.solve("tic-tac-toe").exact
    sys.exit(7)
"""


def test_ten_million_positions_end_at_the_limit_of_memory() -> None:
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", TEN_MILLION], capture_output=True, text=True, check=False
    )
    assert done.returncode == 7, done.stderr


def test_huge_rules_end_at_the_limit_of_memory() -> None:
    class Huge(Nim):
        """Far more than ten million positions, which take long to write too."""

        start = (0, "x" * 100)

        def moves(self, at: Any, player: str) -> Any:
            return [(2 * at[0] + n, at[1] + "x") for n in (1, 2)]

        def winner(self, at: Any) -> Any:
            return None

    error = refused(Huge(), memory=50 << 20)
    assert "memory" in str(error) or "needs" in str(error)
    assert "the rules may never end" in str(error)
