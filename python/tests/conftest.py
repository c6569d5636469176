"""Fixtures: the command, whose answers the package must give too."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., str]


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
