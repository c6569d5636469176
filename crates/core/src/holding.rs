//! Holdings and totals.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// The largest number of chips in a game. Half-steps, even of the threshold that none reaches, then
/// fit in 31 bits.
pub const MAX_TOTAL: u32 = (1 << 30) - 2;

/// The chips in a game (k in DP10), at most [`MAX_TOTAL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Total(u32);

impl Total {
    /// A total of `chips`.
    ///
    /// # Errors
    /// [`Error::TotalTooLarge`] above [`MAX_TOTAL`].
    pub fn new(chips: u32) -> Result<Total, Error> {
        if chips > MAX_TOTAL {
            return Err(Error::TotalTooLarge { chips: chips.to_string() });
        }
        Ok(Total(chips))
    }

    /// The number of chips.
    pub fn chips(self) -> u32 {
        self.0
    }

    /// The half-steps of total + 1 chips, the threshold that no holding reaches [DP10, 3.4].
    pub fn unreachable(self) -> u32 {
        2 * (self.0 + 1)
    }

    /// The opponent's holding: the other chips, and the star if `holding` lacks it.
    ///
    /// # Errors
    /// [`Error::HoldingAboveTotal`] if `holding` has more chips than the game.
    pub fn rest(self, holding: Holding) -> Result<Holding, Error> {
        if holding.chips() > self.0 {
            return Err(Error::HoldingAboveTotal { holding, total: self });
        }
        Ok(Holding(2 * self.0 + 1 - holding.0))
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Total {
    type Err = Error;

    fn from_str(text: &str) -> Result<Total, Error> {
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(Error::NotATotal { text: crate::error::excerpt(text) });
        }
        match text.parse() {
            Ok(chips) => Total::new(chips),
            Err(_) => Err(Error::TotalTooLarge { chips: crate::error::excerpt(text) }),
        }
    }
}

/// A player's chips and perhaps the star, in the order 0 < 0* < 1 < 1* < ... [DP10, 3.4].
///
/// Stored as *half-steps*, 2 x chips + star, which have the same order.
///
/// ```
/// use richman_core::Holding;
/// let four: Holding = "4*".parse()?;
/// assert_eq!((four.chips(), four.has_star(), four.half_steps()), (4, true, 9));
/// assert!(four < "5".parse()?);
/// # Ok::<(), richman_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Holding(u32);

impl Holding {
    /// The holding of `chips` with or without the star.
    ///
    /// # Errors
    /// [`Error::TotalTooLarge`] above [`MAX_TOTAL`] + 1 chips (the threshold that no holding
    /// reaches).
    pub fn new(chips: u32, star: bool) -> Result<Holding, Error> {
        if chips > MAX_TOTAL + 1 {
            return Err(Error::TotalTooLarge { chips: chips.to_string() });
        }
        Ok(Holding(2 * chips + u32::from(star)))
    }

    /// The holding of that many half-steps.
    pub fn from_half_steps(half_steps: u32) -> Holding {
        Holding(half_steps)
    }

    /// 2 x chips, plus 1 for the star.
    pub fn half_steps(self) -> u32 {
        self.0
    }

    /// The number of chips.
    pub fn chips(self) -> u32 {
        self.0 / 2
    }

    /// Whether the star is held.
    pub fn has_star(self) -> bool {
        self.0 % 2 == 1
    }
}

impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.chips(), if self.has_star() { "*" } else { "" }))
    }
}

impl FromStr for Holding {
    type Err = Error;

    fn from_str(text: &str) -> Result<Holding, Error> {
        let (digits, star) = match text.strip_suffix('*') {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(Error::NotAHolding { text: crate::error::excerpt(text) });
        }
        let total: Total = digits.parse()?;
        Holding::new(total.chips(), star)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holdings_are_ordered_printed_and_parsed() {
        let texts = ["0", "0*", "1", "1*", "2", "10", "10*"];
        let holdings: Vec<Holding> = texts.iter().map(|t| t.parse().unwrap()).collect();
        assert!(holdings.windows(2).all(|w| w[0] < w[1]));
        for (holding, text) in holdings.iter().zip(texts) {
            assert_eq!(holding.to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "*", "-1", "+1", "4**", "4 *", "1.5", "four", "99999999999999999999999", "1073741823"] {
            assert!(text.parse::<Holding>().is_err(), "{text:?}");
        }
        assert!("1073741822*".parse::<Holding>().is_ok());
    }

    #[test]
    fn the_rest_of_the_money() {
        let total = Total::new(8).unwrap();
        let rest = |text: &str| total.rest(text.parse().unwrap()).map(|h| h.to_string());
        assert_eq!(rest("4*").unwrap(), "4");
        assert_eq!(rest("0").unwrap(), "8*");
        assert!(rest("9").is_err());
    }
}
