//! What forms take. The second half of a double click decides nothing: the forms of a page leave
//! half a second between two decisions of a seat. Programs decide as quickly as they like.

use crate::visitor;

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use axum::http::{Request, StatusCode};
use richman_serve::App;
use visitor::{Page, Visitor};

const PAUSE: Duration = Duration::from_millis(500);

/// Submits a form right after the decision before and again a little later; returns the page after
/// it.
async fn pressed_twice(visitor: &Visitor, page: &Page, form: &str, filled: &[(&str, &str)]) -> Page {
    let version = |page: &Page| page.attrs("#match", "data-version");
    let early = visitor.submit(page, form, filled).await;
    assert_eq!(early.status, StatusCode::CONFLICT, "{form} {filled:?}: {}", early.text);
    assert!(early.says("#refused").contains("within half a second"), "{}", early.text);
    assert_eq!(version(&early), version(page), "{form} {filled:?} is not taken");
    assert!(early.has(form), "the form is still there");
    tokio::time::sleep(PAUSE).await;
    let taken = visitor.submit(&early, form, filled).await;
    assert_eq!(taken.status, StatusCode::OK, "{form} {filled:?}: {}", taken.text);
    assert_ne!(version(&taken), version(page), "{form} {filled:?} is taken");
    taken
}

/// At one screen with open bids, each form stands where the one before stood.
#[tokio::test]
async fn no_decision_follows_another_within_half_a_second() {
    let visitor = Visitor::of(App::in_memory().unwrap());
    let page = visitor.set_up(&[("game", "tic-tac-toe"), ("opponent", "screen"), ("bidding", "alice-first")]).await;
    let page = pressed_twice(&visitor, &page, "form.bid", &[("bid", "2")]).await;
    let page = pressed_twice(&visitor, &page, "form.bid", &[("bid", "2")]).await;
    let page = pressed_twice(&visitor, &page, ".action form", &[("star", "use")]).await;
    let page = pressed_twice(&visitor, &page, "#moves", &[("move", "b2")]).await;
    let page = pressed_twice(&visitor, &page, "#resign form", &[("resign", "yes")]).await;
    let page = pressed_twice(&visitor, &page, "form[action*='/rematch']", &[]).await;
    pressed_twice(&visitor, &page, "form.bid", &[("bid", "1")]).await;
}

/// Without a script nothing is filled in beforehand, and a browser sends no empty bid.
#[tokio::test]
async fn nothing_is_filled_in_beforehand() {
    let visitor = Visitor::new();
    for (rules, field) in [(&[][..], "input"), (&[("bids", "0+2+5")], "select"), (&[("opponent", "screen")], "input")] {
        let page = visitor.set_up(&[&[("game", "tic-tac-toe"), ("opponent", "computer")], rules].concat()).await;
        let bid = page.html.select(&format!("form.bid {field}[name=bid][required]"));
        assert_eq!(bid.length(), 1, "{}", page.text);
        let sent = visitor.submit_as_it_is(&page, "form.bid").await;
        assert_eq!(sent.status, StatusCode::BAD_REQUEST, "an empty bid is no bid of 0: {}", sent.text);
        assert_eq!(sent.attrs("#match", "data-version"), page.attrs("#match", "data-version"));
    }
}

#[tokio::test]
async fn other_seats_and_programs_do_not_wait() {
    let ours = Visitor::of(App::in_memory().unwrap());
    let theirs = ours.other();
    let alice = ours.set_up(&[("game", "tic-tac-toe"), ("opponent", "friend")]).await;
    let link = alice.attrs("#invitation", "value").remove(0);
    let invited = theirs.get(link.strip_prefix("http://127.0.0.1:8080").unwrap()).await;
    let bob = theirs.submit(&invited, "main form", &[]).await;
    tokio::time::sleep(PAUSE).await;
    let alice = ours.submit(&alice, "form.bid", &[("bid", "2")]).await;
    assert!(alice.has(".waiting"), "{}", alice.text);
    let bob = theirs.submit(&bob, "form.bid", &[("bid", "1")]).await;
    assert_eq!(bob.all(".card .bid"), ["2", "1"], "Bob need not wait after Alice");
    // The same seat by the interface for programs, at once.
    let secret = ours.secrets().remove(0);
    let action = Request::post("/api/v1/seat/actions")
        .header(HOST, "127.0.0.1:8080")
        .header(CONTENT_TYPE, "application/json")
        .header(AUTHORIZATION, format!("Bearer {secret}"))
        .body(Body::from(r#"{ "step": 1, "action": { "move": "b2" } }"#));
    assert_eq!(ours.send(action.unwrap()).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_bad_game_file_leads_back_to_the_form_with_what_was_typed() {
    let visitor = Visitor::new();
    for (path, form, field) in [("/new", "form.setup", "file_text"), ("/explore/file", "form.upload", "text")] {
        for bad in ["{ \"name\": 3 }", "<b>no JSON"] {
            let page = visitor.post_parts(path, &[("game", "file"), ("chips", "17"), (field, bad)]).await;
            assert!(page.status.is_client_error(), "{path} {bad}");
            assert_eq!(page.says(&format!("{form} textarea[name={field}]")), bad, "{path}: {}", page.text);
            assert!(!page.says(&format!("{form} .fault")).is_empty(), "{path} says what is wrong");
            assert!(path != "/new" || page.attrs("#chips", "value") == ["17"], "{}", page.text);
        }
    }
    let long = "x".repeat(3 << 19);
    let fields = [("game", "file"), ("chips", "17"), ("upload", &long)];
    let page = visitor.post_parts("/new", &fields).await;
    assert_eq!(page.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(page.says("#fault-file_text").contains("at most 1048576 bytes"), "{}", page.says("main"));
    assert_eq!(page.attrs("#chips", "value"), ["17"]);
}

#[tokio::test]
async fn every_game_of_the_gallery_starts_as_its_form_stands() {
    let visitor = Visitor::new();
    let games = visitor.get("/").await.attrs("a.game-card", "href");
    assert_eq!(games.len(), richman_analysis::Games::default().list().len());
    for game in games {
        let begun = visitor.submit_as_it_is(&visitor.get(&game).await, "form.setup").await;
        assert!(begun.path.starts_with("/m/"), "{game} does not start: {}", begun.says("main"));
    }
}
