//! The evaluation of an endgame position, as a source's answer.

use std::time::Duration;

use richman_core::{Bids, ByPlayer, Effort, Error, Instant, Mechanism, Player, Share, ShareBounds, Walk};
use richman_engine::{EvaluatedMove, Evaluation, Origin, Value};

use super::database::{ClassPlan, USUAL, index, plan};
use super::endgames::best_play::{self, ExactShares};
use super::endgames::{self, ChanceBounds, MOST_EXACT_PIECES, Tables, needed, oriented};
use crate::board::{ChessBoard, ChessClass};

/// Whether databases of chess serve the mechanism.
pub fn serves(mechanism: &Mechanism) -> bool {
    mechanism.payment.rate().is_richman() && mechanism.right.may_let() && mechanism.bids == Bids::All
}

/// The class of a chess position of more than three pieces, and the cost of its real-money
/// thresholds.
pub fn offer(walk: &dyn Walk, mechanism: &Mechanism) -> Option<(ChessClass, ClassPlan)> {
    let is_asked = walk.end().is_none() && serves(mechanism);
    let placed = walk.board::<ChessBoard>().filter(|board| is_asked && is_placed(board));
    let board = placed.filter(|board| ChessClass::of_board(board).pieces() > MOST_EXACT_PIECES)?;
    let (class, _) = oriented(&ChessClass::of_board(&board));
    // For a class without a numbering, an arena may suffice.
    let plan = plan(&class).ok()?;
    Some((class, plan))
}

/// The worth of a chess position with an [`offer`]: exact if best play leads to few positions, else
/// bounds.
///
/// # Errors
/// [`Error::Unsupported`] if a required exact value is not found, or the class has too many moves;
/// [`Error::DeadEnd`] if a player has no move; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn solve(walk: &dyn Walk, mechanism: &Mechanism, effort: &Effort) -> Result<Option<Evaluation>, Error> {
    let Some((class, plan)) = offer(walk, mechanism) else { return Ok(None) };
    let Some(board) = walk.board::<ChessBoard>() else { return Ok(None) };
    effort.check_memory("solving the class", plan.memory)?;
    let mut tables = Tables::default();
    for class in needed(&class) {
        let until = effort.until();
        tables.insert(endgames::solve(index(&class)?, &tables, &Effort { watch: &until, ..*effort })?);
    }
    let mut bounds = |board: &ChessBoard| tables.bounds(board).ok_or_else(|| unsolved(board));
    // The remaining time, but at least a second if the class took it all.
    let deadline = effort.deadline.map(|deadline| deadline.max(Instant::now() + Duration::from_secs(1)));
    let held = effort.held + tables.bytes();
    let exact = best_play::exact(&board, &mut bounds, &Effort { deadline, held, ..*effort })?;
    let positions = index(&class)?.positions();
    let stop = format!("every position of {class} and of what it becomes; bounds that prove themselves");
    evaluate(walk, stop, &mut |board| {
        let mut known = PositionKnowledge::bounds(bounds(board)?, positions);
        known.make_exact(&exact, board);
        Ok(known)
    })
}

/// The board of a position; `None` for other games and if the game is over. [`Error::Unsupported`]
/// if it cannot be looked up.
pub(super) fn placed(walk: &dyn Walk) -> Result<Option<ChessBoard>, Error> {
    match walk.board::<ChessBoard>().filter(|_| walk.end().is_none()) {
        Some(board) if !is_placed(&board) => {
            let what = format!("looking up {}", board.notation());
            Err(Error::unsupported(what, "positions on the usual board where nobody can castle or take in passing"))
        }
        board => Ok(board),
    }
}

pub(super) fn unsolved(board: &ChessBoard) -> Error {
    Error::Storage { what: format!("{} was not solved", board.notation()) }
}

/// Whether the placement of the pieces determines the position.
pub(super) fn is_placed(board: &ChessBoard) -> bool {
    board.size() == USUAL && !board.has_castling() && board.passed().is_none()
}

#[derive(Debug, Clone)]
pub(super) struct PositionKnowledge {
    /// Alice's needs to win, and to keep Bob from winning.
    pub(super) thresholds: [ShareBounds; 2],
    /// Lower bounds on the chances. Chances to win charge a little per move, so they grow towards a
    /// win.
    pub(super) bounds: ChanceBounds,
    /// The positions of its class, and those known exactly.
    pub(super) positions: u64,
    pub(super) exact: u64,
}

impl PositionKnowledge {
    pub(super) fn bounds(bounds: ChanceBounds, positions: u64) -> PositionKnowledge {
        let [alice, bob] = Player::BOTH.map(|player| bounds.of(player).map(|chance| Share::dyadic(chance, 62)));
        let win = ShareBounds { low: alice[1].complement(), high: alice[0].complement() };
        let [low, high] = bob;
        PositionKnowledge { thresholds: [win, ShareBounds { low, high }], bounds, positions, exact: 0 }
    }

    pub(super) fn make_exact(&mut self, exact: &ExactShares, board: &ChessBoard) {
        if let Some(share) = exact.get(&board.canonical()) {
            self.thresholds = [share, share].map(|share| ShareBounds::exact(share.clone()));
            self.exact = exact.len() as u64;
        }
    }

    fn value(&self) -> Value {
        let [win, draw] = self.thresholds.clone();
        Value::Money { win, draw }
    }

    pub(super) fn exchanged(self) -> PositionKnowledge {
        let [win, draw] = self.thresholds;
        let thresholds = [draw.complement(), win.complement()];
        PositionKnowledge { thresholds, bounds: self.bounds.exchanged(), ..self }
    }
}

/// The worth of a position, from the knowledge of it and its successors.
pub(super) fn evaluate(
    walk: &dyn Walk,
    how: String,
    look_up: &mut dyn FnMut(&ChessBoard) -> Result<PositionKnowledge, Error>,
) -> Result<Option<Evaluation>, Error> {
    let Some(board) = placed(walk)? else { return Ok(None) };
    let here = look_up(&board)?;
    let mut boards: Vec<ChessBoard> = Vec::new();
    let mut found: ByPlayer<Vec<(EvaluatedMove, ByPlayer<u64>)>> = ByPlayer::default();
    for player in Player::BOTH {
        for made in board.moves(player) {
            let next = board.after(player, made);
            let known = match next.winner() {
                Some(winner) => PositionKnowledge::bounds(ChanceBounds::won_by(winner), 0),
                None => look_up(&next)?,
            };
            let next = next.canonical();
            let target = boards.iter().position(|target| *target == next).unwrap_or_else(|| {
                boards.push(next);
                boards.len() - 1
            });
            let after = EvaluatedMove {
                target: u32::try_from(target).ok(),
                ..EvaluatedMove::new(board.name(player, made), known.value())
            };
            found[player].push((after, known.bounds.wins));
        }
    }
    // Moves that keep to the bounds make progress (theorem 22 (bounds that prove themselves) of
    // `docs/design.md`).
    for player in Player::BOTH {
        let now = here.bounds.wins[player];
        let worst = found[player.other()].iter().map(|(_, wins)| wins[player]).min().unwrap_or(0);
        for (after, wins) in &mut found[player] {
            after.leads_on = (2 * now + 2 <= wins[player] + worst).then_some(true);
        }
    }
    let origin = Origin { exact_positions: Some(here.exact), ..Origin::exact(how, here.positions) };
    let after = found.map(|moves| moves.into_iter().map(|(after, _)| after).collect());
    Ok(Some(Evaluation { here: here.value(), after, origin }))
}
