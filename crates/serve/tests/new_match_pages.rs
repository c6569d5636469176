//! The form of a new match.

use crate::visitor;

use axum::http::StatusCode;
use richman_play::players::STRENGTHS;
use visitor::{Page, Visitor};

#[tokio::test]
async fn wrong_input_comes_back_with_a_message_at_its_field() {
    let visitor = Visitor::new();
    type Fields = &'static [(&'static str, &'static str)];
    let wrong: [(Fields, &str, &str); 16] = [
        (&[("game", "ludo")], "game", "There is no game called ludo"),
        (&[], "game", "Choose a game"),
        (&[("game", "tic-tac-toe"), ("tic-tac-toe.rows", "99")], "parameters", "rows=99 is out of range"),
        (&[("game", "connect"), ("connect.cols", "<x>")], "parameters", "not a number"),
        (&[("game", "expr"), ("expr.EXPRESSION", "A &")], "parameters", "Byte 3"),
        (&[("game", "tic-tac-toe"), ("position", "AAA")], "position", "AAA"),
        (&[("game", "tic-tac-toe"), ("position", "AAA/BB./...")], "position", "over there"),
        (&[("game", "tic-tac-toe"), ("chips", "many")], "chips", "from 0 to 500000"),
        (&[("game", "tic-tac-toe"), ("bob_chips", "1000000")], "chips", "at most 1000000 chips in all"),
        (&[("game", "tic-tac-toe"), ("limit", "0")], "limit", "from 1 to 1000"),
        (&[("game", "tic-tac-toe"), ("bids", "x")], "bids", "0+5"),
        (&[("game", "tic-tac-toe"), ("payment", "taxman"), ("taxman", "3/2")], "payment", "from 0 to 1"),
        (&[("game", "tic-tac-toe"), ("preset", "none")], "preset", "larsson"),
        (&[("game", "tic-tac-toe"), ("level", "god")], "level", "perfect"),
        (&[("game", "file")], "file_text", "Paste a game file"),
        (&[("game", "file"), ("upload", "{ \"name\": 3 }")], "file_text", "name"),
    ];
    for (fields, field, message) in wrong {
        let page = visitor.post_parts("/new", fields).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{fields:?}");
        let said = page.says(&format!("#fault-{field}"));
        assert!(said.contains(message), "{fields:?}: {said:?}");
        for (name, typed) in fields.iter().filter(|(name, _)| name.contains('.') || *name == "position") {
            assert_eq!(
                page.attrs(&format!("input[name='{name}']"), "value"),
                [*typed],
                "what was typed is still there"
            );
        }
    }
    // All errors are shown at once.
    let page =
        visitor.post_parts("/new", &[("game", "tic-tac-toe"), ("chips", "x"), ("bids", "q"), ("limit", "0")]).await;
    assert_eq!(page.html.select(".fault").length(), 3, "{}", page.text);
    let long = "x".repeat(4 << 20);
    for length in [4 << 20, 3 << 19] {
        let page = visitor.post_parts("/new", &[("game", "file"), ("upload", &long[..length])]).await;
        assert_eq!(page.status, StatusCode::PAYLOAD_TOO_LARGE);
    }
    let page = visitor.post_parts("/new", &[("game", &long[..30_000])]).await;
    assert_eq!(page.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn levels_are_offered_where_they_can_play() {
    let visitor = Visitor::new();
    let all = |page: &Page| page.attrs("#level option", "value");
    for (path, missing) in [
        ("/new?game=connect", &["perfect", "monte-carlo"][..]),
        ("/new?game=connect&connect.rows=4&connect.cols=4", &["monte-carlo"]),
        ("/new?game=hex", &["perfect"]),
        ("/new?game=hex&hex.size=3", &[]),
        ("/new?game=hex&hex.size=3&payment=poorman", &["monte-carlo"]),
        ("/new?game=subtraction", &["rounding", "monte-carlo"]),
    ] {
        let offered: Vec<String> = all(&visitor.get(path).await);
        let expected: Vec<&str> =
            STRENGTHS.iter().rev().map(|info| info.name).filter(|name| !missing.contains(name)).collect();
        assert_eq!(offered, expected, "{path}");
    }
    // The same after a mistake, and the usual level is chosen in place of one that is not offered.
    let page = visitor.post_parts("/new", &[("game", "connect"), ("chips", "x"), ("level", "perfect")]).await;
    assert!(!all(&page).contains(&"perfect".to_string()), "{}", page.text);
    assert_eq!(page.attrs("#level option[selected]", "value"), ["beginner"]);

    let page = visitor.get("/new?game=connect&connect.rows=4").await;
    assert_eq!(page.attrs("input[name=game]", "value"), ["connect"]);
    assert_eq!(page.attrs("input[name='connect.rows']", "value"), ["4"]);
    assert!(page.has("details#settings[open]"), "what is not usual is shown");
}

#[tokio::test]
async fn settings_are_the_usual_ones_and_folded() {
    let visitor = Visitor::new();
    for (game, chips) in [("connect", "100"), ("hex", "100"), ("chess", "100"), ("tic-tac-toe", "8")] {
        let page = visitor.get(&format!("/new?game={game}")).await;
        assert_eq!(page.attrs("#chips", "value"), [chips], "{game}");
        assert!(page.has("details#settings") && !page.has("details#settings[open]"), "{game}");
    }
    let page = visitor.get("/new?game=connect").await;
    assert_eq!(page.says("h1"), "Connect Four");
}
