"""The texts of errors: they name arguments and functions of the package, no flag of the command.

Every error that any test meets is looked at too; see conftest.py.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import FLAG

import richman as rm

OF_THE_PROGRAM = "--workers and --memory are for workers on this machine, not at a scheduler"
"""``python -m richman.boards`` has flags of its own."""


def texts_of_errors() -> Iterator[tuple[str, str]]:
    """The file and the constant parts of every text that the package raises."""
    for path in sorted(Path(rm.__file__).parent.glob("*.py")):
        for statement in ast.walk(ast.parse(path.read_text())):
            if isinstance(statement, ast.Raise) and statement.exc is not None:
                for part in ast.walk(statement.exc):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield path.name, part.value


def test_no_text_of_an_error_names_a_flag() -> None:
    texts = list(texts_of_errors())
    assert len(texts) > 100
    named = [(file, text) for file, text in texts if FLAG.search(text)]
    assert named == [("boards.py", OF_THE_PROGRAM)]


def test_flags_are_found() -> None:
    for text in ("--chips 8", "leave out --exact", "use `richman scores`"):
        assert FLAG.search(text)
    for text in ("chips=8", "a -- b", "use richman.scores", "well-known"):
        assert not FLAG.search(text)


WRONG: list[dict[str, Any]] = [
    {"chips": "many"},
    {"chips": 2**31},
    {"chips": -1},
    {"alice": "4*"},
    {"alice": "4*", "bob": "4*"},
    {"alice": 4, "bob": 4},
    {"alice": "4*", "bob": 4, "chips": 9},
    {"alice": "4*", "bob": 4, "ties": "alice"},
    {"trace": True},
    {"trace": True, "alice": "4*", "bob": 4, "all": True},
    {"credits": True},
    {"share": "1/2"},
    {"share": "2"},
    {"at_least": "1/2"},
    {"at_least": "x"},
    {"position": "nowhere"},
    {"payment": "porman"},
    {"payment": "poorman", "chips": 8},
    {"ties": "coin"},
    {"preset": "nobody"},
    {"bidding": "open"},
    {"right": "left"},
    {"bids": "3"},
    {"db": "missing"},
    {"db": "missing", "all": True},
    {"bounds": "missing", "chips": 8},
    {"bounds": "missing"},
    {"exact": True, "memory": "1kB"},
    {"exact": True, "within": 3},
    {"memory": "much"},
    {"memory": "1kB", "chips": 8, "all": True},
    {"positions": 10, "chips": 8, "all": True},
    {"time": 0, "chips": 30},
    {"time": -1},
    {"width": "wide"},
    {"width": 0},
]


@pytest.mark.parametrize(
    "game", ["tic-tac-toe", "hex:size=9", "subtraction", "chess", "tug-of-war"]
)
def test_what_is_refused_is_told_in_words_of_the_package(game: str) -> None:
    asked: list[Any] = [rm.solve, rm.why, rm.table, rm.tree, rm.scores, rm.duel, rm.random_turn]
    refused = 0
    for question in asked:
        for choices in WRONG:
            try:
                question(game, **({"time": 1} | choices))
            except rm.Error as error:
                refused += 1
                assert not FLAG.search(str(error)), str(error)
            except TypeError:
                pass  # the function has no such argument
    assert refused > 20
