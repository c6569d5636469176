//! The commands, and the flags that several of them share. The flags of a single command are in its
//! module.

mod completed;
mod suggestions;
mod values;

use std::ffi::OsString;

use clap::{Args, Parser, Subcommand};
use richman_analysis::mean_payoff::NumberJson;
use richman_analysis::{QuestionDocument, Wanted};
use richman_core::{Bidding, Bids, Mechanism, MechanismChoices, Payment, Preset, Right, Ties};
use richman_formats::StatedObjective;

use crate::commands;

pub use completed::completed;
pub use richman_analysis::parse::{bytes, holdings, totals, width};
pub use suggestions::{suggested, without_colon};
pub use values::{address, side, total, whole};

/// The workbench for bidding games: two players bid for the right to make the next move.
///
/// Games are named NAME[:key=value,...] (`richman list` shows them), given as the path of a game
/// file, or written as a wedge expression, expr:(A & B^2) & B.
#[derive(Debug, Parser)]
#[command(name = "richman", version, propagate_version = true, max_term_width = 100)]
#[command(after_long_help = sections())]
pub struct Cli {
    /// Show no progress on standard error, only errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve a game: thresholds, best bids and best moves.
    ///
    /// For several games each report is separate: in JSON one document per line, in CSV one table
    /// with a row for each game.
    #[command(after_help = "\
Examples:
  richman solve tic-tac-toe
  richman solve tic-tac-toe --chips 8
  richman solve tic-tac-toe --alice '4*' --chips 8 --trace
  richman solve connect:rows=3,cols=3,line=3 --position .../.../.A.
  richman solve tic-tac-toe --payment poorman
  richman solve tic-tac-toe --payment poorman --alice '7*' --bob 5
  richman solve tug-of-war --chips 8 --ties marker --right moves
  richman solve hex --svg hex.svg
  richman solve chess --position 4k3/8/8/8/8/8/8/3QK3
  richman solve tic-tac-toe --all --csv
  richman solve tic-tac-toe hex:size=3 tug-of-war --csv
  richman solve 'expr:(A & B^2) & B' --json")]
    Solve(commands::solve::SolveArgs),
    /// Print the chip table of a game: its thresholds for a range of totals.
    #[command(after_help = "\
Examples:
  richman table tic-tac-toe --chips 0..255
  richman table tic-tac-toe --certificate period.json && richman verify period.json
  richman table tic-tac-toe --chips 0..31 --stability
  richman table tug-of-war:length=10 --bob 0..20
  richman table tic-tac-toe --payment poorman --bob 0..20
  richman table tic-tac-toe --chips 0..255 --svg tic-tac-toe.svg
  richman table connect:rows=3,cols=3,line=3 --chips 0..31 --csv")]
    Table(commands::table::TableArgs),
    /// Compare two games: whether Alice ever needs more to win G than to win H, over all totals of
    /// chips.
    ///
    /// G is less than H if Alice never needs more in G, and for some total needs less. Prints the
    /// first total at which she needs less in G and the first at which she needs more, and the
    /// class of each game: the shortest wedge expression with the same thresholds.
    #[command(after_help = "\
Examples:
  richman compare 'expr:(A & B^2) & B' 'expr:B^2'
  richman compare 'expr:A^2 & B' 'expr:E & (A & B^2)'
  richman compare tic-tac-toe tic-tac-toe --position A.B/.A./..B --other-position B.A/.A./..B
  richman compare tic-tac-toe connect:rows=3,cols=3,line=3 --json")]
    Compare(commands::compare::CompareArgs),
    /// Print the tree of optimal moves: for every position one best move of each player, its
    /// threshold and its wedge sum.
    #[command(after_help = "\
Examples:
  richman tree tic-tac-toe --short
  richman tree tic-tac-toe --chips 5 --depth 3
  richman tree connect:rows=3,cols=3,line=3 --svg tree.svg
  richman tree connect:rows=1,cols=4,line=2 --all --dot
  richman tree 'expr:(A & B^2) & B' --json")]
    Tree(commands::tree::TreeArgs),
    /// Print the values of a scoring game: the score that Alice can guarantee, for every number of
    /// her chips.
    ///
    /// The winner of a bid must move; in a tie the holder of the star wins it and passes the star
    /// on (the preset larsson). If the score Alice can guarantee (maximin) is below the score Bob
    /// can hold her to (minimax), both are printed.
    #[command(after_help = "\
Examples:
  richman scores subtraction --chips 9
  richman scores subtraction:heap=8 --chips 5 --all
  richman scores subtraction --chips 9 --alice '6*' --bids-table
  richman scores subtraction:heap=40,set=1+3+5 --chips 20 --svg values.svg
  richman scores subtraction:heap=12 --chips 7 --bids 0+1+3 --ties advantage --json")]
    Scores(commands::scores::ScoresArgs),
    /// Unitary games: one item a turn. Print the heaps at which their values stop changing, or the
    /// bidding automaton that they reach.
    ///
    /// A game converges at the least heap from which on every heap has the same values, for all
    /// chips with the star, as the heap two items larger. The bidding automaton has these values,
    /// which both players reach by bidding 0.
    #[command(after_help = "\
Examples:
  richman unitary
  richman unitary --chips 0..300 --svg convergence.svg
  richman unitary --automaton 9
  richman unitary --automaton 5 --svg bids.svg")]
    Unitary(commands::unitary::UnitaryArgs),
    /// Random-turn play: a fair coin decides who moves. Print Alice's chances to win and not to
    /// lose under best play.
    ///
    /// The chance is computed from coins alone and printed with 1 minus the real-money threshold
    /// of `richman solve`; Richman's theorem says that the two are equal. Then games are played
    /// out, and the 99% confidence interval of the chance is printed.
    #[command(after_help = "\
Examples:
  richman random-turn tic-tac-toe
  richman random-turn tug-of-war:length=8,at=2 --games 1000000
  richman random-turn hex:size=4 --json")]
    RandomTurn(commands::random_turn::RandomTurnArgs),
    /// Play two computer players against each other for many games, and print which is better and
    /// by how much.
    ///
    /// Players: perfect (from the solution with chips), best (perfect if the game can be solved,
    /// otherwise from what is known of Hex and large boards, a search in chess, or rounding),
    /// advanced, intermediate and beginner (best, but one action in ten, four or two is random),
    /// rounding (real-money values, rounded to chips), monte-carlo (K's algorithm for Hex:
    /// monte-carlo:fillings=20000), greedy, random. In Hex best and rounding play from exact
    /// values. Any player may be made to err, as in perfect:errs=1/4, or be limited to some
    /// milliseconds per action, as in best:ms=100.
    ///
    /// Games that need not end are cut off after --within moves, 1000 unless given. Nobody has won
    /// a parity game then, and how often each priority came is printed; for a long-run average, the
    /// averages of the games are.
    ///
    /// A draw counts half. The interval is Wilson's at 95% confidence, and assumes that all games
    /// differ; the rating difference is that of chess. The same seed gives the same games, unless
    /// time limits decide.
    #[command(after_help = "\
Examples:
  richman duel tic-tac-toe --alice perfect --bob rounding --chips 8 --games 1000
  richman duel tic-tac-toe --alice perfect --bob beginner --holdings '4*:4' --no-exchange
  richman duel connect --alice rounding --bob greedy --chips 100 --games 20
  richman duel tug-of-war --alice best --bob random --payment poorman --within 100
  richman duel hex:size=5 --bob monte-carlo:fillings=50000 --holdings '4*:4,4:4*' --opening 2 --times
  richman duel subtraction --alice perfect --bob greedy --chips 9 --json")]
    Duel(commands::duel::DuelArgs),
    /// Write a game as a game file: all positions that can follow, named by their notation, and the
    /// moves of both players.
    ///
    /// Symmetric positions are one position. The file has the same answers as the game, and may be
    /// edited; docs/game-file.md describes it.
    #[command(after_help = "\
Examples:
  richman export tic-tac-toe > game.json && richman solve game.json
  richman export connect:rows=4,cols=4 --position ..../..../A.../B...
  richman export hex:size=4 --positions 5000000
  richman export subtraction:heap=20,set=1+3 > heap.json")]
    Export(commands::export::ExportArgs),
    /// Write a game file in another form: JSON, binary, or for PGSolver and Oink.
    ///
    /// All positions are written, in their order. JSON (.json) and the binary form (.richman) keep
    /// everything; the binary form is smaller and quicker to read. Parity games in which nobody
    /// bids can be written for PGSolver and Oink (.gm), and who wins from each position of such a
    /// game as their solution (.sol). docs/game-file.md describes all forms.
    #[command(after_help = "\
Examples:
  richman convert game.json game.richman && richman solve game.richman
  richman export connect:rows=4,cols=4 | richman convert - connect.richman
  richman convert game.richman - --to json
  richman convert towers.gm towers.sol")]
    Convert(commands::convert::ConvertArgs),
    /// Check a saved solution against the rules of its game, without solving. Exit status 1 if it
    /// is wrong.
    #[command(after_help = "\
Examples:
  richman solve tic-tac-toe --save solution.json && richman verify solution.json
  richman build chess:pieces=KK --out kings && richman verify kings --survey")]
    Verify(commands::verify::VerifyArgs),
    /// Solve all positions of a board, or of a class of chess endgames, and write them to a folder
    /// for `solve --db`.
    ///
    /// If the command is stopped, finished parts stay, and the same command resumes from them.
    /// `richman verify FOLDER` checks every number.
    #[command(after_help = "\
Examples:
  richman build connect:rows=5,cols=5 --out connect-5x5
  richman solve connect:rows=5,cols=5 --db connect-5x5 --position ...../...../...../..B../..A..
  richman build connect:rows=4,cols=5 --chips 0..20 --out chips-4x5
  richman build chess:pieces=KQKR --out endgames
  richman solve chess --position 4k3/3r4/8/8/8/8/8/3QK3 --db endgames
  richman build chess:pieces=KPK --chips 0..32 --out endgames-with-chips")]
    Build(commands::build::BuildArgs),
    /// Recompute the published results and compare them with the print. Exit status 1 if one is not
    /// as recorded.
    #[command(after_help = "\
Examples:
  richman reproduce
  richman reproduce 'DP10 Figure 4'
  richman reproduce G12 --json")]
    Reproduce(commands::reproduce::ReproduceArgs),
    /// Play a match in the terminal, against the computer or two people at one keyboard.
    ///
    /// Both players bid for every move; the rules are shown at the start, and `help` lists the
    /// commands: hint, undo, save FILE, review and more. Through a pipe, commands are read from
    /// standard input, and every event is one line.
    #[command(after_help = "\
Examples:
  richman play tic-tac-toe
  richman play tic-tac-toe --alice '4*' --bob 4 --as bob --level beginner
  richman play connect:rows=4,cols=4 --chips 20 --two
  richman play tug-of-war --payment poorman --limit 30
  richman play subtraction --chips 9
  richman play chess --chips 100
  printf '1\\nb2\\nquit\\n' | richman play tic-tac-toe --seed 1")]
    Play(commands::play::PlayArgs),
    /// Review a recorded match: the value of every turn, each decision that cost something, and
    /// where the match was decided.
    ///
    /// A decision is judged by the outcome it guarantees, against the best possible. It is marked
    /// if it changed the result or lost margin: chips to spare.
    #[command(after_help = "\
Examples:
  richman review game.txt
  richman review game.txt --svg margins.svg
  richman review - --json < game.txt")]
    Review(commands::review::ReviewArgs),
    /// Serve the web application: play against the computer or a friend by link, explore positions,
    /// review games, and offer the same to programs.
    ///
    /// Matches are kept in one file. Every action is on disk before it is answered, so the server
    /// can be stopped at any time (with Ctrl-C) and restarted. Whoever has the link of a seat plays
    /// for it. To reach it from the network, use `--listen 0.0.0.0:8080`; over the internet, put a
    /// server in front of it that speaks https.
    #[command(after_help = "\
Examples:
  richman serve
  richman serve --listen 127.0.0.1:0 --no-store
  richman serve --store /var/lib/richman/matches.sqlite --host richman.example --keep 365 --log")]
    Serve(commands::serve::ServeArgs),
    /// Write the web application as files that need no server: matches against the computer or two
    /// at one screen, explore, review, the guide.
    ///
    /// Any web server can serve the folder, under any path, and so can a code host's pages. The
    /// visitor's browser computes and keeps everything, and goes on without a network.
    #[command(after_help = "\
Examples:
  richman site public --module wasm/target/package/module_bg.wasm
  richman site public --module module_bg.wasm --server https://play.example")]
    Site(commands::site::SiteArgs),
    /// Look after the store of `serve`: check it, back it up, restore it, compact it, delete a
    /// match.
    #[command(after_help = "\
Examples:
  richman store check richman.sqlite
  richman store backup richman.sqlite /backups/richman-monday.sqlite
  richman store restore /backups/richman-monday.sqlite richman.sqlite --force
  richman store compact richman.sqlite")]
    Store(commands::store::StoreArgs),
    /// List the games and their parameters.
    List(commands::list::ListArgs),
    /// Print a completion script for a shell.
    ///
    /// Shells then offer commands, flags, games with their parameters, and values such as those of
    /// --payment and --level.
    #[command(after_help = "\
Examples:
  richman completions bash > ~/.local/share/bash-completion/completions/richman
  richman completions zsh > ~/.zfunc/_richman
  richman completions fish > ~/.config/fish/completions/richman.fish")]
    Completions(commands::help::CompletionsArgs),
    /// Print the manual pages.
    #[command(after_help = "\
Examples:
  richman man | man -l -
  richman man --to ~/.local/share/man/man1 && man richman-solve")]
    Man(commands::help::ManArgs),
}

/// Sections of the help and of the manual: what stands there, and about what. Every command has the
/// first.
pub const SECTIONS: [(&str, &[(&str, &str)]); 3] = [
    (
        "Exit status",
        &[
            ("0", "the work is done"),
            ("1", "a check failed: a solution or a store is wrong, or a published result is not as recorded"),
            ("2", "unusable arguments or files, or a limit"),
            ("130", "stopped by Ctrl-C"),
        ],
    ),
    (
        "Files",
        &[
            ("game.json, game.richman, game.gm", "game files, in the forms of `richman convert`"),
            ("richman.sqlite", "the matches of `richman serve`, unless --store names another file"),
        ],
    ),
    (
        "Environment",
        &[
            ("COLUMNS", "the width of the text, in place of the terminal's; 0 for no limit"),
            ("NO_COLOR", "if set, no colours"),
        ],
    ),
];

/// The sections as text below the help.
fn sections() -> String {
    let entries = |entries: &[(&str, &str)]| -> String {
        entries.iter().map(|(what, about)| format!("\n  {what}: {about}")).collect()
    };
    let texts: Vec<String> = SECTIONS.iter().map(|(heading, all)| format!("{heading}:{}", entries(all))).collect();
    texts.join("\n\n")
}

/// The help for an objective that takes the place of a file's own.
pub fn objectives(begin: &str) -> String {
    let words: Vec<&str> = StatedObjective::ALL.iter().map(|(word, _)| *word).collect();
    format!("{begin}, in place of its own objective: {} or energy:CAPACITY", words.join(", "))
}

/// The game, its position and the mechanism.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// The game: NAME[:key=value,...], expr:EXPRESSION, the path of a game file, or - for a game
    /// file on standard input
    pub game: OsString,
    /// Start from this position, in the game's own notation; for boards A, B and . by rows from the
    /// top: A.B/.A./...; for chess FEN without the side to move: 4k3/8/8/8/8/8/8/R3K2R KQ
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// A play of more than this many moves is a draw
    #[arg(long, value_name = "MOVES", value_parser = whole(0..=u32::MAX), allow_hyphen_values = true)]
    pub within: Option<u32>,
    #[arg(long, help = objectives("A game file: what to play it for"))]
    pub objective: Option<StatedObjective>,
    /// The most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes, allow_hyphen_values = true)]
    pub memory: u64,
    #[command(flatten)]
    pub mechanism: MechanismArgs,
}

impl GameArgs {
    /// The question about the game, as far as these flags ask it.
    pub fn document(&self, wanted: Wanted) -> QuestionDocument {
        QuestionDocument {
            wanted,
            position: self.position.clone(),
            within: self.within,
            mechanism: self.mechanism.choices(),
            memory: Some(self.memory),
            ..QuestionDocument::default()
        }
    }
}

/// How bids are made, won and paid. Every flag overrides the preset. A combination that cannot be
/// solved is refused, with a list of those that can.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Mechanism")]
pub struct MechanismArgs {
    /// The mechanism of a paper: develin-payne, larsson or gasarch [default: develin-payne, for
    /// scores larsson]
    #[arg(long)]
    pub preset: Option<Preset>,
    /// Who is paid: richman (the other player), poorman (the bank), or taxman:T (the part T goes to
    /// the other player, the rest to the bank), such as taxman:1/2
    #[arg(long)]
    pub payment: Option<Payment>,
    /// Who wins ties: advantage (the star's holder decides), marker, alice, bob, loser or winner
    #[arg(long)]
    pub ties: Option<Ties>,
    /// The order of bidding: sealed (both at once), alice-first or bob-first
    #[arg(long)]
    pub bidding: Option<Bidding>,
    /// What the winner of a bid gets: chooses (who moves) or moves (must move)
    #[arg(long)]
    pub right: Option<Right>,
    /// The bids allowed: all, or amounts such as 0+5
    #[arg(long)]
    pub bids: Option<Bids>,
}

impl MechanismArgs {
    /// The given choices.
    pub fn choices(&self) -> MechanismChoices {
        let MechanismArgs { preset, payment, ties, bidding, right, bids } = self.clone();
        MechanismChoices { preset, payment, ties, bidding, right, bids }
    }

    /// The preset, with the given choices in place of its own.
    pub fn mechanism(&self) -> Mechanism {
        self.choices().mechanism_or(Preset::default())
    }
}

/// What is wanted of a game for a long-run average.
#[derive(Debug, Args)]
pub struct AverageArgs {
    /// Long-run averages: what Alice needs so that the average is at least this, such as 3/2
    #[arg(long, value_name = "AVERAGE", allow_hyphen_values = true)]
    pub at_least: Option<NumberJson>,
}

/// The output format of a report.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct FormatArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

impl FormatArgs {
    /// Whether the report is for people.
    pub fn is_text(&self) -> bool {
        !self.json && !self.csv
    }
}

#[cfg(test)]
#[path = "../tests/vocabulary/commands.rs"]
#[expect(dead_code, reason = "what the commands print is tested from outside")]
mod reports;

#[cfg(test)]
#[path = "../tests/vocabulary/questions.rs"]
#[expect(dead_code, reason = "the other doors are tested from outside")]
mod questions;

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;
    use clap::{Arg, CommandFactory};
    use serde_json::json;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }

    /// A file is named by its flag; in the document it is asked for or not.
    #[test]
    fn a_question_reads_back_from_its_flags() {
        let game = json!({ "position": "b", "payment": "taxman:1/2", "ties": "loser", "within": 7, "memory": 5000000 });
        let own = [
            ("solve", json!({ "wanted": "solution", "chips": "8", "alice": "4*", "bob": "4", "trace": true })),
            (
                "solve",
                json!({ "wanted": "solution", "share": "1/3", "at_least": "-3/2", "credits": true, "all": true }),
            ),
            (
                "solve",
                json!({ "wanted": "solution", "bounds": "f", "db": "g", "exact": true, "width": 0.25, "time": 3.0 }),
            ),
            ("table", json!({ "wanted": "table", "rows": "chips 2..9", "at_least": "1", "stability": true })),
            ("table", json!({ "wanted": "table", "rows": "bob 0..4", "time": 9.0 })),
            ("tree", json!({ "wanted": "tree", "chips": "3", "draw": true, "full": true, "short": true, "depth": 2 })),
        ];
        for (command, mut keys) in own {
            keys.as_object_mut().unwrap().extend(game.as_object().unwrap().clone());
            let document: QuestionDocument = serde_json::from_value(keys).unwrap();
            let args = ["richman", command, "game"].map(str::to_string).into_iter().chain(questions::flags(&document));
            let read = match Cli::try_parse_from(args).unwrap().command {
                Command::Solve(args) => args.document(),
                Command::Table(args) => args.document(),
                Command::Tree(args) => args.document(),
                _ => panic!("{command}"),
            };
            assert_eq!(read, document, "{command}");
        }
    }

    /// Whatever the type of a value, a text that is none is refused with what to write.
    #[test]
    fn every_refused_value_says_what_to_write() {
        use std::error::Error;
        let mut refused = 0;
        for command in Cli::command().get_subcommands() {
            let flags = command.get_arguments().filter(|arg| arg.get_action().takes_values()).filter_map(Arg::get_long);
            for (flag, junk) in flags.flat_map(|flag| JUNK.map(|junk| (flag, junk))) {
                let args = ["richman", command.get_name(), &format!("--{flag}={junk}")].map(str::to_string);
                let Err(error) = Cli::try_parse_from(args) else { continue };
                if error.kind() == ErrorKind::ValueValidation {
                    let reason = error.source().unwrap().to_string();
                    assert!(reason.contains("write ") || reason.contains("the largest total is "), "{flag}: {reason}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 300, "{refused}");
    }

    const JUNK: [&str; 8] = ["x", "-1", "0x8", "1e999", "99999999999999999999999", "\u{e9}", "a=b", "1.5.2"];

    #[test]
    fn flags_override_the_preset() {
        let cli = Cli::parse_from(["richman", "solve", "tic-tac-toe", "--preset", "larsson", "--right", "chooses"]);
        let Command::Solve(args) = cli.command else { panic!("solve") };
        let mechanism = args.game.mechanism.mechanism();
        assert_eq!((mechanism.ties, mechanism.right), (Ties::Marker, Right::Chooses));
    }

    /// All commands name the same thing alike. The message for a new or differing command says what
    /// it lacks.
    #[test]
    fn every_command_says_what_it_prints_in_the_same_words() {
        let cli = Cli::command();
        let reports: Vec<&str> = reports::REPORTS.iter().map(|report| report.command).collect();
        for command in cli.get_subcommands() {
            let name = command.get_name();
            let argument = |long: &str| {
                let names =
                    |arg: &&clap::Arg| arg.get_long_and_visible_aliases().is_some_and(|names| names.contains(&long));
                command.get_arguments().find(names)
            };
            let Some(report) = reports::REPORTS.iter().find(|report| report.command == name) else {
                assert!(reports::NO_REPORTS.contains(&name), "{name} is in no list of tests/vocabulary/commands.rs");
                assert!(["json", "csv", "svg"].iter().all(|long| argument(long).is_none()), "{name} prints reports");
                continue;
            };
            for long in ["json", "csv"] {
                let flag = argument(long).unwrap_or_else(|| panic!("{name} has no --{long}"));
                assert!(!flag.get_action().takes_values(), "--{long} of {name} takes a value");
            }
            assert_eq!(argument("svg").is_some(), report.draws, "--svg of {name}");
            if let Some(flag) = argument("svg") {
                let values: Vec<&str> = flag.get_value_names().unwrap_or_default().iter().map(|v| v.as_str()).collect();
                assert!(flag.get_action().takes_values() && values == ["FILE"], "--svg of {name} is not --svg FILE");
                assert!(!flag.is_required_set() && flag.get_help().is_some(), "--svg of {name}");
            }
            for long in ["total", "totals"] {
                let named = argument(long).and_then(clap::Arg::get_long);
                assert!(named.is_none_or(|named| named == "chips"), "{name} calls --chips --{long}");
            }
        }
        for report in reports {
            assert!(cli.find_subcommand(report).is_some(), "there is no command {report}");
        }
    }
}
