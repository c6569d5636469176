#!/usr/bin/env python3
"""A second judge of saved solutions of bidding games: one file, Python's standard library only.

    python richman_check.py GAME.json SOLUTION.json [more solutions]

GAME.json is a game file, as `richman export GAME` writes it, and the only source of the rules. For
each solution this prints `valid:` and what was proved, or `wrong:` and the first false claim (exit
status 1), or `unusable:` for input that it cannot read or does not prove (exit status 2). No
code is shared with Richman. Read it once, from top to bottom.

The game. A token lies on a position. Alice and Bob have moves there, or the game has ended and one
of them, or nobody, has won. Both hold money; under most rules one of them also holds a *star*.

One turn. Both bid an amount that they have and that may be bid: at once (`sealed`), or one after
the other in the open (`alice-first`, `bob-first`). The higher bid wins, and the winner pays it: to
the other player (`richman`), to the bank (`poorman`), or the part T, in chips rounded down, to the
other player and the rest to the bank (`taxman:T`). Who cannot bid loses to any bid. Ties:

    advantage     the star's holder sees both bids, then uses the star (wins the bid, and the star
                  passes to the other player) or keeps it (the other player wins the bid)
    marker        the star's holder must use it
    alice, bob    that player wins; there is no star
    loser         the star's holder wins; after every bid, tie or not, its loser holds the star
    winner        the star's holder wins; after every bid, tie or not, its winner holds the star

The winner of the bid then decides who moves (`chooses`), or must move (`moves`).

A player *forces a win* with a strategy that wins in finitely many moves whatever the other does. An
endless play is a draw. What is proved, at every position that can follow the solved one:

    chips   with a total of whole chips: for each number of moves, the least chips, with and without
            the star, with which each player forces a win in at most so many moves; that with less
            the other player can prevent it for ever, or, where play need not be determined, what
            each needs to force at least a draw
    purses  the same for every pair of purses in a range, because a bank may be paid
    money   shares of all the money: above the first Alice forces a win, and not below; above the
            second she prevents a win of Bob, and not below; or bounds on these
    rules   chips: each player's threshold for every total, of which the last values repeat for ever

Chips and purses are played out by the definition: all holdings, all bids, the star, all moves. Real
money and rules need an argument each, which stands before its code.
"""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from functools import cache
from math import inf, lcm
from typing import Any, Callable, NamedTuple, Sequence

MOST_BYTES = 1 << 28  # in a file
MOST_CHIPS = 600  # of one player
MOST_PURSES = 20_000  # in one claim
MOST_TOTALS = 1 << 17  # examined to prove rules
MOST_DIGITS = 1 << 17  # in a share
FEW_CHIPS = 6  # with fewer, the formula of the rules is compared with the definition of a turn

ALICE, BOB = "alice", "bob"
OTHER = {ALICE: BOB, BOB: ALICE}


class Wrong(Exception):
    """The solution claims something false."""


class Unusable(Wrong):
    """The input cannot be read, or this program does not prove it."""


def must(condition: bool, flaw: str, error: type[Wrong] = Wrong) -> None:
    if not condition:
        raise error(flaw)


def usable(condition: bool, flaw: str) -> None:
    must(condition, flaw, Unusable)


# --- Reading -------------------------------------------------------------------------------------


def shown(value: Any) -> str:
    """A name or number from a file, safe to print."""
    is_plain = type(value) is str or type(value) is int and value.bit_length() < 200
    text = json.dumps(value) if is_plain else type(value).__name__
    return text if len(text) < 90 else text[:90] + "..."


def read_json(path: str) -> Any:
    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        usable(len(dict(pairs)) == len(pairs), f"{shown(path)}: a key is given twice")
        return dict(pairs)

    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES + 1)
        usable(len(text) <= MOST_BYTES, f"{shown(path)}: more than {MOST_BYTES} bytes")
        return json.loads(text.decode(), object_pairs_hook=distinct,
                          parse_constant=lambda word: usable(False, f"{word} is not JSON"))
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        raise Unusable(f"{shown(path)}: {error}") from None


def typed(value: Any, kind: type, what: str) -> Any:
    usable(type(value) is kind, f"{what}: {kind.__name__} expected")
    return value


def fields(value: Any, what: str, required: str, optional: str = "") -> dict[str, Any]:
    """An object with these keys, and no others."""
    keys = typed(value, dict, what).keys()
    usable(keys >= set(required.split()), f"{what}: the keys {required} are required")
    usable(keys <= {*required.split(), *optional.split()}, f"{what}: an unknown key")
    return value


def whole(value: Any, what: str, most: int) -> int:
    usable(0 <= typed(value, int, what) <= most, f"{what}: {shown(value)} is not from 0 to {most}")
    return value


def fraction(text: str, what: str) -> Fraction:
    """A number from 0 to 1, such as 133/256."""
    is_number = len(text) <= MOST_DIGITS and re.fullmatch("[0-9]+(/0*[1-9][0-9]*)?", text)
    usable(bool(is_number) and Fraction(text) <= 1, f"{what}: {shown(text)} is not from 0 to 1")
    return Fraction(text)


# --- The game ------------------------------------------------------------------------------------


class Position(NamedTuple):
    winner: str | None  # alice, bob or none at an end, else None
    moves: dict[str, set[str]]  # for each player, the positions to which they can move

    def successors(self) -> set[str]:
        return self.moves[ALICE] | self.moves[BOB]


Game = dict[str, Position]


def read_game(data: Any) -> tuple[str, Game]:
    """The name of a game, and its positions by name."""
    fields(data, "the game", "name start positions", "description")
    game, named = {}, {typed(data["start"], str, "the start")}
    for name, value in typed(data["positions"], dict, "the positions of the game").items():
        place = f"position {shown(name)} of the game"
        moves: dict[str, set[str]] = {ALICE: set(), BOB: set()}
        fields(value, place, "", "winner alice bob both score stuck")
        for key in value.keys() - {"winner"}:
            usable(key not in ("score", "stuck"), "this checker does not prove scoring games")
            for move in typed(value[key], list, place):
                if type(move) is dict:
                    weight = fields(move, place, "to", "name weight").get("weight", 0)
                    usable(weight == 0, "this checker does not prove scoring games")
                    move = move["to"]
                for player in OTHER if key == "both" else (key,):
                    moves[player].add(typed(move, str, place))
        is_end = "winner" in value and value["winner"] in (ALICE, BOB, "none")
        usable(len(value) == 1 if is_end else "winner" not in value and all(moves.values()),
               f"{place} must have a winner and no moves, or moves of both players")
        game[name] = Position(value.get("winner"), moves)
        named |= game[name].successors()
    usable(named <= game.keys(), "the start of the game, or where a move leads, is not a position")
    return typed(data["name"], str, "the name of the game"), game


def reachable(game: Game, start: str) -> Game:
    """The positions that can follow `start`, that one first."""
    must(start in game, f"the solved position {shown(start)} is not a position of the game")
    found, to_visit = {start: game[start]}, [start]
    while to_visit:
        for name in sorted(game[to_visit.pop()].successors() - found.keys()):
            found[name] = game[name]
            to_visit.append(name)
    return found


def claims_of(game: Game, value: Any) -> dict[str, Any]:
    """The claims of a solution, exactly one for each position."""
    claims = typed(value, dict, "the positions of the solution")
    for names, flaw in ((claims.keys() - game.keys(), "does not follow the solved position"),
                        (game.keys() - claims.keys(), "is missing")):
        must(not names, f"position {shown(min(names, default=None))} {flaw}")
    return claims


# --- The mechanism, and one turn by its definition -----------------------------------------------


class Mechanism(NamedTuple):
    payment: str
    part: Fraction  # of a bid, for the other player
    ties: str
    bidding: str
    right: str
    amounts: tuple[int, ...] | None  # that may be bid, ascending; None for all

    def has_star(self) -> bool:
        return self.ties not in (ALICE, BOB)

    def bids(self, chips: int) -> Sequence[int]:
        """What a player with so many chips may bid."""
        if self.amounts is None:
            return range(chips + 1)
        return [bid for bid in self.amounts if bid <= chips]

    def is_determined(self) -> bool:
        """Whether one player can always prevent what the other cannot force. The proofs do not rely
        on it; it decides which claims a solution must have."""
        has_zero = self.amounts is None or 0 in self.amounts
        return self.bidding != "sealed" or self.ties != "marker" and (
            self.ties != "advantage" or has_zero)


def read_mechanism(value: Any) -> Mechanism:
    known = {"payment": "richman|poorman|taxman:[0-9/]+", "ties": "advantage|marker|alice|bob|loser"
             "|winner", "bidding": "sealed|alice-first|bob-first", "right": "chooses|moves",
             "bids": r"all|[0-9]{1,9}(\+[0-9]{1,9})*"}
    for choice, word in fields(value, "the mechanism", " ".join(known)).items():
        usable(re.fullmatch(known[choice], typed(word, str, choice)) is not None,
               f"{choice}: {shown(word)} is unknown")
    payment, _, rate = value["payment"].partition(":")
    part = fraction(rate or str(int(payment == "richman")), "the rate of taxman")
    bids = [] if value["bids"] == "all" else value["bids"].split("+")
    return Mechanism(payment, part, value["ties"], value["bidding"], value["right"],
                     tuple(sorted({int(bid) for bid in bids})) or None)


def succeeds(mechanism: Mechanism, player: str, own: int, other: int, star: bool,
             good: Callable[[bool, int, int, bool], bool]) -> bool:
    """Whether `player`, with `own` chips against `other`, and the star if `star`, has a bid that is
    good against every bid; or, if the other player bids first, a good answer to every bid.

    `good(won, own, other, star)`: whether the player is content to have won the bid (or lost it) if
    then both have so many chips, and the player has the star (or not).
    """
    ties, part = mechanism.ties, mechanism.part

    def win(bid: int, star: bool) -> bool:
        return good(True, own - bid, other + bid * part.numerator // part.denominator, star)

    def lose(bid: int, star: bool) -> bool:
        return good(False, own + bid * part.numerator // part.denominator, other - bid, star)

    def content(bid: int | None, reply: int | None) -> bool:
        """Whether the player is content with a bid of their own and one of the other player."""
        if bid is None and reply is None:
            return False  # nobody can bid: this is refused elsewhere
        if reply is None or bid is not None and bid > reply:
            return win(bid, {"loser": False, "winner": True}.get(ties, star))
        if bid is None or bid < reply:
            return lose(reply, {"loser": True, "winner": False}.get(ties, star))
        if ties == "advantage" and star:
            return win(bid, False) or lose(bid, True)  # the player uses the star, or keeps it
        if ties == "advantage":
            return lose(bid, True) and win(bid, False)  # the other player uses it, or keeps it
        if ties == "winner":
            return win(bid, True) if star else lose(bid, False)
        if ties in ("marker", "loser"):
            return win(bid, False) if star else lose(bid, True)
        return win(bid, False) if ties == player else lose(bid, False)

    mine, theirs = mechanism.bids(own) or [None], mechanism.bids(other) or [None]
    if mechanism.bidding == f"{OTHER[player]}-first":
        return all(any(content(bid, reply) for bid in mine) for reply in theirs)
    return any(all(content(bid, reply) for reply in theirs) for bid in mine)


# --- Chips and purses ----------------------------------------------------------------------------
#
# A *state* is a division of the chips: Alice's, Bob's, and whether Alice has the star (False where
# there is none). A set of states is an integer with one bit for each. For every position, player,
# goal and t, this is the set from which the player reaches the goal within t moves:
#
# Within 0 moves, to win is to have won, and to draw is not to have lost. Within t + 1 moves a goal
# is reached exactly from the states in which one turn leads, whatever the other player does, to
# states from which it is reached within t. When no set changes any more, they never will: the last
# set to win is that of all forced wins, and from the last set to draw a player can stay in it for
# ever. A claim is true if it says the same.


class ChipPlay:
    """The play with some purses (Alice's chips, Bob's chips), which it does not leave."""

    def __init__(self, game: Game, mechanism: Mechanism, purses: list[tuple[int, int]],
                 total: int | None) -> None:
        self.game, self.mechanism, self.total = game, mechanism, total
        stars = (False, True) if mechanism.has_star() else (False,)
        states = [(alice, bob, star) for alice, bob in purses for star in stars]
        self.all = (1 << len(states)) - 1
        # The bit of a state, found by what a player sees: own chips, the other's, own star.
        self.bits = {ALICE: {state: 1 << at for at, state in enumerate(states)}}
        self.bits[BOB] = {(bob, alice, mechanism.has_star() and not star): 1 << at
                          for at, (alice, bob, star) in enumerate(states)}
        self.one_turn, self.needs = cache(self._one_turn), cache(self._needs)

    def _one_turn(self, player: str, won: int, lost: int) -> int:
        """The states in which a turn leads to `won` if the player wins the bid, else to `lost`."""
        bits = self.bits[player]
        return sum(bit for (own, other, star), bit in bits.items() if succeeds(
            self.mechanism, player, own, other, star,
            lambda is_won, *seen: (won if is_won else lost) & bits[seen] != 0))

    def _needs(self, player: str, states: int) -> dict[tuple[bool, int], int | None]:
        """The least chips that suffice, by the star and the other player's chips (with a total only
        by the star); None where none do."""
        needs: dict[tuple[bool, int], int | None] = {}
        for (own, other, star), bit in sorted(self.bits[player].items()):
            cell = star, other if self.total is None else 0
            usable(bit & states != 0 or needs.get(cell) is None, "here more chips can hurt")
            if needs.get(cell) is None:
                needs[cell] = own if bit & states else None
        return needs

    def after_bid(self, name: str, player: str, now: dict[str, int]) -> tuple[int, int]:
        """The good states when the player has won the bid, and when they have lost it. Who moves
        knows the state and picks the position; with `chooses` the winner picks who moves."""
        own, others = 0, self.all
        for to in self.game[name].moves[player]:
            own |= now[to]
        for to in self.game[name].moves[OTHER[player]]:
            others &= now[to]
        return (own, others) if self.mechanism.right == "moves" else (own | others, own & others)

    def check(self, player: str, goal: str, claims: dict[str, Any]) -> int:
        """Plays out and compares; the last set at the start."""
        open_set, done, decisive = (0, self.all, player) if goal == "win" else (
            self.all, 0, OTHER[player])
        now = {name: done if position.winner == decisive else open_set
               for name, position in self.game.items()}
        history = {name: [(0, states)] for name, states in now.items() if states != open_set}
        to_do, moves = set(self.game), 0
        before: dict[str, list[str]] = {name: [] for name in self.game}
        for name, position in self.game.items():
            for to in position.successors():
                before[to].append(name)
        while to_do:
            moves += 1
            after = {name: self.one_turn(player, *self.after_bid(name, player, now))
                     for name in to_do if not self.game[name].winner}
            changed = {name: states for name, states in after.items() if states != now[name]}
            for name, states in changed.items():
                history.setdefault(name, []).append((moves, states))
            now |= changed
            to_do = {name for to in changed for name in before[to]}
        for name, claimed in claims.items():
            stages, last = [], self.needs(player, open_set)
            for moves, states in history.get(name, []):
                needs = self.needs(player, states)
                least = {cell: 0 if chips and self.game[name].winner else chips
                         for cell, chips in needs.items()}
                if self.total is None:
                    stages += [[int(cell[0]), cell[1], moves, least[cell]] for cell in least
                               if needs[cell] != last[cell]]
                else:
                    stages.append([moves, *self.thresholds(needs)])
                last = needs
            same(claimed, sorted(stages, key=lambda stage: stage[:3]),
                 f"position {shown(name)}: what {player} needs to {goal}")
            if goal == "win" and self.mechanism.is_determined() and not self.game[name].winner:
                won, lost = self.after_bid(name, player, now)
                prevented = self.one_turn(OTHER[player], self.all ^ lost, self.all ^ won)
                must(prevented | now[name] == self.all, "play is not determined")
        return now[next(iter(self.game))]

    def thresholds(self, needs: dict[tuple[bool, int], int | None]) -> list[int]:
        """What is needed without and with the star; one more than the total for never."""
        both = [needs[False, 0], needs[self.mechanism.has_star(), 0]]
        return [self.total + 1 if chips is None else chips for chips in both]


def same(claimed: Any, proved: Any, place: str) -> None:
    one, two = (json.dumps(value, sort_keys=True) for value in (claimed, proved))
    must(one == two, f"{place}: it is {two[:60]}, not {one[:60]}")


def check_chips(game: Game, mechanism: Mechanism, value: Any, kind: str) -> str:
    """Claims for totals ("chips"), or for ranges of purses that play does not leave ("purses")."""
    ranges = {"richman": ["exactly"], "poorman": ["alice bob", "together"], "taxman": ["together"]}
    goals = {ALICE: "win", BOB: "win"} | ({} if mechanism.is_determined() else
                                          {"alice_holds": "draw", "bob_holds": "draw"})
    done, least = [], min(mechanism.amounts or (0,))
    for claim in typed(value, list, kind):
        fields(claim, kind, "total win draw positions" if kind == "chips" else "purses positions")
        most = {"exactly": claim["total"]} if kind == "chips" else claim["purses"]
        words = " ".join(sorted(fields(most, "purses", "", "alice bob together exactly")))
        usable(words in ranges[mechanism.payment], f"play can leave the purses {shown(words)}")
        last = max(whole(chips, "purses to prove", MOST_CHIPS) for chips in most.values())
        usable(least == 0 or words == "exactly" and kind == "purses" and last + 2 > 2 * least,
               "with these bids there may be nobody who can bid, or more chips may hurt")
        purses = [(alice, bob) for alice in range(most.get(ALICE, last) + 1)
                  for bob in range(most.get(BOB, last) + 1) if words == "alice bob"
                  or alice + bob == last or words == "together" and alice + bob < last]
        usable(len(purses) <= MOST_PURSES, "too many purses to prove")
        play = ChipPlay(game, mechanism, purses, last if kind == "chips" else None)
        for name, sides in claims_of(game, claim["positions"]).items():
            fields(sides, f"position {shown(name)}", " ".join(goals))
        won = {key: play.check(key.removesuffix("_holds"), goal, {
            name: sides[key] for name, sides in claim["positions"].items()})
            for key, goal in goals.items()}
        for goal, states in (("win", won[ALICE]), ("draw", play.all ^ won[BOB])):
            if kind == "chips":
                plain, star = play.thresholds(play.needs(ALICE, states))
                same(claim[goal], {"plain": plain, "star": star}, f"the {goal} threshold")
        done.append(" ".join(f"{key} {most[key]}" for key in sorted(most)))
    usable(0 < len(done) == len(set(done)), f"{kind}: a claim is given twice, or there is none")
    return f"{kind}, {', '.join(done)}: who wins with what, within every number of moves"


# --- Real money ----------------------------------------------------------------------------------
#
# A player's *need* is the share of all money above which they win. If a player with the share s has
# a bid that leaves at least `low` if it wins and `high` if it loses, then with more than s the same
# bid leaves more, also if the other player pays more than it to win. So ties and the order of bids
# do not matter. `low` and `high` are the needs of the player's best move and of the other's most
# harmful one, the lower first, as the winner picks the mover.
#
# A lower bound L holds if the other player, with 1 - L, has a bid that leaves them 1 - L again
# wherever play goes: then they go on so for ever, and never come to where the player has won.
#
# For an upper bound U such bids may lead in a circle. Let a position *join* if the player has won
# there, or has a move that keeps to U to a position that joined before, or if all the other
# player's moves lead to such positions. If every position with U < 1 joins, the player wins with
# more than U: they have a surplus, and bid a little more than the bid above, or less if losing
# leads on. Then play comes nearer to a win at a small cost, or the surplus grows by more than all
# costs since it last grew, which cannot go on for ever. So some time play comes near enough.
#
# Where the winner must move, no position may be a zugzwang, in which one would rather lose the bid;
# a move that leads on must be no worse than the other's; and the other's moves lead on only where
# moving gains something, so that a player who is left every move is paid or comes nearer.


def has_bid(mechanism: Mechanism, share: Fraction, one: Fraction, two: Fraction) -> bool:
    """Whether a bid leaves the lesser of two shares if it wins and the greater if it loses. Of a
    bid x the bank gets b x, so a share s is (s - x) / (1 - b x) of the rest after winning with x,
    and (s + (1 - b) x) / (1 - b x) after losing to it."""
    low, high, bank = min(one, two), max(one, two), 1 - mechanism.part
    bid = 1 - share  # whoever bids this can lose only to all of the other's money
    if bank * low < 1:
        bid = min(bid, (share - low) / (1 - bank * low))  # the highest that leaves `low`
    return share >= low and share + (1 - bank) * bid >= high * (1 - bank * bid)


def prove_money(game: Game, mechanism: Mechanism, player: str, lower: dict[str, Fraction],
                upper: dict[str, Fraction]) -> None:
    """Proves bounds on a player's need at every position."""
    leads: dict[str, list[tuple[str, bool]]] = {name: [] for name in game}  # to here: from, by whom
    joined, waiting = [name for name in game if game[name].winner == player], {}
    for name, (winner, moves) in game.items():
        place = f"position {shown(name)}: the share that {player} needs to win"
        if winner:
            must(lower[name] == upper[name] == (winner != player), f"{place}: the game has ended")
            continue
        own, others, must_move = moves[player], moves[OTHER[player]], mechanism.right == "moves"
        best, worst = min(upper[to] for to in own), max(upper[to] for to in others)
        best_low, worst_low = min(lower[to] for to in own), max(lower[to] for to in others)
        must(lower[name] <= upper[name], f"{place}: the bounds are the wrong way round")
        must(not must_move or best <= worst_low, f"{place}: perhaps a zugzwang, without threshold")
        must(has_bid(mechanism, upper[name], best, worst),
             f"{place} is more: no bid leaves what the next positions ask for")
        must(has_bid(mechanism, 1 - lower[name], 1 - best_low, 1 - worst_low),
             f"{place} is less: no bid of {OTHER[player]} keeps to it")
        for to in own:
            if has_bid(mechanism, upper[name], upper[to], worst):
                leads[to] += [(name, True)] * (not must_move or upper[to] <= worst)
        for to in others:
            leads[to].append((name, False))
        waiting[name] = len(others) + (must_move and best >= worst_low)
    found = set(joined)
    for to in joined:  # which grows
        for name, is_own in leads[to]:
            waiting[name] -= not is_own
            if name not in found and (is_own or waiting[name] == 0):
                found.add(name)
                joined.append(name)
    for name in game:
        must(upper[name] == 1 or name in found,
             f"position {shown(name)}: {player} has no play that makes progress to a win")


def check_money(game: Game, mechanism: Mechanism, value: Any, kind: str) -> str:
    def bounds(text: Any) -> tuple[Fraction, Fraction]:
        low, dots, high = typed(text, str, "a share").partition("..")
        return fraction(low, "a share"), fraction(high if dots else low, "a share")

    usable(mechanism.amounts is None, "real money is proved only with all bids")
    claims = claims_of(game, fields(value, kind, "win draw positions")["positions"])
    for name, pair in claims.items():
        usable(len(typed(pair, list, "shares")) == 2, f"position {shown(name)}: not two shares")
    win, draw = ({name: bounds(pair[at]) for name, pair in claims.items()} for at in (0, 1))
    for goal, of in (("win", win), ("draw", draw)):
        must(bounds(value[goal]) == of[next(iter(game))], f"the {goal} threshold is not as there")
    prove_money(game, mechanism, ALICE, {name: low for name, (low, _) in win.items()},
                {name: high for name, (_, high) in win.items()})
    # Bob needs what is left when Alice has just too little to prevent his win.
    prove_money(game, mechanism, BOB, {name: 1 - high for name, (_, high) in draw.items()},
                {name: 1 - low for name, (low, _) in draw.items()})
    is_exact = all(low == high for low, high in [*win.values(), *draw.values()])
    return f"real money: {'exact thresholds' if is_exact else 'bounds on thresholds'}"


# --- Rules for all totals ------------------------------------------------------------------------
#
# Here holdings are numbers of half-steps: 2 x chips, and 1 for the star. Payment is richman, ties
# are advantage, and the winner of a bid chooses who moves.
#
# One turn. If a player needs `low` half-steps after winning a bid and `high` >= `low` after losing,
# they need exactly ceil(low / 2) + floor(high / 2) before it. For let H be the holding, and the
# price e of a bid 2x, or 2x + 1 if the star is used in a tie, or -1 for 0 with the star kept.
# Winning leaves H - e, losing at least H + e + 1. H - e is even, H + e + 1 odd, so a good e exists
# exactly if 2H >= 2 ceil(low / 2) + 2 floor(high / 2); with less, the same holds for the other
# player, who has the other half-steps. With few chips this program tries all bids too.
#
# Without cycles. Let N totals be a block, with even steps, of all rules concerned. If for N totals
# in succession some best move of each player has their least or greatest step over N, and the lower
# of both best values has the lower step, this repeats in the next N totals, and the formula rises
# by half the sum of the steps. So rules that agree with it up to there always do.
#
# With cycles, values must also be reached by a fall from "no holding suffices", since play may
# circle. And wins must go over to N more chips. If in addition, for N totals in succession, no
# value with a step of less than N chips asks for more than there is, every other is "no holding",
# and the fall also reaches the values with *stable* play, which goes on with at most the lower of
# both best steps after winning a bid, with at most the higher after losing it, and never bids to
# lose, then a player with N chips more copies a stable win in their head, and adds a quarter of the
# difference of the steps to each bid. A reply that is impossible in the head leaves them better
# off, which happens only finitely often. (Theorem 5 in docs/design/totals.md, for any positions.)


class Rule(NamedTuple):
    """A need for every total: some values, of which the last `block` repeat, `step` higher."""

    values: tuple[int, ...]
    block: int
    step: int

    def at(self, total: int) -> int:
        blocks = max(0, total - len(self.values) + self.block) // self.block
        return self.values[total - blocks * self.block] + blocks * self.step


def read_rule(value: Any) -> Rule:
    fields(value, "a rule", "block step values")
    values = tuple(whole(need, "a value", 2 * at + 2) for at, need in
                   enumerate(typed(value["values"], list, "values")))
    block = whole(value["block"], "a block", len(values))
    step, first = whole(value["step"], "a step", 2 * block), len(values) - block
    usable(block > 0, "a rule has no block")
    is_least = first == 0 or values[first - 1] + step != values[first - 1 + block]
    for part in range(1, block // 2 + 1):
        if block % part == 0 and step * part % block == 0:
            is_least &= any(values[at] != values[at - part] + step * part // block
                            for at in range(first + part, len(values)))
    usable(is_least, "a rule is not in lowest terms")
    return Rule(values, block, step)


def prove_rules(game: Game, mechanism: Mechanism, player: str, of: dict[str, Rule]) -> None:
    """Proves one player's rules, which `of` gives for each position."""
    @cache
    def one_turn(total: int, low: int, high: int) -> int:
        needed = (low + 1) // 2 + high // 2
        for holding in range(2 * total + 2 if total < FEW_CHIPS else 0):
            enough = succeeds(mechanism, player, holding // 2, total - holding // 2,
                              holding % 2 == 1, lambda won, own, _, star:
                              2 * own + star >= (low if won else high))
            must(enough == (holding >= needed), "the formula for one turn fails")
        return needed

    settled, left = set(), dict(game)  # `left` will be the positions from which play may circle
    while ready := [name for name in left if left[name].successors() <= settled]:
        for name in ready:
            winner = left.pop(name).winner
            end = Rule((0,), 1, 0) if winner == player else Rule((2,), 1, 2)
            must(not winner or of[name] == end, f"position {shown(name)}: the game has ended here")
        settled.update(ready)
    # What moves lead to: names in a group that is proved together, and rules outside.
    moves = {name: tuple(frozenset(to if to in left else of[to] for to in position.moves[mover])
                         for mover in (player, OTHER[player]))
             for name, position in game.items() if not position.winner}
    alike = {(of[name], moves[name]): name for name in moves.keys() - left.keys()}
    for (_, both), name in alike.items():
        prove_group({name: both}, of, player, one_turn, False)
    if left:
        prove_group({name: moves[name] for name in left}, of, player, one_turn, True)


def prove_group(moves: dict, of: dict[str, Rule], player: str,
                one_turn: Callable[[int, int, int], int], is_cyclic: bool) -> None:
    """Proves the rules of some positions; `moves` has the targets of both players at each."""
    targets = {to for both in moves.values() for to in both[0] | both[1]} | moves.keys()
    rules = {to: of[to] if type(to) is str else to for to in targets}
    block = lcm(*(rule.block << rule.step % 2 for rule in rules.values()))
    settled = max(len(rule.values) - rule.block for rule in rules.values())
    usable(block <= MOST_TOTALS, "the rules repeat together too late to prove them")
    step = {to: block // rule.block * rule.step for to, rule in rules.items()}
    best_steps = {name: (min(map(step.get, own)), max(map(step.get, others)))
                  for name, (own, others) in moves.items()}

    def needs(name: str, value: dict) -> tuple[int, int]:
        best, worst = min(map(value.get, moves[name][0])), max(map(value.get, moves[name][1]))
        return min(best, worst), max(best, worst)

    def stable_needs(name: str, value: dict) -> tuple[int, int]:
        (own, others), (a, b) = moves[name], best_steps[name]
        worst = max(map(value.get, others))
        low = min([value[to] for to in own if step[to] <= min(a, b)] + [worst] * (b <= a))
        high = max(worst, min(value[to] for to in own if step[to] <= max(a, b)))
        return low, max(low, high)

    def fall(before: dict, value: dict, needs: Callable[[str, dict], tuple[int, int]]) -> dict:
        """What wins in finitely many moves, if one chip more than `before` can be set aside."""
        now, changed = value | {name: before[name] + 2 for name in moves}, True
        while changed:
            changed = False
            for name in moves:
                if (needed := one_turn(total, *needs(name, now))) < now[name]:
                    now[name], changed = needed, True
        return now

    free = stable = dict.fromkeys(moves, 0)
    good = 0  # totals in succession
    for total in range(settled + MOST_TOTALS):
        value = {to: rule.at(total) for to, rule in rules.items()}
        is_good = total >= settled
        for name, targets in moves.items():
            (a, b), (best, worst) = best_steps[name], (
                extreme(map(value.get, to)) for extreme, to in zip((min, max), targets))
            must(value[name] == one_turn(total, min(best, worst), max(best, worst))
                 and 2 * step[name] == a + b, f"position {shown(name)}: {player}'s rule does not "
                 f"agree with one turn, with {total} chips or for ever")
            is_good &= (best - worst) * (a - b) >= 0
            for to, rises in zip(targets, ((best, a), (worst, b))):
                is_good &= any((value[target], step[target]) == rises for target in to)
            if is_cyclic:
                is_good &= value[name] == 2 * total + 2 if step[name] == 2 * block else (
                    value[name] <= 2 * total)
        if is_cyclic:
            free, stable = fall(free, value, needs), fall(stable, value, stable_needs)
            for name in moves:
                must(free[name] == value[name], f"position {shown(name)}: {player}'s rule is not "
                     f"what winning takes with {total} chips")
            is_good &= stable == free
        good = good + 1 if is_good else 0
        if good == block:
            return
    raise Unusable("the rules do not settle within the totals that are examined")


def check_rules(game: Game, mechanism: Mechanism, value: Any, kind: str) -> str:
    usable(mechanism[:3] + mechanism[4:] == ("richman", 1, "advantage", "chooses", None),
           "rules are proved only with payment richman, ties advantage, right chooses, all bids")
    fields(value, kind, "win draw alice bob positions")
    claims = claims_of(game, value["positions"])
    for at, (player, goal) in enumerate(((ALICE, "win"), (BOB, "draw"))):
        rules, numbers = [read_rule(rule) for rule in typed(value[player], list, player)], {}
        for name, pair in claims.items():
            usable(len(typed(pair, list, name)) == 2, f"position {shown(name)}: two rules expected")
            numbers[name] = whole(pair[at], f"position {shown(name)}: a rule", len(rules) - 1)
        usable(len(rules) == len(set(rules)) == len(set(numbers.values())), "use each rule, once")
        of = {name: rules[number] for name, number in numbers.items()}
        prove_rules(game, mechanism, player, of)
        values, block, step = of[next(iter(game))]
        if player == BOB:
            step = 2 * block - step  # of what Alice needs to prevent his win
        head = {"block": block << step % 2, "step": step >> (step + 1) % 2,
                "from": len(values) - block}
        same(value[goal], head, f"the period of the {goal} threshold")
    return "rules: who wins with what, for every total of chips"


# --- Putting it together -------------------------------------------------------------------------


def check(game: Any, solution: Any) -> str:
    """What was proved about a solution of a game, both as read from JSON. Raises `Wrong` for a
    solution that is false, and its subclass `Unusable` for one that cannot be judged."""
    kinds = {"money": check_money, "chips": check_chips, "purses": check_chips,
             "rules": check_rules}
    name, positions = read_game(game)
    fields(solution, "the solution", "format version game position mechanism", " ".join(kinds))
    usable(solution["format"] == "richman-solution", "not a saved solution")
    usable(whole(solution["version"], "the version", 1) == 1, "another version")
    given = [kind for kind in kinds if kind in solution]
    usable(len(given) == 1, f"the solution must have one of {', '.join(kinds)}")
    start = typed(solution["position"], str, "the position")
    followers = reachable(positions, start)
    if type(solution["game"]) is dict:  # the file is the truth, and the solution must agree with it
        own = read_game(fields(solution["game"], "the game of the solution", "file")["file"])[1]
        must(start in own and reachable(own, start) == followers, "the solution has another game")
    else:
        must(solution["game"] == name, f"this is a solution of {shown(solution['game'])}")
    try:
        mechanism = read_mechanism(solution["mechanism"])
        proved = kinds[given[0]](followers, mechanism, solution[given[0]], given[0])
    except (RecursionError, MemoryError, ValueError) as error:
        raise Unusable(f"too deep, too large or too long to prove: {error}") from None
    return f"{proved} ({len(followers)} positions from {shown(start)})"


def main(arguments: list[str]) -> int:
    status = 0
    if len(arguments) < 2:
        print(__doc__)
        return 2
    sys.set_int_max_str_digits(MOST_DIGITS)
    for path in arguments[1:]:
        try:
            word, text = "valid", check(read_json(arguments[0]), read_json(path))
        except Wrong as error:
            is_wrong = type(error) is Wrong
            word, text = "wrong" if is_wrong else "unusable", str(error)
            status = max(status, 1 if is_wrong else 2)
        print(f"{word}: {text}" + f" ({shown(path)})" * (len(arguments) > 2))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
