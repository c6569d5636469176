"""The notebooks, and the examples in the guide: all run, and what they claim holds."""

from __future__ import annotations

import ast
import doctest
import re
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from matplotlib import pyplot

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def cells(path: Path) -> list[str]:
    """The cells of a notebook, after empty lines, so that errors name the lines of the file."""
    text = path.read_text()
    starts = [found.start() for found in re.finditer("^# %%", text, re.MULTILINE)]
    assert starts[0] == 0, "a notebook begins with a cell"
    ends = [*starts[1:], len(text)]
    return ["\n" * text.count("\n", 0, start) + text[start:end] for start, end in zip(starts, ends)]


def run(path: Path, statements: list[ast.stmt], names: dict[str, Any]) -> Any:
    """Runs a cell, and returns what it shows: the value of its last line."""
    *before, last = statements
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module(statements, []), path, "exec"), names)
        return None
    exec(compile(ast.Module(before, []), path, "exec"), names)
    return eval(compile(ast.Expression(last.value), path, "eval"), names)


def picture(value: object) -> str | None:
    """A value as a notebook draws it: SVG or a table; `None` for plain text."""
    for name in ("_repr_svg_", "_repr_html_"):
        draw = getattr(value, name, None)
        if draw is not None:
            return str(draw())
    return None


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    matplotlib.use("agg")
    monkeypatch.setattr(pyplot, "show", lambda: None)
    names: dict[str, Any] = {"__name__": "__main__"}
    asserted = 0
    pictures = []
    for cell in cells(path):
        code = ast.parse(cell)
        assert bool(code.body) != cell.lstrip().startswith("# %% [markdown]\n"), cell
        if code.body:
            asserted += any(isinstance(each, ast.Assert) for each in ast.walk(code))
            pictures.append(picture(run(path, code.body, names)))
    pyplot.close("all")
    assert asserted >= 5
    drawn = [each for each in pictures if each is not None]
    assert drawn and all("<svg" in each or "<table" in each for each in drawn)


def test_there_are_five_notebooks() -> None:
    assert len(EXAMPLES) == 5


@pytest.mark.parametrize(("page", "least"), [("docs/guide/src/python.md", 30), ("README.md", 2)])
def test_examples_of_the_documents(
    documents: Path, page: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(documents / page), module_relative=False)
    assert failed == 0 and tried >= least
