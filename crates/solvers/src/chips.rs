//! Chips, Richman payment, sealed bids, the tie-breaking advantage.
//!
//! **Formula.** With the winner of a bid choosing who moves, and holdings counted in half-steps (2 x chips + star),
//!
//! ```text
//! threshold = ceil(low / 2) + floor(high / 2)
//! ```
//!
//! where `low` <= `high` are the two of: the least threshold that Alice can move to, the greatest that Bob can move to.
//!
//! **Source.** [DP10, Theorem 3.7], with one difference: there the correction looks at the star of Alice's best move even
//! in a zugzwang, where her threshold is the higher one, and gives a wrong threshold (the smallest arena where it does is
//! a test of this module). `docs/design.md` has the proof of the formula above, and that one of the players can always
//! enforce their side of it with a sealed bid. With the winner of the bid obliged to move there is no order of all
//! holdings; see [`local::moves`].
//!
//! **Accepts** every finite arena: cycles, zugzwang, dead loops, unreachable wins.
//!
//! **Stops** after each acyclic position was evaluated once and, on cycles, when no value changes: win thresholds fall
//! from "unreachable" and draw thresholds rise from 0, so both reach the extreme solution of the equations, which is the one
//! that allows only wins in finitely many moves. **Result:** exact.
//!
//! **Time and memory.** [`table`]: moves x totals operations on acyclic arenas, in vectors of 16-bit integers; on cycles
//! times the number of changes, at most 2 x total + 2 a position. [`solve`]: the same for one total, and one entry of
//! 16 bytes for each change; without cycles every position is visited once, and takes a turn for every number of moves
//! at which one of the next positions changes.
//!
//! **Checked by** the oracle in `richman-check`, which plays out bids, ties and moves, and by the verifier.
//!
//! ```
//! use richman_core::{ArenaBuilder, Effort, Mechanism, Player, Terminal, Total};
//! use richman_solvers::{chips};
//!
//! // E: whoever moves wins [DP10, Example 3.8]
//! let mut arena = ArenaBuilder::new();
//! let alice = arena.terminal(Terminal::Win(Player::Alice));
//! let bob = arena.terminal(Terminal::Win(Player::Bob));
//! let start = arena.position(&[alice, bob], &[alice, bob]);
//! let arena = arena.build(start)?;
//! let totals = Total::new(0)?..=Total::new(3)?;
//! let table = chips::table(&arena, &Mechanism::default(), totals, &Effort::default())?;
//! let thresholds: Vec<String> = table.iter().map(|row| row.win.to_string()).collect();
//! assert_eq!(thresholds, ["0*", "1", "1*", "2"]);
//! # Ok::<(), richman_core::Error>(())
//! ```

pub mod local;
mod solve;
mod sweep;

pub use solve::solve;
pub use sweep::table;
