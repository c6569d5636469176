"""What all answers have in common: the document of the command, pickles, and how they show."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Self, TypeVar

from . import _options, _progress
from ._game import Game, GameLike, as_game
from ._numbers import shown
from ._options import Progress

T = TypeVar("T")
Document = TypeVar("Document", bound=Mapping[str, object])


def opened(game: GameLike, given: Mapping[str, Any]) -> tuple[Game, float]:
    """A game whose rules are unfolded within the given limits, and the seconds that this took."""
    subject = as_game(game)
    found = _options.options({key: given.get(key) for key in _options.LIMITS}, _options.LIMITS)
    progress: Progress = given.get("progress")
    begin = time.monotonic()
    with _progress.shown(progress) as report:
        subject._handle(found, report)
    return subject, time.monotonic() - begin


def asked(
    given: Mapping[str, Any], question: Callable[..., T], *arguments: Any, spent: float = 0
) -> T:
    """Asks the compiled half about games and options, with the progress bar that was asked for.

    Rules that are not unfolded yet are unfolded within the options. Their time is the question's,
    of which some seconds may be spent already.
    """
    limits: dict[str, Any] = next((each for each in arguments if isinstance(each, dict)), {})
    progress: Progress = given.get("progress")
    begin = time.monotonic()
    with _progress.shown(progress) as report:
        compiled = [
            each._handle(limits, report) if isinstance(each, Game) else each for each in arguments
        ]
        left = dict(limits)
        if "time" in limits:
            left["time"] = max(0.0, limits["time"] - spent - (time.monotonic() - begin))
        document = _options.document(left)
        return question(*(document if each is limits else each for each in compiled), report)


class Answer(Generic[Document]):
    """An answer: the JSON document of the command, and the question.

    Answers are equal if their documents are. They are pickled and copied by document and question.
    """

    __slots__ = ("_data", "_document", "_handle", "_question")

    _question: tuple[Any, ...]
    """Whatever is needed to ask again."""

    def __init__(self, document: str, question: tuple[Any, ...], handle: Any = None) -> None:
        """Answers are made by questions such as :func:`richman.solve`."""
        self._document = document
        self._question = question
        self._handle = handle
        self._data: Any = None

    def json(self) -> str:
        """The document that the command prints with ``--json``, byte for byte, without its
        newline."""
        return self._document

    @property
    def data(self) -> Document:
        """The document as a dict, with the keys that :mod:`richman.documents` lists; exact numbers
        are texts in it."""
        if self._data is None:
            self._data = json.loads(self._document)
        return self._data  # type: ignore[no-any-return]

    def _known(self, ask: Callable[[], Any]) -> Any:
        """The compiled answer; a pickled answer asks again."""
        if self._handle is None:
            self._handle = ask()
        return self._handle

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return isinstance(other, Answer) and self._document == other._document

    def __hash__(self) -> int:
        return hash(self._document)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._document, self._question)

    def __copy__(self) -> Self:
        return type(self)(self._document, self._question, self._handle)


def sized(svg: str) -> str:
    """A drawing at a size for a page: that of a board is left to the page, and may be huge."""
    tag = re.match(r"\s*<svg\b[^>]*>", svg)
    if tag is None or re.search(r"\swidth=", tag[0]):
        return svg
    box = re.search(r'\sviewBox="[^"]*?([0-9.]+)\s+[0-9.]+"', tag[0])
    width = 320 if box is None else min(480, max(160, round(float(box[1]) / 2)))
    return svg.replace("<svg", f'<svg width="{width}"', 1)


def row(cells: Iterable[object], tag: str = "td") -> str:
    """A row of an HTML table."""
    return (
        "<tr>" + "".join(f"<{tag}>{html.escape(shown(cell))}</{tag}>" for cell in cells) + "</tr>"
    )


def listing(header: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """An HTML table."""
    body = "".join(row(each) for each in rows)
    return f"<table><thead>{row(header, 'th')}</thead><tbody>{body}</tbody></table>"


def facts(pairs: Iterable[tuple[str, object]]) -> str:
    """An HTML table of names and values."""
    each = (
        f"<tr><th>{html.escape(name)}</th><td>{html.escape(shown(value))}</td></tr>"
        for name, value in pairs
        if value is not None
    )
    return f"<table><tbody>{''.join(each)}</tbody></table>"
