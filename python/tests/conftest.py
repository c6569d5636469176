"""Fixtures: the command, whose answers the package must give too."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import richman as rm

Command = Callable[..., str]


FLAG = re.compile(r"(?<![\w-])--[a-z]|`richman [a-z]")
"""A flag or an invocation of the command, which an error of the package does not name."""

OTHER_PROGRAM = "dask worker "
"""The start of an invocation of another program, with flags of its own."""


@pytest.fixture(autouse=True)
def errors_in_words_of_the_package(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Looks at the text of every error that is raised during a test."""
    named: list[str] = []

    def noted(self: rm.Error, *arguments: Any) -> None:
        named.extend(
            text for text in map(str, arguments) if FLAG.search(text.split(OTHER_PROGRAM)[0])
        )

    monkeypatch.setattr(rm.Error, "__init__", noted)
    yield
    assert not named, named


@pytest.fixture(scope="session")
def binary() -> Path:
    """The command richman; without it nothing can be compared, so tests fail."""
    named = os.environ.get("RICHMAN_BINARY")
    assert named, "set RICHMAN_BINARY to the command richman of the same sources"
    found = shutil.which(named)
    assert found, f"RICHMAN_BINARY is {named}, which cannot be run"
    return Path(found)


@pytest.fixture(scope="session")
def command(binary: Path) -> Command:
    """Runs the command and returns its output; `status` is the exit status that it must have."""

    def run(*arguments: str, status: int | None = 0, cwd: Path | None = None) -> str:
        done = subprocess.run(
            [binary, *arguments], capture_output=True, text=True, cwd=cwd, check=False
        )
        if status is not None:
            assert done.returncode == status, done.stderr
        return done.stdout if status != 2 else done.stderr

    return run


@pytest.fixture(scope="session")
def documents() -> Path:
    """The folder of the project's documents."""
    return Path(__file__).parents[2]
