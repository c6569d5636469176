//! Certainties by the rules alone, in games of any size: overlooked wins at once, and preventable
//! losses at once.

use richman_analysis::{Error, Subject};
use richman_core::{ByPlayer, Effort, End, Goal, Holding, Player, StarUse, Walk};

use super::digest::{Feat, FeatDeed, FeatWorth};
use super::words::{ToldSentence, alternatives, bids as bids_in_words};
use super::{Mistake, MistakeKind, ResultJson};
use crate::certain::{TurnEnds, count_bids, wins_next};
use crate::{Match, MatchEnd, MatchTurn, Voice};

/// The most alternatives to look for.
const MOST_BETTER: usize = 8;

/// Overlooked certainties, and decisions that did not overlook one.
#[derive(Default)]
pub(super) struct AtOnce {
    pub mistakes: Vec<Mistake>,
    pub feats: Vec<Feat>,
    /// The first turn for which there was no time.
    pub unseen_from: Option<usize>,
}

/// Looks at every turn, until the deadline.
///
/// # Errors
/// Fails if the positions are not of the game; `Cancelled`.
pub(super) fn judge(game: &Subject, played: &Match, effort: &Effort) -> Result<AtOnce, Error> {
    let mut found = AtOnce::default();
    let until = effort.until();
    for (index, turn) in played.turns().iter().enumerate() {
        effort.check_cancelled()?;
        if until.is_over() {
            found.unseen_from = Some(index + 1);
            break;
        }
        let walk = game.walk(Some(&turn.position))?;
        let Some(ends) = TurnEnds::of(walk.as_ref(), &played.rules().mechanism, turn.hands) else { continue };
        let next = played.turns().get(index + 1);
        let is_last = next.is_none();
        let won = match played.closed().filter(|_| is_last) {
            Some(MatchEnd::Game(End::Win(player))) => Some(player),
            _ => None,
        };
        let left = played.rules().limit.is_none_or(|limit| limit as usize > index + 1);
        let hands = next.map_or(played.hands_before(), |next| next.hands);
        SureTurn { number: index + 1, turn, ends, won, walk: walk.as_ref(), hands, left, effort, played }
            .judge(&mut found);
    }
    Ok(found)
}

struct SureTurn<'a> {
    number: usize,
    turn: &'a MatchTurn,
    ends: TurnEnds<'a>,
    /// Who won the game in this turn.
    won: Option<Player>,
    walk: &'a dyn Walk,
    /// The holdings after it.
    hands: ByPlayer<Holding>,
    /// Whether another turn may follow.
    left: bool,
    effort: &'a Effort<'a>,
    played: &'a Match,
}

impl SureTurn<'_> {
    fn judge(&self, found: &mut AtOnce) {
        for player in Player::BOTH {
            self.bid(player, found);
        }
        self.star(found);
        if self.turn.winner != self.turn.mover {
            self.let_move(found);
        }
        self.moved(found);
    }

    /// A mistake by which the player missed a win, or allowed a loss.
    fn missed(&self, player: Player, goal: Goal, kind: MistakeKind, say: impl Fn(Voice) -> String) -> Mistake {
        let (before, guaranteed) = match goal {
            Goal::Win => (ResultJson::Win, ResultJson::Unknown),
            Goal::Draw => (ResultJson::Unknown, ResultJson::Loss),
        };
        let is_lost = self.won == Some(player.other());
        let came_to = if is_lost { ResultJson::Loss } else { ResultJson::Unknown };
        let punished = Some(goal == Goal::Win || is_lost);
        Mistake { turn: self.number, kind, before, guaranteed, came_to, punished, ..Mistake::unknown(player) }
            .with_text(ToldSentence::by(say))
    }

    /// ` with c1`, the move with which the player wins at once.
    fn with(&self, player: Player) -> String {
        self.ends.moves(Goal::Win, player).next().map_or(String::new(), |name| format!(" with {name}"))
    }

    fn bid(&self, player: Player, found: &mut AtOnce) {
        let mechanism = &self.played.rules().mechanism;
        let Some(bid) = self.turn.bids[player] else { return };
        let named = self.turn.bids[player.other()].filter(|_| mechanism.bidding.answers(player));
        let good = |goal| (goal, self.ends.bids(goal, player, named));
        let certain = [Goal::Win, Goal::Draw].map(good).into_iter().find(|(_, bids)| !bids.is_empty());
        let Some((goal, bids)) = certain else { return };
        if bids.iter().any(|range| (range[0]..=range[1]).contains(&bid)) {
            let chips = self.turn.hands[player].chips();
            let all = count_bids(&mechanism.bids, chips);
            let good = bids.iter().map(|range| u64::from(range[1] - range[0]) + 1).sum();
            let worth = if goal == Goal::Win { FeatWorth::WinsAtOnce } else { FeatWorth::PreventsLoss };
            if good < all && (goal == Goal::Draw || self.won == Some(player)) {
                found.feats.push(Feat { turn: self.number, player, deed: FeatDeed::Bid(bid), good, all, worth });
            }
            return;
        }
        if self.won == Some(player) {
            return;
        }
        let other = player.other();
        let better = bids_in_words(&bids);
        let is_free = self.won != Some(other);
        let say = |voice: Voice| {
            let who = voice.start(player);
            match goal {
                Goal::Win => {
                    let with = self.with(player);
                    format!("{who} bid {bid}, but could have been certain to win at once{with}, by bidding {better}.")
                }
                Goal::Draw => format!(
                    "{who} bid {bid}, so {} could win at once{}: {better} would have prevented it for certain.{}",
                    voice.name(other),
                    self.with(other),
                    if is_free { format!(" {} did not punish it.", voice.start(other)) } else { String::new() },
                ),
            }
        };
        let kind = match (bids.first(), bids.last()) {
            (Some(least), _) if bid < least[0] => MistakeKind::BidTooLow,
            (_, Some(most)) if bid > most[1] => MistakeKind::BidTooHigh,
            _ => MistakeKind::WrongBid,
        };
        let mut mistake = self.missed(player, goal, kind, say);
        mistake.better.bids = bids;
        found.mistakes.push(mistake);
    }

    fn star(&self, found: &mut AtOnce) {
        let mechanism = &self.played.rules().mechanism;
        let (true, Some(used), Some(bid)) =
            (mechanism.ties.holder_decides(), self.turn.star_used, self.turn.bids.alice)
        else {
            return;
        };
        let player = if self.turn.hands.alice.has_star() { Player::Alice } else { Player::Bob };
        for goal in [Goal::Win, Goal::Draw] {
            let of = |used| self.ends.star(goal, player, bid, StarUse::of(used));
            if of(used) {
                return;
            }
            if of(!used) && self.won != Some(player) {
                let [did, instead] = if used { ["used", "keeping"] } else { ["kept", "using"] };
                let say = |voice: Voice| {
                    format!("{} {did} the star: {instead} it {}.", voice.start(player), gained(goal, player, voice))
                };
                let kind = if used { MistakeKind::UsedStar } else { MistakeKind::KeptStar };
                let mut mistake = self.missed(player, goal, kind, say);
                mistake.better.use_star = Some(!used);
                found.mistakes.push(mistake);
                return;
            }
        }
    }

    fn let_move(&self, found: &mut AtOnce) {
        let (player, mover) = (self.turn.winner, self.turn.mover);
        let goal = match self.won {
            Some(winner) if winner == player => return,
            Some(_) => Goal::Draw,
            None => Goal::Win,
        };
        let better: Vec<String> = self.ends.moves(goal, player).take(MOST_BETTER).map(str::to_string).collect();
        if better.is_empty() {
            return;
        }
        let moves = alternatives(better.clone());
        let say = |voice: Voice| {
            let [who, whom] = [voice.start(player), voice.name(mover)];
            format!("{who} let {whom} move: moving ({moves}) {}.", gained(goal, player, voice))
        };
        let mut mistake = self.missed(player, goal, MistakeKind::ShouldHaveMoved, say);
        mistake.better.moves = better;
        found.mistakes.push(mistake);
    }

    fn moved(&self, found: &mut AtOnce) {
        let (player, other) = (self.turn.mover, self.turn.mover.other());
        let Some(name) = self.turn.played.as_ref().filter(|_| self.won != Some(player)) else { return };
        let wins: Vec<String> = self.ends.moves(Goal::Win, player).take(MOST_BETTER).map(str::to_string).collect();
        if !wins.is_empty() {
            let better = alternatives(wins.clone());
            let say = |voice: Voice| format!("{} played {name}: {better} would have won at once.", voice.start(player));
            let mut mistake = self.missed(player, Goal::Win, MistakeKind::WrongMove, say);
            mistake.better.moves = wins;
            found.mistakes.push(mistake);
            return;
        }
        let mut after = self.walk.boxed();
        if after.play(player, name).is_err() || !self.is_lost(player, after.as_ref()) {
            return;
        }
        let until = self.effort.until();
        let others = self.walk.after_moves(player).into_iter().take_while(|_| !until.is_over());
        let safe = others.filter(|(_, after)| !self.is_lost(player, after.as_ref()));
        let better: Vec<String> = safe.take(MOST_BETTER).map(|(name, _)| name).collect();
        if better.is_empty() {
            return;
        }
        let mechanism = &self.played.rules().mechanism;
        let threat = TurnEnds::of(after.as_ref(), mechanism, self.hands);
        let threat = threat.and_then(|ends| ends.moves(Goal::Win, other).next().map(str::to_string));
        let threat = threat.map_or(String::new(), |name| format!(" with {name}"));
        let instead = alternatives(better.clone());
        let say = |voice: Voice| {
            format!(
                "{} played {name}, after which {} {} certain to win at once{threat}: {instead} would have prevented \
                 that.",
                voice.start(player),
                voice.name(other),
                voice.verb(other, "was", "were"),
            )
        };
        let mut mistake = self.missed(player, Goal::Draw, MistakeKind::WrongMove, say);
        mistake.better.moves = better;
        // The certain win comes in the next turn.
        let next = self.played.turns().len() == self.number + 1;
        let lost = self.played.closed() == Some(MatchEnd::Game(End::Win(other)));
        mistake.punished = Some(self.won == Some(other) || next && lost);
        found.mistakes.push(mistake);
    }

    /// Whether the other player has then won, or is certain to win in the next turn.
    fn is_lost(&self, player: Player, after: &dyn Walk) -> bool {
        match after.end() {
            Some(end) => end == End::Win(player.other()),
            None => self.left && wins_next(after, &self.played.rules().mechanism, self.hands, player.other()),
        }
    }
}

fn gained(goal: Goal, player: Player, voice: Voice) -> String {
    match goal {
        Goal::Win => "would have won at once".to_string(),
        Goal::Draw => format!("would have kept {} from winning at once", voice.name(player.other())),
    }
}

/// The order of decisions in a turn.
fn part(kind: MistakeKind) -> u8 {
    match kind {
        MistakeKind::BidTooLow | MistakeKind::BidTooHigh | MistakeKind::WrongBid => 0,
        MistakeKind::UsedStar | MistakeKind::KeptStar => 1,
        MistakeKind::ShouldHaveMoved => 2,
        MistakeKind::WrongMove | MistakeKind::ShouldHaveLet => 3,
        MistakeKind::Resigned => 4,
    }
}

/// Whether both are about the same decision.
pub(super) fn is_same(one: &Mistake, two: &Mistake) -> bool {
    (one.turn, one.player, part(one.kind)) == (two.turn, two.player, part(two.kind))
}

/// Adds overlooked certainties to the other mistakes. Where decisions are judged exactly (`exact`),
/// only losses at once are added, because the exact judgement covers the others better.
pub(super) fn merge(mistakes: &mut Vec<Mistake>, certain: Vec<Mistake>, exact: bool) {
    use super::MistakeGrade::Result as Changed;
    for mistake in certain {
        let is_judged = mistakes.iter().any(|known| known.grade == Changed && is_same(known, &mistake));
        if is_judged || exact && mistake.guaranteed != ResultJson::Loss {
            continue;
        }
        mistakes.retain(|known| !is_same(known, &mistake));
        mistakes.push(mistake);
    }
    mistakes.sort_by_key(|mistake| (mistake.turn, part(mistake.kind)));
}
