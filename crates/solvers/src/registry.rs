//! Which mechanisms are served, in one place; everything else is refused with the list of what is.

use richman_core::{Bidding, Bids, Error, Mechanism, Payment, Right, Ties, Total};

/// Accepts the mechanisms that [`crate::chips`] serves.
///
/// # Errors
/// [`Error::Unsupported`] names the first choice that is not served and what is.
pub fn chips(mechanism: &Mechanism) -> Result<Right, Error> {
    let Mechanism { payment, ties, bidding, right, bids } = mechanism;
    richman_payment("chips", payment)?;
    if *ties != Ties::Advantage {
        return unsupported(format!("chips with ties {ties}"), "ties advantage");
    }
    if *bidding != Bidding::Sealed {
        return unsupported(format!("chips with bidding {bidding}"), "bidding sealed");
    }
    all_bids("chips", bids)?;
    Ok(*right)
}

/// Accepts the mechanisms that [`crate::rules`] serves: those of [`chips`] where the winner of a bid chooses who moves.
///
/// # Errors
/// Those of [`chips`], and [`Error::NoRule`] where the winner must move.
pub fn rules(mechanism: &Mechanism) -> Result<(), Error> {
    match chips(mechanism)? {
        Right::Chooses => Ok(()),
        Right::Moves => {
            Err(Error::NoRule { reason: "they are proved where the winner of a bid chooses who moves".to_string() })
        }
    }
}

/// Accepts the mechanisms that [`crate::money`] serves: every payment. Ties and the order of bidding do not change real-money
/// thresholds, so every value of those is accepted.
///
/// # Errors
/// [`Error::Unsupported`] names the first choice that is not served and what is.
pub fn money(mechanism: &Mechanism) -> Result<Right, Error> {
    all_bids("real money", &mechanism.bids)?;
    Ok(mechanism.right)
}

/// Accepts the mechanisms that [`crate::scores`] serves, where with every division of `total` chips somebody can bid.
///
/// # Errors
/// [`Error::Unsupported`] names the first choice that is not served and what is, [`Error::NobodyCanBid`].
pub fn scores(mechanism: &Mechanism, total: Total) -> Result<(), Error> {
    let Mechanism { payment, ties, bidding, right: _, bids } = mechanism;
    if *payment != Payment::Richman {
        return unsupported(format!("scores with payment {payment}"), "payment richman");
    }
    if !matches!(ties, Ties::Advantage | Ties::Marker) {
        return unsupported(format!("scores with ties {ties}"), "ties marker or advantage");
    }
    if *bidding != Bidding::Sealed {
        return unsupported(format!("scores with bidding {bidding}"), "bidding sealed");
    }
    if let Bids::Only(amounts) = bids {
        // The richer player has at least half of the chips, and may have no more than that.
        let alice = total.chips() / 2;
        let least = amounts.iter().min();
        if least.is_none_or(|&least| least > total.chips() - alice) {
            return Err(Error::NobodyCanBid { bids: bids.to_string(), total, alice });
        }
    }
    Ok(())
}

fn richman_payment(of: &str, payment: &Payment) -> Result<(), Error> {
    match payment {
        Payment::Richman => Ok(()),
        other => unsupported(format!("{of} with payment {other}"), "payment richman (with real money every payment)"),
    }
}

fn all_bids(of: &str, bids: &Bids) -> Result<(), Error> {
    match bids {
        Bids::All => Ok(()),
        other => unsupported(format!("{of} with bids {other}"), "bids all"),
    }
}

fn unsupported<T>(what: String, serves: &str) -> Result<T, Error> {
    Err(Error::Unsupported { what, serves: serves.to_string() })
}
