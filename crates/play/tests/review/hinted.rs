//! What a hint suggested is not held against the player.

use fastrand::Rng;
use richman_core::{ByPlayer, Effort};
use richman_play::review::{GivenHint, HintedPlay, MatchNotes, Mistake, MistakeKind, review_with};
use richman_play::{Action, MatchTurn};

use super::judge::{part, random_game, random_match, random_mechanism};
use super::of;

/// The decision that is called a mistake.
fn decision(mistake: &Mistake, turn: &MatchTurn) -> Option<HintedPlay> {
    use MistakeKind as M;
    Some(match mistake.kind {
        M::BidTooLow | M::BidTooHigh | M::WrongBid => {
            let bid = turn.bids[mistake.player]?;
            HintedPlay::Bids([bid.saturating_sub(1), bid])
        }
        M::UsedStar | M::KeptStar => HintedPlay::Action(Action::UseStar(turn.star_used?)),
        M::ShouldHaveMoved => HintedPlay::Action(Action::Let),
        M::WrongMove | M::ShouldHaveLet => HintedPlay::Action(Action::Move(turn.played.clone()?)),
        M::Resigned => return None,
    })
}

#[test]
fn a_mistake_that_a_hint_suggested_is_set_apart() {
    let mut kinds = std::collections::BTreeSet::new();
    let mut tried = 0;
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let (game, _) = random_game(&mut rng);
        let mechanism = random_mechanism(&mut rng);
        let played = random_match(&game, &mechanism, 6, false, &mut rng);
        let before = of(&game, &played);
        assert!(before.suggested.is_empty());
        for mistake in &before.mistakes {
            let Some(turn) = played.turns().get(mistake.turn - 1) else { continue };
            let Some(suggests) = decision(mistake, turn) else { continue };
            let Mistake { turn, player, .. } = *mistake;
            let reviewed = |hint: GivenHint| {
                let notes = MatchNotes { computers: ByPlayer::both(false), hints: vec![hint] };
                review_with(&game, &played, &notes, &Effort::default()).unwrap()
            };
            let found = reviewed(GivenHint { turn, player, suggests: suggests.clone() });
            assert!(found.suggested.contains(mistake), "seed {seed}: {mistake:?}");
            assert!(!found.mistakes.contains(mistake), "seed {seed}: {mistake:?}");
            assert_eq!(found.mistakes.len() + found.suggested.len(), before.mistakes.len(), "seed {seed}");
            // A hint to the other player, or for another turn, is no excuse.
            let others = [(turn, player.other()), (turn + 1, player)];
            for (turn, player) in others {
                let found = reviewed(GivenHint { turn, player, suggests: suggests.clone() });
                assert!(found.mistakes.contains(mistake), "seed {seed}: {mistake:?}");
            }
            kinds.insert(part(mistake.kind));
            tried += 1;
        }
    }
    assert!(tried > 200 && kinds.len() == 4, "{tried} {kinds:?}");
}
