#!/usr/bin/env python3
"""A second judge of saved solutions of bidding games: one file, Python's standard library only.

    python richman_check.py GAME.json SOLUTION.json [more solutions]

GAME.json is a game file, as `richman export GAME` writes it, and the only source of the rules. For
each solution this prints `valid:` and what was proved, or `wrong:` and a false claim (exit status
1), or `unusable:` for input that it cannot read or does not prove (exit status 2). It shares no
code with Richman. Read it once, from top to bottom.

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
endless play is a draw. What is proved, at every position that can follow the solved one, for the
first two by playing the definition out, for the others by an argument that stands before its code:

    chips   with a total of whole chips: the least chips, with and without the star, with which each
            player forces a win within each number of moves; that with less the other player can
            prevent it forever, or, where play need not be determined, what each needs to force at
            least a draw
    purses  the same for every pair of purses in a range, because a bank may be paid
    money   shares of all the money: above the first Alice forces a win, and not below; above the
            second she prevents a win of Bob, and not below; or bounds on these
    rules   chips: each player's threshold for every total, of which the last values repeat forever
"""

import json
import re
import sys
from collections import namedtuple
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import inf, lcm
from typing import Any, NamedTuple

MOST_BYTES = 1 << 28  # of a file: what is longer seems to end too early
MOST_CHIPS = 600  # of one player
MOST_STATES = 40_000  # divisions of the chips in one claim
MOST_TOTALS = MOST_DIGITS = 1 << 17  # totals examined to prove rules, digits of a number

ALICE, BOB = "alice", "bob"
OTHER = {ALICE: BOB, BOB: ALICE}


class Wrong(Exception):  # noqa: N818
    """The solution claims something false."""


class Unusable(Wrong):
    """The input cannot be read, or this program does not prove it."""


def must(condition: object, flaw: str, error: type[Wrong] = Wrong) -> None:
    """Demands something of a true solution."""
    if not condition:
        raise error(flaw)


usable = partial(must, error=Unusable)  # demands something of the input

# --- Reading -------------------------------------------------------------------------------------
#
# The *shape* of a JSON value is written as: a regular expression for a text; a range for a whole
# number; [shape] for a list, [one, two] for a pair; {key: shape} for an object, with "key?" for a
# key that may be missing and "*" for any key; (shape, shape if the value is an object); or None for
# what is compared later.

TEXT, SHARE = "(?s:.*)", "[0-9]+(/0*[1-9][0-9]*)?"
MOVES = [(TEXT, {"to": TEXT, "name?": TEXT, "weight?": range(1)})]  # scores are not proved
POSITION = {"winner?": "alice|bob|none", "alice?": MOVES, "bob?": MOVES, "both?": MOVES}
GAME = {"name": TEXT, "description?": TEXT, "start": TEXT, "positions": {"*": POSITION}}
CHIPS, NUMBER, SHARES = range(MOST_CHIPS + 1), range(4 * MOST_TOTALS), rf"{SHARE}(\.\.{SHARE})?"
PURSES = {"alice?": CHIPS, "bob?": CHIPS, "together?": CHIPS, "exactly?": CHIPS}
RULES = [{"block": range(1, MOST_TOTALS), "step": NUMBER, "values": [NUMBER]}]
NUMBERS = {"*": [NUMBER, NUMBER]}
SOLUTION = {
    "format": "richman-solution",
    "version": range(1, 2),
    "game": (TEXT, {"file": GAME}),
    "position": TEXT,
    "mechanism": {
        "payment": f"richman|poorman|taxman:{SHARE}",
        "ties": "advantage|marker|alice|bob|loser|winner",
        "bidding": "sealed|alice-first|bob-first",
        "right": "chooses|moves",
        "bids": r"all|[0-9]{1,9}(\+[0-9]{1,9})*",
    },
    "chips?": [{"total": CHIPS, "win": None, "draw": None, "positions": {"*": None}}],
    "purses?": [{"purses": PURSES, "positions": {"*": None}}],
    "money?": {"win": SHARES, "draw": SHARES, "positions": {"*": [SHARES, SHARES]}},
    "rules?": {"win": None, "draw": None, "alice": RULES, "bob": RULES, "positions": NUMBERS},
}


def shown(value: Any) -> str:
    """The start of a value from a file, safe to print."""
    return json.dumps(value)[:90]


def fit(value: Any, shape: Any, place: str) -> None:
    """Refuses a value that does not have the shape."""
    if type(shape) is tuple:
        shape = shape[type(value) is dict]
    if type(shape) is dict and type(value) is dict:
        shapes = {key.rstrip("?"): inner for key, inner in shape.items()}
        for key in value:
            usable(key in shapes or "*" in shapes, f"{place}: the key {shown(key)} is unknown")
            fit(value[key], shapes.get(key, shapes.get("*")), f"{place}, {shown(key)}")
        for key in shape:
            usable(key in value or key[-1] in "?*", f"{place}: the key {shown(key)} is missing")
    elif type(shape) is list and type(value) is list and len(shape) in (1, len(value)):
        for at, item in enumerate(value):
            fit(item, shape[at % len(shape)], place)
    elif shape is not None:
        is_number = type(shape) is range and type(value) is int and value in shape
        is_text = type(shape) is type(value) is str and re.fullmatch(shape, value)
        usable(is_number or is_text, f"{place}: {shown(value)} does not fit {str(shape)[:90]}")


def read_json(path: str) -> Any:
    """The content of a file."""

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        usable(len(dict(pairs)) == len(pairs), f"{shown(path)}: a key is given twice")
        return dict(pairs)

    try:
        with open(path, "rb") as file:
            return json.loads(file.read(MOST_BYTES).decode(), object_pairs_hook=distinct)
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        raise Unusable(f"{shown(path)}: {error}") from None


# As one player sees a position: the winner if the game has ended, to where that player can move, to
# where the other player can, and both together.
Position = namedtuple("Position", "winner own others next")
Game = dict[str, Position]


def read_game(data: Any, start: str) -> Game:
    """The positions that can follow `start`, that one first, as Alice sees them."""
    positions: Game = {}
    for name, value in data["positions"].items():
        moves = [value.get(key, []) + value.get("both", []) for key in OTHER]
        own, others = ({to["to"] if type(to) is dict else to for to in side} for side in moves)
        positions[name] = Position(value.get("winner"), own, others, own | others)
        is_whole = bool(own) == bool(others) == ("winner" not in value)
        usable(is_whole, f"position {shown(name)} needs a winner, or moves of both players")
    named = {start, data["start"]}.union(*(position.next for position in positions.values()))
    usable(named <= positions.keys(), "a start, or where a move leads, is no position of the game")
    found = {start}
    while new := found.union(*(positions[name].next for name in found)) - found:
        found |= new
    return {name: positions[name] for name in [start, *sorted(found - {start})]}


# --- The mechanism, and one turn by its definition -----------------------------------------------

State = tuple[int, int, bool]  # as a player sees it: own chips, the other's, whether own the star
States = frozenset[State]
Rows = list[list[int | None]]  # of a claim about chips
Needs = dict[str, Fraction]  # by position


class Mechanism:
    """How bids are made, won and paid."""

    def __init__(self, payment: str, ties: str, bidding: str, right: str, bids: str) -> None:
        self.payment, _, rate = payment.partition(":")
        self.part = Fraction(rate) if rate else Fraction(self.payment == "richman")
        usable(self.part <= 1, "the rate of taxman is more than 1")
        self.ties, self.bidding, self.right = ties, bidding, right
        self.amounts = [] if bids == "all" else sorted(map(int, bids.split("+")))
        self.has_star = ties not in OTHER
        # Whether one player can always prevent what the other cannot force, which will be proved.
        self.is_determined = bidding != "sealed" or ties not in ("marker", "advantage")
        self.is_determined |= ties == "advantage" and len(self.bids(0)) > 0

    def bids(self, chips: int) -> list[int]:
        """What a player with so many chips may bid."""
        return [bid for bid in self.amounts or range(chips + 1) if bid <= chips]

    def succeeds(self, player: str, state: State, won: States, lost: States) -> bool:
        """Whether `player` has a bid that is good against every bid; or, if the other player bids
        first, a good answer to every bid. It is good to come to `won` and have won the bid, or to
        `lost` and have lost it."""
        own, other, star = state

        def after(has_won: bool, bid: int, star: bool) -> bool:
            received = bid * self.part.numerator // self.part.denominator
            mine, theirs = (-bid, received) if has_won else (received, -bid)
            return (own + mine, other + theirs, star) in (won if has_won else lost)

        def good(bid: int, reply: int) -> bool:
            """Whether it is good to bid so if the other player bids `reply`."""
            if bid != reply:
                has_won = bid > reply
                holds = {"loser": not has_won, "winner": has_won}.get(self.ties, star)
                return after(has_won, max(bid, reply), holds)
            if self.ties in ("winner", ALICE, BOB):
                return after(star or self.ties == player, bid, star)
            is_used = after(star, bid, not star)
            if self.ties != "advantage" or is_used == star:  # else its holder will keep the star
                return is_used
            return after(not star, bid, star)

        cannot = [-1]  # who cannot bid loses to any bid; that nobody can is refused below
        mine, theirs = self.bids(own) or cannot, self.bids(other) or cannot
        if self.bidding == f"{OTHER[player]}-first":
            return all(any(good(bid, reply) for bid in mine) for reply in theirs)
        return any(all(good(bid, reply) for reply in theirs) for bid in mine)


# --- Chips and purses ----------------------------------------------------------------------------
#
# A *state* is a division of the chips and the star. For every position, player, goal and t, take
# the set of states from which the player reaches the goal within t moves. Within 0 moves, to win is
# to have won, and to draw is not to have lost. Within t + 1 moves a goal is reached exactly from
# the states in which one turn leads, whatever the other player does, to states from which it is
# reached within t. When no set changes any more, they never will: the last set to win is that of
# all forced wins, and in the last set to draw a player can stay forever. True claims say the same.


def play_out(
    game: Game, mechanism: Mechanism, player: str, goal: str, every: States, total: int | None
) -> tuple[dict[str, States], dict[str, Rows]]:
    """At every position, the states from which the player reaches the goal, and the moves and chips
    that this takes, as solutions have them."""

    @cache
    def one_turn(won: States, lost: States) -> States:
        return frozenset(state for state in every if mechanism.succeeds(player, state, won, lost))

    def before_bid(here: Position) -> States:
        won = States().union(*(now[to] for to in here.own))
        lost = every.intersection(*(now[to] for to in here.others))
        if mechanism.right == "chooses":  # the winner of the bid picks who moves
            won, lost = won | lost, won & lost
        return one_turn(won, lost)

    @cache
    def rows(states: States, moves: int) -> Rows:
        """With a total: moves, the least chips without the star, and with it; one more than the
        total for never. Else for each purse of the other player: star, purse, moves, chips."""
        least: dict[tuple[int, int], int | None] = {}
        for state in sorted(every):
            own, other, star = state
            cell = int(star), other if total is None else 0
            if least.get(cell) is None:
                least[cell] = (own if moves else 0) if state in states else None
            usable(state in states or least[cell] is None, "here more chips can hurt")
        if total is None:
            return [[*cell, moves, chips] for cell, chips in least.items()]
        both = least[0, 0], least.get((1, 0), least[0, 0])
        return [[moves, *(total + 1 if chips is None else chips for chips in both)]]

    winner, first, last = player, States(), every
    if goal == "draw":
        winner, first, last = OTHER[player], every, States()
    now = {name: last if here.winner == winner else first for name, here in game.items()}
    needs = {name: rows(last, 0) * (here.winner == winner) for name, here in game.items()}
    changed, moves = set(game), 0
    while changed:
        moves += 1
        after = {name: before_bid(game[name]) for name in game if game[name].next & changed}
        changed = {name for name in after if after[name] != now[name]}
        for name in changed:
            pairs = zip(rows(now[name], moves), rows(after[name], moves))
            needs[name] += [row for old, row in pairs if row != old]
        now |= after
    return now, {name: sorted(stages, key=lambda row: row[:3]) for name, stages in needs.items()}


def same(claimed: Any, proved: Any, place: str) -> None:
    """Compares a claim with what is proved."""
    if type(claimed) is dict and type(proved) is dict:
        odd = sorted(claimed.keys() ^ proved.keys())
        must(not odd, f"{place}: missing or too many: {shown(odd)}")
        for key in proved:
            same(claimed[key], proved[key], f"{place}, {shown(key)}")
    else:
        is_same = json.dumps(claimed) == json.dumps(proved)
        must(is_same, f"{place}: it is {shown(proved)}, not {shown(claimed)}")


def check_chips(games: dict[str, Game], mechanism: Mechanism, claims: Any) -> str:
    """Claims for totals ("chips"), or for ranges of purses that play does not leave ("purses")."""
    closed = {"richman": ["exactly"], "poorman": ["alice bob", "together"], "taxman": ["together"]}
    done, start, least = [], next(iter(games[ALICE])), min(mechanism.amounts, default=0)

    def turned(states: Any) -> States:
        """The same states, as the other player sees them."""
        return frozenset((b, a, mechanism.has_star and not star) for a, b, star in states)

    for claim in claims:
        total, most = claim.get("total"), claim.get("purses", {"exactly": claim.get("total")})
        words, last = " ".join(sorted(most)), max(most.values(), default=0)
        usable(words in closed[mechanism.payment], f"play can leave the purses {shown(most)}")
        is_odd = total is None and words == "exactly" and last + 2 > 2 * least
        usable(least == 0 or is_odd, "there may be nobody who can bid, or more chips may hurt")
        sums = {"alice bob": range(2 * last + 1), "together": range(last + 1), "exactly": [last]}
        purses = product(*(range(most.get(player, last) + 1) for player in OTHER))
        stars = (False, True) if mechanism.has_star else (False,)
        states = [(a, b, star) for a, b in purses if a + b in sums[words] for star in stars]
        usable(len(states) <= MOST_STATES, "too many purses to prove")
        every = {ALICE: frozenset(states), BOB: turned(states)}
        can, proved = {}, claim | {"positions": {name: {} for name in games[ALICE]}}
        for goal, player in product(("win", "draw"), OTHER):
            args = games[player], mechanism, player, goal, every[player], total
            can[player, goal], needs = play_out(*args)
            for name in needs:
                if goal == "win" or not mechanism.is_determined:
                    key = player if goal == "win" else f"{player}_holds"
                    proved["positions"][name][key] = needs[name]
                else:
                    lost = turned(can[OTHER[player], "win"][name])
                    must(can[player, goal][name] == every[player] - lost, "play is undetermined")
        if total is not None:
            never = [[0, total + 1, total + 1]]
            won, lost = ((never + proved["positions"][start][player])[-1] for player in OTHER)
            proved["win"] = {"plain": won[1], "star": won[2]}
            proved["draw"] = {"plain": total + 1 - lost[2], "star": total + 1 - lost[1]}
        same(claim, proved, "the solution")
        done.append(" ".join(f"{key} {most[key]}" for key in sorted(most)))
    usable(0 < len(done) == len(set(done)), "a claim is given twice, or there is none")
    return f"chips, {', '.join(done)}: who wins with what, within every number of moves"


# --- Real money ----------------------------------------------------------------------------------
#
# A player's *need* is the share of all money above which they win. If a player with the share s has
# a bid that leaves at least `low` if it wins and `high` if it loses, then with more than s the same
# bid leaves more, also if the other player pays more than it to win. So ties and the order of bids
# do not matter. `low` and `high` are the needs of the player's best move and of the other's most
# harmful one, the lower first, as the winner picks the mover.
#
# A lower bound L holds if the other player, with 1 - L, has a bid that leaves them 1 - L again
# wherever play goes: then they go on so forever, and never come to where the player has won.
#
# For an upper bound U such bids may lead in a circle. Let a position *join* if the player has won
# there, or has a move that keeps to U to a position that joined before, or if all the other
# player's moves lead to such positions. If every position with U < 1 joins, the player wins with
# more than U: they have a surplus, and bid a little more than the bid above, or less if losing
# leads on. Then play comes nearer to a win at a small cost, or the surplus grows by more than all
# costs since it last grew, which cannot go on forever. So some time play comes near enough.
#
# Where the winner must move, no position may be a zugzwang (none is where both have a move in
# common); a move that leads on must be no worse than the other's; and the other's lead on only
# where moving gains something, so that a player who is left every move is paid or comes nearer.


def prove_money(game: Game, mechanism: Mechanism, player: str, lower: Needs, upper: Needs) -> None:
    """Proves bounds on a player's need at every position."""
    bank, must_move = 1 - mechanism.part, mechanism.right == "moves"

    def has_bid(share: Fraction, one: Fraction, two: Fraction) -> bool:
        """Whether a bid leaves the lesser of two shares if it wins and the greater if it loses. Of
        a bid x the bank gets b x, so a share s is (s - x) / (1 - b x) of the rest after winning
        with x, and (s + (1 - b) x) / (1 - b x) after losing to it."""
        low, high = min(one, two), max(one, two)
        bid = 1 - share  # whoever bids this can lose only to all of the other's money
        if bank * low < 1:
            bid = min(bid, (share - low) / (1 - bank * low))  # the highest that leaves `low`
        return share >= low and share + (1 - bank) * bid >= high * (1 - bank * bid)

    ways: dict[str, list[set[str]]] = {}  # a position joins if all positions of a way have joined
    for name, (winner, own, others, _) in game.items():
        place, need = f"position {shown(name)}: the share that {player} needs", upper[name]
        must(0 <= lower[name] <= need <= 1, f"{place} has bounds in the wrong order")
        if winner:
            must(lower[name] == need == (winner != player), f"{place}: the game has ended")
            ways[name] = [set()] if winner == player else []
            continue
        best, worst = min(upper[to] for to in own), max(upper[to] for to in others)
        best_low, worst_low = min(lower[to] for to in own), max(lower[to] for to in others)
        may_lose = must_move and best > worst_low and not own & others
        must(not may_lose, f"{place}: perhaps a zugzwang, without threshold")
        must(has_bid(need, best, worst), f"{place} is more: no bid of {player} keeps to it")
        is_kept = has_bid(1 - lower[name], 1 - best_low, 1 - worst_low)
        must(is_kept, f"{place} is less: no bid of {OTHER[player]} keeps to it")
        leads = [to for to in own if not must_move or upper[to] <= worst]
        ways[name] = [{to} for to in leads if has_bid(need, upper[to], worst)]
        ways[name] += [others] * (not must_move or best < worst_low)
    joined = set[str]()
    while new := {to for to in ways.keys() - joined if any(way <= joined for way in ways[to])}:
        joined |= new
    for name in game.keys() - joined:
        must(upper[name] == 1, f"position {shown(name)}: {player} has no play that nears a win")


def check_money(games: dict[str, Game], mechanism: Mechanism, claim: Any) -> str:
    """Claims of exact thresholds, or of bounds."""
    usable(not mechanism.amounts, "real money is proved only with all bids")
    is_exact = True
    for at, (goal, player) in enumerate((("win", ALICE), ("draw", BOB))):
        shares = {name: pair[at].split("..") for name, pair in claim["positions"].items()}
        lower = {name: Fraction(ends[0]) for name, ends in shares.items()}
        upper = {name: Fraction(ends[-1]) for name, ends in shares.items()}
        same(claim[goal].split(".."), shares[next(iter(games[player]))], f"the {goal} threshold")
        if goal == "draw":  # Bob needs what is left when Alice has just too little to prevent it
            lower, upper = [{name: 1 - of[name] for name in of} for of in (upper, lower)]
        prove_money(games[player], mechanism, player, lower, upper)
        is_exact &= lower == upper
    return f"real money: {'exact thresholds' if is_exact else 'bounds on thresholds'}"


# --- Rules for all totals ------------------------------------------------------------------------
#
# Here holdings are numbers of half-steps: 2 x chips, and 1 for the star. Payment is richman, ties
# are advantage, and the winner of a bid chooses who moves. A rule's *step* is its rise in a block.
#
# One turn. If a player needs `low` half-steps after winning a bid and `high` >= `low` after losing,
# they need exactly ceil(low / 2) + floor(high / 2) before it. For let H be the holding, and the
# price e of a bid 2x, or 2x + 1 if the star is used in a tie, or -1 for 0 with the star kept.
# Winning leaves H - e, losing at least H + e + 1. H - e is even, H + e + 1 odd, so a good e exists
# exactly if 2H >= 2 ceil(low / 2) + 2 floor(high / 2); with less, the same holds for the other
# player, who has the other half-steps.
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
# The program asks all this without cycles too, where it comes true in the end.


class Rule(NamedTuple):
    """A need for every total: some values, of which the last `block` repeat, `step` higher."""

    block: int
    step: int
    values: tuple[int, ...]

    def at(self, total: int) -> int:
        """The need for this total."""
        blocks = max(0, total - len(self.values) + self.block) // self.block
        return self.values[total - blocks * self.block] + blocks * self.step

    def repeats(self, part: int, first: int) -> bool:
        """Whether a part of the block is enough from the `first` of the values on."""
        pairs, rise = zip(self.values[first:], self.values[first + part :]), self.step * part
        return self.block % part == 0 and all(self.block * (b - a) == rise for a, b in pairs)

    def is_least(self) -> bool:
        """Whether this is a rule, and in lowest terms."""
        first = len(self.values) - self.block
        is_long = any(self.repeats(part, first) for part in range(1, self.block))
        is_late = first > 0 and self.repeats(self.block, first - 1)
        return first >= 0 and self.step <= 2 * self.block and not is_long and not is_late


def prove_group(game: Game, player: str, of: dict[str, Rule], group: set[str]) -> None:
    """Proves the rules of some positions, if those of the others that can follow are true."""
    rules = {to: of[to] for name in group for to in (name, *game[name].next)}
    block = lcm(*(rule.block << rule.step % 2 for rule in rules.values()))
    settled = max(len(rule.values) - rule.block for rule in rules.values())
    usable(block <= MOST_TOTALS, "the rules repeat together too late to prove them")
    step = {to: block // rule.block * rule.step for to, rule in rules.items()}
    least = {name: min(step[to] for to in game[name].own) for name in group}
    greatest = {name: max(step[to] for to in game[name].others) for name in group}

    def before_bid(name: str, value: dict[str, int], is_stable: bool) -> int:
        """What is needed before a bid if `value` is needed afterwards."""
        a, b = least[name], greatest[name]
        slow, fast = (min(a, b), max(a, b)) if is_stable else (inf, inf)
        worst = max(value[to] for to in game[name].others)
        low = min([value[to] for to in game[name].own if step[to] <= slow] + [worst] * (b <= slow))
        high = max(low, worst, min(value[to] for to in game[name].own if step[to] <= fast))
        return (low + 1) // 2 + high // 2

    def fall(before: dict[str, int], is_stable: bool) -> dict[str, int]:
        """What wins in finitely many moves, if one chip more than `before` can be set aside."""
        now = value | {name: before[name] + 2 for name in group}
        while fallen := {name for name in group if before_bid(name, now, is_stable) < now[name]}:
            now |= {name: before_bid(name, now, is_stable) for name in fallen}
        return now

    free = stable = dict.fromkeys(group, 0)
    total, good = 0, 0  # good ones in succession
    while good < block:
        usable(total < settled + MOST_TOTALS, "the rules do not settle soon enough to prove them")
        value = {to: rule.at(total) for to, rule in rules.items()}
        free, stable = fall(free, False), fall(stable, True)
        is_good = total >= settled and free == stable
        for name in group:
            need, a, b = value[name], least[name], greatest[name]
            agrees = need == free[name] == before_bid(name, value, False)
            flaw = f"position {shown(name)}: {player}'s rule is false with {total} chips, or later"
            must(agrees and 2 * step[name] == a + b, flaw)
            best, best_step = min((value[to], step[to]) for to in game[name].own)
            worst, worst_step = max((value[to], step[to]) for to in game[name].others)
            is_good &= (best_step, worst_step) == (a, b) and (best - worst) * (a - b) >= 0
            is_good &= need == 2 * total + 2 if step[name] == 2 * block else need <= 2 * total
        total, good = total + 1, good + 1 if is_good else 0


def check_rules(games: dict[str, Game], mechanism: Mechanism, claim: Any) -> str:
    """Claims of rules for all totals."""
    choices = mechanism.payment, mechanism.ties, mechanism.right, mechanism.amounts
    is_known = choices == ("richman", "advantage", "chooses", [])
    usable(is_known, "rules are proved only with richman, advantage, chooses, and all bids")
    for at, (goal, player) in enumerate((("win", ALICE), ("draw", BOB))):
        game = games[player]
        rules = [Rule(rule["block"], rule["step"], tuple(rule["values"])) for rule in claim[player]]
        usable(all(rule.is_least() for rule in rules), f"{player}'s rules are not in lowest terms")
        numbers = {name: pair[at] for name, pair in claim["positions"].items()}
        is_listed = sorted(set(numbers.values())) == [*range(len(rules))]
        usable(is_listed and len(set(rules)) == len(rules), f"list {player}'s rules once each")
        of = {name: rules[number] for name, number in numbers.items()}
        acyclic = set[str]()
        groups: dict[Any, set[str]] = {}  # to prove together; without cycles, one of all alike
        while new := {name for name in game.keys() - acyclic if game[name].next <= acyclic}:
            acyclic |= new
        for name in acyclic:
            winner, own, others, _ = game[name]
            end = Rule(1, 0, (0,)) if winner == player else Rule(1, 2, (2,))
            must(not winner or of[name] == end, f"position {shown(name)}: the game has ended here")
            alike = of[name], frozenset(of[to] for to in own), frozenset(of[to] for to in others)
            groups |= {} if winner else {alike: {name}}
        for group in filter(None, [*groups.values(), game.keys() - acyclic]):
            prove_group(game, player, of, group)
        block, step, values = of[next(iter(game))]
        if goal == "draw":
            step = 2 * block - step  # of what Alice needs to prevent his win
        head = {"block": block << step % 2, "step": step >> (step + 1) % 2}
        same(claim[goal], head | {"from": len(values) - block}, f"the period to {goal}")
    return "rules: who wins with what, for every total of chips"


# --- Putting it together -------------------------------------------------------------------------

KINDS = {"money": check_money, "chips": check_chips, "purses": check_chips, "rules": check_rules}


def check(game: Any, solution: Any) -> str:
    """What was proved about a solution of a game, both as read from JSON. Raises `Wrong` for a
    solution that is false, and its subclass `Unusable` for one that cannot be judged."""
    try:
        fit(game, GAME, "the game")
        fit(solution, SOLUTION, "the solution")
        kinds, start, named = KINDS.keys() & solution, solution["position"], solution["game"]
        usable(len(kinds) == 1, f"the solution must have one of {', '.join(KINDS)}")
        alice, kind = read_game(game, start), min(kinds)
        is_file = type(named) is dict
        is_same = read_game(named["file"], start) == alice if is_file else named == game["name"]
        must(is_same, "the solution is of another game")
        if kind in ("money", "rules"):
            same(dict.fromkeys(solution[kind]["positions"]), dict.fromkeys(alice), "the positions")
        bob = {name: Position(w, a, b, both) for name, (w, b, a, both) in alice.items()}
        mechanism = Mechanism(**solution["mechanism"])
        proved = KINDS[kind]({ALICE: alice, BOB: bob}, mechanism, solution[kind])
    except (RecursionError, MemoryError, ValueError) as error:
        raise Unusable(f"too deep, too large or too long to prove: {error}") from None
    return f"{proved} ({len(alice)} positions from {shown(start)})"


def main(arguments: list[str]) -> int:
    """Judges files, and returns the exit status."""
    if len(arguments) < 2:
        print(__doc__)
        return 2
    sys.set_int_max_str_digits(MOST_DIGITS)
    status = 0
    for path in arguments[1:]:
        try:
            verdict = "valid: " + check(read_json(arguments[0]), read_json(path))
        except Unusable as error:
            verdict, status = f"unusable: {error}", 2
        except Wrong as error:
            verdict, status = f"wrong: {error}", max(status, 1)
        print(verdict + f" ({shown(path)})" * (len(arguments) > 2))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
