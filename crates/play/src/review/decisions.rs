//! One turn decision by decision: the result that each guaranteed, and the best possible.
//!
//! Every question is a [`WantedResult`]: whether a player can force it, or whether a bid, a use of
//! the star, or a move still does. The value of a decision is the most that it guarantees against
//! all replies.

use richman_core::{Acceptance, ByPlayer, Mechanism, Player, StarUse, Turn as Bids, ranges};

use super::digest::{Feat, FeatDeed, FeatWorth};
use super::{BetterPlay, Mistake, MistakeGrade, MistakeKind, ResultJson};
use crate::MatchTurn;
use crate::certain::count_bids;
use crate::solved::{ANYTHING, ChipState, ScoredNode, SolvedGame, WantedResult, greatest};

/// A move: its name and its target.
pub(super) struct NextMove {
    pub name: String,
    pub to: ScoredNode,
}

/// One turn: position, holdings, and both players' moves.
pub(super) struct DecisionPoint<'a> {
    pub values: &'a SolvedGame<'a>,
    pub mechanism: &'a Mechanism,
    pub here: ScoredNode,
    pub hands: ByPlayer<(u32, bool)>,
    pub moves: ByPlayer<Vec<NextMove>>,
    /// The score added if a player cannot move in a scoring game.
    pub stuck: ByPlayer<i64>,
    /// The moves that count after this one.
    pub left: Option<u32>,
    /// Whether a play ends with points rather than with a result.
    pub counts_points: bool,
}

impl DecisionPoint<'_> {
    fn state(&self, player: Player) -> ChipState {
        state(self.hands, player)
    }

    /// Whether the player gets `want` after a move of `mover`.
    fn by(&self, want: WantedResult, player: Player, mover: Player, state: ChipState) -> bool {
        // In a win-lose game, a player without a move leaves it to the other player.
        let is_left = !self.counts_points && self.moves[mover].is_empty();
        let mover = if is_left { mover.other() } else { mover };
        let moves = &self.moves[mover];
        let good = |next: &NextMove| self.values.meets(want, player, next.to, state, self.left);
        if moves.is_empty() {
            SolvedGame::ended(want, player, self.here.points.saturating_add(self.stuck[mover]))
        } else if mover == player {
            moves.iter().any(good)
        } else {
            moves.iter().all(good)
        }
    }

    /// Whether the player gets `want` once `winner` has won the bid.
    fn won_by(&self, want: WantedResult, player: Player, winner: Player, state: ChipState) -> bool {
        let mover = |is_own| if is_own { player } else { player.other() };
        self.mechanism.right.sees_to(winner == player, |is_own| self.by(want, player, mover(is_own), state))
    }

    fn turn(&self, want: WantedResult, player: Player) -> Bids<'_, impl Acceptance> {
        let (own, other, star) = self.state(player);
        let content = move |won, own, other, star| {
            let winner = if won { player } else { player.other() };
            self.won_by(want, player, winner, (own, other, star))
        };
        Bids { mechanism: self.mechanism, player, own, other, star, content }
    }

    /// Whether the player can force `want` once `winner` has paid and `mover` is to move.
    pub(super) fn after_payment(&self, want: WantedResult, player: Player, winner: Player, mover: Player) -> bool {
        let state = self.state(player);
        if winner == mover { self.won_by(want, player, winner, state) } else { self.by(want, player, mover, state) }
    }

    /// Whether the player can force `want` before the bids.
    pub(super) fn can(&self, want: WantedResult, player: Player) -> bool {
        self.turn(want, player).is_content()
    }

    /// Whether the player can force `want` once both bids are known.
    pub(super) fn after_bids(&self, want: WantedResult, player: Player, bids: ByPlayer<Option<u32>>) -> bool {
        let turn = self.turn(want, player);
        let (own, other) = (bids[player], bids[player.other()]);
        match (own, other) {
            (Some(bid), Some(reply)) if bid == reply => turn.tie(bid),
            _ if own > other => turn.won(own.unwrap_or(0), StarUse::Kept),
            _ => turn.lost(other.unwrap_or(0), StarUse::Kept),
        }
    }

    /// The best result that passes the test.
    pub(super) fn result(&self, test: &dyn Fn(WantedResult) -> bool) -> i64 {
        most(self.counts_points, test)
    }

    /// The most chips to spare, from none at all (any number too few) to any number.
    fn spare(&self, win: bool, test: &dyn Fn(WantedResult) -> bool) -> i64 {
        let end = self.hands.iter().map(|hand| i64::from(hand.0)).sum::<i64>() + 1;
        let chips = |chips: i64| if chips == -end { ANYTHING } else { chips };
        greatest(-end, end, |spare| test(WantedResult::Spare { win, chips: chips(spare) })).unwrap_or(-end)
    }

    fn fewest(&self, test: &dyn Fn(WantedResult) -> bool) -> u32 {
        const MOST: i64 = u32::MAX as i64;
        greatest(-MOST, 0, |moves| test(WantedResult::Within(moves.unsigned_abs() as u32)))
            .map_or(u32::MAX, |moves| moves.unsigned_abs() as u32)
    }

    fn end(&self) -> i64 {
        self.hands.iter().map(|hand| i64::from(hand.0)).sum::<i64>() + 1
    }

    /// The costly decisions of a finished turn.
    pub(super) fn judge(&self, turn: &MatchTurn) -> Vec<Mistake> {
        let mut found = self.judge_begun(turn, true);
        found.extend(self.moved(turn));
        found
    }

    /// The costly decisions of a turn broken off before the move; `won` unless a tie was still
    /// open.
    pub(super) fn judge_begun(&self, turn: &MatchTurn, won: bool) -> Vec<Mistake> {
        let mut found = self.bids(turn.bids);
        if won {
            found.extend(self.star(turn));
            found.extend(self.let_move(turn));
        }
        found
    }

    fn bids(&self, bids: ByPlayer<Option<u32>>) -> Vec<Mistake> {
        let mut found = Vec::new();
        for player in Player::BOTH {
            let named = if self.mechanism.bidding.answers(player) { bids[player.other()] } else { None };
            let came = |want: WantedResult| self.after_bids(want, player, bids);
            found.extend(bids[player].and_then(|bid| self.bid(player, bid, named, &came)));
        }
        found
    }

    /// The judgement of a named bid that `resigned` gave up instead of answering.
    pub(super) fn judge_named(&self, player: Player, bid: u32, resigned: Player) -> Option<Mistake> {
        let came = |want: WantedResult| {
            if player == resigned { self.after_named(want, player, player, bid) } else { self.can(want, player) }
        };
        self.bid(player, bid, None, &came)
    }

    /// Whether the player can force `want` after `first` has named that bid.
    pub(super) fn after_named(&self, want: WantedResult, player: Player, first: Player, bid: u32) -> bool {
        let turn = self.turn(want, player);
        if first == player { turn.is_good(bid) } else { turn.has_answer(bid) }
    }

    /// The judgement of a bid, which answers `named`; `came` tests its consequence.
    fn bid(
        &self,
        player: Player,
        bid: u32,
        named: Option<u32>,
        came: &dyn Fn(WantedResult) -> bool,
    ) -> Option<Mistake> {
        let good = |want: WantedResult, bid: u32| match named {
            None => self.turn(want, player).is_good(bid),
            Some(named) => {
                let mut both = ByPlayer::both(Some(named));
                both[player] = Some(bid);
                self.after_bids(want, player, both)
            }
        };
        let before = |want: WantedResult| match named {
            None => self.can(want, player),
            Some(named) => self.after_named(want, player, player.other(), named),
        };
        let done = |want| good(want, bid);
        let is_known = self.mechanism.bidding.first().is_some();
        self.grade(player, [&before, &done, came], is_known, |want, mistake| {
            let bids = self.good_bids(player, |bid| good(want, bid));
            mistake.kind = match (bids.first(), bids.last()) {
                (Some(least), _) if bid < least[0] => MistakeKind::BidTooLow,
                (_, Some(most)) if bid > most[1] => MistakeKind::BidTooHigh,
                _ => MistakeKind::WrongBid,
            };
            mistake.better.bids = bids;
        })
    }

    fn good_bids(&self, player: Player, good: impl Fn(u32) -> bool) -> Vec<[u32; 2]> {
        let allowed = self.mechanism.bids.up_to(self.hands[player].0);
        ranges(allowed.into_iter().filter(|&bid| good(bid)))
    }

    /// The judgement of the star's use, if it was a decision.
    fn star(&self, turn: &MatchTurn) -> Option<Mistake> {
        let (true, Some(used), Some(bid)) = (self.mechanism.ties.holder_decides(), turn.star_used, turn.bids.alice)
        else {
            return None;
        };
        let player = if self.hands.alice.1 { Player::Alice } else { Player::Bob };
        let of = |want: WantedResult, used: bool| {
            let turn = self.turn(want, player);
            if used { turn.star_used(bid) } else { turn.star_kept(bid) }
        };
        let (before, done) = (|want| of(want, true) || of(want, false), |want| of(want, used));
        self.grade(player, [&before, &done, &done], true, |_, mistake| {
            mistake.kind = if used { MistakeKind::UsedStar } else { MistakeKind::KeptStar };
            mistake.better.use_star = Some(!used);
        })
    }

    /// A player's state after payment of the bid.
    fn state_after(&self, turn: &MatchTurn, player: Player) -> ChipState {
        state(self.hands_after(turn), player)
    }

    /// The judgement of letting the other player move, if the winner of the bid did.
    fn let_move(&self, turn: &MatchTurn) -> Option<Mistake> {
        let MatchTurn { winner, mover, .. } = *turn;
        if winner == mover {
            return None;
        }
        let state = self.state_after(turn, winner);
        let by = |want: WantedResult, mover: Player| self.by(want, winner, mover, state);
        let (before, done) = (|want| by(want, winner) || by(want, mover), |want| by(want, mover));
        self.grade(winner, [&before, &done, &done], true, |want, mistake| {
            mistake.kind = MistakeKind::ShouldHaveMoved;
            mistake.better.moves = self.good_moves(want, winner, state);
        })
    }

    fn moved(&self, turn: &MatchTurn) -> Option<Mistake> {
        let MatchTurn { winner, mover, .. } = *turn;
        let chooses = self.mechanism.right.may_let();
        let own = self.state_after(turn, mover);
        let to = turn.played.as_ref().and_then(|name| self.next(mover, name));
        let done = |want: WantedResult| match to {
            Some(to) => self.values.meets(want, mover, to, own, self.left),
            None => SolvedGame::ended(want, mover, self.here.points.saturating_add(self.stuck[mover])),
        };
        let may_let = chooses && winner == mover && turn.has_bids();
        let before = |want: WantedResult| {
            self.by(want, mover, mover, own) || (may_let && self.by(want, mover, mover.other(), own))
        };
        self.grade(mover, [&before, &done, &done], true, |want, mistake| {
            mistake.better.moves = self.good_moves(want, mover, own);
            mistake.better.let_other_move = may_let && self.by(want, mover, mover.other(), own);
            let only_let = mistake.better.let_other_move && mistake.better.moves.is_empty();
            mistake.kind = if only_let { MistakeKind::ShouldHaveLet } else { MistakeKind::WrongMove };
        })
    }

    /// The player's mistake, if any. The three tests give the result that the player could force
    /// before, the result that the decision forced, and the result once the other player had
    /// decided as well. If the other player decided knowing it (`is_known`), any later loss is
    /// theirs. `explain` describes the result of the best decision.
    fn grade(
        &self,
        player: Player,
        [before, done, came]: [&dyn Fn(WantedResult) -> bool; 3],
        is_known: bool,
        explain: impl FnOnce(WantedResult, &mut Mistake),
    ) -> Option<Mistake> {
        if self.values.is_unsure() {
            return self.grade_about(player, [before, done], explain);
        }
        let [best, sure] = [before, done].map(|test| self.result(test));
        let mut mistake = Mistake {
            turn: 0,
            player,
            grade: MistakeGrade::Result,
            kind: MistakeKind::WrongBid,
            before: ResultJson::new(best, self.counts_points),
            guaranteed: ResultJson::new(sure, self.counts_points),
            came_to: ResultJson::new(sure, self.counts_points),
            lost_chips: None,
            lost_moves: None,
            punished: None,
            better: BetterPlay::default(),
            text: String::new(),
            told: ByPlayer::default(),
        };
        let want = if sure < best {
            let came = self.result(came);
            if !is_known {
                mistake.came_to = ResultJson::new(came, self.counts_points);
            }
            mistake.punished = Some(came < best);
            WantedResult::Result(best)
        } else {
            if self.counts_points || !self.mechanism.is_ordered_by_chips() {
                return None;
            }
            let win = best == 2;
            let [most, kept] = [before, done].map(|test| self.spare(win, test));
            if kept < most {
                let came = self.spare(win, came);
                let is_number = most < self.end() && kept > -self.end();
                mistake.grade = MistakeGrade::Margin;
                mistake.lost_chips = is_number.then_some(most - kept);
                mistake.punished = Some(came < most);
                WantedResult::Spare { win, chips: most }
            } else if win {
                let [fewest, needed] = [before, done].map(|test| self.fewest(test));
                if needed <= fewest {
                    return None;
                }
                mistake.grade = MistakeGrade::Slower;
                mistake.lost_moves = Some(needed - fewest);
                WantedResult::Within(fewest)
            } else {
                return None;
            }
        };
        explain(want, &mut mistake);
        Some(mistake)
    }

    /// The player's probable mistake, if any: the decision keeps fewer chips to spare than the best
    /// one, even if the needs after the best one are the worst of their intervals, and those after
    /// the decision the best.
    fn grade_about(
        &self,
        player: Player,
        [before, done]: [&dyn Fn(WantedResult) -> bool; 2],
        explain: impl FnOnce(WantedResult, &mut Mistake),
    ) -> Option<Mistake> {
        let end = self.end();
        let most = |test: &dyn Fn(WantedResult) -> bool, sure: bool| {
            greatest(-end, end, |chips| test(WantedResult::About { chips, sure })).unwrap_or(-end)
        };
        let (best, kept) = (most(before, true), most(done, false));
        // Needs outside the range of chips are near the nearest one inside.
        let own = i64::from(self.hands[player].0);
        let near = |chips: i64| chips.clamp(own - end, own + 1);
        if near(best) - near(kept) <= unsure_chips(end - 1) {
            return None;
        }
        let mut mistake = Mistake {
            player,
            grade: MistakeGrade::Probable,
            lost_chips: (best < end && kept > -end).then_some(best - kept),
            ..Mistake::unknown(player)
        };
        explain(WantedResult::About { chips: best, sure: true }, &mut mistake);
        Some(mistake)
    }

    fn good_moves(&self, want: WantedResult, player: Player, state: ChipState) -> Vec<String> {
        let good = self.moves[player].iter();
        let good = good.filter(|next| self.values.meets(want, player, next.to, state, self.left));
        good.map(|next| next.name.clone()).collect()
    }

    /// The result of the best decision, for counting the options that reach it too; `None` if
    /// nothing can be lost.
    fn wanted(&self, test: &dyn Fn(WantedResult) -> bool) -> Option<(WantedResult, FeatWorth)> {
        if self.values.is_unsure() {
            let end = self.end();
            let best = greatest(-end, end, |chips| test(WantedResult::About { chips, sure: true }))?;
            return Some((WantedResult::About { chips: best, sure: false }, FeatWorth::Probable));
        }
        let best = self.result(test);
        let worth = match (self.counts_points, best) {
            (true, _) => FeatWorth::KeepsPoints,
            (_, 2) => FeatWorth::KeepsWin,
            (_, 1) => FeatWorth::KeepsDraw,
            _ => return None,
        };
        Some((WantedResult::Result(best), worth))
    }

    /// The decisions of a turn matched by few options: bids that answer none, and the move.
    pub(super) fn feats(&self, number: usize, turn: &MatchTurn) -> Vec<Feat> {
        let mut found = Vec::new();
        for player in Player::BOTH {
            let sealed = turn.bids[player].filter(|_| !self.mechanism.bidding.answers(player));
            let Some((bid, (want, worth))) = sealed.zip(self.wanted(&|want| self.can(want, player))) else { continue };
            let bids = self.turn(want, player).good_bids();
            if bids.iter().any(|range| (range[0]..=range[1]).contains(&bid)) {
                let good = bids.iter().map(|range| u64::from(range[1] - range[0]) + 1).sum();
                let all = count_bids(&self.mechanism.bids, self.hands[player].0);
                found.push(Feat { turn: number, player, deed: FeatDeed::Bid(bid), good, all, worth });
            }
        }
        let (player, own) = (turn.mover, self.state_after(turn, turn.mover));
        let wanted = self.wanted(&|want| self.by(want, player, player, own));
        if let (Some(name), Some((want, worth))) = (&turn.played, wanted) {
            let moves = self.good_moves(want, player, own);
            if moves.contains(name) {
                let [good, all] = [moves.len(), self.moves[player].len()].map(|count| count as u64);
                found.push(Feat { turn: number, player, deed: FeatDeed::Move(name.clone()), good, all, worth });
            }
        }
        found
    }

    /// The target of a move.
    pub(super) fn next(&self, mover: Player, name: &str) -> Option<ScoredNode> {
        self.moves[mover].iter().find(|next| next.name == name).map(|next| next.to)
    }

    /// Both holdings after payment of the bid, if there was one.
    pub(super) fn hands_after(&self, turn: &MatchTurn) -> ByPlayer<(u32, bool)> {
        if !turn.has_bids() {
            return self.hands;
        }
        let winner = turn.winner;
        let (own, other, star) = self
            .turn(WantedResult::Result(ANYTHING), winner)
            .holdings_won(turn.bids[winner].unwrap_or(0), turn.star_used.map_or(StarUse::Kept, StarUse::of));
        let has_star = self.mechanism.has_star();
        ByPlayer::from_fn(|player| if player == winner { (own, has_star && star) } else { (other, has_star && !star) })
    }
}

fn state(hands: ByPlayer<(u32, bool)>, player: Player) -> ChipState {
    let [(own, star), (other, _)] = hands.own_first(player);
    (own, other, star)
}

/// The chips by which needs in real money may differ from those with chips, beyond their intervals:
/// amounts are rounded, and the star counts as half a chip.
fn unsure_chips(total: i64) -> i64 {
    1 + total / 50
}

/// The most that passes the test: a result, or points.
pub(super) fn most(counts_points: bool, test: impl Fn(WantedResult) -> bool) -> i64 {
    const MOST: i64 = 1 << 60;
    let (low, high) = if counts_points { (-MOST, MOST) } else { (0, 2) };
    greatest(low, high, |result| test(WantedResult::Result(result))).unwrap_or(low)
}
