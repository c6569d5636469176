"""Games by rules, written as people would write them, and a bare search to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

import richman as rm


class TicTacToe:
    """The listed game again, by rules that share nothing with it."""

    name = "own tic-tac-toe"
    start = "." * 9
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def moves(self, board: str, player: str) -> list[str]:
        stone = player[0].upper()
        return [board[:at] + stone + board[at + 1 :] for at in range(9) if board[at] == "."]

    def winner(self, board: str) -> str | None:
        for line in self.lines:
            stones = {board[at] for at in line}
            if stones == {"A"} or stones == {"B"}:
                return "alice" if stones == {"A"} else "bob"
        return None if "." in board else "none"

    def notation(self, board: str) -> str:
        return "/".join(board[row : row + 3] for row in (0, 3, 6))

    def parse(self, text: str) -> str:
        return text.replace("/", "").replace(" ", "")


class Chomp:
    """A bar of chocolate; a position is the length of every row, or the winner."""

    def __init__(self, rows: int, columns: int) -> None:
        self.name = f"own chomp {rows} x {columns}"
        self.start = (columns,) * rows

    def moves(self, bar: Any, player: str) -> list[Any]:
        found: list[Any] = []
        for row, length in enumerate(bar):
            for column in range(length):
                if row == 0 and column == 0:
                    found.append("bob" if player == "alice" else "alice")
                else:
                    found.append(bar[:row] + tuple(min(each, column) for each in bar[row:]))
        return found

    def winner(self, bar: Any) -> str | None:
        return bar if isinstance(bar, str) else None

    def notation(self, bar: Any) -> str:
        return bar if isinstance(bar, str) else "/".join(map(str, bar))


class Domineering:
    """Dominoes on a board, a set of free cells as bits; whoever can place none loses at once."""

    def __init__(self, rows: int, columns: int) -> None:
        self.name = f"domineering {rows} x {columns}"
        self.start = (1 << rows * columns) - 1
        cells = range(rows * columns)
        self.places = {
            "alice": [3 << at for at in cells if at % columns + 1 < columns],
            "bob": [(1 | 1 << columns) << at for at in cells if at + columns < rows * columns],
        }

    def moves(self, free: int, player: str) -> list[int]:
        return [free & ~place for place in self.places[player] if free & place == place]

    def winner(self, free: int) -> str | None:
        for player, other in (("alice", "bob"), ("bob", "alice")):
            if not any(free & place == place for place in self.places[player]):
                return other
        return None


class Heap:
    """A scoring game: take 1 or 3 stones, each a point; who cannot move ends it."""

    name = "own subtraction"
    start = 6

    def moves(self, heap: int, player: str) -> Iterator[int]:
        yield from (heap - taken for taken in (1, 3) if taken <= heap)

    def scores(self, heap: int) -> int | None:
        return None

    def weight(self, heap: int, to: int, player: str) -> int:
        return heap - to if player == "alice" else to - heap


def bare(rules: Any) -> int:
    """A breadth-first search with winner, moves and a dict, and the number of positions."""
    numbers = {rules.start: 0}
    queue = [rules.start]
    targets: list[list[int]] = []
    for position in queue:
        if rules.winner(position) is not None:
            continue
        for player in ("alice", "bob"):
            found = []
            for to in rules.moves(position, player):
                number = numbers.get(to)
                if number is None:
                    number = numbers[to] = len(queue)
                    queue.append(to)
                found.append(number)
            targets.append(found)
    return len(queue)


def unfolded(rules: Any) -> int:
    """The same by the package."""
    game = rm.rules(rules)
    game._handle()
    return len(game._numbers or ())


def random_arrays(positions: int, seed: int, winners: Any = None) -> tuple[Any, Any, Any]:
    """A graph in compressed sparse rows, with cycles; about one position in seven is an end."""
    chance = numpy.random.default_rng(seed)
    if winners is None:
        winners = chance.choice([0] * 17 + [1, 2, 3], positions).astype("int8")
        winners[-2:] = 1, 2
    counts = numpy.where(winners == 0, chance.integers(1, 5, positions), 0)
    indptr = numpy.append(0, numpy.cumsum(counts))
    targets = chance.integers(0, positions, indptr[-1], dtype="int32")
    return indptr, targets, winners
