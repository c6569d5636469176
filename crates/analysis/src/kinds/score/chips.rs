//! Reports on scoring games: values for all holdings, matrices of bids, uniqueness properties.

use richman_core::{ByPlayer, Holding, Node, Player, Score, ScoreSolution, ScoreState, Scores, Total, Unfolding};
use richman_solvers::scores;
use richman_solvers::scores::BidMatrix;
use schemars::JsonSchema;
use serde::Serialize;

use super::uniqueness::{self, Property, Violation};
use crate::{Error, HoldingJson, ReportHead, Request, ScoreJson};

/// An unfolded scoring game, a mechanism and effort.
pub type ScoreRequest<'a> = Request<'a, Scores>;

impl ScoreRequest<'_> {
    /// The values of every position.
    ///
    /// # Errors
    /// `Unsupported`, `NobodyCanBid`, `TooMuchMemory` or `Cancelled`.
    pub fn solve(&self, total: Total) -> Result<ScoreSolution, Error> {
        Ok(scores::solve(self.unfolding.arena(), self.mechanism, total, &self.effort)?)
    }
}

/// Results for total, total - 1, ..., 0 chips of Alice, by the star's holder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StarOutcomes {
    /// If Alice holds the star.
    pub star_alice: Vec<ScoreJson>,
    /// If Bob holds it.
    pub star_bob: Vec<ScoreJson>,
}

impl StarOutcomes {
    /// The maximin or the minimax values of a position.
    pub fn of(solution: &ScoreSolution, node: Node, value: impl Fn(Score) -> i64) -> StarOutcomes {
        let row = |star| solution.scores(node, star).rev().map(|score| ScoreJson(value(score))).collect();
        StarOutcomes { star_alice: row(Player::Alice), star_bob: row(Player::Bob) }
    }
}

/// The value of a position.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ScoresReport {
    /// Game, position and mechanism.
    #[serde(flatten)]
    pub head: ReportHead,
    /// The total of chips.
    pub total: u32,
    /// Maximin values.
    #[serde(flatten)]
    pub maximin: StarOutcomes,
    /// Whether the minimax values are the same for all holdings.
    pub unique: bool,
    /// Minimax values, if they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimax: Option<StarOutcomes>,
    /// Always true.
    pub exact: bool,
    /// The properties of LPR20's definition 2, at all positions that can follow.
    pub properties: Vec<PropertyReport>,
    /// Alice's given holding, and how to bid with it.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub holding: Option<HoldingScores>,
    /// The number of positions.
    pub positions: usize,
    /// Every position, if requested, the shortest games first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<ScorePositionRow>>,
}

/// One position among all.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ScorePositionRow {
    /// The position in the game's notation.
    pub position: String,
    /// Maximin values.
    #[serde(flatten)]
    pub maximin: StarOutcomes,
    /// Minimax values, if any differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimax: Option<StarOutcomes>,
}

/// One of the uniqueness properties.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PropertyReport {
    /// A, B or C.
    pub letter: char,
    /// Its name.
    pub name: String,
    /// Whether it holds everywhere.
    pub holds: bool,
    /// The smallest counterexample.
    pub violation: Option<ViolationReport>,
}

/// A holding of Alice's that is worth more than one that should be worth at least as much.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ViolationReport {
    /// The position.
    pub position: String,
    /// The holding that should be worth at least as much.
    pub better: HoldingJson,
    /// Its maximin value.
    pub better_value: ScoreJson,
    /// The holding that should be worth no more.
    pub worse: HoldingJson,
    /// Its maximin value.
    pub worse_value: ScoreJson,
}

/// The value of the position with given holdings, and all best bids.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HoldingScores {
    /// Alice's holding.
    pub alice: HoldingJson,
    /// Bob's holding.
    pub bob: HoldingJson,
    /// The value that Alice can guarantee, and the one that Bob can hold her to.
    pub value: [ScoreJson; 2],
    /// Both players' bids that do so; if the two values are equal, every pair is an equilibrium.
    /// Null: no allowed bid.
    #[serde(serialize_with = "richman_formats::by_player::serialize")]
    #[schemars(schema_with = "richman_formats::by_player::schema::<Vec<Option<u32>>>")]
    pub bids: ByPlayer<Vec<Option<u32>>>,
    /// The result of a tie at each bid, with later maximin play: bid and score.
    pub ties: Vec<(u32, ScoreJson)>,
    /// The matrix of bids, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bids_table: Option<BidsTable>,
}

/// A matrix of bids as LPR20 prints it: rows for Bob's bids, columns for Alice's.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BidsTable {
    /// Alice's bids, the columns.
    pub alice_bids: Vec<Option<u32>>,
    /// Bob's bids, the rows.
    pub bob_bids: Vec<Option<u32>>,
    /// The result of each pair of bids, with later maximin play.
    pub rows: Vec<Vec<ScoreJson>>,
    /// The same with later minimax play, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimax_rows: Option<Vec<Vec<ScoreJson>>>,
    /// The least of each column.
    pub min: Vec<ScoreJson>,
    /// The greatest of each row, with later minimax play.
    pub max: Vec<ScoreJson>,
    /// The equilibria: pairs of Alice's and Bob's bids.
    pub saddle_points: Vec<(Option<u32>, Option<u32>)>,
}

impl From<&BidMatrix> for BidsTable {
    fn from(matrix: &BidMatrix) -> BidsTable {
        let rows = |value: fn(&Score) -> i64| -> Vec<Vec<ScoreJson>> {
            matrix.rows.iter().map(|row| row.iter().map(|score| ScoreJson(value(score))).collect()).collect()
        };
        let (low, high) = (rows(|score| score.low), rows(|score| score.high));
        BidsTable {
            alice_bids: matrix.alice.clone(),
            bob_bids: matrix.bob.clone(),
            minimax_rows: (high != low).then_some(high),
            rows: low,
            min: matrix.minima().into_iter().map(ScoreJson).collect(),
            max: matrix.maxima().into_iter().map(ScoreJson).collect(),
            saddle_points: matrix.saddle_points(),
        }
    }
}

/// The optional content of a report.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScoreOptions {
    /// Alice's holding, if given.
    pub alice: Option<Holding>,
    /// Whether to show the matrix of bids for that holding.
    pub bids_table: bool,
    /// Whether to show the values of every position.
    pub all: bool,
}

/// The most bytes of a number in a table while it is written.
const PER_CELL: u64 = 256;

/// The values of the start for all holdings, from a solution.
///
/// # Errors
/// [`richman_core::Error::HoldingAboveTotal`]; [`richman_core::Error::TooMuchMemory`] if the tables
/// are too large to write.
pub fn report(request: &ScoreRequest, solution: &ScoreSolution, choices: &ScoreOptions) -> Result<ScoresReport, Error> {
    let arena = request.unfolding.arena();
    let start = arena.start();
    let rows = if choices.all { arena.len() as u64 } else { 1 };
    let cells = rows.saturating_mul(2 * (u64::from(solution.total.chips()) + 1));
    request.effort.check_memory("a table of values", cells.saturating_mul(PER_CELL))?;
    let holding = choices.alice.map(|alice| holding(request, solution, alice, choices.bids_table)).transpose()?;
    let minimax = |node| {
        let differs = !solution.is_unique(node);
        differs.then(|| StarOutcomes::of(solution, node, |score| score.high))
    };
    let row = |node| ScorePositionRow {
        position: request.unfolding.notation(node),
        maximin: StarOutcomes::of(solution, node, |score| score.low),
        minimax: minimax(node),
    };
    let ScorePositionRow { maximin, minimax, .. } = row(start);
    Ok(ScoresReport {
        head: request.head(),
        total: solution.total.chips(),
        maximin,
        unique: minimax.is_none(),
        minimax,
        exact: true,
        properties: properties(request, solution),
        holding,
        positions: arena.len(),
        rows: choices.all.then(|| ordered(request.unfolding).into_iter().map(row).collect()),
    })
}

fn holding(
    request: &ScoreRequest,
    solution: &ScoreSolution,
    alice: Holding,
    table: bool,
) -> Result<HoldingScores, Error> {
    let bob = solution.total.rest(alice)?;
    let star = if alice.has_star() { Player::Alice } else { Player::Bob };
    let entries = (u64::from(alice.chips()) + 1) * (u64::from(bob.chips()) + 1);
    request.effort.check_memory("the matrix of bids", entries.saturating_mul(PER_CELL))?;
    let state = ScoreState { alice: alice.chips(), star };
    let matrix = scores::matrix(request.unfolding.arena(), solution, request.unfolding.arena().start(), state);
    Ok(HoldingScores {
        alice: HoldingJson(alice),
        bob: HoldingJson(bob),
        value: [ScoreJson(matrix.value.low), ScoreJson(matrix.value.high)],
        bids: ByPlayer { alice: matrix.alice_best(), bob: matrix.bob_best() },
        ties: matrix.ties().into_iter().map(|(bid, score)| (bid, ScoreJson(score.low))).collect(),
        bids_table: table.then(|| BidsTable::from(&matrix)),
    })
}

fn properties(request: &ScoreRequest, solution: &ScoreSolution) -> Vec<PropertyReport> {
    let holding = |state: ScoreState| {
        HoldingJson(Holding::from_half_steps(2 * state.alice + u32::from(state.star == Player::Alice)))
    };
    let shown = |violation: Violation| ViolationReport {
        position: request.unfolding.notation(violation.node),
        better: holding(violation.better.0),
        better_value: ScoreJson(violation.better.1),
        worse: holding(violation.worse.0),
        worse_value: ScoreJson(violation.worse.1),
    };
    let found = uniqueness::violations(request.unfolding.arena(), solution);
    Property::ALL
        .into_iter()
        .zip(found)
        .map(|(property, violation)| PropertyReport {
            letter: property.letter(),
            name: property.to_string(),
            holds: violation.is_none(),
            violation: violation.map(shown),
        })
        .collect()
}

/// All positions, the shortest games first; by number if all names are numbers.
pub fn ordered(unfolding: &dyn Unfolding<Scores>) -> Vec<Node> {
    let arena = unfolding.arena();
    let mut nodes: Vec<Node> = arena.nodes().collect();
    let numbers: Option<Vec<u64>> = arena.nodes().map(|node| unfolding.notation(node).parse().ok()).collect();
    match numbers {
        Some(numbers) => nodes.sort_by_key(|&node| numbers[node as usize]),
        None => {
            let heights = arena.heights();
            nodes.sort_by_key(|&node| heights[node as usize]);
        }
    }
    nodes
}

/// The values of all positions for all holdings, as the cells of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    /// The game with its parameters.
    pub game: String,
    /// The mechanism in words.
    pub mechanism: String,
    /// The positions, in the order of [`ordered`].
    pub positions: Vec<String>,
    /// The total of chips.
    pub total: u32,
    /// The values for 0, 1, ... chips of Alice at each position, with Alice and with Bob as the
    /// star's holder.
    pub values: [Vec<Vec<Score>>; 2],
}

/// The most positions and the most chips of a [`Map`].
pub const LARGEST_MAP: usize = 1024;

/// Refuses too large a map before anything is solved.
///
/// # Errors
/// [`Error::MapTooLarge`] above 1024 positions or chips.
pub fn check_map(request: &ScoreRequest, total: Total) -> Result<(), Error> {
    if request.unfolding.arena().len() > LARGEST_MAP || total.chips() as usize > LARGEST_MAP {
        return Err(Error::MapTooLarge { limit: LARGEST_MAP });
    }
    Ok(())
}

/// The cells of a heat map.
///
/// # Errors
/// [`Error::MapTooLarge`] above 1024 positions or chips.
pub fn map(request: &ScoreRequest, solution: &ScoreSolution) -> Result<Map, Error> {
    check_map(request, solution.total)?;
    let unfolding = request.unfolding;
    let nodes = ordered(unfolding);
    let rows = |star| nodes.iter().map(|&node| solution.scores(node, star).collect()).collect();
    Ok(Map {
        game: unfolding.game(),
        mechanism: solution.mechanism.to_string(),
        positions: nodes.iter().map(|&node| unfolding.notation(node)).collect(),
        total: solution.total.chips(),
        values: Player::BOTH.map(rows),
    })
}
