//! The best advice in one short sentence.

use richman_analysis::advice::Advice;
use richman_core::Player;
use richman_play::Action;
use richman_play::players::EstimatedChoice;
use richman_render::reports::parts::ranges;
use richman_render::words::joined;

use crate::in_sentence;

/// More bids or moves than these are summed up.
const MOST_NAMED: usize = 3;

/// What a player does best; the list of cases says more.
pub fn sentence(player: Player, advice: &Advice) -> String {
    let other = player.other();
    let bids = advice.fastest.as_ref().unwrap_or(&advice.bids);
    let mut steps = match (advice.answers.is_empty(), bids.is_empty()) {
        (true, false) => vec![format!("bid {}", bids_of(bids))],
        (true, true) => Vec::new(), // a move without a bid
        (false, _) => vec![format!("answer {other}'s bid as listed")],
    };
    let can_tie = bids.iter().any(|range| range[1] > 0) || advice.use_star == Some(true);
    steps.extend(advice.use_star.filter(|_| can_tie).map(star));
    if advice.let_other_move {
        steps.push(format!("let {other} move"));
    } else if let Some(moves) = moves_of(&advice.moves) {
        steps.push(format!("move {moves}"));
    } else if let Some(cheapest) = advice.moves_by_bid.first() {
        steps.push(match moves_of(&cheapest.moves) {
            Some(moves) => format!("move {moves} if {} wins", ranges(&[cheapest.bids])),
            None => format!("let {other} move if {} wins", ranges(&[cheapest.bids])),
        });
    }
    in_sentence(&joined(&steps, "and"))
}

/// Whether the list of cases says more than the sentence.
pub fn has_more(advice: &Advice) -> bool {
    let named = advice.bids.len() <= MOST_NAMED && advice.moves.len() <= MOST_NAMED;
    let is_simple = advice.fastest.as_ref().is_none_or(|fastest| *fastest == advice.bids)
        && advice.star_by_bid.is_empty()
        && advice.moves_by_bid.is_empty()
        && advice.after_tie.is_none()
        && advice.made_to_move.is_empty()
        && advice.made_to_move_by_bid.is_empty()
        && (!advice.let_other_move || advice.moves.is_empty());
    !(named && is_simple && advice.answers.is_empty())
}

/// What the computer would do.
pub fn estimated(player: Player, choice: &EstimatedChoice) -> String {
    let mut steps = vec![format!("bid {}", choice.bid)];
    steps.extend(choice.use_star.map(star));
    steps.extend(choice.then.as_ref().and_then(|action| match action {
        Action::Move(name) => Some(format!("move {name}")),
        Action::Let => Some(format!("let {} move", player.other())),
        _ => None,
    }));
    in_sentence(&joined(&steps, "and"))
}

fn star(used: bool) -> String {
    format!("{} the star in a tie", if used { "use" } else { "keep" })
}

fn bids_of(bids: &[[u32; 2]]) -> String {
    match bids {
        [] => "what you like".to_string(),
        _ => few(&bids.iter().map(|range| ranges(&[*range])).collect::<Vec<_>>()),
    }
}

/// A few moves by name; `None` for none.
fn moves_of(moves: &[String]) -> Option<String> {
    (!moves.is_empty()).then(|| few(moves))
}

/// `a`, `a or b`, `a, b or c`, `a, b or 5 others`.
fn few(names: &[String]) -> String {
    if names.len() <= MOST_NAMED + 1 {
        return joined(names, "or");
    }
    let (shown, others) = names.split_at(MOST_NAMED - 1);
    format!("{} or {} others", shown.join(", "), others.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(bids: &[[u32; 2]], moves: &[&str]) -> Advice {
        Advice {
            bids: bids.to_vec(),
            answers: Vec::new(),
            use_star: None,
            star_by_bid: Vec::new(),
            moves: moves.iter().map(ToString::to_string).collect(),
            moves_by_bid: Vec::new(),
            let_other_move: false,
            after_tie: None,
            made_to_move: Vec::new(),
            made_to_move_by_bid: Vec::new(),
            fastest: None,
        }
    }

    #[test]
    fn advice_is_one_sentence() {
        let one = Advice { use_star: Some(true), ..advice(&[[1, 1]], &["b2"]) };
        assert_eq!(sentence(Player::Alice, &one), "Bid 1, use the star in a tie and move b2.");
        assert!(!has_more(&one));
        let many = advice(&[[0, 2], [4, 4]], &["a1", "a2", "a3", "b1", "b2"]);
        assert_eq!(sentence(Player::Bob, &many), "Bid 0 to 2 or 4 and move a1, a2 or 3 others.");
        assert!(has_more(&many));
        let lets = Advice { let_other_move: true, use_star: Some(false), ..advice(&[[0, 0]], &[]) };
        assert_eq!(sentence(Player::Bob, &lets), "Bid 0 and let Alice move.");
        let fastest = Advice { fastest: Some(vec![[2, 2]]), ..advice(&[[1, 2]], &["b2"]) };
        assert_eq!(sentence(Player::Alice, &fastest), "Bid 2 and move b2.");
        assert!(has_more(&fastest));
    }
}
