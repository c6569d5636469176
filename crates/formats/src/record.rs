//! Records of played games: text that a person can write by hand and read aloud.
//!
//! Tags in brackets describe the game. Each turn has a number, both bids (Alice's first), the
//! winner of the bid, and the move; `5. Bob left` is a move without a bid:
//!
//! ```
//! # use richman_core::Player;
//! # use richman_formats::{MoverAction, Record, RecordResult};
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
//! assert_eq!(record.start.alice.to_string(), "4*");
//! assert_eq!(record.start.bob.to_string(), "4");
//! assert_eq!(record.turns[0].star, Some(Player::Alice));
//! assert_eq!(record.turns[3].played, MoverAction::Move("b1".to_string()));
//! assert_eq!(record.result, Some(RecordResult::Unfinished));
//! assert_eq!(record.to_string(), text);
//! # Ok::<(), richman_formats::FormatError>(())
//! ```
//!
//! `docs/records.md` lists every tag and every kind of turn. Reading does not check whether bids
//! and moves were possible; a replay does. A record that was read prints and reads back unchanged.
//! Any record within the limits reads back as printed.

use std::fmt;

use richman_core::{ByPlayer, Holding, Mechanism, PlayedAverage, Player, Preset};

use crate::excerpt::is_control;

/// The most bytes of a record.
pub const MAX_RECORD_BYTES: u64 = 4 << 20;

/// The most turns of a record.
pub const MAX_TURNS: usize = 100_000;

/// The most tags of a record.
pub const MAX_TAGS: usize = 1000;

/// The most bytes of a move, a bid or the name of a tag.
pub const LONGEST_WORD: usize = 4096;

/// The tags with a fixed meaning.
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

/// The words with a meaning in turns. Moves with such names are quoted.
const KEYWORDS: [&str; 6] = ["Alice", "Bob", "lets", "stuck", "resigns", "none"];

/// A finished or unfinished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The name of the game with its parameters, or a title if there is a file.
    pub game: String,
    /// The game file with the rules, unless the game has a name.
    pub file: Option<String>,
    /// The position where play started, unless it is the start of the game.
    pub position: Option<String>,
    /// How bids were made, won and paid.
    pub mechanism: Mechanism,
    /// What Alice and Bob held before the first turn.
    pub start: ByPlayer<Holding>,
    /// The number of turns after which the game was to be a draw, or cut off.
    pub limit: Option<u32>,
    /// Other tags in order, such as names and dates. Names are distinct, not in [`TAGS`], consist
    /// of letters, digits, `_` and `-`, and start with a letter.
    pub tags: Vec<(String, String)>,
    /// The result, if the record states it.
    pub result: Option<RecordResult>,
    /// Comments before the first turn.
    pub comments: Vec<String>,
    /// The completed turns.
    pub turns: Vec<RecordTurn>,
    /// An incomplete last turn with known bids.
    pub open: Option<OpenTurn>,
    /// The resignation, if a player gave up.
    pub resignation: Option<Resignation>,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordResult {
    /// That player won.
    Win(Player),
    /// Nobody won.
    Draw,
    /// A scoring game ended with this score for Alice.
    Score(i64),
    /// Play that need not end was cut off; nobody won.
    CutOff,
    /// Play was cut off, and this was the average of its weights.
    Average(PlayedAverage),
    /// The game did not end.
    Unfinished,
}

/// A completed turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordTurn {
    /// Alice's and Bob's bids; `None` if a player had no allowed bid, and for both if a player
    /// moved without a bid.
    pub bids: ByPlayer<Option<u32>>,
    /// The player who used the star in a tie.
    pub star: Option<Player>,
    /// The winner of the bid; the mover where there was none.
    pub winner: Player,
    /// The player who moved: the winner, or the other player if the winner let them.
    pub mover: Player,
    /// The mover's action.
    pub played: MoverAction,
    /// Comments on the turn.
    pub comments: Vec<String>,
}

/// A mover's action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoverAction {
    /// A move, by its name in the game.
    Move(String),
    /// No move was possible; the game ended.
    Stuck,
}

/// A turn that stopped after the bids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTurn {
    /// Alice's and Bob's bids; `None` if a player had no allowed bid.
    pub bids: ByPlayer<Option<u32>>,
    /// The player who used the star in a tie.
    pub star: Option<Player>,
    /// The winner of the bid and the player to move; `None` while a tie is undecided.
    pub won: Option<[Player; 2]>,
    /// Comments on the turn.
    pub comments: Vec<String>,
}

/// A player's resignation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resignation {
    /// The player.
    pub player: Player,
    /// Comments on it.
    pub comments: Vec<String>,
}

impl Record {
    /// A record without turns, from the start of the game, under the default mechanism.
    pub fn new(game: &str, start: ByPlayer<Holding>) -> Record {
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
            RecordResult::CutOff => f.pad("cut off"),
            RecordResult::Average(average) => f.pad(&format!("average {average}")),
            RecordResult::Unfinished => f.pad("unfinished"),
        }
    }
}

/// Prints the form that reads back as the same record.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        tag(f, "Game", &self.game)?;
        optional_tag(f, "File", self.file.as_ref())?;
        optional_tag(f, "Position", self.position.as_ref())?;
        mechanism_tags(f, &self.mechanism)?;
        tag(f, "Alice", &self.start.alice.to_string())?;
        tag(f, "Bob", &self.start.bob.to_string())?;
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
                MoverAction::Stuck => f.write_str(" stuck")?,
                MoverAction::Move(name) if is_bare(name) => write!(f, " {name}")?,
                MoverAction::Move(name) => f.write_str(" ").and_then(|()| quoted(f, name))?,
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

/// A preset if one fits, otherwise the choices that differ from the default.
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

fn bids(f: &mut fmt::Formatter<'_>, number: usize, bids: ByPlayer<Option<u32>>, star: Option<Player>) -> fmt::Result {
    if bids == ByPlayer::both(None) {
        return write!(f, "{number}.");
    }
    let word = |player: Player| {
        let bid = bids[player].map_or("none".to_string(), |bid| bid.to_string());
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

/// Comments keep their line breaks.
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

/// Whether `c` may occur in an unquoted word.
pub(crate) fn is_word(c: char) -> bool {
    !(c.is_whitespace() || is_control(c) || matches!(c, '"' | '{' | '}' | '[' | ']' | '\\'))
}

pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether a word begins like a turn number.
pub(crate) fn is_turn_number(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < word.len() && rest.starts_with('.')
}

/// Whether a move needs no quotes.
fn is_bare(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_word) && !is_keyword(name) && !is_turn_number(name)
}
