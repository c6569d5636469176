//! Numbers in JSON: integers up to 2^53 as numbers, others as strings.

use richman_core::{Mechanism, Outcome, Player, ShareBounds, Threshold, Walk, ranges};
use richman_formats::{HoldingJson, IntegerOrText, MechanismJson, ShareJson};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::NumberJson;

/// The first keys of most reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReportHead {
    /// The game with its parameters.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// The bidding mechanism.
    pub mechanism: MechanismJson,
    /// In a mean-payoff game the long-run average with which Alice wins, if one is asked for. Bob
    /// wins if it is less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<NumberJson>,
}

impl ReportHead {
    /// The head for the current position of `walk`.
    pub fn at(walk: &dyn Walk, mechanism: &Mechanism) -> ReportHead {
        ReportHead { game: walk.game(), position: walk.notation(), mechanism: mechanism.into(), at_least: None }
    }
}

/// A player in JSON.
#[derive(Debug, JsonSchema)]
#[schemars(rename = "Player", rename_all = "lowercase")]
pub enum PlayerWord {
    /// Alice.
    Alice,
    /// Bob.
    Bob,
}

/// An outcome in JSON.
#[derive(Debug, JsonSchema)]
#[schemars(rename = "Outcome", rename_all = "lowercase")]
pub enum OutcomeWord {
    /// Alice wins.
    Alice,
    /// Bob wins.
    Bob,
    /// Neither wins.
    Draw,
    /// Nobody can force a result.
    Undetermined,
}

/// Writes an outcome as a word.
pub(crate) fn as_word<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(outcome)
}

/// Writes a player as `alice` or `bob`.
pub(crate) fn player<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
    as_word(&Outcome::Win(*player), serializer)
}

/// An exact share, `"133/256"`, or bounds on it, `["1/4", "1/2"]`.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(inline)]
pub struct BoundsJson(#[schemars(with = "OneOrTwo<ShareJson>")] pub ShareBounds);

/// An exact number, or bounds on it.
#[derive(Debug, JsonSchema)]
#[schemars(untagged, rename = "{T}Bounds")]
pub enum OneOrTwo<T> {
    /// The number itself.
    Exact(T),
    /// The least and the greatest that it can be.
    Bounds([T; 2]),
}

impl Serialize for BoundsJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_exact() {
            Some(share) => ShareJson(share.clone()).serialize(serializer),
            None => [ShareJson(self.0.low.clone()), ShareJson(self.0.high.clone())].serialize(serializer),
        }
    }
}

/// Writes a share in one shape that every program can read. Beside `win`, which is one number or
/// two, `win_bounds` holds two exact numbers and `win_decimals` the nearest doubles; both ends are
/// equal if the share is exact. Report fields are flattened and name the function of their key.
pub mod shares {
    use richman_core::{Share, ShareBounds};
    use schemars::Schema;
    use serde::{Serialize, Serializer, ser::SerializeMap};
    use serde_json::{Value, json};

    use super::{BoundsJson, ShareJson};

    /// A share that may be missing.
    pub trait OptionalShare {
        /// The bounds, if any.
        fn bounds(&self) -> Option<&BoundsJson>;
    }

    impl OptionalShare for BoundsJson {
        fn bounds(&self) -> Option<&BoundsJson> {
            Some(self)
        }
    }

    impl OptionalShare for Option<BoundsJson> {
        fn bounds(&self) -> Option<&BoundsJson> {
            self.as_ref()
        }
    }

    fn both(share: &BoundsJson) -> ([ShareJson; 2], [f64; 2]) {
        let ShareBounds { low, high } = &share.0;
        ([low, high].map(|end| ShareJson(end.clone())), [low, high].map(Share::to_f64))
    }

    /// Writes the three keys; null without a share.
    fn write<S: Serializer>(share: &impl OptionalShare, keys: [&str; 3], serializer: S) -> Result<S::Ok, S::Error> {
        let (exact, decimals) = share.bounds().map(both).unzip();
        let mut map = serializer.serialize_map(Some(keys.len()))?;
        map.serialize_entry(keys[0], &share.bounds())?;
        map.serialize_entry(keys[1], &exact)?;
        map.serialize_entry(keys[2], &decimals)?;
        map.end()
    }

    macro_rules! keys {
        ($($key:ident),+) => { $(
            #[doc = concat!(
                "Writes `", stringify!($key), "`, `", stringify!($key), "_bounds` and `", stringify!($key),
                "_decimals`."
            )]
            ///
            /// # Errors
            /// Fails if the serializer fails.
            pub fn $key<S: Serializer>(share: &impl OptionalShare, serializer: S) -> Result<S::Ok, S::Error> {
                let keys = [
                    stringify!($key),
                    concat!(stringify!($key), "_bounds"),
                    concat!(stringify!($key), "_decimals"),
                ];
                write(share, keys, serializer)
            }
        )+ };
    }

    keys!(win, draw, bid, draw_bid, critical, chance, from_threshold, value);

    /// Completes the schema of an object whose fields are written in this way, and described as if
    /// they had one key: adds the other two.
    pub fn described(schema: &mut Schema) {
        let required = schema.get("required").cloned().unwrap_or_default();
        let is_required = |key: &str| required.as_array().is_some_and(|keys| keys.iter().any(|each| each == key));
        let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
        let mut added = Vec::new();
        for (key, schema) in std::mem::take(properties) {
            let beside = beside(&key, &schema);
            if is_required(&key) {
                added.extend(beside.iter().flatten().map(|(key, _)| Value::from(key.as_str())));
            }
            properties.insert(key, schema);
            properties.extend(beside.into_iter().flatten());
        }
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.extend(added);
        }
    }

    /// The keys that are written beside one that holds a number or two bounds.
    fn beside(key: &str, schema: &Value) -> Option<[(String, Value); 2]> {
        let choices = schema["anyOf"].as_array().map_or(std::slice::from_ref(schema), Vec::as_slice);
        let number = choices.iter().find_map(|choice| choice["$ref"].as_str()?.strip_suffix("Bounds"))?;
        let types = if choices.iter().any(|choice| choice["type"] == "null") {
            json!(["array", "null"])
        } else {
            json!("array")
        };
        let of = |suffix: &str, items: Value, description: String| {
            let schema =
                json!({ "type": types, "items": items, "minItems": 2, "maxItems": 2, "description": description });
            (format!("{key}_{suffix}"), schema)
        };
        let bounds = format!("Both bounds of `{key}`, which are equal if it is exact.");
        let decimals = format!("The doubles nearest to `{key}_bounds`.");
        Some([of("bounds", json!({ "$ref": number }), bounds), of("decimals", json!({ "type": "number" }), decimals)])
    }

    /// Writes the keys of a threshold that may not be a share.
    ///
    /// # Errors
    /// Fails if the serializer fails.
    pub fn maybe<S: Serializer, T: Serialize>(
        key: &'static str,
        of: Result<&BoundsJson, Option<&T>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match (of, key) {
            (Ok(share), "win") => win(share, serializer),
            (Ok(share), _) => draw(share, serializer),
            (Err(other), key) => {
                let mut map = serializer.serialize_map(None)?;
                if let Some(other) = other {
                    map.serialize_entry(key, other)?;
                }
                map.end()
            }
        }
    }
}

/// Alice's chips without and with the star, as inclusive ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HoldingSets {
    /// Without the star.
    pub plain: Vec<[u32; 2]>,
    /// With the star; the same as `plain` if there is no star.
    pub star: Vec<[u32; 2]>,
    /// Whether there is a star.
    #[serde(skip)]
    pub has_star: bool,
}

impl HoldingSets {
    /// All numbers of chips up to `most` for which `holds(chips, star)`.
    pub fn new(most: u32, has_star: bool, holds: impl Fn(u32, bool) -> bool) -> HoldingSets {
        let sets = |star| ranges((0..=most).filter(|&chips| holds(chips, star)));
        HoldingSets { plain: sets(false), star: sets(true), has_star }
    }

    /// Whether both are empty.
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.star.is_empty()
    }
}

/// A score: a number, or a string beyond 2^53.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(rename = "Score")]
pub struct ScoreJson(#[schemars(with = "IntegerOrText")] pub i64);

impl Serialize for ScoreJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const LARGEST: u64 = 1 << 53;
        if self.0.unsigned_abs() <= LARGEST {
            serializer.serialize_i64(self.0)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

/// A chip threshold: `{"threshold":"4*","plain":5,"star":4}`; `threshold` is null if there is no
/// least holding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Threshold")]
pub struct ThresholdJson {
    /// The least holding in the order 0 < 0* < 1 < ...
    pub threshold: Option<HoldingJson>,
    /// The least chips without the star; total + 1 if none suffice.
    pub plain: u32,
    /// The least chips with the star; total + 1 if none suffice.
    pub star: u32,
    /// All sufficient holdings, if more chips can hurt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wins: Option<HoldingSets>,
}

impl ThresholdJson {
    /// The threshold for `total` chips from holdings that may not be upward closed.
    pub fn of_sets(total: u32, sets: HoldingSets) -> ThresholdJson {
        let least = |ranges: &[[u32; 2]]| ranges.first().map_or(total + 1, |range| range[0]);
        let is_closed = |ranges: &[[u32; 2]]| ranges.is_empty() || (ranges.len() == 1 && ranges[0][1] == total);
        let closed = is_closed(&sets.plain) && is_closed(&sets.star);
        let threshold = Threshold { plain: least(&sets.plain), star: least(&sets.star) };
        let wins = (!closed).then_some(sets);
        let of_order = ThresholdJson::from(threshold);
        ThresholdJson { threshold: of_order.threshold.filter(|_| wins.is_none()), wins, ..of_order }
    }
}

impl From<Threshold> for ThresholdJson {
    fn from(threshold: Threshold) -> ThresholdJson {
        let Threshold { plain, star } = threshold;
        ThresholdJson { threshold: threshold.holding().map(HoldingJson), plain, star, wins: None }
    }
}
