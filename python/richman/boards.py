"""Databases of boards, computed by many machines.

A board such as Connect Four is cut into units, which are computed one by one from the results of
others, and written as files of a store that all machines reach. `Dask <https://docs.dask.org>`_
gives them to its workers; it needs the package ``distributed``. The result is the database that
``richman build`` makes, byte for byte, and ``richman solve --db`` and ``richman verify`` read it.

Each worker has one thread of Dask, and Richman uses all cores of its process. The memory that it
may take for units, besides some 150 MB for Python, is declared as a resource::

    dask worker ADDRESS --nthreads 1 --memory-limit 0 --resources memory=16e9

(Dask's own limit is for data that it keeps itself, and would end workers too early.)

From Python::

    import distributed, richman.boards
    client = distributed.Client("tcp://ADDRESS:8786")
    richman.boards.solve("connect:rows=5,cols=5", store="/shared/5x5", client=client)

On one machine ``python -m richman.boards connect:rows=5,cols=5 --store FOLDER`` starts workers of
its own.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from . import _options, _progress, _richman
from ._answer import Answer, listing
from ._cluster import results
from ._game import GameLike, as_game, game
from ._options import Progress, Totals
from ._richman import Error

MEMORY = "memory"
"""The resource that workers declare: the bytes that they may take for units."""
FAILURES = 20
"""How many workers may die with a unit before the work ends."""
_LOOK = 5.0  # seconds between two looks at how many workers there are

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
    """The bytes of all units that are kept."""


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
    leaves: int | None = None,
    unit: int | None = None,
    keep: str = "all",
    check: bool = False,
    window: int | None = None,
    failures: int = FAILURES,
    progress: Progress = None,
) -> Boards:
    """Computes the database of a board on the workers of a Dask client, or goes on with it.

    store: a folder that all workers reach by this path, or a URL such as s3://bucket/prefix. What
        is complete there is kept.
    client: a ``distributed.Client`` whose workers have one thread and declare their memory.
    chips: the totals, such as 8 or range(20); real money if there are none.
    leaves: bounds instead of exact thresholds, from lines after this many stones.
    unit: the most numbers of a unit, such as 10**9 for a board of 6 x 6; by default few enough to
        compute a unit for a single answer. A database that was begun keeps its units.
    keep: "all", or "two-layers" to delete units once no other needs them. Then the database answers
        only at the start of the game, and cannot be proved.
    check: whether files that are complete are read again, to find damage since.
    window: the most tasks at the scheduler at a time; by default some for each worker.
    failures: how many workers may die with a unit waiting or at work, and how often it may fail,
        before this ends with an error.

    Raises :class:`richman.Error` if the store cannot be written, no worker has the memory for a
    unit, or a unit fails too often. Whatever is complete stays, and the next call goes on from
    there. A worker that comes later is used; one that goes is done without.
    """
    known = as_game(board)
    document, place = _options.document(_asked(chips, leaves, unit, keep)), _options.path(store)
    if "://" not in place:
        place = os.path.abspath(place)  # workers may be in another folder
    most = None if window is None else _options.whole("window", window, least=1)
    again = _options.whole("failures", failures)
    with _progress.shown(progress) as report:
        build = _richman.BoardBuild(known._handle(), document, place)
        try:
            spec = _Spec(known.name, place, secrets.token_hex(4))
            return _Run(build, spec, client, again, most).run(_options.flag("check", check), report)
        finally:
            build.close()


class Plan(Answer[Mapping[str, Any]]):
    """How long machines take for a database together; made by :func:`plan`."""

    __slots__ = ()

    @property
    def units(self) -> int:
        """Its units."""
        return int(self.data["units"])

    @property
    def stored(self) -> int:
        """Estimated bytes of all files; 0.7 to 1.1 of this were measured for Connect Four."""
        return int(self.data["stored"])

    @property
    def memory(self) -> int:
        """The bytes that a worker must have for units."""
        return int(self.data["memory"])

    @property
    def seconds(self) -> float:
        """Estimated seconds with these workers."""
        return float(self.data["seconds"])

    @property
    def core_seconds(self) -> float:
        """Estimated seconds of one core, for all units."""
        return float(self.data["core_seconds"])

    @property
    def scale(self) -> dict[int, float]:
        """Estimated seconds with other numbers of such workers."""
        return {row["workers"]: row["seconds"] for row in self.data["scale"]}

    def __repr__(self) -> str:
        return f"<Plan: {self.units} units, {self.stored / 1e9:.1f} GB, {self.seconds:.0f} s>"

    def _repr_html_(self) -> str:
        return listing(("workers", "seconds"), self.scale.items())


def plan(
    board: GameLike,
    *,
    workers: int = 1,
    cores: int = 1,
    bandwidth: str = "10Gbit",
    store_bandwidth: str | None = None,
    chips: Totals | None = None,
    leaves: int | None = None,
    unit: int | None = None,
    keep: str = "all",
    store: str | os.PathLike[str] | None = None,
) -> Plan:
    """How long workers take for a database, before anything is computed.

    bandwidth: what goes between a worker and the store in a second.
    store_bandwidth: what the store gives and takes in a second; by default as much as all workers.
    leaves, unit, keep: as for :func:`solve`.
    store: one that was begun, whose units are kept.

    Speeds were measured on one machine: about 600 million numbers a second and core, and 350 MB
    packed or unpacked. It is ``richman build --plan --workers``.

    >>> import richman.boards
    >>> found = richman.boards.plan("connect:rows=5,cols=5", workers=2)
    >>> found.units, found.scale[1] > found.seconds
    (40, True)
    """
    known = as_game(board)
    machines = (
        _options.whole("workers", workers, least=1),
        _options.whole("cores", cores, least=1),
    )
    lines = (
        _options.word("bandwidth", bandwidth),
        None if store_bandwidth is None else _options.word("store_bandwidth", store_bandwidth),
    )
    found = _asked(chips, leaves, unit, keep)
    place = f"none-{secrets.token_hex(8)}" if store is None else _options.path(store)
    document = _options.document(found)
    answer = _richman.board_plan(known._handle(), document, place, machines, lines)
    return Plan(answer.document, (known, found, place, machines, lines), answer)


def _asked(chips: Totals | None, leaves: int | None, unit: int | None, keep: str) -> dict[str, Any]:
    own = {
        "totals": None if chips is None else _options.totals("chips", chips),
        "leaves": None if leaves is None else _options.whole("leaves", leaves, least=1, most=63),
        "keep": _options.word("keep", keep),
        "unit": None if unit is None else _options.whole("unit", unit, least=1, most=2**40),
    }
    return _options.options({}, (), own)


class _Run:
    """A database and the tasks that make it."""

    def __init__(
        self,
        build: _richman.BoardBuild,
        spec: _Spec,
        client: Any,
        failures: int,
        window: int | None,
    ) -> None:
        self.build = build
        self.spec = spec
        self.client = client
        self.failures = failures
        self.window = window
        self.tasks: list[dict[str, Any]] = json.loads(build.tasks())
        self.again: list[str] = []
        self.computed = 0
        self.workers = (0.0, 0)

    def run(self, check: bool, report: _progress.Report | None) -> Boards:
        waiting = []
        for number, task in enumerate(self.tasks):
            if task["state"] == "complete" and not check:
                self.build.note(task["name"], task["sum"]["bytes"], task["sum"]["sha256"])
            elif task["state"] != "unneeded":
                waiting.append(number)
        if waiting:
            self._check_workers(max(self.tasks[number]["memory"] for number in waiting))
            before = self.client.run_on_scheduler(_allow, failures=self.failures)
            try:
                self._work(waiting, report)
            finally:
                # A scheduler that is gone has nothing to restore, and another error is on its way.
                with contextlib.suppress(Exception):
                    self.client.run_on_scheduler(_allow, failures=before)
        self.build.write()
        size = self.build.stored()
        return Boards(self.spec.store, len(self.tasks), self.computed, tuple(self.again), size)

    def _work(self, waiting: list[int], report: _progress.Report | None) -> None:
        from distributed import KilledWorker

        total = sum(self.tasks[number]["positions"] for number in waiting)
        done = unwritten = 0
        try:
            for number, made in results(self.client, waiting, self._submit, self._window):
                self._take(made)
                done += self.tasks[number]["positions"]
                unwritten += 1
                # Not after each unit: the manifest names all of them.
                if unwritten * 20 > len(self.tasks):
                    self.build.write()
                    unwritten = 0
                if report is not None:
                    report(f"positions: {self.build.stored() / 1e6:.0f} MB of units", done, total)
        except KilledWorker as error:
            raise Error(
                f"{self.failures + 1} workers ended with the same unit: see their logs, and "
                f"whether they may take the memory that they declare ({error})"
            ) from error

    def _window(self) -> int:
        """The number of tasks given out, so that no worker waits. If a worker dies, all tasks that
        wait there count as having killed it."""
        if self.window is not None:
            return self.window
        looked, workers = self.workers
        if time.monotonic() - looked > _LOOK:
            workers = len(self.client.scheduler_info(n_workers=-1)["workers"])
            self.workers = (time.monotonic(), workers)
        return max(32, 4 * workers)

    def _take(self, made: _Made) -> None:
        for known in made.sums:
            self.build.note(*known)
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

    def _check_workers(self, needed: int) -> None:
        self.client.wait_for_workers(1)
        workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        start = "dask worker ADDRESS --nthreads 1 --memory-limit 0 --resources memory="
        largest = 0.0
        for worker in workers:
            memory, limit = worker["resources"].get(MEMORY), worker.get("memory_limit")
            if memory is None or worker["nthreads"] != 1:
                raise Error(
                    f"the worker {worker['name']} must have one thread and declare its memory: "
                    f"{start}16e9"
                )
            if limit and limit < memory:
                raise Error(
                    f"Dask ends the worker {worker['name']} when it has {limit / 1e6:.0f} MB, less "
                    f"than it declares: {start}{memory:.0f}"
                )
            largest = max(largest, memory)
        if largest < needed:
            raise Error(
                f"a unit needs {needed / 1e6:.0f} MB, and the largest worker has "
                f"{largest / 1e6:.0f} MB: {start}{needed}"
            )


def _allow(dask_scheduler: Any, failures: int) -> int:
    """Sets how many workers may die with a task, which is 3 if nobody says otherwise; returns how
    many it was."""
    before: int = dask_scheduler.allowed_failures
    dask_scheduler.allowed_failures = failures
    return before


_works: dict[tuple[_Spec, int], _richman.BoardWork] = {}
"""The work of this process, with what it read lately; one at a time."""


def _make(spec: _Spec, name: str, listed: dict[str, Any] | None, _after: list[_Made]) -> _Made:
    """Makes a unit on a worker, or finds it whole, as it is listed if it is. Dask may ask again for
    one that was deleted since, because the worker with its result died."""
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
    parser.add_argument("--store", required=True, help="a folder, or s3://bucket/prefix")
    parser.add_argument("--chips", help="totals such as 8 or 0..20 [default: real money]")
    parser.add_argument("--scheduler", help="its address [default: workers on this machine]")
    parser.add_argument("--workers", type=int, help="workers on this machine [default: 1]")
    parser.add_argument("--memory", type=float, help="bytes for the units of each [default: 4e9]")
    parser.add_argument("--leaves", type=int, help="bounds from lines after this many stones")
    parser.add_argument("--unit", type=int, help="the most numbers of a unit")
    parser.add_argument("--keep", default="all", help="all units, or two-layers [default: all]")
    parser.add_argument("--check", action="store_true", help="read complete files again")
    return parser.parse_args()


def main() -> int:
    """The command ``python -m richman.boards``."""
    given = _arguments()
    try:
        with _connected(given) as client:
            found = solve(
                given.board,
                store=given.store,
                client=client,
                chips=given.chips,
                leaves=given.leaves,
                unit=given.unit,
                keep=given.keep,
                check=given.check,
            )
    except (Error, ImportError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped: the same command resumes from the complete files", file=sys.stderr)
        return 130
    for name in found.again:
        print(f"made again: {name}")
    print(
        f"{found.units} units in {found.store}, {found.computed} computed now: "
        f"{found.size / 1e6:.1f} MB"
    )
    return 0


@contextlib.contextmanager
def _connected(given: argparse.Namespace) -> Iterator[Any]:
    """A client of a scheduler, or of workers on this machine."""
    from distributed import Client, LocalCluster

    if given.scheduler is not None:
        if given.workers is not None or given.memory is not None:
            raise Error(
                "--workers and --memory are for workers on this machine, not at a scheduler"
            )
        with Client(given.scheduler) as client:
            yield client
        return
    workers = _options.whole("workers", 1 if given.workers is None else given.workers, least=1)
    cores = max(1, len(os.sched_getaffinity(0)) // workers)
    # Ctrl-C in a terminal goes to all processes, and is for this one.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            resources={MEMORY: 4e9 if given.memory is None else given.memory},
            memory_limit=None,
            env={"RAYON_NUM_THREADS": str(cores)},
            # For this machine alone, as the scheduler is; another port if that one is taken.
            dashboard_address="127.0.0.1:8787",
            silence_logs=logging.ERROR,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with cluster, Client(cluster) as client:
        yield client


if __name__ == "__main__":
    # From the module, which workers import, too.
    from richman import boards

    sys.exit(boards.main())
