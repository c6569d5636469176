"""Databases of boards, computed by many machines.

A board such as Connect Four is cut into units, which are computed one by one from the results of
others, and written as files of a store that all machines reach. `Dask <https://docs.dask.org>`_
gives them to its workers; it needs the package ``distributed``. The result is the database that
``richman build`` makes, byte for byte, and ``richman solve --db`` and ``richman verify`` read it.

Each worker has one thread of Dask, and Richman uses all cores of its process. The memory that it
may take for units, besides some 150 MB for Python, is declared as a resource::

    dask worker ADDRESS --nthreads 1 --resources memory=16e9

From Python::

    import distributed, richman.boards
    client = distributed.Client("tcp://ADDRESS:8786")
    richman.boards.solve("connect:rows=5,cols=5", store="/shared/5x5", client=client)

On one machine ``python -m richman.boards connect:rows=5,cols=5 --store FOLDER`` starts workers of
its own.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from typing import Any, NamedTuple

from . import _options, _progress, _richman
from ._cluster import MOST_TASKS, results
from ._game import GameLike, as_game, game
from ._options import Progress, Totals
from ._richman import Error

MEMORY = "memory"
"""The resource that workers declare: the bytes that they may take for units."""
FAILURES = 20
"""How often a worker may die or fail with a unit before the work ends."""

_Sum = tuple[str, int, str]


class Boards(NamedTuple):
    """A database that is complete."""

    store: str
    """Where it is."""
    units: int
    """Its units."""
    computed: int
    """Those that were computed now."""
    again: tuple[str, ...]
    """The files that were damaged or missing, and were made again."""
    size: int
    """The bytes of all its units."""


class _Spec(NamedTuple):
    """What workers must know."""

    game: str
    store: str
    token: str
    """Another one for each call, which then reads all files anew."""


class _Made(NamedTuple):
    """What a task tells: names and checksums, never numbers."""

    sums: list[_Sum]
    again: list[str]
    computed: bool


def solve(
    board: GameLike,
    *,
    store: str | os.PathLike[str],
    client: Any,
    chips: Totals | None = None,
    check: bool = False,
    window: int = MOST_TASKS,
    failures: int = FAILURES,
    progress: Progress = None,
) -> Boards:
    """Computes the database of a board on the workers of a Dask client, or goes on with it.

    store: a folder that all workers reach by this path. What is complete there is kept.
    client: a ``distributed.Client`` whose workers have one thread and declare their memory.
    chips: the totals, such as 8 or range(20); real money if there are none.
    check: whether files that are complete are read again, to find damage since.
    window: the most tasks at the scheduler at a time.
    failures: how often a worker may die or fail with a unit before this ends with an error.

    Raises :class:`richman.Error` if the store cannot be written, no worker has the memory for a
    unit, or a unit fails too often. Whatever is complete stays, and the next call goes on from
    there. A worker that comes later is used; one that goes is done without.
    """
    given = {} if chips is None else {"chips": _options.totals("chips", chips)}
    known = as_game(board)
    build = _richman.BoardBuild(known._handle(), _options.document(given), _options.path(store))
    spec = _Spec(known.name, _options.path(store), secrets.token_hex(4))
    run = _Run(build, spec, client, _options.whole("failures", failures))
    with _progress.shown(progress) as report:
        return run.run(check, _options.whole("window", window, least=1), report)


class _Run:
    """A database and the tasks that make it."""

    def __init__(self, build: _richman.BoardBuild, spec: _Spec, client: Any, failures: int) -> None:
        self.build = build
        self.spec = spec
        self.client = client
        self.failures = failures
        self.tasks: list[dict[str, Any]] = json.loads(build.tasks())
        self.sizes: dict[str, int] = {}
        self.size = 0
        self.again: list[str] = []
        self.computed = 0

    def run(self, check: bool, window: int, report: _progress.Report | None) -> Boards:
        from distributed import KilledWorker

        waiting = []
        for number, task in enumerate(self.tasks):
            if task["state"] == "complete" and not check:
                self._size(task["name"], task["sum"]["bytes"])
            else:
                waiting.append(number)
        if waiting:
            self._prepare(max(self.tasks[number]["memory"] for number in waiting))
        total = sum(self.tasks[number]["positions"] for number in waiting)
        done = unwritten = 0
        try:
            for number, made in results(self.client, waiting, self._submit, window):
                self._take(made)
                done += self.tasks[number]["positions"]
                unwritten += 1
                # Not after each unit: the manifest names all of them.
                if unwritten * 20 > len(self.tasks):
                    self.build.write()
                    unwritten = 0
                if report is not None:
                    report(f"positions: {self.size / 1e6:.0f} MB of units", done, total)
        except KilledWorker as error:
            raise Error(
                f"a unit ended {self.failures + 1} workers: see their logs, and whether they may "
                f"take the memory that they declare ({error})"
            ) from error
        finally:
            self.build.close()
        return Boards(
            self.spec.store,
            len(self.tasks),
            self.computed,
            tuple(self.again),
            self.size,
        )

    def _size(self, name: str, size: int) -> None:
        self.size += size - self.sizes.get(name, 0)
        self.sizes[name] = size

    def _take(self, made: _Made) -> None:
        for name, size, checksum in made.sums:
            self.build.note(name, size, checksum)
            self._size(name, size)
        self.again.extend(made.again)
        self.computed += made.computed

    def _submit(self, number: int, live: dict[int, Any]) -> Any:
        """Submits a unit, which waits for those that it reads and that are not done."""
        task = self.tasks[number]
        return self.client.submit(
            _make,
            self.spec,
            task["name"],
            task["sum"],
            [live[read] for read in task["reads"] if read in live],
            key=(f"units with {task['fixed']} fixed stones", self.spec.token, number),
            resources={MEMORY: task["memory"]},
            retries=self.failures,
            pure=False,
        )

    def _prepare(self, needed: int) -> None:
        """Looks at the workers, and tells the scheduler how many deaths a unit may cause."""
        self.client.wait_for_workers(1)
        workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        largest = 0.0
        for worker in workers:
            memory = worker["resources"].get(MEMORY)
            if memory is None or worker["nthreads"] != 1:
                raise Error(
                    f"the worker {worker['name']} must have one thread and declare its memory: "
                    f"dask worker ADDRESS --nthreads 1 --resources {MEMORY}=16e9"
                )
            largest = max(largest, memory)
        if largest < needed:
            raise Error(
                f"a unit needs {needed / 1e6:.0f} MB, and the largest worker has "
                f"{largest / 1e6:.0f} MB: start workers with --resources {MEMORY}={needed}"
            )
        self.client.run_on_scheduler(_allow, failures=self.failures)


def _allow(dask_scheduler: Any, failures: int) -> None:
    """Sets how many workers may die with a task, which is 3 if nobody says otherwise."""
    dask_scheduler.allowed_failures = failures


_works: dict[tuple[_Spec, int], _richman.BoardWork] = {}
"""The work of this process, with what it read lately; one at a time."""


def _make(spec: _Spec, name: str, listed: dict[str, Any] | None, _after: list[_Made]) -> _Made:
    """Makes a unit on a worker, or finds it whole, as it is listed if it is."""
    from distributed import get_worker

    memory = int(get_worker().state.total_resources[MEMORY])
    work = _works.get((spec, memory))
    if work is None:
        _works.clear()
        work = _richman.BoardWork(game(spec.game)._handle(), spec.store, memory)
        _works[spec, memory] = work
    known = None if listed is None else (listed["bytes"], listed["sha256"])
    return _Made(*work.make(name, known))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m richman.boards",
        description="Computes the database of a board on workers of Dask.",
    )
    parser.add_argument("board", help="a game such as connect:rows=5,cols=5")
    parser.add_argument("--store", required=True, help="the folder that all workers reach")
    parser.add_argument("--chips", help="totals such as 8 or 0..20 [default: real money]")
    parser.add_argument("--scheduler", help="its address [default: workers on this machine]")
    parser.add_argument("--workers", type=int, help="workers on this machine [default: 1]")
    parser.add_argument("--memory", type=float, help="bytes for the units of each [default: 4e9]")
    parser.add_argument("--check", action="store_true", help="read what is complete again")
    return parser.parse_args()


def main() -> int:
    """The command ``python -m richman.boards``."""
    given = _arguments()
    try:
        with _connected(given) as client:
            found = solve(
                given.board, store=given.store, client=client, chips=given.chips, check=given.check
            )
    except (Error, ImportError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped: the same command goes on with what is complete", file=sys.stderr)
        return 130
    for name in found.again:
        print(f"made again: {name}")
    print(
        f"{found.units} units in {found.store}, {found.computed} computed now: "
        f"{found.size / 1e6:.1f} MB"
    )
    return 0


def _connected(given: argparse.Namespace) -> Any:
    """A client of a scheduler, or of workers on this machine."""
    from distributed import Client, LocalCluster

    if given.scheduler is not None:
        if given.workers is not None or given.memory is not None:
            raise Error(
                "--workers and --memory are for workers on this machine, not at a scheduler"
            )
        return Client(given.scheduler)
    workers = _options.whole("workers", 1 if given.workers is None else given.workers, least=1)
    cores = max(1, len(os.sched_getaffinity(0)) // workers)
    cluster = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        resources={MEMORY: 4e9 if given.memory is None else given.memory},
        memory_limit=None,
        env={"RAYON_NUM_THREADS": str(cores)},
    )
    return Client(cluster)


if __name__ == "__main__":
    sys.exit(main())
