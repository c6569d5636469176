//! The mechanism as a JSON object: five keys, each with the word that is written on the command line.

use richman_core::{Bidding, Bids, Mechanism, Payment, Right, Ties};
use serde::de::{DeserializeSeed, Error, MapAccess};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::{Context, Fields, Object, Word};

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
        let Mechanism { payment, ties, bidding, right, bids } = &self.0;
        let mut object = serializer.serialize_struct("Mechanism", 5)?;
        object.serialize_field("payment", &payment.to_string())?;
        object.serialize_field("ties", &ties.to_string())?;
        object.serialize_field("bidding", &bidding.to_string())?;
        object.serialize_field("right", &right.to_string())?;
        object.serialize_field("bids", &bids.to_string())?;
        object.end()
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
    payment: Option<Payment>,
    ties: Option<Ties>,
    bidding: Option<Bidding>,
    right: Option<Right>,
    bids: Option<Bids>,
}

impl<'de> Fields<'de> for MechanismFields {
    type Value = Mechanism;
    const OBJECT: &'static str = "the mechanism";
    const KEYS: &'static [&'static str] = &["payment", "ties", "bidding", "right", "bids"];

    fn read<A: MapAccess<'de>>(&mut self, context: &Context<'_>, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "payment" => self.payment = Some(map.next_value_seed(Word::new(context, "payment"))?),
            "ties" => self.ties = Some(map.next_value_seed(Word::new(context, "ties"))?),
            "bidding" => self.bidding = Some(map.next_value_seed(Word::new(context, "bidding"))?),
            "right" => self.right = Some(map.next_value_seed(Word::new(context, "right"))?),
            _ => self.bids = Some(map.next_value_seed(Word::new(context, "bids"))?),
        }
        Ok(())
    }

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<Mechanism, E> {
        Ok(Mechanism {
            payment: context.required(self.payment, Self::OBJECT, "payment")?,
            ties: context.required(self.ties, Self::OBJECT, "ties")?,
            bidding: context.required(self.bidding, Self::OBJECT, "bidding")?,
            right: context.required(self.right, Self::OBJECT, "right")?,
            bids: context.required(self.bids, Self::OBJECT, "bids")?,
        })
    }
}
