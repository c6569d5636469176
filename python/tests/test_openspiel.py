"""The game for OpenSpiel: its own checks, and its value iteration against this package."""

from __future__ import annotations

import copy
import itertools
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy
import own_games
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, lp_solver, value_iteration

import richman as rm
import richman.openspiel
from richman import Holding
from richman._nodes import Node
from richman.openspiel import RichmanGame, RichmanState, load
from richman.play import Match

CONNECT = "connect:rows=3,cols=3,line=3"
GAMES: list[tuple[Any, dict[str, Any]]] = [
    ("tic-tac-toe", {}),
    (CONNECT, {"chips": 2}),
    ("tic-tac-toe", {"bidding": "alice-first"}),
    ("tic-tac-toe", {"preset": "gasarch", "position": "A../.B./..."}),
    ("tug-of-war", {"bids": [0, 5], "alice": "5*", "bob": 5}),
    ("tug-of-war", {"bids": [3], "alice": "6*", "bob": 2}),
    ("ultimatum", {"limit": 7}),
    ("chomp", {"right": "moves", "ties": "marker"}),
    ("race", {"payment": "taxman:1/2", "ties": "loser"}),
    ("subtraction", {"preset": "larsson", "chips": 5}),
    ("expr:(A & B^2) & B", {"bids": "1+2"}),
    ("hex", {"payment": "poorman"}),
    ("chess", {}),
    (own_games.Chomp(3, 3), {"ties": "winner"}),
    (own_games.Heap(), {"chips": 4}),
]
IDS = [f"{game if isinstance(game, str) else game.name} {options}" for game, options in GAMES]


@pytest.mark.parametrize(("game", "options"), GAMES, ids=IDS)
def test_the_checks_of_openspiel(game: Any, options: dict[str, Any], tmp_path: Path) -> None:
    loaded = load(game, **options)
    pyspiel.random_sim_test(loaded, num_sims=5, serialize=True, verbose=False)
    flags.FLAGS.mark_as_parsed()
    path = tmp_path / "playthrough.txt"
    path.write_text(generate_playthrough.playthrough(str(loaded), None, seed=1))
    before, again = generate_playthrough.replay(path)
    assert before == again


def test_a_turn_is_bids_the_star_and_a_move() -> None:
    state = load("tic-tac-toe", alice="4*", bob=4).new_initial_state()
    assert state.is_simultaneous_node()
    state.apply_actions([1, 1])
    assert [state.action_to_string(each) for each in state.legal_actions()] == [
        "keep the star",
        "use the star",
    ]
    state.apply_action(state.string_to_action("use the star"))
    assert state.current_player() == 0
    state.apply_action(state.string_to_action("let the other player move"))
    assert state.current_player() == 1
    assert "let the other player move" not in map(state.action_to_string, state.legal_actions())
    state.apply_action(state.string_to_action("move b2"))
    assert str(state) == ".../.B./...; Alice 3, Bob 5*; bids: alice and bob"
    other = copy.deepcopy(state)
    other.apply_actions([0, 1])
    assert str(state) != str(other)
    loaded, same = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(state.get_game(), state)
    )
    assert str(same) == str(state) and str(loaded) == str(state.get_game())


def test_moves_keep_their_numbers() -> None:
    game = load("tic-tac-toe", chips=2)
    state = game.new_initial_state()
    number: dict[str, int] = {}
    while not state.is_terminal():
        if state.is_simultaneous_node():
            state.apply_actions([state.legal_actions(player)[0] for player in (0, 1)])
            continue
        for action in state.legal_actions():
            assert number.setdefault(state.action_to_string(action), action) == action
        state.apply_action(state.legal_actions()[-1])
    assert {f"move {column}{row}" for column in "abc" for row in "123"} <= set(number)


def test_open_bids_are_seen_and_sealed_ones_are_not() -> None:
    state = load("tic-tac-toe", chips=8, bidding="bob-first").new_initial_state()
    assert state.current_player() == 1
    seen = set()
    for bid in state.legal_actions():
        seen.add(tuple(state.child(bid).observation_tensor(0)))
    assert len(seen) == 5
    # With sealed bids in turn, by OpenSpiel's own conversion, Alice's bid adds nothing to Bob's.
    sealed = pyspiel.convert_to_turn_based(load("tic-tac-toe", chips=8)).new_initial_state()
    children = [sealed.child(bid) for bid in sealed.legal_actions()]
    assert all(child.current_player() == 1 for child in children)
    for see in ("observation_string", "information_state_string", "observation_tensor"):
        if see != "observation_tensor":
            assert len({getattr(child, see)(1) for child in children}) == 1
    assert len({child.information_state_string(0) for child in children}) == 5


def test_utilities_are_scores() -> None:
    game = load("subtraction:heap=3", preset="larsson", alice="1*", bob=1)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_simultaneous_node():
            state.apply_actions([0, 0])
        else:
            state.apply_action(state.legal_actions()[-1])
    assert sum(state.returns()) == 0
    assert abs(state.returns()[0]) in (1, 3) and game.max_utility() >= 3


def test_errors_are_sentences() -> None:
    with pytest.raises(rm.Error, match="star"):
        load("tic-tac-toe", alice=4, bob=4)
    with pytest.raises(rm.Error, match="colon"):
        pyspiel.load_game("python_richman(holdings=4*)")
    with pytest.raises(rm.Error, match="not known to this process"):
        pyspiel.load_game("python_richman(game=own-999)")
    with pytest.raises(rm.Error, match="not one of alice"):
        load("tic-tac-toe", chips=2).setting.start.after({"alice": 9, "bob": 0})
    with pytest.raises(TypeError):
        load(7)


@pytest.mark.parametrize(
    ("module", "needs"), [("openspiel", "pyspiel"), ("pettingzoo", "pettingzoo")]
)
def test_a_missing_library_is_named(module: str, needs: str) -> None:
    """And the package itself needs none of them."""
    program = f"""
import sys, richman
assert not {{"pyspiel", "pettingzoo", "numpy", "gymnasium"}} & set(sys.modules)
sys.modules["{needs}"] = None
import richman.{module}"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: richman.{module} needs {needs}") and "pip install" in last


class Judged:
    """The value of every state by this package: from its thresholds where bids are due, and by
    the best action of the player who decides elsewhere."""

    def __init__(self, game: str, total: int, symmetric: Any) -> None:
        began = time.perf_counter()
        solution = rm.solve(game, chips=total, all=True)
        self.seconds = time.perf_counter() - began
        rows = {each["position"]: each for each in solution.rows if each["end"] is None}
        # Symmetric positions have one row.
        self.rows = {text: each for at, each in rows.items() for text in symmetric(at)}

    def value(self, node: Node) -> int:
        if node.is_over:
            return node.payoff
        if node.seen["stage"] == "bids":
            # Here more is never worse: a player wins from the threshold on.
            row: dict[str, dict[str, int]] = self.rows[node.seen["position"]]
            hand = Holding(node.seen["alice"])
            kind = "star" if hand.star else "plain"
            return (hand.chips >= row["win"][kind]) - (hand.chips < row["draw"][kind])
        (player,) = node.due
        values = [self.value(node.after({player: each})) for each in node.legal(player)]
        best: int = max(values) if player == "alice" else min(values)
        return best


def remember(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSpiel solves every matrix once only: without this it takes twenty times as long."""
    solve, known = lp_solver.solve_zero_sum_matrix_game, dict[Any, Any]()

    def once(matrix: Any) -> Any:
        key = str(numpy.round(matrix.row_utilities(), 5) + 0.0)
        if key not in known:
            known[key] = solve(matrix)
        return known[key]

    monkeypatch.setattr(lp_solver, "solve_zero_sum_matrix_game", once)


def mirrored(text: str) -> list[str]:
    return [text, "/".join(row[::-1] for row in text.split("/"))]


def turned(text: str) -> list[str]:
    """The position in all eight ways of a square board."""
    found = [text]
    for _ in range(3):
        found.append("/".join(map("".join, zip(*found[-1].split("/")[::-1]))))
    return [other for each in found for other in mirrored(each)]


class EveryDivision(RichmanGame):
    """A game from every division of the chips and the star."""

    def new_initial_states(self) -> list[RichmanState]:
        roots = []
        for had in range(self.setting.total + 1):
            for star in (False, True):
                alice, bob = Holding(had, star), Holding(self.setting.total - had, not star)
                root = RichmanState(self)
                match = Match(self.setting.game, alice=alice, bob=bob, limit=self.setting.limit)
                root.node = Node(self.setting, match, 0)
                roots.append(root)
        return roots


def all_nodes(game: EveryDivision) -> dict[str, Node]:
    queue = [root.node for root in game.new_initial_states()]
    found = {str(node): node for node in queue}
    for node in queue:
        each = [list(node.legal(player)) for player in node.due]
        for actions in itertools.product(*each) if each else ():
            after = node.after(dict(zip(node.due, actions)))
            if str(after) not in found:
                found[str(after)] = after
                queue.append(after)
    return found


def agree(monkeypatch: pytest.MonkeyPatch, name: str, total: int, symmetric: Any) -> None:
    """Compares the values of every state, and how long both took for all of them."""
    remember(monkeypatch)
    judged = Judged(name, total, symmetric)
    game = EveryDivision(load(name, chips=total).get_parameters())
    began = time.perf_counter()
    values = value_iteration.value_iteration(game, -1, 1e-3, cyclic_game=True)
    seconds = time.perf_counter() - began
    nodes = all_nodes(game)
    assert set(values) == set(nodes)
    print(f"{name}, total {total}: {len(nodes)} states, {seconds} s, ours {judged.seconds} s")
    wrong = {key for key, node in nodes.items() if abs(values[key] - judged.value(node)) > 1e-3}
    assert not wrong, sorted(wrong)[:5]
    assert {judged.value(node) for node in nodes.values()} == {-1, 0, 1}
    assert seconds >= 100 * judged.seconds


@pytest.mark.parametrize("total", [1, 2])
def test_value_iteration_of_openspiel_agrees(monkeypatch: pytest.MonkeyPatch, total: int) -> None:
    """Every state of Connect Three on 3 x 3. Pure play suffices under this mechanism, so that
    every matrix of bids has a saddle point, and the value is a win, a draw or a loss."""
    agree(monkeypatch, CONNECT, total, mirrored)


@pytest.mark.skipif("RICHMAN_DEEP" not in os.environ, reason="minutes: set RICHMAN_DEEP=1")
def test_value_iteration_of_openspiel_agrees_on_tic_tac_toe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agree(monkeypatch, "tic-tac-toe", 1, turned)


def test_mixed_bids_have_a_value_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pure play decides nothing, OpenSpiel mixes bids, and this package says so."""
    remember(monkeypatch)
    kinds = {"alice": (1, 1), "bob": (-1, -1), "draw": (0, 0), "undetermined": (-0.99, 0.99)}
    seen = set()
    for alice, bob in itertools.product(range(3), repeat=2):
        choices: dict[str, Any] = {"ties": "marker", "right": "moves"}
        choices |= {"alice": Holding(alice, star=True), "bob": bob}
        outcome = rm.solve("chomp:rows=2,cols=2", **choices).outcome
        game = load("chomp:rows=2,cols=2", **choices)
        value = value_iteration.value_iteration(game, -1, 1e-3, cyclic_game=True)
        assert outcome is not None
        low, high = kinds[outcome]
        assert low - 1e-3 <= value[str(game.new_initial_state())] <= high + 1e-3
        seen.add(outcome)
    assert {"alice", "bob", "undetermined"} <= seen
