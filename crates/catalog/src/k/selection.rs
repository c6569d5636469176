//! Section 4: selection games.

use crate::selection::definition::{Tree, monotone, random};
use fastrand::Rng;
use richman_core::{CellSet, Effort, Payoffs, Selection, Unwatched, subsets};
use richman_games::{Hex, Y};

use super::super::{Finding, Session};
use super::hex::BOARDS;
use crate::{Error, selection};

/// Seeded random games of up to five cells; every second one has few distinct payoffs, so that
/// moves tie.
fn games(session: &Session, generic: bool) -> Vec<Payoffs> {
    let mut rng = Rng::with_seed(2006);
    (0..if session.deep { 300 } else { 40 })
        .map(|number| random(rng.u32(1..=5), if generic || number % 2 == 0 { 1 << 40 } else { 3 }, &mut rng))
        .collect()
}

fn range(games: &[Payoffs]) -> String {
    format!("{} random payoffs on sets of up to 5 elements, every position", games.len())
}

pub fn theorem_4_1(session: &mut Session) -> Result<Finding, Error> {
    let games = games(session, false);
    let mut finding = Finding::over(range(&games));
    for (number, game) in games.iter().enumerate() {
        let tree = Tree::of(game, 0, 0, &Unwatched)?;
        for [hers, his] in tree.positions() {
            let values = selection::values(game, hers, his, &Effort::default())?;
            let at = || format!("game {number}, {hers:b}, {his:b}");
            finding.compare(at, values.sum, tree.value(hers, his));
            let [alice, bob] = tree.best(hers, his);
            finding.compare(|| at() + ", best moves", alice, bob);
        }
    }
    Ok(finding)
}

pub fn proposition_4_1(session: &mut Session) -> Result<Finding, Error> {
    let games = games(session, true);
    let mut finding = Finding::over(format!("{}; every sequence of tosses", range(&games)));
    for (number, game) in games.iter().enumerate() {
        let tree = Tree::of(game, 0, 0, &Unwatched)?;
        let all = game.board();
        for [hers, his] in tree.positions().filter(|[hers, his]| hers | his != all) {
            let [alice, bob] = tree.best(hers, his);
            let found = selection::values(game, hers, his, &Effort::default())?.best();
            finding.holds(alice == bob && alice.count_ones() == 1 && found == alice, || {
                format!("game {number}, {hers:b}, {his:b}")
            });
        }
        let mut reached: Vec<CellSet> = subsets(all)
            .map(|tosses| {
                let (mut hers, mut his) = (0, 0);
                for toss in 0..all.count_ones() {
                    let [cell, _] = tree.best(hers, his);
                    *(if tosses >> toss & 1 == 1 { &mut hers } else { &mut his }) |= cell;
                }
                hers
            })
            .collect();
        reached.sort_unstable();
        finding.holds(reached.into_iter().eq(subsets(all)), || format!("game {number}, final sets"));
    }
    Ok(finding)
}

pub fn lemma_4_1(session: &mut Session) -> Result<Finding, Error> {
    let mut rng = Rng::with_seed(2006);
    let count = if session.deep { 300 } else { 40 };
    let mut finding = Finding::over(format!(
        "{count} random monotone games on sets of up to 5 elements, Hex up to 3 x 3, and Y up to side 4, every position"
    ));
    let mut games: Vec<Box<dyn Selection>> = Vec::new();
    for _ in 0..count {
        games.push(Box::new(monotone(rng.u32(1..=5), &mut rng)));
    }
    for (rows, cols) in BOARDS {
        games.push(Box::new(Hex::<u64>::new(rows, cols)?));
    }
    for size in 1..=4 {
        games.push(Box::new(Y::new(size)?));
    }
    for (number, game) in games.iter().enumerate() {
        let tree = Tree::of(game.as_ref(), 0, 0, &Unwatched)?;
        for [hers, his] in tree.positions().filter(|[hers, his]| hers | his != game.board()) {
            let values = selection::values(game.as_ref(), hers, his, &Effort::default())?;
            let at = || format!("game {number}, {hers:b}, {his:b}");
            finding.compare(at, values.most_critical(), tree.best(hers, his)[0]);
        }
    }
    Ok(finding)
}
