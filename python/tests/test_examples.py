"""The notebooks, and the examples in the guide: all run, and print what is shown.

RICHMAN_EXAMPLES=write stores in the notebooks what they print now, to be looked through.
"""

from __future__ import annotations

import doctest
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))
IS_WRITTEN = os.environ.get("RICHMAN_EXAMPLES") == "write"


def executed(path: Path, folder: Path) -> Any:
    """A notebook with new outputs, from a kernel of this interpreter, whatever is installed."""
    notebook = nbformat.read(path, as_version=4)
    manager = AsyncKernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
    client = NotebookClient(
        notebook,
        km=manager,
        kernel_name="python3",
        timeout=300,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    return client.execute()


def shown(notebook: Any) -> list[list[tuple[str, str]]]:
    """What each cell shows: the kinds of its outputs, and texts without their spaces.

    Drawings and frames look different with other versions of matplotlib and pandas.
    """
    cells = []
    for cell in notebook.cells:
        found: list[tuple[str, str]] = []
        for output in cell.get("outputs", ()):
            kinds = output.get("data", {"text/plain": output.get("text", "")})
            found += [
                (kind, " ".join(text.split()) if kind == "text/plain" else "")
                for kind, text in sorted(kinds.items())
            ]
        cells.append(found)
    return cells


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_a_notebook_prints_what_it_shows(path: Path, tmp_path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    notebook = executed(path, tmp_path)
    if IS_WRITTEN:
        nbformat.write(notebook, path)
    else:
        assert shown(notebook) == shown(stored)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert any("assert" in cell.source for cell in code)
    kinds = {kind for cell in shown(notebook) for kind, _ in cell}
    assert kinds & {"image/png", "image/svg+xml", "text/html"}, "a notebook without a picture"


def test_there_are_five_notebooks() -> None:
    assert len(EXAMPLES) == 5


@pytest.mark.parametrize(("page", "least"), [("docs/guide/src/python.md", 30), ("README.md", 2)])
def test_examples_of_the_documents(
    documents: Path, page: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(documents / page), module_relative=False)
    assert failed == 0 and tried >= least
