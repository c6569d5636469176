//! Remedies in the keys of requests.

use std::fmt::Display;

use richman_core::{AskedQuestion, Choice, Remedy, shortened, with_remedies};
use serde::Serialize;
use utoipa::ToSchema;

/// What would help a refused request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Remedy)]
pub struct RemedyJson {
    /// What to do, as a stable code: less, money, later-position, smaller-game, leave-out, add,
    /// change, table or path.
    #[schema(example = "leave-out")]
    pub remedy: &'static str,
    /// The key to leave out, to add or to change, or the address or function to ask; null for other
    /// remedies.
    #[schema(example = "within")]
    pub key: Option<&'static str>,
}

/// The longest message, since it may repeat parts of the request.
const LONGEST_MESSAGE: usize = 600;

/// Why a request is refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorJson {
    /// The reason as a stable code.
    #[schema(example = "not-now")]
    code: &'static str,
    /// The reason as a sentence for people.
    #[schema(example = "Bob is not to do that now")]
    message: String,
    /// What would help, if anything is known: each of these alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remedies: Vec<RemedyJson>,
}

impl ErrorJson {
    /// A refusal with its reason, and the remedies with their words.
    pub fn new(
        code: &'static str,
        reason: impl Display,
        remedies: impl Iterator<Item = (RemedyJson, String)>,
    ) -> ErrorJson {
        let (remedies, words): (Vec<_>, Vec<_>) = remedies.unzip();
        ErrorJson { code, message: shortened(&with_remedies(reason, words), LONGEST_MESSAGE), remedies }
    }
}

/// A remedy for programs and for people; `None` if requests have no such key. `asked` is how a
/// question is asked there: an address, or a function.
pub fn remedy(remedy: &Remedy, asked: impl Fn(AskedQuestion) -> Option<&'static str>) -> Option<(RemedyJson, String)> {
    let of = |code, key: Option<&'static str>, words: String| Some((RemedyJson { remedy: code, key }, words));
    match remedy {
        Remedy::AskForLess => of("less", None, "ask for less".to_string()),
        Remedy::AskForMoney => of("money", None, "ask only for the value in real money".to_string()),
        Remedy::LaterPosition => of("later-position", Some("position"), "start from a later position".to_string()),
        Remedy::SmallerGame => of("smaller-game", None, "take a game small enough for exact values".to_string()),
        Remedy::LeaveOut(choice) => key(*choice).and_then(|key| of("leave-out", Some(key), format!("leave out {key}"))),
        Remedy::Give(choice) => key(*choice).and_then(|key| of("add", Some(key), format!("add {key}"))),
        Remedy::Change(choice) => key(*choice).and_then(|key| of("change", Some(key), format!("change {key}"))),
        Remedy::Take(choice, value) => {
            key(*choice).and_then(|key| of("change", Some(key), format!("write {value:?} as {key}")))
        }
        Remedy::TableByChips => {
            asked(AskedQuestion::Table).and_then(|table| of("table", Some("of"), format!("ask {table} with of")))
        }
        Remedy::Ask(question) => asked(*question).and_then(|path| of("path", Some(path), format!("ask {path}"))),
        _ => None,
    }
}

/// The key of a choice.
fn key(choice: Choice) -> Option<&'static str> {
    Some(match choice {
        Choice::CHIPS => "total",
        Choice::ALICE => "holdings.alice",
        Choice::BOB => "holdings.bob",
        Choice::HOLDINGS => "holdings",
        Choice::PAYMENT => "mechanism.payment",
        Choice::RIGHT => "mechanism.right",
        Choice::SAVE | Choice::CERTIFICATE | Choice::PICTURE | Choice::DATABASE | Choice::BOUNDS => return None,
        Choice::KEPT_LAYERS | Choice::TARGET | Choice::LABELS | Choice::EXACTNESS | Choice::WIDTH => return None,
        Choice::DEPTH | Choice::SHORT | Choice::TRACE | Choice::ALL | Choice::BIDS_TABLE | Choice::STABILITY => {
            return None;
        }
        choice => choice.key(),
    })
}
