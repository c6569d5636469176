//! A review in sentences.

use richman_core::{ByPlayer, Outcome, Player};
use richman_engine::Method;

use super::{BetterPlay, Margin, Mistake, MistakeGrade, MistakeKind, RestsOn, ResultJson, Review, ReviewWorth};
use crate::{MatchTurn, Voice};

/// The most bids or moves to name.
const SHOWN: usize = 4;

/// A sentence to anybody, and to each player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ToldSentence {
    pub plain: String,
    pub to: ByPlayer<String>,
}

impl ToldSentence {
    pub fn by(say: impl Fn(Voice) -> String) -> ToldSentence {
        ToldSentence { plain: say(Voice::default()), to: ByPlayer::from_fn(|player| say(Voice::to(player))) }
    }
}

/// `3`, `3 to 5`, `3 or 5 to 7`.
pub(super) fn bids(ranges: &[[u32; 2]]) -> String {
    let range = |&[low, high]: &[u32; 2]| if low == high { low.to_string() } else { format!("{low} to {high}") };
    alternatives(ranges.iter().map(range).collect())
}

/// `a, b or c`, only the first few.
pub(super) fn alternatives(mut words: Vec<String>) -> String {
    let more = words.len() > SHOWN;
    words.truncate(SHOWN);
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() && !more => format!("{} or {last}", rest.join(", ")),
        _ if more => format!("{}, ...", words.join(", ")),
        _ => words.join(""),
    }
}

/// `the win`, `the draw`, `3 points`.
fn kept(result: ResultJson) -> String {
    match result {
        ResultJson::Win => "the win".to_string(),
        ResultJson::Draw => "the draw".to_string(),
        ResultJson::Loss | ResultJson::Unknown => "nothing".to_string(),
        ResultJson::Points(points) if points.0 == 1 => "1 point".to_string(),
        ResultJson::Points(points) => format!("{} points", points.0),
    }
}

fn chips(number: i64) -> String {
    if number == 1 { "1 chip".to_string() } else { format!("{number} chips") }
}

fn deed(mistake: &Mistake, turn: &MatchTurn, voice: Voice) -> String {
    let player = mistake.player;
    let (who, other) = (voice.start(player), voice.name(player.other()));
    match mistake.kind {
        MistakeKind::BidTooLow | MistakeKind::BidTooHigh | MistakeKind::WrongBid => {
            let bid = turn.bids[player].map_or(String::new(), |bid| format!(" {bid}"));
            let how = match mistake.kind {
                MistakeKind::BidTooLow => ", too low",
                MistakeKind::BidTooHigh => ", too high",
                _ => "",
            };
            format!("{who} bid{bid}{how}")
        }
        MistakeKind::UsedStar => format!("{who} used the star"),
        MistakeKind::KeptStar => format!("{who} kept the star"),
        MistakeKind::ShouldHaveMoved => format!("{who} let {other} move"),
        MistakeKind::WrongMove | MistakeKind::ShouldHaveLet => match &turn.played {
            Some(name) => format!("{who} played {name}"),
            None => format!("{who} had no move"),
        },
        MistakeKind::Resigned => format!("{who} resigned"),
    }
}

fn instead(better: &BetterPlay, kind: MistakeKind, other: &str) -> String {
    let mut words = Vec::new();
    if !better.bids.is_empty() {
        return bids(&better.bids);
    }
    match better.use_star {
        Some(true) => return "using it".to_string(),
        Some(false) => return "keeping it".to_string(),
        None => {}
    }
    words.extend(better.moves.iter().cloned());
    let mut text = alternatives(words);
    if kind == MistakeKind::ShouldHaveMoved {
        text = format!("moving ({text})");
    }
    if better.let_other_move {
        let let_move = format!("letting {other} move");
        text = if text.is_empty() { let_move } else { format!("{text}, or {let_move},") };
    }
    text
}

/// Adds its sentence to the mistake.
pub(super) fn said(mistake: Mistake, turn: &MatchTurn) -> Mistake {
    let say = |voice| sentence(&mistake, turn, voice);
    let told = ToldSentence::by(say);
    mistake.with_text(told)
}

fn sentence(mistake: &Mistake, turn: &MatchTurn, voice: Voice) -> String {
    let other = mistake.player.other();
    let better = instead(&mistake.better, mistake.kind, voice.name(other));
    let deed = deed(mistake, turn, voice);
    let mut text = match mistake.grade {
        MistakeGrade::Result if matches!(mistake.before, ResultJson::Points(_)) => {
            format!("{deed}: {better} would have been sure of {}.", kept(mistake.before))
        }
        MistakeGrade::Result => format!("{deed}: {better} would have kept {}.", kept(mistake.before)),
        MistakeGrade::Margin => {
            let more = match mistake.lost_chips {
                Some(lost) => format!("{} more", chips(lost)),
                None if mistake.before == ResultJson::Loss => "more hope".to_string(),
                None => "more to spare".to_string(),
            };
            format!("{deed}: {better} would have kept {more}.")
        }
        MistakeGrade::Slower => format!("{deed}: {better} wins sooner."),
        MistakeGrade::AtOnce => voice.you.map_or(&mistake.text, |you| &mistake.told[you]).clone(),
        MistakeGrade::Probable => {
            let more = mistake.lost_chips.map_or("more".to_string(), |lost| format!("at least {} more", chips(lost)));
            let better = if better.is_empty() { "another choice" } else { &better };
            format!("{deed}: {better} would probably have kept {more}.")
        }
    };
    if mistake.punished == Some(false) && mistake.grade == MistakeGrade::Result {
        text += &format!(" {} did not punish it.", voice.start(other));
    }
    text
}

/// The mistake of resigning a position that was not lost.
pub(super) fn resigned(player: Player, turn: usize, before: ResultJson) -> Mistake {
    Mistake {
        turn,
        grade: MistakeGrade::Result,
        kind: MistakeKind::Resigned,
        before,
        guaranteed: ResultJson::Loss,
        came_to: ResultJson::Loss,
        punished: Some(true),
        ..Mistake::unknown(player)
    }
    .with_text(ToldSentence::by(|voice| {
        let sure = if before == ResultJson::Win { "a win" } else { "a draw" };
        format!("{} resigned, but could be sure of {sure}.", voice.start(player))
    }))
}

struct PositionFacts {
    sure: ByPlayer<ResultJson>,
    margin: Option<ByPlayer<Margin>>,
}

fn known(worth: &Option<ReviewWorth>) -> Option<PositionFacts> {
    let worth = worth.as_ref()?;
    Some(PositionFacts { sure: worth.sure?, margin: worth.margin })
}

/// The course of the match, and the loser's missed chances.
pub(super) fn summary(review: &Review, voice: Voice) -> String {
    match review.rests_on {
        RestsOn::Nothing => {
            return "The game was not solved, so only what is certain by the rules alone is judged.".to_string();
        }
        RestsOn::Money => return money(review, "By real money, an estimate", true, voice),
        RestsOn::Engine(Method { unproved: Some(_), summary, .. }) => return searched(review, summary, voice),
        RestsOn::Engine(Method { summary, has_chips, .. }) => return money(review, summary, *has_chips, voice),
        _ => {}
    }
    if let RestsOn::Samples = review.rests_on {
        return "The game is too large to be solved. In random games a coin decides who moves, which shows who stands \
                better. A decision is called a mistake only if it loses more than is unsure."
            .to_string();
    }
    let start = review.turns.first().map(|turn| &turn.worth).unwrap_or(&review.now.worth);
    let Some(start) = &known(start) else { return String::new() };
    match review.rests_on {
        RestsOn::Scores => scores(review, voice),
        _ if !review.now.over => running(review, voice),
        _ => match review.now.winner {
            Some(winner) => lost(review, start, winner, voice),
            None => drawn(review, start, voice),
        },
    }
}

/// The mistakes of `player` that changed the actual result.
fn costly(review: &Review, player: Player) -> impl DoubleEndedIterator<Item = &Mistake> {
    review.mistakes.iter().filter(move |mistake| {
        mistake.player == player && mistake.grade == MistakeGrade::Result && mistake.punished != Some(false)
    })
}

/// Whether the winner could force the win from that turn on and took no risk, so that the loser's
/// play did not matter.
pub(super) fn is_settled(review: &Review, winner: Player, from: usize) -> bool {
    let later = review.turns.iter().skip(from.saturating_sub(1)).map(|turn| &turn.worth);
    let now = (from <= review.turns.len() + 1).then_some(&review.now.worth);
    let sure = |worth: &Option<ReviewWorth>| {
        worth.as_ref().and_then(|worth| worth.sure).is_some_and(|sure| sure[winner] == ResultJson::Win)
    };
    let risked =
        |mistake: &Mistake| mistake.player == winner && mistake.grade == MistakeGrade::Result && mistake.turn >= from;
    later.chain(now).all(sure) && !review.mistakes.iter().any(risked)
}

fn lost(review: &Review, start: &PositionFacts, winner: Player, voice: Voice) -> String {
    let loser = winner.other();
    let (won, whom) = (voice.start(winner), voice.name(loser));
    let hands = hands(review);
    let was_lost = start.sure[winner] == ResultJson::Win;
    let mut text = match start.sure[loser] {
        _ if was_lost => {
            let short = start.margin.and_then(|margin| margin[loser].draw).map(|margin| -margin);
            let short = short.map_or(String::new(), |short| format!(": {} short of a draw", chips(short)));
            format!(
                "{won} won. With {hands} {whom} {} lost from the start against best play{short}.",
                voice.verb(loser, "was", "were")
            )
        }
        ResultJson::Win => format!("{won} won, but with {hands} {whom} could have won from the start."),
        ResultJson::Draw => format!("{won} won, but with {hands} {whom} could have held a draw from the start."),
        _ => format!("{won} won. With {hands} {} at the start.", unsure(start, ["was", "were"], voice)),
    };
    if was_lost && is_settled(review, winner, 1) {
        return text + &format!(" {won} gave nothing away, so nothing that {whom} did could have changed the result.");
    }
    let gift = costly(review, winner).next().filter(|_| was_lost);
    if let Some(gift) = gift {
        text += &format!(" {won} let go of the win at turn {}: {}", gift.turn, gift.text);
    }
    let mut risks =
        review.mistakes.iter().filter(|mistake| mistake.player == winner && mistake.grade == MistakeGrade::Result);
    text += &match (costly(review, loser).next_back(), risks.next()) {
        (Some(last), _) if is_settled(review, winner, last.turn + 1) => {
            format!(" The last chance was at turn {}: {}", last.turn, last.text)
        }
        (Some(last), _) => {
            let whose = voice.start_of(loser);
            format!(" {whose} last decision that changed the result was at turn {}: {}", last.turn, last.text)
        }
        (None, Some(risk)) if was_lost && gift.is_none() => {
            format!(" {won} risked the win at turn {}: {}", risk.turn, risk.text)
        }
        (None, _) => {
            format!(" No single decision of {} gave it {}.", voice.whose(loser), if was_lost { "back" } else { "away" })
        }
    };
    text
}

/// The guaranteed results if nobody can force a win and somebody cannot hold a draw. The verb is
/// `is` and `are`, or `was` and `were`.
fn unsure(known: &PositionFacts, [third, second]: [&str; 2], voice: Voice) -> String {
    match Player::BOTH.into_iter().find(|&player| known.sure[player] == ResultJson::Draw) {
        Some(player) => format!(
            "{} {} sure of a draw, and {} of nothing,",
            voice.name(player),
            voice.verb(player, third, second),
            voice.name(player.other())
        ),
        None => format!("neither player {third} sure of anything"),
    }
}

fn drawn(review: &Review, start: &PositionFacts, voice: Voice) -> String {
    let hands = hands(review);
    let could = |player| format!("A draw, but with {hands} {} could have won from the start.", voice.name(player));
    let mut text = match (start.sure.alice, start.sure.bob) {
        (ResultJson::Win, _) => could(Player::Alice),
        (_, ResultJson::Win) => could(Player::Bob),
        (ResultJson::Draw, ResultJson::Draw) => format!("A draw, as best play with {hands} leads to."),
        _ => format!("A draw; with {hands} {} at the start.", unsure(start, ["was", "were"], voice)),
    };
    for player in Player::BOTH {
        let won = costly(review, player).rev().find(|mistake| mistake.before == ResultJson::Win);
        if let Some(last) = won {
            let who = voice.start(player);
            text += &format!(" {who} could have won, the last time at turn {}: {}", last.turn, last.text);
        }
    }
    text
}

fn running(review: &Review, voice: Voice) -> String {
    let Some(now) = known(&review.now.worth) else { return String::new() };
    let state = |player: Player| {
        let spare = now.margin.and_then(|margin| margin[player].win);
        let spare = spare.map_or(String::new(), |spare| format!(", with {} to spare", chips(spare)));
        format!("The game goes on, and {} can force a win{spare}.", voice.name(player))
    };
    let mut text = match (now.sure.alice, now.sure.bob) {
        (ResultJson::Win, _) => state(Player::Alice),
        (_, ResultJson::Win) => state(Player::Bob),
        (ResultJson::Draw, ResultJson::Draw) => "The game goes on, and both players can hold a draw.".to_string(),
        _ => format!("The game goes on, and {}.", unsure(&now, ["is", "are"], voice).trim_end_matches(',')),
    };
    if let Some(last) =
        Player::BOTH.into_iter().filter_map(|player| costly(review, player).next_back()).max_by_key(|m| m.turn)
    {
        text += &format!(" The last decision that changed the result was at turn {}: {}", last.turn, last.text);
    }
    text
}

fn scores(review: &Review, voice: Voice) -> String {
    let mut text = match (review.now.over, review.now.winner) {
        (false, _) => "The game goes on.".to_string(),
        (true, Some(winner)) => format!("{} won.", voice.start(winner)),
        (true, None) => "Nobody won.".to_string(),
    };
    for player in Player::BOTH {
        let mistakes: Vec<&Mistake> = costly(review, player).collect();
        let lost = |mistake: &&Mistake| mistake.before.number() - mistake.guaranteed.number();
        match mistakes.iter().max_by_key(|mistake| lost(mistake)) {
            None => text += &format!(" {} gave no points away.", voice.start(player)),
            Some(worst) => {
                let whose = voice.start_of(player);
                text += &format!(" {whose} costliest decision was at turn {}: {}", worst.turn, worst.text)
            }
        }
    }
    text
}

/// The last change of the estimate.
fn money(review: &Review, kind: &str, has_chips: bool, voice: Voice) -> String {
    let outcomes = review.turns.iter().map(|turn| turn.worth.as_ref().and_then(|worth| worth.outcome));
    let outcomes: Vec<_> = outcomes.chain([review.now.worth.as_ref().and_then(|worth| worth.outcome)]).collect();
    let word = |outcome: Option<Outcome>| match outcome {
        Some(Outcome::Win(player)) => format!("{} ahead", voice.name(player)),
        Some(_) => "a draw".to_string(),
        None => "too close to call".to_string(),
    };
    let margins = if has_chips { "" } else { ". Margins are chips to spare against it" };
    let course = course(&outcomes, word);
    format!("{kind}, the game began as {course}{margins}.{}", judged(review))
}

/// The way of judging decisions without a solution.
fn judged(review: &Review) -> &'static str {
    match review.rests_on {
        RestsOn::Engine(_) => " A decision is called a probable mistake if it loses more than is unsure.",
        _ => " Only wins and losses at once are judged.",
    }
}

/// The first judgement, and the last change.
fn course<T: Copy + PartialEq>(said: &[T], word: impl Fn(T) -> String) -> String {
    let last = (1..said.len()).rev().find(|&at| said[at] != said[at - 1]);
    let last = last.map_or(String::new(), |at| format!(", and was {} after turn {at}", word(said[at])));
    word(said[0]) + &last
}

/// Who stood better at the start by estimate, and when that last changed.
fn searched(review: &Review, kind: &str, voice: Voice) -> String {
    let worths = review.turns.iter().map(|turn| &turn.worth).chain([&review.now.worth]);
    let ahead: Vec<Option<Player>> = worths
        .map(|worth| {
            let margin = worth.as_ref()?.margin?;
            Player::BOTH.into_iter().find(|&player| margin[player].win > margin[player.other()].win)
        })
        .collect();
    let word =
        |ahead: Option<Player>| ahead.map_or("even".to_string(), |player| format!("better for {}", voice.name(player)));
    let course = course(&ahead[..review.turns.len().max(1)], word);
    format!("{kind} the game began {course}.{}", judged(review))
}

/// Both holdings at the start.
pub(super) fn hands(review: &Review) -> String {
    match review.turns.first() {
        Some(turn) => format!("{} against {}", turn.alice.0, turn.bob.0),
        None => format!("{} against {}", review.now.alice.0, review.now.bob.0),
    }
}
