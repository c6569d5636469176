//! Chess endgames in real money: every position of a class, after the classes it can become.
//!
//! **Formula.** A player's chance to win random-turn play from v is x(v) = (best own move + worst
//! move of the other player) / 2, where a move that takes the other king counts 1. Alice wins with
//! more than one minus her chance; Bob wins if she has less than his chance.
//!
//! **Source.** [DP10, 3.3]; the certificate of bounds is theorem 22 (bounds that prove themselves)
//! of `docs/design.md`.
//!
//! **Accepts** classes with a [`ChessIndex`]; those of up to three pieces exactly, all by bounds.
//!
//! **Result:** exact shares, proved as in [`richman_solvers::money`]; or, for each player, a lower
//! bound on the chance that proves itself: it charges at least 2^-62 per move, so a player who
//! keeps to it wins after finitely many moves.
//!
//! **Time and memory.** Bounds: [`memory`]. Exact: some 200 bytes per position, and those of
//! [`richman_solvers::money`].
//!
//! **Checked by** the exact solver on three pieces, by `richman_check::endgames`, and by
//! exchanging the colours.

use std::collections::BTreeMap;

use crate::board::{ChessBoard, ChessClass, ChessIndex, Piece};
use rayon::prelude::*;
use richman_core::{ByPlayer, Effort, Error, Player};

use bounds::ClassChance;
use graph::Graph;

pub mod best_play;
mod bounds;
mod exact;
mod graph;

pub use exact::{ExactClasses, NumberedClasses, arena, exact};

/// Classes with at most this many pieces are solved exactly, all together.
pub const MOST_EXACT_PIECES: usize = 3;

/// The unit of chances: 2^62 is certainty.
pub const FIXED_POINT_UNIT: u64 = 1 << 62;

/// The bounds of a class: for each position, by number, lower bounds on both players' chances, in
/// units of 2^-62.
#[derive(Debug, Clone)]
pub struct ClassChances {
    /// The numbering.
    pub index: ChessIndex,
    /// Alice's chances to win, and Bob's; 0 if a number stands for no position.
    pub chances: ByPlayer<Vec<u64>>,
    /// Their chances not to lose, if the chances to win sum to too little.
    pub holds: Option<ByPlayer<Vec<u64>>>,
}

impl ClassChances {
    /// All positions with their numbers.
    pub fn positions(&self) -> impl Iterator<Item = (u64, ChessBoard)> {
        (0..self.index.size()).filter_map(|rank| Some((rank, self.index.unrank(rank)?)))
    }

    /// The arrays of chances by position: Alice's to win, Bob's to win, then any not to lose.
    pub fn lanes(&self) -> Vec<&[u64]> {
        self.chances.iter().chain(self.holds.iter().flat_map(ByPlayer::iter)).map(Vec::as_slice).collect()
    }

    /// Whether at some position the thresholds to win and to draw provably differ, so that both can
    /// draw with shares between them.
    pub fn has_draws(&self) -> bool {
        let Some(ByPlayer { alice, bob }) = &self.holds else { return false };
        alice.iter().zip(bob).any(|(alice, bob)| alice.saturating_add(*bob) > FIXED_POINT_UNIT)
    }

    /// The greatest width of the bounds on a threshold, in units of 2^-62.
    pub fn width(&self) -> u64 {
        let holds = self.holds.as_ref().unwrap_or(&self.chances);
        let distance = |player: Player, at: usize| {
            FIXED_POINT_UNIT.saturating_sub(self.chances[player][at].saturating_add(holds[player.other()][at]))
        };
        let width = |at: usize| distance(Player::Alice, at).max(distance(Player::Bob, at));
        self.positions().map(|(rank, _)| width(rank as usize)).max().unwrap_or(0)
    }
}

/// Lower bounds on the chances of Alice and Bob, in units of 2^-62.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChanceBounds {
    /// To win.
    pub wins: ByPlayer<u64>,
    /// Not to lose.
    pub holds: ByPlayer<u64>,
}

impl ChanceBounds {
    /// The bounds of a game that is over.
    pub fn won_by(player: Player) -> ChanceBounds {
        let chances = ByPlayer::from_fn(|other| if other == player { FIXED_POINT_UNIT } else { 0 });
        ChanceBounds { wins: chances, holds: chances }
    }

    /// With the players exchanged.
    pub fn exchanged(self) -> ChanceBounds {
        ChanceBounds { wins: self.wins.swapped(), holds: self.holds.swapped() }
    }

    /// The bounds on a player's chance to win: lower, then upper.
    pub fn of(&self, player: Player) -> [u64; 2] {
        [self.wins[player], FIXED_POINT_UNIT.saturating_sub(self.holds[player.other()])]
    }
}

/// The class as stored, with the stronger player as Alice, and whether the players were exchanged.
pub fn oriented(class: &ChessClass) -> (ChessClass, bool) {
    let strength = |player| {
        let pieces = class.of(player);
        (pieces.len(), pieces.to_vec())
    };
    if strength(Player::Alice) >= strength(Player::Bob) { (class.clone(), false) } else { (class.exchanged(), true) }
}

/// A class and all that it can become by captures and promotions, oriented, each after those it can
/// become.
pub fn needed(class: &ChessClass) -> Vec<ChessClass> {
    let mut found = std::collections::BTreeSet::new();
    let mut todo = vec![oriented(class).0];
    while let Some(class) = todo.pop() {
        if found.insert(class.clone()) {
            todo.extend(class.next().into_iter().map(|next| oriented(&next).0));
        }
    }
    let mut order: Vec<ChessClass> = found.into_iter().collect();
    order.sort_by_key(|class| (class.pieces(), class.pawns()));
    order
}

/// Bounds of several classes.
#[derive(Debug, Default)]
pub struct Tables {
    tables: BTreeMap<ChessClass, ClassChances>,
}

impl Tables {
    /// Adds a class's bounds.
    pub fn insert(&mut self, chances: ClassChances) {
        self.tables.insert(chances.index.class().clone(), chances);
    }

    /// Drops the other classes.
    pub fn retain(&mut self, is_kept: impl Fn(&ChessClass) -> bool) {
        self.tables.retain(|class, _| is_kept(class));
    }

    /// Whether it has a class.
    pub fn has(&self, class: &ChessClass) -> bool {
        self.tables.contains_key(class)
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let lanes = |table: &ClassChances| if table.holds.is_some() { 4 } else { 2 };
        self.tables.values().map(|table| 8 * lanes(table) * table.index.size()).sum()
    }

    /// Both players' chances to win at a position with both kings; `None` if its class is missing.
    pub fn chances(&self, board: &ChessBoard) -> Option<ByPlayer<u64>> {
        self.numbers(board, |table| &table.chances)
    }

    /// Both players' chances not to lose there.
    pub fn holds(&self, board: &ChessBoard) -> Option<ByPlayer<u64>> {
        self.numbers(board, |table| table.holds.as_ref().unwrap_or(&table.chances))
    }

    /// All four chances.
    pub fn bounds(&self, board: &ChessBoard) -> Option<ChanceBounds> {
        Some(ChanceBounds { wins: self.chances(board)?, holds: self.holds(board)? })
    }

    fn numbers(
        &self,
        board: &ChessBoard,
        lanes: impl Fn(&ClassChances) -> &ByPlayer<Vec<u64>>,
    ) -> Option<ByPlayer<u64>> {
        let (class, exchanged) = oriented(&ChessClass::of_board(board));
        let table = self.tables.get(&class)?;
        let of = |board: &ChessBoard| {
            let rank = table.index.rank(board) as usize;
            lanes(table).as_ref().map(|lane| lane[rank])
        };
        Some(if exchanged { of(&board.exchanged()).swapped() } else { of(board) })
    }
}

/// Bytes for solving a class, without other tables: about forty moves per position, held twice
/// while collected.
pub fn memory(index: &ChessIndex) -> u64 {
    index.size().saturating_mul(2 * 40 * 4 + 210)
}

/// Lower bounds on both players' chances at every position of a class, from the tables of the
/// classes it can become.
///
/// # Errors
/// [`Error::Unsupported`] if one of those is missing, or for 2^32 moves of a player or more;
/// [`Error::DeadEnd`] if a player has no move; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn solve(index: ChessIndex, known: &Tables, effort: &Effort) -> Result<ClassChances, Error> {
    /// If somewhere the chances to win add up to less than certainty by more than this, play can
    /// last forever.
    const DRAWN: u64 = 1 << 22;
    let class = index.class();
    let graph = Graph::new(&index, &|board| known.chances(board), known.bytes(), effort)?;
    let win = |player| ClassChance::win(&graph, player, effort);
    let wins = if *class == class.exchanged() {
        // Exchanging the players does not change the class.
        let exchanged = |rank: u64| index.unrank(rank).map_or(rank, |board| index.rank(&board.exchanged())) as u32;
        let to: Vec<u32> = (0..index.size()).into_par_iter().map(exchanged).collect();
        let alice = win(Player::Alice)?;
        let bob = alice.exchanged(&to);
        ByPlayer { alice, bob }
    } else {
        both(win)?
    };
    drop(graph);
    let mut chances =
        ClassChances { chances: wins.as_ref().map(|found| found.x.clone()), holds: None, index: index.clone() };
    if chances.width() > DRAWN {
        let graph = Graph::new(&index, &|board| known.holds(board), known.bytes(), effort)?;
        chances.holds = Some(both(|player| ClassChance::hold(&graph, player, &wins[player.other()], effort))?);
    }
    Ok(chances)
}

fn both<T: Send>(find: impl Fn(Player) -> Result<T, Error> + Sync) -> Result<ByPlayer<T>, Error> {
    let (alice, bob) = rayon::join(|| find(Player::Alice), || find(Player::Bob));
    Ok(ByPlayer::new(alice?, bob?))
}

/// Whether a position is in [`of_three`]: at most three pieces, whose placement determines it.
pub fn is_few(board: &ChessBoard) -> bool {
    board.occupied().count_ones() as usize <= MOST_EXACT_PIECES
        && !board.has_castling()
        && board.passed().is_none()
        && board.winner().is_none()
}

/// All classes of up to three pieces on a board of `row` x `row` squares: some seconds at most.
///
/// # Errors
/// [`Error::Unsupported`] for a size without a numbering; [`Error::DeadEnd`] if a player has no
/// move; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn of_three(row: u8, effort: &Effort) -> Result<Tables, Error> {
    let mut tables = Tables::default();
    for class in ["KK", "KNK", "KBK", "KRK", "KQK", "KPK"]
        .into_iter()
        .filter_map(|name| ChessClass::parse(name, MOST_EXACT_PIECES))
    {
        let chances = solve(index(&class, row)?, &tables, effort)?;
        tables.insert(chances);
    }
    Ok(tables)
}

/// The numbering of a class that is served, on a board of `row` x `row` squares.
///
/// # Errors
/// [`Error::Unsupported`] for classes without a numbering, and for pawns of both players, because
/// en passant would matter.
pub fn index(class: &ChessClass, row: u8) -> Result<ChessIndex, Error> {
    let both_have_pawns = Player::BOTH.into_iter().all(|player| class.of(player).contains(&Piece::Pawn));
    let index = if both_have_pawns { None } else { ChessIndex::new(class, row) };
    index.ok_or_else(|| unsupported(class))
}

fn without(next: &ChessBoard) -> Error {
    let what = format!("a class without that of {}", next.notation());
    Error::unsupported(what, "classes whose captures and promotions are known")
}

fn unsupported(class: &ChessClass) -> Error {
    let serves = "classes of up to five pieces, with pawns of one player at most and without three equal ones, \
                  such as KRK, KQKR or KRPK";
    Error::unsupported(format!("the class {class}"), serves)
}
