//! Records of played games: a text that a person can write by hand and read aloud.
//!
//! Tags in brackets say what was played, then every turn has a number, both bids (Alice's first), who won the bid, and the move:
//!
//! ```
//! # use richman_core::Player;
//! # use richman_formats::{Played, Record, RecordResult};
//! let text = r#"[Game "tic-tac-toe"]
//! [Alice "4*"]
//! [Bob "4"]
//! [Event "Lunch"]
//! [Result "unfinished"]
//!
//! 1. 1*-1 Alice b2 {the centre}
//! 2. 1-1* Bob a1
//! 3. 2-2 Bob c1
//! 4. 2-1 Alice lets Bob b1
//! "#;
//! let record = Record::parse("lunch.txt", text.as_bytes())?;
//! assert_eq!(record.start.map(|holding| holding.to_string()), ["4*", "4"]);
//! assert_eq!(record.turns[0].star, Some(Player::Alice));
//! assert_eq!(record.turns[3].played, Played::Move("b1".to_string()));
//! assert_eq!(record.result, Some(RecordResult::Unfinished));
//! assert_eq!(record.to_string(), text);
//! # Ok::<(), richman_formats::FormatError>(())
//! ```
//!
//! `docs/records.md` has every tag and every kind of turn. The text is read as such: whether the bids and moves were possible is for a
//! replay to say. What is read prints, and reads back, as the same record; what is printed reads back if it keeps within the limits.

use std::fmt;

use richman_core::{Holding, Mechanism, Player, Preset};

use crate::error::is_control;

/// Records have at most so many bytes.
pub const MAX_RECORD_BYTES: u64 = 4 << 20;

/// A record has at most so many turns.
pub const MAX_TURNS: usize = 100_000;

/// A record has at most so many tags.
pub const MAX_TAGS: usize = 1000;

/// A move, a bid or the name of a tag has at most so many bytes.
pub const LONGEST_WORD: usize = 4096;

/// The tags that are not free.
pub const TAGS: [&str; 13] = [
    "Game",
    "File",
    "Position",
    "Mechanism",
    "Payment",
    "Ties",
    "Bidding",
    "Right",
    "Bids",
    "Alice",
    "Bob",
    "Limit",
    "Result",
];

/// The tags for the choices of the mechanism, in the order of [`Mechanism::CHOICES`].
pub(crate) const MECHANISM_TAGS: [&str; 5] = ["Payment", "Ties", "Bidding", "Right", "Bids"];

/// The words of a turn: a move of that name stands in quotes.
const KEYWORDS: [&str; 6] = ["Alice", "Bob", "lets", "stuck", "resigns", "none"];

/// A game that was played, or is being played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The name of the game with its parameters; with a file, what the game is called.
    pub game: String,
    /// The game file with the rules, if the game is not one that has a name.
    pub file: Option<String>,
    /// Where play started, if not at the start of the game.
    pub position: Option<String>,
    /// How bids were made, won and paid.
    pub mechanism: Mechanism,
    /// What Alice and Bob held before the first turn.
    pub start: [Holding; 2],
    /// After how many turns the game was to be a draw.
    pub limit: Option<u32>,
    /// Other tags with their values, such as names and dates, in their order. A name is letters, digits, `_` and `-`, starts with a
    /// letter, is given once and is none of [`TAGS`].
    pub tags: Vec<(String, String)>,
    /// How the game ended, if the record says so.
    pub result: Option<RecordResult>,
    /// Comments before the first turn.
    pub comments: Vec<String>,
    /// The turns that were completed.
    pub turns: Vec<RecordTurn>,
    /// A last turn whose bids are known and that was not completed.
    pub open: Option<OpenTurn>,
    /// The end, if a player gave up.
    pub resignation: Option<Resignation>,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordResult {
    /// That player won.
    Win(Player),
    /// Nobody won.
    Draw,
    /// A scoring game ended with that score of Alice.
    Score(i64),
    /// It did not end.
    Unfinished,
}

/// A turn that was completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordTurn {
    /// Alice's and Bob's bid; `None` of a player without an allowed bid.
    pub bids: [Option<u32>; 2],
    /// Who used the star, in a tie.
    pub star: Option<Player>,
    /// Who won the bid.
    pub winner: Player,
    /// Who moved: the winner, or the player whom the winner let move.
    pub mover: Player,
    /// What the mover did.
    pub played: Played,
    /// Comments on the turn.
    pub comments: Vec<String>,
}

/// What a mover did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Played {
    /// A move, by its name in the game.
    Move(String),
    /// Nothing: the mover had no move, and the game was over.
    Stuck,
}

/// A turn that stopped once the bids were known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTurn {
    /// Alice's and Bob's bid; `None` of a player without an allowed bid.
    pub bids: [Option<u32>; 2],
    /// Who used the star, in a tie.
    pub star: Option<Player>,
    /// Who won the bid and who is to move; `None` while a tie is undecided.
    pub won: Option<[Player; 2]>,
    /// Comments on the turn.
    pub comments: Vec<String>,
}

/// A player gave up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resignation {
    /// Who.
    pub player: Player,
    /// Comments on it.
    pub comments: Vec<String>,
}

impl Record {
    /// A record without turns, from the start of the game, of the default mechanism.
    pub fn new(game: &str, start: [Holding; 2]) -> Record {
        Record {
            game: game.to_string(),
            file: None,
            position: None,
            mechanism: Mechanism::default(),
            start,
            limit: None,
            tags: Vec::new(),
            result: None,
            comments: Vec::new(),
            turns: Vec::new(),
            open: None,
            resignation: None,
        }
    }
}

impl fmt::Display for RecordResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordResult::Win(player) => player.fmt(f),
            RecordResult::Draw => f.pad("draw"),
            RecordResult::Score(score) => f.pad(&format!("score {score}")),
            RecordResult::Unfinished => f.pad("unfinished"),
        }
    }
}

/// In the form that reads back as the same record.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        tag(f, "Game", &self.game)?;
        optional_tag(f, "File", self.file.as_ref())?;
        optional_tag(f, "Position", self.position.as_ref())?;
        mechanism_tags(f, &self.mechanism)?;
        tag(f, "Alice", &self.start[0].to_string())?;
        tag(f, "Bob", &self.start[1].to_string())?;
        optional_tag(f, "Limit", self.limit)?;
        for (name, value) in &self.tags {
            tag(f, name, value)?;
        }
        optional_tag(f, "Result", self.result)?;
        let no_text = self.comments.is_empty() && self.turns.is_empty();
        if !(no_text && self.open.is_none() && self.resignation.is_none()) {
            f.write_str("\n")?;
        }
        for text in &self.comments {
            comment(f, text)?;
            f.write_str("\n")?;
        }
        for (number, turn) in (1..).zip(&self.turns) {
            bids(f, number, turn.bids, turn.star)?;
            who(f, turn.winner, turn.mover)?;
            match &turn.played {
                Played::Stuck => f.write_str(" stuck")?,
                Played::Move(name) if is_bare(name) => write!(f, " {name}")?,
                Played::Move(name) => f.write_str(" ").and_then(|()| quoted(f, name))?,
            }
            end_of_line(f, &turn.comments)?;
        }
        if let Some(turn) = &self.open {
            bids(f, self.turns.len() + 1, turn.bids, turn.star)?;
            if let Some([winner, mover]) = turn.won {
                who(f, winner, mover)?;
            }
            end_of_line(f, &turn.comments)?;
        }
        if let Some(Resignation { player, comments }) = &self.resignation {
            write!(f, "{player} resigns")?;
            end_of_line(f, comments)?;
        }
        Ok(())
    }
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} ")?;
    quoted(f, value)?;
    f.write_str("]\n")
}

fn optional_tag(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl ToString>) -> fmt::Result {
    value.map_or(Ok(()), |value| tag(f, name, &value.to_string()))
}

/// A preset where there is one, or else the choices that are not those of the default.
fn mechanism_tags(f: &mut fmt::Formatter<'_>, mechanism: &Mechanism) -> fmt::Result {
    let default = Mechanism::default();
    if *mechanism == default {
        return Ok(());
    }
    for preset in [Preset::Larsson, Preset::Gasarch] {
        if *mechanism == preset.mechanism() {
            return tag(f, "Mechanism", &preset.to_string());
        }
    }
    for ((name, word), usual) in MECHANISM_TAGS.into_iter().zip(mechanism.words()).zip(default.words()) {
        optional_tag(f, name, Some(word).filter(|word| *word != usual))?;
    }
    Ok(())
}

fn bids(f: &mut fmt::Formatter<'_>, number: usize, bids: [Option<u32>; 2], star: Option<Player>) -> fmt::Result {
    let word = |player: Player| {
        let bid = bids[player as usize].map_or("none".to_string(), |bid| bid.to_string());
        format!("{bid}{}", if star == Some(player) { "*" } else { "" })
    };
    write!(f, "{number}. {}-{}", word(Player::Alice), word(Player::Bob))
}

fn who(f: &mut fmt::Formatter<'_>, winner: Player, mover: Player) -> fmt::Result {
    write!(f, " {winner}")?;
    if winner == mover { Ok(()) } else { write!(f, " lets {mover}") }
}

fn end_of_line(f: &mut fmt::Formatter<'_>, comments: &[String]) -> fmt::Result {
    for text in comments {
        f.write_str(" ")?;
        comment(f, text)?;
    }
    f.write_str("\n")
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    escaped(f, text, |c| c == '"' || is_control(c))?;
    f.write_str("\"")
}

/// Comments keep their lines.
fn comment(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("{")?;
    escaped(f, text, |c| c == '}' || is_control(c) && c != '\n' && c != '\t')?;
    f.write_str("}")
}

fn escaped(f: &mut fmt::Formatter<'_>, text: &str, special: impl Fn(char) -> bool) -> fmt::Result {
    for c in text.chars() {
        match c {
            '\\' => f.write_str("\\\\")?,
            '\n' if special(c) => f.write_str("\\n")?,
            '"' | '}' if special(c) => write!(f, "\\{c}")?,
            _ if special(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            _ => fmt::Write::write_char(f, c)?,
        }
    }
    Ok(())
}

/// Whether `c` can stand in a word without quotes.
pub(crate) fn is_word(c: char) -> bool {
    !(c.is_whitespace() || is_control(c) || matches!(c, '"' | '{' | '}' | '[' | ']' | '\\'))
}

pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether a word begins like the number of a turn.
pub(crate) fn is_turn_number(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < word.len() && rest.starts_with('.')
}

/// Whether a move can be written without quotes.
fn is_bare(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_word) && !is_keyword(name) && !is_turn_number(name)
}
