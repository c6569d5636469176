"""Tasks on the workers of a Dask client, of which few are at the scheduler at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ._richman import Error

MOST_TASKS = 100_000
"""The most tasks that a scheduler has at a time."""


def results(
    client: Any,
    numbers: Iterable[int],
    submit: Callable[[int, dict[int, Any]], Any],
    window: Callable[[], int],
) -> Iterator[tuple[int, Any]]:
    """The results of tasks with these numbers as they come, at most `window()` tasks at a time.

    submit: makes the future of a task, whose key ends with the number, given those that are not
        done.

    When this ends early, tasks that are not done are cancelled. Raises what a task raises, and
    :class:`richman.Error` if the scheduler has lost one.
    """
    from distributed import as_completed

    live: dict[int, Any] = {}
    rest = iter(numbers)
    following = as_completed(with_results=True, loop=client.loop)

    def fill() -> None:
        most = min(window(), MOST_TASKS)
        while len(live) < most and (number := next(rest, None)) is not None:
            live[number] = submit(number, live)
            following.add(live[number])

    try:
        fill()
        for future, result in following:
            number = future.key[-1]
            if future.status != "finished":
                raise Error("the scheduler has lost a task: connect again, and ask once more")
            yield number, result
            live.pop(number).release()
            fill()
    finally:
        client.cancel(list(live.values()))
