//! Chess endgames: classes against arenas, the oracle, the verifier and the other colour.

use std::collections::HashMap;

use richman_check::endgames::{ChanceClaim, arena, check_bounds};
use richman_check::oracle::Oracle;
use richman_chess::board::{ChessBoard, ChessClass, ChessIndex, Piece};
use richman_chess::engine::database::{Build, GAME, build, class, index, plan};
use richman_chess::engine::endgames::{self, FIXED_POINT_UNIT, Tables, best_play, needed, oriented};
use richman_chess::engine::position;
use richman_core::{
    ByPlayer, Effort, Mechanism, MoneySolution, Player, Remedy, Share, Thresholds, Total, Unfolding, Unwatched, Walk,
    WinLose,
};
use richman_files::open_store;
use richman_games::Games;
use richman_solvers::{chips, money};

fn walk(game: &str, position: Option<&str>) -> Box<dyn Walk> {
    Games::default().find(game).unwrap().played_for::<WinLose>().unwrap().walk(position).unwrap()
}

/// All positions that can follow one on the small board.
fn from(position: &str) -> Box<dyn Unfolding> {
    let game = Games::default().find("chess:size=4").unwrap();
    game.played_for::<WinLose>().unwrap().unfold(Some(position), &Effort::default()).unwrap()
}

fn class_of(text: &str) -> ChessClass {
    ChessClass::parse(text, 8).unwrap()
}

/// A class and those it can become, by bounds.
fn tables(class: &ChessClass, row: u8) -> Tables {
    let mut tables = Tables::default();
    for class in needed(class) {
        let index = endgames::index(&class, row).unwrap();
        let chances = endgames::solve(index, &tables, &Effort::default()).unwrap();
        tables.insert(chances);
    }
    tables
}

/// A position of few pieces on a small board; at most one player has pawns.
fn sparse(random: &mut fastrand::Rng) -> ChessBoard {
    loop {
        let mut board = ChessBoard::empty(4);
        let mut free: Vec<u8> = (0..16).map(|cell| 8 * (cell / 4) + cell % 4).collect();
        random.shuffle(&mut free);
        let mut put = |player, piece| {
            let fits = |square: &u8| piece != Piece::Pawn || (1..3).contains(&(square / 8));
            let at = free.iter().position(fits)?;
            board = board.with(player, piece, free.remove(at));
            Some(())
        };
        put(Player::Alice, Piece::King);
        put(Player::Bob, Piece::King);
        let more = if random.usize(..8) == 0 { 2 } else { random.usize(..2) };
        for _ in 0..more {
            put(Player::BOTH[random.usize(..2)], Piece::ALL[random.usize(..5)]);
        }
        if endgames::index(&ChessClass::of_board(&board), 4).is_ok()
            && Player::BOTH.into_iter().all(|player| board.can_move(player))
        {
            return board;
        }
    }
}

/// Compares bounds from whole classes, exact thresholds from the positions' arenas, and play with
/// chips by the definition.
#[test]
fn sparse_positions_on_a_small_board() {
    let mut random = fastrand::Rng::with_seed(44);
    let mechanism = Mechanism::default();
    let mut known: HashMap<ChessClass, Tables> = HashMap::new();
    let mut unfolded: Vec<(Box<dyn Unfolding>, MoneySolution)> = Vec::new();
    let mut by_definition = 0;
    for _ in 0..200 {
        let board = sparse(&mut random);
        let class = oriented(&ChessClass::of_board(&board)).0;
        let tables = known.entry(class.clone()).or_insert_with(|| tables(&class, 4));
        let bounds = tables.bounds(&board).unwrap();
        let position = board.notation();
        // An earlier unfolding may contain the position.
        let arena_index =
            unfolded.iter().position(|(unfolding, _)| unfolding.node(&position).is_ok()).unwrap_or_else(|| {
                let unfolding = from(&position);
                let solution = money::solve(unfolding.arena(), &mechanism, &Effort::default()).unwrap();
                unfolded.push((unfolding, solution));
                unfolded.len() - 1
            });
        let (unfolding, solution) = &unfolded[arena_index];
        let node = unfolding.node(&position).unwrap();
        let win = solution.win.get(node).as_exact().unwrap().complement();
        let draw = solution.draw.get(node).as_exact().unwrap().clone();
        for (threshold, player) in [(win, Player::Alice), (draw, Player::Bob)] {
            let [low, high] = bounds.of(player);
            assert!(threshold >= Share::dyadic(low, 62), "{position}: {threshold}");
            assert!(threshold <= Share::dyadic(high, 62), "{position}: {threshold}");
            assert!(high - low < 1 << 22, "{position}: bounds within 2^-40");
        }
        let arena = unfolding.arena();
        if arena.len() < 600 {
            by_definition += 1;
            for total in 0..2 {
                let solved = chips::solve(arena, &mechanism, Total::new(total).unwrap(), &Effort::default()).unwrap();
                let oracle = Oracle::new(arena, &mechanism, total, None);
                assert_eq!(solved.thresholds(node), oracle.thresholds(node).unwrap(), "{position} with {total} chips");
            }
        }
    }
    assert!(by_definition > 50, "only {by_definition} positions were played out");
}

/// Bounds are below the exact values, exact values pass the verifier on an arena by other rules,
/// and colours can be exchanged.
#[test]
fn exact_classes_and_their_bounds() {
    for (text, row, drawn) in [("KNK", 8, 0), ("KPK", 5, 0), ("KRKN", 4, 0), ("KBKN", 4, 10)] {
        let effort = Effort::default();
        let exact = endgames::exact(&[class_of(text)], row, &effort).unwrap();
        let tables = tables(&class_of(text), row);
        let indices: Vec<&ChessIndex> = exact.classes.values().map(|(index, _)| index).collect();
        let plain = arena(&indices, &Unwatched).unwrap();
        let shares = |shares: &richman_core::Shares| {
            plain.nodes().map(|node| shares.get(reordered(&exact, node))).collect::<Vec<_>>()
        };
        let (win, draw) = (shares(&exact.solution.win), shares(&exact.solution.draw));
        richman_check::verify::money(&plain, &Mechanism::default(), &win, &draw, &Unwatched).unwrap();
        let mut differ = 0;
        for (index, first) in exact.classes.values() {
            for rank in 0..index.size() {
                let Some(board) = index.unrank(rank) else { continue };
                let [win, draw] = exact.thresholds(first + rank as u32).unwrap();
                differ += usize::from(win != draw);
                let bounds = tables.bounds(&board).unwrap();
                for (chance, player) in [(win.complement(), Player::Alice), (draw.clone(), Player::Bob)] {
                    let [low, high] = bounds.of(player);
                    assert!(Share::dyadic(low, 62) <= chance && chance <= Share::dyadic(high, 62));
                    assert!(high - low < 1 << 22, "{}: bounds within 2^-40", board.notation());
                }
                assert_eq!(tables.bounds(&board.exchanged()), Some(bounds.exchanged()));
                if let Some(mirrored) = exact.node(&board.exchanged()) {
                    let [mirrored_win, mirrored_draw] = exact.thresholds(mirrored).unwrap();
                    assert_eq!(
                        (mirrored_win, mirrored_draw),
                        (draw.complement(), win.complement()),
                        "{}",
                        board.notation()
                    );
                }
            }
        }
        assert!(differ >= drawn && (drawn > 0 || differ == 0), "{text}: {differ} positions where both can draw");
    }
}

/// Leaving the circle costs money, so both can draw and neither can win.
#[test]
fn a_draw_by_best_play() {
    let unfolding = from("n3/B2k/4/K3");
    let (arena, mechanism) = (unfolding.arena(), Mechanism::default());
    let solution = money::solve(arena, &mechanism, &Effort::default()).unwrap();
    let all = |shares: &richman_core::Shares| arena.nodes().map(|node| shares.get(node)).collect::<Vec<_>>();
    let (win, draw) = (all(&solution.win), all(&solution.draw));
    richman_check::verify::money(arena, &mechanism, &win, &draw, &Unwatched).unwrap();
    let [win, draw] = [&win, &draw].map(|shares| shares[arena.start() as usize].as_exact().unwrap().to_string());
    assert_eq!((win.as_str(), draw.as_str()), ("5/8", "1757/3072"));
    // The same with chips.
    let solved = chips::solve(arena, &mechanism, Total::new(100).unwrap(), &Effort::default()).unwrap();
    richman_check::verify::chips(arena, &solved, &Unwatched).unwrap();
    let Thresholds { win, draw } = solved.thresholds(arena.start());
    let [win, draw] = [win, draw].map(|threshold| threshold.holding().unwrap());
    assert!(win.half_steps() > draw.half_steps() + 2, "with {draw} or more and less than {win} nobody wins");
}

/// The node in `exact` of a node in an arena whose classes are in the order of the map.
fn reordered(exact: &endgames::ExactClasses, node: u32) -> u32 {
    let mut rest = u64::from(node.saturating_sub(2));
    if node < 2 {
        return node;
    }
    for (index, first) in exact.classes.values() {
        if rest < index.size() {
            return first + rest as u32;
        }
        rest -= index.size();
    }
    unreachable!("the arenas have the same positions")
}

#[test]
fn a_bound_that_is_too_high_is_found() {
    is_found("KRK", 5, ChanceClaim::Wins, Tables::chances);
    is_found("KBKN", 4, ChanceClaim::Holds, Tables::holds);
}

fn is_found(text: &str, row: u8, claim: ChanceClaim, known: fn(&Tables, &ChessBoard) -> Option<ByPlayer<u64>>) {
    let class = class_of(text);
    let tables = tables(&class, row);
    let index = endgames::index(&class, row).unwrap();
    let of = |player: Player| -> Vec<u64> {
        let chances = |rank| index.unrank(rank).map_or(0, |board| known(&tables, &board).unwrap()[player]);
        (0..index.size()).map(chances).collect()
    };
    let (alice, bob) = (of(Player::Alice), of(Player::Bob));
    let check = |claim: ChanceClaim, alice: &[u64], bob: &[u64]| {
        check_bounds(&index, claim, ByPlayer::new(alice, bob), &|board| known(&tables, board), &Unwatched).unwrap()
    };
    assert_eq!(check(claim, &alice, &bob), None);
    if claim == ChanceClaim::Holds {
        assert!(check(ChanceClaim::Wins, &alice, &bob).is_some(), "who can only draw does not win");
    }
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..20 {
        let Some(rank) = Some(random.usize(..alice.len())).filter(|&rank| index.unrank(rank as u64).is_some()) else {
            continue;
        };
        let mut raised = alice.clone();
        raised[rank] += 1 << 20;
        assert!(check(claim, &raised, &bob).is_some());
        let mut raised = bob.clone();
        raised[rank] = raised[rank].saturating_add(1 << 20);
        assert!(check(claim, &alice, &raised).is_some());
    }
}

#[test]
fn other_games_and_classes_are_refused() {
    let error = |spec: &str| class(walk(spec, None).as_ref()).unwrap_err().to_string();
    for (spec, words) in [
        ("connect", "a database of connect is not supported"),
        ("chess", "a database of chess is not supported"),
        ("chess:size=5,pieces=KQK", "the usual board"),
        ("chess:pieces=KQQQK", "three equal ones"),
        ("chess:pieces=KPKP", "pawns of one player"),
    ] {
        let message = error(spec);
        assert!(message.contains(words), "{spec}: {message}");
    }
    let small = Effort { memory: 1 << 20, ..Effort::default() };
    let class = class_of("KQKR");
    let folder = tempfile::tempdir().unwrap();
    let task = Build { class: &class, store: &open_store(folder.path()).unwrap(), disk: 1 << 40, effort: small };
    let error = build(&task, &mut |_| {}).unwrap_err();
    assert!(error.remedies().contains(&Remedy::MoreMemory), "{error}");
}

#[test]
fn numbers_above_certainty_are_no_bounds() {
    let (class, effort) = (class_of("KK"), Effort::default());
    let mut chances = endgames::solve(index(&class).unwrap(), &Tables::default(), &effort).unwrap();
    for chance in [FIXED_POINT_UNIT, FIXED_POINT_UNIT + 1] {
        chances.chances.bob[0] = chance;
        let claimed = chances.chances.as_ref().map(Vec::as_slice);
        let fault = check_bounds(&chances.index, ChanceClaim::Holds, claimed, &|_| None, effort.watch).unwrap();
        assert!(fault.is_some_and(|fault| fault.what.contains("/2^62")));
    }
}

/// With many pieces there are too many classes to even list.
#[test]
fn a_middlegame_is_no_class() {
    let text = "r4rk1/ppp2ppp/2np1n2/2b1p3/2B1P1b1/2NP1N2/PPP2PPP/R1B2RK1";
    let walk = walk(GAME, Some(text));
    let solved = position::solve(walk.as_ref(), &Mechanism::default(), &Effort::default()).unwrap();
    assert_eq!(solved, None);
    assert!(plan(&ChessClass::of_board(&walk.board::<ChessBoard>().unwrap())).is_err());
}

#[test]
fn what_is_left_has_the_thresholds_of_the_whole() {
    let texts = ["k2b/4/4/K2R", "1k2/b3/2R1/3K", "k3/1R2/2b1/K3", "kR2/4/4/1bK1", "k3/4/b3/1RK1"];
    let (proved, smaller) = compare_best_play("KRKB", &texts);
    assert!(proved > 5 && smaller > 0, "{proved} positions, {smaller} times few");
}

/// If both can draw, only a move that gives up the win may avoid a loss.
#[test]
fn moves_that_only_hold_are_kept() {
    let texts = ["n3/B2k/4/K3", "4/2nk/4/K1B1", "nB2/3k/4/K3", "n2k/4/4/K1B1", "2nk/4/1B2/K3", "1n1k/4/4/KB2"];
    compare_best_play("KBKN", &texts);
}

/// Compares solutions from some positions with the whole game's thresholds; returns the number of
/// proved positions, and of starts with few.
fn compare_best_play(class: &str, texts: &[&str]) -> (usize, usize) {
    let class = ChessClass::parse(class, 4).unwrap();
    let mut tables = Tables::default();
    for class in needed(&class) {
        let index = endgames::index(&class, 4).unwrap();
        let chances = endgames::solve(index, &tables, &Effort::default()).unwrap();
        tables.insert(chances);
    }
    let unfolding = from(texts[0]);
    let whole = money::solve(unfolding.arena(), &Mechanism::default(), &Effort::default()).unwrap();
    let (mut proved, mut smaller) = (0, 0);
    for text in texts {
        let board = ChessBoard::parse(text, 4).unwrap();
        let mut bounds = |board: &ChessBoard| Ok(tables.bounds(board).unwrap());
        let found = best_play::exact(&board, &mut bounds, &Effort::default()).unwrap();
        smaller += usize::from(found.len() < unfolding.arena().len() / 4);
        for (board, share) in &found {
            let Ok(node) = unfolding.node(&board.notation()) else { continue };
            assert_eq!(whole.win.get(node).as_exact(), Some(share), "{}", board.notation());
            assert_eq!(whole.draw.get(node).as_exact(), Some(share), "{}", board.notation());
            proved += 1;
        }
        let node = unfolding.node(&board.notation()).unwrap();
        let is_one = whole.win.get(node) == whole.draw.get(node);
        assert_eq!(found.contains_key(&board.canonical()), is_one, "{text}");
    }
    (proved, smaller)
}
