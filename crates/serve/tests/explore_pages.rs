//! The explore pages show the numbers of the reports, and survive hostile questions.

use crate::pages;
use crate::visitor;
use crate::visitor::Visitor;

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use pages::{Client, links, text_of};
use richman_analysis::ReportHead;
use richman_analysis::chips::HoldingsQuery;
use richman_analysis::money::{MoneyReport, of_evaluation};
use richman_analysis::{Request, ScoreRequest, Subject, chips, holdings, money, scores, table};
use richman_core::{Effort, End, Mechanism, Player, Preset, Total, Walk};
use richman_hex::engine::worth::count;

/// A position with a mechanism, unfolded by the library itself.
fn with_request<T>(game: &str, position: Option<&str>, mechanism: &Mechanism, ask: impl FnOnce(&Request) -> T) -> T {
    let subject = Subject::named(game).unwrap();
    let unfolding = subject.unfold(position, &Effort::default()).unwrap();
    let effort = Effort { held: unfolding.bytes(), ..Effort::default() }.within_time(Duration::from_secs(20));
    ask(&Request { unfolding: unfolding.as_ref(), mechanism, effort })
}

fn json(report: &impl serde::Serialize) -> String {
    serde_json::to_string(report).unwrap() + "\n"
}

/// The address of a question; a page is wanted with its answer.
fn link(path: &str, fields: &[(&str, &str)]) -> String {
    let whole = if path == "/explore" { "&whole=yes" } else { "" };
    format!("{path}?{}{whole}", serde_urlencoded::to_string(fields).unwrap())
}

const POSITIONS: [(&str, Option<&str>); 9] = [
    ("tic-tac-toe", None),
    ("tic-tac-toe", Some("A.B/.A./...")),
    ("tic-tac-toe", Some("AB./BA./...")),
    ("connect:rows=3,cols=3,line=3", None),
    ("connect:rows=3,cols=3,line=3", Some(".../.A./AB.")),
    ("tug-of-war", None),
    ("tug-of-war:length=9,at=4", None),
    ("ultimatum", None),
    ("expr:(A & B^2) & B", None),
];

#[tokio::test]
async fn real_money_is_that_of_the_report() {
    let client = Client::new().await;
    for (game, position) in POSITIONS {
        for payment in ["richman", "poorman", "taxman:1/3"] {
            let mechanism = Mechanism { payment: payment.parse().unwrap(), ..Mechanism::default() };
            let report = with_request(game, position, &mechanism, |request| money::report(request).unwrap().0);
            let fields = [("game", game), ("position", position.unwrap_or_default()), ("payment", payment)];
            if report.exact {
                assert_eq!(
                    client.get_ok(&link("/explore/solve.json", &fields)).await,
                    json(&report),
                    "{game} {payment}"
                );
            }
            let page = client.get_ok(&link("/explore", &fields)).await;
            let text = text_of(&page);
            if let Some(win) = report.win.0.as_exact().filter(|_| report.exact && !report.moves.alice.is_empty()) {
                let decimal = format!("{win} ({:.6})", win.to_f64());
                let says = text.contains(&decimal) || text.contains("Alice cannot force a win");
                assert!(says || win.to_string().len() > 60, "{game} {position:?} {payment}: {decimal} in {text}");
            }
            for name in report.moves.alice.iter().chain(&report.moves.bob).take(3) {
                assert!(text.contains(&format!("{name} best")), "{game} {position:?} {payment}: best move {name}");
            }
        }
    }
}

#[tokio::test]
async fn chips_are_those_of_the_report() {
    let client = Client::new().await;
    let developed = Preset::DevelinPayne.mechanism();
    let larsson = Preset::Larsson.mechanism();
    for (game, position) in POSITIONS {
        for (preset, mechanism) in [("develin-payne", &developed), ("larsson", &larsson)] {
            for total in [0, 1, 8, 13] {
                let total = Total::new(total).unwrap();
                let report = with_request(game, position, mechanism, |request| chips::report(request, total).unwrap());
                let chips = total.to_string();
                let fields =
                    [("game", game), ("position", position.unwrap_or_default()), ("preset", preset), ("chips", &chips)];
                assert_eq!(client.get_ok(&link("/explore/solve.json", &fields)).await, json(&report));
            }
            for (alice, bob) in [("4*", "4"), ("3", "5*"), ("0*", "0")] {
                let hands = HoldingsQuery { alice: alice.parse().unwrap(), bob: bob.parse().unwrap(), trace: false };
                let total = hands.total(mechanism).unwrap();
                let report = with_request(game, position, mechanism, |request| {
                    chips::full_report(request, total, Some(hands)).unwrap().0
                });
                let fields = [
                    ("game", game),
                    ("position", position.unwrap_or_default()),
                    ("preset", preset),
                    ("alice", alice),
                    ("bob", bob),
                ];
                assert_eq!(client.get_ok(&link("/explore/solve.json", &fields)).await, json(&report));
                let text = text_of(&client.get_ok(&link("/explore", &fields)).await);
                let holdings = report.holdings.unwrap();
                let said = match holdings.outcome {
                    richman_core::Outcome::Win(player) => format!("{player} "),
                    richman_core::Outcome::Draw => "Both can force a draw".to_string(),
                    richman_core::Outcome::Undetermined => "Undetermined".to_string(),
                };
                assert!(text.contains(&said), "{game} {position:?} {alice} {bob}: {text}");
                if let Some(moves) = holdings.within.filter(|moves| *moves > 1) {
                    assert!(text.contains(&format!("within {moves} moves")), "{text}");
                }
            }
        }
    }
}

fn counted(walk: &dyn Walk) -> MoneyReport {
    let mechanism = Mechanism::default();
    let evaluation = count(walk, &mechanism, &Effort::default()).unwrap().unwrap();
    of_evaluation(ReportHead::at(walk, &mechanism), &evaluation)
}

#[tokio::test]
async fn hex_is_counted_and_not_unfolded() {
    let client = Client::new().await;
    for position in
        [None, Some("........./..A....../...B...../........./....A..../........./......B../........./.........")]
    {
        let fields = [("game", "hex:size=9"), ("position", position.unwrap_or_default())];
        let walk = Subject::named("hex:size=9").unwrap().walk(position).unwrap();
        let report = counted(walk.as_ref());
        assert_eq!(client.get_ok(&link("/explore/solve.json", &fields)).await, json(&report));
        let csv = client.get_ok(&link("/explore/solve.csv", &fields)).await;
        assert_eq!(csv.lines().count(), 2 + report.cells.len());
        let page = client.get_ok(&link("/explore", &fields)).await;
        let coloured =
            page.lines().filter(|line| line.starts_with("<polygon") && line.contains("% of the fillings")).count();
        assert_eq!((coloured, report.cells.len()), (walk.moves(Player::Bob).len(), coloured), "every open cell");
        let text = text_of(&page);
        assert!(text.contains(&format!("{} best", report.moves.alice[0])) && text.contains("all fillings"), "{text}");
        for path in ["/explore/table.json", "/explore/figure.svg", "/explore/tree.svg", "/explore/tree.json"] {
            let (status, said) = client.get(&link(path, &fields)).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
            assert!(text_of(&said).replace('\n', " ").contains("more than 3000000 positions"), "{path}: {said}");
        }
        for chips in [&[("chips", "8")][..], &[("alice", "4*"), ("bob", "4")]] {
            let asked: Vec<(&str, &str)> = fields.iter().chain(chips).copied().collect();
            let page = client.get_ok(&link("/explore", &asked)).await;
            let text = text_of(&page);
            assert_eq!(text.matches("start from a later position").count(), 1, "{text}");
            assert!(text.contains("By an estimate") && text.contains("nothing here is proved"), "{text}");
            assert!(!text.contains("no such limits") && !text.contains("Chip table and tree"), "{text}");
            assert!(page.contains("<polygon"), "the board is there");
            assert!(text.contains("What the position is worth in real money"), "{text}");
        }
    }
    // The value listed for a move equals the value of the position after it.
    let three = [("game", "hex:size=3"), ("position", "A../.B./...")];
    let walk = Subject::named("hex:size=3").unwrap().walk(Some("A../.B./...")).unwrap();
    let now = count(walk.as_ref(), &Mechanism::default(), &Effort::default()).unwrap().unwrap();
    let page = text_of(&client.get_ok(&link("/explore", &three)).await);
    for player in Player::BOTH {
        for after in &now.after[player] {
            let mut next = walk.clone();
            next.play(player, &after.name).unwrap();
            let here = count(next.as_ref(), &Mechanism::default(), &Effort::default()).unwrap();
            let needed = after.value.clone().unwrap();
            match here {
                Some(here) => assert_eq!(needed, here.here, "{player} {}", after.name),
                None => assert_eq!(next.end(), Some(End::Win(player)), "{player} {}", after.name),
            }
            let needed = needed.middle();
            assert!(page.contains(&format!("({needed:.4})")) || needed == 0.0 || needed == 1.0, "{page}");
        }
    }
    // Too large to count here: estimated, and labelled so.
    let page = client.get_ok(&link("/explore", &[("game", "hex:size=13")])).await;
    assert!(text_of(&page).contains("99% confidence"));
}

#[tokio::test]
async fn hex_boards_that_are_none_are_refused() {
    let client = Client::new().await;
    let junk = "A".repeat(1000);
    for (game, position, cause) in [
        ("hex:size=3", "AB.", "it has 1 row"),
        ("hex:size=3", "A../.../....", "its row 3 has 4 cells"),
        ("hex:size=3", "A../.X./...", "is none of A, B and ."),
        ("hex:size=3", &junk, "it has 1 row"),
        ("hex:size=17", "", "more than 256 cells"),
        ("hex:rows=0", "", "out of range"),
    ] {
        for path in ["/explore", "/explore/solve.json", "/explore/table.json"] {
            let (status, page) = client.get(&link(path, &[("game", game), ("position", position)])).await;
            assert!(status.is_client_error(), "{path} {game} {position}: {status}");
            let text = text_of(&page);
            assert_eq!(text.matches(cause).count(), 1, "{path} {game} {position}: {text}");
        }
    }
}

#[tokio::test]
async fn where_the_bank_is_paid_holdings_count() {
    let client = Client::new().await;
    for payment in ["poorman", "taxman:1/2"] {
        let mechanism = Mechanism { payment: payment.parse().unwrap(), ..Mechanism::default() };
        let hands = HoldingsQuery { alice: "7*".parse().unwrap(), bob: "5".parse().unwrap(), trace: false };
        let report =
            with_request("tug-of-war", None, &mechanism, |request| chips::purses_report(request, hands).unwrap().0);
        let fields = [("game", "tug-of-war"), ("payment", payment), ("alice", "7*"), ("bob", "5")];
        assert_eq!(client.get_ok(&link("/explore/solve.json", &fields)).await, json(&report));
        let against = with_request("tug-of-war:length=4,at=2", None, &mechanism, |request| {
            holdings::report(request, Player::Bob, Total::new(0).unwrap()..=Total::new(6).unwrap()).unwrap()
        });
        let fields = [("game", "tug-of-war:length=4,at=2"), ("payment", payment), ("table", "6")];
        assert_eq!(client.get_ok(&link("/explore/table.json", &fields)).await, json(&against));
        let text = text_of(&client.get_ok(&link("/explore", &fields)).await);
        assert!(text.contains("--bob 0..6"), "{text}");
    }
    let (status, page) = client.get(&link("/explore", &[("payment", "poorman"), ("chips", "8")])).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(
        text_of(&page).contains("fill in \u{201c}Alice holds\u{201d} and"),
        "the board is still there, with what to do"
    );
}

#[tokio::test]
async fn tables_are_those_of_the_report() {
    let client = Client::new().await;
    for (game, position) in POSITIONS.into_iter().take(6) {
        let end = Total::new(12).unwrap();
        let report = with_request(game, position, &Mechanism::default(), |request| {
            table::report(request, Total::new(0).unwrap()..=end, false).unwrap()
        });
        let fields = [("game", game), ("position", position.unwrap_or_default()), ("table", "12")];
        assert_eq!(client.get_ok(&link("/explore/table.json", &fields)).await, json(&report), "{game}");
        let csv = client.get_ok(&link("/explore/table.csv", &fields)).await;
        assert_eq!(csv.lines().count(), 14);
        let row = &report.rows[7];
        let holding = |threshold: &richman_analysis::ThresholdJson| threshold.threshold.unwrap().0.to_string();
        let cells = format!(
            "7,{},{},{},{},{},{}",
            holding(&row.win),
            row.win.plain,
            row.win.star,
            holding(&row.draw),
            row.draw.plain,
            row.draw.star
        );
        assert!(csv.lines().any(|line| line == cells), "{cells} in {csv}");
    }
    let text = text_of(&client.get_ok("/explore?table=255&whole=yes").await);
    assert!(text.contains("threshold(k + 256 ) = threshold(k) + 133 for every k ≥ 6"), "{text}");
}

#[tokio::test]
async fn scoring_games_have_their_values() {
    let client = Client::new().await;
    let mechanism = Preset::Larsson.mechanism();
    for (game, total, alice) in [("subtraction", 9, None), ("subtraction:heap=12,set=1+3", 7, Some("4*"))] {
        let subject = Subject::named(game).unwrap();
        let unfolding = subject.unfold_for::<richman_core::Scores>(None, &Effort::default()).unwrap();
        let effort = Effort { held: unfolding.bytes(), ..Effort::default() };
        let request = ScoreRequest { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort };
        let solution = request.solve(Total::new(total).unwrap()).unwrap();
        let choices = scores::ScoreOptions {
            alice: alice.map(|alice: &str| alice.parse().unwrap()),
            ..scores::ScoreOptions::default()
        };
        let report = scores::report(&request, &solution, &choices).unwrap();
        let chips = total.to_string();
        let mut fields = vec![("game", game)];
        match alice {
            Some(alice) => fields.extend([("alice", alice), ("bob", "3")]),
            None => fields.push(("chips", &chips)),
        }
        assert_eq!(client.get_ok(&link("/explore/solve.json", &fields)).await, json(&report));
        let text = text_of(&client.get_ok(&link("/explore", &fields)).await);
        assert!(text.contains("richman scores"), "{text}");
        let value = report.maximin.star_alice[0].0;
        assert!(text.contains(&format!(" {total} {value} ")), "{total} {value} in {text}");
    }
}

#[tokio::test]
async fn a_tree_is_a_picture_and_json() {
    let client = Client::new().await;
    let (status, kind, svg) = client.get_typed("/explore/tree.svg?game=tic-tac-toe&depth=2").await;
    assert_eq!((status, kind.as_str()), (StatusCode::OK, "image/svg+xml"));
    assert!(svg.contains("133/256"), "{svg}");
    let json: serde_json::Value =
        serde_json::from_str(&client.get_ok("/explore/tree.json?game=tic-tac-toe&depth=2").await).unwrap();
    assert_eq!(json["nodes"][0]["win"], "133/256");
    // The page expects a picture, so the error is one too.
    let (status, kind, svg) = client.get_typed("/explore/tree.svg?game=subtraction").await;
    assert_eq!((status, kind.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "image/svg+xml"));
    assert!(svg.contains("is played for a score"), "{svg}");
}

#[tokio::test]
async fn moves_lead_on_and_the_start_is_one_link_away() {
    let client = Client::new().await;
    let page = client.get_ok("/explore?game=tic-tac-toe&alice=4*&bob=4").await;
    let links = pages::links(&page);
    let to = links.iter().find(|link| link.contains("position=...%2F.A.%2F...")).expect("Alice's move to the centre");
    assert!(to.contains("alice=4*") && to.contains("bob=4"), "{to}");
    let page = client.get_ok(to).await;
    assert!(text_of(&page).contains(".../.A./..."));
    assert!(pages::links(&page).iter().any(|link| link == "/explore?game=tic-tac-toe&alice=4*&bob=4"), "back");
}

#[tokio::test]
async fn a_form_becomes_a_short_link() {
    let client = Client::new().await;
    let form = "/explore?was=tic-tac-toe&game=connect%3Arows%3D3%2Ccols%3D3%2Cline%3D3&position=A..%2F...%2F...\
                &chips=&alice=&bob=&preset=&payment=";
    assert_eq!(
        client.redirect(form).await.as_deref(),
        Some("/explore?game=connect%3Arows%3D3%2Ccols%3D3%2Cline%3D3"),
        "the position was another game's"
    );
}

/// No match of it is played, but it is explored, with real money and with chips.
#[tokio::test]
async fn games_that_never_end_are_explored() {
    let client = Client::new().await;
    let file = r#"{"name":"tower","start":"tower","positions":{"hers":{"winner":"alice"},"his":{"winner":"bob"},
        "tower":{"alice":["tower"],"bob":["tower","toss"],"priority":2},
        "toss":{"alice":["hers"],"bob":["his"]}}}"#;
    let to = client.post_multipart("/explore/file", &[("text", file)]).await.expect("a link to the game");
    let money = text_of(&client.get_ok(&format!("{to}&whole=yes")).await);
    assert!(money.contains("1/2") && money.contains("recur forever"), "{money}");
    let poorman = text_of(&client.get_ok(&format!("{to}&payment=poorman&whole=yes")).await);
    assert!(poorman.contains("richman tree") && !poorman.contains("not supported"), "{poorman}");
    let chips = text_of(&client.get_ok(&format!("{to}&chips=8&whole=yes")).await);
    assert!(chips.contains("8 chips") && chips.contains("richman tree") && chips.contains("toss"), "{chips}");
    let shifts = r#"{"name":"shifts","start":"left","objective":"mean-payoff","positions":{
        "left":{"both":["left","middle"]},"middle":{"both":["left","right"]},
        "right":{"both":["middle","right"],"weight":1}}}"#;
    let to = client.post_multipart("/explore/file", &[("text", shifts)]).await.expect("a link to the game");
    let average = text_of(&client.get_ok(&format!("{to}&payment=poorman&share=2/3&whole=yes")).await);
    assert!(average.contains("The long-run average is 4/7") && !average.contains("Chip table"), "{average}");
    let chips = text_of(&client.get_ok(&format!("{to}&chips=4&position=middle&whole=yes")).await);
    assert!(chips.contains("0* to 3*") && chips.contains("1/4") && !chips.contains("Chip table"), "{chips}");
    let wanted = text_of(&client.get_ok(&format!("{to}&payment=poorman&at_least=4/7&whole=yes")).await);
    assert!(wanted.contains("at least 4/7") && wanted.contains("more than 2/3"), "{wanted}");
    assert!(wanted.contains("--at-least 4/7"), "{wanted}");
    let table = text_of(&client.get_ok(&format!("{to}&chips=4&at_least=1/4&table=5&whole=yes")).await);
    assert!(table.contains("at least 1/4") && table.contains("Chip table"), "{table}");
    assert!(average.contains("--share 2/3") && average.contains("Alice moves to keep to it: middle"), "{average}");
}

/// It has no thresholds, here or anywhere, and no matches.
#[tokio::test]
async fn a_game_of_chance_is_not_offered_for_play() {
    let client = Client::new().await;
    let file = include_str!("../../../examples/throws.json");
    let to = client.post_multipart("/explore/file", &[("text", file)]).await.expect("a link to the game");
    let (status, page) = client.get(&format!("{to}&whole=yes")).await;
    let page = text_of(&page);
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("Chance moves in this game too") && page.contains("richman random-turn"), "{page}");
    assert!(!page.contains("Play the computer") && !page.contains("no such limits"), "{page}");
}

#[tokio::test]
async fn own_game_files_are_explored() {
    let client = Client::new().await;
    let file = r#"{"name":"ours <b>","start":"0","positions":{"win":{"winner":"alice"},"loss":{"winner":"bob"},
        "0":{"alice":["1"],"bob":["loss"]},"1":{"alice":["win"],"bob":["0"]}}}"#;
    let to = client.post_multipart("/explore/file", &[("text", file)]).await.expect("a link to the game");
    let page = client.get_ok(&to).await;
    let text = text_of(&page);
    assert!(text.contains("ours <b>") && !page.contains("ours <b>"), "names are escaped");
    let subject = Subject::from_file("ours", file.as_bytes(), &Effort::default()).unwrap();
    let unfolding = subject.unfold(None, &Effort::default()).unwrap();
    let effort = Effort { held: unfolding.bytes(), ..Effort::default() };
    let request = Request { unfolding: unfolding.as_ref(), mechanism: &Mechanism::default(), effort };
    let report = money::report(&request).unwrap().0;
    assert_eq!(client.get_ok(&to.replace("/explore?", "/explore/solve.json?")).await, json(&report));
    for wrong in ["", "{", "[]", "{\"name\":\"x\"}", "\u{0}"] {
        let (status, _) = client.post_multipart_raw("/explore/file", &[("text", wrong)]).await;
        assert!(status.is_client_error(), "{wrong:?}: {status}");
    }
    let (status, _) = client.post_multipart_raw("/explore/file", &[("text", &"x".repeat(100 << 10))]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    // Its game can be played from here.
    let play = links(&page).into_iter().find(|to| to.starts_with("/new?") && to.contains("computer")).unwrap();
    let form = client.get_ok(&play).await;
    assert!(
        form.contains("name=\"game\" value=\"file\"") && text_of(&form).contains("\"name\":\"ours <b>\""),
        "{form}"
    );
    let (status, _) = client.get("/explore?file=abcdefghijkmnpqrstuvwxyz23").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn hostile_questions_are_refused_in_time() {
    let client = Client::new().await;
    let long = "x".repeat(10_000);
    let nested = format!("expr:{}A{}", "(".repeat(900), ")".repeat(900));
    let questions: Vec<Vec<(&str, &str)>> = vec![
        vec![("game", "connect")],
        vec![("game", "tic-tac-toe:rows=8,cols=7,line=5")],
        vec![("game", "tic-tac-toe:rows=99999")],
        vec![("game", "tug-of-war:length=10000000"), ("chips", "1000000")],
        vec![("game", "ultimatum:degree=10000000")],
        vec![("chips", "4294967295")],
        vec![("chips", "99999999999999999999999")],
        vec![("chips", "-1")],
        vec![("alice", "4*"), ("bob", "4*")],
        vec![("alice", "4"), ("bob", "4")],
        vec![("alice", "4*")],
        vec![("alice", "2147483647*"), ("bob", "1")],
        vec![("game", "no-such-game")],
        vec![("game", &long)],
        vec![("game", &nested), ("table", "1024")],
        vec![("game", "/etc/passwd")],
        vec![("game", "-")],
        vec![("file", "../../etc/passwd")],
        vec![("position", "ABABAB")],
        vec![("position", "<script>alert(1)</script>")],
        vec![("payment", "taxman:1/0")],
        vec![("payment", "taxman:5/3")],
        vec![("bids", "0+x")],
        vec![("bids", &long)],
        vec![("table", "1000000")],
        vec![("within", "4294967296")],
        vec![("game", "subtraction:heap=1000000"), ("chips", "1000000")],
        vec![("game", "subtraction"), ("within", "3")],
    ];
    let paths = [
        "/explore",
        "/explore/solve.json",
        "/explore/solve.csv",
        "/explore/table.csv",
        "/explore/tree.svg",
        "/explore/figure.svg",
    ];
    for fields in &questions {
        for path in paths {
            let begun = Instant::now();
            let (status, body) = client.get(&link(path, fields)).await;
            // Tables and trees report errors even in parts that they do not depend on.
            let may_work = is_slow_but_fine(fields);
            assert!(status.is_client_error() || (may_work && status == StatusCode::OK), "{path} {fields:?}: {status}");
            assert!(!body.contains("<script>alert"), "{path} {fields:?}");
            assert!(begun.elapsed() < Duration::from_secs(30), "{path} {fields:?} took {:?}", begun.elapsed());
        }
    }
    for raw in ["/explore?game=a&game=b", "/explore?game=%ff%fe", "/explore?%", "/explore?=&&&=="] {
        let (status, _) = client.get(raw).await;
        assert!(status.is_client_error() || status == StatusCode::OK, "{raw}: {status}");
    }
}

/// Large games that a fast machine may solve in time, and boards with known bounds.
fn is_slow_but_fine(fields: &[(&str, &str)]) -> bool {
    let fine = |game: &str| {
        game.contains("0000000")
            || ["expr", "connect", "tic-tac-toe:rows=8"].iter().any(|known| game.starts_with(known))
    };
    fields.iter().any(|(name, game)| *name == "game" && fine(game))
}

#[tokio::test]
async fn every_page_is_sound() {
    let visitor = visitor::Visitor::new();
    let pages = [
        "/explore",
        "/explore?alice=4*&bob=4",
        "/explore?chips=8&preset=larsson",
        "/explore?payment=poorman&alice=7*&bob=5",
        "/explore?bidding=alice-first&alice=4*&bob=4&mover=bob",
        "/explore?game=connect%3Arows%3D3%2Ccols%3D3%2Cline%3D3&position=...%2F...%2F.A.",
        "/explore?game=tug-of-war&goal=draw&depth=5",
        "/explore?game=ultimatum&within=3",
        "/explore?game=expr%3A%28A+%26+B%5E2%29+%26+B",
        "/explore?game=subtraction&alice=6*&bob=3",
        "/explore?game=subtraction%3Aset%3D1%2B3&chips=4&bids=0%2B1%2B3&ties=advantage",
        "/explore?position=AAA%2FBB.%2F...",
        "/explore?bids=0%2B5&chips=8",
        "/explore?game=nothing",
        "/explore?position=XYZ",
        "/explore?alice=1",
    ];
    for path in pages {
        let page = visitor.get(path).await;
        // A table that takes too long is replaced by a message; everything else is there.
        let wrong = page.has("main > [role=alert], .worth [role=alert]");
        assert_eq!(page.status.is_success(), !wrong, "{path}: {}", page.says("main"));
    }
}

#[tokio::test]
async fn other_sites_may_frame_a_board_and_nothing_else() {
    let visitor = Visitor::new();
    let framed = visitor.get("/embed?game=tic-tac-toe&position=A.B/.A./...").await;
    assert_eq!(framed.status, StatusCode::OK);
    let policy = framed.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("frame-ancestors *") && policy.contains("form-action 'none'"), "{policy}");
    assert!(!framed.headers.contains_key("x-frame-options"));
    assert!(framed.has("svg") && !framed.has("form, button, input"), "{}", framed.text);
    assert!(framed.says("figcaption").contains("Alice"), "{}", framed.text);
    for path in ["/", "/explore?game=tic-tac-toe&whole=yes", "/embed?game=nosuch", "/new"] {
        let page = visitor.get(path).await;
        assert_eq!(page.headers["x-frame-options"], "DENY", "{path}");
        let policy = page.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
    }
}
