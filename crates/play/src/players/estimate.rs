//! The best player's choices with chips where no exact value is known: the same estimates as in a
//! match, for both players at one position.

use richman_analysis::Scope;
use richman_core::{ByPlayer, Effort, Holding, Player};
use richman_engine::{Care, Look};

use super::{Computer, PlayerError, Seat, SourcePlayer};
use crate::{Action, Decision, Match, MatchRules};

/// Fixed, so that the same question has the same answer.
const SEED: u64 = 0;

/// An estimate, which proves nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct ChipEstimate {
    /// Alice's need for a win, as a share of all the chips.
    pub needs: f64,
    /// Each player's choice; `None` without holdings, or if a player answers an open bid.
    pub choices: ByPlayer<Option<EstimatedChoice>>,
}

/// The best player's choice at a bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EstimatedChoice {
    /// The bid.
    pub bid: u32,
    /// Whether to use the star in a tie; `None` if that is not this player's choice.
    pub use_star: Option<bool>,
    /// The move after winning the bid, or letting the other player move; `None` if the bid cannot
    /// be won.
    pub then: Option<Action>,
}

impl ChipEstimate {
    /// The estimate for a position of an unfinished game; `None` if no engine makes one.
    ///
    /// # Errors
    /// Fails if the position does not exist or the holdings do not fit; `TooMuchMemory`;
    /// `Cancelled`.
    pub fn of(
        scope: &Scope,
        hands: Option<ByPlayer<Holding>>,
        effort: &Effort,
    ) -> Result<Option<ChipEstimate>, PlayerError> {
        let walk = scope.subject.walk(scope.position)?;
        let Some(engine) = scope.engine()? else { return Ok(None) };
        let Some(source) = scope.see(engine, effort)? else { return Ok(None) };
        let effort = Effort { positions: u64::MAX, ..*effort };
        // A search that never ends would leave no time for the next one.
        let looks = 1 + u32::from(hands.is_some());
        let effort = match effort.time_left().filter(|_| !source.ends()) {
            Some(left) => effort.at_most(left / (looks + 1)),
            None => effort,
        };
        let Some(seen) = source.see(walk.as_ref(), &Look { care: Care::Usual, seed: SEED, effort })? else {
            return Ok(None);
        };
        let mut choices = ByPlayer::new(None, None);
        if let Some(start) = hands {
            let rules = MatchRules { mechanism: scope.mechanism.clone(), start, limit: None };
            let game = Match::new(walk, rules)
                .map_err(|illegal| PlayerError::unfit("best", scope.subject.name(), illegal.to_string()))?;
            // One evaluation serves both, so that they agree.
            let mut computer = SourcePlayer::new(&source, Care::Usual, SEED);
            for player in Player::BOTH {
                choices[player] = choice(&mut computer, &game, player, &effort)?;
            }
        }
        Ok(Some(ChipEstimate { needs: seen.here.middle(), choices }))
    }
}

/// The bid of a player, the star if the other player bids the same, and the move after winning.
fn choice(
    computer: &mut SourcePlayer,
    game: &Match,
    player: Player,
    effort: &Effort,
) -> Result<Option<EstimatedChoice>, PlayerError> {
    if game.decision(player) != Some(Decision::Bid) {
        return Ok(None);
    }
    let Action::Bid(bid) = computer.act(&Seat::new(game, player), effort)? else { return Ok(None) };
    let other = player.other();
    let after = |reply: u32| {
        let mut game = game.clone();
        let bids = [(player, bid), (other, reply)];
        bids.into_iter().all(|(player, bid)| game.act(player, &Action::Bid(bid)).is_ok()).then_some(game)
    };
    let mut choice = EstimatedChoice { bid, use_star: None, then: None };
    let tied = after(bid);
    if let Some(tied) = tied.as_ref().filter(|tied| matches!(tied.decision(player), Some(Decision::Star { .. })))
        && let Action::UseStar(used) = computer.act(&Seat::new(tied, player), effort)?
    {
        choice.use_star = Some(used);
    }
    let lowest = game.allowed_bids(other).first().map_or(0, |range| range[0]);
    let Some(mut won) = after(lowest) else { return Ok(Some(choice)) };
    if matches!(won.decision(player), Some(Decision::Star { .. })) && won.act(player, &Action::UseStar(true)).is_err() {
        return Ok(Some(choice));
    }
    if matches!(won.decision(player), Some(Decision::Move { .. })) {
        choice.then = Some(computer.act(&Seat::new(&won, player), effort)?);
    }
    Ok(Some(choice))
}

#[cfg(test)]
mod tests {
    use richman_analysis::Subject;
    use richman_core::{Mechanism, Total};

    use super::*;

    fn estimate(game: &str, position: Option<&str>, hands: [&str; 2]) -> Option<ChipEstimate> {
        let (subject, mechanism) = (Subject::named(game).unwrap(), Mechanism::default());
        let hands: ByPlayer<Holding> = hands.map(|hand| hand.parse().unwrap()).into();
        let total = Total::new(hands.iter().map(|hand| hand.chips()).sum()).unwrap();
        let purses = mechanism.purses(ByPlayer::from_fn(|player| hands[player].chips()), total.chips());
        let scope = Scope { subject: &subject, position, mechanism: &mechanism, total, purses };
        let effort = Effort::default().at_most(std::time::Duration::from_secs(10));
        ChipEstimate::of(&scope, Some(hands), &effort).unwrap()
    }

    #[test]
    fn both_take_a_king_that_hangs() {
        // Either rook takes the other's king, so each bids as much as the other could.
        let found = estimate("chess", Some("4k3/4R3/8/8/8/8/4r3/4K3"), ["10*", "9"]).unwrap();
        let (alice, bob) = (found.choices.alice.unwrap(), found.choices.bob.unwrap());
        assert_eq!((alice.bid, alice.use_star), (9, Some(true)), "no bid of Bob's beats it");
        assert_eq!(alice.then, Some(Action::Move("Rxe8".to_string())));
        assert_eq!((bob.bid, bob.use_star), (9, None));
        assert_eq!(bob.then, Some(Action::Move("Rxe1".to_string())));
    }

    #[test]
    fn games_without_an_engine_have_none() {
        assert_eq!(estimate("tug-of-war", None, ["4*", "4"]), None);
    }
}
