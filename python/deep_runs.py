#!/usr/bin/env python3
"""The deep runs over random arenas, in parts: here, or on the workers of a cluster of Dask.

    cargo test --release -p richman-solvers --test all --no-run
    python python/deep_runs.py PROGRAM --arenas 100000 --scheduler tcp://ADDRESS:8786

PROGRAM is the program of the tests, which the first command names; workers find it at the same
path. It gets a part of the arenas at a time. The program of richman-analysis has such tests too:
advice:: and ends::. Prints the parts that failed with the end of what the tests said; then the exit
status is 1.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import richman as rm

ARENAS = [
    "agreement::",
    "cyclic_money::",
    "mechanisms::",
    "money_payments::",
    "rules::",
]


def tested(arenas: range, program: str, variable: str, tests: list[str]) -> str:
    """What the tests say of a part of the arenas; raises richman.Error if one fails."""
    environment = os.environ | {variable: f"{arenas.start}..{arenas.stop}"}
    done = subprocess.run([program, *tests], env=environment, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    results = [line for line in lines if line.startswith("test result: ok.")]
    if done.returncode != 0 or not results or " 0 passed" in results[0]:
        raise rm.Error("\n".join([*lines, *done.stderr.splitlines()][-40:]))
    return results[0]


@contextlib.contextmanager
def connected(address: str | None) -> Iterator[Any]:
    """A client of the scheduler, if there is one."""
    if address is None:
        yield None
        return
    from distributed import Client

    with Client(address) as client:
        yield client


def main(arguments: list[str] | None = None) -> int:
    """Runs the tests on all parts."""
    lines = (__doc__ or "").splitlines()
    parser = argparse.ArgumentParser(description=lines[0])
    parser.add_argument("program", help="the program of the tests")
    parser.add_argument("tests", nargs="*", default=ARENAS, help="the beginnings of their names")
    parser.add_argument("--arenas", type=int, default=20_000, help="how many [default: 20000]")
    parser.add_argument("--each", type=int, default=1000, help="arenas of a part [default: 1000]")
    parser.add_argument("--scores", action="store_true", help="arenas of scoring games: scores::")
    parser.add_argument("--scheduler", help="its address [default: one part after the other, here]")
    given = parser.parse_args(arguments)
    if min(given.each, given.arenas) < 1000:
        parser.error("the tests want 1000 arenas or more, to see all kinds of them")
    # The last part has the rest, too.
    ends = [*range(given.each, given.arenas - given.each + 1, given.each), given.arenas]
    parts = [range(start, end) for start, end in zip([0, *ends], ends)]
    with connected(given.scheduler) as client:
        found = rm.map(
            tested,
            [{"arenas": part} for part in parts],
            client=client,
            program=os.path.abspath(given.program),
            variable="RICHMAN_SCORES" if given.scores else "RICHMAN_ARENAS",
            tests=["scores::"] if given.scores else given.tests,
        )
    failed = [row for row in found if row.error is not None]
    for row in failed:
        print(f"{row.item['arenas']}:\n{row.error}\n")
    print(f"{given.arenas} arenas in {len(parts)} parts: {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
