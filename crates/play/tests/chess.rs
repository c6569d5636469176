//! Bidding chess: players without a move, kings that are always captured if possible, the record of
//! DP10 1.2.

use std::time::{Duration, Instant};

use fastrand::Rng;
use richman_analysis::{Games, Subject};
use richman_chess::board::ChessBoard;
use richman_chess::engine::ChessEngine;
use richman_core::{ByPlayer, Effort, Holding, Mechanism, Player, Ties, Total, Unwatched};
use richman_engine::{Care, Engine, EngineRequest};
use richman_formats::Record;
use richman_play::players::{Computer, Knowledge, Seat, SourcePlayer, Strength};
use richman_play::review::{RestsOn, review};
use richman_play::{Action, Decision, Match, MatchEnd, MatchRules, record};

/// A player that looks at few positions.
fn hasty(game: &Match, seed: u64) -> SourcePlayer {
    let asked = EngineRequest::new(game.walk(), &game.rules().mechanism, None, Effort::default());
    SourcePlayer::new(&ChessEngine.open(&asked).unwrap().unwrap(), Care::Usual, seed).within(30)
}

fn at(game: &str, position: Option<&str>, mechanism: Mechanism, start: ByPlayer<Holding>) -> Match {
    let walk = Subject::named(game).unwrap().walk(position).unwrap();
    Match::new(walk, MatchRules { mechanism, start, limit: Some(1000) }).unwrap()
}

fn hand(text: &str) -> Holding {
    text.parse().unwrap()
}

#[test]
fn who_cannot_move_leaves_it_to_the_other_player() {
    // Alice's pieces are blocked by each other and by pawns.
    for (bids, winner) in [([2, 1], Player::Alice), ([1, 2], Player::Bob)] {
        let start = [hand("4*"), hand("4")];
        let mut game = at("chess:size=4", Some("n2k/Pp1p/RP1P/KRB1"), Mechanism::default(), start.into());
        assert_eq!(game.walk().moves(Player::Alice).len(), 0, "{:?}", game.walk().moves(Player::Alice));
        for player in Player::BOTH {
            game.act(player, &Action::Bid(bids[player as usize])).unwrap();
        }
        assert_eq!(game.decision(Player::Alice), None);
        assert_eq!(game.decision(Player::Bob), Some(Decision::Move { may_let: false }), "{winner}");
        game.act(Player::Bob, &Action::Move("Kc4".to_string())).unwrap();
        let turn = &game.turns()[0];
        assert_eq!((turn.winner, turn.mover), (winner, Player::Bob));
        let paid = if winner == Player::Alice { ["2*", "6"] } else { ["6*", "2"] };
        assert_eq!(game.hands(), paid.map(hand).into());
        let record = richman_play::record::to_record(&game, Vec::new());
        let again = richman_play::record::replay(
            richman_play::record::walk(&Games::default(), &record, None, &Effort::default()).unwrap(),
            &record,
        )
        .unwrap();
        assert_eq!(again.turns(), game.turns());
    }
}

/// An unfinished position after some random moves.
fn random_position(size: u8, random: &mut Rng) -> ChessBoard {
    let spec = if size == 8 { "chess".to_string() } else { format!("chess:size={size}") };
    let start = Subject::named(&spec).unwrap().walk(None).unwrap().board::<ChessBoard>().unwrap();
    let mut board = start;
    for _ in 0..random.u32(1..40) {
        let player = Player::BOTH[random.usize(..2)];
        let moves = board.moves(player);
        let Some(&made) = (!moves.is_empty()).then(|| &moves[random.usize(..moves.len())]) else { continue };
        let next = board.after(player, made);
        board = if next.winner().is_some() { start } else { next };
    }
    board
}

/// Checks captures of the king against the rules, over every move and every bid.
#[test]
fn kings_are_never_missed() {
    let mut random = Rng::with_seed(11);
    let (mut taken, mut saved, mut sure) = (0, 0, 0);
    let rules = [Ties::Advantage, Ties::Advantage, Ties::Advantage, Ties::Marker, Ties::Alice, Ties::Loser];
    for number in 0..400 {
        let board = random_position([4, 5, 8][number % 3], &mut random);
        let spec = format!("chess:size={}", board.size());
        let ties = rules[random.usize(..rules.len())];
        let (chips, star) = ([random.u32(..12), random.u32(..12)], random.bool());
        let stars = if ties == Ties::Alice { [false; 2] } else { [star, !star] };
        let start = [0, 1].map(|at: usize| Holding::new(chips[at], stars[at]).unwrap());
        let mechanism = Mechanism { ties, ..Mechanism::default() };
        let game = at(&spec, Some(&board.notation()), mechanism, start.into());
        if game.closed().is_some() {
            continue;
        }
        let takes = |board: &ChessBoard, player: Player| {
            board.moves(player).into_iter().any(|made| board.after(player, made).winner() == Some(player))
        };
        for player in Player::BOTH {
            let mut best = hasty(&game, number as u64);
            let (can_take, in_danger) = (takes(&board, player), takes(&board, player.other()));
            let Action::Bid(bid) = best.act(&Seat::new(&game, player), &Effort::default()).unwrap() else {
                panic!("a bid is waited for")
            };
            let [own, other] = [player, player.other()].map(|player| chips[player as usize]);
            let mut won_all = true;
            for reply in 0..=other {
                let mut after = game.clone();
                let mut bids = [reply; 2];
                bids[player as usize] = bid;
                for player in Player::BOTH {
                    after.act(player, &Action::Bid(bids[player as usize])).unwrap();
                }
                if let Some(Decision::Star { .. }) = after.decision(player.other()) {
                    after.act(player.other(), &Action::UseStar(true)).unwrap();
                }
                while after.closed().is_none() && after.decision(player).is_some() && after.turns().is_empty() {
                    if let Some(Decision::Bid) = after.decision(player) {
                        break;
                    }
                    let action = best.act(&Seat::new(&after, player), &Effort::default()).unwrap();
                    after.act(player, &action).unwrap();
                }
                let moved = after.turns().first().map(|turn| turn.mover);
                if moved == Some(player) && can_take {
                    assert_eq!(
                        after.closed().and_then(MatchEnd::winner),
                        Some(player),
                        "{} {bid} {reply}",
                        board.notation()
                    );
                    taken += 1;
                }
                won_all &= moved == Some(player);
            }
            let wins_ties = if ties == Ties::Alice { player == Player::Alice } else { stars[player as usize] };
            let could = own > other || (own == other && wins_ties);
            if could && (can_take || in_danger) {
                assert!(won_all, "{} {chips:?} {stars:?} {ties:?}: {player} bids {bid}", board.notation());
                *(if can_take { &mut sure } else { &mut saved }) += 1;
            } else if can_take || in_danger {
                assert_eq!(bid, own, "{}: all that there is", board.notation());
            }
        }
    }
    assert!(taken > 100 && saved > 10 && sure > 10, "{taken} {saved} {sure}");
}

/// With more than half of the chips after an attack on the king, the next bid captures it.
#[test]
fn attacks_that_cannot_be_answered_are_found() {
    // DP10 1.2: Alice has 125* to Bob's 75 and the queen goes to f3 or h5.
    let start = [hand("80*"), hand("20")];
    let mut game =
        at("chess", Some("rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR"), Mechanism::default(), start.into());
    let mut alice = hasty(&game, 1);
    for player in Player::BOTH {
        game.act(player, &Action::Bid(0)).unwrap();
    }
    game.act(Player::Alice, &Action::UseStar(true)).unwrap();
    let mut turns = 0;
    while game.closed().is_none() {
        for player in [Player::Alice, Player::Bob] {
            let action = match game.decision(player) {
                None => continue,
                Some(_) if player == Player::Alice => alice.act(&Seat::new(&game, player), &Effort::default()).unwrap(),
                // Bob bids everything.
                Some(Decision::Bid) => Action::Bid(game.hands().bob.chips()),
                Some(Decision::Star { .. }) => Action::UseStar(true),
                Some(Decision::Move { .. }) => Action::Move(game.walk().moves(player)[0].clone()),
            };
            game.act(player, &action).unwrap();
        }
        turns += 1;
        assert!(turns < 20);
    }
    assert_eq!(game.closed().and_then(MatchEnd::winner), Some(Player::Alice));
    assert!(game.turns().len() <= 3, "{:?}", game.turns());
}

#[test]
fn best_beats_greedy_and_keeps_to_its_time() {
    let subject = Subject::named("chess").unwrap();
    let mechanism = Mechanism::default();
    let strengths = ["best:ms=10", "greedy"].map(|text| text.parse::<Strength>().unwrap());
    let total = Total::new(60).unwrap();
    let knowledge = Knowledge::of(&subject, None, &mechanism, total, &strengths, &Effort::default()).unwrap();
    let thinking = Effort::watched(&Unwatched);
    let (mut won, mut longest) = (0, Duration::ZERO);
    for seed in 0..4 {
        let start = [hand("30*"), hand("30")];
        let mut game = at("chess", None, mechanism.clone(), start.into());
        let best = Player::BOTH[seed as usize % 2];
        let mut players = strengths.map(|strength| strength.computer(&knowledge, seed).unwrap());
        while game.closed().is_none() {
            let player = if game.decision(Player::Alice).is_some() { Player::Alice } else { Player::Bob };
            let now = Instant::now();
            let action = players[usize::from(player != best)].act(&Seat::new(&game, player), &thinking).unwrap();
            if player == best {
                longest = longest.max(now.elapsed());
            }
            game.act(player, &action).unwrap();
        }
        won += u32::from(game.closed().and_then(MatchEnd::winner) == Some(best));
    }
    assert!(won >= 3, "{won}");
    assert!(longest < Duration::from_secs(1), "{longest:?}");
}

/// DP10, 1.2: both holdings before every turn, as printed.
#[test]
fn the_printed_game_of_chess() {
    let text = include_str!("../../../examples/dp10-1-2.txt");
    let read = Record::parse("a.txt", text.as_bytes()).unwrap();
    assert_eq!(read.to_string(), text);
    let mut game =
        record::replay(record::walk(&Games::default(), &read, None, &Effort::default()).unwrap(), &read).unwrap();
    let hands = game.turns().iter().map(|turn| turn.hands.map(|hand| hand.to_string()));
    let printed = [["100*", "100"], ["113*", "87"], ["102", "98*"], ["87", "113*"], ["65", "135*"], ["130*", "70"]];
    assert!(hands.eq(printed.map(|hands| ByPlayer::from(hands).map(str::to_string))));
    assert_eq!(game.hands(), ByPlayer::new(hand("160*"), hand("40")));
    assert_eq!(game.turns()[4].position, "r1bqkbnr/pppppBpp/2n5/8/8/4P3/PPPP1PPP/RNBQK1NR KQkq");
    assert_eq!(game.walk().notation(), "r1bq1b1r/pppppkpp/2n2n2/8/8/4P3/PPPP1PPP/RNBQK1NR KQ");
    assert_eq!(game.closed(), Some(MatchEnd::Resigned(Player::Bob)));
    // With Alice as Black, as printed, not even the first move is possible.
    assert!(game.walk().boxed().play(Player::Alice, "Nc6").is_err());
    // Had Bob played on with all his chips in every bid, Alice would have won the next two and
    // taken the king.
    let rules = MatchRules { start: game.hands(), ..game.rules().clone() };
    game = Match::new(game.walk().boxed(), rules).unwrap();
    let mut alice = hasty(&game, 1);
    while game.closed().is_none() {
        for player in Player::BOTH {
            let action = match game.decision(player) {
                None => continue,
                Some(Decision::Bid) if player == Player::Bob => Action::Bid(game.hands().bob.chips()),
                Some(_) => {
                    assert_eq!(player, Player::Alice, "Bob wins no bid");
                    alice.act(&Seat::new(&game, player), &Effort::default()).unwrap()
                }
            };
            game.act(player, &action).unwrap();
        }
    }
    let moves: Vec<_> = game.turns().iter().map(|turn| turn.played.as_deref().unwrap_or_default()).collect();
    assert_eq!(moves, ["Qh5", "Qxf7"]);
}

#[test]
fn reviews_and_hints_are_estimates() {
    let text = include_str!("../../../examples/dp10-1-2.txt");
    let read = Record::parse("a.txt", text.as_bytes()).unwrap();
    let game =
        record::replay(record::walk(&Games::default(), &read, None, &Effort::default()).unwrap(), &read).unwrap();
    let subject = Subject::named("chess").unwrap();
    let effort = Effort::default().within_time(Duration::from_millis(400));
    let found = review(&subject, &game, &effort).unwrap();
    assert_eq!((found.rests_on, found.mistakes.len()), (RestsOn::Engine(ChessEngine.method()), 0));
    assert!(found.summary.starts_with("By an estimate the game began better for Alice"), "{}", found.summary);
    for turn in &found.turns {
        let worth = turn.worth.as_ref().unwrap();
        assert!(worth.outcome.is_none() && worth.sure.is_none() && worth.win.is_none());
        assert!(worth.estimate.is_some_and(|needs| 0.0 < needs && needs < 1.0));
    }
}
