//! A review in three things: the turning point, the best decision of each player, and one thing to
//! learn.

use richman_core::{ByPlayer, Player};
use schemars::JsonSchema;
use serde::Serialize;

use super::words::{alternatives, bids};
use super::{Mistake, MistakeGrade, MistakeKind, RestsOn, Review};

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

    fn words(&self) -> String {
        let Feat { turn, good, all, .. } = self;
        let what = match &self.deed {
            FeatDeed::Bid(bid) => format!("bid of {bid}"),
            FeatDeed::Move(name) => format!("move {name}"),
        };
        let kinds = if matches!(self.deed, FeatDeed::Bid(_)) { "bids" } else { "moves" };
        let only =
            if *good == 1 { format!("no other of {all} {kinds}") } else { format!("only {good} of {all} {kinds}") };
        let why = match self.worth {
            FeatWorth::WinsAtOnce => "it could not be beaten, and the move won at once".to_string(),
            FeatWorth::PreventsLoss => format!("{} could have won at once, and this prevented it", self.player.other()),
            FeatWorth::KeepsWin => format!("{only} kept the win"),
            FeatWorth::KeepsDraw => format!("{only} kept the draw"),
            FeatWorth::KeepsPoints => format!("{only} kept as many points"),
            FeatWorth::Probable => format!("{only} could be as good, as far as is known"),
        };
        format!("{}'s best decision was the {what} at turn {turn}: {why}.", self.player)
    }
}

/// The digest of a review whose mistakes are known.
pub(super) fn digest(review: &Review, feats: &[Feat], computers: ByPlayer<bool>) -> ReviewDigest {
    let best = ByPlayer::from_fn(|player| best(review, feats, player));
    let (turn, decided) = decided(review);
    ReviewDigest { decided, turn, best, learn: learn(review, computers) }
}

fn best(review: &Review, feats: &[Feat], player: Player) -> String {
    let is_fault = |feat: &Feat| {
        let is_move = matches!(feat.deed, FeatDeed::Move(_));
        let same = |mistake: &&Mistake| mistake.turn == feat.turn && mistake.player == player;
        let counted = |mistake: &Mistake| mistake.grade != MistakeGrade::Slower && mistake.is_move() == is_move;
        review.mistakes.iter().filter(same).any(counted)
    };
    let own = feats.iter().filter(|feat| feat.player == player && feat.good < feat.all && !is_fault(feat));
    match own.max_by(|one, two| one.rank().partial_cmp(&two.rank()).unwrap_or(std::cmp::Ordering::Equal)) {
        Some(feat) => feat.words(),
        None if review.turns.is_empty() => format!("{player} has not moved yet."),
        None => format!("No decision of {player} stands out as the best."),
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

fn gravest(review: &Review, test: impl Fn(&Mistake) -> bool) -> Option<&Mistake> {
    let known = review.mistakes.iter().filter(|mistake| gravity(mistake).is_some() && test(mistake));
    known.max_by_key(|mistake| gravity(mistake)) // the last of equals
}

/// The turning point, from 1, and the sentence about it.
fn decided(review: &Review) -> (Option<usize>, String) {
    if !review.now.over {
        return (None, "It is not decided yet: the match goes on.".to_string());
    }
    let counts = |mistake: &Mistake| mistake.punished != Some(false) && mistake.grade != MistakeGrade::Margin;
    let Some(winner) = review.now.winner else {
        return match gravest(review, counts) {
            Some(Mistake { turn, text, .. }) => {
                (Some(*turn), format!("A draw. More was possible at turn {turn}: {text}"))
            }
            None => (None, "A draw, and no decision is known that let go of more.".to_string()),
        };
    };
    if let Some(Mistake { turn, text, .. }) = gravest(review, |mistake| mistake.player != winner && counts(mistake)) {
        return (Some(*turn), format!("It was decided at turn {turn}: {text}"));
    }
    let loser = winner.other();
    match review.rests_on {
        RestsOn::Chips if super::words::is_settled(review, winner, 1) => {
            let said = format!("with these chips {winner} could force the win, and gave nothing away.");
            (None, format!("It was decided before the first bid: {said}"))
        }
        _ => match swing(review, winner) {
            Some((turn, chips)) => {
                let at = &review.turns[turn];
                let moved = at.played.as_ref().map_or(String::new(), |name| format!(" and played {name}"));
                let let_move = if at.mover == at.winner { "" } else { ", and the other player moved" };
                let paid = at.bid_of(at.winner).map_or(String::new(), |bid| format!(" with {bid}"));
                let said = format!(
                    "No single decision of {loser} is known to have lost it. Turn {} brought {winner} most: {} won \
                     the bid{paid}{}, worth about {}.",
                    turn + 1,
                    at.winner,
                    if at.mover == at.winner { moved.as_str() } else { let_move },
                    richman_core::counted(chips.unsigned_abs(), "chip"),
                );
                (Some(turn + 1), said)
            }
            None => (None, format!("{winner} won. No single decision of {loser} is known to have lost it.")),
        },
    }
}

/// The turn, from 0, that brought the player the most chips to spare, and how many.
fn swing(review: &Review, player: Player) -> Option<(usize, i64)> {
    let worths = review.turns.iter().map(|turn| &turn.worth).chain([&review.now.worth]);
    let margins: Vec<Option<i64>> = worths.map(|worth| worth.as_ref()?.margin?[player].win).collect();
    let gains = margins.windows(2).enumerate().filter_map(|(turn, pair)| Some((turn, pair[1]? - pair[0]?)));
    gains.filter(|&(_, chips)| chips > 0).max_by_key(|&(_, chips)| chips)
}

/// The lesson for the loser, or for the person who played against the computer.
fn learn(review: &Review, computers: ByPlayer<bool>) -> String {
    let people: Vec<Player> = Player::BOTH.into_iter().filter(|&player| !computers[player]).collect();
    let learner = match people.as_slice() {
        [one] => Some(*one),
        _ => review.now.winner.map(Player::other),
    };
    let Some(worst) = gravest(review, |mistake| learner.is_none_or(|player| mistake.player == player)) else {
        return match (review.rests_on, learner) {
            (RestsOn::Nothing | RestsOn::Samples, _) => {
                "Only wins and losses at once could be judged in this game, and none was overlooked.".to_string()
            }
            (_, Some(player)) => {
                format!("{player} made no mistake that could be found. Fewer chips make the next match harder.")
            }
            (_, None) => "Nobody made a mistake that could be found.".to_string(),
        };
    };
    lesson(worst, review)
}

fn lesson(mistake: &Mistake, review: &Review) -> String {
    let Mistake { turn, player, better, .. } = mistake;
    let other = player.other();
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
            "A move can be worth more than it seems. At turn {turn} {player} should have bid {}.",
            bids(&better.bids)
        ),
        MistakeKind::BidTooHigh => format!(
            "Chips that are paid buy the next moves, so do not pay too much for this one. At turn {turn} {} would \
             have done.",
            bids(&better.bids)
        ),
        MistakeKind::WrongBid => {
            format!("The amount matters: at turn {turn} {player} should have bid {}.", bids(&better.bids))
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
            format!("The right move matters as much as the price: at turn {turn} compare {better}{played}.")
        }
        MistakeKind::ShouldHaveLet => {
            format!("Moving can hurt. At turn {turn} it was better to let {other} move.")
        }
        MistakeKind::ShouldHaveMoved => {
            "Who has won the bid has paid for the move: let the other player move only if moving hurts.".to_string()
        }
        MistakeKind::Resigned => "Do not resign before the end is certain: chips can turn a game around.".to_string(),
    }
}
