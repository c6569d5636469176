"""Every answer has the document of the command, byte for byte."""

from __future__ import annotations

import importlib.util
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import richman as rm

GAME_FILE = """{ "name": "ultimatum-1", "start": "0", "positions": {
    "win": {"winner": "alice"}, "loss": {"winner": "bob"}, "tie": {"winner": "none"},
    "0": {"alice": ["1"], "bob": ["-1"]}, "1": {"alice": ["win"], "bob": ["0"]},
    "-1": {"alice": ["0"], "bob": ["loss"]} } }"""

T = "tic-tac-toe"
SMALL = "connect:rows=3,cols=3,line=3"

CASES: list[tuple[str, Callable[[], Any]]] = [
    # The README, and docs/guide/src/commands.md.
    (f"solve {T}", lambda: rm.solve(T)),
    (f"solve {T} --alice 4* --bob 4", lambda: rm.solve(T, alice="4*", bob=4)),
    (f"solve {T} --chips 8", lambda: rm.solve(T, chips=8)),
    (f"solve {T} --why", lambda: rm.why(T)),
    (f"solve {T} --chips 8 --why", lambda: rm.why(T, chips=8)),
    ("solve tug-of-war --all", lambda: rm.solve("tug-of-war", all=True)),
    ("solve tug-of-war --all --chips 3", lambda: rm.solve("tug-of-war", all=True, chips=3)),
    (f"table {T} --chips 0..31", lambda: rm.table(T, chips=range(32))),
    (f"table {T} --chips 0..255", lambda: rm.table(T, chips=range(256))),
    (f"table {T}", lambda: rm.table(T)),
    (f"table {T} --bob 0..20", lambda: rm.table(T, bob=range(21))),
    (f"table {T} --alice 0..20", lambda: rm.table(T, alice="0..20")),
    (f"table {T} --chips 0..31 --stability", lambda: rm.table(T, chips="0..31", stability=True)),
    ("tree tug-of-war", lambda: rm.tree("tug-of-war")),
    (f"tree {T} --short", lambda: rm.tree(T, short=True)),
    (f"tree {T} --chips 5 --depth 3", lambda: rm.tree(T, chips=5, depth=3)),
    (f"compare {T} {SMALL}", lambda: rm.compare(T, SMALL)),
    (
        "compare 'expr:(A & B^2) & B' expr:B^2",
        lambda: rm.compare("expr:(A & B^2) & B", rm.expr("B^2")),
    ),
    (
        f"compare {T} {T} --position A.B/.A./..B --other-position B.A/.A./..B",
        lambda: rm.compare(T, T, position="A.B/.A./..B", other_position="B.A/.A./..B"),
    ),
    ("random-turn tug-of-war --games 1000", lambda: rm.random_turn("tug-of-war", games=1000)),
    ("scores subtraction --chips 9", lambda: rm.scores("subtraction", chips=9)),
    (
        "scores subtraction --chips 9 --alice 6* --bids-table",
        lambda: rm.scores("subtraction", chips=9, alice="6*", bids_table=True),
    ),
    (
        "scores subtraction:heap=8 --chips 5 --all",
        lambda: rm.scores("subtraction:heap=8", chips=5, all=True),
    ),
    (
        "scores subtraction:heap=12 --chips 7 --bids 0+1+3 --ties advantage",
        lambda: rm.scores("subtraction:heap=12", chips=7, bids=[0, 1, 3], ties="advantage"),
    ),
    ("unitary", lambda: rm.unitary()),
    ("unitary --chips 0..60", lambda: rm.unitary(chips=range(61))),
    ("unitary --automaton 9", lambda: rm.unitary(automaton=9)),
    (
        f"duel {T} --alice perfect --bob rounding --games 100",
        lambda: rm.duel(T, alice="perfect", bob="rounding", games=100),
    ),
    (
        f"duel {T} --alice perfect --bob beginner --holdings 4*:4 --no-exchange --games 50",
        lambda: rm.duel(
            T, alice="perfect", bob="beginner", holdings=[("4*", 4)], exchange=False, games=50
        ),
    ),
    (
        "duel tug-of-war --alice best --bob random --payment poorman --within 100 --games 20",
        lambda: rm.duel("tug-of-war", bob="random", payment="poorman", within=100, games=20),
    ),
    ("list", lambda: rm.games()),
    ("reproduce 'DP10 Figure 4'", lambda: rm.reproduce("DP10 Figure 4")),
    ("reproduce GSZ09", lambda: rm.reproduce("GSZ09")),
    # Every choice of the mechanism.
    (f"solve {T} --payment poorman", lambda: rm.solve(T, payment="poorman")),
    (f"solve {T} --payment taxman:1/2", lambda: rm.solve(T, payment="taxman:1/2")),
    (
        f"solve {T} --payment poorman --alice 7* --bob 5",
        lambda: rm.solve(T, payment="poorman", alice="7*", bob=5),
    ),
    (f"solve {T} --chips 6 --ties marker", lambda: rm.solve(T, chips=6, ties="marker")),
    (
        "solve tug-of-war --chips 8 --ties marker --right moves",
        lambda: rm.solve("tug-of-war", chips=8, ties="marker", right="moves"),
    ),
    (f"solve {T} --preset gasarch --chips 6", lambda: rm.solve(T, preset="gasarch", chips=6)),
    (
        f"solve {T} --bidding alice-first --alice 4* --bob 4",
        lambda: rm.solve(T, bidding="alice-first", alice="4*", bob=4),
    ),
    (
        "solve tug-of-war --bids 0+5 --alice 5* --bob 5",
        lambda: rm.solve("tug-of-war", bids=[0, 5], alice="5*", bob=5),
    ),
    (
        "table tug-of-war --payment poorman --bob 0..5",
        lambda: rm.table("tug-of-war", payment="poorman", bob="0..5"),
    ),
    ("table tug-of-war --payment poorman", lambda: rm.table("tug-of-war", payment="poorman")),
    # Positions, limits, boards that are not unfolded.
    (f"solve {SMALL} --position .../.../.A.", lambda: rm.solve(SMALL, position=".../.../.A.")),
    (
        f"solve {T} --alice 4* --chips 8 --trace",
        lambda: rm.solve(T, alice="4*", chips=8, trace=True),
    ),
    (f"solve {T} --within 5", lambda: rm.solve(T, within=5)),
    (f"solve {T} --within 5 --alice 4* --bob 4", lambda: rm.solve(T, within=5, alice="4*", bob=4)),
    ("solve hex:size=3", lambda: rm.solve("hex:size=3")),
    ("solve hex", lambda: rm.solve("hex")),
    ("solve race:alice=3,bob=4", lambda: rm.solve("race:alice=3,bob=4")),
    ("solve ultimatum --exact", lambda: rm.solve("ultimatum", exact=True)),
    ("solve 'expr:(A & B^2) & B'", lambda: rm.solve(rm.expr("(A & B^2) & B"))),
    (
        "solve chess --position 8/8/8/8/8/4k3/8/4K2R --time 2",
        lambda: rm.solve("chess", position="8/8/8/8/8/4k3/8/4K2R", time=2),
    ),
    ("table hex:size=3 --chips 0..3", lambda: rm.table("hex:size=3", chips="0..3")),
]


@pytest.mark.parametrize(("arguments", "ask"), CASES, ids=[arguments for arguments, _ in CASES])
def test_document(command: Callable[..., str], arguments: str, ask: Callable[[], Any]) -> None:
    printed = command(*shlex.split(arguments), "--json")
    found, printed = ask().json(), printed.removesuffix("\n")
    if "--time" in arguments or arguments.endswith("--why"):
        # How far a search comes in its time, and what a machine needs, are never the same twice.
        timed = re.compile(
            r'("(?:stop|estimate|depth|positions|seconds)":)("[^"]*"|\{[^}]*\}|[0-9.e-]+)'
        )
        found, printed = (timed.sub(r"\1_", text) for text in (found, printed))
    assert found == printed


def test_game_files(command: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(GAME_FILE)
    printed = command("solve", str(path), "--json")
    assert rm.solve(path).json() + "\n" == printed
    assert rm.solve(rm.load(path)).json() + "\n" == printed
    assert rm.solve(str(path), chips=5).json() + "\n" == command(
        "solve", str(path), "--chips", "5", "--json"
    )


@pytest.mark.parametrize("game", ["tug-of-war", T, "subtraction:heap=6", "expr:A & B^2"])
def test_export(command: Callable[..., str], tmp_path: Path, game: str) -> None:
    printed = command("export", game)
    assert rm.game(game).export() == printed
    rm.game(game).to_file(tmp_path / "game.json")
    assert (tmp_path / "game.json").read_text() == printed


def test_saved_solutions_and_certificates(command: Callable[..., str], tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.json", tmp_path / "theirs.json"
    questions: list[tuple[list[str], Callable[[], Any]]] = [
        (["solve", T, "--save"], lambda: rm.solve(T).save(ours)),
        (["solve", T, "--chips", "4", "--save"], lambda: rm.solve(T, chips=4).save(ours)),
        (["solve", "ultimatum", "--save"], lambda: rm.solve("ultimatum").save(ours)),
        (["table", T, "--chips", "0..3", "--save"], lambda: rm.table(T, chips=range(4)).save(ours)),
        (["table", T, "--certificate"], lambda: rm.table(T).certificate(ours)),
    ]
    for arguments, save in questions:
        command(*arguments, str(theirs))
        save()
        assert ours.read_bytes() == theirs.read_bytes(), arguments
        assert rm.verify(ours).json() + "\n" == command("verify", str(theirs), "--json")
        assert rm.verify(ours)


def test_drawings(command: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "drawing.svg"
    record = tmp_path / "match.txt"
    match = rm.play.Match(T, alice="4*", bob=4)
    match.bid("alice", 1)
    match.bid("bob", 2)
    match.move("a1")
    record.write_text(match.record())
    drawings: list[tuple[list[str], Callable[[], str]]] = [
        (["solve", "hex:size=3"], lambda: rm.solve("hex:size=3").svg()),
        (["table", T, "--chips", "0..15"], lambda: rm.table(T, chips=range(16)).svg()),
        (["tree", "tug-of-war"], lambda: rm.tree("tug-of-war").svg()),
        (
            ["scores", "subtraction", "--chips", "5"],
            lambda: rm.scores("subtraction", chips=5).svg(),
        ),
        (["unitary"], lambda: rm.unitary().svg()),
        (["unitary", "--automaton", "5"], lambda: rm.unitary(automaton=5).svg()),
        (["review", str(record)], lambda: rm.review(record).svg()),
    ]
    for arguments, draw in drawings:
        command(*arguments, "--svg", str(path))
        assert draw() == path.read_text(), arguments
    assert rm.tree("tug-of-war").dot() == command("tree", "tug-of-war", "--dot")
    assert rm.review(record).json() + "\n" == command("review", str(record), "--json")
    assert match.review().data["turns"] == rm.review(record).data["turns"]


def test_the_readme_and_the_guide_are_covered(documents: Path) -> None:
    """Every command with a report in the README and the page of commands is in a test above."""
    pages = [documents / "README.md", documents / "docs/guide/src/commands.md"]
    named = {
        found
        for page in pages
        for found in re.findall(r"`richman ([a-z-]+)", page.read_text(encoding="utf-8"))
    }
    without_reports = {"play", "serve", "site", "store", "completions", "man", "build", "convert"}
    elsewhere = {"export", "verify", "review"}
    covered = {arguments.split()[0] for arguments, _ in CASES} | elsewhere
    assert named - without_reports <= covered


def test_the_types_of_documents_follow_from_the_schema() -> None:
    path = Path(__file__).parents[1] / "write_documents.py"
    spec = importlib.util.spec_from_file_location("write_documents", path)
    assert spec is not None and spec.loader is not None
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    assert Path(writer.TARGET).read_text() == writer.current(), f"run {path.name}"
