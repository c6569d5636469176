"""Storm computes the chances of random-turn play, exactly, from files that ``convert`` writes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import stormpy
import umbi

Command = Callable[..., str]
Position = dict[str, Any]


def drawn(dice: random.Random, chooser: str) -> dict[str, Any]:
    """A game in which only one player has choices, with cycles and positions of all kinds."""
    count = dice.randint(1, 8)
    names = [*map(str, range(count)), "won", "lost", "drawn"]
    other = "bob" if chooser == "alice" else "alice"

    def some(most: int) -> list[str]:
        return dice.sample(names, min(dice.randint(1, most), len(names)))

    def position() -> Position:
        kind = dice.choice(["bid", "chance", chooser, other])
        if kind == "chance":
            targets = some(4)
            weights = [dice.randint(1, 5) for _ in targets]
            chances = [Fraction(weight, sum(weights)) for weight in weights]
            moves = [
                {"to": to, "chance": str(chance)}
                for to, chance in zip(targets, chances, strict=True)
            ]
            return {"kind": "chance", "moves": moves}
        if kind == "bid":
            return {chooser: some(3), other: some(1)}
        return {"kind": kind, kind: some(3 if kind == chooser else 1)}

    positions = {name: position() for name in names[:count]}
    sure = {"kind": "chance", "moves": [{"to": "0", "chance": "1"}]}
    ends = {"won": "alice", "lost": "bob", "drawn": "none"}
    return {
        "name": "drawn",
        "start": "start",
        "positions": {
            "start": sure,
            **positions,
            **{name: {"winner": winner} for name, winner in ends.items()},
        },
    }


def by_storm(path: Path, formula: str) -> Fraction:
    model = stormpy.build_model_from_drn[stormpy.Rational](str(path))
    (wanted,) = stormpy.parse_properties(formula)
    found = stormpy.model_checking(model, wanted, only_initial_states=True)
    return Fraction(str(found.get_value(model.initial_states[0])))


def chances(command: Command, path: Path) -> list[Fraction]:
    """Alice's chance to win, and not to lose."""
    report = json.loads(command("random-turn", str(path), "--json", "--games", "1"))
    assert all(report[goal]["proved"] for goal in ("wins", "holds"))
    return [Fraction(str(report[goal]["value"])) for goal in ("wins", "holds")]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("chooser", ["alice", "bob"])
def test_chances_are_those_of_storm(
    chooser: str, seed: int, command: Command, tmp_path: Path
) -> None:
    game, states = tmp_path / "game.json", tmp_path / "game.drn"
    game.write_text(json.dumps(drawn(random.Random(seed), chooser)))
    command("convert", str(game), str(states))
    best, worst = ("Pmax", "Pmin") if chooser == "alice" else ("Pmin", "Pmax")
    if "MDP" not in states.read_text():
        best = worst = "P"
    wins, holds = chances(command, game)
    assert wins == by_storm(states, f'{best}=? [F "alice"]')
    assert 1 - holds == by_storm(states, f'{worst}=? [F "bob"]')


def test_a_model_of_storm_is_read(command: Command, tmp_path: Path) -> None:
    program, states = tmp_path / "dice.prism", tmp_path / "dice.drn"
    program.write_text("""mdp
module dice
    s : [0..4] init 0;
    [roll] s=0 -> 1/6 : (s'=3) + 1/3 : (s'=1) + 1/2 : (s'=0);
    [pass] s=0 -> (s'=1);
    [roll] s=1 -> 1/2 : (s'=0) + 1/3 : (s'=2) + 1/6 : (s'=4);
    [stay] s=2 -> 2/5 : (s'=0) + 3/5 : (s'=4);
    [end] s>2 -> true;
endmodule
label "six" = s=3;
rewards "rolls" [roll] true : 1; endrewards
""")
    model = stormpy.build_model[stormpy.Rational](stormpy.parse_prism_program(str(program)))
    stormpy.io.export_to_drn(model, str(states))
    game = tmp_path / "dice.json"
    command("convert", str(states), str(game), "--target", "six")
    assert chances(command, game)[0] == by_storm(states, 'Pmax=? [F "six"]')


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("chooser", ["alice", "bob"])
def test_the_shared_binary_format_is_read_by_its_library(
    chooser: str, seed: int, command: Command, tmp_path: Path
) -> None:
    game, states, again = (tmp_path / name for name in ("game.json", "game.umb", "again.umb"))
    game.write_text(json.dumps(drawn(random.Random(seed), chooser)))
    command("convert", str(game), str(states))
    model = umbi.umb.read(str(states))
    labels = model.annotations["aps"]
    assert all(sum(labels[name]["states"]) == 1 for name in ("alice", "bob", "draw"))
    umbi.umb.write(model, str(again))
    assert chances(command, again) == chances(command, states) == chances(command, game)
