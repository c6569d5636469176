//! Proofs of databases of boards, region by region, from the rules and the contents of other units.

use std::sync::Arc;

use richman_check::regions::{RegionClaims, RegionFault, RegionStake, check_region};
use richman_core::{ByPlayer, Effort, Error as CoreError, Walk};
use richman_files::ObjectStore;
use richman_lines::engine::database::{Answers, BoardDatabases};
use richman_lines::engine::units::UnitReader;
use richman_lines::engine::{BoardStake, ROUNDED_BITS};

use super::{DatabaseEntry, ProvedPart};
use crate::Error;

pub use richman_lines::engine::database::{SharedBuild, UnitJob, UnitState, UnitWork};
pub use richman_lines::engine::units::UnitId;

/// Databases of boards.
pub(super) const ENTRY: DatabaseEntry = DatabaseEntry { kind: &BoardDatabases, prove };

struct UnitClaims<'a>(UnitReader<'a>);

impl RegionClaims for UnitClaims<'_> {
    fn block(&self, fixed: ByPlayer<u64>, shape: u64) -> Result<Option<Vec<u64>>, CoreError> {
        self.0.block(fixed, shape)
    }
}

/// Computes every number of the board by the rules of the game, region by region from the claims of
/// other regions, and compares it with the unit's number, if any.
fn prove(
    store: &Arc<dyn ObjectStore>,
    start: &dyn Walk,
    effort: &Effort,
    _: &mut Vec<ProvedPart>,
) -> Result<Option<String>, Error> {
    let database = Answers::open(store, start, effort)?;
    let room = database.units().room();
    let cut = database.units().cut();
    let question = cut.question();
    let stake = match &question.stake {
        BoardStake::Money => RegionStake::Money,
        BoardStake::Chips(totals) => RegionStake::Chips(totals),
        BoardStake::Rounded(leaves) => RegionStake::Bounds { bits: ROUNDED_BITS, leaves: *leaves },
    };
    let effort = Effort { held: effort.held + 2 * room, ..*effort };
    let claims = UnitClaims(UnitReader::new(cut, database.units(), room, effort));
    let all = cut.most_regions();
    for (number, region) in (0..).zip(cut.regions()) {
        effort.watch.progress("parts of the board proved", number, Some(all));
        let fault = check_region(&question.board, stake, region, &claims, &effort)?;
        if let Some(RegionFault { stones, lane, claimed, should_be }) = fault {
            let file = cut.holder(stones).map_or_else(String::new, |unit| unit.file_name());
            return Ok(Some(format!(
                "{}: with Alice's stones on the cells {:#x} and Bob's on {:#x}, value {lane}: {claimed}, and it should \
                 be {should_be}",
                store.at(&file).display(),
                stones.alice,
                stones.bob
            )));
        }
    }
    Ok(None)
}
