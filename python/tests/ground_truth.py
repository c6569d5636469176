"""The tables of the guide's page for learning programs, computed anew.

    python tests/ground_truth.py

prints them; the page has them word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import richman as rm
from richman import Threshold
from richman._nodes import Walk

GAMES = [
    "tic-tac-toe",
    "connect:rows=3,cols=3,line=3",
    "hex:size=3",
    "y:size=3",
    "chomp",
    "race:alice=3,bob=4",
    "tug-of-war",
    "ultimatum",
]
MECHANISMS: dict[str, dict[str, Any]] = {
    "develin-payne": {},
    "gasarch": {"preset": "gasarch"},
    "larsson": {"preset": "larsson"},
}
TOTALS = (3, 8, 15, 32)
PURSES = (3, 8, 15)


def shown(threshold: Threshold) -> str:
    if threshold.threshold is not None:
        return str(threshold)
    return f"{threshold.plain} or {threshold.star}*"


def both(row: Any) -> str:
    win, draw = shown(row.win), shown(row.draw)
    return win if win == draw else f"{win}; {draw}"


def sizes() -> Iterator[list[str]]:
    yield ["game", "positions", "moves of the longest play", "win", "draw"]
    for game in GAMES:
        walk, money = Walk(rm.game(game), rm.game(game).start, 10**6), rm.solve(game)
        assert walk.is_complete and money.exact
        longest = "endless" if walk.longest is None else str(walk.longest)
        yield [f"`{game}`", str(walk.positions), longest, str(money.win), str(money.draw)]


def totals() -> Iterator[list[str]]:
    yield ["game", "mechanism", *(f"{total} chips" for total in TOTALS)]
    for game in GAMES:
        for name, mechanism in MECHANISMS.items():
            rows = [rm.table(game, chips=total, **mechanism).rows[-1] for total in TOTALS]
            yield [f"`{game}`", name, *map(both, rows)]


def purses() -> Iterator[list[str]]:
    yield ["game", *(f"against {chips}" for chips in PURSES)]
    for game in GAMES:
        rows = [rm.table(game, bob=chips, payment="poorman").rows[-1] for chips in PURSES]
        yield [f"`{game}`", *map(both, rows)]


def written(rows: Iterator[list[str]]) -> str:
    header, *others = rows
    lines = [header, ["---"] * len(header), *others]
    return "\n".join("| " + " | ".join(each) + " |" for each in lines)


if __name__ == "__main__":
    print("\n\n".join(map(written, (sizes(), totals(), purses()))))
