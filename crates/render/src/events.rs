//! The events of a match as sentences.

use richman_core::{ByPlayer, Player};
use richman_play::{Action, Match, MatchTurn, TurnStage};

use crate::words::{self, Paid};

/// Sentences for `player`'s action, given the match before and after it. Sealed bids appear only
/// when both are in.
pub fn events(before: &Match, after: &Match, player: Player, action: &Action) -> Vec<String> {
    let mut told = Vec::new();
    let paid = |winner| Paid { winner, before: before.hands(), after: after.hands() };
    // The turn of the action, if complete.
    let completed = after.turns().get(before.turns().len());
    let stage = after.view(None).stage;
    let won = match (&stage, completed) {
        (TurnStage::Moving { bids, winner, .. }, _) => Some((*bids, *winner)),
        (_, Some(turn)) => Some((turn.bids, turn.winner)),
        _ => None,
    };
    match action {
        &Action::Bid(bid) => match (stage, won) {
            (TurnStage::Bids { named: Some(_), .. }, _) => told.push(words::names_bid(player, bid)),
            (TurnStage::Tie { bid }, _) => {
                told.push(words::revealed(ByPlayer::both(Some(bid)), None, after.tie_holder()))
            }
            (_, Some((bids, winner))) => told.push(words::revealed(bids, Some(&paid(winner)), after.tie_holder())),
            _ => {}
        },
        &Action::UseStar(used) => told.extend(won.map(|(_, winner)| words::star_decided(player, used, &paid(winner)))),
        Action::Let => told.push(words::lets(player)),
        Action::Move(name) => {
            let leads = after.walk().notation() == *name;
            let has_bids = completed.is_none_or(MatchTurn::has_bids);
            told.push(if has_bids { words::moves } else { words::moves_alone }(player, name, leads));
        }
        Action::Stay | Action::Resign => {}
    }
    if let Some(turn) = completed
        && turn.played.is_none()
    {
        told.push(words::cannot_move(turn.mover));
    }
    told
}

#[cfg(test)]
mod tests {
    use richman_analysis::Subject;
    use richman_core::Mechanism;
    use richman_play::MatchRules;

    use super::*;

    /// The sentences for each action.
    fn told(start: [&str; 2], actions: &[(Player, Action)]) -> Vec<Vec<String>> {
        let walk = Subject::named("tic-tac-toe").unwrap().walk(None).unwrap();
        let rules = MatchRules {
            mechanism: Mechanism::default(),
            start: start.map(|hand| hand.parse().unwrap()).into(),
            limit: None,
        };
        let mut game = Match::new(walk, rules).unwrap();
        let mut told = Vec::new();
        for (player, action) in actions {
            let before = game.clone();
            game.act(*player, action).unwrap();
            told.push(events(&before, &game, *player, action));
        }
        told
    }

    #[test]
    fn a_sealed_bid_is_not_told_before_the_other() {
        let [alice, bob] = [3, 2].map(Action::Bid);
        for (first, second) in
            [((Player::Alice, &alice), (Player::Bob, &bob)), ((Player::Bob, &bob), (Player::Alice, &alice))]
        {
            let actions = [first, second].map(|(player, action)| (player, action.clone()));
            let told = told(["4*", "4"], &actions);
            assert_eq!(told[0], [""; 0]);
            assert_eq!(told[1], ["Alice bids 3, Bob bids 2. Alice wins the bid and pays 3 to Bob."]);
        }
    }

    #[test]
    fn ties_stars_and_moves_are_told() {
        let actions = [
            (Player::Alice, Action::Bid(1)),
            (Player::Bob, Action::Bid(1)),
            (Player::Alice, Action::UseStar(true)),
            (Player::Alice, Action::Let),
            (Player::Bob, Action::Move("b2".to_string())),
        ];
        let told = told(["4*", "4"], &actions).concat();
        let expected = [
            "Both bid 1, a tie. Alice holds the star and decides.",
            "Alice uses the star. Alice wins the bid and pays 1 to Bob; the star goes to Bob.",
            "Alice lets Bob move.",
            "Bob moves b2.",
        ];
        assert_eq!(told, expected);
    }
}
