//! Builds a graph whose objective becomes known as its file is read.

use richman_core::{Aim, BuiltMove, ByPlayer, GraphBuilder, MoveName, Probability, WinLose, of_every_objective};

use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::labels::FileLabel;
use crate::objectives::{FileObjective, ReadPosition, Signs, StatedObjective, with_objective};
use crate::reading::Reading;

fn add<L: FileObjective>(builder: &mut GraphBuilder<L>, read: &ReadPosition) {
    let chances = ByPlayer::new(read.chances, &[][..]);
    let moves = ByPlayer::from_fn(|player| {
        read.moves[player].iter().enumerate().map(move |(at, &BuiltMove { to, name, label })| {
            let chance = chances[player].get(at).copied().unwrap_or(Probability::ONE);
            BuiltMove { to, name, label: L::Move::of(label, chance) }
        })
    });
    builder.position(read.name, L::read(&read.data), moves);
}

/// The same positions, so far those of a win-lose game, with the labels of another objective.
fn relabelled<L: FileObjective>(builder: GraphBuilder) -> GraphBuilder<L> {
    builder.relabelled(|data| L::read(&WinLose::written(data)), |()| L::Move::of(0, Probability::ONE))
}

macro_rules! builder_of_any {
    ([] $($(#[$doc:meta])* $name:ident: $objective:ty,)*) => {
        enum BuilderOfAny {
            $($(#[$doc])* $name(GraphBuilder<$objective>),)*
        }

        impl BuilderOfAny {
            fn relabelled(builder: GraphBuilder, aim: Aim) -> BuilderOfAny {
                match aim {
                    $(Aim::$name => BuilderOfAny::$name(relabelled(builder)),)*
                }
            }
        }

        fn relabelling_bytes(builder: &GraphBuilder, aim: Aim) -> u64 {
            match aim {
                $(Aim::$name => builder.relabelling_bytes::<$objective>(),)*
            }
        }
    };
}
of_every_objective!(builder_of_any);

/// The same code for a builder with any objective.
macro_rules! of_builder {
    ([$any:expr, $builder:ident => $code:expr] $($(#[$doc:meta])* $name:ident: $objective:ty,)*) => {
        match $any {
            $(BuilderOfAny::$name($builder) => $code,)*
        }
    };
    ($any:expr, $builder:ident => $code:expr) => {
        of_every_objective!(of_builder, $any, $builder => $code)
    };
}

/// The positions and moves read so far, with the labels of the objective known so far.
pub(crate) struct AnyBuilder {
    signs: Signs,
    builder: BuilderOfAny,
}

impl AnyBuilder {
    /// Adds positions to `builder`, for the objective `objective` if it is stated.
    pub(crate) fn new(builder: GraphBuilder, objective: Option<StatedObjective>) -> AnyBuilder {
        AnyBuilder { signs: Signs::for_objective(objective), builder: BuilderOfAny::Win(builder) }
    }

    /// The objective, if it is stated.
    pub(crate) fn objective(&self) -> Option<StatedObjective> {
        self.signs.objective
    }

    /// States the objective, before the first position.
    pub(crate) fn state_objective(&mut self, objective: StatedObjective) {
        self.signs.objective = Some(objective);
    }

    /// The number of a name; equal names get equal numbers.
    pub(crate) fn name(&mut self, name: &str) -> u32 {
        of_builder!(&mut self.builder, builder => builder.name(name))
    }

    /// The number of a move's own name; equal names get equal numbers.
    pub(crate) fn move_name(&mut self, name: &str) -> MoveName {
        of_builder!(&mut self.builder, builder => builder.move_name(name))
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        of_builder!(&self.builder, builder => builder.bytes())
    }

    /// Bytes held while the graph is built.
    pub(crate) fn building_bytes(&self) -> u64 {
        of_builder!(&self.builder, builder => builder.building_bytes())
    }

    /// Adds a position. If it reveals the objective, earlier positions are relabelled; `check`
    /// first checks the memory for that.
    pub(crate) fn position(
        &mut self,
        read: &ReadPosition,
        check: impl FnOnce(u64) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        self.signs.see(read);
        let (aim, objective) = (self.signs.aim(), self.objective());
        let mut read = *read;
        if let Some(objective) = objective {
            read.data.priority = Some(objective.priority(read.data.priority, read.is_target));
        }
        if let BuilderOfAny::Win(builder) = &mut self.builder
            && aim != Aim::default()
        {
            check(relabelling_bytes(builder, aim))?;
            self.builder = BuilderOfAny::relabelled(std::mem::take(builder), aim);
        }
        of_builder!(&mut self.builder, builder => add(builder, &read));
        Ok(())
    }

    /// The game over the positions that starts at `start`.
    ///
    /// # Errors
    /// The errors of [`Signs::decided`], if signs contradict each other or a target is missing;
    /// [`FormatError::NotAGame`]; [`FormatError::Stopped`] if a credit makes the game too large.
    pub(crate) fn graph(
        mut self,
        (name, start): (&str, &str),
        description: Option<String>,
        file: &str,
        reading: &Reading,
    ) -> Result<AnyGraph, FormatError> {
        let objective = self.objective();
        let text = |name| of_builder!(&self.builder, builder => builder.text(name)).into_owned();
        self.signs.decided(file, text)?;
        if objective.is_some() {
            of_builder!(&mut self.builder, builder => FileObjective::simplify(builder));
        }
        let built = of_builder!(self.builder, builder => {
            builder.build(name, start).map(|graph| AnyGraph::from(graph.described(description)))
        });
        with_objective(built.map_err(FormatError::not_a_game(file))?, objective, file, reading)
    }
}
