//! The flags of every command.

mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use richman_core::{Bidding, Bids, Holding, Mechanism, Payment, Preset, Right, Ties, Total};
use richman_play::players::Strength;

pub use values::{Holdings, Memory, Side, Totals, Width};

/// How long to look for exact real-money thresholds and narrow bounds, in seconds, unless `--time` says otherwise.
pub const MONEY_SECONDS: u64 = 60;

/// The workbench for bidding games: two players bid for the right to make the next move.
///
/// Games are named NAME[:key=value,...] (`richman list` shows them), given as the path of a game file, or written as a wedge
/// expression, expr:(A & B^2) & B.
#[derive(Debug, Parser)]
#[command(name = "richman", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve a game: thresholds, best bids and best moves.
    #[command(after_help = "\
Examples:
  richman solve tic-tac-toe
  richman solve tic-tac-toe --chips 8
  richman solve tic-tac-toe --alice '4*' --bob 4 --trace
  richman solve connect:rows=3,cols=3,line=3 --position .../.../.A.
  richman solve tic-tac-toe --payment poorman
  richman solve tic-tac-toe --payment poorman --alice '7*' --bob 5
  richman solve tug-of-war --chips 8 --ties marker --right moves
  richman solve hex --svg hex.svg
  richman solve chess --position 4k3/8/8/8/8/8/8/3QK3
  richman solve 'expr:(A & B^2) & B' --json")]
    Solve(SolveArgs),
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
    Table(TableArgs),
    /// Compare two games: whether Alice never needs more to win G than to win H, for every total of chips.
    ///
    /// G is less than H if for no total Alice needs more in G, and for some total she needs less. It prints the first total with which
    /// she needs less in G and the first with which she needs more, and the class of each game: the shortest wedge
    /// expression that always asks for the same.
    #[command(after_help = "\
Examples:
  richman compare 'expr:(A & B^2) & B' 'expr:B^2'
  richman compare 'expr:A^2 & B' 'expr:E & (A & B^2)'
  richman compare tic-tac-toe tic-tac-toe --position A.B/.A./..B --other-position B.A/.A./..B
  richman compare tic-tac-toe connect:rows=3,cols=3,line=3 --json")]
    Compare(CompareArgs),
    /// Print the tree of optimal moves: for every position one best move of each player, its threshold and its wedge sum.
    #[command(after_help = "\
Examples:
  richman tree tic-tac-toe --short
  richman tree tic-tac-toe --chips 5 --depth 3
  richman tree connect:rows=3,cols=3,line=3 --svg
  richman tree connect:rows=1,cols=4,line=2 --all --dot
  richman tree 'expr:(A & B^2) & B' --json")]
    Tree(TreeArgs),
    /// Print the values of a scoring game: what Alice can make sure of, for every number of her chips.
    ///
    /// The winner of a bid must move, in a tie the holder of the star wins it and passes the star on (the preset larsson). Where what
    /// Alice can make sure of (maximin) is less than what Bob can hold her to (minimax), both are printed.
    #[command(after_help = "\
Examples:
  richman scores subtraction --total 9
  richman scores subtraction:heap=8 --total 5 --all
  richman scores subtraction --total 9 --alice '6*' --bids-table
  richman scores subtraction:heap=40,set=1+3+5 --total 20 --svg values.svg
  richman scores subtraction:heap=12 --total 7 --bids 0+1+3 --ties advantage --json")]
    Scores(ScoresArgs),
    /// Unitary games: one item a turn. Print where their values stop changing, or the bidding automaton that they end in.
    ///
    /// A game converges at the least heap whose values, for all chips with the star, and those of every larger heap, equal the values
    /// with two items more. The bidding automaton has these values, which both players reach by bidding 0.
    #[command(after_help = "\
Examples:
  richman unitary
  richman unitary --totals 0..300 --svg convergence.svg
  richman unitary --automaton 9
  richman unitary --automaton 5 --svg bids.svg")]
    Unitary(UnitaryArgs),
    /// Random-turn play: a fair coin decides who moves. Print Alice's chance to win, and not to lose, when both play best.
    ///
    /// The chance is computed from coins alone, and beside it printed as 1 less the real-money threshold of `richman solve`: Richman's theorem
    /// says that the two are the same. Then games are played out, with the interval that holds the chance with 99% confidence.
    #[command(after_help = "\
Examples:
  richman random-turn tic-tac-toe
  richman random-turn tug-of-war:length=8,at=2 --games 1000000
  richman random-turn hex:size=4 --json")]
    RandomTurn(RandomTurnArgs),
    /// Play two computer players against each other, many games, and print who is how much better.
    ///
    /// Players: perfect (from the solution with chips), best (perfect where the game can be solved, else by what is known of Hex and large boards, in chess by a search, else rounding), advanced, intermediate
    /// and beginner (the best, but one action in ten, four or two is random), rounding (real-money values, rounded to chips), monte-carlo (K's algorithm for Hex:
    /// monte-carlo:fillings=20000), greedy, random. In Hex best and rounding play from exact values. Any may be
    /// made to err: perfect:errs=1/4, or given less time for each action, in milliseconds: best:ms=100.
    ///
    /// A draw counts half. The interval is Wilson's for a confidence of 95%, if all games were different; the rating difference is that of chess. The
    /// same seed gives the same games, unless times decide.
    #[command(after_help = "\
Examples:
  richman duel tic-tac-toe --alice perfect --bob rounding --chips 8 --games 1000
  richman duel tic-tac-toe --alice perfect --bob beginner --holdings '4*:4' --no-exchange
  richman duel connect --alice rounding --bob greedy --chips 100 --games 20
  richman duel tug-of-war --alice best --bob random --payment poorman --within 100
  richman duel hex:size=5 --bob monte-carlo:fillings=50000 --holdings '4*:4,4:4*' --opening 2 --times
  richman duel subtraction --alice perfect --bob greedy --chips 9 --json")]
    Duel(DuelArgs),
    /// Prove a saved solution from the rules of its game, without solving. Exit status 1 if it is wrong.
    #[command(after_help = "\
Examples:
  richman solve tic-tac-toe --save solution.json && richman verify solution.json
  richman build chess:pieces=KK --out kings && richman verify kings --survey")]
    Verify(VerifyArgs),
    /// Solve all positions of a board, or of a class of chess endgames, into a folder in which `solve --db` looks them up.
    ///
    /// What is complete stays when the command is stopped, and the same command goes on from there. `richman verify FOLDER` checks every number.
    #[command(after_help = "\
Examples:
  richman build connect:rows=5,cols=5 --out connect-5x5
  richman solve connect:rows=5,cols=5 --db connect-5x5 --position ...../...../...../..B../..A..
  richman build connect:rows=4,cols=5 --chips 0..20 --out chips-4x5
  richman build chess:pieces=KQKR --out endgames
  richman solve chess --position 4k3/3r4/8/8/8/8/8/3QK3 --db endgames
  richman build chess:pieces=KPK --chips 0..32 --out endgames-with-chips")]
    Build(BuildArgs),
    /// Compute the published results again and compare them with the print. Exit status 1 if one is not as recorded.
    #[command(after_help = "\
Examples:
  richman reproduce
  richman reproduce 'DP10 Figure 4'
  richman reproduce G12 --json")]
    Reproduce(ReproduceArgs),
    /// Play a match in the terminal, against the computer or two people at one keyboard.
    ///
    /// Both players bid for every move; what that means is told at the start, and `help` lists what can be typed: hint, undo, save FILE,
    /// review and more. Through a pipe commands are read from standard input, and every event is one line.
    #[command(after_help = "\
Examples:
  richman play tic-tac-toe
  richman play tic-tac-toe --alice '4*' --bob 4 --as bob --level beginner
  richman play connect:rows=4,cols=4 --chips 20 --two
  richman play tug-of-war --payment poorman --limit 30
  richman play subtraction --chips 9
  richman play chess --chips 100
  printf '1\\nb2\\nquit\\n' | richman play tic-tac-toe --seed 1")]
    Play(PlayArgs),
    /// Review a recorded match: what every turn was worth, each decision that cost something, and where it was decided.
    ///
    /// A decision is judged by what it makes sure of against the best that can follow. It is marked where it changed the result, or
    /// lost margin: chips to spare.
    #[command(after_help = "\
Examples:
  richman review game.txt
  richman review game.txt --svg margins.svg
  richman review - --json < game.txt")]
    Review(ReviewArgs),
    /// Serve the web application: play against the computer or a friend by link, explore positions, review games, and the same for programs.
    ///
    /// Matches are kept in one file; an action is on the disk before it is answered, so the server can be stopped at any time and started again.
    /// It stops at Ctrl-C. Whoever has the link of a seat plays for it: others on the network need `--listen 0.0.0.0:8080`, and over the internet
    /// a server in front of it that speaks https.
    #[command(after_help = "\
Examples:
  richman serve
  richman serve --listen 127.0.0.1:0 --memory
  richman serve --store /var/lib/richman/matches.sqlite --host richman.example --keep 365 --log")]
    Serve(ServeArgs),
    /// List the games and their parameters.
    List(ListArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}

/// Which position of which game, and how it is bid for.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// The game: NAME[:key=value,...], expr:EXPRESSION, the path of a game file, or - for a game file on standard input
    pub game: String,
    /// Start from this position, in the game's own notation; for boards A, B and . by rows from the top: A.B/.A./...;
    /// for chess FEN without the side to move: 4k3/8/8/8/8/8/8/R3K2R KQ
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// A play of more than this many moves is a draw
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub within: Option<u32>,
    /// Most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// The mechanism.
    #[command(flatten)]
    pub mechanism: MechanismArgs,
}

/// How bids are made, won and paid; every flag overrides the preset. A combination that cannot be solved is refused with what can.
#[derive(Debug, Args)]
#[command(next_help_heading = "Mechanism")]
pub struct MechanismArgs {
    /// The mechanism of a paper: develin-payne, larsson or gasarch [default: develin-payne, for scores larsson]
    #[arg(long)]
    pub preset: Option<Preset>,
    /// Who is paid: richman (the other player), poorman (the bank), or with taxman:T the part T goes to the other player and the rest
    /// to the bank, such as taxman:1/2
    #[arg(long)]
    pub payment: Option<Payment>,
    /// Who wins ties: advantage (the star's holder decides), marker, alice, bob, loser or winner
    #[arg(long)]
    pub ties: Option<Ties>,
    /// Who knows what: sealed, alice-first or bob-first
    #[arg(long)]
    pub bidding: Option<Bidding>,
    /// What the winner of a bid wins: chooses (who moves) or moves (must move)
    #[arg(long)]
    pub right: Option<Right>,
    /// What may be bid: all, or amounts such as 0+5
    #[arg(long)]
    pub bids: Option<Bids>,
}

impl MechanismArgs {
    /// The preset with the given choices in place of its own.
    pub fn mechanism(&self) -> Mechanism {
        self.mechanism_or(Preset::default())
    }

    /// The same where no preset given means `usual`.
    pub fn mechanism_or(&self, usual: Preset) -> Mechanism {
        let preset = self.preset.unwrap_or(usual).mechanism();
        Mechanism {
            payment: self.payment.clone().unwrap_or(preset.payment),
            ties: self.ties.unwrap_or(preset.ties),
            bidding: self.bidding.unwrap_or(preset.bidding),
            right: self.right.unwrap_or(preset.right),
            bids: self.bids.clone().unwrap_or(preset.bids),
        }
    }
}

/// How a report is printed.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub struct FormatArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// Flags of `solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The game and the mechanism.
    #[command(flatten)]
    pub game: GameArgs,
    /// Real money on games that can repeat a position: exact thresholds or an error, never bounds. With poorman and taxman such
    /// games only have bounds
    #[arg(help_heading = "Real money", long)]
    pub exact: bool,
    /// Real money: the width of bounds to aim at where exact thresholds do not fit, such as 1e-12
    #[arg(
        help_heading = "Real money",
        long,
        value_name = "WIDTH",
        default_value = "2^-40",
        allow_hyphen_values = true
    )]
    pub width: Width,
    /// Real money: how many seconds to look for exact thresholds and narrow bounds
    #[arg(help_heading = "Real money", long, value_name = "SECONDS", default_value_t = MONEY_SECONDS, allow_hyphen_values = true)]
    pub time: u64,
    /// Real money on boards of Connect and Tic-Tac-Toe too large to solve: keep bounds in a file, and go on from those that are in it
    #[arg(help_heading = "Real money", long, value_name = "FILE", conflicts_with_all = ["chips", "alice", "exact", "db", "save"])]
    pub bounds: Option<PathBuf>,
    /// Bid with chips, this many in all; without it with real money
    #[arg(help_heading = "Chips", long, value_name = "TOTAL", allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// What Alice holds, such as 4*: adds the outcome and advice for both players
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", requires = "bob", allow_hyphen_values = true)]
    pub alice: Option<Holding>,
    /// What Bob holds; exactly one of the two carries the star, where there is one
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", requires = "alice", allow_hyphen_values = true)]
    pub bob: Option<Holding>,
    /// With both holdings: print a line of best play, turn by turn
    #[arg(help_heading = "Chips", long, requires = "alice", conflicts_with_all = ["csv", "db"])]
    pub trace: bool,
    /// Save the solution of every position to a file that `richman verify` proves
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub save: Option<PathBuf>,
    /// Look the position up in a database that `richman build` made
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["save", "svg"])]
    pub db: Option<PathBuf>,
    /// Hex with real money: draw the board to an SVG file, every cell coloured by how often it decides; - for standard output in place of
    /// the text
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["chips", "alice", "save"])]
    pub svg: Option<PathBuf>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Flags of `random-turn`.
#[derive(Debug, Args)]
pub struct RandomTurnArgs {
    /// The game: NAME[:key=value,...], expr:EXPRESSION, the path of a game file, or - for a game file on standard input
    pub game: String,
    /// Start from this position, in the game's own notation
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// How many games are played
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_hyphen_values = true)]
    pub games: u64,
    /// Look so many moves ahead at most, and play games of at most so many
    #[arg(long, value_name = "MOVES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_hyphen_values = true)]
    pub within: u32,
    /// What all chance comes from
    #[arg(long, value_name = "NUMBER", default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    /// Most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Flags of `table`.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// The game and the mechanism.
    #[command(flatten)]
    pub game: GameArgs,
    /// The totals, both ends included: 0..255, or one total [default: 0..31]
    #[arg(help_heading = "Chips", long, value_name = "FROM..TO", allow_hyphen_values = true)]
    pub chips: Option<Totals>,
    /// In place of totals: what Alice needs against so many chips of Bob. Where the bank is paid no total stays, and this is what is
    /// printed [default then: 0..20]
    #[arg(
        help_heading = "Chips",
        long,
        value_name = "FROM..TO",
        conflicts_with_all = ["chips", "alice", "save", "stability", "svg"],
        allow_hyphen_values = true
    )]
    pub bob: Option<Totals>,
    /// In place of totals: what Bob needs against so many chips of Alice
    #[arg(
        help_heading = "Chips",
        long,
        value_name = "FROM..TO",
        conflicts_with_all = ["chips", "save", "stability", "svg"],
        allow_hyphen_values = true
    )]
    pub alice: Option<Totals>,
    /// Say for which totals the game is unstable: best play with chips needs moves that are not best with real money
    #[arg(help_heading = "Chips", long, conflicts_with = "csv")]
    pub stability: bool,
    /// How many seconds to look for the proof of each period
    #[arg(help_heading = "Chips", long, value_name = "SECONDS", default_value_t = 30, allow_hyphen_values = true)]
    pub time: u64,
    /// Save the solution of every position and total to a file that `richman verify` proves
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub save: Option<PathBuf>,
    /// Save the rules of every position, for all totals, to a file by which `richman verify` proves the periods
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<PathBuf>,
    /// Draw the table to an SVG file, or with - to standard output in place of the table
    ///
    /// (a) Win and draw thresholds less their real-money share R of the total. Of more than 4096 totals only the extremes are
    /// drawn, and the figure says so. (b, c) Who can force a win, for Alice's chips against Bob's when Alice or Bob holds the
    /// star: up to 63 chips each, and in all as many as the greatest total; smaller totals than asked for are solved too.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Flags of `scores`.
#[derive(Debug, Args)]
pub struct ScoresArgs {
    /// The game: subtraction[:heap=9,set=1+3+5], the path of a game file with scores, or - for one on standard input
    pub game: String,
    /// Start from this position, in the game's own notation
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// The mechanism.
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    /// The number of chips, both players' together
    #[arg(help_heading = "Chips", long, value_name = "TOTAL", allow_hyphen_values = true)]
    pub total: Total,
    /// What Alice holds, such as 4*; Bob has the rest. Adds the value and all best bids of both
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", allow_hyphen_values = true)]
    pub alice: Option<Holding>,
    /// What every pair of bids leads to, with the holding of --alice
    #[arg(help_heading = "Chips", long, requires = "alice")]
    pub bids_table: bool,
    /// The values of every position that can be reached
    #[arg(help_heading = "Chips", long, conflicts_with = "bids_table")]
    pub all: bool,
    /// Draw the values of all positions to an SVG file, positions (heaps) against Alice's chips, or with - to standard output in
    /// place of the table
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Flags of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The first game: NAME[:key=value,...], expr:EXPRESSION, the path of a game file, or - for a game file on standard input
    #[arg(value_name = "G")]
    pub game: String,
    /// The second game, in the same way
    #[arg(value_name = "H")]
    pub other: String,
    /// Start G from this position, in the game's own notation; for boards A, B and . by rows from the top: A.B/.A./...
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Start H from this position
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub other_position: Option<String>,
    /// A play of more than this many moves is a draw, in both games
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub within: Option<u32>,
    /// Most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// How many seconds to look for the proof for all totals, in each game; without one the totals up to 1023 are compared
    #[arg(long, value_name = "SECONDS", default_value_t = 60, allow_hyphen_values = true)]
    pub time: u64,
    /// The mechanism.
    #[command(flatten)]
    pub mechanism: MechanismArgs,
    /// Print JSON
    #[arg(help_heading = "Output", long)]
    pub json: bool,
}

/// Flags of `tree`.
#[derive(Debug, Args)]
pub struct TreeArgs {
    /// The game and the mechanism.
    #[command(flatten)]
    pub game: GameArgs,
    /// The best moves for this many chips in all; without it for real money
    #[arg(help_heading = "Tree", long, value_name = "TOTAL", allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// The best moves for the draw threshold: Bob plays to win, Alice to prevent it
    #[arg(help_heading = "Tree", long)]
    pub draw: bool,
    /// Every move to another position that is equally good, not only one
    #[arg(help_heading = "Tree", long)]
    pub all: bool,
    /// Also the positions that are won at once
    #[arg(help_heading = "Tree", long)]
    pub full: bool,
    /// No moves from positions that equal A^n, B^n or E: their wedge sum says it all
    #[arg(help_heading = "Tree", long)]
    pub short: bool,
    /// Only the first moves
    #[arg(help_heading = "Tree", long, value_name = "MOVES", allow_hyphen_values = true)]
    pub depth: Option<u32>,
    /// How many seconds to look for the proof of wedge sums; also, on games that can repeat a position, for exact thresholds
    #[arg(help_heading = "Tree", long, value_name = "SECONDS", default_value_t = 20, allow_hyphen_values = true)]
    pub time: u64,
    /// Print wedge sums in full however long they are
    #[arg(long, help_heading = "Output", conflicts_with_all = ["dot", "svg", "json"])]
    pub wide: bool,
    /// Print a graph for Graphviz
    #[arg(long, help_heading = "Output", conflicts_with_all = ["svg", "json"])]
    pub dot: bool,
    /// Print a picture in SVG
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub svg: bool,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Write to a file in place of standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

/// Flags of `duel`.
#[derive(Debug, Args)]
pub struct DuelArgs {
    /// The game and the mechanism.
    #[command(flatten)]
    pub game: GameArgs,
    /// The first player, who is Alice in the first game
    #[arg(help_heading = "Players", long, value_name = "PLAYER", default_value = "best")]
    pub alice: Strength,
    /// The second player
    #[arg(help_heading = "Players", long, value_name = "PLAYER", default_value = "greedy")]
    pub bob: Strength,
    /// How many games
    #[arg(help_heading = "Games", long, value_name = "NUMBER", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000), allow_hyphen_values = true)]
    pub games: u64,
    /// Start from every division of this many chips, with the star on either side, one after the other
    #[arg(
        help_heading = "Games",
        long,
        value_name = "TOTAL",
        default_value = "8",
        conflicts_with = "holdings",
        allow_hyphen_values = true
    )]
    pub chips: Total,
    /// Start from these holdings, Alice's and Bob's, such as 4*:4; several, one after the other: 4*:4,4:4*
    #[arg(
        help_heading = "Games",
        long,
        value_name = "ALICE:BOB,...",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub holdings: Vec<Holdings>,
    /// So many random moves, of the two players in turn, before every match: the same before the two games with exchanged roles
    #[arg(help_heading = "Games", long, value_name = "MOVES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000), allow_hyphen_values = true)]
    pub opening: u32,
    /// Print the time that each player takes for an action
    #[arg(help_heading = "Output", long)]
    pub times: bool,
    /// The first player is Alice in every game; without it the two take turns
    #[arg(help_heading = "Games", long)]
    pub no_exchange: bool,
    /// What all chance comes from
    #[arg(help_heading = "Games", long, default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    /// How many seconds to take for solving the game first
    #[arg(help_heading = "Players", long, value_name = "SECONDS", default_value_t = 60, allow_hyphen_values = true)]
    pub time: u64,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Flags of `build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The game: connect or tic-tac-toe with its parameters, or chess:pieces=KQK and the like
    pub game: String,
    /// The folder for the database; one that is there already is gone on with
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
    /// Bid with chips: totals, such as 8 or 0..20, for chess with three pieces up to 64; without it with real money
    #[arg(long, value_name = "TOTALS", allow_hyphen_values = true)]
    pub chips: Option<Totals>,
    /// Only say how much memory, disk and time it needs
    #[arg(long)]
    pub plan: bool,
    /// Most memory to use; with little, layers are read back from the disk
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// Most room on the disk to use
    #[arg(long, value_name = "SIZE", default_value = "40GiB", allow_hyphen_values = true)]
    pub disk: Memory,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The saved solution, or the folder of a database
    pub file: PathBuf,
    /// Do not prove a database of chess, but tell what is remarkable about its classes
    #[arg(long)]
    pub survey: bool,
    /// Most memory to use, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `unitary`.
#[derive(Debug, Args)]
pub struct UnitaryArgs {
    /// The totals whose heaps of convergence are printed, such as 0..300
    #[arg(long, value_name = "TOTALS", default_value = "0..20", allow_hyphen_values = true)]
    pub totals: Totals,
    /// Print the bidding automaton of this total instead
    #[arg(long, value_name = "TOTAL", conflicts_with = "totals", allow_hyphen_values = true)]
    pub automaton: Option<Total>,
    /// Draw to an SVG file, or with - to standard output in place of the text
    ///
    /// Of totals: where they converge, the bound of LPR20 and a fitted law. Of an automaton: the winning bids as LPR20 draws them
    /// in figures 3 to 6.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// The format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Flags of `reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// A paper's key (DP10, G12, K, GSZ09, LPR20), BOARDS for what was found here, the id of a result or its beginning; everything without it
    #[arg(default_value = "")]
    pub key: String,
    /// Check theorems over larger ranges; takes minutes
    #[arg(long)]
    pub deep: bool,
    /// Most memory to use for a board; larger ones are left out
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game: NAME[:key=value,...], expr:EXPRESSION, or the path of a game file
    pub game: String,
    /// Start from this position, in the game's own notation; for boards A, B and . by rows from the top: A.B/.A./...;
    /// for chess FEN without the side to move: 4k3/8/8/8/8/8/8/R3K2R KQ
    #[arg(long, allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Whom to play: alice or bob
    #[arg(long = "as", value_name = "PLAYER", default_value = "alice", conflicts_with = "two")]
    pub side: Side,
    /// Two people at this keyboard: bids are typed unseen
    #[arg(long)]
    pub two: bool,
    /// How well the computer plays: perfect, best (perfect where the game can be solved), advanced, intermediate, beginner, rounding,
    /// greedy or random; with a chance to err if you like, such as best:errs=1/5
    #[arg(long, default_value = "best", conflicts_with = "two")]
    pub level: Strength,
    /// The computer's dice: the same seed and the same input make the same match
    #[arg(long, value_name = "NUMBER", conflicts_with = "two", allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// This many turns and no win are a draw
    #[arg(long, value_name = "TURNS", allow_hyphen_values = true)]
    pub limit: Option<u32>,
    /// Most memory to use for solving the game, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// The number of chips, both players' together: half for each, Alice begins with the star [default: 16]
    #[arg(help_heading = "Chips", long, value_name = "TOTAL", conflicts_with_all = ["alice", "bob"], allow_hyphen_values = true)]
    pub chips: Option<Total>,
    /// What Alice holds at the start, such as 4*
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", requires = "bob", allow_hyphen_values = true)]
    pub alice: Option<Holding>,
    /// What Bob holds at the start; exactly one of the two carries the star, where there is one
    #[arg(help_heading = "Chips", long, value_name = "HOLDING", requires = "alice", allow_hyphen_values = true)]
    pub bob: Option<Holding>,
    /// The mechanism.
    #[command(flatten)]
    pub mechanism: MechanismArgs,
}

/// Flags of `richman serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The address and port to listen on; port 0 takes one that is free. Others can reach addresses other than 127.0.0.1
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: std::net::SocketAddr,
    /// The file that matches are kept in; made if there is none
    #[arg(long, value_name = "FILE", default_value = "richman.sqlite", conflicts_with = "memory")]
    pub store: PathBuf,
    /// Keep nothing: matches end with the server
    #[arg(long)]
    pub memory: bool,
    /// Answer to this name too, for servers behind another one or on a network; may be given several times. Without it a server at 127.0.0.1
    /// answers to the names of this machine, and one at another address to any
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Forget matches in which nothing happened for this many days [default: keep all]
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36500))]
    pub keep: Option<u32>,
    /// Log every request on standard error: method, kind of page, status, milliseconds. Addresses are not logged, for they hold secrets
    #[arg(long)]
    pub log: bool,
}

/// Flags of `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// The record of a match, or - for one on standard input
    pub file: PathBuf,
    /// Most memory to use for solving the game, such as 500MB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", allow_hyphen_values = true)]
    pub memory: Memory,
    /// Draw both players' margins over the turns to an SVG file, or with - to standard output in place of the text
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Flags of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_override_the_preset() {
        let cli = Cli::parse_from(["richman", "solve", "tic-tac-toe", "--preset", "larsson", "--right", "chooses"]);
        let Command::Solve(args) = cli.command else { panic!("solve") };
        let mechanism = args.game.mechanism.mechanism();
        assert_eq!((mechanism.ties, mechanism.right), (Ties::Marker, Right::Chooses));
    }
}
