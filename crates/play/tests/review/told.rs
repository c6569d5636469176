//! The sentences of a review: what a loser learns, whom they call "you", and that they are English.

use fastrand::Rng;
use richman_analysis::Subject;
use richman_core::{ByPlayer, Effort, Player};
use richman_play::review::{GivenHint, HintedPlay, MatchNotes, Mistake, MistakeGrade, Review, review_with};
use richman_play::{Action, Match};

use super::judge::{random_game, random_match, random_mechanism};
use super::{RestsOn, ResultJson, of};

fn sentences(review: &Review) -> Vec<&str> {
    let digest = &review.digest;
    let summed = [&review.summary, &digest.decided, &digest.best.alice, &digest.best.bob, &digest.learn];
    let mistakes = review.mistakes.iter().chain(&review.suggested).map(|mistake| &mistake.text);
    summed.into_iter().chain(mistakes).map(String::as_str).collect()
}

/// Random matches with their reviews; some end by resigning.
fn reviewed(seeds: std::ops::Range<u64>, mut test: impl FnMut(&str, &Subject, &Match, Review)) {
    for seed in seeds {
        let mut rng = Rng::with_seed(seed);
        let (game, _) = random_game(&mut rng);
        let mechanism = random_mechanism(&mut rng);
        let played = random_match(&game, &mechanism, 6, rng.u8(..4) == 0, &mut rng);
        let review = of(&game, &played);
        test(&format!("seed {seed}"), &game, &played, review);
    }
}

/// Whether nothing that the loser did could have changed the result.
fn was_settled(review: &Review, winner: Player) -> bool {
    let risked = |mistake: &Mistake| mistake.player == winner && mistake.grade == MistakeGrade::Result;
    if !matches!(review.rests_on, RestsOn::Chips) || review.mistakes.iter().any(risked) {
        return false;
    }
    let worths = review.turns.iter().map(|turn| &turn.worth).chain([&review.now.worth]);
    let mut sure = worths.map(|worth| worth.as_ref().and_then(|worth| worth.sure));
    sure.all(|sure| sure.is_some_and(|sure| sure[winner] == ResultJson::Win))
}

#[test]
fn whoever_lost_is_told_what_decided_it_or_that_no_play_would_have_held() {
    let (mut settled, mut lessons) = (0, 0);
    reviewed(0..600, |at, _, _, review| {
        let Some(winner) = review.now.winner else { return };
        let told = review.told_to(winner.other());
        let learn = &told.digest.learn;
        assert!(!learn.contains("Fewer chips"), "{at}: {learn}");
        assert!(!learn.is_empty() && learn != &told.digest.decided, "{at}: {learn}");
        let is_settled = learn.starts_with("No play would have held");
        assert_eq!(is_settled, was_settled(&review, winner), "{at}: {learn}");
        assert_eq!(is_settled, told.digest.decided.starts_with("It was decided before the first bid"), "{at}");
        (settled, lessons) = (settled + usize::from(is_settled), lessons + usize::from(!is_settled));
    });
    assert!(settled > 5 && lessons > 20, "{settled} {lessons}");
}

/// A loser who followed hints in everything is blamed for nothing, and still reads what decided it.
#[test]
fn a_loser_who_followed_hints_reads_what_decided_the_match() {
    let mut misled = 0;
    reviewed(0..600, |at, game, played, review| {
        let Some(loser) = review.now.winner.map(Player::other) else { return };
        let hints = played.turns().iter().zip(1..).flat_map(|(turn, number)| {
            let bid = turn.bids[loser].map(|bid| HintedPlay::Bids([bid; 2]));
            let star = turn.star_used.map(|used| HintedPlay::Action(Action::UseStar(used)));
            let played = turn.played.clone().map(|name| HintedPlay::Action(Action::Move(name)));
            let lets = (turn.winner != turn.mover).then_some(HintedPlay::Action(Action::Let));
            let all = [bid, star, played, lets].into_iter().flatten();
            all.map(move |suggests| GivenHint { turn: number, player: loser, suggests })
        });
        let notes = MatchNotes { computers: ByPlayer::both(false), hints: hints.collect() };
        let found = review_with(game, played, &notes, &Effort::default()).unwrap();
        let digest = found.told_to(loser).digest;
        assert!(!digest.learn.contains("Fewer chips"), "{at}: {digest:?}");
        let is_settled = digest.learn.starts_with("No play would have held");
        assert_eq!(is_settled, was_settled(&review, loser.other()), "{at}: hints are not blamed: {digest:?}");
        assert_eq!(digest.turn, review.digest.turn, "{at}: hints do not change what decided the match");
        misled += usize::from(digest.decided.ends_with("A hint had suggested it."));
    });
    assert!(misled > 20, "{misled}");
}

#[test]
fn a_review_told_to_a_player_calls_them_you() {
    let mut called = 0;
    reviewed(0..300, |at, _, _, review| {
        for you in Player::BOTH {
            let told = review.told_to(you);
            assert_eq!(told.mistakes.len(), review.mistakes.len());
            for (sentence, plain) in sentences(&told).into_iter().zip(sentences(&review)) {
                let name = you.to_string();
                assert!(!sentence.contains(&name), "{at}: {sentence} names {name}");
                // The lesson is another one, for whoever reads it.
                let is_named = plain.contains(&name) && plain != review.digest.learn;
                let lower = sentence.to_lowercase();
                assert!(!is_named || lower.contains("you"), "{at}: {sentence} was {plain}");
                called += usize::from(is_named);
            }
            // Numbers, positions and grades are the same.
            let facts = |review: &Review| (review.turns.clone(), review.now.clone(), review.rests_on);
            assert_eq!(facts(&told), facts(&review), "{at}");
        }
    });
    assert!(called > 300, "{called}");
}

/// No sentence puts two numbers side by side, ends twice, or counts one thing as several.
#[test]
fn sentences_of_reviews_are_english() {
    reviewed(0..600, |at, _, _, review| {
        let told = Player::BOTH.map(|player| review.told_to(player));
        for sentence in [&review].into_iter().chain(&told).flat_map(sentences).filter(|sentence| !sentence.is_empty()) {
            let words: Vec<&str> = sentence.split(' ').collect();
            let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
            let side_by_side = words.windows(2).any(|pair| is_number(pair[0]) && is_number(pair[1]));
            assert!(!side_by_side, "{at}: two numbers in a row: {sentence}");
            for wrong in ["..", "?.", "!.", ",.", " .", "  ", " 1 chips", " 1 moves", "you was", "you has", "You was"] {
                let sentence = sentence.replace("...", "and so on");
                assert!(!sentence.contains(wrong), "{at}: {wrong:?} in {sentence}");
            }
            assert!(sentence.ends_with(['.', '!', '?']) && !sentence.ends_with("...."), "{at}: no end: {sentence}");
            assert!(sentence.starts_with(|first: char| first.is_uppercase()), "{at}: no beginning: {sentence}");
        }
    });
}
