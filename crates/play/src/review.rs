//! Review: the value of every turn, the cost of each decision, and the turning points.
//!
//! A decision (a bid, a use of the star, who moves, a move) is judged by the result that it
//! guarantees compared with the best possible, not by the actual outcome. It *changes the result*
//! if the player could guarantee more before it than after it. It *loses margin* if the result is
//! as safe, but with fewer chips to spare than after the best decision.
//!
//! Without exact values it is *probably* a mistake if its loss exceeds the uncertainty, by bounds
//! or estimates. In games of any size the review names certainties *at once*: a missed win that
//! nobody could prevent, and an allowed loss that could have been prevented.
//!
//! ```
//! use richman_analysis::Subject;
//! use richman_core::{Effort, Mechanism, Player};
//! use richman_play::{Action, Match, MatchRules, review};
//!
//! // One move decides; Bob could have bid 2 and won.
//! let game = Subject::named("tug-of-war:length=2,at=1")?;
//! let rules = MatchRules {
//!     mechanism: Mechanism::default(),
//!     start: ["1*".parse()?, "2".parse()?].into(),
//!     limit: None,
//! };
//! let mut played = Match::new(game.walk(None)?, rules)?;
//! played.act(Player::Alice, &Action::Bid(1))?;
//! played.act(Player::Bob, &Action::Bid(1))?;
//! played.act(Player::Alice, &Action::UseStar(true))?;
//! played.act(Player::Alice, &Action::Move("0".to_string()))?;
//! let review = review::review(&game, &played, &Effort::default())?;
//! assert_eq!(review.mistakes[0].text, "Bob bid 1, too low: 2 would have kept the win.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod at_once;
mod decisions;
mod digest;
mod notes;
mod report;
mod samples;
mod source;
mod words;

pub use digest::ReviewDigest;
pub use notes::{GivenHint, HintedPlay, MatchNotes};
pub use report::{
    BetterPlay, Margin, MatchStanding, Mistake, MistakeGrade, MistakeKind, MoneyWorth, RestsOn, ResultJson, Review,
    ReviewWorth, TurnReview,
};
use richman_analysis::advice::{Advice, advise};
use richman_analysis::chips::SolvedChips;
use richman_analysis::{BoundsJson, Error, HoldingJson, Insight, Scope, ShareJson, Subject};
use richman_core::{
    ByPlayer, Effort, Exactness, Holding, Mechanism, Outcome, Playable, Player, Share, ShareBounds, Step, Total,
    Unfolding,
};
use richman_engine::is_larger;
use richman_formats::MechanismJson;
use richman_solvers::money;
pub use samples::Samples;

use crate::solved::{self, ScoredNode, SolvedGame};
use crate::{BegunTurn, Match, MatchEnd, MatchTurn, Voice};
use decisions::{DecisionPoint, NextMove};
use digest::{DigestBasis, Feat};

/// Reviews a match of `game`, finished or not.
///
/// # Errors
/// [`Error::EndlessReview`] for a game that need not end; [`Error::Core`] if cancelled or if the
/// positions are not of that game. A game that cannot be solved within the limits, or under the
/// mechanism, is no error: the review says so.
pub fn review(game: &Subject, played: &Match, effort: &Effort) -> Result<Review, Error> {
    review_with(game, played, &MatchNotes::default(), effort)
}

/// The same with notes: an action that a hint suggested is not called a mistake.
///
/// # Errors
/// [`Error::EndlessReview`] for a game that need not end; [`Error::Core`] if cancelled or if the
/// positions are not of that game.
pub fn review_with(game: &Subject, played: &Match, notes: &MatchNotes, effort: &Effort) -> Result<Review, Error> {
    if game.aim().facts().need_not_end {
        return Err(Error::EndlessReview);
    }
    let position = played.turns().first().map_or_else(|| played.walk().notation(), |turn| turn.position.clone());
    let rules = played.rules();
    let ByPlayer { alice, bob } = rules.start.map(Holding::chips);
    let total = Total::new(alice.saturating_add(bob))?;
    // Either player may have all chips, so that margins can count the missing ones.
    let purses = rules.mechanism.purses(ByPlayer::both(total.chips()), total.chips());
    let scope = Scope { subject: game, position: Some(&position), mechanism: &rules.mechanism, total, purses };
    let engine = scope.engine()?;
    let is_too_large = engine.is_some() && is_larger(game.walk(Some(&position))?.as_ref(), effort.positions);
    let solved = match is_too_large {
        true => Err(richman_core::Error::TooManyPositions { limit: effort.positions }.into()),
        // The deadline is for proofs about real money.
        false => scope.solve(&Effort { deadline: None, ..*effort }),
    };
    let solved = match solved {
        Ok(solved) => Ok(solved),
        Err(Error::Core(error)) if is_too_much(&error) => Err(error),
        Err(error) => return Err(error),
    };
    let mut review = bare(played);
    let mut feats = Vec::new();
    match &solved {
        Err(reason) => {
            use richman_core::Error as E;
            review.reason = Some(reason.to_string());
            let is_large = matches!(reason, E::TooManyPositions { .. } | E::TooMuchMemory { .. });
            let has_no_memory = matches!(reason, E::TooMuchMemory { .. }) && game.aim().facts().won_at_end;
            let is_known = has_no_memory && in_money(&mut review, &scope, effort)?
                || match engine.filter(|_| is_large) {
                    Some(engine) => {
                        let found = source::fill(&mut review, played, &scope, engine, effort)?;
                        review.mistakes = found.mistakes;
                        feats = found.feats;
                        found.known
                    }
                    None => false,
                };
            if !is_known && game.aim().facts().won_at_end && is_large {
                review.rests_on = RestsOn::Samples;
                let mut seeds = 0..;
                review.fill_worths(effort.watch, |position, _| {
                    let samples = samples::sample(game, position, seeds.next().unwrap_or(0), effort.watch)?;
                    Ok(Some(ReviewWorth { samples: Some(samples), ..ReviewWorth::default() }))
                })?;
            }
        }
        Ok(Insight::Chips(unfolding, solved)) => {
            review.rests_on = RestsOn::Chips;
            let advised = |position: &str, player, [own, other]: [Holding; 2], left| {
                advise(unfolding.as_ref(), solved.forces(), position, player, own, other, left)
            };
            let values = SolvedGame::Chips { solved, purses };
            let reader = Reader { played, values, unfolding: unfolding.as_ref(), advised: &advised };
            feats = reader.fill(&mut review)?;
        }
        Ok(Insight::Scores(unfolding, solution)) => {
            review.rests_on = RestsOn::Scores;
            let values = SolvedGame::Scores(solution);
            let reader = Reader { played, values, unfolding: unfolding.as_ref(), advised: &|_, _, _, _| Ok(None) };
            feats = reader.fill(&mut review)?;
        }
        // Unreachable: the arena was requested, and the game ends.
        Ok(Insight::Endless(_) | Insight::Seen(_)) => {}
    }
    let exact = solved.is_ok();
    let hurried = effort.time_left().filter(|_| !exact).map_or(*effort, |left| effort.at_most(left / 2));
    let certain = at_once::judge(game, played, &hurried)?;
    if let Some(turn) = certain.unseen_from {
        let unseen = format!("from turn {turn} on there was no time to look for what is certain at once");
        review.reason = Some(review.reason.map_or(unseen.clone(), |reason| format!("{reason}; {unseen}")));
    }
    at_once::merge(&mut review.mistakes, certain.mistakes, exact);
    feats.extend(certain.feats.into_iter().filter(|_| !exact));
    let turn = |mistake: &Mistake| played.turns().get(mistake.turn - 1);
    let is_suggested = |mistake: &Mistake| turn(mistake).is_some_and(|turn| notes.suggested(mistake, turn));
    (review.suggested, review.mistakes) = std::mem::take(&mut review.mistakes).into_iter().partition(is_suggested);
    review.basis = DigestBasis { feats, computers: notes.computers };
    review.conclude(Voice::default());
    Ok(review)
}

/// Whether the error only means that the game cannot be solved here.
fn is_too_much(error: &richman_core::Error) -> bool {
    use richman_core::Error as E;
    matches!(
        error,
        E::TooManyPositions { .. }
            | E::TooMuchMemory { .. }
            | E::Unsupported { .. }
            | E::NobodyCanBid { .. }
            | E::DeadEnd { .. }
            | E::Cycle { .. }
            | E::WeightTooLarge { .. }
            | E::TotalTooLarge { .. }
    )
}

/// Fills in the real-money value of every position, if memory does not suffice for chips; returns
/// whether it was found.
fn in_money(review: &mut Review, scope: &Scope, effort: &Effort) -> Result<bool, Error> {
    let unfolding = match scope.subject.unfold(scope.position, effort) {
        Ok(unfolding) => unfolding,
        Err(Error::Core(richman_core::Error::TooMuchMemory { .. })) => return Ok(false),
        Err(error) => return Err(error),
    };
    let held = unfolding.bytes();
    let bounds = Effort { held, within: None, exactness: Exactness::Bounds, ..*effort };
    let solution = match money::solve(unfolding.arena(), scope.mechanism, &bounds) {
        Ok(solution) => solution,
        Err(richman_core::Error::Cancelled) => return Err(richman_core::Error::Cancelled.into()),
        Err(_) => return Ok(false),
    };
    review.rests_on = RestsOn::Money;
    review.fill_worths(effort.watch, |position, hands| {
        let node = unfolding.node(position)?;
        Ok(priced(solution.win.get(node), solution.draw.get(node), hands))
    })?;
    Ok(true)
}

/// Judges Alice's share of all chips, given the shares that she needs to win and not to lose.
fn priced(win: ShareBounds, draw: ShareBounds, hands: ByPlayer<Holding>) -> Option<ReviewWorth> {
    let ByPlayer { alice, bob } = hands.map(|hand| u64::from(hand.chips()));
    let share: Share = match alice + bob {
        0 => return None,
        all => Share::ratio(alice.into(), all.into()).unwrap_or(Share::ONE), // at most all chips
    };
    let outcome = if share > win.high {
        Some(Outcome::Win(Player::Alice))
    } else if share < draw.low {
        Some(Outcome::Win(Player::Bob))
    } else {
        (share > draw.high && share < win.low).then_some(Outcome::Draw)
    };
    let (share_decimal, share) = (share.to_f64(), ShareJson(share));
    let money = Some(MoneyWorth { share, share_decimal, win: BoundsJson(win), draw: BoundsJson(draw) });
    Some(ReviewWorth { outcome, money, ..ReviewWorth::default() })
}

/// The chips to spare with `own` for a need of `need` half-steps, with the star staying where it
/// is; `None` if no number of chips suffices (`need` is `most`).
fn spare(own: Holding, need: u64, most: u64) -> Option<i64> {
    let chips = need.saturating_sub(u64::from(own.has_star())).div_ceil(2);
    (2 * chips < most).then(|| i64::from(own.chips()) - chips as i64)
}

/// A review without values.
fn bare(played: &Match) -> Review {
    let turns = played.turns().iter().enumerate().map(|(i, turn)| TurnReview {
        turn: i + 1,
        position: turn.position.clone(),
        alice: HoldingJson(turn.hands.alice),
        bob: HoldingJson(turn.hands.bob),
        worth: None,
        advice: ByPlayer::default(),
        alice_bids: turn.bids.alice,
        bob_bids: turn.bids.bob,
        star_used: turn.star_used,
        winner: turn.winner,
        mover: turn.mover,
        played: turn.played.clone(),
    });
    let closed = played.closed();
    let ByPlayer { alice, bob } = played.hands().map(HoldingJson);
    Review {
        game: played.walk().game(),
        mechanism: MechanismJson::from(&played.rules().mechanism),
        limit: played.rules().limit,
        rests_on: RestsOn::Nothing,
        reason: None,
        summary: String::new(),
        digest: ReviewDigest::default(),
        turns: turns.collect(),
        mistakes: Vec::new(),
        suggested: Vec::new(),
        now: MatchStanding {
            position: played.walk().notation(),
            alice,
            bob,
            worth: None,
            over: closed.is_some(),
            how: closed.map(|closed| match closed {
                MatchEnd::Game(_) => "game",
                MatchEnd::Resigned(_) => "resigned",
                MatchEnd::Limit => "limit",
                MatchEnd::NoBids => "no bids",
            }),
            winner: closed.and_then(MatchEnd::winner),
        },
        basis: DigestBasis::default(),
    }
}

/// A player's best play at a position with both holdings, the player's own first, and the remaining
/// moves, if known.
type AdvisedPlay<'a> =
    &'a dyn Fn(&str, Player, [Holding; 2], Option<u32>) -> Result<Option<Advice>, richman_core::Error>;

/// A solved game and a match of it.
struct Reader<'a, L: Playable> {
    played: &'a Match,
    values: SolvedGame<'a>,
    unfolding: &'a dyn Unfolding<L>,
    advised: AdvisedPlay<'a>,
}

impl<L: Playable> Reader<'_, L> {
    fn mechanism(&self) -> &Mechanism {
        &self.played.rules().mechanism
    }

    /// The turns left after `done` of them.
    fn left(&self, done: usize) -> Option<u32> {
        let done = u32::try_from(done).unwrap_or(u32::MAX);
        self.played.rules().limit.map(|limit| limit.saturating_sub(done))
    }

    /// Reviews every turn; returns the decisions matched by few options.
    fn fill(&self, review: &mut Review) -> Result<Vec<Feat>, Error> {
        let (mut points, mut feats) = (0, Vec::new());
        for (i, turn) in self.played.turns().iter().enumerate() {
            let here = ScoredNode { node: self.unfolding.node(&turn.position)?, points };
            let spot = self.spot(&turn.position, here, turn.hands, self.left(i + 1))?;
            review.turns[i].worth = Some(self.worth(here, turn.hands, self.left(i)));
            review.turns[i].advice = self.advice(&turn.position, turn.hands, self.left(i))?;
            let graded = spot.judge(turn).into_iter();
            review.mistakes.extend(graded.map(|mistake| words::said(Mistake { turn: i + 1, ..mistake }, turn)));
            feats.extend(spot.feats(i + 1, turn));
            let next = turn.played.as_ref().and_then(|name| spot.next(turn.mover, name));
            points = next.map_or(points, |next| next.points);
        }
        let done = self.played.turns().len();
        let stuck = self.played.turns().last().is_some_and(|turn| turn.played.is_none());
        if let (false, Ok(node)) = (stuck, self.unfolding.node(&review.now.position)) {
            let (here, left) = (ScoredNode { node, points }, self.left(done));
            let (before, now) = (self.turn_start()?, self.played.hands());
            if let Some(MatchEnd::Resigned(player)) = self.played.closed() {
                let (broken_off, could) = self.broken_off(player, here, before)?;
                review.mistakes.extend(broken_off);
                if L::FACTS.won_at_end && could > 0 {
                    review.mistakes.push(words::resigned(
                        player,
                        done + 1,
                        ResultJson::new(could, L::FACTS.counts_points),
                    ));
                }
            }
            let is_over = matches!(self.played.closed(), Some(MatchEnd::Game(_)));
            let hands = if is_over { now } else { before };
            (review.now.alice, review.now.bob) = (HoldingJson(hands.alice), HoldingJson(hands.bob));
            review.now.worth = Some(self.worth(here, hands, left));
        }
        Ok(feats)
    }

    /// Both holdings before the current turn.
    fn turn_start(&self) -> Result<ByPlayer<Holding>, Error> {
        let Some(last) = self.played.turns().last() else { return Ok(self.played.rules().start) };
        let here = ScoredNode { node: self.unfolding.node(&last.position)?, points: 0 };
        let hands = self.spot(&last.position, here, last.hands, None)?.hands_after(last);
        Ok(hands.map(|(chips, star)| Holding::from_half_steps(2 * chips + u32::from(star))))
    }

    /// The turn in which `player` resigned, before the bids, in a tie, or after payment: its costly
    /// decisions, and the result that the player could guarantee.
    fn broken_off(
        &self,
        player: Player,
        here: ScoredNode,
        before: ByPlayer<Holding>,
    ) -> Result<(Vec<Mistake>, i64), Error> {
        let (done, position) = (self.played.turns().len(), self.played.walk().notation());
        let spot = self.spot(&position, here, before, self.left(done + 1))?;
        let mut turn = MatchTurn {
            position: position.clone(),
            hands: before,
            bids: ByPlayer::both(None),
            star_used: None,
            winner: player,
            mover: player,
            played: None,
        };
        let (found, could) = match (self.played.begun(), self.played.named()) {
            (Some(BegunTurn { bids, star_used, won }), _) => {
                (turn.bids, turn.star_used) = (bids, star_used);
                [turn.winner, turn.mover] = won.unwrap_or([player; 2]);
                let could = match won {
                    None => spot.result(&|want| spot.after_bids(want, player, bids)),
                    Some([winner, mover]) => {
                        let paid = self.spot(&position, here, self.played.hands(), self.left(done + 1))?;
                        paid.result(&|want| paid.after_payment(want, player, winner, mover))
                    }
                };
                (spot.judge_begun(&turn, won.is_some()), could)
            }
            (None, Some((first, bid))) => {
                turn.bids[first] = Some(bid);
                let found = spot.judge_named(first, bid, player).into_iter().collect();
                (found, spot.result(&|want| spot.after_named(want, player, first, bid)))
            }
            (None, None) => (Vec::new(), self.sure(player, here, before, self.left(done))),
        };
        let said = |mistake| words::said(Mistake { turn: done + 1, ..mistake }, &turn);
        Ok((found.into_iter().map(said).collect(), could))
    }

    fn spot(
        &self,
        position: &str,
        here: ScoredNode,
        hands: ByPlayer<Holding>,
        left: Option<u32>,
    ) -> Result<DecisionPoint<'_>, Error> {
        let next = |step: Step<L>| {
            let points = here.points.saturating_add(L::weight(step.step.label));
            NextMove { name: step.step.name, to: ScoredNode { node: step.step.to, points } }
        };
        let moves = |player| -> Result<Vec<NextMove>, Error> {
            Ok(self.unfolding.steps(position, player)?.into_iter().map(next).collect())
        };
        Ok(DecisionPoint {
            values: &self.values,
            mechanism: self.mechanism(),
            here,
            hands: hands.map(|hand| (hand.chips(), hand.has_star())),
            moves: ByPlayer::new(moves(Player::Alice)?, moves(Player::Bob)?),
            stuck: ByPlayer::from_fn(|player| solved::stuck(self.unfolding, here.node, player)),
            left,
            counts_points: L::FACTS.counts_points,
        })
    }

    fn sure(&self, player: Player, here: ScoredNode, hands: ByPlayer<Holding>, left: Option<u32>) -> i64 {
        let [own, other] = hands.own_first(player);
        let state = (own.chips(), other.chips(), own.has_star());
        decisions::most(L::FACTS.counts_points, |want| self.values.meets(want, player, here, state, left))
    }

    fn worth(&self, here: ScoredNode, hands: ByPlayer<Holding>, left: Option<u32>) -> ReviewWorth {
        let sure =
            ByPlayer::from_fn(|player| ResultJson::new(self.sure(player, here, hands, left), L::FACTS.counts_points));
        let mut worth = ReviewWorth { sure: Some(sure), ..ReviewWorth::default() };
        let SolvedGame::Chips { solved, .. } = self.values else { return worth };
        let rank = |player: Player| {
            let [own, other] = hands.own_first(player);
            let rank = solved.forces().wins_in(player, here.node, own, other);
            rank.filter(|&rank| left.is_none_or(|left| rank <= left))
        };
        worth.outcome = Some(match (sure.alice, sure.bob) {
            (ResultJson::Win, _) => Outcome::Win(Player::Alice),
            (_, ResultJson::Win) => Outcome::Win(Player::Bob),
            (ResultJson::Draw, ResultJson::Draw) => Outcome::Draw,
            _ => Outcome::Undetermined,
        });
        worth.within = rank(Player::Alice).or(rank(Player::Bob));
        if let SolvedChips::Total(solution) = solved {
            let within = left.unwrap_or(u32::MAX);
            let total = solution.total;
            let win = solution.wins.alice.threshold_within(here.node, total, within);
            let draw = solution.wins.bob.threshold_within(here.node, total, within).opposite(total);
            (worth.win, worth.draw) = (Some(win.into()), Some(draw.into()));
        }
        if self.mechanism().is_ordered_by_chips() {
            worth.margin = Some(ByPlayer::from_fn(|player| {
                let [own, other] = hands.own_first(player);
                let state = (own.chips(), other.chips(), own.has_star());
                let margin = |win| self.values.margin(win, player, here, state, left);
                Margin { win: margin(true), draw: margin(false) }
            }));
        }
        worth
    }

    fn advice(
        &self,
        position: &str,
        hands: ByPlayer<Holding>,
        left: Option<u32>,
    ) -> Result<ByPlayer<Option<Advice>>, Error> {
        let advice = |player| (self.advised)(position, player, hands.own_first(player), left);
        Ok(ByPlayer::new(advice(Player::Alice)?, advice(Player::Bob)?))
    }
}
