//! Matches against programs.

use std::time::{Duration, Instant};

use richman_analysis::Games;
use richman_core::{ByPlayer, Mechanism, Player, Watch};
use richman_hall::refused::Refusal;
use richman_hall::setup::{MatchSetup, SeatChoice};
use richman_hall::token::Token;
use richman_hall::{MatchView, Pace, Viewer};
use richman_pages::desk::Deadline;
use richman_play::review::HintedPlay;
use richman_play::{Action, Decision, TurnStage};

use tokio::task::JoinHandle;

use super::Computers;
use crate::client::Client;
use crate::desk::Desk;
use crate::hall::{Hall, HallLimits};
use crate::store::Store;

fn against(level: &str, game: &str) -> MatchSetup {
    MatchSetup {
        limit: 100,
        ..MatchSetup::new(game, ByPlayer::new(SeatChoice::Person, SeatChoice::Computer(level.to_string())), 5)
    }
}

fn hall() -> Hall {
    Hall::new(Store::in_memory().unwrap(), HallLimits::default(), Computers::default())
}

async fn begin(hall: &Hall, setup: MatchSetup) -> Token {
    let [Some(token), None] = hall.create(setup).await.unwrap().tokens else { panic!("one seat") };
    token
}

/// The person's view once they must decide, or once no player must.
async fn my_turn(hall: &Hall, token: &Token) -> MatchView {
    let deadline = Instant::now() + Duration::from_secs(60);
    let id = hall.seat(token).await.unwrap().id;
    let mut listener = hall.listen(&id, Viewer::Spectator).await.unwrap();
    loop {
        listener.version.borrow_and_update();
        let viewed = hall.seat(token).await.unwrap();
        assert_eq!(viewed.trouble, None);
        if viewed.deciding().is_some() || viewed.closed().is_some() {
            return viewed;
        }
        assert!(Instant::now() < deadline, "the computer does not act");
        let _ = tokio::time::timeout(Duration::from_secs(5), listener.version.changed()).await;
    }
}

fn first_action(viewed: &MatchView) -> Action {
    match viewed.deciding().unwrap().1 {
        Decision::Bid => Action::Bid(1.min(viewed.view().bids[0][1])),
        Decision::Star { .. } => Action::UseStar(true),
        Decision::Move { .. } => Action::Move(viewed.view().moves[0].clone()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_level_plays_to_the_end() {
    let hall = hall();
    for info in richman_play::players::STRENGTHS {
        for game in ["tic-tac-toe", "tug-of-war", "subtraction", "hex:size=3"] {
            let mechanism =
                if game == "subtraction" { richman_core::Preset::Larsson.mechanism() } else { Mechanism::default() };
            let setup = MatchSetup { mechanism: mechanism.into(), ..against(info.name, game) };
            if matches!(
                (info.name, game),
                ("rounding", "subtraction") | ("monte-carlo", "tic-tac-toe" | "tug-of-war" | "subtraction")
            ) {
                assert!(matches!(hall.create(setup).await, Err(Refusal::BadRequest(_))), "{} {game}", info.name);
                continue;
            }
            let token = begin(&hall, setup).await;
            loop {
                let viewed = my_turn(&hall, &token).await;
                let Some((player, _)) = viewed.deciding() else { break };
                let action = first_action(&viewed);
                hall.act(&token, None, viewed.steps[player], action).await.unwrap();
            }
            let viewed = hall.seat(&token).await.unwrap();
            assert!(viewed.closed().is_some(), "{} {game}", info.name);
            assert_eq!(viewed.view().hands.iter().map(|hand| hand.chips()).sum::<u32>(), 16);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn levels_that_cannot_play_a_game_are_refused() {
    let hurried = Computers::default().with_times(Duration::from_secs(1), Duration::from_secs(1));
    let hall = Hall::new(Store::in_memory().unwrap(), HallLimits::default(), hurried);
    let huge = hall.create(against("perfect", "connect")).await;
    assert!(matches!(&huge, Err(Refusal::BadRequest(why)) if why.contains("take best")), "{:?}", huge.err());
    let scores = hall.create(against("rounding", "subtraction")).await;
    assert!(matches!(scores, Err(Refusal::BadRequest(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_computer_plays_on_after_a_restart_as_it_would_have() {
    let folder = tempfile::tempdir().unwrap();
    let played = |path: std::path::PathBuf, restart: bool| async move {
        let open = || Hall::new(Store::open(&path).unwrap(), HallLimits::default(), Computers::default());
        let mut hall = open();
        let token = begin(&hall, against("intermediate", "tic-tac-toe")).await;
        loop {
            let viewed = my_turn(&hall, &token).await;
            let Some((player, _)) = viewed.deciding() else { return viewed.record().to_string() };
            hall.act(&token, None, viewed.steps[player], first_action(&viewed)).await.unwrap();
            if restart {
                hall.closed().await;
                hall = open();
            }
        }
    };
    let without = played(folder.path().join("without.sqlite"), false).await;
    let with = played(folder.path().join("with.sqlite"), true).await;
    assert_eq!(without, with);
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_are_given_where_they_are_fair() {
    let hall = hall();
    let token = begin(&hall, against("random", "tic-tac-toe")).await;
    let hint = hall.hint(&token).await.unwrap();
    assert!(hint.text.starts_with("Hint: bid "), "{}", hint.text);
    let persons = || MatchSetup {
        seats: ByPlayer::new(SeatChoice::Person, SeatChoice::Person),
        ..against("random", "tic-tac-toe")
    };
    let [Some(alice), Some(_)] = hall.create(persons()).await.unwrap().tokens else { panic!("two seats") };
    assert!(matches!(hall.hint(&alice).await, Err(Refusal::Forbidden(_))));
    let [Some(both), _] = hall.create(MatchSetup { one_screen: true, ..persons() }).await.unwrap().tokens else {
        panic!("a seat")
    };
    assert_eq!(hall.hint(&both).await.unwrap().suggests, hint.suggests, "the same start, and the same rules");
    let guided = hall.create(MatchSetup { guided: true, ..persons() }).await.unwrap();
    let [Some(first), _] = guided.tokens else { panic!("a seat") };
    hall.act(&first, None, 0, Action::Bid(1)).await.unwrap();
    assert!(matches!(hall.hint(&first).await, Err(Refusal::Conflict(_))));
    assert!(matches!(hall.hint(&Token::random()).await, Err(Refusal::NotFound(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_names_hints_when_the_match_is_over_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let open = || Hall::new(Store::open(&path).unwrap(), HallLimits::default(), Computers::default());
    let mut hall = open();
    let token = begin(&hall, against("random", "tic-tac-toe")).await;
    let id = hall.seat(&token).await.unwrap().id;
    for _ in 0..2 {
        hall.hint(&token).await.unwrap();
    }
    let (shown, goes_on) = hall.shown(&id).await.unwrap();
    assert!(goes_on && !shown.text.contains("Hints"), "{}", shown.text);
    hall.closed().await;
    hall = open();
    let viewed = my_turn(&hall, &token).await;
    let (player, _) = viewed.deciding().unwrap();
    hall.act(&token, None, viewed.steps[player], Action::Resign).await.unwrap();
    let (shown, goes_on) = hall.shown(&id).await.unwrap();
    let notes = shown.notes();
    assert!(!goes_on && notes.hints.iter().all(|hint| (hint.turn, hint.player) == (1, player)), "{}", shown.text);
    assert!(notes.hints.iter().any(|hint| matches!(hint.suggests, HintedPlay::Bids(_))));
    assert!((1..).zip(&notes.hints).all(|(next, hint)| !notes.hints[next..].contains(hint)), "each is kept once");
    assert!(notes.computers[player.other()] && !notes.computers[player]);
    shown.replayed(&Games::default()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_a_guided_match_names_what_the_coach_suggested() {
    let hall = hall();
    let token = begin(&hall, MatchSetup { guided: true, ..against("random", "tic-tac-toe") }).await;
    let own = my_turn(&hall, &token).await.view().hands.alice.chips();
    loop {
        let viewed = my_turn(&hall, &token).await;
        let (player, _) = viewed.deciding().unwrap();
        let action = if viewed.turns().is_empty() { first_action(&viewed) } else { Action::Resign };
        hall.act(&token, None, viewed.steps[player], action.clone()).await.unwrap();
        if action == Action::Resign {
            let (shown, _) = hall.shown(&viewed.id).await.unwrap();
            let notes = shown.notes();
            assert!(notes.hints.iter().all(|hint| (hint.turn, hint.player) == (1, player)), "{}", shown.text);
            assert_eq!(notes.hints.first().unwrap().suggests, HintedPlay::Bids([own / 4; 2]), "{}", shown.text);
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sealed_bid_of_the_computer_is_not_shown() {
    let hall = hall();
    let holdings = ["30000*".to_string(), "30000".to_string()];
    let token = begin(&hall, MatchSetup { holdings: holdings.into(), ..against("best", "tug-of-war") }).await;
    let id = hall.seat(&token).await.unwrap().id;
    let mut listener = hall.listen(&id, Viewer::Spectator).await.unwrap();
    while !matches!(
        hall.watch(&id).await.unwrap().view().stage,
        TurnStage::Bids { given: ByPlayer { alice: false, bob: true }, .. }
    ) {
        tokio::time::timeout(Duration::from_secs(60), listener.version.changed()).await.unwrap().unwrap();
    }
    let seen = [hall.seat(&token).await.unwrap(), hall.watch(&id).await.unwrap()];
    let told =
        seen.map(|viewed| format!("{:?} {:?} {:?} {}", viewed.view(), viewed.begun(), viewed.turns(), viewed.record()));
    hall.act(&token, None, 0, Action::Bid(0)).await.unwrap();
    let viewed = hall.watch(&id).await.unwrap();
    let bids = viewed.begun().map(|begun| begun.bids).or_else(|| viewed.turns().first().map(|turn| turn.bids));
    let bid = bids.and_then(|ByPlayer { bob, .. }| bob).unwrap();
    assert!(bid > 99, "{bid} can be told from other numbers");
    assert!(told.iter().all(|told| !told.contains(&bid.to_string())), "{bid}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_match_against_the_computer_begins_at_once() {
    let hall = hall();
    let token = begin(&hall, against("random", "tic-tac-toe")).await;
    let first = my_turn(&hall, &token).await;
    hall.act(&token, None, 0, Action::Resign).await.unwrap();
    let next = hall.rematch(&token).await.unwrap();
    assert_ne!(next.id, first.id);
    assert_eq!(next.setup.seats.bob, SeatChoice::Person);
    let viewed = my_turn(&hall, &token).await;
    assert_eq!(viewed.deciding(), Some((Player::Bob, Decision::Bid)));
}

/// Fills the desk with another client's long jobs until they are aborted.
async fn keep_busy(desk: &Desk) -> Vec<JoinHandle<Result<(), Refusal>>> {
    let work = |deadline: &Deadline| {
        while !deadline.cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    };
    let job = || {
        let (desk, other) = (desk.clone(), Client::of([10, 0, 0, 1].into()));
        tokio::spawn(other.scope(async move { desk.run(Duration::from_secs(30), work).await }))
    };
    let jobs = (0..20).map(|_| job()).collect();
    while !desk.is_busy() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    jobs
}

/// The person's view once the computer has decided.
async fn decided(hall: &Hall, token: &Token) -> MatchView {
    loop {
        let viewed = hall.seat(token).await.unwrap();
        if !viewed.waiting_for().any(|player| player == Player::Bob) {
            return viewed;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_server_gives_less_thought_and_says_so() {
    let hall = hall();
    let desk = hall.computers().desk.clone();
    let jobs = keep_busy(&desk).await;
    let token = begin(&hall, against("best", "tic-tac-toe")).await;
    assert_eq!(decided(&hall, &token).await.pace, Pace::Hurried);
    jobs.iter().for_each(JoinHandle::abort);
    while desk.is_busy() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    hall.act(&token, None, 0, Action::Bid(8)).await.unwrap();
    let viewed = my_turn(&hall, &token).await;
    hall.act(&token, None, 1, first_action(&viewed)).await.unwrap();
    assert_eq!(decided(&hall, &token).await.pace, Pace::Usual, "there is time again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_in_play_needs_no_solver_again_when_the_cache_has_lost_its_game() {
    let hall = hall();
    let token = begin(&hall, against("best", "tic-tac-toe")).await;
    assert_eq!(decided(&hall, &token).await.pace, Pace::Usual);
    hall.computers().known.forget_all();
    let jobs = keep_busy(&hall.computers().desk).await;
    let (begun, mut step) = (Instant::now(), 0);
    hall.act(&token, None, 0, Action::Bid(8)).await.unwrap();
    while let viewed = my_turn(&hall, &token).await
        && viewed.closed().is_none()
    {
        assert_eq!(viewed.pace, Pace::Usual, "step {step}");
        step += 1;
        hall.act(&token, None, step, first_action(&viewed)).await.unwrap();
    }
    assert!(step > 2 && begun.elapsed() < Duration::from_secs(20), "{step} steps in {:?}", begun.elapsed());
    jobs.iter().for_each(JoinHandle::abort);
}

#[tokio::test(flavor = "multi_thread")]
async fn first_games_need_no_solver_whatever_others_have_played() {
    let hall = hall();
    crate::server::prepare(hall.clone()).await;
    hall.computers().known.forget_all();
    let jobs = keep_busy(&hall.computers().desk).await;
    let token = begin(&hall, richman_pages::play::first_setup().unwrap()).await;
    hall.act(&token, None, 0, Action::Bid(1)).await.unwrap();
    assert_eq!(decided(&hall, &token).await.pace, Pace::Usual);
    jobs.iter().for_each(JoinHandle::abort);
}
