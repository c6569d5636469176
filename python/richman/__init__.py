"""Richman, the workbench for bidding games.

Before every move both players bid for the right to make it; the higher bid wins the move, and the
winner pays the loser. This package solves such games exactly, proves and explains its answers,
draws them, and plays.

>>> import richman as rm
>>> rm.solve("tic-tac-toe").win
Fraction(133, 256)

Games: :func:`game`, :func:`expr`, :func:`load`, :func:`from_dict`, :func:`from_networkx`,
:func:`from_arrays`, :func:`rules`, :func:`games`. Questions: :func:`solve`, :func:`why`,
:func:`table`, :func:`tree`, :func:`compare`, :func:`scores`, :func:`random_turn`, :func:`unitary`,
:func:`duel`, :func:`exploitability`, :func:`review`, :func:`reproduce`, :func:`verify`; and
:func:`map` for one of them about many games. Matches: :mod:`richman.play`, and :class:`Server` for
those on a server. Databases of large boards on a cluster: :mod:`richman.boards`.

For learning programs there are :mod:`richman.openspiel` and :mod:`richman.pettingzoo`.

Every error of the library is a :class:`richman.Error`, whose message says what is wrong and which
arguments would help; arguments of a wrong type raise TypeError.
"""

from ._richman import Error, __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import boards, play
    from ._arrays import Bounds, Values, from_arrays
    from ._exploitability import Exploitability, exploitability
    from ._game import Game, GameInfo, expr, from_dict, from_networkx, game, games, load, rules
    from ._map import Answered, Answers, map
    from ._numbers import Holding, Interval, Threshold
    from ._options import Choices, Exactness, Limits
    from ._records import Reproduction, Review, Verdict, reproduce, review, verify
    from ._reports import (
        Chance,
        Comparison,
        Duel,
        RandomTurn,
        Tree,
        compare,
        duel,
        random_turn,
        tree,
    )
    from ._rules import Rules
    from ._scores import Scores, Unitary, scores, unitary
    from ._server import Seat, Server
    from ._solve import Advice, Offers, Solution, Turn, solve, why
    from ._strategy import Choice, Strategy
    from ._table import Period, Row, Table, table
else:
    # Imported at their first use, so that `import richman` takes next to no time.
    _LATER = {
        "_arrays": "Bounds Values from_arrays",
        "_exploitability": "Exploitability exploitability",
        "_game": "Game GameInfo expr from_dict from_networkx game games load rules",
        "_map": "Answered Answers map",
        "_numbers": "Holding Interval Threshold",
        "_options": "Choices Exactness Limits",
        "_records": "Reproduction Review Verdict reproduce review verify",
        "_reports": "Chance Comparison Duel RandomTurn Tree compare duel random_turn tree",
        "_rules": "Rules",
        "_scores": "Scores Unitary scores unitary",
        "_server": "Seat Server",
        "_solve": "Advice Offers Solution Turn solve why",
        "_strategy": "Choice Strategy",
        "_table": "Period Row Table table",
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in ("boards", "play"):
            return import_module(f".{name}", __name__)
        for module, names in _LATER.items():
            if name in names.split():
                found = getattr(import_module(f".{module}", __name__), name)
                globals()[name] = found
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return [*globals(), *__all__]


__all__ = [
    "Advice",
    "Answered",
    "Answers",
    "Bounds",
    "Chance",
    "Choice",
    "Choices",
    "Comparison",
    "Duel",
    "Error",
    "Exploitability",
    "Exactness",
    "Game",
    "GameInfo",
    "Holding",
    "Interval",
    "Limits",
    "Offers",
    "Period",
    "RandomTurn",
    "Reproduction",
    "Review",
    "Row",
    "Rules",
    "Scores",
    "Seat",
    "Server",
    "Solution",
    "Strategy",
    "Table",
    "Threshold",
    "Tree",
    "Turn",
    "Unitary",
    "Values",
    "Verdict",
    "__version__",
    "boards",
    "compare",
    "duel",
    "exploitability",
    "expr",
    "from_arrays",
    "from_dict",
    "from_networkx",
    "game",
    "games",
    "load",
    "map",
    "play",
    "random_turn",
    "reproduce",
    "review",
    "rules",
    "scores",
    "solve",
    "table",
    "tree",
    "unitary",
    "verify",
    "why",
]
