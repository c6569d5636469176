"""Errors, types, pickles, pictures, and the time of the import."""

from __future__ import annotations

import copy
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx
import pytest
from own_games import TicTacToe

import richman as rm

T = "tic-tac-toe"

REFUSED: list[tuple[list[str], Callable[[], Any]]] = [
    (["solve", "tic-tac-to"], lambda: rm.solve("tic-tac-to")),
    (["solve", "tic-tac-toe:rows=x"], lambda: rm.solve("tic-tac-toe:rows=x")),
    (["solve", "expr:A &"], lambda: rm.expr("A &")),
    (["solve", "missing.json"], lambda: rm.solve("missing.json")),
    (["solve", T, "--position", "AAA"], lambda: rm.solve(T, position="AAA")),
    (["solve", T, "--alice", "4*", "--bob", "4*"], lambda: rm.solve(T, alice="4*", bob="4*")),
    (["solve", T, "--alice", "4", "--bob", "4"], lambda: rm.solve(T, alice=4, bob=4)),
    (["solve", T, "--alice", "9*", "--chips", "8"], lambda: rm.solve(T, alice="9*", chips=8)),
    (["solve", T, "--bids", "0+5"], lambda: rm.solve(T, bids=[0, 5])),
    (["compare", T, "tic-tac-to"], lambda: rm.compare(T, "tic-tac-to")),
    (["reproduce", "XX99"], lambda: rm.reproduce("XX99")),
    (["verify", "missing.json"], lambda: rm.verify("missing.json")),
    (
        ["duel", T, "--alice", "perfect", "--holdings", "4*:4,4*:5"],
        lambda: rm.duel(T, alice="perfect", holdings=[("4*", 4), ("4*", 5)]),
    ),
]


@pytest.mark.parametrize(("arguments", "ask"), REFUSED, ids=[" ".join(each) for each, _ in REFUSED])
def test_errors_have_the_sentence_of_the_command(
    command: Callable[..., str], arguments: list[str], ask: Callable[[], Any]
) -> None:
    with pytest.raises(rm.Error) as found:
        ask()
    assert command(*arguments, status=2) == f"richman: {found.value}\n"


# Both say what is wrong, and each says what helps in its own words.
REMEDIED: list[tuple[list[str], Callable[[], Any], str]] = [
    (["solve", T, "--alice", "4*"], lambda: rm.solve(T, alice="4*"), "give bob, or give chips"),
    (
        ["solve", T, "--alice", "4*", "--bob", "4", "--chips", "9"],
        lambda: rm.solve(T, alice="4*", bob=4, chips=9),
        "leave out chips, or correct a holding",
    ),
    (
        ["solve", T, "--payment", "poorman", "--chips", "8"],
        lambda: rm.solve(T, payment="poorman", chips=8),
        "give alice and bob, or ask only for the value in real money, or ask richman.table with",
    ),
    (
        ["solve", T, "--all", "--memory", "10kB"],
        lambda: rm.solve(T, all=True, memory="10kB"),
        "raise memory, or ask for less",
    ),
    (["solve", "subtraction"], lambda: rm.solve("subtraction"), "use richman.scores"),
    (["scores", T, "--chips", "4"], lambda: rm.scores(T, chips=4), "use richman.solve, or"),
    (
        ["table", T, "--payment", "poorman", "--chips", "0..3"],
        lambda: rm.table(T, payment="poorman", chips=range(4)),
        "leave out chips, or ask richman.table with bob=range(21)",
    ),
]


@pytest.mark.parametrize(("arguments", "ask", "remedy"), REMEDIED)
def test_remedies_are_arguments(
    command: Callable[..., str], arguments: list[str], ask: Callable[[], Any], remedy: str
) -> None:
    with pytest.raises(rm.Error) as found:
        ask()
    wrong, _, helps = str(found.value).rpartition(": ")
    assert helps.startswith(remedy) and "--" not in helps
    assert command(*arguments, status=2).startswith(f"richman: {wrong}: ")


def test_arguments_go_together() -> None:
    with pytest.raises(rm.Error, match="a line of play is about given holdings: give alice and"):
        rm.solve(T, trace=True)
    with pytest.raises(rm.Error, match="table of bids is about given holdings: give alice and bob"):
        rm.scores("subtraction", chips=4, bids_table=True)


@pytest.mark.parametrize("name", ["preset", "payment", "ties", "bidding", "right", "bids"])
def test_unknown_choices_are_named(name: str) -> None:
    with pytest.raises(rm.Error, match='"nobody"'):
        rm.solve(T, **{name: "nobody"})  # type: ignore[arg-type]


WRONG: list[Callable[[], Any]] = [
    lambda: rm.solve(5),
    lambda: rm.solve(None),
    lambda: rm.solve(T, position=5),
    lambda: rm.solve(T, chips=8.0),  # type: ignore[arg-type]
    lambda: rm.solve(T, chips=True),
    lambda: rm.solve(T, alice=4.5, bob=3),  # type: ignore[arg-type]
    lambda: rm.solve(T, within="5"),  # type: ignore[arg-type]
    lambda: rm.solve(T, exact=1),  # type: ignore[arg-type]
    lambda: rm.solve(T, time="60"),  # type: ignore[arg-type]
    lambda: rm.solve(T, memory=1.5),  # type: ignore[arg-type]
    lambda: rm.solve(T, width=[]),  # type: ignore[arg-type]
    lambda: rm.solve(T, ties=5),  # type: ignore[arg-type]
    lambda: rm.solve(T, bids=5),  # type: ignore[arg-type]
    lambda: rm.solve(T, tie="marker"),  # type: ignore[call-arg]
    lambda: rm.solve(T, progress=5),  # type: ignore[arg-type]
    lambda: rm.table(T, chips=[1, 2]),  # type: ignore[arg-type]
    lambda: rm.game(5),  # type: ignore[arg-type]
    lambda: rm.load(5),  # type: ignore[arg-type]
    lambda: rm.from_dict([]),  # type: ignore[arg-type]
    lambda: rm.from_networkx({}),
    lambda: rm.verify(5),  # type: ignore[arg-type]
    lambda: rm.review(5),
    lambda: rm.reproduce(5),  # type: ignore[arg-type]
    lambda: rm.Game("name", 5),
]


@pytest.mark.parametrize("ask", WRONG, ids=range(len(WRONG)))
def test_wrong_types_are_type_errors(ask: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        ask()


@pytest.mark.parametrize(
    "limits",
    [
        {"time": -1},
        {"time": float("nan")},
        {"memory": -1},
        {"memory": "much"},
        {"positions": 0},
        {"width": 2.0},
    ],
)
def test_limits_are_checked(limits: dict[str, Any]) -> None:
    with pytest.raises(rm.Error):
        rm.solve(T, **limits)


ANSWERS: list[Callable[[], Any]] = [
    lambda: rm.solve(T),
    lambda: rm.solve(T, alice="4*", bob=4),
    lambda: rm.solve("hex:size=3"),
    lambda: rm.solve("tug-of-war", chips=3, all=True),
    lambda: rm.solve(TicTacToe()),
    lambda: rm.why(T),
    lambda: rm.table(T, chips=range(5)),
    lambda: rm.table(T, bob="0..3"),
    lambda: rm.tree("tug-of-war"),
    lambda: rm.compare(T, "tug-of-war"),
    lambda: rm.scores("subtraction", chips=3),
    lambda: rm.random_turn("tug-of-war", games=10),
    lambda: rm.unitary(chips="0..5"),
    lambda: rm.unitary(automaton=4),
    lambda: rm.duel("tug-of-war", games=4),
    lambda: rm.reproduce("DP10 Figure 3"),
    lambda: rm.solve(T, chips=4).strategy("bob"),
    lambda: rm.game(T),
    lambda: rm.expr("A & B"),
    lambda: rm.from_dict({"name": "n", "start": "w", "positions": {"w": {"winner": "alice"}}}),
    lambda: rm.play.Match(T, alice="4*", bob=4),
]


@pytest.mark.parametrize("make", ANSWERS, ids=range(len(ANSWERS)))
def test_everything_is_pickled_copied_and_shown(make: Callable[[], Any]) -> None:
    made = make()
    for other in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert other == made and hash(other) == hash(made)
        assert type(other) is type(made) and repr(other) == repr(made)
        for name in ("_repr_html_", "_repr_svg_", "svg", "dot", "maps"):
            show = getattr(made, name, None)
            if show is not None and not (name == "svg" and _has_no_figure(made)):
                assert getattr(other, name)() == show()
    assert made != 5


def _has_no_figure(made: Any) -> bool:
    return isinstance(made, rm.Table) and made.of != "chips"


def test_a_sealed_bid_is_pickled_with_its_match() -> None:
    match = rm.play.Match(T, alice="4*", bob=4)
    match.bid("alice", 3)
    for other in (pickle.loads(pickle.dumps(match)), copy.copy(match), copy.deepcopy(match)):
        assert other.view("alice").own_bid == 3 and other.view("bob").own_bid is None
        other.bid("bob", 1)
        assert other.view().stage == "moving" and match.view().stage == "bids"


def test_solutions_show_board_and_numbers() -> None:
    shown = rm.solve(T)._repr_html_()
    assert "<svg" in shown and "133/256" in shown and "b2" in shown
    shown = rm.solve(T, alice="4*", bob=4)._repr_html_()
    assert "<svg" in shown and "alice" in shown and "1, with the star in a tie" in shown
    for drawing in (rm.game(T)._repr_svg_(), rm.play.Match(T)._repr_svg_(), shown):
        assert re.match(r'\s*<svg width="167"', drawing), "a board without a size fills the page"
    assert rm.table(T, chips=range(5))._repr_html_().count("<svg") == 2
    assert rm.tree("tug-of-war")._repr_svg_().lstrip().startswith("<svg")
    hostile = rm.from_dict(
        {"name": "<b>&", "start": "<i>", "positions": {"<i>": {"winner": "alice"}}}
    )
    assert (
        "<b>" not in rm.solve(hostile)._repr_html_()
        and "<i>" not in rm.solve(hostile)._repr_html_()
    )


def test_tables_become_frames_and_plots() -> None:
    table = rm.table(T, chips=range(10))
    frame = table.to_frame()
    assert list(frame.columns) == [
        "win",
        "win_plain",
        "win_star",
        "draw",
        "draw_plain",
        "draw_star",
    ]
    assert frame.loc[8, "win"] == rm.Holding("4*") and frame["win_plain"].dtype == "int64"
    assert rm.table(T, bob="0..3").to_frame().index.name == "bob"
    some = rm.table("expr:E", bob="0..6", bids=[0, 5]).to_frame()["win_plain"]
    assert {type(each) for each in some} == {int, type(None)}
    import matplotlib

    matplotlib.use("Agg")
    assert len(table.plot().lines) == 4
    period = table.period["win"]
    assert period is not None and (period.block, period.step, period.proved) == (256, 133, True)


def test_traces_have_holdings() -> None:
    for solution in (rm.solve(T, alice="4*", bob=4), rm.solve(T, alice="4*", bob=4, trace=True)):
        turns = solution.trace()
        assert turns[0].alice == rm.Holding("4*") and turns[0].move == "b2" and turns[0].star_used
    with pytest.raises(rm.Error, match="a line of play is about given holdings"):
        rm.solve(T).trace()


GUARD = {
    "name": "guard",
    "start": "left",
    "positions": {
        "left": {"both": ["left", "middle"], "priority": 1},
        "middle": {"both": ["left", "right"], "priority": 1},
        "right": {"both": ["middle", "right"], "priority": 2},
    },
}


def test_play_that_never_ends(tmp_path: Path) -> None:
    solution = rm.solve(GUARD, chips=4)
    assert solution.win == solution.draw == 1
    rows = rm.solve(GUARD, chips=4, all=True).rows
    assert [row["win"]["threshold"] for row in rows] == [1, "0*", 0]
    solution.save(tmp_path / "guard.json")
    assert rm.verify(tmp_path / "guard.json").valid
    with pytest.raises(rm.Error, match="this is a saved solution, not the record of a match"):
        rm.review(tmp_path / "guard.json")
    (tmp_path / "game.json").write_text(json.dumps(GUARD))
    with pytest.raises(rm.Error, match="this is a game file, not a saved solution"):
        rm.verify(tmp_path / "game.json")
    assert rm.solve(GUARD, alice=1, bob="3*").outcome == "alice"
    assert [row.win for row in rm.table(GUARD, chips=range(1, 4)).rows] == [1, 1, 1]
    money = rm.solve(GUARD)
    assert money.win == money.draw == 0 and money.exact
    money.save(tmp_path / "guard.json")
    assert rm.verify(tmp_path / "guard.json").valid
    assert [node["label"] for node in rm.tree(GUARD, chips=4).nodes] == ["start", "1a"]
    with pytest.raises(rm.Error, match="give at_least"):
        rm.tree(rm.from_dict(shifts()))
    towers = tmp_path / "towers.gm"
    towers.write_text("parity 1; 0 1 0 0,1; 1 2 1 1,0;")
    assert rm.solve(towers, chips=1).win == 0


def test_corrupted_solutions_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "solution.json"
    rm.solve(T).save(path)
    path.write_text(path.read_text().replace('"133/256"', '"134/256"', 1))
    verdict = rm.verify(path)
    assert not verdict and not verdict.valid and verdict.wrong
    with pytest.raises(rm.Error, match="nothing was saved there"):
        rm.solve(T).save(tmp_path / "missing" / "solution.json")
    path.write_text("{")
    with pytest.raises(rm.Error, match="solution"):
        rm.verify(path)


def test_graphs_of_networkx() -> None:
    graph = networkx.DiGraph(name="walk", start=2)
    for at in (1, 2, 3):
        graph.add_edge(at, at - 1, player="alice")
        graph.add_edge(at, at + 1, player="bob")
    graph.nodes[0]["winner"], graph.nodes[4]["winner"] = "alice", "bob"
    game = rm.from_networkx(graph)
    assert game.name == "walk" and rm.solve(game).win == rm.solve("tug-of-war:length=4").win
    assert rm.solve(graph) == rm.solve(game)
    scoring = networkx.DiGraph()
    scoring.add_edge("here", "there", weight=3, move="go")
    scoring.nodes["there"]["score"] = 1
    assert rm.scores(scoring, chips=0).data["star_alice"] == [4]
    graph.edges[1, 0]["player"] = "carol"
    with pytest.raises(rm.Error, match="'carol'"):
        rm.from_networkx(graph)
    with pytest.raises(rm.Error, match="is not a node"):
        rm.from_networkx(scoring, start="nowhere")


def test_the_import_takes_less_than_a_tenth_of_a_second() -> None:
    program = "import time; t = time.perf_counter(); import richman; print(time.perf_counter() - t)"
    times = [float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(20)]
    print(f"import richman: {min(times) * 1000:.0f} ms")
    assert min(times) < 0.1
    packages = ("numpy", "pandas", "matplotlib", "networkx", "tqdm")
    heavy = f"import richman, sys; print([m for m in {packages} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", heavy], text=True).strip() == "[]"


def test_every_name_is_there_when_it_is_asked_for() -> None:
    assert set(rm.__all__) < set(dir(rm))
    for name in rm.__all__:
        assert getattr(rm, name).__class__ is not None, name
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        getattr(rm, "sovle")  # noqa: B009


def shifts() -> dict[str, object]:
    """Alice is paid for every hour at the right end of a path."""
    return {
        "name": "shifts",
        "start": "left",
        "objective": "mean-payoff",
        "positions": {
            "left": {"both": ["left", "middle"]},
            "middle": {"both": ["left", "right"]},
            "right": {"both": ["middle", "right"], "weight": 1, "target": True},
        },
    }


def test_a_long_run_average(tmp_path: Path) -> None:
    game = rm.from_dict(shifts())
    solved = rm.solve(game, all=True)
    assert (solved.average, solved.exact) == (Fraction(1, 3), True)
    assert repr(solved) == "<Solution of shifts: average 1/3>"
    assert "1/3" in solved._repr_html_()
    assert solved.moves == {"alice": ["middle"], "bob": ["left"]}
    assert rm.solve(game, payment="poorman", share=Fraction(2, 3)).average == Fraction(4, 7)
    chips = rm.solve(game, chips=2, position="middle")
    quarter, half = Fraction(1, 4), Fraction(1, 2)
    assert chips.averages == {
        "plain": [(0, 0, 0), (1, 2, quarter)],
        "star": [(0, 1, quarter), (2, 2, half)],
    }
    assert repr(chips) == "<Solution of shifts: averages with 2 chips>"
    assert chips.credits is None
    assert rm.solve(game, chips=2, position="middle", credits=True).credits == {
        "plain": [(0, 2, 0)],
        "star": [(0, 2, 0)],
    }
    with pytest.raises(rm.Error, match="least credits are those of"):
        rm.solve(game, credits=True)
    assert rm.solve(game, alice="2*", bob=0, position="middle").average == half
    wanted = rm.solve(game, payment="poorman", at_least=Fraction(4, 7), all=True)
    assert (wanted.win, wanted.draw) == (Fraction(2, 3), Fraction(2, 3))
    rows = rm.table(game, chips=range(4), position="middle", at_least="1/4").rows
    assert [str(row.win) for row in rows] == ["0*"] * 4
    with pytest.raises(rm.Error, match="leave out at_least"):
        rm.solve("tic-tac-toe", at_least=1)
    with pytest.raises(rm.Error, match="has no thresholds"):
        solved.values()
    with pytest.raises(rm.Error, match="with chips no share"):
        rm.solve(game, chips=3, share=half)
    with pytest.raises(TypeError, match="share is a Fraction"):
        rm.solve(game, share=0.5)  # type: ignore[arg-type]
    with pytest.raises(rm.Error, match="leave out share"):
        rm.solve("tic-tac-toe", share="1/2")
    path = tmp_path / "shifts.json"
    path.write_text(json.dumps(shifts()))
    again = pickle.loads(pickle.dumps(rm.load(path, objective="buechi")))
    assert str(rm.solve(again, chips=3).win) == "1"
    with pytest.raises(rm.Error, match="write reach, buechi"):
        rm.load(path, objective="win")
    solved.save(tmp_path / "saved.json")
    assert rm.verify(tmp_path / "saved.json").valid
