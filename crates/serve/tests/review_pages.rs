//! The review pages show the review, and nothing of a match in progress.

use crate::pages;
use crate::visitor;

use axum::http::StatusCode;
use pages::{Client, links, text_of};
use richman_analysis::{Games, Subject};
use richman_core::{ByPlayer, Effort, Player};
use richman_formats::Record;
use richman_hall::Created;
use richman_hall::setup::{MatchSetup, SeatChoice};
use richman_play::{Action, record, review};

/// DP10's game from section 1.1, in which Bob goes wrong.
const PRINTED: &str = include_str!("../../../examples/dp10-1-1.txt");

/// A game that Bob wins because Alice does not stop him.
const LOST: &str = "[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"] [Result \"Bob\"]
1. 1*-1 Alice b2 2. 1-1* Bob a1 3. 2-2 Bob c1 4. 2*-2 Alice c3 5. 4-4* Bob b1";

fn reviewed(text: &str) -> review::Review {
    let read = Record::parse("a.txt", text.as_bytes()).unwrap();
    let played =
        record::replay(record::walk(&Games::default(), &read, None, &Effort::default()).unwrap(), &read).unwrap();
    let subject = Subject::named(&read.game).unwrap();
    review::review(&subject, &played, &Effort::default()).unwrap()
}

async fn kept(client: &Client, text: &str) -> String {
    client.post_multipart("/review", &[("record", text)]).await.expect("a link to the review")
}

#[tokio::test]
async fn a_record_is_kept_and_reviewed() {
    let client = Client::new().await;
    let link = kept(&client, LOST).await;
    let report = reviewed(LOST);
    assert_eq!(client.get_ok(&format!("{link}/review.json")).await, serde_json::to_string(&report).unwrap() + "\n");
    let page = client.get_ok(&link).await;
    let text = text_of(&page);
    assert!(text.contains(&report.summary), "{text}");
    assert!(report.mistakes.iter().any(|mistake| !mistake.better.moves.is_empty()), "a wrong move");
    for mistake in &report.mistakes {
        assert!(text.contains(&format!("Turn {} {}", mistake.turn, mistake.text)), "{} in {text}", mistake.text);
    }
    // The first turn shown is the one where the result changed last.
    let last = report.mistakes.iter().rfind(|mistake| mistake.grade == review::MistakeGrade::Result).unwrap();
    assert!(text.contains(&format!("Turn {} of 5", last.turn)), "{text}");
    let svg = client.get_typed(&format!("{link}/margins.svg")).await;
    assert_eq!((svg.0, svg.1.as_str()), (StatusCode::OK, "image/svg+xml"));
    let plot = roxmltree::Document::parse(&svg.2).expect("a picture");
    assert_eq!(plot.root_element().tag_name().name(), "svg");
}

#[tokio::test]
async fn the_printed_game_is_reviewed() {
    let client = Client::new().await;
    let text = text_of(&client.get_ok(&kept(&client, PRINTED).await).await);
    let summary = "Alice won. With 4* against 4 Bob was lost from the start against best play: 1 chip short of a draw.";
    assert!(text.contains(summary) && text.contains("Turn 3 of 7"), "{text}");
}

#[tokio::test]
async fn turns_are_stepped_through_by_links() {
    let client = Client::new().await;
    let link = kept(&client, LOST).await;
    let report = reviewed(LOST);
    for turn in 1..=6 {
        let page = client.get_ok(&format!("{link}?turn={turn}")).await;
        let text = text_of(&page);
        let has = |turn: usize| links(&page).iter().any(|to| *to == format!("{link}?turn={turn}#turn"));
        assert!(turn == 1 || has(turn - 1), "before {turn}");
        assert!(turn == 6 || has(turn + 1), "after {turn}");
        let position = report.turns.get(turn - 1).map_or(&report.now.position, |turn| &turn.position);
        assert!(text.contains(&format!("Position {position}")), "{text}");
        for mistake in report.mistakes.iter().filter(|mistake| mistake.turn == turn) {
            assert!(text.matches(&mistake.text).count() >= 2, "in the list and at the board: {}", mistake.text);
            if let Some(better) = mistake.better.moves.first() {
                assert!(text.contains(&format!("best for {}: {better}", mistake.player)), "{text}");
                assert!(page.contains("marked"), "the better move is marked on the board");
            }
        }
    }
    for wrong in ["0", "7", "-1", "x", "99999999999999999999"] {
        assert_eq!(client.get(&format!("{link}?turn={wrong}")).await.0, StatusCode::NOT_FOUND, "{wrong}");
    }
}

#[tokio::test]
async fn three_things_come_before_the_folded_table() {
    let client = Client::new().await;
    let page = client.get_ok(&kept(&client, LOST).await).await;
    let digest = reviewed(LOST).digest;
    let text = text_of(&page);
    let at = |said: &str| text.find(said).unwrap_or_else(|| panic!("{said} in {text}"));
    assert!(digest.decided.starts_with("It was decided at turn "), "{digest:?}");
    let table = at("Every turn in a table");
    for said in [&digest.decided, &digest.best.alice, &digest.best.bob, &digest.learn] {
        assert!(!said.is_empty() && at(said) < table, "{said}");
    }
    let folded = page.find("<details class=\"every-turn\">").expect("the table is folded");
    assert!(folded < page.find("<table class=\"values turns\">").unwrap());
}

#[tokio::test]
async fn every_turn_can_be_played_on_from() {
    let client = Client::new().await;
    let link = kept(&client, LOST).await;
    for (turn, held) in reviewed(LOST).turns.iter().zip(1..) {
        let page = client.get_ok(&format!("{link}?turn={held}")).await;
        for opponent in ["computer", "friend"] {
            let play = links(&page).into_iter().find(|to| to.starts_with("/new?") && to.contains(opponent)).unwrap();
            let form = client.get_ok(&play.replace("&amp;", "&")).await;
            let has = |field: &str, value: &str| {
                form.contains(&format!("name=\"{field}\" type=\"text\" inputmode=\"numeric\" value=\"{value}\""))
            };
            let (alice, bob) = (turn.alice.0, turn.bob.0);
            assert!(
                has("alice_chips", &alice.chips().to_string()) && has("bob_chips", &bob.chips().to_string()),
                "{play}"
            );
            assert!(form.contains(&turn.position), "{play}");
            let star = if alice.has_star() { "alice" } else { "bob" };
            assert!(form.contains("name=\"game\" value=\"tic-tac-toe\""), "{play}");
            for chosen in [format!("star-{star}"), format!("opponent-{opponent}")] {
                let at = form.find(&format!("id=\"{chosen}\"")).unwrap();
                assert!(form[at..].split('>').next().unwrap().contains("checked"), "{chosen}");
            }
        }
    }
    // At the end nothing is left to play.
    assert!(!links(&client.get_ok(&format!("{link}?turn=6")).await).iter().any(|to| to.starts_with("/new?")));
}

#[tokio::test]
async fn wrong_records_are_refused_with_their_turn() {
    let client = Client::new().await;
    let wrong = [
        ("", "tag Game is missing"),
        ("no record at all", "ecord"),
        (&PRINTED.replace("2-2 Bob c1", "3-2 Bob c1"), "Turn 3"),
        (&PRINTED.replace("Alice c2", "Alice b2"), "Turn 7"),
        (&PRINTED.replace("[Result \"Alice\"]", "[Result \"Bob\"]"), "the result is Alice"),
        (&PRINTED.replace("tic-tac-toe", "tic-tac-tow"), "here is no game"),
        (&PRINTED.replace("[Alice \"4*\"]", "[Alice \"4*\"] [File \"mine.json\"]"), "game file"),
        ("[Game \"<script>\"] [Alice \"1*\"] [Bob \"1\"]", "here is no game"),
    ];
    for (text, reason) in wrong {
        let (status, page) = client.post_multipart_raw("/review", &[("record", text)]).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
        assert!(text_of(&page).contains(reason), "{reason} in {}", text_of(&page));
        assert!(!page.contains("<script>"), "escaped");
    }
    // A text that is too long comes back too, if it was read.
    let long = "x".repeat(3 << 19);
    let (status, page) = client.post_multipart_raw("/review", &[("record", &long)]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(page.contains("textarea") && page.contains(&long), "the form has what was typed");
    let long = "x".repeat(2 << 20);
    assert_eq!(client.post_multipart_raw("/review", &[("record", &long)]).await.0, StatusCode::PAYLOAD_TOO_LARGE);
    for unknown in ["/review/abcdefghijkmnpqrstuvwxyz23", "/review/short", "/review/..%2F..%2Fetc"] {
        assert_eq!(client.get(unknown).await.0, StatusCode::NOT_FOUND, "{unknown}");
    }
}

#[tokio::test]
async fn a_record_with_its_own_game_file() {
    let client = Client::new().await;
    let file = r#"{"name":"ours","start":"0","positions":{"win":{"winner":"alice"},"loss":{"winner":"bob"},
        "0":{"alice":["1"],"bob":["loss"]},"1":{"alice":["win"],"bob":["0"]}}}"#;
    let text =
        "[Game \"ours\"] [File \"ours.json\"] [Alice \"3*\"] [Bob \"3\"] 1. 1-0 Alice 1 2. 2-3 Bob 0 3. 0-1 Bob loss";
    let link = client.post_multipart("/review", &[("record", text), ("rules", file)]).await.unwrap();
    let page = text_of(&client.get_ok(&link).await);
    assert!(page.contains("Review ours") && page.contains("The game file"), "{page}");
    assert_eq!(client.get_ok(&format!("{link}/game.json")).await, file);
    let explore = links(&client.get_ok(&link).await).into_iter().find(|to| to.starts_with("/explore?file=")).unwrap();
    let explored = text_of(&client.get_ok(&explore).await);
    assert!(explored.contains("Explore ours"), "{explored}");
    let play = links(&client.get_ok(&link).await).into_iter().find(|to| to.starts_with("/new?")).unwrap();
    assert!(text_of(&client.get_ok(&play).await).contains("\"name\":\"ours\""), "{play} has the game file");
}

/// A match between two people.
async fn match_of_two(client: &Client) -> Created {
    let setup = MatchSetup {
        game: "tug-of-war:length=2,at=1".to_string(),
        file: None,
        position: None,
        mechanism: Default::default(),
        holdings: ByPlayer::new("1*".to_string(), "2".to_string()),
        limit: 20,
        seats: ByPlayer::new(SeatChoice::Person, SeatChoice::Person),
        one_screen: true,
        guided: false,
        seed: 1,
    };
    client.app.hall.create(setup).await.unwrap()
}

/// A player who comes from an own match reads "you" on every page of the review, and no own name in
/// any sentence; anybody else reads names.
#[tokio::test]
async fn a_review_calls_the_player_you_whose_seat_it_is() {
    let visitor = visitor::Visitor::new();
    let page = visitor.set_up(&[("game", "tic-tac-toe"), ("opponent", "friend")]).await;
    let over = visitor.submit(&page, "#resign form", &[("resign", "yes")]).await;
    let link = over.attrs(".over a[href^='/review/']", "href").remove(0);
    assert!(link.ends_with("?as=alice"), "{link}");
    let told = visitor.get(&link).await;
    for part in [".digest", ".mistakes", ".deed"] {
        assert!(!told.says(part).contains("Alice"), "{}", told.says(part));
    }
    assert!(told.says(".digest").contains("You resigned"), "{}", told.says(".digest"));
    let steps = told.attrs(".steps a, .mistakes a", "href");
    assert!(!steps.is_empty() && steps.iter().all(|to| to.contains("&as=alice")), "{steps:?}");
    let plain = visitor.get(link.split('?').next().unwrap()).await;
    assert!(plain.says(".digest").contains("Alice resigned"), "{}", plain.says(".digest"));
}

#[tokio::test]
async fn a_match_is_reviewed_when_it_is_over_and_not_before() {
    let client = Client::new().await;
    let created = match_of_two(&client).await;
    let link = format!("/review/{}", created.id);
    let token = created.tokens[0].clone().unwrap();
    let actions = [
        (Player::Alice, Action::Bid(1)),
        (Player::Bob, Action::Bid(1)),
        (Player::Alice, Action::UseStar(true)),
        (Player::Alice, Action::Move("0".to_string())),
    ];
    let mut steps = ByPlayer::both(0);
    for (player, action) in actions {
        for path in
            [link.clone(), format!("{link}/review.json"), format!("{link}/margins.svg"), format!("{link}?turn=1")]
        {
            let (status, body) = client.get(&path).await;
            assert_eq!(status, StatusCode::CONFLICT, "{path}");
            assert!(text_of(&body).contains("still being played"), "{body}");
        }
        client.app.hall.act(&token, Some(player), steps[player], action).await.unwrap();
        steps[player] += 1;
    }
    let text = text_of(&client.get_ok(&link).await);
    assert!(text.contains("Bob bid 1, too low: 2 would have kept the win."), "{text}");
}

#[tokio::test]
async fn every_page_is_sound() {
    let visitor = visitor::Visitor::new();
    assert!(visitor.get("/review").await.status.is_success());
    let page = visitor.post_parts("/review", &[("record", PRINTED)]).await;
    assert!(page.path.starts_with("/review/") && page.status.is_success(), "{}", page.path);
    for turn in 1..=8 {
        let page = visitor.get(&format!("{}?turn={turn}", page.path)).await;
        assert_eq!(page.attrs("tr.current th a", "href").len(), 1, "{}", page.path);
        let explore = page.attrs("a[href^='/explore']", "href");
        assert!(visitor.get(&explore[0]).await.status.is_success(), "{}", explore[0]);
    }
    let wrong = visitor.post_parts("/review", &[("record", "no <b>record</b>")]).await;
    assert!(wrong.has("[role=alert]") && wrong.says("textarea#record") == "no <b>record</b>", "{}", wrong.text);
}

/// The text of a page, without the choices of its menus.
fn spoken(page: &str) -> String {
    let mut parts = page.split("<select");
    let first = parts.next().unwrap_or_default().to_string();
    let rest = parts.map(|part| part.split_once("</select>").map_or("", |(_, after)| after));
    text_of(&rest.fold(first, |page, part| page + part))
}

fn speaks_of_a_star(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    text.contains(['*', '★']) || words.any(|word| word.eq_ignore_ascii_case("star"))
}

/// If a player wins every tie there is no star, and no page mentions one.
#[tokio::test]
async fn without_a_star_no_page_speaks_of_one() {
    let client = Client::new().await;
    let visitor = visitor::Visitor::new();
    for ties in ["alice", "bob"] {
        for (bidding, right, bids) in
            [("sealed", "chooses", "all"), ("bob-first", "moves", "1+2"), ("alice-first", "moves", "0+2")]
        {
            let flags = [("ties", ties), ("bidding", bidding), ("right", right), ("bids", bids)];
            for asked in [
                &[][..],
                &[("chips", "6")],
                &[("alice", "3"), ("bob", "3")],
                &[("alice", "3"), ("bob", "3"), ("payment", "poorman")],
                &[("chips", "6"), ("payment", "poorman")],
            ] {
                let fields = [&[("game", "tug-of-war")][..], &flags[..], asked].concat();
                let path = format!("/explore?{}", serde_urlencoded::to_string(&fields).unwrap());
                let text = spoken(&visitor.get(&path).await.text);
                assert!(!speaks_of_a_star(&text), "{path}: {text}");
            }
            let mut page = visitor
                .set_up(&[&[("game", "tug-of-war"), ("chips", "3"), ("opponent", "screen")][..], &flags[..]].concat())
                .await;
            for bid in ["1", "2", "1", "2"] {
                let text = spoken(&page.text);
                assert!(!speaks_of_a_star(&text), "{flags:?}: {text}");
                if page.has("form.bid") {
                    page = visitor.submit(&page, "form.bid", &[("bid", bid)]).await;
                }
            }
            // The form as it comes back with errors.
            let fields = [&[("game", "tug-of-war"), ("chips", "x")][..], &flags[..]].concat();
            let text = spoken(&visitor.post_parts("/new", &fields).await.text);
            assert!(!speaks_of_a_star(&text), "{flags:?}: {text}");
        }
        let record = format!(
            "[Game \"tug-of-war\"] [Ties \"{ties}\"] [Alice \"4\"] [Bob \"4\"] 1. 1-0 Alice 2 2. 0-2 Bob 3 3. 1-2 Bob 4"
        );
        let text = spoken(&client.get_ok(&kept(&client, &record).await).await);
        assert!(!speaks_of_a_star(&text), "{text}");
    }
}
