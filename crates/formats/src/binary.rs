//! Game files in binary form, `.richman`: the same games as in JSON, in fewer bytes.
//! `docs/game-file.md` describes it.

pub(crate) mod numbers;
mod reader;
mod writer;

use std::io::{self, Read, Write};

use richman_core::Watch;

use crate::any_graph::{AnyGraph, of_any};
use crate::error::FormatError;
use crate::form::{Form, Start};
use crate::reading::Reading;

/// The first bytes. No other game file begins with this letter.
pub(crate) const MAGIC: &[u8; 8] = b"RICHGAME";

/// The newest version.
const VERSION: u8 = 1;

/// The same as in JSON, in fewer bytes.
pub(crate) struct BinaryForm;

impl Form for BinaryForm {
    fn recognises(&self, start: &Start) -> bool {
        !start.is_text && start.first() == Some(MAGIC[0])
    }

    fn read(&self, source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
        reader::read(source, reader, reading)
    }

    fn write(&self, graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        of_any!(graph, graph => writer::write(graph, out, watch))
    }
}
