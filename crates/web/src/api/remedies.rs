//! Remedies in the words of the interface: the keys of its requests.

use richman_core::{AskedQuestion, Choice, Player, Remedy};
use serde::Serialize;
use utoipa::ToSchema;

/// What would help a refused request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Remedy)]
pub struct RemedyJson {
    /// What to do, as a stable code: less, money, later-position, smaller-game, leave-out, add,
    /// change, table or path.
    #[schema(example = "leave-out")]
    remedy: &'static str,
    /// The key to leave out, to add or to change, or the path to ask; null for other remedies.
    #[schema(example = "within")]
    key: Option<&'static str>,
}

/// A remedy for programs and for people; `None` if requests have no such key. Limits of time and
/// memory are the server's.
pub fn remedy(remedy: &Remedy) -> Option<(RemedyJson, String)> {
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
        Remedy::TableByChips => of("table", Some("of"), "ask /api/v1/table with of".to_string()),
        Remedy::Ask(question) => path(*question).and_then(|path| of("path", Some(path), format!("ask {path}"))),
        _ => None,
    }
}

/// The key of a choice.
fn key(choice: Choice) -> Option<&'static str> {
    Some(match choice {
        Choice::Chips => "total",
        Choice::Holding(Player::Alice) => "holdings.alice",
        Choice::Holding(Player::Bob) => "holdings.bob",
        Choice::Holdings => "holdings",
        Choice::Payment => "mechanism.payment",
        Choice::Right => "mechanism.right",
        Choice::Save | Choice::Certificate | Choice::Picture | Choice::Database | Choice::Bounds => return None,
        Choice::KeptLayers | Choice::Target | Choice::Labels | Choice::Exactness | Choice::Width => return None,
        Choice::Depth | Choice::Short | Choice::Trace | Choice::All | Choice::BidsTable | Choice::Stability => {
            return None;
        }
        choice => choice.key(),
    })
}

/// The address that answers a question.
fn path(question: AskedQuestion) -> Option<&'static str> {
    match question {
        AskedQuestion::Worth | AskedQuestion::Scores => Some("/api/v1/solve"),
        AskedQuestion::Table => Some("/api/v1/table"),
        _ => None,
    }
}
