"""The documents of answers, as ``Answer.data`` has them: written by write_documents.py.

A type is of what a command prints with ``--json``, or of a part of it. A key that only some of
these documents have may be missing. Later versions may add keys.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class SolveDocument(TypedDict):
    """What ``richman solve --json`` prints."""

    game: str
    position: str
    mechanism: NotRequired[Mechanism]
    at_least: NotRequired[Number | None]
    win: NotRequired[ShareBounds | Threshold | HoldingNeeds]
    win_bounds: NotRequired[list[Share]]
    win_decimals: NotRequired[list[float]]
    draw: NotRequired[ShareBounds | Threshold | HoldingNeeds]
    draw_bounds: NotRequired[list[Share]]
    draw_decimals: NotRequired[list[float]]
    at_end: NotRequired[dict[str, EndWin | None]]
    ratio: NotRequired[Ratios]
    exact: NotRequired[bool]
    confidence: NotRequired[str | None]
    estimate: NotRequired[Estimate | None]
    truncated: NotRequired[int | None]
    bid: NotRequired[ShareBounds | None]
    bid_bounds: NotRequired[list[Share] | None]
    bid_decimals: NotRequired[list[float] | None]
    moves: NotRequired[Moves | dict[str, list[str]]]
    sure_bids: NotRequired[SureBids | None]
    zugzwang: NotRequired[bool]
    draw_bid: NotRequired[ShareBounds | None]
    draw_bid_bounds: NotRequired[list[Share] | None]
    draw_bid_decimals: NotRequired[list[float] | None]
    draw_moves: NotRequired[Moves]
    bid_suffices: NotRequired[dict[str, BidSuffices | None]]
    open: NotRequired[int | None]
    cells: NotRequired[list[CellReport]]
    positions: NotRequired[int | None]
    exact_positions: NotRequired[int | None]
    stop: NotRequired[str]
    total: NotRequired[int]
    undetermined: NotRequired[HoldingSets | None]
    alice: NotRequired[Holding]
    bob: NotRequired[Holding]
    outcome: NotRequired[Outcome]
    within: NotRequired[int | None]
    guarantee: NotRequired[dict[str, Assurance]]
    advice: NotRequired[dict[str, Advice | None]]
    trace: NotRequired[Trace | None]
    reason: NotRequired[str | None]
    star_alice: NotRequired[list[Score]]
    star_bob: NotRequired[list[Score]]
    unique: NotRequired[bool]
    minimax: NotRequired[StarOutcomes | None]
    properties: NotRequired[list[PropertyReport]]
    value: NotRequired[list[Score]]
    bids: NotRequired[dict[str, list[int | None]]]
    ties: NotRequired[list[list[Any]]]
    bids_table: NotRequired[BidsTable | None]
    rows: NotRequired[list[ScorePositionRow] | list[PositionRow] | None]
    share: NotRequired[Share]
    average: NotRequired[NumberBounds | Number]
    average_bounds: NotRequired[list[Number]]
    average_decimals: NotRequired[list[float]]
    any_share: NotRequired[bool]
    one_sided: NotRequired[OneSidedAverage | None]
    averages: NotRequired[AveragesByHolding]
    credits: NotRequired[CreditsByHolding | None]
    engines: NotRequired[list[ConsideredEngine]]


ScoresDocument: TypeAlias = "ScoresReport"
"""What ``richman scores --json`` prints."""


TableDocument: TypeAlias = "Table"
"""What ``richman table --json`` prints."""


TreeDocument: TypeAlias = "TreeReport"
"""What ``richman tree --json`` prints."""


CompareDocument: TypeAlias = "CompareReport"
"""What ``richman compare --json`` prints."""


RandomTurnDocument: TypeAlias = "RandomTurnReport"
"""What ``richman random-turn --json`` prints."""


VerifyDocument: TypeAlias = "VerifyReport | Verdict | list[Survey]"
"""What ``richman verify --json`` prints."""


ListDocument: TypeAlias = "GameList"
"""What ``richman list --json`` prints."""


class UnitaryDocument(TypedDict):
    """What ``richman unitary --json`` prints."""

    rows: NotRequired[list[Convergence]]
    law: NotRequired[str | None]
    total: NotRequired[int]
    even: NotRequired[list[int]]
    odd: NotRequired[list[int]]
    converged: NotRequired[int]
    bound: NotRequired[int]


ReviewDocument: TypeAlias = "Review"
"""What ``richman review --json`` prints."""


DuelDocument: TypeAlias = "DuelReport"
"""What ``richman duel --json`` prints."""


BuildDocument: TypeAlias = (
    "BuildPlan | SharedPlan | ClassPlan | list[LevelReport | ClassReport | TotalReport]"
)
"""What ``richman build --json`` prints."""


ReproduceDocument: TypeAlias = "Reproduction"
"""What ``richman reproduce --json`` prints."""


class Advice(TypedDict):
    """Advice for one player; where a player moves without a bid, only moves."""

    bids: list[list[int]]
    answers: NotRequired[list[BidReply]]
    use_star: bool | None
    star_by_bid: NotRequired[list[StarAdvice]]
    moves: list[str]
    moves_by_bid: NotRequired[list[MovesAfter]]
    let_other_move: bool
    after_tie: NotRequired[AfterTie | None]
    made_to_move: NotRequired[list[str]]
    made_to_move_by_bid: NotRequired[list[MovesAfterLoss]]
    fastest: NotRequired[list[list[int]] | None]


class AfterTie(TypedDict):
    """The advice after winning a tie with the star, where it differs from winning outright."""

    moves: list[str]
    let_other_move: bool


Assurance: TypeAlias = "Literal['draw', 'nothing']"
"""The result that a player can guarantee in undetermined play."""


class Automaton(TypedDict):
    """The bidding automaton of a total, and the heap from which it holds."""

    total: int
    even: list[int]
    odd: list[int]
    converged: int
    bound: int


class AverageChipsReport(TypedDict):
    """The long-run averages of a position with chips."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    total: int
    averages: AveragesByHolding
    credits: NotRequired[CreditsByHolding | None]
    alice: NotRequired[Holding]
    bob: NotRequired[Holding]
    average: NotRequired[Number]
    exact: bool
    positions: int
    stop: str


class AverageReport(TypedDict):
    """The long-run average with real money."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    share: Share
    average: NumberBounds
    average_bounds: list[Number]
    average_decimals: list[float]
    exact: bool
    any_share: bool
    one_sided: NotRequired[OneSidedAverage | None]
    moves: dict[str, list[str]]
    zugzwang: bool
    positions: int
    stop: str


class AveragesByHolding(TypedDict):
    """The long-run averages of a position for every holding of Alice: the first and the last number of chips with an average, and the average."""

    plain: list[list[Any]]
    star: list[list[Any]]


class BetterPlay(TypedDict):
    """Better alternatives."""

    bids: NotRequired[list[list[int]]]
    use_star: NotRequired[bool | None]
    moves: NotRequired[list[str]]
    let_other_move: bool


class BidReply(TypedDict):
    """The good answers to some bids of the other player."""

    to: list[int]
    lower: bool
    equal: bool
    higher: list[list[int]]


BidSuffices: TypeAlias = "Literal['yes', 'no', 'unknown']"
"""Where play can come back: whether a player with a little more than the threshold, however little, wins by bidding exactly the best bid every time."""


class BidsTable(TypedDict):
    """A matrix of bids as LPR20 prints it: rows for Bob's bids, columns for Alice's."""

    alice_bids: list[int | None]
    bob_bids: list[int | None]
    rows: list[list[Score]]
    minimax_rows: NotRequired[list[list[Score]] | None]
    min: list[Score]
    max: list[Score]
    saddle_points: list[list[Any]]


class BuildPlan(TypedDict):
    """The cost of a database, known before anything is computed."""

    game: str
    positions: str
    memory: str
    disk: str
    seconds: int


class CellReport(TypedDict):
    """A cell, and how often it decides who wins when the other cells are filled at random."""

    cell: str
    critical: ShareBounds
    critical_bounds: list[Share]
    critical_decimals: list[float]


class Chance(TypedDict):
    """A chance, both computed and played."""

    chance: ShareBounds
    chance_bounds: list[Share]
    chance_decimals: list[float]
    rounds: int
    from_threshold: NotRequired[ShareBounds | None]
    from_threshold_bounds: NotRequired[list[Share] | None]
    from_threshold_decimals: NotRequired[list[float] | None]
    value: NotRequired[ShareBounds | None]
    value_bounds: NotRequired[list[Share] | None]
    value_decimals: NotRequired[list[float] | None]
    proved: NotRequired[bool | None]
    agree: bool
    games: int
    played: float
    interval: list[float]
    cut_off_fails: PlayResults
    cut_off_succeeds: PlayResults


class CheckedClaim(TypedDict):
    """A claim and its result."""

    id: str
    published: bool
    what: str
    status: Status
    cells: int
    match: int
    differ: list[Differ]
    answers: NotRequired[list[QuestionAnswer]]
    not_computed: NotRequired[list[Omission]]
    range: NotRequired[str | None]
    why: NotRequired[str | None]
    unexpected: NotRequired[str | None]


class ChipsReport(TypedDict):
    """The value of a position for a total of chips."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    total: int
    win: Threshold
    draw: Threshold
    undetermined: NotRequired[HoldingSets | None]
    exact: bool
    truncated: NotRequired[int | None]
    alice: NotRequired[Holding]
    bob: NotRequired[Holding]
    outcome: NotRequired[Outcome]
    within: NotRequired[int | None]
    guarantee: NotRequired[dict[str, Assurance]]
    advice: NotRequired[dict[str, Advice | None]]
    trace: NotRequired[Trace | None]
    positions: int
    stop: str


Class: TypeAlias = "str"
"""The class of a game; in JSON its expression."""


ClassPlan = TypedDict(
    "ClassPlan",
    {
        "class": "str",
        "classes": "list[str]",
        "positions": "int",
        "memory": "int",
        "disk": "int",
        "seconds": "int",
    },
)
"""The cost of a class's database, before anything is computed."""


ClassReport = TypedDict(
    "ClassReport",
    {
        "class": "str",
        "positions": "int",
        "exact": "bool",
        "width": "float",
        "draws": "bool",
        "kept": "bool",
        "bytes": "int",
    },
)
"""A class."""


class CompareReport(TypedDict):
    """The comparison of two games for Alice."""

    order: GameOrder
    proved: bool
    witness: Witness
    thresholds: WitnessThresholds
    g: ComparedGame
    h: ComparedGame
    mechanism: Mechanism
    truncated: NotRequired[int | None]
    reason: NotRequired[str | None]
    totals: NotRequired[int | None]


ComparedGame = TypedDict(
    "ComparedGame",
    {
        "game": "str",
        "position": "str",
        "class": "Class | None",
        "rule": "Rule | None",
    },
)
"""One of the two games."""


class ConsideredEngine(TypedDict):
    """The offer of an engine. Keys that do not apply are absent."""

    engine: str
    answer: NotRequired[str | None]
    refused: NotRequired[str | None]
    turn: NotRequired[int | None]
    cost: NotRequired[Literal['about'] | Literal['anytime'] | Literal['unknown'] | Literal['too-much']]
    seconds: NotRequired[float]
    memory: NotRequired[int | None]
    positions: NotRequired[int]


class Convergence(TypedDict):
    """The heap at which one total converges."""

    total: int
    converged: int
    bound: int
    proved: int
    automaton: bool


class ConvergenceReport(TypedDict):
    """The convergence of several totals, and its law."""

    rows: list[Convergence]
    law: str | None


class CreditsByHolding(TypedDict):
    """The least credits of a position for every holding of Alice: the first and the last number of chips with a credit, and the credit; null where none suffices."""

    plain: list[list[Any]]
    star: list[list[Any]]


class Differ(TypedDict):
    """A place where print and computation differ."""

    at: str
    printed: str
    computed: str
    why: NotRequired[str | None]


class DuelReport(TypedDict):
    """The result of a duel for the first player."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    players: list[str]
    games: int
    asked: int
    distinct: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: list[float]
    rating: float | None
    rating_interval: list[float | None]
    as_alice: Tally
    as_bob: Tally
    average: NotRequired[float | None]
    endless: NotRequired[dict[str, EndlessTally]]
    turns: float
    opening: NotRequired[int]
    microseconds: NotRequired[list[float] | None]
    seed: int


EndWin: TypeAlias = "Literal['yes', 'no', 'star_alice', 'star_bob']"
"""Whether a player can force a win at the end of the range of shares at which the threshold lies: with all the money if no smaller share is enough, with none if every share above 0 is."""


class EndlessTally(TypedDict):
    """The results of the matches of a game that need not end."""

    games: int
    cut_off: int
    priorities: NotRequired[list[list[Any]]]
    averages: NotRequired[list[float] | None]


class EngineOffers(TypedDict):
    """The offers of the engines for a question."""

    game: str
    position: str
    engines: list[ConsideredEngine]


class Estimate(TypedDict):
    """Unproved estimates from a search, as shares."""

    needs: float
    after_alice: float
    after_bob: float
    bid: float
    depth: float
    positions: int


class FinerPeriod(TypedDict):
    """A block whose step is not a whole number of chips."""

    block: int
    step: Holding


class GameList(TypedDict):
    """All games of a program."""

    games: list[ListedGame]


GameOrder: TypeAlias = "Literal['less', 'equal', 'greater', 'incomparable']"
"""The order of G and H."""


class GameThresholds(TypedDict):
    """Alice's thresholds to win at one total."""

    g: Threshold
    h: Threshold


class Gap(TypedDict):
    """A position where, for shares between its thresholds, both can draw but neither can win."""

    position: str
    gap: float
    win: float
    draw: float


GuaranteedResult: TypeAlias = "Literal['loss', 'draw', 'win', 'unknown'] | Score"
"""A guaranteed result."""


Holding: TypeAlias = "int | str"
"""A holding: `4` or `"4*"`."""


class HoldingNeeds(TypedDict):
    """The other player's needs without and with the star; null if no number of chips suffices."""

    plain: int | None
    star: int | None


class HoldingSets(TypedDict):
    """Alice's chips without and with the star, as inclusive ranges."""

    plain: list[list[int]]
    star: list[list[int]]


class HoldingsRow(TypedDict):
    """The row for one number of the fixed player's chips."""

    bob: NotRequired[int | None]
    alice: NotRequired[int | None]
    win: HoldingNeeds
    draw: HoldingNeeds


class HoldingsTable(TypedDict):
    """A table of one player's needs against the other's chips."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    truncated: NotRequired[int | None]
    rows: list[HoldingsRow]
    reason: NotRequired[str | None]


class InChips(TypedDict):
    """A class with chips."""

    total: int
    needed: float
    alice: Holding
    won: int
    longest: int
    position: str


class LevelReport(TypedDict):
    """The units with the same number of fixed stones."""

    fixed: int
    units: int
    positions: int
    computed: int
    unneeded: NotRequired[int]
    again: list[str]
    bytes: int


class ListedGame(TypedDict):
    """A game of the list."""

    name: str
    parameters: str
    description: str
    title: str
    rules: str
    notation: str
    values: list[ListedParameter]
    example: str
    position: str
    picture: str


class ListedParameter(TypedDict):
    """A parameter of a game of the list."""

    key: str
    default: str
    values: str


class Margin(TypedDict):
    """Chips beyond a player's need, negative if short; null if no number of chips suffices, or it is unknown."""

    win: int | None
    draw: int | None


class MatchStanding(TypedDict):
    """A match before the current turn, or at its end."""

    position: str
    alice: Holding
    bob: Holding
    worth: ReviewWorth | None
    over: bool
    how: NotRequired[str | None]
    winner: Player | None


class Mechanism(TypedDict):
    """How bids are made, won and paid, one word for each choice."""

    payment: str
    ties: str
    bidding: str
    right: str
    bids: str


class Mistake(TypedDict):
    """A costly decision."""

    turn: int
    player: Player
    grade: MistakeGrade
    kind: MistakeKind
    before: GuaranteedResult
    guaranteed: GuaranteedResult
    came_to: GuaranteedResult
    lost_chips: int | None
    lost_moves: NotRequired[int | None]
    punished: bool | None
    better: BetterPlay
    text: str


MistakeGrade: TypeAlias = "Literal['result', 'at-once', 'probable', 'margin', 'slower']"
"""The cost of a decision."""


MistakeKind: TypeAlias = (
    "Literal['bid-too-low', 'bid-too-high', 'wrong-bid', 'used-star', 'kept-star', 'wrong-move', 'should-have-let', 'should-have-moved', 'resigned']"
)
"""The kind of a mistake."""


class MoneyReport(TypedDict):
    """The value of a position in real money."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    win: ShareBounds
    win_bounds: list[Share]
    win_decimals: list[float]
    draw: ShareBounds
    draw_bounds: list[Share]
    draw_decimals: list[float]
    at_end: NotRequired[dict[str, EndWin | None]]
    ratio: Ratios
    exact: bool
    confidence: NotRequired[str | None]
    estimate: NotRequired[Estimate | None]
    truncated: NotRequired[int | None]
    bid: ShareBounds | None
    bid_bounds: list[Share] | None
    bid_decimals: list[float] | None
    moves: Moves
    sure_bids: NotRequired[SureBids | None]
    zugzwang: bool
    draw_bid: ShareBounds | None
    draw_bid_bounds: list[Share] | None
    draw_bid_decimals: list[float] | None
    draw_moves: Moves
    bid_suffices: NotRequired[dict[str, BidSuffices | None]]
    open: NotRequired[int | None]
    cells: NotRequired[list[CellReport]]
    positions: NotRequired[int | None]
    exact_positions: NotRequired[int | None]
    stop: str


class MoneyWorth(TypedDict):
    """The value of a position in real money."""

    share: Share
    share_decimal: float
    win: ShareBounds
    win_bounds: list[Share]
    win_decimals: list[float]
    draw: ShareBounds
    draw_bounds: list[Share]
    draw_decimals: list[float]


class Moves(TypedDict):
    """Best moves of both players by name."""

    alice: list[str]
    bob: list[str]
    undecided: NotRequired[dict[str, Undecided | None]]


class MovesAfter(TypedDict):
    """The best moves after winning with some of the best bids."""

    bids: list[int]
    moves: list[str]


class MovesAfterLoss(TypedDict):
    """The best moves when the other player wins the bid and makes this player move."""

    bids: list[int]
    tied: bool
    moves: list[str]


Number: TypeAlias = "str"
"""A rational number as text, such as `"-1/3"`."""


NumberBounds: TypeAlias = "Number | list[Number]"
"""An exact number, or bounds on it."""


class Omission(TypedDict):
    """Parts of a claim that this run omitted."""

    what: list[str]
    why: str


class OneSidedAverage(TypedDict):
    """The average where one player has all the money, by who holds the star. Without a star both numbers are the same."""

    star_alice: NumberBounds
    star_bob: NumberBounds
    nearby: NumberBounds


Outcome: TypeAlias = "Literal['alice', 'bob', 'draw', 'undetermined']"
"""An outcome in JSON."""


PeriodReport = TypedDict(
    "PeriodReport",
    {
        "block": "int",
        "step": "int",
        "from": "int",
        "proved": "bool",
        "finer": "NotRequired[FinerPeriod | None]",
    },
)
"""The period of one threshold: threshold(k + block) = threshold(k) + step for every k >= from, proved."""


class PlayResults(TypedDict):
    """How the games ended, as parts of all."""

    reached: float
    cut_off: float


Player: TypeAlias = "Literal['alice', 'bob']"
"""A player in JSON."""


PositionLabel: TypeAlias = "str"
"""A position of the tree; in JSON its label."""


class PositionNeed(TypedDict):
    """A position, and what Alice needs there."""

    position: str
    needed: float


class PositionRow(TypedDict):
    """One position."""

    position: str
    end: Outcome | None
    win: NotRequired[ShareBounds | Threshold]
    win_bounds: NotRequired[list[Share]]
    win_decimals: NotRequired[list[float]]
    draw: NotRequired[ShareBounds | Threshold]
    draw_bounds: NotRequired[list[Share]]
    draw_decimals: NotRequired[list[float]]
    outcome: NotRequired[Outcome]
    within: NotRequired[int | None]
    potential: NotRequired[Number]
    averages: NotRequired[AveragesByHolding]
    credits: NotRequired[CreditsByHolding | None]
    average: NotRequired[Number]


class PropertyReport(TypedDict):
    """One of the uniqueness properties."""

    letter: str
    name: str
    holds: bool
    violation: ViolationReport | None


class ProvedClaim(TypedDict):
    """What was proved at every position."""

    claim: str
    mechanism: Mechanism
    totals: NotRequired[list[int]]
    purses: NotRequired[list[str]]
    share: NotRequired[Share | None]
    at_least: NotRequired[Number | None]
    average_bounds: NotRequired[list[Number] | None]
    exact: bool
    exact_positions: int


ProvedPart = TypedDict(
    "ProvedPart",
    {
        "class": "str",
        "exact": "bool",
        "width": "Share",
    },
)
"""A proved part of a database."""


class PursesReport(TypedDict):
    """The value of a position with payment to the bank."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    win: HoldingNeeds
    draw: HoldingNeeds
    reason: NotRequired[str | None]
    exact: bool
    truncated: NotRequired[int | None]
    alice: Holding
    bob: Holding
    outcome: Outcome
    within: int | None
    guarantee: NotRequired[dict[str, Assurance]]
    advice: dict[str, Advice | None]
    trace: NotRequired[Trace | None]
    positions: int
    stop: str


class QuestionAnswer(TypedDict):
    """An answer to a question."""

    at: str
    answer: str


class RandomTurnReport(TypedDict):
    """The result of tossing a coin before every move."""

    game: str
    position: str
    wins: Chance
    holds: Chance


class Ratios(TypedDict):
    """Thresholds as Alice's money to Bob's, `"133:123"`; null if not exact."""

    win: str | None
    draw: str | None


class Report(TypedDict):
    """The value of a position."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    win: NotRequired[ShareBounds | Threshold | HoldingNeeds]
    win_bounds: NotRequired[list[Share]]
    win_decimals: NotRequired[list[float]]
    draw: NotRequired[ShareBounds | Threshold | HoldingNeeds]
    draw_bounds: NotRequired[list[Share]]
    draw_decimals: NotRequired[list[float]]
    at_end: NotRequired[dict[str, EndWin | None]]
    ratio: NotRequired[Ratios]
    exact: bool
    confidence: NotRequired[str | None]
    estimate: NotRequired[Estimate | None]
    truncated: NotRequired[int | None]
    bid: NotRequired[ShareBounds | None]
    bid_bounds: NotRequired[list[Share] | None]
    bid_decimals: NotRequired[list[float] | None]
    moves: NotRequired[Moves | dict[str, list[str]]]
    sure_bids: NotRequired[SureBids | None]
    zugzwang: NotRequired[bool]
    draw_bid: NotRequired[ShareBounds | None]
    draw_bid_bounds: NotRequired[list[Share] | None]
    draw_bid_decimals: NotRequired[list[float] | None]
    draw_moves: NotRequired[Moves]
    bid_suffices: NotRequired[dict[str, BidSuffices | None]]
    open: NotRequired[int | None]
    cells: NotRequired[list[CellReport]]
    positions: NotRequired[int | None]
    exact_positions: NotRequired[int | None]
    stop: NotRequired[str]
    total: NotRequired[int]
    undetermined: NotRequired[HoldingSets | None]
    alice: NotRequired[Holding]
    bob: NotRequired[Holding]
    outcome: NotRequired[Outcome]
    within: NotRequired[int | None]
    guarantee: NotRequired[dict[str, Assurance]]
    advice: NotRequired[dict[str, Advice | None]]
    trace: NotRequired[Trace | None]
    reason: NotRequired[str | None]
    star_alice: NotRequired[list[Score]]
    star_bob: NotRequired[list[Score]]
    unique: NotRequired[bool]
    minimax: NotRequired[StarOutcomes | None]
    properties: NotRequired[list[PropertyReport]]
    value: NotRequired[list[Score]]
    bids: NotRequired[dict[str, list[int | None]]]
    ties: NotRequired[list[list[Any]]]
    bids_table: NotRequired[BidsTable | None]
    rows: NotRequired[list[ScorePositionRow] | None]
    share: NotRequired[Share]
    average: NotRequired[NumberBounds | Number]
    average_bounds: NotRequired[list[Number]]
    average_decimals: NotRequired[list[float]]
    any_share: NotRequired[bool]
    one_sided: NotRequired[OneSidedAverage | None]
    averages: NotRequired[AveragesByHolding]
    credits: NotRequired[CreditsByHolding | None]


class ReportWithPositions(TypedDict):
    """A report with all positions under `rows`."""

    rows: NotRequired[list[PositionRow] | list[ScorePositionRow] | None]
    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    win: NotRequired[ShareBounds | Threshold | HoldingNeeds]
    win_bounds: NotRequired[list[Share]]
    win_decimals: NotRequired[list[float]]
    draw: NotRequired[ShareBounds | Threshold | HoldingNeeds]
    draw_bounds: NotRequired[list[Share]]
    draw_decimals: NotRequired[list[float]]
    at_end: NotRequired[dict[str, EndWin | None]]
    ratio: NotRequired[Ratios]
    exact: bool
    confidence: NotRequired[str | None]
    estimate: NotRequired[Estimate | None]
    truncated: NotRequired[int | None]
    bid: NotRequired[ShareBounds | None]
    bid_bounds: NotRequired[list[Share] | None]
    bid_decimals: NotRequired[list[float] | None]
    moves: NotRequired[Moves | dict[str, list[str]]]
    sure_bids: NotRequired[SureBids | None]
    zugzwang: NotRequired[bool]
    draw_bid: NotRequired[ShareBounds | None]
    draw_bid_bounds: NotRequired[list[Share] | None]
    draw_bid_decimals: NotRequired[list[float] | None]
    draw_moves: NotRequired[Moves]
    bid_suffices: NotRequired[dict[str, BidSuffices | None]]
    open: NotRequired[int | None]
    cells: NotRequired[list[CellReport]]
    positions: NotRequired[int | None]
    exact_positions: NotRequired[int | None]
    stop: NotRequired[str]
    total: NotRequired[int]
    undetermined: NotRequired[HoldingSets | None]
    alice: NotRequired[Holding]
    bob: NotRequired[Holding]
    outcome: NotRequired[Outcome]
    within: NotRequired[int | None]
    guarantee: NotRequired[dict[str, Assurance]]
    advice: NotRequired[dict[str, Advice | None]]
    trace: NotRequired[Trace | None]
    reason: NotRequired[str | None]
    star_alice: NotRequired[list[Score]]
    star_bob: NotRequired[list[Score]]
    unique: NotRequired[bool]
    minimax: NotRequired[StarOutcomes | None]
    properties: NotRequired[list[PropertyReport]]
    value: NotRequired[list[Score]]
    bids: NotRequired[dict[str, list[int | None]]]
    ties: NotRequired[list[list[Any]]]
    bids_table: NotRequired[BidsTable | None]
    share: NotRequired[Share]
    average: NotRequired[NumberBounds | Number]
    average_bounds: NotRequired[list[Number]]
    average_decimals: NotRequired[list[float]]
    any_share: NotRequired[bool]
    one_sided: NotRequired[OneSidedAverage | None]
    averages: NotRequired[AveragesByHolding]
    credits: NotRequired[CreditsByHolding | None]


class Reproduction(TypedDict):
    """The results of the requested claims."""

    claims: list[CheckedClaim]
    as_recorded: bool


RestsOn: TypeAlias = "str"
"""The basis of a review."""


class Review(TypedDict):
    """A reviewed match."""

    game: str
    mechanism: Mechanism
    limit: NotRequired[int | None]
    rests_on: RestsOn
    reason: NotRequired[str | None]
    summary: str
    digest: ReviewDigest
    turns: list[TurnReview]
    mistakes: list[Mistake]
    suggested: NotRequired[list[Mistake]]
    now: MatchStanding


class ReviewDigest(TypedDict):
    """Three things about a match, in words."""

    decided: str
    turn: NotRequired[int | None]
    best: dict[str, str]
    learn: str


class ReviewWorth(TypedDict):
    """The value of a position with given holdings."""

    outcome: NotRequired[Outcome | None]
    sure: dict[str, GuaranteedResult] | None
    within: int | None
    win: NotRequired[Threshold | None]
    draw: NotRequired[Threshold | None]
    margin: dict[str, Margin] | None
    money: NotRequired[MoneyWorth | None]
    estimate: NotRequired[float | None]
    samples: NotRequired[Samples | None]


Rule = TypedDict(
    "Rule",
    {
        "from": "int",
        "block": "int",
        "step": "int",
    },
)
"""The rule of a threshold: threshold(k + block) = threshold(k) + step for every total k >= from, in chips."""


class Samples(TypedDict):
    """The results of random games from a position."""

    games: int
    alice: int
    bob: int


class ScaleRow(TypedDict):
    """A number of workers, and their time."""

    workers: int
    seconds: float
    busy: float


Score: TypeAlias = "int | str"
"""A score: a number, or a string beyond 2^53."""


class ScorePositionRow(TypedDict):
    """One position among all."""

    position: str
    star_alice: list[Score]
    star_bob: list[Score]
    minimax: NotRequired[StarOutcomes | None]


class ScoresReport(TypedDict):
    """The value of a position."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    total: int
    star_alice: list[Score]
    star_bob: list[Score]
    unique: bool
    minimax: NotRequired[StarOutcomes | None]
    exact: bool
    properties: list[PropertyReport]
    alice: NotRequired[Holding]
    bob: NotRequired[Holding]
    value: NotRequired[list[Score]]
    bids: NotRequired[dict[str, list[int | None]]]
    ties: NotRequired[list[list[Any]]]
    bids_table: NotRequired[BidsTable | None]
    positions: int
    rows: NotRequired[list[ScorePositionRow] | None]


Share: TypeAlias = "int | str"
"""A share: `0`, `1` or `"133/256"`."""


ShareBounds: TypeAlias = "Share | list[Share]"
"""An exact number, or bounds on it."""


class SharedPlan(TypedDict):
    """The work on a database, and the time that some machines take for it."""

    units: int
    stored: int
    stored_at_once: NotRequired[int | None]
    read: int
    read_for_each: float
    memory: int
    core_seconds: float
    seconds: float
    busy: float
    chain_seconds: float
    store_seconds: float
    scale: list[ScaleRow]
    most_workers: int | None
    limit: str | None


class Stability(TypedDict):
    """The unstable totals of one threshold."""

    unstable: list[int]
    last: int | None
    proved: bool
    reason: NotRequired[str | None]


class StabilityReport(TypedDict):
    """The stability of both thresholds of the start."""

    win: Stability
    draw: Stability


class StarAdvice(TypedDict):
    """Whether to use the star in a tie at some bids."""

    bids: list[int]
    use_star: bool


class StarOutcomes(TypedDict):
    """Results for total, total - 1, ..., 0 chips of Alice, by the star's holder."""

    star_alice: list[Score]
    star_bob: list[Score]


Status: TypeAlias = (
    "Literal['checked', 'differs', 'answered', 'by construction', 'open', 'not checkable from the copy']"
)
"""The result of checking a claim."""


class SureBids(TypedDict):
    """Safe bids by bounds: Alice's for a share above the upper bound, Bob's if Alice's share is below the lower one.  Alice makes the largest bid that leaves her above the upper bound of the next position if she wins it. If she loses it, Bob has paid at least as much, and she is above every upper bound that can follow. Bob's bid follows from the lower bounds in the same way."""

    alice: Share
    bob: Share


Survey = TypedDict(
    "Survey",
    {
        "class": "str",
        "positions": "int",
        "quiet": "int",
        "mean": "float",
        "easiest": "PositionNeed | None",
        "hardest": "PositionNeed | None",
        "differ": "int",
        "widest": "Gap | None",
        "zugzwang": "int",
        "zugzwangs": "list[str]",
        "digits": "int | None",
        "chips": "InChips | None",
    },
)
"""A class. Positions count up to reflection."""


Table = TypedDict(
    "Table",
    {
        "game": "str",
        "position": "str",
        "mechanism": "Mechanism",
        "at_least": "NotRequired[Number | None]",
        "truncated": "NotRequired[int | None]",
        "rows": "list[TableRow] | list[HoldingsRow]",
        "period": "NotRequired[TablePeriods]",
        "class": "NotRequired[Class | None]",
        "stability": "NotRequired[StabilityReport | None]",
        "reason": "NotRequired[str | None]",
    },
)
"""A table of either kind."""


class TablePeriods(TypedDict):
    """The periods of the thresholds; null where none was proved."""

    win: PeriodReport | None
    draw: PeriodReport | None
    reason: NotRequired[str | None]


TableReport = TypedDict(
    "TableReport",
    {
        "game": "str",
        "position": "str",
        "mechanism": "Mechanism",
        "at_least": "NotRequired[Number | None]",
        "truncated": "NotRequired[int | None]",
        "rows": "list[TableRow]",
        "period": "TablePeriods",
        "class": "Class | None",
        "stability": "NotRequired[StabilityReport | None]",
    },
)
"""A chip table."""


class TableRow(TypedDict):
    """The thresholds for one total."""

    chips: int
    win: Threshold
    draw: Threshold


class Tally(TypedDict):
    """Wins, draws and losses of the first player."""

    wins: int
    draws: int
    losses: int


class Threshold(TypedDict):
    """A chip threshold: `{"threshold":"4*","plain":5,"star":4}`; `threshold` is null if there is no least holding."""

    threshold: Holding | None
    plain: int
    star: int
    wins: NotRequired[HoldingSets | None]


class TotalReport(TypedDict):
    """A class for one total of chips."""

    total: int
    longest: int | None
    bytes: int


class Trace(TypedDict):
    """A line of best play."""

    turns: list[TraceTurn]
    end: TraceEnd
    position: str


TraceEnd: TypeAlias = "Literal['alice', 'bob', 'draw', 'repeats', 'long']"
"""The end of a line."""


class TraceTurn(TypedDict):
    """One turn of the line."""

    position: str
    alice: Holding
    bob: Holding
    alice_bids: int | None
    bob_bids: int | None
    star_used: bool | None
    winner: Player
    mover: Player
    move: str


TreeEdge = TypedDict(
    "TreeEdge",
    {
        "from": "PositionLabel",
        "player": "Player",
        "to": "PositionLabel | None",
        "move": "str",
        "position": "str",
        "wins": "bool",
        "as_good": "int",
        "decided": "bool",
        "for_all_totals": "bool | None",
        "stable": "NotRequired[bool | None]",
    },
)
"""A move of the tree."""


TreeGoal: TypeAlias = "Literal['win', 'draw']"
"""The threshold by which moves are best."""


class TreeNode(TypedDict):
    """A position of the tree."""

    label: str
    row: int
    position: str
    win: NotRequired[ShareBounds | Holding]
    win_bounds: NotRequired[list[Share]]
    win_decimals: NotRequired[list[float]]
    draw: NotRequired[ShareBounds | Holding]
    draw_bounds: NotRequired[list[Share]]
    draw_decimals: NotRequired[list[float]]
    winner: Player | None
    wedge: Wedge | None
    zugzwang: bool
    cut: bool


class TreeReport(TypedDict):
    """A tree of optimal moves."""

    game: str
    position: str
    mechanism: Mechanism
    at_least: NotRequired[Number | None]
    goal: TreeGoal
    chips: int | None
    exact: bool
    unproved: str | None
    nodes: list[TreeNode]
    edges: list[TreeEdge]


class TurnReview(TypedDict):
    """One turn."""

    turn: int
    position: str
    alice: Holding
    bob: Holding
    worth: ReviewWorth | None
    advice: dict[str, Advice | None]
    alice_bids: int | None
    bob_bids: int | None
    star_used: bool | None
    winner: Player
    mover: Player
    move: str | None


class Undecided(TypedDict):
    """Moves between which bounds do not decide."""

    moves: list[str]
    keeping: list[str]


class Verdict(TypedDict):
    """The verdict on a database."""

    valid: bool
    wrong: str | None
    classes: NotRequired[list[str]]
    proved: NotRequired[list[ProvedPart]]
    bounds: NotRequired[bool]
    width: Share | None
    width_decimal: float | None
    others: list[str]
    listed: bool


class VerifyReport(TypedDict):
    """The verdict on a saved solution."""

    valid: bool
    game: str
    position: str
    positions: int
    proved: NotRequired[ProvedClaim | None]
    wrong: NotRequired[str | None]


class ViolationReport(TypedDict):
    """A holding of Alice's that is worth more than one that should be worth at least as much."""

    position: str
    better: Holding
    better_value: Score
    worse: Holding
    worse_value: Score


class Wedge(TypedDict):
    """A position for all totals, by the tree's moves: whoever moves in `G & H` moves to G or to H. Where one player moves without a bid, the position is the one after that move."""

    sum: str
    terms: str | None
    for_all_totals: bool
    fails_at: int | None


class Witness(TypedDict):
    """Totals at which G and H differ."""

    below: int | None
    above: int | None


class WitnessThresholds(TypedDict):
    """The thresholds at the witnesses."""

    below: GameThresholds | None
    above: GameThresholds | None
