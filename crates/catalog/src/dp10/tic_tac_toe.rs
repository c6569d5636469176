//! Section 6: all of bidding Tic-Tac-Toe.

use richman_core::{Node, Player, Rule};
use richman_solvers::rules;

use super::super::printed::with_first_move;
use super::super::solved::GameSolution;
use super::super::{Finding, Session, data};
use super::at_most;
use crate::Error;

const BOARD: &str = "tic-tac-toe";

pub fn theorem_6_1(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("real money, and every total for the moves");
    let solved = session.library.game(BOARD)?;
    finding.compare(|| "R(TTT)".to_string(), "133/256", solved.share(solved.start()));
    let figure = data::read::<data::PrintedPaper>("DP10", data::DP10)?.figure("Figure 1");
    figure.check(
        session,
        &mut finding,
        |_| true,
        |solved, [from, to], player| {
            if from == solved.start() && player == Player::Alice {
                // This move is best at every total but five: it keeps the threshold.
                let fixed = with_first_move(solved, "b2")?;
                let last = fixed.last_difference(solved.win(from))?;
                let only = (0..5).all(|total| fixed.at(total) == solved.win(from).at(total));
                return Ok(last == Some(Some(5)) && only);
            }
            Ok(*solved.win(to) == solved.best(from, player)?)
        },
    )?;
    Ok(finding)
}

pub fn figure(_: &mut Session, name: &str) -> Result<Finding, Error> {
    let figure = data::read::<data::PrintedPaper>("DP10", data::DP10)?.figure(name);
    Ok(Finding::over(match figure.undetermined() {
        0 => String::new(),
        count => format!("{count} moves lead to a position that the text does not determine and are left out"),
    }))
}

/// Whether a player can decide the game with the next move: Alice by winning, Bob by ruling out her
/// win.
fn threat(solved: &GameSolution, node: Node, player: Player) -> bool {
    let decided = if player == Player::Alice { Rule::nothing() } else { Rule::unreachable() };
    solved.unfolding.arena().moves(node, player).iter().any(|&to| *solved.win(to) == decided)
}

pub fn lemma_6_3(session: &mut Session) -> Result<Finding, Error> {
    let solved = session.library.game(BOARD)?;
    let arena = solved.unfolding.arena();
    let mut counterattacks = 0;
    let mut finding = Finding::default();
    for node in arena.nodes().filter(|&node| arena.terminal(node).is_none()) {
        let decided = [Rule::nothing(), Rule::unreachable()].contains(solved.win(node));
        for player in Player::BOTH {
            if decided || !threat(&solved, node, player.other()) || threat(&solved, node, player) {
                continue;
            }
            let is_block = |to: &Node| !threat(&solved, *to, player.other());
            let (blocks, others): (Vec<Node>, Vec<Node>) =
                arena.moves(node, player).iter().partition(|to| is_block(to));
            let name = |what: &str| format!("{player} at {}: {what}", solved.unfolding.notation(node));
            finding.holds(blocks.len() <= 1, || name("more than one block"));
            if blocks.iter().any(|&to| threat(&solved, to, player)) {
                counterattacks += 1;
                let best = |nodes: &[Node]| -> Result<Rule, Error> {
                    let rules = nodes.iter().map(|&to| solved.win(to));
                    Ok(if player == Player::Alice { rules::least(rules)? } else { rules::greatest(rules)? })
                };
                if !others.is_empty() {
                    let (block, other) = (best(&blocks)?, best(&others)?);
                    let (lower, upper) = if player == Player::Alice { (&block, &other) } else { (&other, &block) };
                    finding.holds(at_most(lower, upper)?, || name("a move that is no block is better"));
                }
            }
        }
    }
    finding.range = format!("all positions that are open, all totals; {counterattacks} counterattacks");
    Ok(finding)
}

pub fn proposition_6_4(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = figure(session, "Figure 1")?;
    let figure = data::read::<data::PrintedPaper>("DP10", data::DP10)?.figure("Figure 1");
    let first = |found: &data::FigureMove| !(found.from == "start" && found.player == "alice");
    figure.check(session, &mut finding, first, |solved, [from, to], player| {
        Ok(*solved.win(to) == solved.best(from, player)?)
    })?;
    Ok(finding)
}

pub fn lemma_6_5(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("all totals");
    let solved = session.library.game(BOARD)?;
    let (start, centre) = (solved.start(), with_first_move(&solved, "b2")?);
    let whole = solved.win(start);
    let last = centre.last_difference(whole)?.flatten().unwrap_or(0);
    for total in (0..=last).filter(|&total| centre.at(total) != whole.at(total)) {
        let best = |node: Node, name: &str| -> Result<bool, Error> {
            let after = solved.after(node, Player::Alice, name)?;
            Ok(solved.win(after).at(total) == solved.best(node, Player::Alice)?.at(total))
        };
        finding.holds(best(start, "a1")?, || format!("{total} chips, the corner"));
        let corner = solved.after(start, Player::Alice, "a1")?;
        let adjacent = solved.unfolding.node("A.A/.../...")?;
        for &to in solved.unfolding.arena().moves(corner, Player::Alice) {
            let is_best = solved.win(to).at(total) == solved.best(corner, Player::Alice)?.at(total);
            let name = solved.unfolding.notation(to);
            finding.compare(|| format!("{total} chips, second move to {name}"), to == adjacent, is_best);
        }
    }
    Ok(finding)
}

const EQUAL: [u32; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 19, 20, 22, 26];

pub fn theorem_6_7(session: &mut Session) -> Result<Finding, Error> {
    let solved = session.library.game(BOARD)?;
    let whole = solved.win(solved.start()).clone();
    let mut finding = Finding::over("all totals");
    for (name, best) in
        [("b2", &(|total: u32| total != 5) as &dyn Fn(u32) -> bool), ("a1", &|total| EQUAL.contains(&total))]
    {
        let fixed = with_first_move(&solved, name)?;
        for total in 0..settled(&fixed, &whole)? {
            let computed = fixed.at(total) == whole.at(total);
            finding.compare(|| format!("{name}, {total} chips"), best(total), computed);
        }
    }
    Ok(finding)
}

/// A number of totals after which two rules repeat.
fn settled(one: &Rule, other: &Rule) -> Result<u32, Error> {
    const PRINTED: u32 = 256; // the totals of the tables
    let (settled, block) = one.settled(other)?;
    Ok((settled + block).max(PRINTED))
}

pub fn comparison(session: &mut Session) -> Result<Finding, Error> {
    let solved = session.library.game(BOARD)?;
    let (centre, corner) = (with_first_move(&solved, "b2")?, with_first_move(&solved, "a1")?);
    let end = settled(&centre, &corner)?;
    let mut finding = Finding::over("all totals");
    let greater = (0..end).filter(|&k| k != 5).all(|k| centre.at(k) >= corner.at(k));
    let smaller = (0..end).filter(|&k| k != 5).all(|k| centre.at(k) <= corner.at(k));
    let word = |greater: bool| if greater { "f' >= f''" } else { "f' <= f''" };
    finding.compare(|| "k other than 5".to_string(), word(true), word(greater && !smaller));
    let equal: Vec<u32> = (0..end).filter(|&k| centre.at(k) == corner.at(k)).collect();
    let printed: Vec<u32> = EQUAL.into_iter().filter(|&k| k != 5).collect();
    finding.compare(|| "the totals with equality".to_string(), format!("{printed:?}"), format!("{equal:?}"));
    Ok(finding)
}
