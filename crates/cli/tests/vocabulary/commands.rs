//! The commands and their output, for the tests of both. The tests of flags compare this list with
//! the definitions.

pub struct Report {
    pub command: &'static str,
    /// Whether it has `--svg FILE`.
    pub draws: bool,
    /// Calls whose output is tested. `{record}`, `{saved}` and `{folder}` are files of the test.
    pub calls: &'static [Call],
}

/// A call, and the place of its `--csv` rows in its `--json`.
pub struct Call {
    /// The words after the command.
    pub args: &'static str,
    /// The JSON pointer of the list of rows; of the report itself if it is one row.
    pub rows: &'static str,
    /// Columns, and the pointers of their values in a row.
    pub columns: &'static [(&'static str, &'static str)],
}

const fn call(args: &'static str, rows: &'static str, columns: &'static [(&'static str, &'static str)]) -> Call {
    Call { args, rows, columns }
}

/// Commands that print no report.
#[rustfmt::skip]
pub const NO_REPORTS: [&str; 9] = ["convert", "export", "play", "serve", "site", "store", "completions", "man", "help"];

const THRESHOLDS: &[(&str, &str)] = &[
    ("win", "/win/threshold"),
    ("win_plain", "/win/plain"),
    ("win_star", "/win/star"),
    ("draw", "/draw/threshold"),
    ("draw_plain", "/draw/plain"),
    ("draw_star", "/draw/star"),
];
const NEEDS: &[(&str, &str)] = &[("win_plain", "/win/plain"), ("win_star", "/win/star"), ("draw_plain", "/draw/plain")];
const MONEY: &[(&str, &str)] = &[
    ("game", "/game"),
    ("position", "/position"),
    ("win", "/win_bounds/0"),
    ("win", "/win_bounds/1"),
    ("win_low", "/win_decimals/0"),
    ("win_high", "/win_decimals/1"),
    ("draw", "/draw"),
    ("draw_low", "/draw_decimals/0"),
    ("draw_high", "/draw_decimals/1"),
    ("exact", "/exact"),
    ("bid", "/bid"),
    ("bid_low", "/bid_decimals/0"),
    ("bid_high", "/bid_decimals/1"),
    ("alice_moves", "/moves/alice"),
];
const CHANCE: &[(&str, &str)] = &[
    ("chance_low", "/chance_decimals/0"),
    ("from_threshold_low", "/from_threshold_decimals/0"),
    ("from_threshold_high", "/from_threshold_decimals/1"),
    ("agree", "/agree"),
    ("games", "/games"),
    ("cut_off_if_failed", "/cut_off_fails/cut_off"),
];
const BOUNDS: &[(&str, &str)] = &[
    ("game", "/game"),
    ("win_low", "/win_decimals/0"),
    ("win_high", "/win_decimals/1"),
    ("draw_low", "/draw_decimals/0"),
    ("bid_high", "/bid_decimals/1"),
    ("exact", "/exact"),
];
const REVIEW: &[(&str, &str)] = &[
    ("turn", "/turn"),
    ("position", "/position"),
    ("alice", "/alice"),
    ("outcome", "/worth/outcome"),
    ("alice_win_margin", "/worth/margin/alice/win"),
    ("alice_bids", "/alice_bids"),
    ("move", "/move"),
];

pub const REPORTS: [Report; 13] = [
    Report {
        command: "solve",
        draws: true,
        calls: &[
            call("tic-tac-toe", "", MONEY),
            call("tug-of-war:length=7 --payment poorman", "", BOUNDS),
            call("hex:size=3", "", &[("low", "/win_decimals/0"), ("bid_low", "/bid_decimals/0")]),
            call("hex:size=3", "/cells", &[]),
            call("chess --time 0", "", &[("estimated_need", "/estimate/needs"), ("alice_moves", "/moves/alice")]),
            call("tic-tac-toe --chips 8", "", THRESHOLDS),
            call(
                "tug-of-war --alice 3* --chips 6",
                "",
                &[("alice", "/alice"), ("bob", "/bob"), ("outcome", "/outcome")],
            ),
            call("tug-of-war --payment poorman --alice 3* --bob 3", "", NEEDS),
            call(
                "tic-tac-toe --all",
                "/rows",
                &[("position", "/position"), ("win", "/win"), ("draw_low", "/draw_decimals/0")],
            ),
            call(
                "connect:rows=2,cols=3,line=2 --chips 5 --all",
                "/rows",
                &[("end", "/end"), ("win_star", "/win/star")],
            ),
            call("tug-of-war --alice 3* --bob 3 --all", "/rows", &[("position", "/position"), ("outcome", "/outcome")]),
            call("tug-of-war --payment poorman --alice 3* --bob 3 --all", "/rows", &[("within", "/within")]),
        ],
    },
    Report {
        command: "table",
        draws: true,
        calls: &[
            call("tic-tac-toe --chips 0..9", "/rows", THRESHOLDS),
            call("tug-of-war --right moves --ties marker --chips 0..9", "/rows", THRESHOLDS),
            call("tug-of-war --payment poorman --bob 0..5", "/rows", NEEDS),
        ],
    },
    Report {
        command: "compare",
        draws: false,
        calls: &[call(
            "tic-tac-toe expr:A^2&B",
            "",
            &[("g", "/g/game"), ("h_class", "/h/class"), ("order", "/order"), ("above", "/witness/above")],
        )],
    },
    Report {
        command: "tree",
        draws: true,
        calls: &[
            call("connect:rows=1,cols=4,line=2", "/edges", &[("label", "/from"), ("move", "/move"), ("wins", "/wins")]),
            call("tic-tac-toe --chips 5 --depth 2 --all", "", &[]),
            call("tug-of-war --draw", "/edges", &[("label", "/from"), ("to", "/to")]),
            call("ultimatum:degree=1", "/nodes/0", &[("win", "/win"), ("win_low", "/win_decimals/0")]),
        ],
    },
    Report {
        command: "scores",
        draws: true,
        calls: &[
            call("subtraction --chips 9", "", &[]),
            call("subtraction:heap=5 --chips 7 --all", "", &[]),
            call("subtraction --alice 6* --chips 9 --bids-table", "", &[]),
        ],
    },
    Report {
        command: "unitary",
        draws: true,
        calls: &[
            call("--chips 0..9", "/rows", &[("total", "/total"), ("converged", "/converged"), ("bound", "/bound")]),
            call("--automaton 9", "", &[]),
        ],
    },
    Report {
        command: "random-turn",
        draws: false,
        calls: &[call("tug-of-war --games 100", "/wins", CHANCE), call("tic-tac-toe --games 100", "/wins", CHANCE)],
    },
    Report {
        command: "duel",
        draws: false,
        calls: &[call(
            "tug-of-war --alice best --bob random --chips 4 --games 20",
            "",
            &[("player", "/players/0"), ("wins", "/wins"), ("score", "/score"), ("bob_losses", "/as_bob/losses")],
        )],
    },
    Report {
        command: "verify",
        draws: false,
        calls: &[call("{saved}", "", &[("valid", "/valid"), ("game", "/game"), ("positions", "/positions")])],
    },
    Report {
        command: "build",
        draws: false,
        calls: &[
            call("tic-tac-toe --out {folder} --plan", "", &[("game", "/game"), ("disk", "/disk")]),
            call("tic-tac-toe --out {folder}", "", &[("fixed", "/fixed"), ("positions", "/positions")]),
            call("chess:pieces=KK,size=8 --out {folder} --plan", "", &[("class", "/class"), ("seconds", "/seconds")]),
        ],
    },
    Report {
        command: "reproduce",
        draws: false,
        calls: &[call("DP10_Figure_3", "/claims", &[("id", "/id"), ("status", "/status"), ("cells", "/cells")])],
    },
    Report { command: "review", draws: true, calls: &[call("{record}", "/turns", REVIEW)] },
    Report {
        command: "list",
        draws: false,
        calls: &[call("", "/games", &[("name", "/name"), ("description", "/description")])],
    },
];
