//! What a saved solution claims, in a few words: for the report of its proof.

use richman_core::{Mechanism, Purses};
use richman_formats::MechanismJson;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::{NumberJson, ShareJson};

/// What was proved at every position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProvedClaim {
    /// The kind of solution: the name of the claim in the file.
    pub claim: &'static str,
    /// The numbers that were proved, in words.
    #[serde(skip)]
    pub what: &'static str,
    /// The bidding mechanism.
    pub mechanism: MechanismJson,
    /// The totals of chips, if the claim is about some totals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub totals: Vec<u32>,
    /// Whether the claim is about all totals.
    #[serde(skip)]
    pub all_totals: bool,
    /// The purses, if the claim is about both purses.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "purses")]
    #[schemars(with = "Vec<String>")]
    pub purses: Vec<Purses>,
    /// Alice's share of the money, if the claim is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<ShareJson>,
    /// The average that Alice wants, if the claim is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<NumberJson>,
    /// The least and the greatest long-run average, if there is one for all positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_bounds: Option<[NumberJson; 2]>,
    /// Whether all numbers are exact, and no bounds.
    pub exact: bool,
    /// The number of positions at which all numbers are exact.
    pub exact_positions: usize,
}

fn purses<S: Serializer>(purses: &[Purses], serializer: S) -> Result<S::Ok, S::Error> {
    let words = |purses: &Purses| match purses {
        Purses::UpTo { alice, bob } => format!("up to {alice} and {bob}"),
        Purses::Together(total) => format!("together up to {total}"),
        Purses::Exactly(total) => format!("exactly {total}"),
    };
    serializer.collect_seq(purses.iter().map(words))
}

impl ProvedClaim {
    /// Nothing at no position, by a claim with this name.
    pub fn nothing(claim: &'static str, mechanism: &Mechanism) -> ProvedClaim {
        ProvedClaim {
            claim,
            what: "the thresholds",
            mechanism: mechanism.into(),
            totals: Vec::new(),
            all_totals: false,
            purses: Vec::new(),
            share: None,
            at_least: None,
            average_bounds: None,
            exact: true,
            exact_positions: 0,
        }
    }
}
