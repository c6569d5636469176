//! What is known of a position of a class of endgames, and the report of it.

use richman_core::{ChessBoard, Error as CoreError, Mechanism, Player, Share, ShareBounds, Walk};
use richman_formats::MechanismJson;
use richman_solvers::endgames::Bounds;

use super::{USUAL, few};
use crate::money::{After, MoneyReport, Moves, Ratios, judged, ratio};
use crate::{BoundsJson, Error};

/// A position that can be looked up; `None` where the game is over, and for other games.
pub(super) fn placed(walk: &dyn Walk) -> Result<Option<ChessBoard>, Error> {
    match walk.board::<ChessBoard>().filter(|_| walk.end().is_none()) {
        Some(board) if !is_placed(&board) => {
            let what = format!("looking up {}", board.notation());
            let serves = "positions on the usual board where nobody can castle or take in passing".to_string();
            Err(CoreError::Unsupported { what, serves }.into())
        }
        board => Ok(board),
    }
}

pub(super) fn unsolved(board: &ChessBoard) -> Error {
    CoreError::Storage { what: format!("{} was not solved", board.notation()) }.into()
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

    fn won_by(player: Player) -> Known {
        Known::bounds(Bounds::won_by(player), 0)
    }

    pub(super) fn exchanged(self) -> Known {
        let [win, draw] = self.thresholds;
        let thresholds = [draw.complement(), win.complement()];
        Known { thresholds, bounds: self.bounds.exchanged(), ..self }
    }
}

/// The report of a position from what is known of it and of what follows.
pub(super) fn report(
    walk: &dyn Walk,
    mechanism: &Mechanism,
    stop: String,
    look_up: &mut dyn FnMut(&ChessBoard) -> Result<Known, Error>,
) -> Result<Option<MoneyReport>, Error> {
    let Some(board) = placed(walk)? else { return Ok(None) };
    let here = look_up(&board)?;
    let mut after: [Vec<(String, ChessBoard, Known)>; 2] = Default::default();
    for player in Player::BOTH {
        for made in board.moves(player) {
            let next = board.after(player, made);
            let known = match next.winner() {
                Some(winner) => Known::won_by(winner),
                None => look_up(&next)?,
            };
            after[player as usize].push((board.name(player, made), next.canonical(), known));
        }
    }
    let rate = mechanism.payment.rate();
    let judge = |threshold: usize, forcing: Player| {
        let options = after.each_ref().map(|moves| {
            let option = |(name, next, known): &(String, ChessBoard, Known)| -> After<(ChessBoard, u64)> {
                let chance = known.bounds.wins[forcing as usize];
                (name.clone(), (*next, chance), known.thresholds[threshold].clone())
            };
            moves.iter().map(option).collect()
        });
        let worst =
            after[forcing.other() as usize].iter().map(|(_, _, known)| known.bounds.wins[forcing as usize]).min();
        judged(rate, options, forcing, |own| {
            // Among moves to equal shares, those that keep to the bounds also lead on (theorem 22 (bounds that prove themselves) of `docs/design.md`).
            let keeps = |chance: u64| 2 * here.bounds.wins[forcing as usize] + 2 <= chance + worst.unwrap_or(0);
            if own.iter().any(|(_, (_, chance), _)| keeps(*chance)) {
                own.retain(|(_, (_, chance), _)| keeps(*chance));
            }
            false
        })
    };
    let (bid, moves, zugzwang): (_, Moves, _) = judge(0, Player::Alice);
    let (draw_bid, draw_moves, _) = judge(1, Player::Bob);
    let [win, draw] = &here.thresholds;
    let exact = [win, draw].iter().all(|bounds| bounds.as_exact().is_some());
    Ok(Some(MoneyReport {
        game: walk.game(),
        position: walk.notation(),
        mechanism: MechanismJson::from(mechanism),
        win: BoundsJson(win.clone()),
        draw: BoundsJson(draw.clone()),
        ratio: Ratios { win: ratio(win), draw: ratio(draw) },
        exact,
        truncated: None,
        bid,
        moves,
        sure_bids: None,
        zugzwang,
        draw_bid,
        draw_moves,
        positions: here.positions as usize,
        exact_positions: here.exact as usize,
        stop,
    }))
}
