//! The ways to answer a question about chess.

use std::time::Duration;

use richman_core::{BuildStep, Error, RecipeStake, Remedy};
use richman_engine::{Cost, EngineRequest, Evaluation, Grade, Offer, Origin, SolvedPosition, Way, from_folder};

use super::database::Endgames;
use super::database::chips::{self, ChipEndgames};
use super::database::files;
use super::endgames::MOST_EXACT_PIECES;
use super::estimate::{estimate, large_board};
use super::position::{self, offer, solve};
use crate::board::{ChessBoard, ChessClass};

/// Every position of a class of pieces, and of the classes it can become.
pub(super) struct ReachableClasses;

impl Way for ReachableClasses {
    fn name(&self) -> &'static str {
        "all positions of these pieces"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        asked.is_money()?;
        let (_, plan) = offer(asked.walk, asked.mechanism)
            .ok_or("only endgames of chess with four or five pieces and the default rules of bidding")?;
        // If best play leads to few positions, the answer is exact. If required exactness fails,
        // the error says so.
        let grade = if asked.is_exact() { Grade::Exact } else { Grade::Bounds };
        let cost = Cost::About { time: Duration::from_secs(plan.seconds), memory: Some(plan.memory) };
        Ok(Offer { grade, cost })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        solve(asked.walk, asked.mechanism, &asked.effort)
    }
}

pub(super) struct WaySearch;

impl Way for WaySearch {
    fn name(&self) -> &'static str {
        "a search some moves ahead"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        asked.is_money()?;
        large_board(asked.walk, asked.mechanism)
            .ok_or("only chess with too many pieces to solve, where bids go to the other player")?;
        Ok(Offer { grade: Grade::Estimate, cost: Cost::Anytime })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        Ok(estimate(asked.walk, asked.mechanism, &asked.effort))
    }
}

pub(super) struct StoredClasses;

impl Way for StoredClasses {
    fn name(&self) -> &'static str {
        "a database of classes of pieces"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        let serves = if asked.total.is_some() { chips::serves } else { position::serves };
        let board = asked.walk.board::<ChessBoard>().filter(|_| serves(asked.mechanism));
        let board = board.ok_or("only chess with the default rules of bidding")?;
        let few = ChessClass::of_board(&board).pieces() <= MOST_EXACT_PIECES;
        let cost = if few { Cost::About { time: Duration::ZERO, memory: None } } else { Cost::Unknown };
        Ok(Offer { grade: if few || asked.is_exact() { Grade::Exact } else { Grade::Bounds }, cost })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        let Some(folder) = asked.database.filter(|_| asked.total.is_none()) else { return Ok(None) };
        let classes = Endgames::open(folder)?;
        classes.map_or(Ok(None), |classes| classes.evaluate(asked.walk, &asked.effort))
    }

    fn solved<'a>(&self, asked: &EngineRequest<'a>) -> Result<Option<SolvedPosition<'a>>, Error> {
        let Some((folder, total)) = asked.database.zip(asked.total) else { return Ok(None) };
        let Some(class) = chips::class(asked.walk)? else { return Ok(None) };
        let Some(classes) = ChipEndgames::open(folder)? else {
            let what = format!("{} is not a database of chess with chips", folder.display());
            let recipe = files::recipe(&class, RecipeStake::Chips(Some(total)));
            return Err(Error::Missing { what, remedies: vec![Remedy::Build(BuildStep::Begin, recipe)] });
        };
        let Some((around, solution)) = classes.around(asked.walk, total)? else { return Ok(None) };
        let origin = Origin::exact(from_folder(folder), around.class_positions);
        Ok(Some(SolvedPosition { unfolding: Box::new(around), solution, origin }))
    }

    fn looks_up(&self) -> bool {
        true
    }
}
