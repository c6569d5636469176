"""Tables of thresholds."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Unpack

from . import _options, _richman, documents
from ._answer import Answer, asked, listing, opened
from ._game import Game, GameLike
from ._numbers import Holding, Threshold, holding, threshold
from ._options import Choices, Totals


class Row(NamedTuple):
    """A row of a table."""

    chips: int
    """The total; in a table against one player's chips, that player's."""
    win: Threshold
    """What Alice (or the other player) needs to win."""
    draw: Threshold
    """What she needs not to lose."""


@dataclass(frozen=True, slots=True)
class Period:
    """threshold(k + block) = threshold(k) + step for every k >= start."""

    block: int | None
    """The least such number of chips; None if not proved within the limits."""
    step: int | Holding | None
    """What the threshold grows by in each block; a holding if it is half a chip more."""
    start: int | None
    """The least total from which the law holds for this block."""
    proved: bool
    """Whether this is proved for all totals."""
    finer: dict[str, Any] | None
    """A shorter block with a step of half chips, if there is one."""
    reason: str | None
    """Why there is no period."""


def _period(value: Mapping[str, Any] | None) -> Period | None:
    if value is None:
        return None
    step = value.get("step")
    return Period(
        block=value.get("block"),
        step=holding(step) if isinstance(step, str) else step,
        start=value.get("from"),
        proved=bool(value.get("proved", False)),
        finer=value.get("finer"),
        reason=value.get("reason"),
    )


class Table(Answer[documents.Table]):
    """The thresholds of a game for many numbers of chips; made by :func:`richman.table`."""

    __slots__ = ()

    @property
    def _asked(self) -> tuple[Game, dict[str, Any]]:
        game, options = self._question
        return game, options

    @property
    def game(self) -> Game:
        """The game."""
        return self._asked[0]

    @property
    def of(self) -> str:
        """What the rows count: "chips" in all, or the chips of "alice" or "bob"."""
        rows = self.data["rows"]
        return next(key for key in ("chips", "bob", "alice") if not rows or key in rows[0])

    @property
    def rows(self) -> list[Row]:
        """A row for each number of chips."""
        of = self.of
        rows: list[Mapping[str, Any]] = [*self.data["rows"]]
        return [Row(each[of], threshold(each["win"]), threshold(each["draw"])) for each in rows]

    @property
    def period(self) -> dict[str, Period | None]:
        """The periods of "win" and "draw"; empty for a table against one player's chips."""
        found = self.data.get("period")
        if found is None:
            return {}
        return {"win": _period(found["win"]), "draw": _period(found["draw"])}

    def to_frame(self) -> Any:
        """The table as a DataFrame of pandas: chips, then win, win_plain, win_star, and the same
        for draw. Thresholds are :class:`richman.Holding`, and None where no number suffices.

        Raises richman.Error without pandas.
        """
        try:
            import pandas
        except ImportError:
            raise _richman.Error("to_frame needs the package pandas: pip install pandas") from None
        of = self.of
        columns: dict[str, list[Any]] = {of: []}
        columns |= {key + end: [] for key in _KEYS for end in ("", "_plain", "_star")}
        for row in self.rows:
            columns[of].append(row.chips)
            for key, each in zip(_KEYS, (row.win, row.draw)):
                for end, value in zip(
                    ("", "_plain", "_star"), (each.threshold, each.plain, each.star)
                ):
                    columns[key + end].append(value)
        # Of whole numbers among which one is missing pandas would make floats.
        exact = {
            key: pandas.Series(values, dtype=object if None in values else None)
            for key, values in columns.items()
        }
        return pandas.DataFrame(exact).set_index(of)

    def plot(self, ax: Any = None) -> Any:
        """Draws the thresholds without and with the star with matplotlib, and returns the axes.

        Raises richman.Error without matplotlib.
        """
        if ax is None:
            try:
                from matplotlib import pyplot
            except ImportError:
                raise _richman.Error("plot needs matplotlib: pip install matplotlib") from None
            ax = pyplot.subplots()[1]
        rows = self.rows
        for key, colour in zip(_KEYS, ("#db5443", "#1c4a8a")):  # as in the other drawings
            for end, style in (("plain", "-"), ("star", ":")):
                values = [getattr(getattr(row, key), end) for row in rows]
                label = f"{key}, {'with' if end == 'star' else 'without'} the star"
                ax.step([row.chips for row in rows], values, style, c=colour, label=label)
        ax.set_xlabel(
            "chips in the game" if self.of == "chips" else f"{self.of.capitalize()}'s chips"
        )
        ax.set_ylabel("chips needed")
        ax.set_title(self.data["game"])
        ax.legend()
        return ax

    def certificate(self, path: str | os.PathLike[str]) -> None:
        """Saves the rules of every position, for all totals, to a file from which
        :func:`richman.verify` proves the periods."""
        self._save(path, False)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the solution of every position and total to a file that :func:`richman.verify`
        proves."""
        self._save(path, True)

    def _save(self, path: str | os.PathLike[str], values: bool) -> None:
        game, options = self._asked
        asked({}, _richman.save_table, game, options, _options.path(path), values)

    def maps(self) -> list[str]:
        """Who can force a win, as SVG: one map for each owner of the star."""
        game, options = self._asked
        known = self._known(lambda: asked({}, _richman.table, game, options))
        return list(known.maps())

    def svg(self) -> str:
        """The figure that the command draws with ``--svg``: thresholds minus their real-money share
        of the total, and who can force a win. It asks again; for the light maps see
        :meth:`maps`."""
        game, options = self._asked
        return asked({}, _richman.table_svg, game, options)

    def __repr__(self) -> str:
        rows = self.rows
        span = f", {self.of} {rows[0].chips} to {rows[-1].chips}" if rows else ""
        return f"<Table of {self.data['game']}{span}>"

    def _repr_html_(self) -> str:
        most = 64
        rows = self.rows
        header = (self.of, "win", "win without star", "win with star", "draw")
        cells = (
            (row.chips, row.win.threshold, row.win.plain, row.win.star, row.draw.threshold)
            for row in rows[:most]
        )
        more = "" if len(rows) <= most else f"<p>and {len(rows) - most} more rows</p>"
        return "".join(self.maps()) + listing(header, cells) + more


_KEYS = ("win", "draw")


def table(
    game: GameLike,
    *,
    chips: Totals | None = None,
    alice: Totals | None = None,
    bob: Totals | None = None,
    position: Hashable | None = None,
    within: int | None = None,
    at_least: Fraction | str | int | None = None,
    stability: bool = False,
    **more: Unpack[Choices],
) -> Table:
    """The thresholds of a game for a range of totals, with their proved periods.

    `chips` is a range of totals such as ``range(256)``, or a text as on the command line, where
    both ends are included: ``"0..255"``. Instead, `bob` has Alice's needs against numbers of Bob's
    chips, and `alice` Bob's against Alice's. `at_least` is the average that Alice
    needs in a game for a long-run average. `stability` finds the totals at which best play needs
    moves that are not best with real money. Proofs end after 60 seconds, or after `time`.

    Raises richman.Error if it cannot be answered.

    >>> import richman as rm
    >>> t = rm.table("tic-tac-toe", chips=range(4))
    >>> [str(row.win) for row in t.rows]
    ['1', '1', '1*', '2*']
    >>> t.period["win"].block, t.period["win"].step
    (256, 133)
    """
    subject, spent = opened(game, more)
    given = {"chips": chips, "alice": alice, "bob": bob}
    if sum(each is not None for each in given.values()) > 1:
        raise _richman.Error(
            "a table is about totals, or about one player's chips: give one of them"
        )
    rows = [f"{of} {_options.totals(of, each)}" for of, each in given.items() if each is not None]
    own = {
        "rows": rows[0] if rows else None,
        "position": subject._at(position),
        "within": None if within is None else _options.whole("within", within),
        "at_least": None if at_least is None else _options.part("at_least", at_least),
        "stability": _options.flag("stability", stability),
    }
    found = _options.options(more, _options.CHOICES, own)
    answer = asked(more, _richman.table, subject, found, spent=spent)
    return Table(answer.document, (subject, found), answer)
