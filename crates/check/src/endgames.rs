//! Proves claims about chess endgames from [the rules square by square](crate::chess).

use std::collections::HashMap;

use rayon::prelude::*;
use richman_chess::board::{ChessBoard, ChessClass, ChessIndex};
use richman_core::{Arena, ArenaBuilder, ByPlayer, Error, Node, Player, Terminal, Watch};

use crate::chess::PlainBoard;

/// A wrong claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndgameFault {
    /// The position.
    pub position: String,
    /// The claim and what holds.
    pub what: String,
}

/// Certainty, in units of 2^-62.
const FIXED_POINT_UNIT: u64 = 1 << 62;

/// The kind of chance claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChanceClaim {
    /// To win.
    Wins,
    /// To win or play forever.
    Holds,
}

/// Checks lower bounds on both players' chances at every position of a class. `claimed` has the
/// bounds by number, `known` the bounds of the classes it can become.
///
/// A positive bound must be at most the mean of the player's best move and the other player's
/// worst; on the chance to win, at least one unit less. With the unit, the bound grows on average
/// along play that keeps to it. It cannot grow forever, so play ends with the other king taken
/// (theorem 22 (bounds that prove themselves) of `docs/design.md`). Without the unit, it never
/// falls on average, and play never ends with the loss of the player's own king.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn check_bounds(
    index: &ChessIndex,
    claim: ChanceClaim,
    claimed: ByPlayer<&[u64]>,
    known: &(dyn Fn(&ChessBoard) -> Option<ByPlayer<u64>> + Sync),
    watch: &dyn Watch,
) -> Result<Option<EndgameFault>, Error> {
    const CHUNK: u64 = 1 << 10;
    let size = index.size();
    let loss = if claim == ChanceClaim::Wins { 2 } else { 0 };
    if claimed.iter().any(|numbers| numbers.len() as u64 != size) {
        let what = format!("there are {} numbers for {size}", claimed.alice.len());
        return Ok(Some(EndgameFault { position: index.class().to_string(), what }));
    }
    let done = std::sync::atomic::AtomicU64::new(0);
    let of = |next: &PlainBoard| -> Option<ByPlayer<u64>> {
        if let Some(winner) = next.winner() {
            return Some(ByPlayer::from_fn(|player| if player == winner { FIXED_POINT_UNIT } else { 0 }));
        }
        let board = next.board();
        if ChessClass::of_board(&board) != *index.class() {
            return known(&board);
        }
        let rank = index.rank(&board) as usize;
        Some(claimed.map(|numbers| numbers[rank]))
    };
    let check = |rank: u64| -> Option<EndgameFault> {
        let board = index.unrank(rank)?;
        let fault = |what: String| Some(EndgameFault { position: board.notation(), what });
        let plain = PlainBoard::of(&board);
        let mut after = ByPlayer::new(Vec::new(), Vec::new());
        for player in Player::BOTH {
            for next in plain.moves(player) {
                let Some(chances) = of(&next) else {
                    return fault(format!("nothing is known of {}", next.board().notation()));
                };
                after[player].push(chances);
            }
        }
        for player in Player::BOTH {
            let chances = |mover: Player| after[mover].iter().map(|chances| u128::from(chances[player]));
            let least = u128::from(claimed[player][rank as usize]);
            let (Some(best), Some(worst)) = (chances(player).max(), chances(player.other()).min()) else {
                return fault("a player has no move".to_string());
            };
            if least > u128::from(FIXED_POINT_UNIT) {
                return fault(format!("{player} is said to have a chance of {least}/2^62"));
            }
            if least > 0 && 2 * least + loss > best + worst {
                return fault(format!(
                    "{player} is said to have a chance of at least {least}/2^62 {}, \
                     but the best own move and the worst move of the other player give {best} and {worst}",
                    if claim == ChanceClaim::Wins { "to win" } else { "not to lose" }
                ));
            }
        }
        None
    };
    let chunks = size.div_ceil(CHUNK);
    let found: Option<Result<EndgameFault, Error>> = (0..chunks).into_par_iter().find_map_first(|chunk| {
        if watch.cancelled() {
            return Some(Err(Error::Cancelled));
        }
        let so_far = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        watch.progress("positions", so_far * CHUNK, Some(size));
        (chunk * CHUNK..size.min((chunk + 1) * CHUNK)).find_map(check).map(Ok)
    });
    found.transpose()
}

/// The arena of all positions of some classes: Alice's win and Bob's, then the positions of each
/// class by number. Numbers without a position are draws.
///
/// Every class that a position can become must be there, in the same orientation.
///
/// # Errors
/// [`Error::Unsupported`] if a class is missing; [`Error::DeadEnd`] if a player has no move;
/// [`Error::TooManyPositions`]; [`Error::Cancelled`].
pub fn arena(indices: &[&ChessIndex], watch: &dyn Watch) -> Result<Arena, Error> {
    let mut firsts = HashMap::new();
    let mut first = 2;
    for index in indices {
        firsts.insert(index.class().clone(), (*index, first));
        first += index.size();
    }
    let node = |board: ChessBoard| -> Result<Node, Error> {
        let found =
            firsts.get(&ChessClass::of_board(&board)).map(|(index, first)| (first + index.rank(&board)) as Node);
        found.ok_or_else(|| {
            let what = format!("proving without the class of {}", board.notation());
            Error::unsupported(what, "classes together with those they become")
        })
    };
    let (mut builder, _) = ArenaBuilder::with_wins();
    for index in indices {
        add_class(&mut builder, index, first, node, watch)?;
    }
    builder.build(0)
}

/// The arena of one class, and the positions of other classes that it leads to. Its nodes are
/// Alice's win and Bob's, then the positions of the class by number, then the others as ends (see
/// [`PartClaim::known`](crate::verify::PartClaim::known)). Numbers without a position are draws.
///
/// # Errors
/// [`Error::DeadEnd`] if a player has no move; [`Error::TooManyPositions`]; [`Error::Cancelled`].
pub fn class_arena(index: &ChessIndex, watch: &dyn Watch) -> Result<(Arena, Vec<ChessBoard>), Error> {
    let first = 2 + index.size();
    let (mut others, mut numbers) = (Vec::new(), HashMap::new());
    let (mut builder, _) = ArenaBuilder::with_wins();
    let node = |board: ChessBoard| -> Result<Node, Error> {
        if ChessClass::of_board(&board) == *index.class() {
            return Ok((2 + index.rank(&board)) as Node);
        }
        Ok(*numbers.entry(board.canonical()).or_insert_with_key(|board| {
            others.push(*board);
            first as Node + others.len() as Node - 1
        }))
    };
    add_class(&mut builder, index, first, node, watch)?;
    for _ in &others {
        builder.terminal(Terminal::Draw);
    }
    Ok((builder.build(0)?, others))
}

/// Adds the positions of a class by number. `last` is the final number of nodes.
fn add_class(
    builder: &mut ArenaBuilder,
    index: &ChessIndex,
    last: u64,
    mut node: impl FnMut(ChessBoard) -> Result<Node, Error>,
    watch: &dyn Watch,
) -> Result<(), Error> {
    for rank in 0..index.size() {
        if rank % (1 << 10) == 0 {
            if watch.cancelled() {
                return Err(Error::Cancelled);
            }
            watch.progress("positions", builder.len() as u64, Some(last));
        }
        let Some(board) = index.unrank(rank) else {
            builder.terminal(Terminal::Draw);
            continue;
        };
        let plain = PlainBoard::of(&board);
        let mut moves = ByPlayer::new(Vec::new(), Vec::new());
        for player in Player::BOTH {
            let moves_to = |next: &PlainBoard| next.winner().map_or_else(|| node(next.board()), |won| Ok(won as Node));
            moves[player] = plain.moves(player).iter().map(moves_to).collect::<Result<_, _>>()?;
        }
        builder.position(&moves.alice, &moves.bob);
    }
    Ok(())
}
