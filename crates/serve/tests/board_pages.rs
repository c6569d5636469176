//! Whose side of the board is below on the page of a match.

use richman_core::ByPlayer;
use richman_hall::setup::{MatchSetup, SeatChoice};

use crate::pages::Client;

/// The squares of a page, in the order in which they are read.
fn squares(page: &str) -> Vec<&str> {
    page.split("data-place=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn each_player_sees_their_own_side_below() {
    let client = Client::new().await;
    let persons = ByPlayer::new(SeatChoice::Person, SeatChoice::Person);
    let created = client.app.hall.create(MatchSetup::new("chess", persons.clone(), 1)).await.unwrap();
    let [Some(alice), Some(bob)] = created.tokens else { panic!("two seats") };
    let one_screen = MatchSetup { one_screen: true, ..MatchSetup::new("chess", persons, 1) };
    let shared = client.app.hall.create(one_screen).await.unwrap().tokens[0].clone().unwrap();
    let shared_id = client.app.hall.seat(&shared).await.unwrap().id;
    for (id, role, token, first, last) in [
        (&created.id, "alice", &alice, "a8", "h1"),
        (&created.id, "bob", &bob, "h1", "a8"),
        (&created.id, "spectator", &bob, "a8", "h1"),
        (&shared_id, "both", &shared, "a8", "h1"),
    ] {
        client.sit(role, token);
        let page = client.get_ok(&format!("/m/{id}?as={role}")).await;
        let squares = squares(&page);
        assert_eq!((squares.len(), squares[0], squares[63]), (64, first, last), "{role}");
    }
}
