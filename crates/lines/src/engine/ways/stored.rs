//! Answers from a database of the board.

use std::time::Duration;

use richman_core::{Effort, Error};
use richman_engine::{Cost, EngineRequest, Evaluation, Grade, Offer, Way, from_folder};
use richman_files::open_store;

use super::LINES_ONLY;
use crate::engine::NeedBounds;
use crate::engine::database::Answers;
use crate::engine::deepen::join;
use crate::engine::needs::board;

pub(crate) struct StoredUnits;

impl Way for StoredUnits {
    fn name(&self) -> &'static str {
        "a database of the board"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        board(asked.walk, asked.mechanism, asked.total.is_some()).ok_or(LINES_ONLY)?;
        Ok(Offer { grade: Grade::Exact, cost: Cost::About { time: Duration::ZERO, memory: None } })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        let Some(folder) = asked.database else { return Ok(None) };
        let until = asked.effort.until();
        let effort = Effort { watch: &until, ..asked.effort };
        let answers = Answers::open(&open_store(folder)?, asked.walk, &effort)?;
        let Some(needs) = answers.needs(asked.walk, asked.total, &effort)? else { return Ok(None) };
        let refused = |what: &str| Error::Storage { what: format!("{} {what}", folder.display()) };
        match answers.depth(asked.walk) {
            Some(_) if asked.is_exact() => Err(refused("has bounds, and no exact thresholds")),
            Some(depth) => {
                let bounds = NeedBounds { here: needs.here, after: needs.after, depth };
                join(asked.walk, bounds, needs.positions, asked.bounds, folder)
            }
            None if asked.bounds.is_some() => Err(refused("is exact, and adds no bounds to a file")),
            None => Ok(Some(needs.evaluation(asked.total, from_folder(folder)))),
        }
    }

    /// Bounds of a database are joined with those of the file.
    fn resumes(&self) -> bool {
        true
    }

    fn looks_up(&self) -> bool {
        true
    }
}
