"""Progress bars, with tqdm where it is installed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._options import Progress
from ._richman import Error

Report = Callable[[str, int, int | None], object]

_QUIET = 1.0  # seconds before a bar appears


@contextmanager
def shown(progress: Progress) -> Iterator[Report | None]:
    """What work calls with its progress, if anything."""
    if progress is False:
        yield None
    elif progress is None or progress is True:
        bar = _bar(progress is True)
        try:
            yield None if bar is None else bar.report
        finally:
            if bar is not None:
                bar.close()
    elif callable(progress):
        yield progress
    else:
        raise TypeError(f"progress is True, False or a function, not {progress!r}")


def _bar(wanted: bool) -> _Bar | None:
    if not wanted and not (sys.stderr is not None and sys.stderr.isatty()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if wanted:
            raise Error("progress=True needs the package tqdm: pip install tqdm") from None
        return None
    return _Bar(tqdm)


class _Bar:
    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._since = time.monotonic()
        self._stage: tuple[str, int | None] | None = None
        self._bar: Any = None

    def report(self, stage: str, done: int, total: int | None) -> None:
        if time.monotonic() - self._since < _QUIET:
            return
        stage, _, note = stage.partition(": ")
        if self._bar is None or self._stage != (stage, total):
            self.close()
            self._stage = (stage, total)
            self._bar = self._tqdm(desc=stage, total=total, leave=False, unit_scale=True)
        self._bar.set_postfix_str(note, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
