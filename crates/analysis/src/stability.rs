//! Stability [DP10, 3.5]: whether best play with chips can keep to the best real-money moves.
//!
//! A strategy is *stable* if each of its moves leads to the least real-money threshold (Alice) or
//! the greatest (Bob). A game with a total of chips is stable if both players have stable best
//! strategies, whatever they hold: if restriction to such moves neither raises the threshold for
//! Alice nor lowers it for Bob.

use richman_core::{Arena, ArenaBuilder, ByPlayer, Error as CoreError, Node, Player, Rule, Thresholds, Total};
use richman_solvers::{chips, money, rules};
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::RangeInclusive;

use crate::{Error, Request};

/// The unstable totals of one threshold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stability {
    /// The unstable totals in the table.
    pub unstable: Vec<u32>,
    /// The last unstable total of all; null if there is none or none is proved.
    pub last: Option<u32>,
    /// Whether `last` is proved for all totals.
    pub proved: bool,
    /// Why it is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The stability of both thresholds of the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StabilityReport {
    /// For a win of Alice.
    pub win: Stability,
    /// For a win of Bob, and so for Alice's draw threshold.
    pub draw: Stability,
}

/// The stability of the start for `totals`, and its last unstable total.
///
/// # Errors
/// Fails if real-money thresholds are only bounds or moves are limited; `Unsupported`;
/// `TooMuchMemory`; `Cancelled`.
pub fn report(request: &Request, totals: RangeInclusive<Total>, rows: &[Thresholds]) -> Result<StabilityReport, Error> {
    if request.effort.within.is_some() {
        let what = "stability within a number of moves";
        return Err(CoreError::unsupported(what, "stability of the whole game").into());
    }
    let arena = request.unfolding.arena();
    let solution = money::solve(arena, request.mechanism, &request.effort)?;
    let sides = [Player::Alice, Player::Bob].map(|winner| -> Result<Stability, Error> {
        let shares = if winner == Player::Alice { &solution.win } else { &solution.draw };
        let of_row = |row: &Thresholds| if winner == Player::Alice { row.win } else { row.draw };
        let restricted = |player| {
            stable_moves(arena, player, |node| shares.get(node).as_exact().cloned())
                .ok_or_else(|| Error::Core(CoreError::NoRule { reason: BOUNDS.to_string() }))
        };
        let arenas = [restricted(Player::Alice)?, restricted(Player::Bob)?];
        let mut unstable = Vec::new();
        let tables =
            arenas.each_ref().map(|arena| chips::table(arena, request.mechanism, totals.clone(), &request.effort));
        let [alice, bob] = tables;
        let (alice, bob) = (alice?, bob?);
        for (index, total) in (totals.start().chips()..=totals.end().chips()).enumerate() {
            if [&alice, &bob].iter().any(|table| of_row(&table[index]) != of_row(&rows[index])) {
                unstable.push(total);
            }
        }
        let (last, proved, reason) = match last_unstable(request, winner, &arenas) {
            Ok(Some(Some(last))) => (Some(last), true, None),
            Ok(Some(None)) => (None, true, Some("it is unstable again and again".to_string())),
            Ok(None) => (None, true, None),
            Err(Error::Core(CoreError::Cancelled)) => return Err(CoreError::Cancelled.into()),
            Err(error) => (None, false, Some(error.to_string())),
        };
        Ok(Stability { unstable, last, proved, reason })
    });
    let [win, draw] = sides;
    Ok(StabilityReport { win: win?, draw: draw? })
}

const BOUNDS: &str = "the real-money thresholds are only known between bounds, so the best moves are not known";

/// The last total at which a restriction changes the threshold: `None` if there is none,
/// `Some(None)` if there is no last.
fn last_unstable(request: &Request, winner: Player, arenas: &[Arena; 2]) -> Result<Option<Option<u32>>, Error> {
    let rule = |arena: &Arena| -> Result<Rule, Error> {
        let side = rules::side(arena, request.mechanism, winner, &request.effort)?;
        Ok(side.rule(arena.start()).clone())
    };
    let free = rule(request.unfolding.arena())?;
    let mut last = None;
    for arena in arenas {
        match free.last_difference(&rule(arena)?)? {
            Some(None) => return Ok(Some(None)),
            Some(Some(total)) => last = last.max(Some(Some(total))),
            None => {}
        }
    }
    Ok(last)
}

/// The arena in which `player` may only make best real-money moves; `None` if a threshold is
/// unknown.
pub fn stable_moves(
    arena: &Arena,
    player: Player,
    share: impl Fn(Node) -> Option<richman_core::Share>,
) -> Option<Arena> {
    let mut builder = ArenaBuilder::new();
    for node in arena.nodes() {
        if let Some(end) = arena.terminal(node) {
            builder.terminal(end);
            continue;
        }
        let mut moves = ByPlayer::from_fn(|player| arena.moves(node, player).to_vec());
        let own = &mut moves[player];
        let shares = own.iter().map(|&to| share(to)).collect::<Option<Vec<_>>>()?;
        let best = player.either(shares.iter().min(), shares.iter().max()).cloned();
        let mut shares = shares.into_iter();
        own.retain(|_| shares.next() == best);
        match arena.owner(node) {
            Some(owner) => builder.owned(owner, &moves[owner]),
            None => builder.position(&moves.alice, &moves.bob),
        };
    }
    builder.build(arena.start()).ok()
}
