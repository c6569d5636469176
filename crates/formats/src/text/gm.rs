//! Parity games of PGSolver and Oink, the format `.gm`.
//!
//! ```text
//! parity 2;
//! 0 1 0 0,1 "gate";
//! 1 2 1 0,2;
//! 2 0 1 1;
//! ```
//!
//! Each position has a number, a priority, an owner (0 is Alice, who wins if the greatest priority
//! that comes back for ever is even; 1 is Bob), the positions that follow, and perhaps a name in
//! quotes, which is ignored, as it need not be unique. `parity N;` and `start N;` may come before.
//! Without a start, play begins at the first position. Two slashes begin a comment, up to the end
//! of the line.

mod reader;
mod writer;

use std::io::{self, Read, Write};

use richman_core::Watch;

pub use writer::write_winners;

use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::form::{Form, Start};
use crate::reading::Reading;

/// Parity games without bids, for PGSolver and Oink.
pub(crate) struct GmForm;

impl Form for GmForm {
    fn extensions(&self) -> &'static [&'static str] {
        &["gm", "pg"]
    }

    /// No game file in JSON begins so.
    fn recognises(&self, start: &Start) -> bool {
        start.first().is_some_and(|first| first == b'p' || first == b's' || first.is_ascii_digit())
    }

    fn has_comments(&self) -> bool {
        true
    }

    fn read(&self, source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
        reader::read(source, reader, reading)
    }

    fn check(&self, graph: &AnyGraph) -> Result<(), (Option<String>, String)> {
        match graph {
            AnyGraph::Parity(graph) => writer::check(graph),
            _ => Err((None, "only games with priorities can be written for PGSolver".to_string())),
        }
    }

    fn write(&self, graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        match graph {
            AnyGraph::Parity(graph) => writer::write(graph, out, watch),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}
