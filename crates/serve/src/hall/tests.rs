//! The hall without a network.

use std::sync::atomic::Ordering;

use richman_analysis::Subject;
use richman_core::{ByPlayer, Player};
use richman_formats::Record;
use richman_hall::refused::Refusal;
use richman_hall::setup::{MatchSetup, SeatChoice};
use richman_hall::token::Token;
use richman_hall::{Created, FileText, MatchView, ShownRecord};
use richman_play::{Action, Decision, Illegal, TurnStage};

use super::slot::UNWATCHED;
use super::*;
use crate::client::Client;
use crate::quotas::Allotment;

fn setup(seats: [SeatChoice; 2]) -> MatchSetup {
    MatchSetup::new("tic-tac-toe", seats.into(), 1)
}

fn hall() -> Hall {
    Hall::new(Store::in_memory().unwrap(), HallLimits::default(), Computers::default())
}

async fn persons(hall: &Hall) -> (GameId, [Token; 2]) {
    let Created { id, tokens, invitation, .. } =
        hall.create(setup([SeatChoice::Person, SeatChoice::Person])).await.unwrap();
    assert!(invitation.is_none());
    (id, tokens.map(Option::unwrap))
}

/// A legal action for the seat; `None` if no decision is due from it.
fn some_action(viewed: &MatchView, rng: &mut fastrand::Rng) -> Option<(Player, Action)> {
    let (player, decision) = viewed.deciding()?;
    let view = viewed.view();
    let action = match decision {
        Decision::Bid => {
            let [low, high] = view.bids[rng.usize(..view.bids.len())];
            Action::Bid(rng.u32(low..=high))
        }
        Decision::Star { .. } => Action::UseStar(rng.bool()),
        Decision::Move { may_let: true } if rng.u8(..8) == 0 => Action::Let,
        Decision::Move { .. } => Action::Move(view.moves[rng.usize(..view.moves.len())].clone()),
    };
    Some((player, action))
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_sets_up_many_matches_does_not_delay_another() {
    let hall = hall();
    let client = |number: u8| Client::of([10, 0, 0, number].into());
    let turn = hall.inner.beginnings.slot(Client::SERVER, 0).await.unwrap();
    let set_up = |number| {
        let hall = hall.clone();
        tokio::spawn(client(number).scope(async move { persons(&hall).await }))
    };
    let waiting = async |many| {
        while hall.inner.beginnings.waiting(0) < many {
            tokio::task::yield_now().await;
        }
    };
    let greedy: Vec<_> = (0..100).map(|_| set_up(1)).collect();
    waiting(100).await;
    let other = set_up(2);
    waiting(101).await;
    drop(turn);
    other.await.unwrap();
    let later = greedy.iter().filter(|setting_up| !setting_up.is_finished()).count();
    assert!(later > 50, "{later}");
    for setting_up in greedy {
        setting_up.await.unwrap();
    }
}

async fn play_on(hall: &Hall, tokens: &[Token], most: usize, rng: &mut fastrand::Rng) {
    for _ in 0..most {
        let mut acted = false;
        for token in tokens {
            let viewed = hall.seat(token).await.unwrap();
            if let Some((player, action)) = some_action(&viewed, rng) {
                hall.act(token, Some(player), viewed.steps[player], action).await.unwrap();
                acted = true;
            }
        }
        if !acted {
            return;
        }
    }
}

/// Everything public about a match.
fn told(viewed: &MatchView) -> String {
    let turns = (viewed.turns(), viewed.begun(), viewed.closed(), viewed.deciding());
    format!("{:?} {turns:?} {} {:?}", viewed.view(), viewed.record(), viewed.steps)
}

#[tokio::test]
async fn matches_are_played_to_the_end_with_chips_conserved() {
    let hall = hall();
    for seed in 0..20 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (id, tokens) = persons(&hall).await;
        play_on(&hall, &tokens, 100, &mut rng).await;
        let viewed = hall.watch(&id).await.unwrap();
        assert!(viewed.closed().is_some());
        assert_eq!(viewed.view().hands.iter().map(|hand| hand.chips()).sum::<u32>(), 16);
        assert!(viewed.finished().is_some());
    }
}

#[tokio::test]
async fn sealed_bids_are_seen_by_nobody_else() {
    let hall = hall();
    let (id, [alice, bob]) = persons(&hall).await;
    let before = [told(&hall.seat(&bob).await.unwrap()), told(&hall.watch(&id).await.unwrap())];
    hall.act(&alice, None, 0, Action::Bid(7)).await.unwrap();
    let after = [told(&hall.seat(&bob).await.unwrap()), told(&hall.watch(&id).await.unwrap())];
    let given = [false, true].map(|hers| format!("given: {:?}", ByPlayer::new(hers, false)));
    let steps = [0, 1].map(|hers| format!("{:?}", ByPlayer::new(hers, 0)));
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(*after, before.replace(&given[0], &given[1]).replace(&steps[0], &steps[1]));
    }
    assert_eq!(hall.seat(&alice).await.unwrap().view().own_bid, Some(7));
    hall.act(&bob, None, 0, Action::Bid(7)).await.unwrap();
    assert_eq!(hall.watch(&id).await.unwrap().view().stage, TurnStage::Tie { bid: 7 });
}

#[tokio::test]
async fn at_one_screen_the_first_bid_is_shown_to_nobody() {
    let hall = hall();
    let holdings = ["50000*".to_string(), "50000".to_string()];
    let one =
        MatchSetup { one_screen: true, holdings: holdings.into(), ..setup([SeatChoice::Person, SeatChoice::Person]) };
    let created = hall.create(one).await.unwrap();
    let [Some(token), Some(same)] = created.tokens else { panic!("two seats") };
    assert_eq!(token, same);
    // Each bid with the remaining chips.
    for (first, bid, left) in [(Player::Alice, 43217, "6783"), (Player::Bob, 38291, "54926")] {
        let viewed = hall.seat(&token).await.unwrap();
        assert_eq!(viewed.viewer(), Viewer::Both);
        let [own, other] = [first, first.other()].map(|player| viewed.steps[player]);
        assert!(matches!(hall.act(&token, None, own, Action::Bid(bid)).await, Err(Refusal::BadRequest(_))));
        let viewed = hall.act(&token, Some(first), own, Action::Bid(bid)).await.unwrap();
        assert_eq!(viewed.deciding(), Some((first.other(), Decision::Bid)));
        assert_eq!(viewed.view().own_bid, None);
        for number in [bid.to_string().as_str(), left] {
            assert!(!told(&viewed).contains(number), "{}", told(&viewed));
        }
        hall.act(&token, Some(first.other()), other, Action::Bid(0)).await.unwrap();
        let viewed = hall.seat(&token).await.unwrap();
        let Some((mover, Decision::Move { .. })) = viewed.deciding() else { panic!("the winner moves") };
        let name = viewed.view().moves[0].clone();
        let viewed = hall.act(&token, Some(mover), viewed.steps[mover], Action::Move(name)).await.unwrap();
        assert!(viewed.closed().is_none());
    }
}

#[tokio::test]
async fn an_action_is_taken_once_and_from_its_player() {
    let hall = hall();
    let (_, [alice, bob]) = persons(&hall).await;
    assert!(matches!(hall.act(&alice, Some(Player::Bob), 0, Action::Bid(1)).await, Err(Refusal::Forbidden(_))));
    assert!(matches!(hall.act(&alice, None, 1, Action::Bid(1)).await, Err(Refusal::Conflict(_))));
    assert!(matches!(hall.act(&alice, None, 0, Action::Bid(9)).await, Err(Refusal::Illegal(Illegal::TooMuch { .. }))));
    let viewed = hall.act(&alice, None, 0, Action::Bid(2)).await.unwrap();
    assert_eq!(viewed.steps, ByPlayer::new(1, 0));
    assert!(matches!(hall.act(&alice, None, 0, Action::Bid(2)).await, Err(Refusal::Conflict(_))));
    let not_now = hall.act(&alice, None, 1, Action::Bid(2)).await;
    assert!(matches!(not_now, Err(Refusal::Illegal(Illegal::NotNow(Player::Alice)))));
    assert!(matches!(hall.act(&Token::random(), None, 0, Action::Bid(2)).await, Err(Refusal::NotFound(_))));
    hall.act(&bob, None, 0, Action::Resign).await.unwrap();
    assert!(matches!(hall.act(&alice, None, 1, Action::Bid(2)).await, Err(Refusal::Illegal(Illegal::Over))));
}

#[tokio::test]
async fn of_many_equal_actions_at_once_one_is_taken() {
    let hall = hall();
    let (id, [alice, _]) = persons(&hall).await;
    let mut all = tokio::task::JoinSet::new();
    for bid in 0..8 {
        let (hall, alice) = (hall.clone(), alice.clone());
        all.spawn(async move { hall.act(&alice, None, 0, Action::Bid(bid)).await.is_ok() });
    }
    let taken = all.join_all().await;
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1);
    assert_eq!(hall.watch(&id).await.unwrap().steps, ByPlayer::new(1, 0));
}

#[tokio::test]
async fn an_invitation_is_taken_once() {
    let hall = hall();
    let created = hall.create(setup([SeatChoice::Invited, SeatChoice::Person])).await.unwrap();
    let [None, Some(bob)] = created.tokens else { panic!("one seat") };
    let invitation = created.invitation.unwrap();
    assert_eq!(hall.seat(&bob).await.unwrap().invitation, Some(invitation.clone()));
    assert_eq!(hall.watch(&created.id).await.unwrap().invitation, None);
    assert_eq!(hall.invited(&invitation).await.unwrap().1, Player::Alice);
    let before = hall.watch(&created.id).await.unwrap().version;
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (hall, invitation) = (hall.clone(), invitation.clone());
        all.spawn(async move { hall.accept(&invitation).await.ok() });
    }
    let taken: Vec<Token> = all.join_all().await.into_iter().flatten().collect();
    assert_eq!(taken.len(), 1);
    assert!(hall.watch(&created.id).await.unwrap().version > before);
    let alice = hall.seat(&taken[0]).await.unwrap();
    assert_eq!((alice.viewer(), alice.invitation), (Viewer::Player(Player::Alice), None));
    assert_eq!(hall.seat(&bob).await.unwrap().invitation, None);
    assert!(matches!(hall.invited(&invitation).await, Err(Refusal::NotFound(_))));
    assert!(matches!(hall.accept(&invitation).await, Err(Refusal::NotFound(_))));
    assert!(matches!(hall.seat(&invitation).await, Err(Refusal::NotFound(_))));
}

#[tokio::test]
async fn return_matches_begin_when_both_ask() {
    let hall = hall();
    let created = hall.create(setup([SeatChoice::Person, SeatChoice::Invited])).await.unwrap();
    let [Some(alice), None] = created.tokens else { panic!("one seat") };
    let bob = hall.accept(&created.invitation.unwrap()).await.unwrap();
    assert!(matches!(hall.rematch(&alice).await, Err(Refusal::Conflict(_))));
    hall.act(&bob, None, 0, Action::Resign).await.unwrap();
    let first = hall.watch(&created.id).await.unwrap().version;
    for _ in 0..2 {
        let asked = hall.rematch(&alice).await.unwrap();
        assert_eq!((asked.rematch, asked.next.is_none()), (ByPlayer::new(true, false), true));
        assert_eq!(asked.version, first + 2);
    }
    let begun = hall.rematch(&bob).await.unwrap();
    assert_ne!(begun.id, created.id);
    assert_eq!(begun.viewer(), Viewer::Player(Player::Alice));
    let other = hall.seat(&alice).await.unwrap();
    assert_eq!((&other.id, other.viewer()), (&begun.id, Viewer::Player(Player::Bob)));
    assert_eq!(other.setup.seats, ByPlayer::new(SeatChoice::Invited, SeatChoice::Person));
    assert!(other.invitation.is_none());
    let old = hall.watch(&created.id).await.unwrap();
    assert_eq!(old.next.as_ref(), Some(&begun.id));
    assert!(old.version > first + 2);
    play_on(&hall, &[alice, bob], 100, &mut fastrand::Rng::with_seed(1)).await;
    assert!(hall.watch(&begun.id).await.unwrap().closed().is_some());
}

/// A seat that was looked up before the return match still leads there when the old match is gone.
#[tokio::test]
async fn seats_outlive_the_match_before() {
    let hall = hall();
    let (old, [alice, bob]) = persons(&hall).await;
    hall.act(&alice, None, 0, Action::Resign).await.unwrap();
    hall.rematch(&alice).await.unwrap();
    let next = hall.rematch(&bob).await.unwrap().id;
    let gone = old.clone();
    let deleted = hall.inner.store.write(move |connection| crate::store::room::delete(connection, &gone)).await;
    assert!(deleted.unwrap());
    hall.inner.shelf.lock().forget(&old);
    for token in [alice, bob] {
        assert_eq!(hall.seat(&token).await.unwrap().id, next);
    }
    assert!(matches!(hall.watch(&old).await, Err(Refusal::NotFound(_))));
}

#[tokio::test]
async fn at_one_screen_a_return_match_begins_at_once() {
    let hall = hall();
    let one = MatchSetup { one_screen: true, ..setup([SeatChoice::Person, SeatChoice::Person]) };
    let [Some(token), _] = hall.create(one).await.unwrap().tokens else { panic!("a seat") };
    hall.act(&token, Some(Player::Bob), 0, Action::Resign).await.unwrap();
    let next = hall.rematch(&token).await.unwrap();
    assert_eq!((next.viewer(), next.closed()), (Viewer::Both, None));
}

#[tokio::test]
async fn listeners_hear_of_changes_and_are_counted() {
    let limits = HallLimits {
        spectators_of_one: 2,
        quotas: Quotas { spectators: Allotment { all: 3, one: 3 }, ..Quotas::default() },
        ..HallLimits::default()
    };
    let hall = Hall::new(Store::in_memory().unwrap(), limits, Computers::default());
    let (id, [alice, _]) = persons(&hall).await;
    let (other, _) = persons(&hall).await;
    let mut listener = hall.listen(&id, Viewer::Spectator).await.unwrap();
    let second = hall.listen(&id, Viewer::Spectator).await.unwrap();
    assert!(matches!(hall.listen(&id, Viewer::Spectator).await, Err(Refusal::Busy(_))));
    assert_eq!(hall.listeners(), 2);
    let _third = hall.listen(&other, Viewer::Spectator).await.unwrap();
    assert!(matches!(hall.listen(&other, Viewer::Spectator).await, Err(Refusal::Busy(_))));
    drop(second);
    assert_eq!(hall.listeners(), 2);
    let _fourth = hall.listen(&other, Viewer::Spectator).await.unwrap();
    let before = *listener.version.borrow_and_update();
    assert_eq!(before, hall.watch(&id).await.unwrap().version);
    hall.act(&alice, None, 0, Action::Bid(1)).await.unwrap();
    listener.version.changed().await.unwrap();
    assert!(*listener.version.borrow_and_update() > before);
    assert!(matches!(hall.listen(&GameId::random(), Viewer::Spectator).await, Err(Refusal::NotFound(_))));
    hall.close();
    assert!(listener.version.changed().await.is_err());
    assert!(matches!(hall.listen(&id, Viewer::Spectator).await, Err(Refusal::Busy(_))));
}

#[tokio::test]
async fn spectators_cannot_deny_a_player_the_changes_nor_one_client_the_others() {
    let limits = HallLimits { spectators_of_one: 8, ..HallLimits::default() };
    let hall = Hall::new(Store::in_memory().unwrap(), limits, Computers::default());
    let (id, _) = persons(&hall).await;
    let client = |number: u8| Client::of([10, 0, 0, number].into());
    let listen = |number: u8, viewer: Viewer| client(number).scope(hall.listen(&id, viewer));
    let mut greedy = Vec::new();
    while let Ok(listener) = listen(1, Viewer::Spectator).await {
        greedy.push(listener);
    }
    assert_eq!(greedy.len(), 2, "a quarter of those of a match");
    let mut others = Vec::new();
    for number in 2..8 {
        others.push(listen(number, Viewer::Spectator).await.unwrap());
    }
    let mut newcomer = listen(8, Viewer::Spectator).await.unwrap();
    assert!(listen(9, Viewer::Spectator).await.is_err(), "everybody has one");
    listen(9, Viewer::Player(Player::Alice)).await.unwrap();
    let version = *newcomer.version.borrow();
    assert_eq!(greedy[0].changed(Some(version)).await, None, "its ticket was taken");
    assert_eq!(newcomer.changed(None).await, Some(version));
}

#[tokio::test]
async fn what_is_thrown_out_of_memory_is_played_again() {
    // Room for a single match.
    let limits = HallLimits { memory: 1, ..HallLimits::default() };
    let hall = Hall::new(Store::in_memory().unwrap(), limits, Computers::default());
    let mut rng = fastrand::Rng::with_seed(7);
    let mut matches = Vec::new();
    for _ in 0..10 {
        matches.push(persons(&hall).await);
    }
    for _ in 0..30 {
        for (id, tokens) in &matches {
            play_on(&hall, tokens, 1, &mut rng).await;
            let live = hall.watch(id).await.unwrap();
            hall.inner.shelf.lock().forget(id);
            let replayed = hall.watch(id).await.unwrap();
            assert_eq!(told(&live), told(&replayed));
            assert_eq!((live.version, live.steps), (replayed.version, replayed.steps));
        }
        assert_eq!(hall.inner.shelf.lock().len(), 1);
    }
}

#[tokio::test]
async fn records_are_kept_if_they_are_matches() {
    let hall = hall();
    let text = "[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice b2".to_string();
    let id = hall.keep_record(text.clone(), None).await.unwrap();
    assert_eq!(hall.record(&id).await.unwrap(), ShownRecord { text: text.clone(), file: None });
    assert!(matches!(hall.record(&GameId::random()).await, Err(Refusal::NotFound(_))));
    assert!(matches!(hall.keep_record("x".to_string(), None).await, Err(Refusal::Unfit(_))));
    let wrong = hall.keep_record(text.replace("1*-1 Alice", "1-1 Alice"), None).await;
    assert!(matches!(wrong, Err(Refusal::BadRequest(reason)) if reason.starts_with("turn 1:")));
    let file = r#"{"name":"one","start":"0","positions":{
        "w":{"winner":"alice"},"l":{"winner":"bob"},"0":{"alice":["w"],"bob":["l"]}}}"#;
    let text = "[Game \"one\"] [File \"one.json\"] [Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice w".to_string();
    assert!(matches!(hall.keep_record(text.clone(), None).await, Err(Refusal::BadRequest(_))));
    let id = hall.keep_record(text, Some(file.to_string())).await.unwrap();
    assert!(hall.record(&id).await.unwrap().file.is_some());
    assert!(matches!(hall.keep_record("x".repeat(2 << 20), None).await, Err(Refusal::TooLarge(_))));
}

#[tokio::test]
async fn setups_that_make_no_sense_are_refused() {
    let hall = hall();
    let persons = || setup([SeatChoice::Person, SeatChoice::Person]);
    let wrong = [
        setup([SeatChoice::Invited, SeatChoice::Invited]),
        setup([SeatChoice::Computer("best".to_string()), SeatChoice::Computer("best".to_string())]),
        setup([SeatChoice::Person, SeatChoice::Computer("genius".to_string())]),
        MatchSetup { one_screen: true, ..setup([SeatChoice::Person, SeatChoice::Invited]) },
        MatchSetup { holdings: ByPlayer::new("4*".to_string(), "4*".to_string()), ..persons() },
        MatchSetup { holdings: ByPlayer::new("1000001*".to_string(), "0".to_string()), ..persons() },
        MatchSetup { game: "no-such-game".to_string(), ..persons() },
        MatchSetup { position: Some("???".to_string()), ..persons() },
        MatchSetup { limit: 0, ..persons() },
        MatchSetup { file: Some("{}".to_string().into()), ..persons() },
        MatchSetup { file: Some(" ".repeat(2 << 20).into()), ..persons() },
    ];
    for setup in wrong {
        let refused = hall.create(setup.clone()).await.err();
        let status = refused.as_ref().map(|refused| refused.status().as_u16());
        assert!(matches!(status, Some(400..=499)), "{setup:?}: {refused:?}");
    }
}

#[tokio::test]
async fn in_a_full_hall_matches_begin_and_go_on() {
    let limits = HallLimits { matches: 2, ..HallLimits::default() };
    let hall = Hall::new(Store::in_memory().unwrap(), limits, Computers::default());
    let (_, [alice, _]) = persons(&hall).await;
    hall.act(&alice, None, 0, Action::Bid(1)).await.unwrap();
    let (idle, _) = persons(&hall).await;
    let (new, _) = persons(&hall).await;
    assert!(matches!(hall.watch(&idle).await, Err(Refusal::NotFound(_))));
    assert!(hall.watch(&new).await.is_ok());
    hall.act(&alice, None, 1, Action::Resign).await.unwrap();
    assert!(hall.seat(&alice).await.unwrap().closed().is_some());
}

/// The weight of a match in memory counts its name, its game file and its actions.
#[tokio::test]
async fn memory_counts_names_files_and_actions() {
    let weight = |hall: &Hall, id: &GameId| hall.inner.shelf.lock().slot(id).live.get().unwrap().weight();
    let hall = hall();
    let (plain, [alice, _]) = persons(&hall).await;
    let before = weight(&hall, &plain);
    hall.act(&alice, None, 0, Action::Bid(1)).await.unwrap();
    assert!(weight(&hall, &plain) > before);
    let named = format!("expr:{}A{}", "(".repeat(200), ")".repeat(200));
    let named = MatchSetup { game: named, ..setup([SeatChoice::Person, SeatChoice::Person]) };
    let named = hall.create(named).await.unwrap().id;
    assert!(weight(&hall, &named) > before + 3000);
    // A short file may stand for many positions.
    let file = r#"{"name": "c", "start": "a", "objective": "energy:50000", "positions": {"a": {"both": ["a"]}}}"#;
    let file =
        MatchSetup { file: Some(FileText::from(file.to_string())), ..setup([SeatChoice::Person, SeatChoice::Person]) };
    let file = hall.create(file).await.unwrap().id;
    assert!(weight(&hall, &file) > before + 50_000 * 16);
    // The shelf forgets slots that are too heavy, and counts added actions.
    let limits = HallLimits { memory: before + before / 2, ..HallLimits::default() };
    let small = Hall::new(Store::in_memory().unwrap(), limits, Computers::default());
    let (first, tokens) = persons(&small).await;
    play_on(&small, &tokens, 100, &mut fastrand::Rng::with_seed(1)).await;
    persons(&small).await;
    assert!(small.watch(&first).await.unwrap().closed().is_some());
    assert_eq!(small.inner.shelf.lock().len(), 1);
}

#[tokio::test]
async fn the_record_of_a_match_reads_back() {
    let hall = hall();
    let (id, tokens) = persons(&hall).await;
    play_on(&hall, &tokens, 100, &mut fastrand::Rng::with_seed(3)).await;
    let viewed = hall.watch(&id).await.unwrap();
    let text = viewed.record().to_string();
    let read = Record::parse("text", text.as_bytes()).unwrap();
    let replayed =
        richman_play::record::replay(Subject::named("tic-tac-toe").unwrap().walk(None).unwrap(), &read).unwrap();
    assert_eq!(replayed.turns(), viewed.turns());
    assert_eq!(replayed.closed(), viewed.closed());
}

#[tokio::test]
async fn a_computer_that_nobody_watches_stops_but_never_in_a_match_that_is_played() {
    let hall = hall();
    let computer = || SeatChoice::Computer("best".to_string());
    // It has not decided within the 8 s of real time that a program may think.
    let against = || MatchSetup { game: "hex:size=11".to_string(), ..setup([SeatChoice::Person, computer()]) };
    let mut created = Vec::new();
    for _ in 0..3 {
        created.push(hall.create(against()).await.unwrap());
    }
    let [_, watched, played] = &created[..] else { unreachable!() };
    let mut listener = hall.listen(&watched.id, Viewer::Spectator).await.unwrap();
    listener.version.borrow_and_update();
    hall.act(played.tokens[0].as_ref().unwrap(), None, 0, Action::Bid(1)).await.unwrap();
    let mut slots = Vec::new();
    for Created { id, .. } in &created {
        slots.push(hall.slot(id).await.unwrap());
    }
    let at_work = || [0, 1, 2].map(|number| live(&slots[number]).unwrap().thinking.load(Ordering::SeqCst));
    assert_eq!(at_work(), [true; 3]);
    tokio::time::pause();
    tokio::time::sleep(UNWATCHED + Duration::from_secs(1)).await;
    assert_eq!(at_work(), [false, true, true]);
    hall.watch(&created[0].id).await.unwrap();
    assert_eq!(at_work(), [true; 3], "somebody came back");
}
