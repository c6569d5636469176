//! What players know about a game from solving it, once for a match or a duel.

use std::sync::Arc;
use std::time::Duration;

use richman_analysis::Subject;
use richman_analysis::chips::{self, Solved};
use richman_core::{
    Bids, ChessBoard, Error, Forces, HexBoard, Limits, Mechanism, Node, Payment, Purses, Right, ScoreSolution,
    ScoringUnfolding, ShareBounds, Ties, Total, Unfolding, Until,
};
use richman_solvers::hex::{Cores, Frontier, small};
use richman_solvers::{Exactness, Options, money, purses, scores};

use super::{Base, BoardKnowledge, PlayerError, Strength};

/// The most positions that are unfolded for a player who can do without.
const WORTH_UNFOLDING: u64 = 2_000_000;

/// Positions of Hex with at most so many open cells are unfolded and solved; of those with at most so many all thresholds are found.
const UNFOLDED: u32 = 10;
const TABLED: u32 = 16;

/// Chess with more pieces is not unfolded, whoever asks.
const UNFOLDED_CHESS: u32 = 4;

/// What is known of a game of Hex.
pub struct HexKnowledge {
    total: Total,
    /// Where fillings can be counted in a moment.
    frontier: Option<Frontier>,
    /// All positions with chips, where there are few.
    thresholds: Option<small::Thresholds>,
}

impl HexKnowledge {
    /// The states of the frontier of this board, where its fillings can be counted in a moment.
    pub fn frontier(&self) -> Option<&Frontier> {
        self.frontier.as_ref()
    }

    /// All positions with chips, where there are few.
    pub fn thresholds(&self) -> Option<&small::Thresholds> {
        self.thresholds.as_ref()
    }

    /// The number of chips in the game.
    pub fn total(&self) -> Total {
        self.total
    }

    /// Whether thresholds with chips are those of [`small`]: with sealed or open bids of all amounts, the advantage and a winner who chooses.
    pub fn is_solved_for(mechanism: &Mechanism) -> bool {
        let Mechanism { payment, ties, bidding: _, right, bids } = mechanism;
        (payment, ties, right, bids) == (&Payment::Richman, &Ties::Advantage, &Right::Chooses, &Bids::All)
    }

    fn of(board: &HexBoard, mechanism: &Mechanism, total: Total, options: &Options) -> Result<HexKnowledge, Error> {
        let width = board.rows().min(board.cols());
        let frontier = if width <= crate::WIDEST_COUNTED { Some(Frontier::new(width, options)?) } else { None };
        let is_small = (UNFOLDED + 1..=TABLED).contains(&board.open());
        let thresholds = if is_small && HexKnowledge::is_solved_for(mechanism) {
            let cells: Vec<usize> = (0..board.cells().len()).filter(|&cell| board.cells()[cell].is_none()).collect();
            match small::Thresholds::of(board, &cells, total, Cores::All, options) {
                Ok(thresholds) => Some(thresholds),
                Err(Error::TooMuchMemory { .. }) => None,
                Err(error) => return Err(error),
            }
        } else {
            None
        };
        Ok(HexKnowledge { total, frontier, thresholds })
    }
}

/// A game as players know it: solved for chips, for real money, for scores, or not at all.
pub struct Knowledge {
    game: String,
    is_scoring: bool,
    unfolding: Option<Box<dyn Unfolding>>,
    forces: Option<Solved>,
    /// What Alice needs in real money at every node, as a share.
    needs: Option<Vec<f64>>,
    scores: Option<(Box<dyn ScoringUnfolding>, ScoreSolution)>,
    hex: Option<HexKnowledge>,
    board: Option<BoardKnowledge>,
    is_chess: bool,
}

impl Knowledge {
    /// What players of these strengths need: the game from a position, or its start, for every division of `total` chips. `options` limits
    /// memory and time.
    ///
    /// # Errors
    /// [`PlayerError::Analysis`] where a perfect player is asked for and the game cannot be solved within the limits, and when cancelled.
    pub fn of(
        subject: &Subject,
        position: Option<&str>,
        mechanism: &Mechanism,
        total: Total,
        strengths: &[Strength],
        options: &Options,
    ) -> Result<Arc<Knowledge>, PlayerError> {
        let wanted = |base: Base| strengths.iter().any(|strength| strength.base == base);
        let (perfect, best, rounding) = (wanted(Base::Perfect), wanted(Base::Best), wanted(Base::Rounding));
        let mut known = Knowledge {
            game: subject.name(),
            is_scoring: subject.is_scoring(),
            unfolding: None,
            forces: None,
            needs: None,
            scores: None,
            hex: None,
            board: None,
            is_chess: false,
        };
        let until = options.until();
        let options = Options { watch: &until, within: None, ..*options };
        let walk = subject.walk(position)?;
        if let Some(board) = walk.board::<ChessBoard>() {
            known.is_chess = true;
            if !perfect {
                return Ok(Arc::new(known));
            }
            if board.occupied().count_ones() > UNFOLDED_CHESS {
                return Err(too_large(&known.game, "start with fewer pieces"));
            }
        }
        if perfect || best {
            match BoardKnowledge::of(walk.as_ref(), mechanism, total, perfect, &options) {
                Ok(board) => known.board = board,
                Err(error) => refuse(&until, perfect, error)?,
            }
        }
        // Only a perfect player of other rules needs more; one that rounds does not use it.
        let is_known = known.board.as_ref().is_some_and(|board| board.is_perfect() || !perfect);
        if is_known && !rounding {
            return Ok(Arc::new(known));
        }
        let board = walk.board::<HexBoard>().filter(|_| mechanism.payment == Payment::Richman);
        if let Some(board) = &board {
            match HexKnowledge::of(board, mechanism, total, &options) {
                Ok(hex) => known.hex = Some(hex),
                Err(error) => refuse(&until, false, error.into())?,
            }
        }
        let known_as_hex = |known: &Knowledge, board: &HexBoard| {
            let tabled = known.hex.as_ref().is_some_and(|hex| hex.thresholds.is_some());
            known.hex.is_some() && board.open() > UNFOLDED && (tabled || !perfect)
        };
        if board.as_ref().is_some_and(|board| known_as_hex(&known, board)) {
            return Ok(Arc::new(known));
        }
        if (perfect || best)
            && !is_known
            && let Err(error) = known.solve(subject, position, mechanism, total, perfect, &options)
        {
            refuse(&until, perfect, error)?;
        }
        if (rounding || (best && known.forces.is_none() && !is_known))
            && !known.is_scoring
            && let Err(error) = known.value(subject, position, mechanism, &options)
        {
            refuse(&until, false, error)?;
        }
        Ok(Arc::new(known))
    }

    fn solve(
        &mut self,
        subject: &Subject,
        position: Option<&str>,
        mechanism: &Mechanism,
        total: Total,
        whole: bool,
        options: &Options,
    ) -> Result<(), PlayerError> {
        let positions = if whole { crate::MOST_POSITIONS } else { WORTH_UNFOLDING };
        let limits = Limits { positions, memory: options.memory };
        if self.is_scoring {
            let unfolding = subject.unfold_scoring(position, &limits, options.watch)?;
            let options = Options { held: unfolding.bytes(), ..*options };
            let solution = scores::solve(unfolding.arena(), mechanism, total, &options)?;
            self.scores = Some((unfolding, solution));
            return Ok(());
        }
        let unfolding = subject.unfold(position, &limits, options.watch).map_err(|error| match error {
            richman_analysis::Error::HexTooLarge { .. } => too_large(&self.game, "start where fewer cells are open"),
            error => error.into(),
        })?;
        let options = Options { held: unfolding.bytes(), ..*options };
        let unfolding = self.unfolding.insert(unfolding);
        self.forces = Some(match mechanism.payment {
            Payment::Richman => chips::solve(unfolding.arena(), mechanism, total, &options)?,
            _ => {
                let purses = Purses::Together(total.chips());
                Solved::Purses(purses::solve(unfolding.arena(), mechanism, purses, &options)?)
            }
        });
        Ok(())
    }

    fn value(
        &mut self,
        subject: &Subject,
        position: Option<&str>,
        mechanism: &Mechanism,
        options: &Options,
    ) -> Result<(), PlayerError> {
        let unfolding = match &mut self.unfolding {
            Some(unfolding) => unfolding,
            none => {
                let limits = Limits { positions: WORTH_UNFOLDING, memory: options.memory };
                none.insert(subject.unfold(position, &limits, options.watch)?)
            }
        };
        let arena = unfolding.arena();
        let options = Options {
            held: unfolding.bytes() + self.forces.as_ref().map_or(0, Solved::bytes),
            exactness: Exactness::Bounds,
            width: 2f64.powi(-20),
            ..*options
        };
        // Bounds are there a little before the watch says stop.
        let options = options.at_most(options.time_left().map_or(Duration::from_secs(60), |left| left / 5 * 4));
        let all = Mechanism { bids: Bids::All, ..mechanism.clone() };
        let solution = money::solve(arena, &all, &options)
            .or_else(|_| money::solve(arena, &Mechanism { right: Right::Chooses, ..all }, &options))?;
        let middle = |bounds: ShareBounds| (bounds.low.to_f64() + bounds.high.to_f64()) / 2.0;
        let needed = |node: Node| (middle(solution.win.get(node)) + middle(solution.draw.get(node))) / 2.0;
        self.needs = Some(arena.nodes().map(needed).collect());
        Ok(())
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> u64 {
        let unfolding = self.unfolding.as_ref().map_or(0, |unfolding| unfolding.bytes());
        let forces = self.forces.as_ref().map_or(0, Solved::bytes);
        let scores = self.scores.as_ref().map_or(0, |(unfolding, solution)| {
            let values = solution.maximin.len() + solution.minimax.as_ref().map_or(0, Vec::len);
            unfolding.bytes() + 8 * values as u64
        });
        let needs = self.needs.as_ref().map_or(0, |needs| 8 * needs.len() as u64);
        let hex =
            self.hex.as_ref().and_then(|hex| hex.thresholds.as_ref()).map_or(0, |known| 4 * known.positions() as u64);
        let board = self.board.as_ref().map_or(0, BoardKnowledge::bytes);
        unfolding + forces + needs + scores + hex + board
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Whether the game is played for a score.
    pub fn is_scoring(&self) -> bool {
        self.is_scoring
    }

    /// The unfolded game and who can force what, if it was solved with chips.
    pub fn forces(&self) -> Option<(&dyn Unfolding, &dyn Forces)> {
        Some((self.unfolding.as_deref()?, self.forces.as_ref()?.forces()))
    }

    /// The unfolded game and what Alice needs at each of its nodes as a share of real money, halfway between not losing and winning; if
    /// that was found.
    pub fn needs(&self) -> Option<(&dyn Unfolding, &[f64])> {
        Some((self.unfolding.as_deref()?, self.needs.as_deref()?))
    }

    /// What is known of a game of Hex, where the money goes to the other player.
    pub fn hex(&self) -> Option<&HexKnowledge> {
        self.hex.as_ref()
    }

    /// What is known of a large board of stones and lines.
    pub fn board(&self) -> Option<&BoardKnowledge> {
        self.board.as_ref()
    }

    /// Whether it is chess, which players search.
    pub fn is_chess(&self) -> bool {
        self.is_chess
    }

    /// The unfolded scoring game and its solution.
    pub fn scores(&self) -> Option<(&dyn ScoringUnfolding, &ScoreSolution)> {
        self.scores.as_ref().map(|(unfolding, solution)| (unfolding.as_ref(), solution))
    }
}

/// Why there is no perfect player.
pub(super) fn too_large(game: &str, or: &str) -> PlayerError {
    PlayerError::Unfit {
        player: "perfect".to_string(),
        game: game.to_string(),
        reason: format!("too many positions can follow; take best, or {or}"),
    }
}

/// An error is passed on if the solution is needed, or if it is not one of size or time.
fn refuse(until: &Until, needed: bool, error: PlayerError) -> Result<(), PlayerError> {
    let too_long = matches!(error, PlayerError::Analysis(richman_analysis::Error::Core(Error::Cancelled)));
    if too_long && !until.watch.cancelled() {
        return if needed {
            Err(Error::OutOfTime { what: "solving the game for a perfect player" }.into())
        } else {
            Ok(())
        };
    }
    if needed || too_long { Err(error) } else { Ok(()) }
}
