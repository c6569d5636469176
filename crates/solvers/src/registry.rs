//! The mechanisms that each solver serves. Errors for all others list those served.

use richman_core::{
    Bidding, Bids, Error, LabelledArena, Mechanism, Node, Payment, Player, Purses, Right, Ties, Total, Winnable,
};

/// Accepts the mechanisms that [`crate::chips`] serves: Richman payment, and 0 among the bids.
///
/// # Errors
/// [`Error::Unsupported`] names the first choice that is not served, and the choices that are.
pub fn chips(mechanism: &Mechanism) -> Result<(), Error> {
    if mechanism.has_bank() {
        return unsupported(
            format!("a total of chips with payment {}", mechanism.payment),
            "payment richman; where the bank is paid no total stays, give both purses",
        );
    }
    if !mechanism.is_ordered_by_chips() {
        return unsupported(
            format!("one threshold for all chips with bids {}, under which more chips can hurt,", mechanism.bids),
            "bids with 0 among them",
        );
    }
    Ok(())
}

/// Accepts the mechanisms that [`crate::parity`] and [`crate::mean_payoff::chips`] serve: those of
/// [`chips`] in which play is determined.
///
/// # Errors
/// [`Error::Unsupported`] names the first choice that is not served, and the choices that are.
pub fn parity_chips(mechanism: &Mechanism) -> Result<(), Error> {
    chips(mechanism)?;
    if !mechanism.is_determined() {
        return unsupported(
            format!("play that never ends with ties {} and bidding {}", mechanism.ties, mechanism.bidding),
            "other ties, or open bids",
        );
    }
    Ok(())
}

/// Accepts the mechanisms that [`crate::purses`] serves, with suitable purses: payment to the bank
/// with 0 among the bids, and Richman payment with any bids if somebody can always bid.
///
/// # Errors
/// [`Error::Unsupported`] names the first choice that is not served, and the choices that are;
/// [`Error::TotalTooLarge`].
pub fn purses(mechanism: &Mechanism, purses: Purses) -> Result<(), Error> {
    let least = mechanism.bids.least();
    let total = match purses {
        Purses::UpTo { alice, bob } => alice.saturating_add(bob),
        Purses::Together(total) | Purses::Exactly(total) => total,
    };
    Total::new(total)?;
    match (&mechanism.payment, purses) {
        (Payment::Richman, Purses::Exactly(total)) if u64::from(total) + 2 <= 2 * u64::from(least) => unsupported(
            format!("bids {} with {total} chips in all, where there may be nobody who can bid,", mechanism.bids),
            &format!("at least {} chips with these bids, or bids with 0 among them", 2 * u64::from(least) - 1),
        ),
        (Payment::Richman, Purses::Exactly(_)) => Ok(()),
        (Payment::Poorman, Purses::UpTo { .. } | Purses::Together(_))
        | (Payment::Taxman { .. }, Purses::Together(_)) => match least {
            0 => Ok(()),
            _ => unsupported(
                format!("bids {} with payment {}, where in the end nobody can bid,", mechanism.bids, mechanism.payment),
                "bids with 0 among them",
            ),
        },
        (payment, _) => unsupported(format!("these purses with payment {payment}"), "purses that no payment leaves"),
    }
}

/// Accepts the mechanisms that [`crate::rules`] serves: Richman payment, the tie-breaking
/// advantage, all bids, and the winner choosing who moves. The order of bidding then does not
/// matter.
///
/// # Errors
/// [`Error::Unsupported`] if [`chips`] refuses the mechanism; [`Error::NoRule`] if there is no
/// proof for all totals.
pub fn rules(mechanism: &Mechanism) -> Result<(), Error> {
    chips(mechanism)?;
    if !mechanism.is_develin_payne() {
        let reason = "they are proved for ties advantage, right chooses and bids all".to_string();
        return Err(Error::NoRule { reason });
    }
    Ok(())
}

/// Accepts the mechanisms that [`crate::money`] serves: those with all bids. Ties and the order of
/// bidding do not change real-money thresholds.
///
/// # Errors
/// [`Error::Unsupported`] if not all bids are allowed.
pub fn money(mechanism: &Mechanism) -> Result<Right, Error> {
    if mechanism.bids != Bids::All {
        return unsupported(format!("real money with bids {}", mechanism.bids), "bids all");
    }
    Ok(mechanism.right)
}

/// Accepts the mechanisms that [`crate::parity::money`] and [`crate::mean_payoff::money`] serve:
/// those of [`money`], if the winner chooses who moves or both players have the same moves where
/// they bid. Then nobody would rather have the other player move.
///
/// # Errors
/// [`Error::Unsupported`] names the first choice that is not served, and the choices that are.
pub fn endless_money<L: Winnable>(mechanism: &Mechanism, arena: &LabelledArena<L>) -> Result<(), Error> {
    let right = money(mechanism)?;
    let sorted = |node: Node, player: Player| {
        let mut moves: Vec<(Node, L::Move)> = arena.labelled(node, player).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    };
    let differs =
        |&node: &Node| arena.owner(node).is_none() && sorted(node, Player::Alice) != sorted(node, Player::Bob);
    if !right.may_let() && arena.nodes().any(|node| differs(&node)) {
        return unsupported(
            format!("play that never ends with right {right}, where both have moves of their own,"),
            "right chooses",
        );
    }
    Ok(())
}

/// Accepts the mechanisms that [`crate::scores`] serves, if somebody can bid with every division of
/// `total` chips.
///
/// # Errors
/// [`Error::Unsupported`] names the first choice that is not served, and the choices that are;
/// [`Error::NobodyCanBid`].
pub fn scores(mechanism: &Mechanism, total: Total) -> Result<(), Error> {
    let Mechanism { payment, ties, bidding, right: _, bids } = mechanism;
    if mechanism.has_bank() {
        return unsupported(format!("scores with payment {payment}"), "payment richman");
    }
    if !matches!(ties, Ties::Advantage | Ties::Marker) {
        return unsupported(format!("scores with ties {ties}"), "ties marker or advantage");
    }
    if *bidding != Bidding::Sealed {
        return unsupported(format!("scores with bidding {bidding}"), "bidding sealed");
    }
    if let Bids::Only(amounts) = bids {
        // The richer player has at least half of the chips, and may have no more.
        let alice = total.chips() / 2;
        let least = amounts.iter().min();
        if least.is_none_or(|&least| least > total.chips() - alice) {
            return Err(Error::NobodyCanBid { bids: bids.to_string(), total, alice });
        }
    }
    Ok(())
}

fn unsupported<T>(what: String, serves: &str) -> Result<T, Error> {
    Err(Error::unsupported(what, serves))
}
