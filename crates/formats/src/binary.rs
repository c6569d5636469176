//! Game files in binary form, `.richman`: the same games as in JSON, in a fifth of the bytes.
//!
//! A file has these parts, one after the other:
//!
//! 1. `RICHGAME`, and the version of the format, one byte.
//! 2. What the game is played for, one byte: 0 to win, 1 for a score, 2 for priorities.
//! 3. The name, the description (empty if there is none), and the number of positions.
//! 4. One byte: 1 if names follow, one of each position, or 0 if the positions are called "0", "1",
//!    "2" and so on. Positions are numbered from 0 in this order.
//! 5. How many different names moves have, and these names.
//! 6. The number of the start.
//! 7. The positions: where play stands, Alice's moves, Bob's.
//! 8. The CRC-32 of all bytes before, four of them, the lowest first.
//!
//! A number is written seven bits a byte, the lowest first, with the highest bit set in all but its
//! last byte (LEB128). A number that may be negative is written as 2n, or -2n - 1 below 0. A text
//! is the number of its bytes, and these.
//!
//! | played for | where play stands |
//! | --- | --- |
//! | to win | 0 goes on, 1 won by Alice, 2 by Bob, 3 a draw |
//! | a score | 0 goes on, 1 goes on and the stuck scores of Alice and Bob follow, 2 ended and the score follows |
//! | priorities | 0 won by Alice, 1 by Bob, or 2 + 3 x priority + 0 for a bid, 1 if Alice moves, 2 if Bob moves |
//!
//! Where play goes on, Alice's moves follow: how many, and each of them. Then Bob's: 0 if they are
//! Alice's, with weights negated, or else one more than how many, and each of them. A move is its
//! target, less that of the move before in its list (for the first, less its position); in scoring
//! games its weight; and where moves have names, 0 or one more than the number of its name.

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
