//! The turns of a review in few words, for tables.

use richman_core::{Outcome, Player};
use richman_play::review::{Margin, MistakeGrade, ResultJson, ReviewWorth, TurnReview};

/// The grades of mistakes with their headings, gravest first.
pub const GRADES: [(MistakeGrade, &str); 5] = [
    (MistakeGrade::Result, "Decisions that changed the result"),
    (MistakeGrade::AtOnce, "Wins and losses at once"),
    (MistakeGrade::Probable, "Probable mistakes"),
    (MistakeGrade::Margin, "Decisions that lost margin"),
    (MistakeGrade::Slower, "Slower than possible"),
];

/// Both bids, such as `1*-1`: Alice's first, with a star behind a bid that won a tie by the star; a
/// dash where nobody bids.
pub fn bids(turn: &TurnReview) -> String {
    if turn.alice_bids.is_none() && turn.bob_bids.is_none() {
        return "-".to_string();
    }
    let bid = |player: Player, bid: Option<u32>| format!("{}{}", bid_in_words(bid), star(turn, player));
    format!("{}-{}", bid(Player::Alice, turn.alice_bids), bid(Player::Bob, turn.bob_bids))
}

/// A bid, or "none".
pub fn bid_in_words(bid: Option<u32>) -> String {
    bid.map_or_else(|| "none".to_string(), |bid| bid.to_string())
}

/// The star's sign, if the player won the bid with it.
pub fn star(turn: &TurnReview, player: Player) -> &'static str {
    if turn.star_used == Some(true) && turn.winner == player { "*" } else { "" }
}

/// The player who moved, and the move.
pub fn played(turn: &TurnReview) -> String {
    let lets = if turn.winner == turn.mover { String::new() } else { format!("{} lets ", turn.winner) };
    format!("{lets}{} {}", turn.mover, turn.played.as_deref().unwrap_or("(stuck)"))
}

/// The value of a position; `unit` follows a score.
pub fn worth(worth: &ReviewWorth, unit: &str) -> String {
    let unit = |number: i64| if number.abs() == 1 { unit.trim_end_matches('s') } else { unit };
    match worth.outcome {
        Some(Outcome::Win(player)) => match worth.within {
            Some(0) => format!("{player} has won"),
            Some(moves) => format!("{player} wins in {moves}"),
            None => format!("{player} wins"),
        },
        Some(Outcome::Draw) => "draw".to_string(),
        Some(Outcome::Undetermined) => "undetermined".to_string(),
        None => match (worth.samples, worth.estimate, worth.sure.map(|sure| (sure.alice, sure.bob))) {
            (Some(samples), ..) => {
                format!("of {} random games Alice wins {}, Bob {}", samples.games, samples.alice, samples.bob)
            }
            (_, Some(needs), _) => crate::words::estimate(needs),
            (.., Some((ResultJson::Points(low), ResultJson::Points(high)))) if low.0 == -high.0 => {
                format!("{}{}", low.0, unit(low.0))
            }
            (.., Some((ResultJson::Points(low), ResultJson::Points(high)))) => {
                format!("{} to {}{}", low.0, -high.0, unit(high.0))
            }
            _ => "?".to_string(),
        },
    }
}

/// Both players' chips to spare, for a win and for a draw.
pub fn margins(worth: Option<&ReviewWorth>) -> [String; 2] {
    let both = |margin: &Margin| format!("{}/{}", signed(margin.win), signed(margin.draw));
    let margin = worth.and_then(|worth| worth.margin);
    margin.map_or_else(Default::default, |margin| [both(&margin.alice), both(&margin.bob)])
}

/// `+2`, `0`, `-1`, or a dash if no number of chips suffices.
fn signed(margin: Option<i64>) -> String {
    match margin {
        Some(0) => "0".to_string(),
        Some(margin) => format!("{margin:+}"),
        None => "-".to_string(),
    }
}
