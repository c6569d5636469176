"""One question about many games, here and on workers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import distributed
import pandas
import pytest

import richman as rm

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import deep_runs


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


def broken(game: str) -> None:
    raise ValueError(game)


@pytest.mark.parametrize("window", [1, 1000])
def test_workers_answer_as_here(client: Any, window: int) -> None:
    games = ["tic-tac-toe", "no-such-game", rm.expr("(A & B^2) & B"), "tug-of-war:length=4"]
    heard: list[Any] = []
    here = rm.map(rm.solve, games)
    there = rm.map(
        rm.solve, games, client=client, window=window, progress=lambda *told: heard.append(told)
    )
    assert list(there) == list(here)
    assert heard[-1] == ("answers", 4, 4)
    assert "is not a game" in str(here[1].error) or "no-such-game" in str(here[1].error)
    assert [row.answer.win for row in here[2:]] == [rm.solve(game).win for game in games[2:]]
    frame = there.to_frame("win", positions=lambda answer: answer.positions)
    assert list(frame.columns) == ["win", "positions", "error"]
    assert frame.loc["tic-tac-toe", "win"] == Fraction(133, 256)
    assert frame.loc["tic-tac-toe", "error"] is None
    assert frame.loc["no-such-game", "win"] is None
    assert isinstance(there.to_frame().loc["tic-tac-toe", "answer"], rm.Solution)
    assert repr(there) == "<4 answers, 1 of them errors>"
    assert "<td>no-such-game</td>" in there._repr_html_()


def test_parameters_and_other_questions(client: Any) -> None:
    seeds: list[dict[str, Any]] = [{"seed": seed, "bob": "random"} for seed in range(40)]
    duels = rm.map(rm.duel, seeds, client=client, game="tug-of-war", alice="perfect", games=10)
    assert [row.answer for row in duels] == [
        rm.duel("tug-of-war", alice="perfect", games=10, **seed) for seed in seeds
    ]
    frame = duels.to_frame("wins", "draws", "losses")
    assert frame.index[3] == "seed=3, bob=random"
    assert (frame.sum(axis=1) == 10).all()
    tables = rm.map(rm.solve, [("tic-tac-toe",), ("tug-of-war",)], client=client, chips=8)
    assert [row.answer.win for row in tables] == [
        rm.solve(game, chips=8).win for game in ("tic-tac-toe", "tug-of-war")
    ]
    assert isinstance(frame, pandas.DataFrame)
    results = rm.map(rm.reproduce, ["DP10 Figure 3", "G12 Table 1"], client=client)
    assert all(row.error is None or "G12" in row.error for row in results)


def test_other_faults_end_the_work(client: Any) -> None:
    with pytest.raises(ValueError, match="tic-tac-toe"):
        rm.map(broken, ["tic-tac-toe"])
    with pytest.raises(TypeError):
        rm.map(rm.solve, [3], client=client)
    with pytest.raises(rm.Error, match="window is 0"):
        rm.map(rm.solve, [], window=0)
    assert len(rm.map(rm.solve, [], client=client)) == 0


def test_deep_runs_are_given_out_in_parts(client: Any, tmp_path: Path, capsys: Any) -> None:
    """With a program in place of the tests, which finds a fault in arena 4321."""
    program, said = tmp_path / "tests", tmp_path / "said"
    program.write_text(
        f"""#!/bin/sh
        echo "$RICHMAN_ARENAS $*" >> {said}
        test "$RICHMAN_ARENAS" = 4000..6000 && {{ echo "seed 4321 is wrong"; exit 101; }}
        echo "test result: ok. 2 passed; 0 failed"
        """
    )
    program.chmod(0o755)
    deep = [str(program), "rules::", "--arenas", "9000", "--each", "2000"]
    for more in [[], ["--scheduler", client.scheduler.address]]:
        said.write_text("")
        assert deep_runs.main(deep + more) == 1
        told = capsys.readouterr().out
        assert "seed 4321 is wrong" in told
        assert told.endswith("9000 arenas in 4 parts: 1 failed\n")
        parts = ["0..2000", "2000..4000", "4000..6000", "6000..9000"]
        assert sorted(said.read_text().splitlines()) == [f"{part} rules::" for part in parts]
    assert deep_runs.main([str(program), "--arenas", "3000"]) == 0
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\necho 'test result: ok. 0 passed; 0 failed'\n")
    silent.chmod(0o755)
    assert deep_runs.main([str(silent), "--arenas", "1000"]) == 1, "no test has this name"
