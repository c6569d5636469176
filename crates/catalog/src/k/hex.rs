//! Section 5: Hex, for real money and with chips.

use std::cmp::Reverse;
use std::collections::HashMap;

use richman_core::{
    Arena, ArenaBuilder, CellSet, Effort, Game, Holding, Mechanism, Node, Player, Selection, Share, Terminal, Total,
    Turn, cells, subsets,
};
use richman_games::{Hex, Stones};
use richman_hex::board::HexBoard;
use richman_hex::engine::Cores;
use richman_hex::engine::small::FillingThresholds;
use richman_solvers::money;

use super::super::{Finding, Session};
use crate::{Error, selection};

pub const BOARDS: [(u32, u32); 5] = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3)];
const MOST_CHIPS: u32 = 8;

/// Every position as Alice's cells and Bob's, fewest open cells first.
fn positions(game: &Hex<u64>) -> Vec<[CellSet; 2]> {
    let all = game.board();
    let mut positions: Vec<[CellSet; 2]> =
        subsets(all).flat_map(|hers| subsets(all & !hers).map(move |his| [hers, his])).collect();
    positions.sort_by_key(|[hers, his]| Reverse((hers | his).count_ones()));
    positions
}

/// The fillings of all open cells in which H gets the loser's colour.
fn losing(game: &Hex<u64>, [hers, his]: [CellSet; 2], cell: CellSet) -> u64 {
    let open = game.board() & !(hers | his);
    subsets(open).filter(|filled| (filled & cell != 0) != (game.payoff(hers | filled) == 1)).count() as u64
}

/// The H with the least L_H, and L_H in fillings.
fn least_losing(game: &Hex<u64>, [hers, his]: [CellSet; 2]) -> (CellSet, u64) {
    let chances: Vec<(CellSet, u64)> =
        cells(game.board() & !(hers | his)).map(|cell| (cell, losing(game, [hers, his], cell))).collect();
    let least = chances.iter().map(|(_, chance)| *chance).min().unwrap_or(0);
    (chances.iter().filter(|(_, chance)| *chance == least).map(|(cell, _)| cell).sum(), least)
}

fn notation(game: &Hex<u64>, [alice, bob]: [CellSet; 2]) -> String {
    game.notation(&Stones { alice, bob })
}

pub fn proposition_5_1(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("Hex 1 x 1, 1 x 2, 2 x 2, 2 x 3 and 3 x 3, every position, every open cell");
    for (rows, cols) in BOARDS {
        let game = Hex::new(rows, cols)?;
        for position in positions(&game) {
            let values = selection::values(&game, position[0], position[1], &Effort::default())?;
            for cell in &values.cells {
                let not_critical = values.fillings() - 2 * cell.critical;
                let at = || format!("{}, {:b}", notation(&game, position), cell.cell);
                finding.compare(at, 2 * losing(&game, position, cell.cell), not_critical);
            }
        }
    }
    Ok(finding)
}

/// The arena of a board that is played until full, and each position's node.
fn arena(game: &Hex<u64>) -> Result<(Arena, HashMap<[CellSet; 2], Node>), Error> {
    let mut builder = ArenaBuilder::new();
    let mut nodes = HashMap::new();
    for [hers, his] in positions(game) {
        let open = game.board() & !(hers | his);
        let node = if open == 0 {
            let winner = if game.payoff(hers) == 1 { Player::Alice } else { Player::Bob };
            builder.terminal(Terminal::Win(winner))
        } else {
            let alice: Vec<Node> = cells(open).map(|cell| nodes[&[hers | cell, his]]).collect();
            let bob: Vec<Node> = cells(open).map(|cell| nodes[&[hers, his | cell]]).collect();
            builder.position(&alice, &bob)
        };
        nodes.insert([hers, his], node);
    }
    Ok((builder.build(nodes[&[0, 0]])?, nodes))
}

pub fn proposition_5_2(_: &mut Session) -> Result<Finding, Error> {
    let mut finding =
        Finding::over("Hex 1 x 1, 1 x 2, 2 x 2, 2 x 3 and 3 x 3, every position, with the thresholds of the solver");
    for (rows, cols) in BOARDS {
        let game = Hex::new(rows, cols)?;
        let (arena, nodes) = arena(&game)?;
        let win = money::solve(&arena, &Mechanism::default(), &Effort::default())?.win;
        let share = |hers, his| win.get(nodes[&[hers, his]]).high;
        for [hers, his] in positions(&game) {
            let open = game.board() & !(hers | his);
            let (least_cells, least) = least_losing(&game, [hers, his]);
            for cell in cells(least_cells) {
                let at = |what: &str| format!("{}, {cell:b}, {what}", notation(&game, [hers, his]));
                let best = cells(open).map(|cell| share(hers | cell, his)).min();
                let worst = cells(open).map(|cell| share(hers, his | cell)).max();
                let after = (share(hers | cell, his), share(hers, his | cell));
                finding.holds(Some(&after.0) == best.as_ref() && Some(&after.1) == worst.as_ref(), || at("move"));
                let fillings = 1u64 << open.count_ones();
                let bid = Share::ratio((fillings - 2 * least).into(), (2 * fillings).into());
                let bid = bid.map_or("none".to_string(), |bid| bid.to_string());
                finding.compare(|| at("bid"), bid, Share::half_difference(&after.1, &after.0));
            }
        }
    }
    Ok(finding)
}

/// The algorithm plays for Alice with exact L_H. For Bob, rows and columns are exchanged.
pub fn section_5(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over(format!(
        "Hex 1 x 1, 1 x 2, 2 x 1, 2 x 2, 2 x 3, 3 x 2 and 3 x 3, totals up to {MOST_CHIPS}, every position that is not \
         decided and every holding with which Alice wins; L_H exact, of the H with the least L_H the best for her, no \
         bid above her chips"
    ));
    for (rows, cols) in [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)] {
        let game = Hex::new(rows, cols)?;
        let plans: Vec<HexPlan> =
            positions(&game).into_iter().filter_map(|position| HexPlan::of(&game, position)).collect();
        for chips in 0..=MOST_CHIPS {
            finding.compare(
                || format!("{rows} x {cols}, {chips}"),
                "none lost",
                lost(&game, (rows, cols), &plans, chips)?,
            );
        }
    }
    Ok(finding)
}

/// The algorithm's choice at a position: H, and 1/2 - L_H as `numerator` / `denominator`.
struct HexPlan {
    position: [CellSet; 2],
    best: CellSet,
    numerator: u64,
    denominator: u64,
}

impl HexPlan {
    /// `None` if the winner is certain.
    fn of(game: &Hex<u64>, position: [CellSet; 2]) -> Option<HexPlan> {
        let fillings = 1u64 << (game.board() & !(position[0] | position[1])).count_ones();
        let (best, least) = least_losing(game, position);
        let numerator = fillings - 2 * least;
        (best != 0 && numerator > 0).then_some(HexPlan { position, best, numerator, denominator: 2 * fillings })
    }
}

/// The number of won positions and holdings it loses, and the first of them with the fewest open
/// cells.
fn lost(game: &Hex<u64>, (rows, cols): (u32, u32), plans: &[HexPlan], chips: u32) -> Result<String, Error> {
    let count = (rows * cols) as usize;
    let total = Total::new(chips)?;
    let Some(empty) = HexBoard::new(rows as usize, cols as usize, vec![None; count]) else {
        return Ok("no board".to_string());
    };
    let all: Vec<usize> = (0..count).collect();
    let known = FillingThresholds::of(&empty, &all, total, Cores::One, &Effort::default())?;
    let (mut cases, mut lost, mut first) = (0, 0, None);
    for plan in plans {
        let [hers, his] = plan.position;
        let owner = |cell: &usize| match (hers >> cell & 1, his >> cell & 1) {
            (1, _) => Some(Player::Alice),
            (_, 1) => Some(Player::Bob),
            _ => None,
        };
        let board = HexBoard::new(rows as usize, cols as usize, all.iter().map(owner).collect());
        let Some(number) = board.and_then(|board| known.number(&board)) else { continue };
        let is_best = |cell: usize| plan.best >> cell & 1 == 1;
        let after = |player| known.after(number, player);
        let won = after(Player::Alice).filter(|(cell, _)| is_best(*cell)).map(|(_, need)| need).min().unwrap_or(0);
        let lost_to = after(Player::Bob).map(|(_, need)| need).max().unwrap_or(0);
        for held in known.at(number)..=2 * chips + 1 {
            let own = Holding::from_half_steps(held);
            let turn = Turn {
                mechanism: &Mechanism::default(),
                player: Player::Alice,
                own: own.chips(),
                other: chips - own.chips(),
                star: own.has_star(),
                content: |is_won, own, _, star| 2 * own + u32::from(star) >= if is_won { won } else { lost_to },
            };
            let bid = (plan.numerator * u64::from(chips) / plan.denominator).min(own.chips().into()) as u32;
            cases += 1;
            if !turn.is_good(bid) {
                lost += 1;
                first.get_or_insert_with(|| format!("{} with {own} by a bid of {bid}", notation(game, plan.position)));
            }
        }
    }
    Ok(first.map_or("none lost".to_string(), |first| format!("{lost} of {cases} lost, {first}")))
}
