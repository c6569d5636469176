//! What is known of a position of a class of endgames, as a source says it.

use richman_chess::board::ChessBoard;
use richman_chess::engine::endgames::Bounds;
use richman_core::{Error as CoreError, Player, Share, ShareBounds, Walk};
use richman_engine::{After, Origin, Sight, Value};

use super::{USUAL, few};

/// A position that can be looked up; `None` where the game is over, and for other games.
pub(super) fn placed(walk: &dyn Walk) -> Result<Option<ChessBoard>, CoreError> {
    match walk.board::<ChessBoard>().filter(|_| walk.end().is_none()) {
        Some(board) if !is_placed(&board) => {
            let what = format!("looking up {}", board.notation());
            let serves = "positions on the usual board where nobody can castle or take in passing".to_string();
            Err(CoreError::Unsupported { what, serves })
        }
        board => Ok(board),
    }
}

pub(super) fn unsolved(board: &ChessBoard) -> CoreError {
    CoreError::Storage { what: format!("{} was not solved", board.notation()) }
}

/// Whether a position is told by where its pieces stand.
pub(super) fn is_placed(board: &ChessBoard) -> bool {
    board.size() == USUAL && !board.has_castling() && board.passed().is_none()
}

/// What is known of a position.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// What Alice needs to win, and so that Bob cannot.
    pub(super) thresholds: [ShareBounds; 2],
    /// What the players can count on; to win while every move costs a little, so more where play is nearer to that.
    pub(super) bounds: Bounds,
    /// The positions of its class, and how many of them are known exactly.
    pub(super) positions: u64,
    pub(super) exact: u64,
}

impl Known {
    pub(super) fn bounds(bounds: Bounds, positions: u64) -> Known {
        let [alice, bob] = Player::BOTH.map(|player| bounds.of(player).map(|chance| Share::dyadic(chance, 62)));
        let win = ShareBounds { low: alice[1].complement(), high: alice[0].complement() };
        let [low, high] = bob;
        Known { thresholds: [win, ShareBounds { low, high }], bounds, positions, exact: 0 }
    }

    pub(super) fn make_exact(&mut self, exact: &few::Found, board: &ChessBoard) {
        if let Some(share) = exact.get(&board.canonical()) {
            self.thresholds = [share, share].map(|share| ShareBounds::exact(share.clone()));
            self.exact = exact.len() as u64;
        }
    }

    fn value(&self) -> Value {
        let [win, draw] = self.thresholds.clone();
        Value::Money { win, draw }
    }

    fn won_by(player: Player) -> Known {
        Known::bounds(Bounds::won_by(player), 0)
    }

    pub(super) fn exchanged(self) -> Known {
        let [win, draw] = self.thresholds;
        let thresholds = [draw.complement(), win.complement()];
        Known { thresholds, bounds: self.bounds.exchanged(), ..self }
    }
}

/// What a position is worth, from what is known of it and of what follows; `how` that was found.
pub(super) fn sight<E: From<CoreError>>(
    walk: &dyn Walk,
    how: String,
    look_up: &mut dyn FnMut(&ChessBoard) -> Result<Known, E>,
) -> Result<Option<Sight>, E> {
    let Some(board) = placed(walk)? else { return Ok(None) };
    let here = look_up(&board)?;
    let mut places: Vec<ChessBoard> = Vec::new();
    let mut found: [Vec<(After, [u64; 2])>; 2] = Default::default();
    for player in Player::BOTH {
        for made in board.moves(player) {
            let next = board.after(player, made);
            let known = match next.winner() {
                Some(winner) => Known::won_by(winner),
                None => look_up(&next)?,
            };
            let next = next.canonical();
            let place = places.iter().position(|place| *place == next).unwrap_or_else(|| {
                places.push(next);
                places.len() - 1
            });
            let after =
                After { place: u32::try_from(place).ok(), ..After::new(board.name(player, made), known.value()) };
            found[player as usize].push((after, known.bounds.wins));
        }
    }
    // Among moves to equal shares, those that keep to the bounds also lead on (theorem 22 (bounds that prove themselves) of `docs/design.md`).
    for player in Player::BOTH {
        let now = here.bounds.wins[player as usize];
        let worst = found[player.other() as usize].iter().map(|(_, wins)| wins[player as usize]).min().unwrap_or(0);
        for (after, wins) in &mut found[player as usize] {
            after.leads_on = (2 * now + 2 <= wins[player as usize] + worst).then_some(true);
        }
    }
    let origin = Origin { exact_positions: Some(here.exact), ..Origin::exact(how, here.positions) };
    let after = found.map(|moves| moves.into_iter().map(|(after, _)| after).collect());
    Ok(Some(Sight { here: here.value(), after, origin }))
}
