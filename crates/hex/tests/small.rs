//! Dense thresholds of small boards, against the independent unfolded arena.

use richman_core::{Effort, Holding, Mechanism, Player, Total, WinLose};
use richman_engine::bidding::Stakes;
use richman_games::Games;
use richman_hex::board::HexBoard;
use richman_hex::engine::small::FillingThresholds;
use richman_hex::engine::{Cores, Frontier, fillings};
use richman_solvers::chips;

fn dense(board: &HexBoard, total: u32, cores: Cores) -> FillingThresholds {
    let cells: Vec<usize> = (0..board.cells().len()).filter(|&cell| board.cells()[cell].is_none()).collect();
    FillingThresholds::of(board, &cells, Total::new(total).unwrap(), cores, &Effort::default()).unwrap()
}

fn notation(board: &HexBoard) -> String {
    let letter = |stone: &Option<Player>| stone.map_or('.', |player| if player == Player::Alice { 'A' } else { 'B' });
    let rows = board.cells().chunks(board.cols()).map(|row| row.iter().map(letter).collect::<String>());
    rows.collect::<Vec<_>>().join("/")
}

/// Compares every position of the arena; the dense table also has positions after the end.
fn compare(spec: &str, position: Option<&str>, total: u32) -> usize {
    let game = Games::default().find(spec).unwrap();
    let game = game.played_for::<WinLose>().unwrap();
    let board = game.walk(position).unwrap().board::<HexBoard>().unwrap();
    let unfolding = game.unfold(position, &Effort::default()).unwrap();
    let total_chips = Total::new(total).unwrap();
    let solution = chips::solve(unfolding.arena(), &Mechanism::default(), total_chips, &Effort::default()).unwrap();
    let dense = dense(&board, total, Cores::All);
    let mut compared = 0;
    for node in unfolding.arena().nodes() {
        let at = game.walk(Some(&unfolding.notation(node))).unwrap();
        let board = at.board::<HexBoard>().unwrap();
        // Symmetric positions are unfolded once: the other is the first one rotated.
        let Some(number) = dense.number(&board) else { continue };
        let found = solution.wins.alice.threshold(node, total_chips);
        assert_eq!(found.plain + found.star, dense.at(number), "{spec} {} with {total}", notation(&board));
        compared += 1;
    }
    compared
}

#[test]
fn thresholds_are_those_of_the_arena() {
    for total in [0, 1, 2, 3, 7, 8, 50, 126, 127, 1000] {
        assert!(compare("hex:size=3", None, total) > 1000);
        assert!(compare("hex:rows=2,cols=4", None, total) > 300);
    }
    assert!(compare("hex:rows=3,cols=4", None, 8) > 50_000);
    assert!(compare("hex:rows=4,cols=3", None, 5) > 50_000);
    assert!(compare("hex:size=5", Some("A.B.A/.AB.B/BA..A/A.BBA/.BA.."), 9) > 1000);
    assert!(compare("hex:rows=1,cols=4", None, 8) > 3 && compare("hex:size=1", None, 8) == 3);
}

/// Also above one block, on one core and on two.
#[test]
fn thresholds_do_not_depend_on_cores_or_on_cells_that_decide_nothing() {
    let game = Games::default().find("hex:size=5").unwrap();
    let walk = game.played_for::<WinLose>().unwrap().walk(Some("A.B.A/.AB.B/BA..A/...BA/.B...")).unwrap();
    let board = walk.board::<HexBoard>().unwrap();
    let frontier = Frontier::new(5, &Effort::default()).unwrap();
    let found = fillings(&frontier, &board, &Effort::default()).unwrap();
    let (one, all) = (dense(&board, 11, Cores::One), dense(&board, 11, Cores::All));
    let live = found.live();
    let total = Total::new(11).unwrap();
    let fewer = FillingThresholds::of(&board, &live, total, Cores::One, &Effort::default()).unwrap();
    assert!(live.len() < one.cells().len());
    for number in (0..one.positions()).step_by(7) {
        let board = one.board(number);
        assert_eq!(one.number(&board), Some(number));
        assert_eq!(one.at(number), all.at(number));
        assert_eq!(fewer.at(fewer.number(&board).unwrap()), one.at(number), "{}", notation(&board));
    }
    assert_eq!(one.number(&HexBoard::new(5, 5, vec![None; 25]).unwrap()), None);
}

/// Plays bids out against every answer, without the arithmetic of margins.
#[test]
fn lost_bids_are_those_of_the_definition() {
    let known = dense(&HexBoard::new(2, 3, vec![None; 6]).unwrap(), 5, Cores::One);
    for number in 0..known.positions() {
        let best = |player: Player| known.after(number, player).map(|(_, need)| need);
        let (Some(low), Some(high)) = (best(Player::Alice).min(), best(Player::Bob).max()) else { continue };
        for held in 0..=11_u32 {
            let (chips, star) = (held / 2, held % 2);
            for bid in 0..=chips {
                let won = |star: u32| 2 * (chips - bid) + star >= low;
                let good = (0..=5 - chips).all(|reply| match bid.cmp(&reply) {
                    std::cmp::Ordering::Greater => won(star),
                    std::cmp::Ordering::Less => 2 * (chips + reply) + star >= high,
                    std::cmp::Ordering::Equal if star == 1 => won(0) || 2 * (chips + bid) + 1 >= high,
                    std::cmp::Ordering::Equal => won(0) && 2 * (chips + bid) + 1 >= high,
                });
                let [own, other] = [held, 11 - held].map(Holding::from_half_steps);
                let stakes = Stakes::new(own, other, f64::from(low), f64::from(high));
                assert_eq!(stakes.margin(bid) >= 0.0, good, "{number} {own} {bid}");
                assert!(stakes.margin(stakes.safest()) >= stakes.margin(bid), "{number} {own} {bid}");
            }
        }
    }
}

/// All totals up to 100 on 3 x 3: at the start Alice needs half of all; the star goes to the larger
/// half.
#[test]
fn three_by_three_up_to_a_hundred_chips() {
    let game = Games::default().find("hex:size=3").unwrap();
    let unfolding = game.played_for::<WinLose>().unwrap().unfold(None, &Effort::default()).unwrap();
    let mechanism = Mechanism::default();
    let totals = Total::new(0).unwrap()..=Total::new(100).unwrap();
    let rows = chips::table(unfolding.arena(), &mechanism, totals, &Effort::default()).unwrap();
    let empty = HexBoard::new(3, 3, vec![None; 9]).unwrap();
    assert_eq!(rows.len(), 101);
    for (total, row) in rows.iter().enumerate() {
        assert_eq!(row.win.plain + row.win.star, dense(&empty, total as u32, Cores::One).at(0), "{total}");
    }
}

#[test]
fn what_is_not_served_is_refused() {
    let empty = HexBoard::new(5, 5, vec![None; 25]).unwrap();
    let of =
        |cells: &[usize]| FillingThresholds::of(&empty, cells, Total::new(8).unwrap(), Cores::One, &Effort::default());
    assert!(of(&(0..25).collect::<Vec<_>>()).is_err());
    assert!(of(&[1, 1]).is_err() && of(&[3, 2]).is_err() && of(&[25]).is_err());
    let small = Effort { memory: 1000, ..Effort::default() };
    let cells: Vec<usize> = (0..12).collect();
    assert!(FillingThresholds::of(&empty, &cells, Total::new(8).unwrap(), Cores::One, &small).is_err());
}
