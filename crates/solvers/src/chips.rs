//! Chips with Richman payment and 0 among the bids.
//!
//! **Formula.** With the tie-breaking advantage, all bids, and the winner choosing who moves, in
//! half-steps (2 x chips + star),
//!
//! ```text
//! threshold = ceil(low / 2) + floor(high / 2)
//! ```
//!
//! where `low` <= `high` are, in order of size, the least threshold that Alice can move to and the
//! greatest that Bob can.
//!
//! **Source.** [DP10, Theorem 3.7], with one difference: its correction looks at the star of
//! Alice's best move even in a zugzwang, where her threshold is the higher one. That gives a wrong
//! threshold (a test of this module has the smallest such arena). `docs/design.md` proves the
//! formula above, and that one player can always enforce their side of it with a sealed bid. When
//! the winner must move, holdings are not totally ordered; see [`local::moves`]. For all other
//! mechanisms, see [`local::turn`].
//!
//! **Accepts** every finite arena, including cycles, zugzwang, dead loops and unreachable wins.
//!
//! **Stops** once every acyclic position is evaluated and no value on a cycle changes. Win
//! thresholds fall from "unreachable" and draw thresholds rise from 0. So both reach the extreme
//! solution of the equations, which allows only wins in finitely many moves. **Result:** exact.
//!
//! **Time and memory.** [`table`]: moves x totals operations on acyclic arenas, in vectors of
//! 16-bit integers; on cycles, times the number of changes, at most 2 x total + 2 per position.
//! [`solve`]: the same for one total, with 16 bytes per change. Without cycles it visits every
//! position once and evaluates it at every number of moves where a successor changes.
//!
//! **Checked by** the oracle and the verifier in `richman-check`.
//!
//! ```
//! use richman_core::{ArenaBuilder, Effort, Mechanism, Player, Terminal, Total};
//! use richman_solvers::{chips};
//!
//! // E: the first mover wins [DP10, Example 3.8]
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
