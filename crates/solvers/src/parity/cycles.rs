//! Cycles of a game without bids that one player wins alone.
//!
//! **Method.** Take the strongly connected components of a player's own positions. If the greatest
//! level of one is the player's, the player can cycle in it forever and wins all of it. Otherwise
//! the levels above the player's greatest one are removed, and the rest is searched in the same
//! way, for a few passes at most. So the result is correct but may be incomplete.

use richman_core::{Error, Groups, PacedWatch, Player};

use super::turns::TurnGame;

/// The part of positions not searched, or finished.
const OUT: u32 = u32::MAX;

/// A position being searched.
struct Visit {
    at: u32,
    /// Its next move.
    next: u32,
    is_root: bool,
}

struct CycleSearch<'a, G> {
    game: &'a G,
    before: &'a Groups<u32>,
    own: &'a [u32],
    player: Player,
    /// Only moves within a part are followed.
    part: Vec<u32>,
    /// The least order of a position known to be in the same component; 0 if not visited.
    order: Vec<u32>,
    /// The next part.
    next_part: u32,
    /// Positions to search again.
    again: Vec<u32>,
    /// Won positions and winning moves.
    won: Vec<(u32, u32)>,
}

/// The player's `open` positions from which the player wins by moves among such positions, with
/// these moves. `own` are the levels of the positions.
pub(super) fn won_alone<G: TurnGame>(
    game: &G,
    before: &Groups<u32>,
    own: &[u32],
    player: Player,
    open: impl Fn(u32) -> bool,
    pace: &PacedWatch,
) -> Result<Vec<(u32, u32)>, Error> {
    /// The most passes over all positions.
    const PASSES: usize = 4;
    let count = game.len();
    let part: Vec<u32> = (0..count as u32).map(|at| if open(at) { 0 } else { OUT }).collect();
    let mut list: Vec<u32> = (0..count as u32).filter(|&at| part[at as usize] != OUT).collect();
    let (order, again, won) = (vec![0; count], Vec::new(), Vec::new());
    let mut search = CycleSearch { game, before, own, player, part, order, next_part: 1, again, won };
    let mut left = PASSES * count;
    while !list.is_empty() && left >= list.len() {
        left -= list.len();
        list.iter().for_each(|&at| search.order[at as usize] = 0);
        search.components(&list, pace)?;
        list = std::mem::take(&mut search.again);
    }
    Ok(search.won)
}

impl<G: TurnGame> CycleSearch<'_, G> {
    /// Searches the components of these positions, by Pearce's algorithm.
    fn components(&mut self, list: &[u32], pace: &PacedWatch) -> Result<(), Error> {
        let mut visits: Vec<Visit> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        let mut seen = 0;
        for &first in list {
            let mut enter = (self.order[first as usize] == 0).then_some(first);
            loop {
                if let Some(at) = enter.take() {
                    pace.step()?;
                    seen += 1;
                    self.order[at as usize] = seen;
                    visits.push(Visit { at, next: 0, is_root: true });
                }
                let Some(visit) = visits.last_mut() else { break };
                let v = visit.at as usize;
                for &to in &self.game.successors(visit.at)[visit.next as usize..] {
                    let w = to as usize;
                    if self.part[w] == self.part[v] {
                        if self.order[w] == 0 {
                            enter = Some(to);
                            break;
                        }
                        if self.order[w] < self.order[v] {
                            self.order[v] = self.order[w];
                            visit.is_root = false;
                        }
                    }
                    visit.next += 1;
                }
                if enter.is_some() {
                    continue;
                }
                let (at, is_root) = (visit.at, visit.is_root);
                visits.pop();
                open.push(at);
                if is_root {
                    let order = self.order[at as usize];
                    let before = open[..open.len() - 1].iter().rposition(|&one| self.order[one as usize] < order);
                    let first = before.map_or(0, |before| before + 1);
                    seen -= (open.len() - first) as u32;
                    self.component(&open[first..]);
                    open.truncate(first);
                }
            }
        }
        Ok(())
    }

    /// Searches one component.
    fn component(&mut self, nodes: &[u32]) {
        let CycleSearch { game, before, own, player, part, order, next_part, again, won } = self;
        let level = |at: u32| own[at as usize];
        let of_player = |level: &u32| *level & 1 == *player as u32;
        let greatest = nodes.iter().map(|&at| level(at)).max();
        let best = nodes.iter().map(|&at| level(at)).filter(of_player).max();
        let is_cycle = nodes.len() > 1 || nodes.iter().any(|&at| game.successors(at).contains(&at));
        let number = *next_part;
        *next_part += 1;
        for &at in nodes {
            let stays = is_cycle && best.is_some() && Some(level(at)) <= best;
            part[at as usize] = if stays { number } else { OUT };
            order[at as usize] = OUT;
        }
        if !is_cycle || best.is_none() {
            return;
        }
        if best != greatest {
            again.extend(nodes.iter().filter(|&&at| part[at as usize] == number));
            return;
        }
        let from = won.len();
        for &at in nodes.iter().filter(|&&at| Some(level(at)) == best) {
            let to = game.successors(at).iter().find(|&&to| part[to as usize] == number);
            won.extend(to.map(|&to| (at, to)));
        }
        for &(at, _) in &won[from..] {
            part[at as usize] = OUT;
        }
        let mut next = from;
        while let Some(&(to, _)) = won.get(next) {
            next += 1;
            for &at in before.get(to as usize) {
                if part[at as usize] == number {
                    part[at as usize] = OUT;
                    won.push((at, to));
                }
            }
        }
    }
}
