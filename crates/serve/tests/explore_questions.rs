//! Questions put on the explore pages without a script: boards that are set up, matches begun from
//! a position, answers that take a while, and what is said where there is none.

use axum::http::StatusCode;
use richman_core::Player;

use crate::pages::{Client, links, text_of};
use crate::visitor::{Page, Visitor};

/// The address that a form with these fields asks for, and where it leads.
async fn put(client: &Client, page: &Page, number: &str, piece: &str) -> String {
    let mut fields: Vec<(String, String)> = page
        .attrs("#setup input[type=hidden]", "name")
        .into_iter()
        .zip(page.attrs("#setup input[type=hidden]", "value"))
        .collect();
    fields.extend([("setup".to_string(), piece.to_string()), ("put".to_string(), number.to_string())]);
    let to = client.redirect(&format!("/explore?{}", serde_urlencoded::to_string(&fields).unwrap())).await;
    to.expect("back to the board")
}

#[tokio::test]
async fn any_board_is_set_up_without_a_script() {
    let (client, visitor) = (Client::new().await, Visitor::new());
    for (game, number, piece, position) in [
        ("tic-tac-toe", "4", "B", ".../.B./..."),
        ("hex:size=11", "60", "A", ".....A....."),
        ("hex:size=16", "255", "B", "...............B"),
        ("y", "0", "A", "A.../.../../."),
        ("chess", "27", "q", "rnbqkbnr/pppppppp/8/3q4/8/8/PPPPPPPP/RNBQKBNR KQkq"),
        ("chess:size=5", "12", "N", "2N2"),
    ] {
        let start = format!("/explore?game={}&alice=4*&bob=4", game.replace('=', "%3D"));
        let page = visitor.get(&start).await;
        let open = page.attrs(".tools a[href*='setup=']", "href");
        assert_eq!(open.len(), 1, "{game}: {}", page.text);
        let page = visitor.get(open[0].split('#').next().unwrap()).await;
        let count = page.all("#setup .cell").len();
        assert!(count > number.parse().unwrap(), "{game}: {count} cells");
        let to = put(&client, &page, number, piece).await;
        assert!(to.ends_with("#setup") && to.contains(&format!("setup={piece}")), "{game} stays at the board: {to}");
        assert!(to.contains("alice=4*") && to.contains("bob=4"), "{game} keeps the chips: {to}");
        let page = visitor.get(to.split('#').next().unwrap()).await;
        assert_eq!(page.status, StatusCode::OK, "{game}: {}", page.says("main"));
        let set = &page.attrs("#setup", "data-text")[0];
        assert!(set.contains(position), "{game}: {set}");
        assert_eq!(page.attrs("#ask-position", "value")[0], *set, "{game}: the form has the position");
        let done = page.attrs(".tools a[href]", "href").into_iter().find(|link| !link.contains("setup=")).unwrap();
        let page = visitor.get(&done).await;
        assert!(page.has("#board svg") && !page.has("#setup"), "{game}: done");
    }
}

/// A king that is being moved is taken away first: the board stays, and says what is missing.
#[tokio::test]
async fn a_board_may_be_no_position_while_it_is_set_up() {
    let (client, visitor) = (Client::new().await, Visitor::new());
    let page = visitor.get("/explore?game=chess&setup=.").await;
    let to = put(&client, &page, "60", ".").await;
    let page = visitor.get(to.split('#').next().unwrap()).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.says(".worth [role=alert]").contains("there is no white king"), "{}", page.says("main"));
    assert_eq!(page.all("#setup .cell").len(), 64);
    let to = put(&client, &page, "44", "K").await;
    let page = visitor.get(to.split('#').next().unwrap()).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.says("main"));
    assert_eq!(page.attrs("#setup", "data-text"), ["rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQ1BNR kq"]);
    let (status, _) = client.get("/explore?game=tic-tac-toe&position=ABC&setup=A").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "another game's text shows the board of the start");
}

#[tokio::test]
async fn matches_begin_from_the_position() {
    let client = Client::new().await;
    let fields = "game=connect%3Arows%3D4%2Ccols%3D4&position=..../..../..../A...&alice=7*&bob=5&payment=taxman:1/2";
    let page = client.get_ok(&format!("/explore?{fields}")).await;
    let play: Vec<String> = links(&page).into_iter().filter(|link| link.starts_with("/new?")).collect();
    assert_eq!(play.len(), 2, "{play:?}");
    for (link, opponent) in play.iter().zip(["computer", "friend"]) {
        let fields: Vec<(String, String)> = serde_urlencoded::from_str(link.split_once('?').unwrap().1).unwrap();
        let given = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
        for (name, value) in [
            ("game", "connect"),
            ("connect.rows", "4"),
            ("connect.cols", "4"),
            ("position", "..../..../..../A..."),
            ("opponent", opponent),
            ("alice_chips", "7"),
            ("bob_chips", "5"),
            ("star", "alice"),
            ("payment", "taxman"),
            ("taxman", "1/2"),
        ] {
            assert_eq!(given(name), Some(value), "{name} in {link}");
        }
    }
    // The form takes the fields as they are.
    let visitor = Visitor::new();
    let fields: Vec<(String, String)> = serde_urlencoded::from_str(play[0].split_once('?').unwrap().1).unwrap();
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let page = visitor.set_up(&fields).await;
    assert!(page.text.contains("..../..../..../A..."), "the match begins there: {}", page.says("main"));
    for (path, links_to) in [
        ("/explore?game=expr%3A%28A+%26+B%5E2%29+%26+B", "expr.EXPRESSION=%28A+%26+B%5E2%29+%26+B"),
        ("/explore?game=subtraction", "preset=larsson"),
    ] {
        let page = client.get_ok(path).await;
        assert!(links(&page).iter().any(|link| link.starts_with("/new?") && link.contains(links_to)), "{path}");
    }
    let over = client.get_ok("/explore?position=AAA%2FBB.%2F...").await;
    assert!(!links(&over).iter().any(|link| link.starts_with("/new?")), "the game is over there");
}

#[tokio::test]
async fn a_page_comes_before_its_answer() {
    let client = Client::new().await;
    let path = "/explore?game=connect";
    let page = client.get_ok(path).await;
    assert!(page.contains("data-place") && page.contains("ask-position"), "the board and the form are there");
    assert!(text_of(&page).contains("Working it out"), "and what is awaited is said");
    let whole = format!("{path}&whole=yes");
    assert!(page.contains(&format!("content=\"0; url={}\"", whole.replace('&', "&amp;"))), "without a script");
    let answered = client.get_ok(&whole).await;
    let text = text_of(&answered);
    assert!(!text.contains("Working it out") && text.contains("How both play best"), "{text}");
    assert_eq!(client.get_ok(path).await, answered, "what was found is shown at once from now on");
    assert!(client.get_ok("/explore?game=tic-tac-toe&alice=1*&bob=1&whole=yes").await.contains("best-play"));
}

#[tokio::test]
async fn chess_with_chips_has_the_estimate_of_the_computer() {
    let client = Client::new().await;
    let hanging = "game=chess&position=4k3%2F4R3%2F8%2F8%2F8%2F8%2F4r3%2F4K3&alice=10*&bob=9";
    let page = client.get_ok(&format!("/explore?{hanging}&whole=yes")).await;
    let text = text_of(&page);
    assert!(text.contains("By an estimate, Alice wins with more than about"), "{text}");
    assert!(text.contains("Bid 9, use the star in a tie and move Rxe8."), "{text}");
    assert!(text.contains("Bid 9 and move Rxe1."), "{text}");
    assert!(text.contains("nothing here is proved"), "{text}");
    assert_eq!(text.matches("There is no exact answer here").count(), 1, "{text}");
    assert!(!text.contains("--time") && !text.contains('`'), "{text}");
    // The same bids as the hint in a match.
    let mechanism = richman_core::Mechanism::default();
    let subject = richman_analysis::Subject::named("chess").unwrap();
    let position = Some("4k3/4R3/8/8/8/8/4r3/4K3");
    let start = richman_core::ByPlayer::new("10*".parse().unwrap(), "9".parse().unwrap());
    let rules = richman_play::MatchRules { mechanism, start, limit: None };
    let effort = richman_core::Effort::default();
    let hints = richman_render::hint::Hints::solve(&subject, position, &rules, &effort).unwrap();
    let game = richman_play::Match::new(subject.walk(position).unwrap(), rules).unwrap();
    for player in Player::BOTH {
        let hint = hints.hint(&game, player, richman_play::Decision::Bid, effort.watch).unwrap();
        assert!(hint.text.contains("bid 9 "), "{}", hint.text);
    }
    let start = client.get_ok("/explore?game=chess&chips=200&whole=yes").await;
    assert!(text_of(&start).contains("of the 200 chips"), "{start}");
}

#[tokio::test]
async fn refusals_offer_what_to_do() {
    let client = Client::new().await;
    for (path, offers) in [
        ("/explore?game=expr", &["/explore?game=expr%3A%28A+%26+B%5E2%29+%26+B"][..]),
        ("/explore?game=expr%3AA+%26", &["/explore?game=expr%3A%28A+%26+B%5E2%29+%26+B"]),
        ("/explore?alice=4&bob=4", &["/explore?alice=4*&bob=4", "/explore?alice=4&bob=4*"]),
        ("/explore?alice=4*&bob=4*", &["/explore?alice=4*&bob=4", "/explore?alice=4&bob=4*"]),
        ("/explore?alice=4*&bob=4&ties=alice", &["/explore?alice=4&bob=4&ties=alice"]),
    ] {
        let (status, page) = client.get(path).await;
        assert!(status.is_client_error(), "{path}: {status}");
        let text = text_of(&page);
        assert!(!text.contains("Byte") && !text.contains('`'), "{path}: {text}");
        for offer in offers {
            assert!(links(&page).iter().any(|link| link == offer), "{path} does not offer {offer}: {text}");
            client.get_ok(offer).await;
        }
    }
}

#[tokio::test]
async fn no_page_shows_raw_backticks_or_bare_words() {
    let client = Client::new().await;
    for path in [
        "/explore",
        "/explore?table=5000",
        "/explore?game=nothing",
        "/explore?game=tic-tac-toe:rows=99",
        "/explore?position=XYZ",
        "/explore?game=connect&alice=100*&bob=100&whole=yes",
        "/explore?game=subtraction",
    ] {
        let text = text_of(&client.get(path).await.1);
        assert!(!text.contains('`'), "{path}: {text}");
        assert!(!text.contains("As in the paper") && !text.contains("Write nothing"), "{path}: {text}");
    }
}
