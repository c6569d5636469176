//! Games that several checks need, solved once.

use std::collections::HashMap;
use std::rc::Rc;

use richman_analysis::Subject;
use richman_check::verify;
use richman_core::{
    Arena, Effort, Mechanism, MoneySolution, Node, Player, Rule, RuleSolution, Share, ShareBounds, Total, Unfolding,
    Unwatched,
};
use richman_lines::engine::BoardStake;
use richman_lines::engine::needs::{self, PositionNeeds};
use richman_solvers::{chips, money, rules};

use crate::Error;

/// An unfolded game, its rules for all totals and its real-money thresholds.
pub struct GameSolution {
    pub unfolding: Box<dyn Unfolding>,
    pub rules: RuleSolution,
    pub money: MoneySolution,
}

impl GameSolution {
    fn new(game: &str) -> Result<GameSolution, Error> {
        let unfolding = Subject::named(game)?.unfold(None, &Effort::default())?;
        let rules = proved_rules(unfolding.arena())?;
        let money = proved_money(unfolding.arena())?;
        Ok(GameSolution { unfolding, rules, money })
    }

    pub fn start(&self) -> Node {
        self.unfolding.arena().start()
    }

    /// The node of a position, by default the start.
    pub fn node(&self, position: Option<&str>) -> Result<Node, Error> {
        match position {
            Some(position) => Ok(self.unfolding.node(position)?),
            None => Ok(self.start()),
        }
    }

    pub fn win(&self, node: Node) -> &Rule {
        self.rules.wins.alice.rule(node)
    }

    /// Alice's real-money win threshold, exact because the catalog's games are small.
    pub fn share(&self, node: Node) -> Share {
        self.money.win.get(node).high
    }

    /// The best rule that `player` can move to.
    pub fn best(&self, node: Node, player: Player) -> Result<Rule, Error> {
        let rules = self.unfolding.arena().moves(node, player).iter().map(|&to| self.win(to));
        Ok(if player == Player::Alice { rules::least(rules)? } else { rules::greatest(rules)? })
    }

    pub fn after(&self, node: Node, player: Player, name: &str) -> Result<Node, Error> {
        let moves = self.unfolding.moves(node, player);
        let found = moves.iter().find(|known| known.name == name);
        found.map(|known| known.to).ok_or_else(|| Error::Damaged { reason: format!("there is no move {name:?}") })
    }
}

/// Solved games, and boards' starts solved layer by layer, by name.
#[derive(Default)]
pub struct Library {
    games: HashMap<String, Rc<GameSolution>>,
    boards: HashMap<String, Rc<PositionNeeds>>,
}

impl Library {
    pub fn game(&mut self, name: &str) -> Result<Rc<GameSolution>, Error> {
        if let Some(solved) = self.games.get(name) {
            return Ok(solved.clone());
        }
        let solved = Rc::new(GameSolution::new(name)?);
        self.games.insert(name.to_string(), solved.clone());
        Ok(solved)
    }

    /// The real-money thresholds at the start of a board of lines.
    pub fn board(&mut self, name: &str, effort: &Effort) -> Result<Rc<PositionNeeds>, Error> {
        if let Some(needs) = self.boards.get(name) {
            return Ok(needs.clone());
        }
        let walk = Subject::named(name)?.walk(None)?;
        let wrong = || Error::Damaged { reason: format!("{name} is no board of lines") };
        needs::board(walk.as_ref(), &Mechanism::default(), false).ok_or_else(wrong)?;
        let needs = needs::solve(walk.as_ref(), BoardStake::Money, effort)?;
        let needs = Rc::new(needs.and_then(|needs| needs.into_iter().next()).ok_or_else(wrong)?);
        self.boards.insert(name.to_string(), needs.clone());
        Ok(needs)
    }

    pub fn rule(&mut self, game: &str) -> Result<Rule, Error> {
        let solved = self.game(game)?;
        Ok(solved.win(solved.start()).clone())
    }

    pub fn expression(&mut self, expression: &str) -> Result<Rule, Error> {
        self.rule(&format!("expr:{expression}"))
    }
}

/// The real-money thresholds of an arena, proved from the definition of a turn.
pub fn proved_money(arena: &Arena) -> Result<MoneySolution, Error> {
    let money = money::solve(arena, &Mechanism::default(), &Effort::default())?;
    let [win, draw] = [&money.win, &money.draw]
        .map(|shares| arena.nodes().map(|node| shares.get(node)).collect::<Vec<ShareBounds>>());
    verify::money(arena, &Mechanism::default(), &win, &draw, &Unwatched)?;
    Ok(money)
}

/// The rules of an arena, proved from the definition of a turn, because claims about best moves or
/// equivalent positions may also hold for wrong numbers. In a large arena they are only compared
/// with the verified solution for one total.
pub fn proved_rules(arena: &Arena) -> Result<RuleSolution, Error> {
    const LARGE: usize = 10_000;
    let (mechanism, effort) = (Mechanism::default(), Effort::default());
    let rules = rules::solve(arena, &mechanism, &effort)?;
    if arena.len() < LARGE {
        verify::rules(arena, &rules, &Unwatched)?;
        return Ok(rules);
    }
    let total = Total::new(3)?;
    let chips = chips::solve(arena, &mechanism, total, &effort)?;
    verify::chips(arena, &chips, &Unwatched)?;
    let wrong = |&node: &Node| {
        chips.wins.alice.threshold(node, total).holding() != Some(rules.wins.alice.rule(node).holding(total))
    };
    match arena.nodes().find(wrong) {
        Some(node) => Err(Error::Damaged { reason: format!("a solver is wrong at {node}, with {total} chips") }),
        None => Ok(rules),
    }
}
