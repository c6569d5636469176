"""Games by rules in Python: the same answers as listed games, at nearly the cost of a bare
search."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from own_games import Chomp, Domineering, Heap, TicTacToe, bare, unfolded

import richman as rm

OWN = rm.rules(TicTacToe())


def test_own_rules_have_the_answers_of_the_listed_game() -> None:
    own, listed = rm.solve(OWN), rm.solve("tic-tac-toe")
    assert (own.win, own.draw, own.bid) == (listed.win, listed.draw, listed.bid)
    assert own.moves == {"alice": [".../.A./..."], "bob": [".../.B./..."]}
    for alice, bob in (("4*", 4), (3, "5*"), (5, "3*")):
        own = rm.solve(OWN, alice=alice, bob=bob)
        listed = rm.solve("tic-tac-toe", alice=alice, bob=bob)
        assert (own.outcome, own.within) == (listed.outcome, listed.within)
    own_table, listed_table = rm.table(OWN, chips=range(9)), rm.table("tic-tac-toe", chips=range(9))
    assert own_table.rows == listed_table.rows and own_table.period == listed_table.period
    assert rm.compare(OWN, "tic-tac-toe").order == "equal"


def test_own_chomp_is_the_listed_one() -> None:
    for rows, columns in ((2, 3), (3, 4)):
        own = rm.solve(Chomp(rows, columns))
        assert own.win == rm.solve(f"chomp:rows={rows},cols={columns}").win


def test_own_scores_are_those_of_the_listed_game() -> None:
    for chips in range(6):
        own = rm.scores(Heap(), chips=chips)
        listed = rm.scores("subtraction:heap=6,set=1+3", chips=chips)
        assert (own.star_alice, own.star_bob) == (listed.star_alice, listed.star_bob)


def test_positions_are_values_or_notations() -> None:
    corner = "A" + "." * 8
    for position in (corner, "A../.../...", "A.. / ... / ..."):
        assert rm.solve(OWN, position=position).position == "A../.../..."
    assert OWN.position("A../.../...") == corner
    assert OWN.winner("AAA......") == "alice" and OWN.winner(corner) is None
    with pytest.raises(rm.Error, match="not a position of own tic-tac-toe"):
        rm.solve(OWN, position="AAAAAA...")


def test_own_games_are_verified_exported_played_and_reviewed(
    tmp_path: Path, command: Callable[..., str]
) -> None:
    rm.solve(OWN).save(tmp_path / "solution.json")
    assert rm.verify(tmp_path / "solution.json")
    assert '"valid":true' in command("verify", str(tmp_path / "solution.json"), "--json")
    rm.table(OWN, chips=8).certificate(tmp_path / "rules.json")
    assert rm.verify(tmp_path / "rules.json")
    OWN.to_file(tmp_path / "game.json")
    printed = command("solve", str(tmp_path / "game.json"), "--chips", "8", "--json")
    assert printed == rm.solve(OWN, chips=8).json() + "\n"
    match = rm.play.Match(OWN, alice="4*", bob=4)
    alice = rm.solve(OWN, alice="4*", bob=4).strategy("alice")
    assert rm.play.play_out(match, alice, match.computer("random")).winner == "alice"
    assert match.review().data["rests_on"] == "exact chips"
    assert match.svg().lstrip().startswith("<svg") and OWN.svg().lstrip().startswith("<svg")


class Folded(TicTacToe):
    """The mirror images are one position."""

    def canonical(self, board: str) -> str:
        return min(board, "".join(board[row : row + 3][::-1] for row in (0, 3, 6)))

    def svg(self, board: str) -> str:
        return f"<svg><text>{board}</text></svg>"


def test_symmetric_positions_are_one() -> None:
    folded = rm.rules(Folded())
    assert rm.solve(folded).win == Fraction(133, 256)
    assert (rm.solve(folded).positions or 0) < (rm.solve(OWN).positions or 0)
    assert folded.notation("..A......") == folded.notation("A........")
    assert folded.svg() == "<svg><text>.........</text></svg>"
    assert "<text>" in rm.solve(folded)._repr_html_()


def test_own_moves_have_names() -> None:
    class Named(TicTacToe):
        def move_name(self, board: str, to: str, player: str) -> str:
            at = next(at for at in range(9) if board[at] != to[at])
            return "abc"[at % 3] + "123"[at // 3]

    assert rm.solve(Named()).moves == {"alice": ["b2"], "bob": ["b2"]}


def test_games_of_rules_are_pickled_and_copied() -> None:
    for game in (OWN, rm.rules(TicTacToe(), positions=20_000)):
        for other in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
            assert rm.solve(other) == rm.solve(OWN)


def test_thresholds_of_all_positions_have_the_positions_of_the_rules() -> None:
    def by_position(game: rm.Game | str, **more: Any) -> dict[Any, Any]:
        values = rm.solve(game, **more).values(exact=True)
        return dict(zip(values.positions, values.win))

    money = by_position(OWN)
    assert money["." * 9] == Fraction(133, 256) and money["AAA......"] == 0
    own, listed = by_position(OWN, chips=8), by_position("tic-tac-toe", chips=8)
    assert own["." * 9] == listed[".../.../..."] == rm.solve(OWN, chips=8).win


def test_rules_are_asked_once_for_every_position() -> None:
    asked: list[Any] = []

    class Counted(TicTacToe):
        def moves(self, board: str, player: str) -> list[str]:
            asked.append((board, player))
            return super().moves(board, player)

    game = rm.rules(Counted())
    assert not asked
    rm.solve(game)
    rm.table(game, chips=4)
    assert len(asked) == len(set(asked)) > 1000


@pytest.mark.parametrize("rules", [Domineering(4, 4), Chomp(5, 6)], ids=["domineering", "chomp"])
def test_unfolding_costs_little_more_than_a_bare_search(rules: Any) -> None:
    """At most 1.5 times; the best of several, because machines are busy."""
    assert unfolded(rules) == bare(rules)

    def seconds(search: Callable[[Any], int]) -> float:
        begin = time.process_time()
        search(rules)
        return time.process_time() - begin

    pairs = [(seconds(unfolded), seconds(bare)) for _ in range(12)]
    ours, theirs = (min(times) for times in zip(*pairs))
    print(f"{rules.name}: {ours * 1000:.1f} ms, bare search {theirs * 1000:.1f} ms")
    assert ours <= 1.5 * theirs


def test_moves_that_are_given_twice_are_one() -> None:
    class Twice(TicTacToe):
        def moves(self, board: str, player: str) -> list[str]:
            return 2 * super().moves(board, player)

    assert rm.rules(Twice()).export() == rm.rules(TicTacToe()).export()
    found = rm.solve(rm.rules(Twice())).moves["alice"]
    assert found and len(found) == len(set(found))
