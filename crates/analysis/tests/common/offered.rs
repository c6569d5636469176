//! Games for tests of offers: every listed win-lose game, and games far too large to solve.

use richman_analysis::{Question, Stake, Subject};
use richman_core::{Aim, Effort, Mechanism, Payment, Total};

/// Unlisted games that are far too large to solve, or whose arena is.
const LARGE: [&str; 16] = [
    "connect:rows=7,cols=8",
    "connect:rows=8,cols=7,line=5",
    "connect:rows=1,cols=32,line=4",
    "tic-tac-toe:rows=5,cols=5,line=4",
    "tic-tac-toe:rows=7,cols=7,line=5",
    "tic-tac-toe:rows=8,cols=7,line=5",
    "hex:size=8",
    "hex:size=14",
    "hex:size=16",
    "hex:rows=3,cols=6",
    "y:size=8",
    "chess:pieces=KQKR",
    "chess:size=4",
    "tug-of-war:length=1000000",
    "ultimatum:degree=1000000",
    "expr:(A^10000 & B^10000) & (A^4 & B)",
];

/// Every listed win-lose game, those of [`LARGE`], and a game file of 100,000 positions.
pub fn subjects() -> Vec<Subject> {
    let listed = richman_games::Games::default().list();
    let named = listed.iter().map(|info| match info.name {
        "expr" => "expr:A & B".to_string(),
        name => name.to_string(),
    });
    let is_won = |name: &String| richman_games::Games::default().find(name).unwrap().aim() == Aim::Win;
    let mut subjects: Vec<Subject> =
        named.filter(is_won).chain(LARGE.map(str::to_string)).map(|name| Subject::named(&name).unwrap()).collect();
    assert_eq!(subjects.len(), listed.len() - 1 + LARGE.len(), "one game of the list is played for a score");
    subjects.push(long_file(100_000));
    subjects
}

/// A game file in which every move leads one or two positions on.
pub fn long_file(length: u32) -> Subject {
    let position = |number: u32| format!(r#""{number}": {{"both": ["{}", "{}"]}}"#, number + 1, number + 2);
    let positions: Vec<String> = (0..length).map(position).collect();
    let file = format!(
        r#"{{"name": "long", "start": "0", "positions": {{{},
            "{length}": {{"winner": "alice"}}, "{}": {{"winner": "bob"}}}}}}"#,
        positions.join(","),
        length + 1
    );
    Subject::from_file("long.json", file.as_bytes(), &Effort::default()).unwrap()
}

/// Real money, chips, every position, and a bank.
pub fn questions() -> [Question; 4] {
    let stake = Stake::Total(Total::new(100).unwrap());
    let usual = Question::new(Mechanism::default());
    let poorman = Question::new(Mechanism { payment: Payment::Poorman, ..Mechanism::default() });
    [usual.clone(), Question { stake, ..usual.clone() }, Question { all: true, ..usual }, poorman]
}
