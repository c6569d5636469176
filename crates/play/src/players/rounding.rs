//! Richman rounding: real-money play, rounded to chips, for win-lose games too large to solve with
//! chips.
//!
//! The player follows Alice's need in real money, as a share: halfway between her needs to win and
//! not to lose. It bids the amount that makes winning and losing the bid equally good, rounded to
//! an allowed bid. If the game could be unfolded, these shares are exact or proved bounds.
//! Otherwise each is 1 less the part of random games that Alice wins from a position, after a look
//! at moves that win at once; in these games a fair coin decides who makes a random move. With few
//! chips neither is reliable, because moves are chosen without regard to the chips.

use std::sync::Arc;

use richman_core::{ByPlayer, Effort, End, Holding, Player, Right, Walk};

use super::{Computer, Knowledge, PlayerError, Seat, any, one_of};
use crate::{Action, Decision};

const RANDOM_GAMES: usize = 2000;
/// A random game of this many moves is a draw.
const LONGEST: usize = 300;

/// Plays by real-money shares, with chips.
pub struct Rounding {
    knowledge: Arc<Knowledge>,
    rng: fastrand::Rng,
}

richman_core::debug_by_name!(Rounding {});

/// Alice's need after each move of one player, by name.
type NeedsByMove = Vec<(String, f64)>;

impl Rounding {
    /// A player that uses `seed` for random games and among equal options.
    pub fn new(knowledge: Arc<Knowledge>, seed: u64) -> Rounding {
        Rounding { knowledge, rng: fastrand::Rng::with_seed(seed) }
    }

    /// Alice's need after every move of either player.
    fn needs(&mut self, seat: &Seat, effort: &Effort) -> Result<ByPlayer<NeedsByMove>, PlayerError> {
        let walk = seat.walk();
        let moves = Player::BOTH.map(|player| walk.after_moves(player));
        let games = (RANDOM_GAMES / moves.iter().map(Vec::len).sum::<usize>().max(1)).max(4);
        let mut found: ByPlayer<NeedsByMove> = ByPlayer::default();
        for (player, moves) in Player::BOTH.into_iter().zip(moves) {
            for (name, next) in moves {
                effort.check_cancelled()?;
                let need = match self.known(next.as_ref())? {
                    Some(need) => need,
                    None => self.sampled(next.as_ref(), games, effort)?,
                };
                found[player].push((name, need));
            }
        }
        Ok(found)
    }

    fn known(&self, walk: &dyn Walk) -> Result<Option<f64>, PlayerError> {
        if let Some(end) = walk.end() {
            return Ok(Some(need_at(end)));
        }
        match self.knowledge.needs() {
            Some((unfolding, needs)) => Ok(Some(needs[unfolding.node(&walk.notation())? as usize])),
            None => Ok(None),
        }
    }

    /// The mean of Alice's needs if she moves and if Bob moves: an immediate win if there is one,
    /// else estimated from random games.
    fn sampled(&mut self, walk: &dyn Walk, games: usize, effort: &Effort) -> Result<f64, PlayerError> {
        let mut sum = 0.0;
        for player in Player::BOTH {
            let player = walk.owner().unwrap_or(player);
            if walk.after_moves(player).iter().any(|(_, next)| next.end() == Some(End::Win(player))) {
                sum += need_at(End::Win(player));
                continue;
            }
            let (mut total, mut played) = (0.0, 0);
            for _ in 0..games.div_ceil(2) {
                total += self.random_game(walk, player)?;
                played += 1;
                if effort.until().is_over() {
                    break;
                }
                effort.check_cancelled()?;
            }
            sum += total / f64::from(played);
        }
        Ok(sum / 2.0)
    }

    /// Alice's need at the end of a random game in which `first` moves first.
    fn random_game(&mut self, walk: &dyn Walk, first: Player) -> Result<f64, PlayerError> {
        let (mut walk, mut mover) = (walk.boxed(), first);
        for _ in 0..LONGEST {
            if let Some(end) = walk.end() {
                return Ok(need_at(end));
            }
            mover = walk.owner().unwrap_or(mover);
            let moves = walk.moves(mover);
            let Some(played) = one_of(&moves, &mut self.rng) else { break };
            walk.play(mover, played)?;
            mover = if self.rng.bool() { Player::Alice } else { Player::Bob };
        }
        Ok(0.5)
    }

    fn end(&mut self, seat: &Seat, needs: &ByPlayer<NeedsByMove>, may_let: bool) -> Result<Action, PlayerError> {
        let player = seat.player;
        let own = best(&needs[player], player);
        let other = best(&needs[player.other()], player.other());
        let better = |one: f64, two: f64| if player == Player::Alice { one < two } else { one > two };
        if may_let && other.is_some_and(|other| own.is_none_or(|own| better(other, own))) {
            return Ok(Action::Let);
        }
        let options: Vec<Action> = needs[player]
            .iter()
            .filter(|(_, need)| Some(*need) == own)
            .map(|(name, _)| Action::Move(name.clone()))
            .collect();
        any(&options, &mut self.rng, seat)
    }
}

/// The bid that makes winning and losing equally good, rounded to an allowed one.
pub(super) fn bid(seat: &Seat, turn: TurnNeeds) -> Result<Action, PlayerError> {
    let rate = seat.rules().mechanism.payment.rate();
    let rate = f64::from(rate.numerator()) / f64::from(rate.denominator());
    let spread = (turn.high - turn.low).max(0.0);
    let total = f64::from(seat.own().chips()) + f64::from(seat.other().chips());
    let target = total * spread / (1.0 + rate + (1.0 - rate) * spread);
    // The right to win ties counts as a quarter of a chip.
    let star = if holds_tie(seat) { -0.25 } else { 0.25 };
    let target = if spread > 0.0 { (target + star).round().max(0.0) } else { 0.0 };
    let distance = |bid: u32| (f64::from(bid) - target).abs();
    let nearest = seat.view.bids.iter().map(|range| (target as u32).clamp(range[0], range[1]));
    let nearest = nearest.min_by(|&one, &other| distance(one).total_cmp(&distance(other)));
    // A bid that nobody can outbid is high enough.
    let most = seat.other_bids().last().map(|range| range[1] + u32::from(!holds_tie(seat)));
    let enough = most.and_then(|most| seat.bid_from(most)).unwrap_or(u32::MAX);
    nearest.map(|bid| Action::Bid(bid.min(enough))).ok_or(seat.not_now())
}

/// Uses the star if that leaves more above the need, in chips, counting the star as half a chip.
pub(super) fn star(seat: &Seat, turn: TurnNeeds, bid: u32) -> Action {
    let player = seat.player;
    let paid = seat.rules().mechanism.payment.to_loser(bid);
    let margin = |own: Holding, other: Holding, need: f64| {
        let [own, other] = [own, other].map(|held| f64::from(held.half_steps()) / 2.0);
        own - need * (own + other)
    };
    let hold = |chips: u32, star: bool| Holding::from_half_steps(2 * chips + u32::from(star));
    let (own, other) = (seat.own().chips(), seat.other().chips());
    let need = |alice: f64| if player == Player::Alice { alice } else { 1.0 - alice };
    let after = |winner: Player| need(if winner == Player::Alice { turn.low } else { turn.high });
    let used = margin(hold(own - bid, false), hold(other + paid, true), after(player));
    let kept = margin(hold(own + paid, true), hold(other - bid, false), after(player.other()));
    Action::UseStar(used >= kept)
}

/// Alice's need after she has won a bid (normally the lower one), and after Bob has.
#[derive(Clone, Copy)]
pub(super) struct TurnNeeds {
    pub low: f64,
    pub high: f64,
}

impl TurnNeeds {
    /// After the best moves of Alice and of Bob, if they have one.
    pub(super) fn new([alice, bob]: [Option<f64>; 2], right: Right) -> TurnNeeds {
        let (alice, bob) = (alice.or(bob).unwrap_or(0.5), bob.or(alice).unwrap_or(0.5));
        match right {
            Right::Chooses => TurnNeeds { low: alice.min(bob), high: alice.max(bob) },
            Right::Moves => TurnNeeds { low: alice, high: bob },
        }
    }
}

fn best(needs: &NeedsByMove, player: Player) -> Option<f64> {
    let needs = needs.iter().map(|&(_, need)| need);
    if player == Player::Alice { needs.reduce(f64::min) } else { needs.reduce(f64::max) }
}

fn need_at(end: End) -> f64 {
    match end {
        End::Win(Player::Alice) => 0.0,
        End::Win(Player::Bob) => 1.0,
        End::Draw | End::Score(_) => 0.5,
    }
}

/// Whether the player wins a tie, or may.
pub(super) fn holds_tie(seat: &Seat) -> bool {
    let star = if seat.own().has_star() { seat.player } else { seat.player.other() };
    seat.rules().mechanism.ties.holder(star) == seat.player
}

impl Computer for Rounding {
    fn act(&mut self, seat: &Seat, effort: &Effort) -> Result<Action, PlayerError> {
        if !seat.walk().aim().facts().won_at_end {
            let reason = "real-money values are about games that are won at an end";
            return Err(PlayerError::unfit("rounding", seat.walk().game(), reason));
        }
        let needs = self.needs(seat, effort)?;
        let after = Player::BOTH.map(|player| best(&needs[player], player));
        let turn = TurnNeeds::new(after, seat.rules().mechanism.right);
        match seat.asked()? {
            Decision::Bid => bid(seat, turn),
            Decision::Star { bid } => Ok(star(seat, turn, bid)),
            Decision::Move { may_let } => self.end(seat, &needs, may_let),
        }
    }
}
