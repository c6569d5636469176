//! The mechanism as a JSON object: five keys, each with the word that is written on the command line.

use richman_core::Mechanism;
use serde::de::{DeserializeSeed, Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::{Context, Fields, FromText, Object, bad_word};

/// A mechanism that reads and writes itself as an object with the keys payment, ties, bidding, right and bids.
///
/// Reading asks for every key exactly once, and knows no other.
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
/// assert_eq!(Mechanism::from(read), Mechanism::default());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
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

impl From<MechanismJson> for Mechanism {
    fn from(json: MechanismJson) -> Mechanism {
        json.0
    }
}

impl Serialize for MechanismJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Mechanism::CHOICES.into_iter().zip(self.0.words()))
    }
}

impl<'de> Deserialize<'de> for MechanismJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MechanismJson, D::Error> {
        let context = Context::new("");
        match Object::<MechanismFields>::new(&context).deserialize(deserializer) {
            Ok(mechanism) => Ok(MechanismJson(mechanism)),
            Err(error) => Err(context.explain(None).map_or(error, D::Error::custom)),
        }
    }
}

#[derive(Default)]
pub(crate) struct MechanismFields {
    mechanism: Mechanism,
    given: Vec<&'static str>,
}

impl<'de> Fields<'de> for MechanismFields {
    type Value = Mechanism;
    const OBJECT: &'static str = "the mechanism";
    const KEYS: &'static [&'static str] = &Mechanism::CHOICES;

    fn read<A: MapAccess<'de>>(
        &mut self,
        context: &Context<'_>,
        key: &'static str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let read = |word: &str| self.mechanism.choose(key, word).map_err(bad_word);
        map.next_value_seed(FromText { context, what: key, read })?;
        self.given.push(key);
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<Mechanism, E> {
        for key in Self::KEYS {
            context.required(self.given.contains(key).then_some(()), Self::OBJECT, key)?;
        }
        Ok(self.mechanism)
    }
}
