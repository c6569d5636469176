//! The report of a position with chips from an engine's evaluation: the thresholds here and after
//! every move.

use richman_core::{ByPlayer, Forces, Holding, Mechanism, Move, Node, Outcome, Player, Threshold};
use richman_engine::{Evaluation, Value};

use super::{ChipsReport, HoldingsQuery, HoldingsReport};
use crate::advice::advise_here;
use crate::{HoldingJson, ReportHead, ThresholdJson};

/// Reports on a position of a game in which no position repeats; `None` if the source knows no chip
/// thresholds. The source knows neither the length of a win nor how long a loser can hold out.
pub fn of_evaluation(head: ReportHead, evaluation: &Evaluation, hands: Option<HoldingsQuery>) -> Option<ChipsReport> {
    let &Value::Chips { win, draw, total } = &evaluation.here else { return None };
    let holdings = match hands {
        Some(hands) => Some(with_hands(&MoveThresholds::of(&head.mechanism.0, evaluation)?, hands)),
        None => None,
    };
    let positions = evaluation.origin.positions.map_or(0, |positions| usize::try_from(positions).unwrap_or(usize::MAX));
    let thresholds = [win, draw].map(ThresholdJson::from);
    Some(ChipsReport {
        holdings,
        ..ChipsReport::new(head, total, thresholds, positions, evaluation.origin.how.clone())
    })
}

fn with_hands(needed: &MoveThresholds, hands: HoldingsQuery) -> HoldingsReport {
    let HoldingsQuery { alice, bob, .. } = hands;
    let outcome = needed.outcome(HERE, alice, bob);
    let advice = |player: Player, own, other| {
        (outcome != Outcome::Win(player.other())).then(|| {
            let moves = needed.moves.clone().own_first(player);
            advise_here(moves, needed, HERE, player, own, other)
        })
    };
    HoldingsReport {
        alice: HoldingJson(alice),
        bob: HoldingJson(bob),
        outcome,
        within: None,
        guarantee: None,
        advice: ByPlayer { alice: advice(Player::Alice, alice, bob), bob: advice(Player::Bob, bob, alice) },
        trace: None,
    }
}

/// The position itself; the nodes of its moves follow.
const HERE: Node = 0;

struct MoveThresholds<'a> {
    mechanism: &'a Mechanism,
    thresholds: Vec<[Threshold; 2]>,
    moves: ByPlayer<Vec<Move>>,
}

impl<'a> MoveThresholds<'a> {
    fn of(mechanism: &'a Mechanism, evaluation: &Evaluation) -> Option<MoveThresholds<'a>> {
        let both = |value: &Value| match value {
            &Value::Chips { win, draw, .. } => Some([win, draw]),
            _ => None,
        };
        let mut needed =
            MoveThresholds { mechanism, thresholds: vec![both(&evaluation.here)?], moves: Default::default() };
        for player in Player::BOTH {
            for after in &evaluation.after[player] {
                let to = Node::try_from(needed.thresholds.len()).ok()?;
                needed.thresholds.push(both(after.value.as_ref()?)?);
                needed.moves[player].push(Move { name: after.name.clone(), to, label: () });
            }
        }
        Some(needed)
    }

    /// Whether `player` can force a win, or at least a draw, with `own` against `other`.
    fn forces(&self, win: bool, player: Player, node: Node, own: Holding, other: Holding) -> bool {
        let [to_win, to_draw] = self.thresholds[node as usize];
        match player {
            Player::Alice => (if win { to_win } else { to_draw }).is_met_by(own),
            Player::Bob => !(if win { to_draw } else { to_win }).is_met_by(other),
        }
    }
}

impl Forces for MoveThresholds<'_> {
    fn mechanism(&self) -> &Mechanism {
        self.mechanism
    }

    /// The length is unknown; as no position repeats, it suffices that every move keeps the win.
    fn wins_in(&self, player: Player, node: Node, own: Holding, other: Holding) -> Option<u32> {
        self.forces(true, player, node, own, other).then_some(u32::from(node == HERE))
    }

    fn holds_for(&self, _: u32, player: Player, node: Node, own: Holding, other: Holding) -> bool {
        self.forces(false, player, node, own, other)
    }
}
