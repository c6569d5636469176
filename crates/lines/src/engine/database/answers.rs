//! Looks up answers in databases.

use std::sync::Arc;

use richman_core::{Effort, Error, Total, Walk};
use richman_files::ObjectStore;
use richman_formats::Database;

use super::{UnitStore, check_game, opened};
use crate::board::LinePosition;
use crate::engine::needs::{PositionNeeds, moves};
use crate::engine::units::ComputedUnits;
use crate::engine::{BoardPlan, BoardStake};

/// The most bytes of packed units in memory.
const ROOM: u64 = 32 << 20;

/// A database open for queries.
pub struct Answers {
    about: Database,
    units: UnitStore,
    computed: ComputedUnits,
}

richman_core::debug_by_name!(Answers {});

impl Answers {
    /// Opens the database in a store; `walk` is at any position of its game.
    ///
    /// # Errors
    /// [`Error::Storage`] if there is no database, or one of another game; [`Error::Unsupported`]
    /// for games that are not boards of lines.
    pub fn open(store: &Arc<dyn ObjectStore>, walk: &dyn Walk, effort: &Effort<'_>) -> Result<Answers, Error> {
        let about = Database::open(store.as_ref())?;
        let cut = opened(&about, store.as_ref(), walk)?;
        let room = (effort.memory_left() / 8).min(ROOM);
        Ok(Answers { about, units: UnitStore::new(store, Arc::new(cut), room), computed: ComputedUnits::default() })
    }

    /// Its units.
    pub fn units(&self) -> &UnitStore {
        &self.units
    }

    /// The number of further stones at which lines gave the bounds; `None` if needs are exact.
    pub fn depth(&self, walk: &dyn Walk) -> Option<u32> {
        let BoardStake::Rounded(leaves) = self.units.cut().question().stake else { return None };
        let stones = walk.board::<LinePosition>().map_or(0, |at| (at.stones[0] | at.stones[1]).count_ones());
        Some(leaves.saturating_sub(stones))
    }

    /// The needs at a position and after every move, with a total or real money; upper and lower
    /// bounds if [`Answers::depth`] is known. `None` if the game is over.
    ///
    /// # Errors
    /// [`Error::Storage`] for another game, a stake that the database lacks, or units that are
    /// missing or damaged; [`Error::TooMuchMemory`]; [`Error::Cancelled`].
    pub fn needs(
        &self,
        walk: &dyn Walk,
        total: Option<Total>,
        effort: &Effort<'_>,
    ) -> Result<Option<PositionNeeds>, Error> {
        let cut = self.units.cut();
        let lane = match (&cut.question().stake, total) {
            (BoardStake::Money | BoardStake::Rounded(_), None) => Some(0),
            (BoardStake::Chips(totals), Some(total)) => totals.iter().position(|known| *known == total),
            _ => None,
        };
        let lane = lane.ok_or_else(|| self.about.has_not(self.units.store().place(), total))?;
        check_game(&self.about, self.units.store(), walk)?;
        let at = walk.board::<LinePosition>().filter(|_| walk.end().is_none());
        let Some(LinePosition { stones, .. }) = at else { return Ok(None) };
        if !self.about.keeps_all() && stones != [0, 0] {
            let place = self.units.store().place().display();
            return Err(Error::Storage { what: format!("{place} keeps only the answer at the start") });
        }
        if let (Some(0), BoardStake::Rounded(leaves)) = (self.depth(walk), &cut.question().stake) {
            let place = self.units.store().place().display();
            return Err(Error::Storage {
                what: format!("{place} has bounds of positions with fewer than {leaves} stones"),
            });
        }
        let positions = u64::try_from(BoardPlan::of(cut.question())?.positions()).unwrap_or(u64::MAX);
        let cells = moves(walk, stones);
        let effort = Effort { held: effort.held + self.units.room(), ..*effort };
        // On an empty board exchanging the players changes nothing.
        let number = |stones: [u64; 2]| cut.need(stones, lane, &self.units, &self.computed, &effort);
        PositionNeeds::found(cut.question(), lane, stones, &cells, positions, [&number, &number]).map(Some)
    }
}
