//! Game files as JSON, and the strict reader of JSON that saved solutions use too.

mod game_file;
mod reader;
mod syntax;
mod writer;

use std::io::{self, Read, Write};

use richman_core::Watch;

pub use game_file::{GameFile, MeanPayoffFile, ParityFile, ScoringFile, StochasticFile, WrittenGame};
pub(crate) use reader::ReadGame;
pub use syntax::{JsonReader, JsonText};
pub use writer::GameWriter;
pub(crate) use writer::write_given;

use crate::any_graph::{AnyGraph, of_any};
use crate::error::FormatError;
use crate::form::{Form, Start};
use crate::reading::Reading;

/// Text for people and other programs.
pub(crate) struct JsonForm;

impl Form for JsonForm {
    /// Files that no other form recognises are read as JSON, whose errors explain game files.
    fn recognises(&self, _: &Start) -> bool {
        true
    }

    fn read(&self, source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
        let mut json = JsonReader::new(source, "reading the game file", reader, reading);
        let game = ReadGame::read(&mut json)?;
        json.end()?;
        drop(json);
        game.graph(source, reading)
    }

    fn write(&self, graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        of_any!(graph, graph => writer::write_json(graph, out, watch))
    }
}
