"""What is checked: published results, saved solutions, and the decisions of a match."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from . import _options, _richman, documents
from ._answer import Answer, asked, listing
from ._game import Game, GameLike, as_game
from ._numbers import Holding
from ._options import Limits


class Reproduction(Answer[documents.Reproduction]):
    """Published results, computed again; made by :func:`richman.reproduce`."""

    __slots__ = ()

    @property
    def claims(self) -> list[documents.CheckedClaim]:
        """Every claim with its id, status, and the cells that match and differ."""
        return list(self.data["claims"])

    @property
    def as_recorded(self) -> bool:
        """Whether every claim has the status that the library records for it."""
        return all(each.get("unexpected") is None for each in self.claims)

    def __repr__(self) -> str:
        return f"<Reproduction of {len(self.claims)} claims>"

    def _repr_html_(self) -> str:
        keys = ("id", "status", "cells", "match", "what")
        return listing(keys, ([each.get(key, "") for key in keys] for each in self.claims))


def reproduce(key: str = "", *, deep: bool = False, **more: Unpack[Limits]) -> Reproduction:
    """Recomputes published results and compares them with the print, cell by cell.

    `key` is a paper's ("DP10", "G12", "K", "GSZ09", "LPR20", "BOARDS"), a result's id or its
    beginning; by default everything. `deep` checks larger ranges, and takes minutes. It is
    ``richman reproduce``.

    >>> import richman as rm
    >>> rm.reproduce("DP10 Figure 3").claims[0]["id"]
    'DP10 Figure 3'
    """
    own = {"deep": _options.flag("deep", deep)}
    found = _options.options(more, _options.LIMITS, own)
    answer = asked(more, _richman.reproduce, _options.word("key", key), found)
    return Reproduction(answer.document, (key, found), answer)


class Verdict(Answer["documents.VerifyReport | documents.Verdict"]):
    """Whether a saved solution is right; made by :func:`richman.verify`. True if it is."""

    __slots__ = ()

    @property
    def valid(self) -> bool:
        """Whether all its claims hold."""
        return bool(self.data["valid"])

    @property
    def wrong(self) -> str | None:
        """The first wrong claim."""
        return self.data.get("wrong")

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return f"<Verdict: {'valid' if self.valid else self.wrong}>"


def verify(path: str | os.PathLike[str], **more: Unpack[Limits]) -> Verdict:
    """Proves a saved solution, a certificate or the folder of a database from the rules of its
    game, without solving.

    Raises richman.Error for a file that cannot be read; a wrong solution is a verdict. It is
    ``richman verify``.
    """
    found = _options.options(more, _options.LIMITS)
    answer = asked(more, _richman.verify, _options.path(path), found)
    return Verdict(answer.document, (os.fspath(path), found), answer)


class Review(Answer[documents.Review]):
    """The review of a match; made by :func:`richman.review`. As text it is the summary and a
    sentence on every decision that could have been better."""

    __slots__ = ()

    @property
    def summary(self) -> str:
        """The course of the match in a few sentences."""
        return str(self.data["summary"])

    @property
    def turns(self) -> list[documents.TurnReview]:
        """Every turn: position and holdings before it, what they were worth, the best play, and
        what was done."""
        return list(self.data["turns"])

    @property
    def mistakes(self) -> list[documents.Mistake]:
        """The decisions that cost the result or chips to spare, in the order of play: the number of
        the "turn", the "player", what was "better", and a sentence under "text"."""
        return [each for each in self.data["mistakes"] if each["grade"] != "slower"]

    @property
    def slower(self) -> list[documents.Mistake]:
        """The decisions after which a sure win takes more moves than it need, in the same form."""
        return [each for each in self.data["mistakes"] if each["grade"] == "slower"]

    def to_frame(self) -> Any:
        """The turns as a DataFrame of pandas, with the final position as the last row.

        Holdings are :class:`richman.Holding`. Margins are chips beyond what the player needs to
        win, negative if short, and None where that is unknown. Raises richman.Error without pandas.
        """
        try:
            import pandas
        except ImportError:
            raise _richman.Error("to_frame needs the package pandas: pip install pandas") from None
        rows = []
        turns: list[Mapping[str, Any]] = [*self.turns, {**self.data["now"], "winner": None}]
        for turn in turns:
            worth = turn["worth"] or {}
            margins = worth.get("margin") or {}
            row: dict[str, Any] = {"position": turn["position"]}
            row |= {player: Holding(turn[player]) for player in ("alice", "bob")}
            row |= {key: worth.get(key) for key in ("outcome", "within")}
            for player in ("alice", "bob"):
                row[f"{player}_margin"] = margins.get(player, {}).get("win")
            keys = ("alice_bids", "bob_bids", "star_used", "winner", "mover", "move")
            rows.append(row | {key: turn.get(key) for key in keys})
        numbers = range(1, len(rows) + 1)
        return pandas.DataFrame(rows, index=pandas.Index(numbers, name="turn"), dtype=object)

    def svg(self) -> str:
        """Both players' margins over the turns, drawn as SVG.

        Raises richman.Error if there are none: the game was not solved, or more chips can hurt.
        """
        arguments = self._question
        drawn = self._known(lambda: asked({}, _richman.review_of, *arguments)).svg()
        if drawn is None:
            name = arguments[0]
            raise _richman.Error(
                f"{name}: there are no margins to draw: the game was not solved, "
                "or more chips can hurt"
            )
        return str(drawn)

    def __str__(self) -> str:
        told = (f"turn {each['turn']}: {each['text']}" for each in self.data["mistakes"])
        return "\n".join([self.summary, *told])

    def __repr__(self) -> str:
        return f"<Review of {len(self.turns)} turns, {len(self.mistakes)} mistakes>"

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg()
        except _richman.Error:
            return None


def review(record: Any, *, game: GameLike | None = None, **more: Unpack[Limits]) -> Review:
    """Reviews a recorded match: the value of every turn, each decision that cost something, and the
    better choice.

    `record` is the path of a record, its text (of several lines), or a :class:`richman.play.Match`.
    `game` replaces the game that the record names, which must otherwise be listed or in a game file
    next to the record. It is ``richman review``.
    """
    found = _options.options(more, _options.LIMITS)
    text = getattr(record, "record", None)
    if callable(text):
        name, text, folder = "the match", text(), "."
        game = record.game if game is None else game
    elif isinstance(record, str) and "\n" in record:
        name, text, folder = "the record", record, "."
    else:
        name = _options.path(record)
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as cause:
            raise _richman.Error(f"{name}: {cause}") from cause
        folder = str(Path(name).parent)
    subject: Game | None = None if game is None else as_game(game)
    question = (name, text, folder, subject, found)
    answer = asked(more, _richman.review_of, *question)
    return Review(answer.document, question, answer)
