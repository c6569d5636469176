//! Markov chains, decision processes and stochastic games in the unified Markov binary format
//! (UMB), which PRISM, Storm and Modest write: an archive of arrays that begins with `index.json`,
//! which gives their lengths.
//!
//! As in `.drn`, labels (atomic propositions here) mark the ends of play. A state with one choice
//! belongs to chance, one with several to a player: by name, or else player 0 is Alice and 1 is
//! Bob. Rewards, names of actions and valuations are ignored.

mod reader;
mod writer;

use std::io::{self, Read, Write};

use richman_core::Watch;

use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::form::{Form, NoRoom, Start};
use crate::reading::Reading;
use crate::states::check_random_turn;

/// The offset and bytes of the archive's signature.
const USTAR: (usize, &[u8]) = (257, b"ustar");

/// The number of bytes needed to recognise an archive.
const HEAD: usize = USTAR.0 + USTAR.1.len();

/// The bytes of a number in a list of ranges.
const WORD: u64 = 8;

/// The bytes of a list of bits, in whole words.
fn bits(count: u64) -> u64 {
    count.div_ceil(64) * WORD
}

/// The random-turn game in the unified Markov binary format, for Storm, PRISM and Modest.
pub(crate) struct UmbForm;

impl Form for UmbForm {
    /// The name of the archive's first file precedes the signature.
    fn looks_at(&self, first: u8) -> usize {
        if matches!(first, b'.' | b'a'..=b'z') { HEAD } else { 1 }
    }

    fn recognises(&self, start: &Start) -> bool {
        start.head.get(USTAR.0..HEAD) == Some(USTAR.1)
    }

    fn read(&self, source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
        reader::read(source, reader, reading)
    }

    fn check(&self, graph: &AnyGraph) -> Result<(), NoRoom> {
        check_random_turn(graph)
    }

    fn write(&self, graph: &AnyGraph, out: &mut dyn Write, watch: &dyn Watch) -> io::Result<()> {
        writer::write(graph, out, watch)
    }
}
