//! The hall without a network.

use richman_play::Action;

use super::*;
use crate::refused::Refused;

fn setup(seats: [Sitter; 2]) -> Setup {
    Setup::new("tic-tac-toe", seats, 1)
}

fn hall() -> Hall {
    Hall::new(Store::in_memory().unwrap(), Limits::default(), Computers::default())
}

async fn persons(hall: &Hall) -> (GameId, [Token; 2]) {
    let Created { id, tokens, invitation } = hall.create(setup([Sitter::Person, Sitter::Person])).await.unwrap();
    assert!(invitation.is_none());
    (id, tokens.map(Option::unwrap))
}

/// Some action that the seat may do now, by the rules; `None` if nothing is waited for from it.
fn some_action(sight: &Sight, rng: &mut fastrand::Rng) -> Option<(Player, Action)> {
    let (player, decision) = sight.deciding()?;
    let view = sight.view();
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

/// One action of each player who is waited for.
async fn play_on(hall: &Hall, tokens: &[Token], rng: &mut fastrand::Rng) {
    for token in tokens {
        let sight = hall.seat(token).await.unwrap();
        if let Some((player, action)) = some_action(&sight, rng) {
            hall.act(token, Some(player), sight.steps[player as usize], action).await.unwrap();
        }
    }
}

/// Everything of a match that anybody may see.
fn told(sight: &Sight) -> String {
    format!(
        "{:?} {:?} {:?} {:?} {:?} {} {:?}",
        sight.view(),
        sight.turns(),
        sight.begun(),
        sight.closed(),
        sight.deciding(),
        sight.record(),
        sight.steps,
    )
}

#[tokio::test]
async fn at_one_screen_a_return_match_begins_at_once() {
    let hall = hall();
    let one = Setup { one_screen: true, ..setup([Sitter::Person, Sitter::Person]) };
    let [Some(token), _] = hall.create(one).await.unwrap().tokens else { panic!("a seat") };
    assert!(matches!(hall.rematch(&token).await, Err(Refused::Conflict(_))), "not before the end");
    hall.act(&token, Some(Player::Bob), 0, Action::Resign).await.unwrap();
    let next = hall.rematch(&token).await.unwrap();
    assert_eq!((next.viewer(), next.closed()), (Viewer::Both, None));
}

#[tokio::test]
async fn listeners_hear_of_changes_and_are_counted() {
    let limits = Limits { listeners: 3, listeners_of_one: 2, ..Limits::default() };
    let hall = Hall::new(Store::in_memory().unwrap(), limits, Computers::default());
    let (id, [alice, _]) = persons(&hall).await;
    let (other, _) = persons(&hall).await;
    let mut listener = hall.listen(&id).await.unwrap();
    let second = hall.listen(&id).await.unwrap();
    assert!(matches!(hall.listen(&id).await, Err(Refused::Busy(_))));
    assert_eq!(hall.listeners(), 2);
    let _third = hall.listen(&other).await.unwrap();
    assert!(matches!(hall.listen(&other).await, Err(Refused::Busy(_))));
    drop(second);
    assert_eq!(hall.listeners(), 2);
    let _fourth = hall.listen(&other).await.unwrap();
    let before = *listener.version.borrow_and_update();
    assert_eq!(before, hall.watch(&id).await.unwrap().version);
    hall.act(&alice, None, 0, Action::Bid(1)).await.unwrap();
    listener.version.changed().await.unwrap();
    assert!(*listener.version.borrow_and_update() > before);
    assert!(matches!(hall.listen(&GameId::random()).await, Err(Refused::NotFound(_))));
    hall.close();
    assert!(listener.version.changed().await.is_err());
    assert!(matches!(hall.listen(&id).await, Err(Refused::Busy(_))));
}

#[tokio::test]
async fn what_is_thrown_out_of_memory_is_played_again() {
    // Room for a single match.
    let limits = Limits { memory: 1, ..Limits::default() };
    let hall = Hall::new(Store::in_memory().unwrap(), limits, Computers::default());
    let mut rng = fastrand::Rng::with_seed(7);
    let mut matches = Vec::new();
    for _ in 0..10 {
        matches.push(persons(&hall).await);
    }
    for _ in 0..30 {
        for (id, tokens) in &matches {
            play_on(&hall, tokens, &mut rng).await;
            let live = hall.watch(id).await.unwrap();
            hall.inner.shelf().forget(id);
            let replayed = hall.watch(id).await.unwrap();
            assert_eq!(told(&live), told(&replayed));
            assert_eq!((live.version, live.steps), (replayed.version, replayed.steps));
        }
        assert_eq!(hall.inner.shelf().len(), 1);
    }
}

#[tokio::test]
async fn a_full_hall_takes_no_more_matches_but_plays_on() {
    let limits = Limits { matches: 2, ..Limits::default() };
    let hall = Hall::new(Store::in_memory().unwrap(), limits, Computers::default());
    let (_, [alice, _]) = persons(&hall).await;
    persons(&hall).await;
    assert!(matches!(hall.create(setup([Sitter::Person, Sitter::Person])).await, Err(Refused::Busy(_))));
    hall.act(&alice, None, 0, Action::Resign).await.unwrap();
    assert!(hall.seat(&alice).await.unwrap().closed().is_some());
}
