//! Searches for counterexamples to statements about the uniqueness properties: LPR20's conjecture 7
//! as stated, and weaker ones.
//!
//! Rulesets are enumerated from the smallest on: by positions, then total, then bids, moves and
//! weights. So the first counterexample is a smallest one, and finding none up to a size proves the
//! statement up to that size. No ruleset here has stuck scores or scores at the end, although the
//! conjecture allows them.

use richman_catalog::Error;
use richman_catalog::counterexamples::{Refutation, UniversalClaim, refuted};
use richman_core::{Bids, Effort, Node, Player, ScoringArena, ScoringArenaBuilder};

/// The weights of moves, from the mover's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// At least 0, as in conjecture 7.
    NonNegative,
    /// At least 1.
    Positive,
    /// All 1.
    One,
    /// At least 0, and no move outweighs any move of either player at the preceding position.
    Falling,
}

/// A statement about all rulesets of a kind, with marker ties where the winner of a bid must move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    /// The weights.
    pub weights: Weights,
    /// Whether both players have the same moves with opposite weights.
    pub symmetric: bool,
    /// Whether every position has moves of both players or of neither; otherwise a player may be
    /// stuck.
    pub both_move: bool,
    /// Whether every amount may be bid; otherwise every set of bids with 0 counts.
    pub all_bids: bool,
    /// The smallest total.
    pub least_total: u32,
    /// What is claimed.
    pub claim: UniversalClaim,
}

impl Statement {
    /// LPR20's conjecture 7: if weights never hurt the mover and 0 may be bid, all three properties
    /// hold.
    pub const CONJECTURE_7: Statement = Statement {
        weights: Weights::NonNegative,
        symmetric: false,
        both_move: false,
        all_bids: false,
        least_total: 0,
        claim: UniversalClaim::Properties,
    };
}

/// Everything up to these sizes is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchLimits {
    /// The most positions, the end included.
    pub positions: u32,
    /// Largest total.
    pub total: u32,
    /// Largest weight.
    pub heaviest: i64,
}

/// A ruleset that refutes a statement at its start.
#[derive(Debug, Clone)]
pub struct Counterexample {
    /// The ruleset.
    pub arena: ScoringArena,
    /// The total.
    pub total: u32,
    /// The allowed bids.
    pub bids: Bids,
    /// The holdings and values that refute the statement. For a property: two holdings with values
    /// in the wrong order. For uniqueness: a state with its maximin and minimax.
    pub shown: Refutation,
}

/// The smallest counterexample within reach: by positions, then total, then number of moves, then
/// sum of weights.
pub fn smallest(statement: &Statement, reach: &SearchLimits) -> Result<Option<Counterexample>, Error> {
    for positions in 2..=reach.positions {
        let arenas = Arenas::new(statement, positions as usize, reach.heaviest);
        for total in statement.least_total..=reach.total {
            let mut best: Option<((usize, i64), Counterexample)> = None;
            arenas.each(&mut |arena| {
                let size = (arena.edges(), weight(arena));
                if best.as_ref().is_some_and(|(least, _)| *least <= size) {
                    return Ok(());
                }
                for bids in bid_sets(statement, total) {
                    if let Some(shown) = refuted(statement.claim, arena, total, &bids, &Effort::default())? {
                        best = Some((size, Counterexample { arena: arena.clone(), total, bids, shown }));
                        break;
                    }
                }
                Ok(())
            })?;
            if let Some((_, found)) = best {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

fn weight(arena: &ScoringArena) -> i64 {
    let moves = |node| Player::BOTH.into_iter().flat_map(move |player| arena.labelled(node, player));
    arena.nodes().flat_map(moves).map(|(_, weight)| weight.abs()).sum()
}

/// The sets of bids with 0, smallest first; all amounts come last.
fn bid_sets(statement: &Statement, total: u32) -> impl Iterator<Item = Bids> {
    let some = if statement.all_bids { 0 } else { (1u32 << total.min(16)) - 1 };
    let set = move |mask: u32| (0..total).filter(move |bit| mask & (1 << bit) != 0).map(|bit| bit + 1);
    let some = (0..some).map(move |mask| Bids::Only(std::iter::once(0).chain(set(mask)).collect()));
    some.chain([Bids::All])
}

/// One player's moves at one position: a weight for each earlier position reached. Of two moves to
/// one position the lighter is never needed.
type Moves = Vec<Option<i64>>;

/// All rulesets with a given number of positions; the first is the end, the last the start.
struct Arenas {
    statement: Statement,
    /// For each position but the first, a player's possible moves.
    choices: Vec<Vec<Moves>>,
}

impl Arenas {
    fn new(statement: &Statement, positions: usize, heaviest: i64) -> Arenas {
        let weights: Vec<i64> = match statement.weights {
            Weights::NonNegative | Weights::Falling => (0..=heaviest).collect(),
            Weights::Positive => (1..=heaviest).collect(),
            Weights::One => vec![1],
        };
        let mut choices: Vec<Vec<Moves>> = Vec::new();
        for earlier in 1..positions {
            let mut all: Vec<Moves> = vec![Vec::new()];
            for _ in 0..earlier {
                let longer = |moves: &Moves, last| moves.iter().copied().chain([last]).collect::<Moves>();
                let lasts = || std::iter::once(None).chain(weights.iter().copied().map(Some));
                all = all.iter().flat_map(|moves| lasts().map(|last| longer(moves, last))).collect();
            }
            choices.push(all);
        }
        Arenas { statement: *statement, choices }
    }

    fn each(&self, use_it: &mut dyn FnMut(&ScoringArena) -> Result<(), Error>) -> Result<(), Error> {
        self.extend(&mut Vec::new(), use_it)
    }

    fn extend(
        &self,
        chosen: &mut Vec<[Moves; 2]>,
        use_it: &mut dyn FnMut(&ScoringArena) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if chosen.len() == self.choices.len() {
            return use_it(&built(chosen)?);
        }
        let choices = &self.choices[chosen.len()];
        for alice in choices {
            let bobs = if self.statement.symmetric { std::slice::from_ref(alice) } else { choices.as_slice() };
            for bob in bobs {
                let position = [alice.clone(), bob.clone()];
                if self.allows(chosen, &position) {
                    chosen.push(position);
                    self.extend(chosen, use_it)?;
                    chosen.pop();
                }
            }
        }
        Ok(())
    }

    fn allows(&self, earlier: &[[Moves; 2]], position: &[Moves; 2]) -> bool {
        let can_move = position.each_ref().map(|moves| moves.iter().any(Option::is_some));
        if can_move == [false, false] || (self.statement.both_move && can_move != [true, true]) {
            return false;
        }
        if self.statement.weights != Weights::Falling {
            return true;
        }
        let all = |position: &[Moves; 2]| position.iter().flatten().flatten().copied().collect::<Vec<i64>>();
        let lightest = all(position).into_iter().min().unwrap_or(0);
        let reached = |to: usize| position.iter().any(|moves| moves[to].is_some());
        (1..=earlier.len()).filter(|&to| reached(to)).all(|to| all(&earlier[to - 1]).iter().all(|&w| w <= lightest))
    }
}

fn built(positions: &[[Moves; 2]]) -> Result<ScoringArena, Error> {
    let mut builder = ScoringArenaBuilder::new();
    builder.terminal(0);
    for [alice, bob] in positions {
        let listed = |moves: &Moves, sign: i64| -> Vec<(Node, i64)> {
            let targets = moves.iter().enumerate();
            targets.filter_map(|(to, weight)| Some((to as Node, sign * (*weight)?))).collect()
        };
        builder.labelled(&listed(alice, 1), &listed(bob, -1), [0, 0]);
    }
    Ok(builder.build(positions.len() as Node)?)
}
