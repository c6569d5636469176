//! One turn: from the thresholds after a move to Alice's threshold before the bid.
//!
//! All functions are monotone: raising an argument never lowers the result.

use richman_core::{Bids, Mechanism, Player, Right, Threshold, Ties, Total, Turn};

use richman_core::partition;

/// The threshold before a bid, in half-steps, when the winner of the bid chooses who moves.
///
/// `alice` is the least threshold among Alice's moves, `bob` the greatest among Bob's, in
/// half-steps.
///
/// The winner picks the mover, so Alice needs the lower of the two after winning and the higher
/// after losing. A bid of e half-steps (2 x bid, plus 1 with the star) costs her e if it wins and
/// brings her at least e + 1 if it loses; e has the parity of her holding H. So she needs an e with
/// H - e >= low and H + e + 1 >= high, where H - e is even and H + e + 1 odd; that is, 2
/// ceil(low/2) <= H - e and 2 floor(high/2) <= H + e.
///
/// ```
/// use richman_solvers::chips::local;
/// assert_eq!(local::chooses(0, 2 * (8 + 1)), 9); // E with 8 chips: 4*
/// ```
pub fn chooses(alice: u32, bob: u32) -> u32 {
    #[cfg(feature = "faults")]
    if let Some(wrong) = crate::fault::half_steps(alice, bob) {
        return wrong;
    }
    let (low, high) = if alice <= bob { (alice, bob) } else { (bob, alice) };
    low.div_ceil(2) + high / 2
}

/// The threshold before a bid when the winner of the bid must move.
///
/// `alice` is the least threshold among Alice's moves, `bob` the greatest among Bob's, each taken
/// without and with the star separately. More chips never hurt, but the star can hurt a player whom
/// it forces to move.
pub fn moves(total: Total, alice: Threshold, bob: Threshold) -> Threshold {
    let k = i64::from(total.chips());
    let least = |suffices: &dyn Fn(i64) -> bool| partition(total.chips() + 1, |chips| !suffices(i64::from(chips)));
    Threshold {
        plain: least(&|chips| plain_suffices(k, chips, alice, bob)),
        star: least(&|chips| star_suffices(k, chips, alice, bob)),
    }
}

/// The threshold of `player` before a bid, under any mechanism with Richman payment in which more
/// chips never hurt. `own` is the least threshold among the player's moves, `other` the greatest
/// among the other player's, each taken without and with the star separately.
pub fn turn(mechanism: &Mechanism, player: Player, total: Total, own: Threshold, other: Threshold) -> Threshold {
    if mechanism.ties != Ties::Advantage || mechanism.bids != Bids::All {
        return by_bids(mechanism, player, total, own, other);
    }
    // The order of bidding does not matter: the player who prevails can name their bid in advance.
    match mechanism.right {
        // With `chooses` every threshold is one holding, of plain + star half-steps.
        Right::Chooses => Threshold::at(chooses(own.plain + own.star, other.plain + other.star)),
        Right::Moves => moves(total, own, other),
    }
}

/// [`turn`] with the thresholds after each of the player's moves, and of the other player's. Where
/// `owner` moves without a bid, holdings stay, and only the owner's moves count.
pub fn after_moves(
    mechanism: &Mechanism,
    player: Player,
    total: Total,
    owner: Option<Player>,
    own: impl Iterator<Item = Threshold>,
    other: impl Iterator<Item = Threshold>,
) -> Threshold {
    let least = |a: Threshold, b: Threshold| Threshold { plain: a.plain.min(b.plain), star: a.star.min(b.star) };
    let most = |a: Threshold, b: Threshold| Threshold { plain: a.plain.max(b.plain), star: a.star.max(b.star) };
    let own = own.fold(Threshold::unreachable(total), least);
    let other = other.fold(Threshold::NOTHING, most);
    match owner {
        None => turn(mechanism, player, total, own, other),
        Some(owner) if owner == player => own,
        Some(_) => other,
    }
}

/// [`turn`] by the definition: a search for a bid, or for answers.
fn by_bids(mechanism: &Mechanism, player: Player, total: Total, own: Threshold, other: Threshold) -> Threshold {
    #[cfg(feature = "faults")]
    let mechanism = &*crate::fault::mechanism(mechanism);
    let (won, lost) = match mechanism.right {
        Right::Moves => (own, other),
        Right::Chooses => (
            Threshold { plain: own.plain.min(other.plain), star: own.star.min(other.star) },
            Threshold { plain: own.plain.max(other.plain), star: own.star.max(other.star) },
        ),
    };
    #[cfg(feature = "faults")]
    if crate::fault::is(crate::fault::Fault::GreaterOfBoth) {
        return Threshold { plain: won.plain.max(lost.plain), star: won.star.max(lost.star) };
    }
    let met =
        |threshold: Threshold, chips: u32, star: bool| chips >= if star { threshold.star } else { threshold.plain };
    let least = |star: bool| {
        partition(total.chips() + 1, |chips| {
            #[cfg(feature = "faults")]
            let met = |threshold, after, star| met(threshold, crate::fault::paid(chips, after, total.chips()), star);
            let turn = Turn {
                mechanism,
                player,
                own: chips,
                other: total.chips() - chips,
                star,
                content: |is_won, chips, _, star| met(if is_won { won } else { lost }, chips, star),
            };
            !turn.is_content()
        })
    };
    let plain = least(false);
    Threshold { plain, star: if mechanism.has_star() { least(true) } else { plain } }
}

/// Whether Alice, with `chips` and the star, has a bid x that is good against every bid y of Bob.
///
/// - y < x: she moves with chips - x and the star.
/// - y > x: Bob moves; she has chips + y, at least chips + x + 1, and the star.
/// - y = x: as Alice likes, she moves with chips - x, or Bob moves and she has chips + x and the
///   star.
fn star_suffices(total: i64, chips: i64, alice: Threshold, bob: Threshold) -> bool {
    let other = total - chips;
    let (move_plain, move_star, wait_star) = (i64::from(alice.plain), i64::from(alice.star), i64::from(bob.star));
    let most = (chips - move_star).clamp(0, chips); // x = 0 exceeds no bid
    let least = (wait_star - chips - 1).clamp(0, other); // x = other cannot be outbid
    let tie_used = chips - move_plain; // using the star is good up to this bid,
    let tie_kept = (wait_star - chips).clamp(0, other + 1); // keeping it from this bid on, or no tie is possible
    least <= most && (least <= tie_used || tie_kept <= most)
}

/// Whether Alice, with `chips` and no star, has a bid x that is good against every bid y of Bob.
///
/// - y < x: she moves with chips - x.
/// - y > x: Bob moves; she has at least chips + x + 1.
/// - y = x: as Bob likes, Alice moves with chips - x, or he moves and she has chips + x and the
///   star.
fn plain_suffices(total: i64, chips: i64, alice: Threshold, bob: Threshold) -> bool {
    let other = total - chips;
    let (move_plain, wait_plain, wait_star) = (i64::from(alice.plain), i64::from(bob.plain), i64::from(bob.star));
    let most = (chips - move_plain).clamp(0, chips); // x = 0 exceeds no bid
    let least = (wait_plain - chips - 1).clamp(0, other); // x = other cannot be outbid
    let beyond_ties = other < most; // x = other + 1 rules ties out
    let tie = least.max(wait_star - chips) <= most.min(chips - move_plain).min(other);
    beyond_ties || tie
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether some bid is good against every bid, by definition.
    fn by_definition(right: Right, total: u32, chips: u32, star: bool, alice: Threshold, bob: Threshold) -> bool {
        let met =
            |threshold: Threshold, chips: u32, star: bool| chips >= if star { threshold.star } else { threshold.plain };
        let alice_wins_bid = |chips, star| match right {
            Right::Chooses => met(alice, chips, star) || met(bob, chips, star),
            Right::Moves => met(alice, chips, star),
        };
        let bob_wins_bid = |chips, star| match right {
            Right::Chooses => met(alice, chips, star) && met(bob, chips, star),
            Right::Moves => met(bob, chips, star),
        };
        (0..=chips).any(|x| {
            (0..=total - chips).all(|y| match x.cmp(&y) {
                std::cmp::Ordering::Greater => alice_wins_bid(chips - x, star),
                std::cmp::Ordering::Less => bob_wins_bid(chips + y, star),
                std::cmp::Ordering::Equal if star => alice_wins_bid(chips - x, false) || bob_wins_bid(chips + x, true),
                std::cmp::Ordering::Equal => alice_wins_bid(chips - x, false) && bob_wins_bid(chips + x, true),
            })
        })
    }

    fn least(right: Right, total: u32, alice: Threshold, bob: Threshold) -> Threshold {
        let least = |star| {
            let good: Vec<bool> = (0..=total).map(|c| by_definition(right, total, c, star, alice, bob)).collect();
            assert!(good.windows(2).all(|w| w[0] <= w[1]), "more chips never hurt");
            good.iter().position(|&g| g).unwrap_or(total as usize + 1) as u32
        };
        Threshold { plain: least(false), star: least(true) }
    }

    #[test]
    fn chooses_is_the_definition_for_every_pair_of_thresholds() {
        for total in 0..=7 {
            for alice in 0..=2 * total + 2 {
                for bob in 0..=2 * total + 2 {
                    let fast = Threshold::at(chooses(alice, bob));
                    let slow = least(Right::Chooses, total, Threshold::at(alice), Threshold::at(bob));
                    assert_eq!(fast, slow, "total {total}, {alice} and {bob} half-steps");
                }
            }
        }
    }

    #[test]
    fn moves_is_the_definition_for_every_pair_of_thresholds() {
        for total in 0..=4 {
            let all: Vec<Threshold> =
                (0..=total + 1).flat_map(|plain| (0..=total + 1).map(move |star| Threshold { plain, star })).collect();
            for &alice in &all {
                for &bob in &all {
                    let fast = moves(Total::new(total).unwrap(), alice, bob);
                    let slow = least(Right::Moves, total, alice, bob);
                    assert_eq!(fast, slow, "total {total}, {alice:?} and {bob:?}");
                }
            }
        }
    }

    #[test]
    fn the_printed_formula_fails_in_a_zugzwang() {
        // For f_A = 1* and f_B = 1, the sum of the integers in [DP10, Theorem 3.7] is even and f_A
        // has the star, so it prints 1*. By definition 1 suffices, because the winner of the bid
        // lets the other player move. In the smallest case, f_A = 0* and f_B = 0, any holding
        // suffices.
        assert_eq!(
            (least(Right::Chooses, 0, Threshold::at(1), Threshold::at(0)), chooses(1, 0)),
            (Threshold::at(0), 0)
        );
        let printed = Threshold::at(3);
        let (alice, bob) = (Threshold::at(3), Threshold::at(2));
        for total in 1..=6 {
            assert_eq!(least(Right::Chooses, total, alice, bob), Threshold::at(2));
            assert_eq!(chooses(3, 2), 2);
            assert_ne!(Threshold::at(chooses(3, 2)), printed);
        }
    }
}
