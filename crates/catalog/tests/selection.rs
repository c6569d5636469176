//! Compares the definition of selection games, the theorem, the counting of Hex and real-money
//! thresholds.

use dashu_int::UBig;
use richman_catalog::selection::definition::{Tree, monotone, random};
use richman_catalog::selection::values;
use richman_core::{Effort, Game, Mechanism, Payoffs, Player, Selection, Share, Unwatched, WinLose};
use richman_games::{Hex, Stones, Y};
use richman_hex::board::HexBoard;
use richman_hex::engine::{Frontier, fillings};
use richman_solvers::money;

/// Compares values and best moves of every position by definition and by the theorem; returns the
/// number of positions.
fn compare(game: &dyn Selection) -> usize {
    let tree = Tree::of(game, 0, 0, &Unwatched).unwrap();
    for [hers, his] in tree.positions() {
        let found = values(game, hers, his, &Effort::default()).unwrap();
        assert_eq!(found.sum, tree.value(hers, his), "{hers:b} {his:b}");
        assert_eq!([found.best(); 2], tree.best(hers, his), "{hers:b} {his:b}");
    }
    tree.positions().count()
}

#[test]
fn the_theorem_is_the_definition_on_random_payoffs() {
    let mut rng = fastrand::Rng::with_seed(41);
    for number in 0..60 {
        let cells = rng.u32(0..=6);
        let any = random(cells, [2, 3, 1 << 40][number % 3], &mut rng);
        assert_eq!(compare(&any), 3_usize.pow(cells));
        compare(&Payoffs::of(cells, |hers| 1 - 2 * any.payoff(hers)));
        compare(&monotone(cells, &mut rng));
    }
}

#[test]
fn every_position_of_small_boards() {
    for (rows, cols) in [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3)] {
        assert_eq!(compare(&Hex::<u64>::new(rows, cols).unwrap()), 3_usize.pow(rows * cols));
    }
    for size in 1..=4 {
        assert_eq!(compare(&Y::new(size).unwrap()), 3_usize.pow(size * (size + 1) / 2));
    }
}

/// Includes boards with more cells than the tree takes.
#[test]
fn hex_counted_cell_by_cell_is_the_same() {
    let mut rng = fastrand::Rng::with_seed(42);
    for (rows, cols, closed) in [(3, 3, 0), (3, 3, 3), (4, 4, 0), (3, 6, 2), (5, 4, 1), (7, 7, 35), (8, 8, 52)] {
        let game = Hex::<u64>::new(rows, cols).unwrap();
        let mut owners: Vec<Option<Player>> = vec![None; (rows * cols) as usize];
        for _ in 0..3 * closed {
            let index = rng.usize(..owners.len());
            if owners.iter().flatten().count() < closed {
                owners[index] = Some(Player::BOTH[rng.usize(..2)]);
            }
        }
        while owners.iter().flatten().count() < closed {
            let index = owners.iter().position(Option::is_none).unwrap();
            owners[index] = Some(Player::Alice);
        }
        let of =
            |player| (0..owners.len()).filter(|&index| owners[index] == Some(player)).map(|index| 1 << index).sum();
        let found = values(&game, of(Player::Alice), of(Player::Bob), &Effort::default()).unwrap();
        let board = HexBoard::new(rows as usize, cols as usize, owners).unwrap();
        let frontier = Frontier::new(rows.min(cols) as usize, &Effort::default()).unwrap();
        let counted = fillings(&frontier, &board, &Effort::default()).unwrap();
        let wins = (found.sum + i128::from(found.fillings())) / 2;
        assert_eq!(UBig::try_from(wins).unwrap(), counted.alice, "{board:?}");
        for cell in &found.cells {
            assert_eq!(UBig::from(cell.critical), counted.critical[cell.cell.trailing_zeros() as usize], "{board:?}");
            assert_eq!(cell.influence, 2 * i128::from(cell.critical), "monotone");
        }
    }
}

/// The chance that Alice wins a win-or-lose game.
fn chance(game: &dyn Selection, Stones { alice, bob }: Stones) -> Share {
    let found = values(game, alice, bob, &Effort::default()).unwrap();
    let wins = (found.sum + i128::from(found.fillings())) / 2;
    Share::ratio(UBig::try_from(wins).unwrap(), found.fillings().into()).unwrap()
}

/// Richman's theorem: fillings compared with the thresholds by the game's rules, under which it
/// ends early and symmetric positions are folded.
#[test]
fn thresholds_of_y_are_those_of_fillings() {
    for size in 1..=4 {
        let game = Y::new(size).unwrap();
        let unfolding = richman_games::Games::default().find(&Game::name(&game)).unwrap();
        let unfolding = unfolding.played_for::<WinLose>().unwrap().unfold(None, &Effort::default()).unwrap();
        let arena = unfolding.arena();
        let solution = money::solve(arena, &Mechanism::default(), &Effort::default()).unwrap();
        for node in arena.nodes() {
            let position = game.parse(&unfolding.notation(node)).unwrap();
            let bounds = solution.win.get(node);
            assert_eq!(bounds.low, bounds.high);
            assert_eq!(bounds.low, chance(&game, position).complement(), "{}", unfolding.notation(node));
        }
    }
}

/// If only the full board counted, the theorem would hold; but the first player with a line wins,
/// which changes the chances.
#[test]
fn tic_tac_toe_is_no_selection_game() {
    const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];
    let has_line = |cells: u64| LINES.iter().any(|line| cells & line == *line);
    let score = |hers: u64| i64::from(has_line(hers)) - i64::from(has_line(0o777 & !hers));
    assert_eq!(compare(&Payoffs::of(9, score)), 19_683);
    let only_hers = Payoffs::of(9, |hers| i64::from(score(hers) == 1));
    let unfolding = richman_games::Games::default().find("tic-tac-toe").unwrap();
    let unfolding = unfolding.played_for::<WinLose>().unwrap().unfold(None, &Effort::default()).unwrap();
    let solution = money::solve(unfolding.arena(), &Mechanism::default(), &Effort::default()).unwrap();
    let in_play = solution.win.get(unfolding.arena().start()).high.complement();
    let filled = values(&only_hers, 0, 0, &Effort::default()).unwrap();
    assert_eq!((in_play.to_string(), filled.sum, filled.fillings()), ("123/256".to_string(), 198, 512));
}
