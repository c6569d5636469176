"""One question about many games, here or on the workers of a cluster."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

from . import _options, _progress
from ._answer import listing
from ._cluster import MOST_TASKS, results
from ._numbers import shown
from ._options import Progress
from ._richman import Error


class Answered(NamedTuple):
    """What was asked, and its answer."""

    item: Any
    """The game, or the arguments."""
    answer: Any
    """What the question returned; None if it raised a :class:`richman.Error`."""
    error: str | None
    """The sentence of the error."""


class Answers(Sequence[Answered]):
    """Answers in the order of what was asked; made by :func:`richman.map`."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Iterable[Answered]) -> None:
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, at: int) -> Answered: ...
    @overload
    def __getitem__(self, at: slice) -> Answers: ...
    def __getitem__(self, at: int | slice) -> Answered | Answers:
        return Answers(self._rows[at]) if isinstance(at, slice) else self._rows[at]

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        failed = sum(row.error is not None for row in self._rows)
        return f"<{len(self)} answers, {failed} of them errors>"

    def _repr_html_(self) -> str:
        rows = ((_label(row.item), shown(row.answer), row.error or "") for row in self._rows)
        return listing(("asked", "answer", "error"), rows)

    def to_frame(self, *names: str, **made: Callable[[Any], Any]) -> Any:
        """The answers as a DataFrame of pandas, indexed by what was asked: a column for each
        attribute in `names`, such as "win", one for each function in `made` of the answer, or the
        answers themselves; and the column "error" if there was one. Exact numbers stay exact.

        Raises richman.Error without pandas.
        """
        try:
            import pandas
        except ImportError:
            raise Error("to_frame needs the package pandas: pip install pandas") from None
        wanted: dict[str, Callable[[Any], Any]] = {
            name: (lambda answer, name=name: getattr(answer, name)) for name in names
        } | made
        if not wanted:
            wanted = {"answer": lambda answer: answer}
        columns = {
            name: pandas.Series(
                [None if row.error else value(row.answer) for row in self._rows], dtype=object
            ).infer_objects()
            for name, value in wanted.items()
        }
        if any(row.error for row in self._rows):
            columns["error"] = pandas.Series([row.error for row in self._rows], dtype=object)
        frame = pandas.DataFrame(columns)
        frame.index = pandas.Index([_label(row.item) for row in self._rows], name="asked")
        return frame


def _label(item: Any) -> str:
    if isinstance(item, Mapping):
        return ", ".join(f"{name}={shown(value)}" for name, value in item.items())
    if isinstance(item, tuple):
        return ", ".join(shown(each) for each in item)
    return str(getattr(item, "name", item))


def map(
    question: Callable[..., Any],
    items: Iterable[Any],
    *,
    client: Any = None,
    window: int = MOST_TASKS,
    progress: Progress = None,
    **keywords: Any,
) -> Answers:
    """Asks one question about many games, or with many parameters.

    question: such as :func:`richman.solve`, :func:`richman.duel` or :func:`richman.reproduce`, or a
        function of your own that a module defines.
    items: what to ask about: a game, a tuple of arguments, or a dict of keywords each.
    client: a ``distributed.Client`` whose workers answer; without one they are answered here.
    window: the most tasks at the scheduler at a time.
    keywords: arguments that are the same for all.

    A :class:`richman.Error` is kept with its question, and the other questions go on; any other
    exception ends the work.

    >>> import richman as rm
    >>> found = rm.map(rm.solve, [f"tug-of-war:length={n}" for n in (3, 4, 5)], chips=8)
    >>> [row.answer.win.threshold for row in found]
    [Holding('3'), Holding('5'), Holding('3*')]
    """
    asked = list(items)
    _options.whole("window", window, least=1)
    with _progress.shown(progress) as report:
        if client is None:
            rows: Iterator[tuple[int, Answered]] = (
                (number, _ask(question, item, keywords)) for number, item in enumerate(asked)
            )
        else:
            rows = _on_workers(question, asked, keywords, client, window)
        found: dict[int, Answered] = {}
        for number, row in rows:
            found[number] = row
            if report is not None:
                report("answers", len(found), len(asked))
    return Answers(found[number] for number in range(len(asked)))


def _ask(question: Callable[..., Any], item: Any, keywords: Mapping[str, Any]) -> Answered:
    try:
        if isinstance(item, Mapping):
            answer = question(**{**keywords, **item})
        elif isinstance(item, tuple):
            answer = question(*item, **keywords)
        else:
            answer = question(item, **keywords)
    except Error as error:
        return Answered(item, None, str(error))
    return Answered(item, answer, None)


def _on_workers(
    question: Callable[..., Any],
    asked: list[Any],
    keywords: Mapping[str, Any],
    client: Any,
    window: int,
) -> Iterator[tuple[int, Answered]]:
    """The answers of workers as they come."""
    name, token = getattr(question, "__name__", "question"), secrets.token_hex(4)

    def submit(number: int, _: dict[int, Any]) -> Any:
        key = (name, token, number)
        return client.submit(_ask, question, asked[number], keywords, key=key, pure=False)

    return results(client, range(len(asked)), submit, lambda: window)
