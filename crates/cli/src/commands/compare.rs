//! `richman compare`

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use richman_analysis::{Games, Opened, QuestionDocument, Wanted};

use crate::args::{FormatArgs, MechanismArgs, bytes, whole};
use crate::{CliError, Done, TerminalWatch, input, output};

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The first game: NAME[:key=value,...], expr:EXPRESSION, the path of a game file, or - for a
    /// game file on standard input
    #[arg(value_name = "G")]
    pub game: OsString,
    /// The second game, in the same form
    #[arg(value_name = "H")]
    pub other: OsString,
    /// Start G from this position, in the game's own notation; for boards A, B and . by rows from
    /// the top: A.B/.A./...
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Start H from this position
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub other_position: Option<String>,
    /// A play of more than this many moves is a draw, in both games
    #[arg(long, value_name = "MOVES", value_parser = whole(0..=u32::MAX), allow_hyphen_values = true)]
    pub within: Option<u32>,
    /// The most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    /// The most seconds to take, mostly for a proof for all totals; without a proof the totals up
    /// to 1023 are compared [default: 150 for the proofs]
    #[arg(long, value_name = "SECONDS", value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub time: Option<u64>,
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &CompareArgs, games: &Games, watch: &TerminalWatch) -> Done {
    if [&args.game, &args.other].into_iter().all(|spec| input::is_standard(Path::new(spec))) {
        return Err(CliError::Usage("standard input holds one game: give the other as a file".to_string()));
    }
    let document = QuestionDocument {
        wanted: Wanted::Comparison,
        position: args.position.clone(),
        within: args.within,
        mechanism: args.mechanism.choices(),
        time: args.time.map(Duration::from_secs),
        memory: Some(args.memory),
        ..QuestionDocument::default()
    };
    let effort = watch.effort(&document)?;
    let g = super::subject(games, &args.game, super::reading(effort.memory, args.time, watch), watch)?;
    let g = Opened::new(&g, &document.question(g.aim())?, &effort)?;
    let h = super::subject(games, &args.other, super::reading(g.beside().memory, args.time, watch), watch)?;
    let report = g.compare(h, args.other_position.as_deref(), watch)?;
    output::report(&args.format, &report)
}
