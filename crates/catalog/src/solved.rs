//! Games that checks ask for again and again, solved once.

use std::collections::HashMap;
use std::rc::Rc;

use richman_analysis::Subject;
use richman_core::{
    Arena, Content, Effort, Mechanism, MoneySolution, Node, Player, Rate, Rule, RuleSolution, Share, Terminal, Total,
    Turn, Unfolding,
};
use richman_lines::engine::Stake;
use richman_lines::engine::needs::{self, Needs};
use richman_solvers::{money, rules};

use crate::Error;

/// A game unfolded from its start, its rules for all totals and its real-money thresholds.
pub struct Solved {
    pub unfolding: Box<dyn Unfolding>,
    pub rules: RuleSolution,
    pub money: MoneySolution,
}

impl Solved {
    fn new(game: &str) -> Result<Solved, Error> {
        let unfolding = Subject::named(game)?.unfold(None, &Effort::default())?;
        let (mechanism, effort) = (Mechanism::default(), Effort::default());
        let rules = rules::solve(unfolding.arena(), &mechanism, &effort)?;
        let money = money::solve(unfolding.arena(), &mechanism, &effort)?;
        let solved = Solved { unfolding, rules, money };
        match solved.refuted()? {
            Some(place) => Err(Error::Damaged { reason: format!("{game}: the solver is wrong {place}") }),
            None => Ok(solved),
        }
    }

    /// A position where the definition of a turn says something else: with few chips, or of what a bid leaves in real money. That a move is best, or that
    /// two positions are equivalent, may hold of wrong numbers as well, so no claim is looked at before these.
    fn refuted(&self) -> Result<Option<String>, Error> {
        let arena = self.unfolding.arena();
        if let Some((node, total)) = differs_from_definition(arena, |node| Some(self.win(node)))? {
            return Ok(Some(format!("at {} with {total} chips", self.unfolding.notation(node))));
        }
        let wrong = arena.nodes().find(|&node| {
            let after = |player| arena.moves(node, player).iter().map(|&to| self.share(to));
            let own = self.share(node);
            let (Some(alice), Some(bob)) = (after(Player::Alice).min(), after(Player::Bob).max()) else {
                let won = arena.terminal(node) == Some(Terminal::Win(Player::Alice));
                return own != if won { Share::ZERO } else { Share::ONE };
            };
            let (low, high) = if alice <= bob { (alice, bob) } else { (bob, alice) };
            let bid = Share::half_difference(&high, &low);
            Rate::RICHMAN.after_win(&own, &bid) != Some(low) || Rate::RICHMAN.after_loss(&own, &bid) != Some(high)
        });
        Ok(wrong.map(|node| format!("at {} in real money", self.unfolding.notation(node))))
    }

    pub fn start(&self) -> Node {
        self.unfolding.arena().start()
    }

    /// The node of a position, the start where none is given.
    pub fn node(&self, position: Option<&str>) -> Result<Node, Error> {
        match position {
            Some(position) => Ok(self.unfolding.node(position)?),
            None => Ok(self.start()),
        }
    }

    pub fn win(&self, node: Node) -> &Rule {
        self.rules.alice.rule(node)
    }

    /// Alice's win threshold for real money; the games of the catalog are small enough for exact ones.
    pub fn share(&self, node: Node) -> Share {
        self.money.win.get(node).high
    }

    /// The best rule that `player` can move to.
    pub fn best(&self, node: Node, player: Player) -> Result<Rule, Error> {
        let rules = self.unfolding.arena().moves(node, player).iter().map(|&to| self.win(to));
        let best = match player {
            Player::Alice => rules::least(rules),
            Player::Bob => rules::greatest(rules),
        };
        Ok(best?)
    }

    /// The node that a named move leads to.
    pub fn after(&self, node: Node, player: Player, name: &str) -> Result<Node, Error> {
        let moves = self.unfolding.moves(node, player);
        let found = moves.iter().find(|known| known.name == name);
        found.map(|known| known.to).ok_or_else(|| Error::Damaged { reason: format!("there is no move {name:?}") })
    }
}

/// Solved games, and starts of boards solved layer by layer, by name.
#[derive(Default)]
pub struct Library {
    games: HashMap<String, Rc<Solved>>,
    boards: HashMap<String, Rc<Needs>>,
    defined: HashMap<String, Rule>,
}

impl Library {
    pub fn game(&mut self, name: &str) -> Result<Rc<Solved>, Error> {
        if let Some(solved) = self.games.get(name) {
            return Ok(solved.clone());
        }
        let solved = Rc::new(Solved::new(name)?);
        self.games.insert(name.to_string(), solved.clone());
        Ok(solved)
    }

    /// What is needed in real money at the start of a board of lines.
    pub fn board(&mut self, name: &str, effort: &Effort) -> Result<Rc<Needs>, Error> {
        if let Some(needs) = self.boards.get(name) {
            return Ok(needs.clone());
        }
        let walk = Subject::named(name)?.walk(None)?;
        let wrong = || Error::Damaged { reason: format!("{name} is no board of lines") };
        let (board, stones) = needs::board(walk.as_ref(), &Mechanism::default(), false).ok_or_else(wrong)?;
        let needs = needs::solve(walk.as_ref(), &board, stones, Stake::Money, effort)?;
        let needs = Rc::new(needs.and_then(|needs| needs.into_iter().next()).ok_or_else(wrong)?);
        self.boards.insert(name.to_string(), needs.clone());
        Ok(needs)
    }

    /// The win rule of a wedge expression by the definition of a turn, without a solver: what equivalent positions are compared with.
    pub fn defined(&mut self, expression: &str) -> Result<Rule, Error> {
        if let Some(rule) = self.defined.get(expression) {
            return Ok(rule.clone());
        }
        let rule = by_definition(&format!("expr:{expression}"))?;
        self.defined.insert(expression.to_string(), rule.clone());
        Ok(rule)
    }

    /// The win rule of a wedge expression.
    pub fn expression(&mut self, expression: &str) -> Result<Rule, Error> {
        let solved = self.game(&format!("expr:{expression}"))?;
        Ok(solved.win(solved.start()).clone())
    }
}

/// The win rule of a game without cycles from the definition of a turn, total by total. If no play has more than d moves, thresholds repeat after blocks
/// of 2^d totals (docs/design.md, theorem 4 (rules without cycles)); from where on, is looked for in three more blocks.
fn by_definition(game: &str) -> Result<Rule, Error> {
    let unfolding = Subject::named(game)?.unfold(None, &Effort::default())?;
    let arena = unfolding.arena();
    let mut longest = vec![0u32; arena.len()];
    for &node in arena.components().order() {
        let after = arena.successors(node).iter().map(|&to| longest[to as usize] + 1).max();
        longest[node as usize] = after.unwrap_or(0);
    }
    let block = 1u32 << longest[arena.start() as usize];
    let mut values = Vec::new();
    for total in 0..4 * block {
        values.push(needs(arena, Total::new(total.into())?)[arena.start() as usize]);
    }
    let step = values[3 * block as usize] - values[2 * block as usize];
    Ok(Rule::new(values, block, step)?)
}

/// The first position and total, of few, where Alice's rule is not what the definition of a turn says. Arenas with cycles are not looked at.
pub fn differs_from_definition<'r>(
    arena: &Arena,
    rule: impl Fn(Node) -> Option<&'r Rule>,
) -> Result<Option<(Node, u32)>, Error> {
    const LARGE: usize = 10_000;
    if !arena.is_acyclic() {
        return Ok(None);
    }
    for total in if arena.len() < LARGE { 0..=5 } else { 3..=3 } {
        let needs = needs(arena, Total::new(u64::from(total))?);
        let wrong = |node: &Node| rule(*node).is_some_and(|rule| rule.at(total) != u64::from(needs[*node as usize]));
        if let Some(node) = arena.nodes().find(wrong) {
            return Ok(Some((node, total)));
        }
    }
    Ok(None)
}

/// What Alice needs at every position of an arena without cycles, in half-steps, by the definition of a turn.
fn needs(arena: &Arena, total: Total) -> Vec<u32> {
    let mut needs = vec![0; arena.len()];
    for &node in arena.components().order() {
        needs[node as usize] = match arena.terminal(node) {
            Some(Terminal::Win(Player::Alice)) => 0,
            Some(_) => total.unreachable(),
            None => turn(arena, node, total, &needs),
        };
    }
    needs
}

/// A turn of Alice, who holds `own` half-steps of `total` chips and needs so many half-steps where she moves, and where Bob moves.
pub fn alices_turn(mechanism: &Mechanism, total: u32, own: u32, hers: u32, his: u32) -> Turn<'_, impl Content> {
    let (own, star) = (own / 2, own % 2 == 1);
    let needed = move |won| if won { hers.min(his) } else { hers.max(his) };
    let content = move |won, chips, _, star| 2 * chips + u32::from(star) >= needed(won);
    Turn { mechanism, player: Player::Alice, own, other: total - own, star, content }
}

/// The least holding of Alice, in half-steps, with which she has a good bid at a position.
fn turn(arena: &Arena, node: Node, total: Total, needs: &[u32]) -> u32 {
    let after = |player| arena.moves(node, player).iter().map(|&to| needs[to as usize]);
    let (alice, bob) = (after(Player::Alice).min().unwrap_or(0), after(Player::Bob).max().unwrap_or(0));
    let mechanism = Mechanism::default();
    let suffices = |held| alices_turn(&mechanism, total.chips(), held, alice, bob).is_content();
    let (mut low, mut high) = (0, total.unreachable());
    while low < high {
        let middle = (low + high) / 2;
        if suffices(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
