//! Compares printed tables, classes, shares, values and moves with computed ones.

use std::collections::BTreeMap;

use richman_core::{Holding, Node, Player, Rule, Share};
use richman_solvers::rules;

use super::data::{FigureLabel, FigureMove, PrintedEntry, PrintedPaper, PrintedTable};
use super::solved::GameSolution;
use super::{Finding, Session};
use crate::Error;

/// The moves of a figure.
pub struct PrintedFigure {
    pub game: String,
    /// The total for which its moves are best; `None` for real money.
    chips: Option<u32>,
    labels: BTreeMap<String, Option<String>>,
    moves: Vec<FigureMove>,
}

/// A figure's position and the targets of its two moves.
pub struct FigurePosition {
    pub label: String,
    pub from: Node,
    /// Alice's move and Bob's; `None` if the figure omits it.
    pub to: [Option<Node>; 2],
}

/// The claim of a place: `Proposition 6.4` for `Proposition 6.4 Bob's move from 3b`.
fn head(place: &str) -> String {
    for word in ["Proposition ", "Theorem ", "Lemma ", "Example ", "Section ", "section "] {
        if let Some(rest) = place.strip_prefix(word) {
            let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            return format!("{word}{}", number.trim_end_matches('.'));
        }
    }
    place.to_string()
}

/// The rest: `Bob's move from 3b`.
fn tail(place: &str) -> String {
    let tail = place.strip_prefix(&head(place)).unwrap_or_default().trim_start_matches([',', ' ']);
    if tail.is_empty() { place.to_string() } else { tail.to_string() }
}

impl PrintedPaper {
    /// The places of the claims with printed data.
    pub fn places(&self) -> impl Iterator<Item = String> {
        let tables = self.tables.iter().map(|table| table.place.clone());
        let entries = [&self.classes, &self.shares, &self.values].into_iter().flatten().map(|entry| head(&entry.place));
        tables.chain(entries).chain(self.labels.iter().map(|label| label.figure.clone()))
    }

    pub fn figure(&self, name: &str) -> PrintedFigure {
        let labels: Vec<&FigureLabel> = self.labels.iter().filter(|label| label.figure == name).collect();
        PrintedFigure {
            game: labels.iter().find_map(|label| label.game.clone()).unwrap_or_else(|| "tic-tac-toe".to_string()),
            chips: self.figures.iter().find(|figure| figure.figure == name).map(|figure| figure.chips),
            labels: labels.iter().map(|label| (label.label.clone(), label.position.clone())).collect(),
            moves: self.moves.iter().filter(|found| found.figure == name).cloned().collect(),
        }
    }

    /// The text of a claim that is only data.
    pub fn what(&self, place: &str) -> String {
        if let Some(table) = self.tables.iter().find(|table| table.place == place) {
            let of = table.position.as_ref().map_or_else(String::new, |position| format!(" from {position}"));
            return format!("chip table of {}{of}: {}n + , {}n +", table.game, table.block, table.step);
        }
        let figure = self.figure(place);
        let best = figure.chips.map_or("real money".into(), |chips| format!("{chips} chips"));
        let parts = [
            (of(&self.classes, place).count(), "positions or expressions equivalent to wedge sums"),
            (of(&self.shares, place).count(), "critical thresholds"),
            (of(&self.values, place).count(), "thresholds of single totals"),
            (figure.moves.len(), &format!("moves that are best for {best}")),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// Compares the printed data of the claim at a place.
    pub fn check(&self, place: &str, session: &mut Session, finding: &mut Finding) -> Result<(), Error> {
        for table in self.tables.iter().filter(|table| table.place == place) {
            check_table(table, session, finding)?;
        }
        for class in of(&self.classes, place) {
            check_class(class, session, finding)?;
        }
        for share in of(&self.shares, place) {
            let solved = session.library.game(&share.game)?;
            let computed = solved.share(solved.node(share.position.as_deref())?);
            let printed: Share = share.printed.parse()?;
            finding.compare(|| format!("threshold, {}", place_of(share, share.position.as_deref())), printed, computed);
        }
        for value in of(&self.values, place) {
            let solved = session.library.game(&value.game)?;
            let rule = solved.win(solved.node(value.position.as_deref())?);
            let computed = value.chips.map(|chips| Holding::from_half_steps(rule.at(chips) as u32).to_string());
            finding.compare(|| tail(&value.place), &value.printed, computed.unwrap_or_default());
        }
        let figure = self.figure(place);
        if figure.moves.is_empty() {
            return Ok(());
        }
        figure.check(
            session,
            finding,
            |_| true,
            |solved, [from, to], player| {
                Ok(match figure.chips {
                    Some(chips) => solved.win(to).at(chips) == solved.best(from, player)?.at(chips),
                    None => {
                        let shares = solved.unfolding.arena().moves(from, player).iter().map(|&to| solved.share(to));
                        let best = if player == Player::Alice { shares.min() } else { shares.max() };
                        best.is_some_and(|best| best == solved.share(to))
                    }
                })
            },
        )
    }
}

fn of<'e>(entries: &'e [PrintedEntry], place: &'e str) -> impl Iterator<Item = &'e PrintedEntry> {
    entries.iter().filter(move |entry| head(&entry.place) == place)
}

fn place_of(entry: &PrintedEntry, position: Option<&str>) -> String {
    format!("{}: {}", tail(&entry.place), position.unwrap_or(&entry.game))
}

/// The rule of a table's position, after Alice's move if given.
fn rule_of(table: &PrintedTable, session: &mut Session) -> Result<Rule, Error> {
    let solved = session.library.game(&table.game)?;
    let node = solved.node(table.position.as_deref())?;
    match &table.alice_move {
        None => Ok(solved.win(node).clone()),
        Some(name) => with_first_move(&solved, name),
    }
}

/// The start's rule if Alice makes the given move and Bob his best.
pub fn with_first_move(solved: &GameSolution, name: &str) -> Result<Rule, Error> {
    let start = solved.start();
    let after = solved.after(start, Player::Alice, name)?;
    Ok(rules::wedge(solved.win(after), &solved.best(start, Player::Bob)?)?)
}

fn check_table(table: &PrintedTable, session: &mut Session, finding: &mut Finding) -> Result<(), Error> {
    let rule = rule_of(table, session)?;
    let cells: Vec<&str> = table.cells.split_whitespace().collect();
    if cells.len() != table.block as usize {
        let reason = format!("{} has {} cells and a block of {}", table.place, cells.len(), table.block);
        return Err(Error::Damaged { reason });
    }
    // Enough blocks for the rest to repeat.
    let blocks = rule.from() / table.block + 2 + rule.chip_block() / table.block;
    for (index, cell) in (0u32..).zip(&cells) {
        let printed: Holding = cell.parse()?;
        let wrong = (0..=blocks)
            .find(|n| rule.at(index + n * table.block) != u64::from(printed.half_steps() + 2 * n * table.step));
        let at = || match wrong {
            None | Some(0) => index.to_string(),
            Some(n) => format!("{index} + {} x {n}", table.block),
        };
        let n = wrong.unwrap_or(0);
        let computed = Holding::from_half_steps(rule.at(index + n * table.block) as u32);
        finding.compare(at, Holding::from_half_steps(printed.half_steps() + 2 * n * table.step), computed);
    }
    if let Some(expression) = &table.equivalent {
        let expected = session.library.expression(expression)?;
        if rule != expected {
            finding.compare(|| format!("as {expression}"), expression, session.describe(&rule)?);
        }
    }
    Ok(())
}

fn check_class(class: &PrintedEntry, session: &mut Session, finding: &mut Finding) -> Result<(), Error> {
    let positions: Vec<Option<&str>> = match (&class.position, &class.positions[..]) {
        (None, []) if class.note.is_some() && !class.game.starts_with("expr:") => {
            finding.omit(vec![tail(&class.place)], "the text does not say which position is meant");
            return Ok(());
        }
        (position, []) => vec![position.as_deref()],
        (_, positions) => positions.iter().map(|position| Some(position.as_str())).collect(),
    };
    let solved = session.library.game(&class.game)?;
    let expected = session.library.expression(&class.printed)?;
    for position in positions {
        let rule = solved.win(solved.node(position)?).clone();
        let computed = if rule == expected { class.printed.clone() } else { session.describe(&rule)? };
        finding.compare(|| place_of(class, position), &class.printed, computed);
    }
    Ok(())
}

impl PrintedFigure {
    /// Checks `is_best(solved, [from, to], player)` for the chosen moves.
    pub fn check(
        &self,
        session: &mut Session,
        finding: &mut Finding,
        chosen: impl Fn(&FigureMove) -> bool,
        is_best: impl Fn(&GameSolution, [u32; 2], Player) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let solved = session.library.game(&self.game)?;
        for found in self.moves.iter().filter(|found| chosen(found)) {
            let (Some(from), Some(to)) = (self.position(&found.from), self.target(found)) else { continue };
            let (from, to) = (solved.unfolding.node(&from)?, solved.unfolding.node(&to)?);
            let player = if found.player == "alice" { Player::Alice } else { Player::Bob };
            let possible = solved.unfolding.arena().moves(from, player).contains(&to);
            let best = possible && is_best(&solved, [from, to], player)?;
            finding.holds(best, || {
                format!("{player}'s move from {} to {}", found.from, found.to.as_deref().unwrap_or("the last position"))
            });
        }
        Ok(())
    }

    /// The positions with a move in the figure, by label, with the targets of both players' moves.
    /// The start is omitted, because figures that halve a tree have only one of its moves.
    pub fn pairs(&self, session: &mut Session) -> Result<Vec<FigurePosition>, Error> {
        let solved = session.library.game(&self.game)?;
        let mut pairs = Vec::new();
        for (label, position) in &self.labels {
            let Some(position) = position else { continue };
            let target = |player: &str| -> Result<Option<Node>, Error> {
                let found = self.moves.iter().find(|found| found.from == *label && found.player == player);
                let to = found.and_then(|found| self.target(found));
                Ok(to.map(|to| solved.unfolding.node(&to)).transpose()?)
            };
            let to = [target("alice")?, target("bob")?];
            let from = solved.unfolding.node(position)?;
            if from != solved.start() && to != [None, None] {
                pairs.push(FigurePosition { label: label.clone(), from, to });
            }
        }
        Ok(pairs)
    }

    /// The number of moves whose positions the text leaves open.
    pub fn undetermined(&self) -> usize {
        let known = |found: &&FigureMove| self.position(&found.from).is_some() && self.target(found).is_some();
        self.moves.iter().filter(|found| !known(found)).count()
    }

    fn target(&self, found: &FigureMove) -> Option<String> {
        found.position.clone().or_else(|| found.to.as_ref().and_then(|to| self.position(to)))
    }

    /// A label's position; the label may be a position itself.
    fn position(&self, label: &str) -> Option<String> {
        match self.labels.get(label) {
            Some(position) => position.clone(),
            None => label.contains(['.', '/']).then(|| label.to_string()),
        }
    }
}

impl Session<'_> {
    /// A rule in few words: its class if short, else its share.
    pub fn describe(&mut self, rule: &Rule) -> Result<String, Error> {
        if let Some(class) = self.classes.name(rule)? {
            return Ok(class.expression);
        }
        let share = Share::ratio(rule.step().into(), (2 * rule.block()).into());
        Ok(share.map_or_else(|| rule.to_string(), |share| format!("a game of threshold {share}")))
    }
}
