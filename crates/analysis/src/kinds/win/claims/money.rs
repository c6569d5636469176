//! The claim for real money; all the money is 1.

use std::borrow::Borrow;
use std::io::{self, Write};

use richman_core::{Mechanism, Share, ShareBounds};
use richman_formats::saved::{
    BadClaim, Claim, HeldClaim, check_distinct, held, share, write_json, write_lines, write_share,
};
use richman_formats::{FormatError, JsonReader, JsonText};
use serde::Deserialize;

/// Alice's thresholds with real money. In JSON `{"win": "133/256", "draw": "123/256", "positions":
/// {"...": ["133/256", "123/256"]}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneyClaim {
    /// Alice's win threshold at the solved position.
    pub win: ShareBounds,
    /// Her draw threshold there.
    pub draw: ShareBounds,
    /// The thresholds at every position.
    pub positions: Vec<MoneyValue>,
}

/// Alice's real-money thresholds at one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneyValue {
    /// The position in the game's notation.
    pub position: String,
    /// The win threshold, or bounds on it.
    pub win: ShareBounds,
    /// The draw threshold, or bounds on it.
    pub draw: ShareBounds,
}

impl HeldClaim for MoneyValue {
    fn position(&self) -> &str {
        &self.position
    }

    fn behind(&self) -> u64 {
        self.win.heap_bytes() + self.draw.heap_bytes()
    }
}

impl Claim for MoneyClaim {
    const KEY: &'static str = "money";

    fn read(json: &mut JsonReader) -> Result<MoneyClaim, FormatError> {
        let [mut win, mut draw] = [Share::ZERO, Share::ZERO].map(ShareBounds::exact);
        let mut positions = Vec::new();
        json.object("the claim for money", &["win", "draw", "positions"], 3, |json, key| {
            match key {
                "win" => win = json.text(&"a share as text", share)?,
                "draw" => draw = json.text(&"a share as text", share)?,
                _ => positions = json.claims(money_value)?,
            }
            Ok(())
        })?;
        Ok(MoneyClaim { win, draw, positions })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_with(self.positions.iter(), out)
    }

    fn check(&self, _: &Mechanism) -> Result<(), BadClaim> {
        check_distinct(&self.positions)
    }

    fn bytes(&self) -> u64 {
        held(&self.positions)
    }
}

impl MoneyClaim {
    /// Writes the claim with values that are made while they are written, in place of its own.
    ///
    /// # Errors
    /// As [`Claim::write`].
    pub fn write_with<V: Borrow<MoneyValue>>(
        &self,
        values: impl Iterator<Item = V>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write!(out, "{{\n    \"win\": ")?;
        write_share(out, &self.win)?;
        write!(out, ",\n    \"draw\": ")?;
        write_share(out, &self.draw)?;
        write!(out, ",\n    \"positions\": ")?;
        write_lines(out, "    ", values, |out, value| {
            let value = value.borrow();
            write_json(out, &value.position)?;
            write!(out, ": [")?;
            write_share(out, &value.win)?;
            write!(out, ",")?;
            write_share(out, &value.draw)?;
            write!(out, "]")
        })?;
        write!(out, "\n  }}")
    }
}

fn money_value(json: &mut JsonReader, position: String) -> Result<MoneyValue, FormatError> {
    let shares = json.value(&"the list [win, draw] of 2 shares as text", |json| {
        let [win, draw] = <[JsonText; 2]>::deserialize(json)?;
        // Equal shares, which are common, are parsed only once.
        let twice = (win.0 == draw.0).then(|| share(&win.0).map(|both| [both.clone(), both]));
        Ok(twice.unwrap_or_else(|| Ok([share(&win.0)?, share(&draw.0)?])))
    })?;
    let [win, draw] = shares.map_err(|reason| json.bad_value(reason))?;
    Ok(MoneyValue { position, win, draw })
}
