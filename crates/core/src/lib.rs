//! The types that all crates share: players, holdings, shares, mechanisms, arenas, games,
//! solutions.
//!
//! This crate contains no file format, no thread and no particular game.

mod arena;
mod by_player;
mod chip_payoffs;
mod chip_solution;
mod choices;
mod common_shares;
mod components;
mod edges;
mod effort;
mod end_components;
mod error;
mod forces;
mod game;
mod goal;
mod graph;
mod graph_builder;
mod groups;
mod holding;
mod mechanism;
mod money_solution;
mod names;
mod near;
mod numbering;
mod numbers;
mod numeral;
mod objective;
mod player;
mod position_kind;
mod progress;
mod purse_solution;
mod rate;
mod remedy;
mod rule;
mod rule_solution;
mod scene;
mod score_solution;
mod scoring_arena;
mod selection;
mod share;
mod threshold;
mod turn;
mod unfold;
mod walk;
mod watch;

/// [`Debug`](std::fmt::Debug) for types that hold what has none, such as functions: their name, and
/// the fields that are listed.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_by_name {
    ($([$($generics:tt)*])? $name:ident $(<$($argument:tt),*>)? { $($field:ident),* }) => {
        impl<$($($generics)*)?> std::fmt::Debug for $name $(<$($argument),*>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($field), &self.$field))*.finish_non_exhaustive()
            }
        }
    };
}

pub use arena::{Arena, ArenaBuilder, LabelledArena, LabelledArenaBuilder, Node, ScoringArena, ScoringArenaBuilder};
pub use by_player::ByPlayer;
pub use chip_payoffs::{ChipCredits, ChipPayoffs, Configurations};
pub use chip_solution::{ChipSide, ChipSolution, Stage};
pub use choices::MechanismChoices;
pub use common_shares::CommonShares;
pub use components::Components;
pub use edges::GraphEdge;
pub use effort::{Effort, Exactness};
pub use end_components::{EndComponent, end_components};
pub use error::{Error, counted, excerpt, shortened};
pub use forces::{Forces, Rank};
pub use game::{ArenaSize, Game, PerfectIndex};
pub use goal::Goal;
pub use graph::{
    Graph, GraphError, GraphMove, GraphPosition, LabelledGraph, MeanPayoffGraph, NumberedMove, ParityGraph,
    ScoringGraph, StochasticGraph,
};
pub use graph_builder::{BuiltMove, GraphBuilder, MoveName};
pub use groups::Groups;
pub use holding::{Holding, MAX_TOTAL, Total};
pub use mechanism::{Bidding, Bids, Mechanism, Payment, Preset, ResolvedBid, Right, StarUse, Ties, higher_bid};
pub use money_solution::{MoneySolution, ShareBounds, Shares};
pub use near::{did_you_mean, nearest, one_of};
pub use numbers::{LayerSink, Number, NumberSlice, Numbers, StoredLayer};
pub use numeral::whole;
pub use objective::*;
pub use player::{Outcome, Player};
pub use position_kind::PositionKind;
pub use progress::{bytes_for_progress, progress, progresses};
pub use purse_solution::{PurseCell, PurseSide, PurseSolution, PurseStage, Purses};
pub use rate::Rate;
pub use remedy::{AskedQuestion, BuildStep, Choice, DatabaseRecipe, RecipeStake, Remedy, with_remedies};
pub use rule::{Difference, MAX_RULE, Rule};
pub use rule_solution::{RuleSide, RuleSolution};
pub use scene::{Mark, MarkRole, MarkShape, Scene};
pub use score_solution::{Score, ScoreSolution, ScoreState};
pub use selection::{CellSet, Payoffs, Selection, cells, subsets};
pub use share::Share;
pub use threshold::{StopReason, Threshold, Thresholds};
pub use turn::{Acceptance, BidEnd, BidResult, Turn, partition, ranges};
pub use unfold::{Move, Step, Unfolded, Unfolding, unfold};
pub use walk::{End, Structure, Walk, Walker};
pub use watch::{Overall, PacedWatch, TimedWatch, Unwatched, Watch};

/// A moment of the clock of the system, or in a browser of its own clock.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use std::time::Instant;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use web_time::Instant;
