//! Game files in binary form, `.richman`: the same games as in JSON, in fewer bytes.
//! `docs/game-file.md` describes it.

/// The first bytes. No other game file begins with this letter.
pub(crate) const MAGIC: &[u8; 8] = b"RICHGAME";

/// The newest version.
pub(crate) const VERSION: u8 = 1;

/// A number as it is written if it may be negative.
pub(crate) fn folded(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// The number that [`folded`] made.
pub(crate) fn unfolded(folded: u64) -> i64 {
    (folded >> 1) as i64 ^ -((folded & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_folded() {
        assert_eq!([0, -1, 1, -2, i64::MAX, i64::MIN].map(folded), [0, 1, 2, 3, u64::MAX - 1, u64::MAX]);
        for number in [0, 1, -1, 1_000_000_000, i64::MAX, i64::MIN] {
            assert_eq!(unfolded(folded(number)), number);
        }
    }
}
