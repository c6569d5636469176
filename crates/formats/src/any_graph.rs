//! A game from a file, with any objective.

use std::any::Any;

use richman_core::{Aim, LabelledGraph, Objective, Playable, of_every_objective};

use crate::error::FormatError;

macro_rules! any_graph {
    ([] $($(#[$doc:meta])* $name:ident: $objective:ty,)*) => {
        /// The graph of a game file of any kind.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum AnyGraph {
            $($(#[$doc])* $name(LabelledGraph<$objective>),)*
        }

        $(impl From<LabelledGraph<$objective>> for AnyGraph {
            fn from(graph: LabelledGraph<$objective>) -> AnyGraph {
                AnyGraph::$name(graph)
            }
        })*
    };
}
of_every_objective!(any_graph);

/// The same code for the graph in an [`AnyGraph`] of any objective.
///
/// ```
/// use richman_core::Effort;
/// use richman_formats::{Reading, of_any, read_game};
/// let mut text = &b"parity 1; 0 2 0 1; 1 1 1 0,1;"[..];
/// let game = read_game("two.gm", &mut text, &Reading::within(Effort::default()))?;
/// assert_eq!(of_any!(&game, graph => graph.len()), 2);
/// # Ok::<(), richman_formats::FormatError>(())
/// ```
#[macro_export]
macro_rules! of_any {
    ([$any:expr, $graph:ident => $code:expr] $($(#[$doc:meta])* $name:ident: $objective:ty,)*) => {
        match $any {
            $($crate::AnyGraph::$name($graph) => $code,)*
        }
    };
    ($any:expr, $graph:ident => $code:expr) => {
        $crate::of_every_objective!($crate::of_any, $any, $graph => $code)
    };
}
pub(crate) use of_any;

impl AnyGraph {
    /// The number of positions.
    pub fn positions(&self) -> u64 {
        of_any!(self, graph => graph.len().into())
    }

    /// The objective of the game.
    pub fn aim(&self) -> Aim {
        fn aim<L: Playable>(_: &LabelledGraph<L>) -> Aim {
            L::AIM
        }
        of_any!(self, graph => aim(graph))
    }

    /// The game, if it has the objective `L`; `source` is the name of the file.
    ///
    /// # Errors
    /// [`FormatError::OtherAim`] if it has another objective.
    pub fn played_for<L: Objective>(self, source: &str) -> Result<LabelledGraph<L>, FormatError> {
        let aim = self.aim();
        let graph: Box<dyn Any> = of_any!(self, graph => Box::new(graph));
        graph.downcast().map(|graph| *graph).map_err(|_| FormatError::OtherAim { file: source.to_string(), aim })
    }
}
