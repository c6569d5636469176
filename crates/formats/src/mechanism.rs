//! The mechanism as a JSON object, in the words of the command line.

use richman_core::{Error, Mechanism};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

/// A mechanism as an object with the keys payment, ties, bidding, right and bids.
///
/// Reading requires each key exactly once and accepts no other.
///
/// ```
/// use richman_core::Mechanism;
/// use richman_formats::MechanismJson;
/// let text = serde_json::to_string(&MechanismJson::from(Mechanism::default()))?;
/// assert_eq!(
///     text,
///     r#"{"payment":"richman","ties":"advantage","bidding":"sealed","right":"chooses","bids":"all"}"#
/// );
/// let read: MechanismJson = serde_json::from_str(&text)?;
/// assert_eq!(read.0, Mechanism::default());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Deserialize, JsonSchema)]
#[serde(try_from = "MechanismWords")]
#[schemars(
    rename = "Mechanism",
    with = "MechanismWords",
    description = "How bids are made, won and paid, one word for each choice."
)]
pub struct MechanismJson(pub Mechanism);

impl From<Mechanism> for MechanismJson {
    fn from(mechanism: Mechanism) -> MechanismJson {
        MechanismJson(mechanism)
    }
}

impl From<&Mechanism> for MechanismJson {
    fn from(mechanism: &Mechanism) -> MechanismJson {
        MechanismJson(mechanism.clone())
    }
}

impl Serialize for MechanismJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Mechanism::CHOICES.into_iter().zip(self.0.words()))
    }
}

/// The object as read: one word per choice.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline, !deny_unknown_fields)]
struct MechanismWords {
    /// Who is paid: `richman` (the other player), `poorman` (the bank), or `taxman:T` (the part T
    /// to the other player, the rest to the bank).
    payment: String,
    /// Who wins a tie.
    ties: String,
    /// Whether bids are sealed, or which player names one first.
    bidding: String,
    /// Whether the winner of the bid chooses who moves, or must move.
    right: String,
    /// Which amounts may be bid.
    bids: String,
}

impl TryFrom<MechanismWords> for MechanismJson {
    type Error = Error;

    fn try_from(
        MechanismWords { payment, ties, bidding, right, bids }: MechanismWords,
    ) -> Result<MechanismJson, Error> {
        let mut mechanism = Mechanism::default();
        for (choice, word) in Mechanism::CHOICES.into_iter().zip([payment, ties, bidding, right, bids]) {
            mechanism.choose(choice, &word)?;
        }
        Ok(MechanismJson(mechanism))
    }
}
