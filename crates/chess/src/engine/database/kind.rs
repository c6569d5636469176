//! Classes of pieces as a kind of database, in real money and with chips.

use std::sync::Arc;

use richman_core::{Effort, Error, Walk};
use richman_files::{ObjectStore, folder};
use richman_formats::database::{BuildOrder, DatabaseKind, ReportRow, RowSchemas, TableColumn, size, time};
use richman_formats::{Database, DatabaseStake};
use schemars::SchemaGenerator;

use super::chips::{self, TotalReport};
use super::files::expected;
use super::survey::{COLUMNS, Survey};
use super::{Build, ClassPlan, ClassReport, Endgames, build, class, plan};
use crate::board::ChessBoard;

/// Databases of endgame classes.
#[derive(Debug)]
pub struct ClassDatabases;

impl DatabaseKind for ClassDatabases {
    fn serves(&self, walk: &dyn Walk) -> bool {
        walk.board::<ChessBoard>().is_some()
    }

    fn games(&self) -> &'static str {
        "endgames of chess, such as chess:pieces=KQK"
    }

    fn schemas(&self, of: &mut SchemaGenerator) -> RowSchemas {
        RowSchemas {
            plans: vec![of.subschema_for::<ClassPlan>()],
            parts: vec![of.subschema_for::<ClassReport>(), of.subschema_for::<TotalReport>()],
            surveys: vec![of.subschema_for::<Survey>()],
        }
    }

    fn plan(&self, order: &BuildOrder) -> Result<ReportRow, Error> {
        let class = class(order.start)?;
        let plan = match order.stake {
            DatabaseStake::Money => plan(&class)?,
            DatabaseStake::Chips(totals) => chips::plan(&class, totals)?,
            DatabaseStake::Bounds(_) => return Err(bounds()),
        };
        let words = format!(
            "{class}: {} positions in {}; about {} on two cores, {} on the disk, and {} of memory\n",
            plan.positions,
            plan.classes.join(", "),
            time(plan.seconds),
            size(plan.disk),
            size(plan.memory)
        );
        Ok(ReportRow::new(&plan, words))
    }

    fn build(&self, order: &BuildOrder, each: &mut dyn FnMut(ReportRow)) -> Result<String, Error> {
        let &BuildOrder { store, disk, effort, .. } = order;
        let task = Build { class: &class(order.start)?, store, disk, effort };
        match order.stake {
            DatabaseStake::Money => build(&task, each)?,
            DatabaseStake::Chips(totals) => chips::build(&task, totals, each)?,
            DatabaseStake::Bounds(_) => return Err(bounds()),
        }
        Ok(String::new())
    }

    fn files(&self, store: &Arc<dyn ObjectStore>, _: &dyn Walk) -> Result<Vec<String>, Error> {
        Ok(expected(folder(store.as_ref())?, &Database::open(store.as_ref())?)?.into_iter().collect())
    }

    fn game_of_file(&self, _: &str, file: &str) -> String {
        format!("chess:pieces={}", file.split(['-', '.']).next().unwrap_or_default())
    }

    fn survey(
        &self,
        store: &Arc<dyn ObjectStore>,
        effort: &Effort,
        each: &mut dyn FnMut(ReportRow),
    ) -> Result<Option<&[TableColumn]>, Error> {
        let Some(classes) = Endgames::open(store.place())? else { return Ok(None) };
        classes.survey(effort, each)?;
        Ok(Some(COLUMNS))
    }
}

fn bounds() -> Error {
    Error::unsupported("bounds of endgames from lines", "boards of connect and tic-tac-toe")
}
