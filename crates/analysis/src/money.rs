//! The report of a real-money solution: thresholds, best bid, best moves.

use richman_core::{MoneySolution, Player, Share, Shares, Unfolding};
use richman_formats::MechanismJson;
use richman_solvers::{Options, money};
use serde::Serialize;

use crate::{Error, Request, ShareJson};

/// Best moves of both players, by the game's names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moves {
    /// Alice's.
    pub alice: Vec<String>,
    /// Bob's.
    pub bob: Vec<String>,
}

/// What a position is worth in real money.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoneyReport {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// How bids are made, won and paid.
    pub mechanism: MechanismJson,
    /// Alice can force a win when her share is above this.
    pub win: ShareJson,
    /// Bob can force a win when Alice's share is below this.
    pub draw: ShareJson,
    /// Whether the thresholds are exact.
    pub exact: bool,
    /// The number of moves after which a play counts as a draw, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u32>,
    /// The best bid at the win threshold, as a share of all the money; null where the game is over.
    pub bid: Option<ShareJson>,
    /// Moves that keep to the win threshold.
    pub moves: Moves,
    /// Whether the winner of the bid should let the other player move, at the win threshold.
    pub zugzwang: bool,
    /// The best bid at the draw threshold.
    pub draw_bid: Option<ShareJson>,
    /// Moves that keep to the draw threshold.
    pub draw_moves: Moves,
    /// Positions of the game, symmetric ones counted once.
    pub positions: usize,
    /// Why the solver stopped.
    pub stop: String,
}

/// Solves for real money and reports on the start of the arena.
///
/// # Errors
/// Those of [`money::solve`], positions named in the game's notation.
pub fn report(request: &Request) -> Result<(MoneyReport, MoneySolution), Error> {
    let solve = |options: &Options| {
        money::solve(request.unfolding.arena(), request.mechanism, options).map_err(|error| request.translate(error))
    };
    let solution = solve(&request.options)?;
    // Within t moves, the moves are judged by what follows within t - 1.
    let next = match request.options.within {
        Some(moves) => Some(solve(&Options { within: Some(moves.saturating_sub(1)), ..request.options })?),
        None => None,
    };
    let next = next.as_ref().unwrap_or(&solution);
    let unfolding = request.unfolding;
    let cut = request.options.within == Some(0);
    let (bid, moves, zugzwang) = best(unfolding, &next.win, cut);
    let (draw_bid, draw_moves, _) = best(unfolding, &next.draw, cut);
    let start = unfolding.arena().start();
    let report = MoneyReport {
        game: request.game(),
        position: request.position(),
        mechanism: MechanismJson::from(request.mechanism),
        win: ShareJson(solution.win.get(start)),
        draw: ShareJson(solution.draw.get(start)),
        exact: solution.exact,
        truncated: request.options.within,
        bid,
        moves,
        zugzwang,
        draw_bid,
        draw_moves,
        positions: unfolding.arena().len(),
        stop: solution.stop.to_string(),
    };
    Ok((report, solution))
}

/// The best bid, both players' best moves, and whether the position is a zugzwang, from the shares of the next positions.
fn best(unfolding: &dyn Unfolding, shares: &Shares, cut: bool) -> (Option<ShareJson>, Moves, bool) {
    let start = unfolding.arena().start();
    let options = |player| -> Vec<(String, Share)> {
        if cut {
            return Vec::new();
        }
        unfolding.moves(start, player).into_iter().map(|step| (step.name, shares.get(step.to))).collect()
    };
    let [alice, bob] = Player::BOTH.map(options);
    let (Some(least), Some(greatest)) =
        (alice.iter().map(|(_, share)| share).min(), bob.iter().map(|(_, share)| share).max())
    else {
        return (None, Moves { alice: Vec::new(), bob: Vec::new() }, false);
    };
    let names = |of: &[(String, Share)], best: &Share| {
        of.iter().filter(|(_, share)| share == best).map(|(name, _)| name.clone()).collect()
    };
    let moves = Moves { alice: names(&alice, least), bob: names(&bob, greatest) };
    (Some(ShareJson(Share::half_difference(least, greatest))), moves, least > greatest)
}
