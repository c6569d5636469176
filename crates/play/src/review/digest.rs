//! A review in three things: the turning point, the best decision of each player, and one thing to
//! learn.

use richman_core::{ByPlayer, Player};
use schemars::JsonSchema;
use serde::Serialize;

use super::words::{alternatives, bids, hands};
use super::{Mistake, MistakeGrade, MistakeKind, RestsOn, Review, ReviewWorth};
use crate::Voice;

/// The facts for a digest that no report shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DigestBasis {
    pub feats: Vec<Feat>,
    /// Which players are computers.
    pub computers: ByPlayer<bool>,
}

/// Three things about a match, in words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReviewDigest {
    /// The turning point.
    pub decided: String,
    /// Its turn, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The best decision of each player.
    #[serde(serialize_with = "richman_formats::by_player::serialize")]
    #[schemars(schema_with = "richman_formats::by_player::schema::<String>")]
    pub best: ByPlayer<String>,
    /// One thing to learn.
    pub learn: String,
}

/// A good decision: `good` of `all` options were as good.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Feat {
    pub turn: usize,
    pub player: Player,
    pub deed: FeatDeed,
    pub good: u64,
    pub all: u64,
    pub worth: FeatWorth,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FeatDeed {
    Bid(u32),
    Move(String),
}

/// The loss by the worse options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeatWorth {
    WinsAtOnce,
    PreventsLoss,
    KeepsWin,
    KeepsDraw,
    KeepsPoints,
    /// By bounds or estimates.
    Probable,
}

impl Feat {
    /// The rarity of the good options, and their worth.
    fn rank(&self) -> (f64, u64) {
        (1.0 - self.good as f64 / self.all.max(1) as f64, self.all)
    }

    fn words(&self, voice: Voice) -> String {
        let Feat { turn, good, all, .. } = self;
        let what = match &self.deed {
            FeatDeed::Bid(bid) => format!("bid of {bid}"),
            FeatDeed::Move(name) => format!("move {name}"),
        };
        let kinds = if matches!(self.deed, FeatDeed::Bid(_)) { "bids" } else { "moves" };
        let only = |did: &str| match *good {
            1 => format!("it was the only one of {all} {kinds} that {did}"),
            good => format!("only {good} of {all} {kinds} {did}"),
        };
        let other = voice.name(self.player.other());
        let why = match self.worth {
            FeatWorth::WinsAtOnce => "it could not be beaten, and the move won at once".to_string(),
            FeatWorth::PreventsLoss => format!("{other} could have won at once, and this prevented it"),
            FeatWorth::KeepsWin => only("kept the win"),
            FeatWorth::KeepsDraw => only("kept the draw"),
            FeatWorth::KeepsPoints => only("kept as many points"),
            FeatWorth::Probable if *good == 1 => {
                format!("none of the other {kinds} is known to be as good")
            }
            FeatWorth::Probable => only("may be as good"),
        };
        format!("{} best decision was the {what} at turn {turn}: {why}.", voice.start_of(self.player))
    }
}

/// The digest of a review whose mistakes are known.
pub(super) fn digest(review: &Review, voice: Voice) -> ReviewDigest {
    let best = ByPlayer::from_fn(|player| best(review, player, voice));
    let (turn, decided) = decided(review, voice);
    ReviewDigest { decided, turn, best, learn: learn(review, voice) }
}

fn best(review: &Review, player: Player, voice: Voice) -> String {
    let is_fault = |feat: &Feat| {
        let is_move = matches!(feat.deed, FeatDeed::Move(_));
        let same = |mistake: &&Mistake| mistake.turn == feat.turn && mistake.player == player;
        let counted = |mistake: &Mistake| mistake.grade != MistakeGrade::Slower && mistake.is_move() == is_move;
        review.mistakes.iter().filter(same).any(counted)
    };
    let feats = review.basis.feats.iter();
    let own = feats.filter(|feat| feat.player == player && feat.good < feat.all && !is_fault(feat));
    match own.max_by(|one, two| one.rank().partial_cmp(&two.rank()).unwrap_or(std::cmp::Ordering::Equal)) {
        Some(feat) => feat.words(voice),
        None if review.turns.is_empty() => {
            format!("{} {} not moved yet.", voice.start(player), voice.verb(player, "has", "have"))
        }
        None => format!("No decision of {} stands out as the best.", voice.whose(player)),
    }
}

/// The gravity of a mistake; `None` if it is not worth a sentence.
fn gravity(mistake: &Mistake) -> Option<(u8, i64)> {
    let grade = match mistake.grade {
        MistakeGrade::Slower => return None,
        MistakeGrade::Margin => 0,
        MistakeGrade::Probable => 1,
        MistakeGrade::AtOnce => 2,
        MistakeGrade::Result => 3,
    };
    let points = mistake.before.number() - mistake.guaranteed.number();
    Some((grade, mistake.lost_chips.unwrap_or(if mistake.grade == MistakeGrade::Result { points } else { i64::MAX })))
}

fn gravest<'a>(
    mistakes: impl IntoIterator<Item = &'a Mistake>,
    test: impl Fn(&Mistake) -> bool,
) -> Option<&'a Mistake> {
    let known = mistakes.into_iter().filter(|mistake| gravity(mistake).is_some() && test(mistake));
    known.max_by_key(|mistake| gravity(mistake)) // the last of equals
}

/// Whether a mistake can have decided the match.
fn counts(mistake: &Mistake) -> bool {
    mistake.punished != Some(false) && mistake.grade != MistakeGrade::Margin
}

/// The turning point, from 1, and the sentence about it. A decision that a hint suggested can be
/// the turning point too.
fn decided(review: &Review, voice: Voice) -> (Option<usize>, String) {
    if !review.now.over {
        return (None, "It is not decided yet: the match goes on.".to_string());
    }
    let all = || review.suggested.iter().chain(&review.mistakes);
    let Some(winner) = review.now.winner else {
        return match gravest(all(), counts) {
            Some(Mistake { turn, text, .. }) => {
                (Some(*turn), format!("A draw. More was possible at turn {turn}: {text}"))
            }
            None => (None, "A draw. No decision is known to have given away more.".to_string()),
        };
    };
    if is_lost_anyway(review, winner) {
        let who = voice.name(winner);
        let said = format!("with these chips {who} could force the win, and gave nothing away.");
        return (None, format!("It was decided before the first bid: {said}"));
    }
    if let Some(worst) = gravest(all(), |mistake| mistake.player != winner && counts(mistake)) {
        let hint = if review.suggested.contains(worst) { " A hint had suggested it." } else { "" };
        return (Some(worst.turn), format!("It was decided at turn {}: {}{hint}", worst.turn, worst.text));
    }
    let none = format!("No single decision of {} is known to have lost it.", voice.whose(winner.other()));
    match swing(review, winner) {
        Some(found) => (Some(found.turn), format!("{none} {}", found.words(review, winner, voice))),
        None => (None, format!("{} won. {none}", voice.start(winner))),
    }
}

/// Whether no play of the loser could have changed the result.
fn is_lost_anyway(review: &Review, winner: Player) -> bool {
    matches!(review.rests_on, RestsOn::Chips) && super::words::is_settled(review, winner, 1)
}

/// The turn that brought a player most.
struct Swing {
    /// Its number, from 1.
    turn: usize,
    /// What it is worth in chips, if that is known.
    chips: Option<i64>,
}

impl Swing {
    fn words(&self, review: &Review, player: Player, voice: Voice) -> String {
        let at = &review.turns[self.turn - 1];
        let (moved, who) = (at.mover == at.winner, voice.start(at.winner));
        let what = match (at.bid_of(at.winner), &at.played) {
            (Some(bid), Some(name)) if moved => format!("{who} won the bid with {bid} and played {name}"),
            (Some(bid), None) if moved => format!("{who} won the bid with {bid}"),
            (Some(bid), _) => format!("{who} won the bid with {bid}, and {} moved", voice.name(at.mover)),
            (None, Some(name)) => format!("{} played {name}", voice.start(at.mover)),
            (None, None) => format!("{} had no move", voice.start(at.mover)),
        };
        let worth = |chips: i64| format!(", worth about {}", richman_core::counted(chips.unsigned_abs(), "chip"));
        let worth = self.chips.map_or_else(String::new, worth);
        format!("Turn {} brought {} most: {what}{worth}.", self.turn, voice.name(player))
    }
}

/// The turn after which the player stood better than before by most: in chips to spare, or else by
/// an estimate.
fn swing(review: &Review, player: Player) -> Option<Swing> {
    let worths = || review.turns.iter().map(|turn| &turn.worth).chain([&review.now.worth]);
    let margins: Vec<Option<i64>> = worths().map(|worth| worth.as_ref()?.margin?[player].win).collect();
    if let Some((turn, chips)) = most(&margins) {
        return Some(Swing { turn, chips: Some(chips) });
    }
    let chances: Vec<Option<f64>> = worths().map(|worth| standing(worth.as_ref()?, player)).collect();
    most(&chances).map(|(turn, _)| Swing { turn, chips: None })
}

/// The turn, from 1, with the greatest gain from before it to after it, and the gain.
fn most<T: PartialOrd + Default + Copy + std::ops::Sub<Output = T>>(values: &[Option<T>]) -> Option<(usize, T)> {
    let gains = values.windows(2).enumerate().filter_map(|(turn, pair)| Some((turn + 1, pair[1]? - pair[0]?)));
    let better = gains.filter(|&(_, gain)| gain > T::default());
    better.reduce(|best, next| if next.1 >= best.1 { next } else { best })
}

/// How well a player stands by an estimate: the greater, the better.
fn standing(worth: &ReviewWorth, player: Player) -> Option<f64> {
    let of_alice = match (&worth.samples, worth.estimate) {
        (Some(samples), _) => (f64::from(samples.alice) - f64::from(samples.bob)) / f64::from(samples.games),
        (None, needs) => -needs?,
    };
    Some(player.either(of_alice, -of_alice))
}

/// The lesson for the player who is addressed, or for the person who played against the computer,
/// or for the loser.
fn learn(review: &Review, voice: Voice) -> String {
    let people: Vec<Player> = Player::BOTH.into_iter().filter(|&player| !review.basis.computers[player]).collect();
    let learner = voice.you.or(match people.as_slice() {
        [one] => Some(*one),
        _ => review.now.winner.map(Player::other),
    });
    let is_own = |mistake: &Mistake| learner.is_none_or(|player| mistake.player == player);
    let winner = review.now.winner.filter(|_| review.now.over);
    let beaten_by = winner.filter(|&winner| learner == Some(winner.other()));
    if let Some(winner) = beaten_by.filter(|&winner| is_lost_anyway(review, winner)) {
        return why_lost(review, winner, voice);
    }
    if let Some(worst) = gravest(&review.mistakes, is_own) {
        return lesson(worst, review, voice).replace("....", "..."); // a list may be cut
    }
    if let Some(winner) = beaten_by {
        return why_lost(review, winner, voice);
    }
    match (review.rests_on, learner) {
        (RestsOn::Nothing | RestsOn::Samples, _) => {
            "Only wins and losses at once could be judged in this game, and none was overlooked.".to_string()
        }
        (_, Some(player)) => {
            let harder = match review.now.winner == Some(player) {
                true => " Fewer chips make the next match harder.",
                false => "",
            };
            format!("{} made no mistake that could be found.{harder}", voice.start(player))
        }
        (_, None) => "Nobody made a mistake that could be found.".to_string(),
    }
}

/// The lesson for a loser who made no mistake: what decided the match, or that no play would have
/// held.
fn why_lost(review: &Review, winner: Player, voice: Voice) -> String {
    let loser = winner.other();
    let lost = voice.start(loser);
    if is_lost_anyway(review, winner) {
        return format!(
            "No play would have held: with {} {} could force the win from the first bid on. More chips for {} make \
             the next match even.",
            hands(review),
            voice.name(winner),
            voice.name(loser),
        );
    }
    if let Some(Mistake { turn, .. }) = gravest(&review.suggested, |mistake| mistake.player == loser && counts(mistake))
    {
        return format!("{lost} followed a hint at turn {turn}, and that lost the match. Hints can err.");
    }
    let risk = |mistake: &Mistake| mistake.player == winner && mistake.grade == MistakeGrade::Result;
    if let Some(Mistake { turn, text, .. }) = gravest(&review.mistakes, risk) {
        return format!(
            "There was a chance from turn {turn} on: {text} No single decision of {} is known to have missed it.",
            voice.whose(loser)
        );
    }
    match (swing(review, winner), review.rests_on) {
        (Some(found), _) => format!(
            "{lost} made no mistake that could be found. Look at turn {}, which brought {} most.",
            found.turn,
            voice.name(winner)
        ),
        (None, RestsOn::Nothing | RestsOn::Samples) => {
            "Only wins and losses at once could be judged in this game, and none was overlooked: it is not known what \
             decided it."
                .to_string()
        }
        (None, _) => format!("{lost} made no mistake that could be found, and it is not known what decided it."),
    }
}

fn lesson(mistake: &Mistake, review: &Review, voice: Voice) -> String {
    let Mistake { turn, player, better, .. } = mistake;
    let [player, other] = [*player, player.other()].map(|player| voice.name(player));
    let at_once = mistake.grade == MistakeGrade::AtOnce;
    let wins = mistake.before == super::ResultJson::Win;
    match mistake.kind {
        MistakeKind::BidTooLow | MistakeKind::WrongBid | MistakeKind::BidTooHigh if at_once && wins => {
            "Before every bid, look for a move that wins at once. If you can bid more than the other player has, the \
             game is yours."
                .to_string()
        }
        MistakeKind::BidTooLow | MistakeKind::WrongBid if at_once => format!(
            "Before every bid, ask whether {other} could win with the next move. If so, bid at least all that {other} \
             has, and one more without the star."
        ),
        MistakeKind::BidTooLow => format!(
            "A move can be worth more than it seems. At turn {turn}, {player} should have bid {}.",
            bids(&better.bids)
        ),
        MistakeKind::BidTooHigh => format!(
            "Chips that are paid buy the next moves, so do not pay too much for this one. At turn {turn}, a bid of {} \
             would have been enough.",
            bids(&better.bids)
        ),
        MistakeKind::WrongBid => {
            format!("The amount matters: at turn {turn}, {player} should have bid {}.", bids(&better.bids))
        }
        MistakeKind::UsedStar => {
            "The star is worth about half a chip: use it only if the move is worth the bid and the star.".to_string()
        }
        MistakeKind::KeptStar => {
            "The star wins ties: use it when the move is worth more than the bid and half a chip.".to_string()
        }
        MistakeKind::WrongMove if at_once && wins => "Before every move, look for one that wins at once.".to_string(),
        MistakeKind::WrongMove if at_once => {
            format!("Before every move, ask what {other} could win with next, and whether {player} could outbid that.")
        }
        MistakeKind::WrongMove => {
            let played = review.turns.get(turn - 1).and_then(|at| at.played.clone());
            let played = played.map_or(String::new(), |name| format!(" with {name}"));
            let better = alternatives(better.moves.clone());
            format!("The right move matters as much as the price: at turn {turn}, compare {better}{played}.")
        }
        MistakeKind::ShouldHaveLet => {
            format!("Moving can hurt. At turn {turn}, it was better to let {other} move.")
        }
        MistakeKind::ShouldHaveMoved => {
            "The winner of the bid has paid for the move: let the other player move only if moving hurts.".to_string()
        }
        MistakeKind::Resigned => "Do not resign before the end is certain: chips can turn a game around.".to_string(),
    }
}
