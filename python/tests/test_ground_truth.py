"""The guide's tables for learning programs are what the package computes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import ground_truth
import pytest


@pytest.mark.parametrize("rows", [ground_truth.sizes, ground_truth.totals, ground_truth.purses])
def test_the_table_of_the_guide(documents: Path, rows: Callable[[], Iterator[list[str]]]) -> None:
    page = (documents / "docs/guide/src/learning.md").read_text(encoding="utf-8")
    assert f"\n\n{ground_truth.written(rows())}\n" in page
