"""What rules give as moves: positions, pairs or dicts with names; and positions that change."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from own_games import TicTacToe

import richman as rm

PLAIN = rm.solve(TicTacToe())


def cell(board: str, to: str) -> str:
    at = next(at for at in range(9) if board[at] != to[at])
    return "abc"[at % 3] + "123"[at // 3]


class Named(TicTacToe):
    """Moves with names, in a form of each test."""

    def __init__(self, form: Callable[[list[tuple[str, str]]], Any]) -> None:
        self.form = form

    def moves(self, board: str, player: str) -> Any:
        return self.form([(cell(board, to), to) for to in super().moves(board, player)])


FORMS: dict[str, Callable[[list[tuple[str, str]]], Any]] = {
    "dict": dict,
    "mapping": lambda pairs: MappingProxyType(dict(pairs)),
    "pairs": list,
    "tuple of pairs": tuple,
    "iterator": iter,
    "items": lambda pairs: dict(pairs).items(),
    "lists of two": lambda pairs: [list(pair) for pair in pairs],
}


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_named_moves_are_moves(form: Callable[..., Any]) -> None:
    named = rm.rules(Named(form))
    answer = rm.solve(named)
    assert (answer.win, answer.draw, answer.positions) == (PLAIN.win, PLAIN.draw, PLAIN.positions)
    assert answer.moves == {"alice": ["b2"], "bob": ["b2"]}
    assert named.moves("A../.../...", "bob")["c3"] == "A../.../..B"


class Walk:
    """A token on squares of a board; positions are pairs, and so are the ends."""

    start: Any = (1, 1)

    def __init__(self, form: Callable[[dict[str, Any]], Any]) -> None:
        self.form = form

    def moves(self, at: Any, player: str) -> Any:
        x, y = at
        return self.form({"right": (x + 1, y), "up": (x, y + 1)})

    def winner(self, at: Any) -> str | None:
        return None if max(at) < 4 else "alice" if at[0] > at[1] else "bob"


def test_positions_may_be_pairs() -> None:
    plain = rm.solve(Walk(lambda moves: list(moves.values())))
    for form in (dict, lambda moves: list(moves.items())):
        named = rm.solve(Walk(form))
        assert (named.win, named.positions) == (plain.win, plain.positions)
        assert set(named.moves["alice"]) <= {"right", "up"}


class Words(Walk):
    """Its positions are pairs of a word and a number, which are no named moves."""

    start = ("heap", 5)

    def moves(self, at: Any, player: str) -> Any:
        return self.form({f"take {n}": ("heap", at[1] - n) for n in (1, 2) if n <= at[1]})

    def winner(self, at: Any) -> str | None:
        return "alice" if at[1] == 0 else None


def test_a_pair_like_the_start_is_a_position() -> None:
    for form in (lambda moves: list(moves.values()), dict):
        assert rm.solve(Words(form)).positions == 6


class Point(NamedTuple):
    row: str
    at: int


def test_a_named_tuple_is_a_position() -> None:
    class Points(Words):
        start: Any = 5

        def moves(self, at: Any, player: str) -> Any:
            height = at if isinstance(at, int) else at.at
            return [Point("heap", height - n) for n in (1, 2) if n <= height]

        def winner(self, at: Any) -> str | None:
            return "alice" if at == Point("heap", 0) else None

    assert rm.solve(Points(dict)).positions == 6


class Nim:
    start: Any = 5

    def moves(self, heap: Any, player: str) -> Any:
        return [heap - n or player for n in (1, 2) if n <= heap]

    def winner(self, heap: Any) -> Any:
        return heap if isinstance(heap, str) else None


def refused(rules: Any) -> str:
    with pytest.raises(rm.Error) as found:
        rm.solve(rm.rules(rules))
    return str(found.value)


@pytest.mark.parametrize("given", ["ab", "", b"ab", bytearray(b"ab")], ids=repr)
def test_a_text_is_no_list_of_moves(given: Any) -> None:
    class Forgotten(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            return given

    assert f"position 5: moves gave {given!r}: give a list" in refused(Forgotten())


@pytest.mark.parametrize("given", [{3: 4}, {None: 4}, {(1, 2): 4}], ids=repr)
def test_names_of_moves_are_texts(given: Any) -> None:
    class Wrong(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            return given

    assert "position 5: moves gave the name" in refused(Wrong())


def test_all_moves_have_names_or_none() -> None:
    class Mixed(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            found = super().moves(heap, player)
            return [(f"to {to}", to) for to in found] if heap == 3 else found

    assert "name all moves, or none" in refused(Mixed())


def test_names_are_given_once() -> None:
    class Twice(Nim):
        def moves(self, heap: Any, player: str) -> Any:
            return {str(to): to for to in super().moves(heap, player)}

        def move_name(self, heap: Any, to: Any, player: str) -> str:
            return "move"

    assert "leave out one of them" in refused(Twice())


def test_scores_have_named_moves_too() -> None:
    class Heap:
        start = 6

        def moves(self, heap: int, player: str) -> Mapping[str, int]:
            return {f"take {taken}": heap - taken for taken in (1, 3) if taken <= heap}

        def scores(self, heap: int) -> int | None:
            return None

        def weight(self, heap: int, to: int, player: str) -> int:
            return heap - to if player == "alice" else to - heap

    own = rm.scores(Heap(), chips=4)
    listed = rm.scores("subtraction:heap=6,set=1+3", chips=4)
    assert (own.star_alice, own.star_bob) == (listed.star_alice, listed.star_bob)


class Board:
    """Nine cells that can be set; equal boards are equal, as they must be."""

    def __init__(self, cells: str) -> None:
        self.cells = list(cells)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.cells == other.cells

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return "".join(self.cells)

    __repr__ = __str__


class Constant(Board):
    """A hash that tells nothing is allowed."""

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)


class Unequal(Board):
    """Told apart by where they are in memory."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class OnBoards:
    """Tic-tac-toe on such boards, that gives new ones."""

    kind: type[Board] = Board

    def __init__(self) -> None:
        self.start = self.kind("." * 9)

    def moves(self, board: Board, player: str) -> Any:
        return [self.kind(to) for to in TicTacToe().moves(str(board), player)]

    def winner(self, board: Board) -> str | None:
        return TicTacToe().winner(str(board))


@dataclasses.dataclass(frozen=True)
class Frozen:
    cells: str

    def __str__(self) -> str:
        return self.cells


@pytest.mark.parametrize("kind", [Board, Frozen])
def test_objects_that_stay_are_positions(kind: Any) -> None:
    answer = rm.solve(type("OnSuch", (OnBoards,), {"kind": kind})())
    assert (answer.win, answer.positions) == (PLAIN.win, PLAIN.positions)


def free(board: Board) -> Iterator[int]:
    return (at for at in range(9) if board.cells[at] == ".")


class Undone(OnBoards):
    """Sets a cell, gives the board, and takes the stone off again."""

    def moves(self, board: Board, player: str) -> Any:
        for at in free(board):
            board.cells[at] = player[0].upper()
            yield board
            board.cells[at] = "."


class Listed(Undone):
    """The same, in a list."""

    def moves(self, board: Board, player: str) -> Any:
        return list(super().moves(board, player))


class Forgetful(OnBoards):
    """Leaves the stones where they are."""

    def moves(self, board: Board, player: str) -> Any:
        found = []
        for at in free(board):
            board.cells[at] = player[0].upper()
            found.append(self.kind(str(board)))
        return found


class Shared(OnBoards):
    """Gives one board for all moves."""

    def moves(self, board: Board, player: str) -> Any:
        found = self.kind(str(board))
        for at in list(free(board)):
            found.cells[at] = player[0].upper()
            yield found
            found.cells[at] = "."


class Judging(OnBoards):
    """The winner is looked for on the board itself."""

    def winner(self, board: Board) -> str | None:
        if board.cells[0] == "A":
            board.cells[0] = "x"
        return super().winner(board)


class Kept(OnBoards):
    """Changes boards that it gave before."""

    given: list[Board]

    def moves(self, board: Board, player: str) -> Any:
        self.given = found = getattr(self, "given", [])
        for each in found:
            each.cells[0] = "A"
        new = super().moves(board, player)
        found.extend(new)
        return new


@pytest.mark.parametrize("kind", [Board, Constant, Unequal])
@pytest.mark.parametrize("rules", [Undone, Listed, Forgetful, Shared, Judging, Kept])
def test_a_change_of_a_position_is_noticed(rules: Any, kind: Any) -> None:
    told = refused(type("Changing", (rules,), {"kind": kind})())
    if kind is not Unequal:
        assert "changed" in told or "the same object twice" in told
    else:
        assert "changed" in told or "twice" in told or "another position too" in told


def test_a_change_inside_of_a_tuple_is_noticed() -> None:
    class Pairs(OnBoards):
        def __init__(self) -> None:
            self.start: Any = (0, Board("." * 9))

        def moves(self, at: Any, player: str) -> Any:
            turn, board = at
            for cell in list(free(board)):
                board.cells[cell] = player[0].upper()
                yield turn + 1, board

        def winner(self, at: Any) -> Any:
            return super().winner(at[1])

    assert "changed" in refused(Pairs())


def test_objects_without_equality_and_text_are_refused() -> None:
    class Nameless:
        def __init__(self, heap: int) -> None:
            self.heap = heap

    class Heaps(Nim):
        start = Nameless(5)

        def moves(self, heap: Any, player: str) -> Any:
            return [Nameless(heap.heap - 1)]

    assert "have no text" in refused(Heaps())


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def test_a_value_that_never_changes_may_be_given_twice() -> None:
    class Passing(Nim):
        """Alice may pass; a colour is one object."""

        start = Colour.RED

        def moves(self, at: Any, player: str) -> Any:
            return [at, at, player] if player == "alice" else [Colour.RED, Colour.RED, player]

    assert rm.solve(Passing()).positions == 3
