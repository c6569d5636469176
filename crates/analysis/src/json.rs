//! Numbers in JSON: integers up to 2^53 as numbers, others as strings.

use richman_core::{Mechanism, Outcome, Player, ShareBounds, Threshold, Walk, ranges};
use richman_formats::{HoldingJson, MechanismJson, ShareJson};
use serde::{Serialize, Serializer};

use crate::NumberJson;

/// The first keys of most reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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

/// Writes an outcome as a word.
pub(crate) fn as_word<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(outcome)
}

/// Writes a player as `alice` or `bob`.
pub(crate) fn player<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
    as_word(&Outcome::Win(*player), serializer)
}

/// An exact share, `"133/256"`, or bounds on it, `["1/4", "1/2"]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundsJson(pub ShareBounds);

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
    use serde::{Serialize, Serializer, ser::SerializeMap};

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

    /// Writes the exact `share`, and `share_decimal`.
    ///
    /// # Errors
    /// Fails if the serializer fails.
    pub fn share<S: Serializer>(share: &ShareJson, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("share", share)?;
        map.serialize_entry("share_decimal", &share.0.to_f64())?;
        map.end()
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreJson(pub i64);

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
