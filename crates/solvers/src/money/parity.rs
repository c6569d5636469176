//! Parity games with real money: the share that Alice needs to win endless play.
//!
//! **Method.** Any two strategies, one move for each position, prove bounds from both sides. If the
//! opponent can stay forever in an end component of a player's strategy and win there, the player
//! has lost it. If the opponent can stay but would lose, they must leave and may choose the exit:
//! such an end component becomes one position where the opponent moves alone. Play outside of these
//! ends ([`super::reach`]). Good strategies are found in doubles (`search`), with a game in which a
//! coin decides who moves (`certain`). Theorem 26 (parity with real money) of `docs/design.md` says
//! why both players' bounds can meet.
//!
//! **Accepts** every arena with every payment, if the winner chooses who moves or both players have
//! the same moves. **Result:** exact, or proved bounds. **Time and memory:** about those of
//! [`super::solve`] for both players, and those of the search. **Checked by** the verifier, which
//! shares only the search for end components with this file, and by enumerating all strategies.

mod certain;
mod search;

use richman_core::{
    ByPlayer, Effort, EndComponent, Error, Exactness, Mechanism, Node, NodeData, ParityArena, ParityArenaBuilder,
    ParityLabel, ParityMoneySolution, ParityShares, Player, PositionKind, Priority, StopReason, Watch, end_components,
};

use rustc_hash::FxHashMap;

use self::search::StrategySearch;
use super::reach::ReachValues;
use crate::parity::{nobody_bids, without_bids};
use crate::registry;

/// Solves a parity game for real money.
///
/// ```
/// use richman_core::{Effort, Mechanism, ParityArenaBuilder, Player, Priority};
/// use richman_solvers::parity;
///
/// // Alice may only stay, and likes to; Bob may go to a coin's toss.
/// let mut arena = ParityArenaBuilder::new();
/// let [alice, bob] = Player::BOTH.map(|player| arena.terminal(player));
/// let toss = arena.labelled(&[(alice, ())], &[(bob, ())], Priority(0));
/// let stay = arena.len() as u32;
/// arena.labelled(&[(stay, ())], &[(stay, ()), (toss, ())], Priority(2));
/// let solved = parity::money(&arena.build(stay)?, &Mechanism::default(), &Effort::default())?;
/// assert_eq!(solved.thresholds.get(stay).to_string(), "1/2");
/// # Ok::<(), richman_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] if the mechanism is not served or [`Exactness::Required`] cannot be met;
/// [`Error::TooMuchMemory`]; [`Error::OutOfTime`] if an exact answer is required;
/// [`Error::Cancelled`].
pub fn money(arena: &ParityArena, mechanism: &Mechanism, effort: &Effort) -> Result<ParityMoneySolution, Error> {
    /// Both players' moves, and the two remaining games.
    const PER_POSITION: u64 = 60;
    const PER_MOVE: u64 = 8;
    registry::endless_money(mechanism, arena)?;
    if nobody_bids(arena) {
        return without_bids(arena, effort)?.money(arena, mechanism, effort.watch);
    }
    effort.check_memory("the order of the positions", arena.bytes_to_order())?;
    let needed = arena.len() as u64 * PER_POSITION + arena.edges() as u64 * PER_MOVE;
    effort.check_memory("solving the parity game", needed)?;
    let effort = &Effort { held: effort.held + needed, ..*effort };
    let part = |of: u32| effort.time_left().map_or(*effort, |left| effort.at_most(left / of));
    let first = part(3);
    let until = first.until();
    let rate = mechanism.payment.rate();
    let mut strategies = StrategySearch::find(arena, rate, effort, &until)?;
    let of = |player: Player, effort: &Effort| -> Result<_, Error> {
        let left = Remainder::of(arena, player, &strategies[player], effort.watch)?;
        let mut chances = ReachValues::find(&left.arena, player, rate, None, effort)?;
        for (node, &standing) in (0..).zip(&left.standing).filter(|(node, standing)| node != *standing) {
            chances.copy(node, standing);
        }
        let (packed, time_up) = (chances.may_be_packed(), chances.time_up);
        let shares = match player {
            Player::Alice => chances.complement(packed),
            Player::Bob => chances.shares(packed),
        };
        Ok((shares, time_up))
    };
    let (high, alice_late) = of(Player::Alice, &part(2))?;
    let effort = &Effort { held: effort.held + high.bytes(), ..*effort };
    let (low, bob_late) = of(Player::Bob, effort)?;
    for player in Player::BOTH {
        for node in arena.nodes().filter(|&node| arena.moves(node, player).is_empty()) {
            strategies[player][node as usize] = node;
        }
    }
    let mut solution = ParityMoneySolution {
        mechanism: mechanism.clone(),
        thresholds: ParityShares { low, high },
        strategies,
        stop: if arena.is_acyclic() { StopReason::Acyclic } else { StopReason::Proved },
    };
    if solution.thresholds.exact_count() < arena.len() {
        if effort.exactness == Exactness::Required {
            return Err(Error::inexact("an exact answer to this parity game"));
        }
        solution.stop = if alice_late || bob_late { StopReason::TimeUp } else { StopReason::Bounded };
    }
    Ok(solution)
}

/// The game that remains under a strategy of one player; all its plays end.
struct Remainder {
    /// The same positions; of an end component only one is ever reached.
    arena: ParityArena,
    /// The representative of each position.
    standing: Vec<Node>,
}

impl Remainder {
    /// A player who can stay forever and wins by it has won; otherwise the other player must leave.
    fn of(arena: &ParityArena, player: Player, strategy: &[Node], watch: &dyn Watch) -> Result<Remainder, Error> {
        let other = player.other();
        let mut standing: Vec<Node> = arena.nodes().collect();
        let mut stays: FxHashMap<Node, EndComponent> = FxHashMap::default();
        for component in end_components(arena, player, strategy, watch)? {
            let first = component.nodes[0];
            component.nodes.iter().for_each(|&node| standing[node as usize] = first);
            stays.insert(first, component);
        }
        let step = |&to: &Node| (standing[to as usize], ());
        let exits = |component: &EndComponent| {
            let moves = component.nodes.iter().flat_map(|&node| arena.moves(node, other));
            let mut exits: Vec<(Node, ())> = moves.map(step).filter(|&(to, ())| to != component.nodes[0]).collect();
            exits.sort_unstable();
            exits.dedup();
            exits
        };
        let mut left = ParityArenaBuilder::new();
        for node in arena.nodes() {
            let label = match arena.data(node) {
                NodeData::On(label) if standing[node as usize] == node => label,
                _ => {
                    left.terminal(arena.winner(node).unwrap_or(other));
                    continue;
                }
            };
            let (own, others, kind) = match stays.get(&node) {
                Some(component) => {
                    let exits = exits(component);
                    if component.winner == other || exits.is_empty() {
                        left.terminal(component.winner);
                        continue;
                    }
                    (Vec::new(), exits, PositionKind::Owned(other))
                }
                None => {
                    let moves = !arena.moves(node, player).is_empty();
                    let own = moves.then(|| step(&strategy[node as usize])).into_iter().collect();
                    (own, arena.moves(node, other).iter().map(step).collect(), label.kind)
                }
            };
            let [alice, bob] = ByPlayer::new(own, others).own_first(player);
            left.labelled(&alice, &bob, ParityLabel { priority: Priority(0), kind });
        }
        Ok(Remainder { arena: left.build(standing[arena.start() as usize])?, standing })
    }
}
