//! Playing on the pages as a visitor without a script does.

use crate::visitor;

use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use futures_util::StreamExt;
use visitor::{Page, Visitor};

/// Both holdings, as shown on the page.
fn chips(page: &Page) -> [u32; 2] {
    let numbers: Vec<u32> = page.all("#match .holding .number").iter().map(|text| text.parse().unwrap()).collect();
    [numbers[0], numbers[1]]
}

/// Makes the decision that is due: bids at most `bid`, keeps the star, makes move `number`.
async fn decide(visitor: &Visitor, page: &Page, bid: u32, number: usize) -> Page {
    if page.has("form.bid") {
        let is_bob = page.has(".action.bob");
        let most = chips(page)[usize::from(is_bob)];
        return visitor.submit(page, "form.bid", &[("bid", &bid.min(most).to_string())]).await;
    }
    if page.has("#moves") {
        let moves = page.attrs("#moves button[name=move], #moves option", "value");
        return visitor.submit(page, "#moves", &[("move", &moves[number % moves.len()])]).await;
    }
    visitor.submit(page, ".action form", &[("star", "keep")]).await
}

/// Plays a match of one person to its end.
async fn play_out(visitor: &Visitor, mut page: Page, total: u32) -> Page {
    for number in 0..400 {
        page = visitor.patient(&page).await;
        assert_eq!(chips(&page).iter().sum::<u32>(), total);
        if page.has(".over") {
            return page;
        }
        page = decide(visitor, &page, 1 + number % 3, number as usize).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    }
    panic!("no end");
}

#[tokio::test]
async fn a_match_against_the_computer_by_plain_forms() {
    let visitor = Visitor::new();
    let page = visitor
        .set_up(&[
            ("game", "tic-tac-toe"),
            ("chips", "6"),
            ("opponent", "computer"),
            ("level", "random"),
            ("side", "alice"),
        ])
        .await;
    assert_eq!(page.says("h1"), "Your bid");
    assert_eq!(page.all(".player .name"), ["Alice you", "Bob computer, random"]);
    let end = play_out(&visitor, page, 12).await;
    assert!(!end.has("form.bid") && !end.has("#moves") && !end.has("#resign"), "{}", end.text);

    let review = end.attrs(".over a[href^='/review/']", "href");
    let record = visitor.get(&review[0].replace("/review/", "/record/")).await;
    assert!(record.text.contains("[Game \"tic-tac-toe\"]"), "{}", record.text);
    assert!(record.headers[CONTENT_DISPOSITION].to_str().unwrap().starts_with("attachment"));
    assert!(record.headers[CONTENT_TYPE].to_str().unwrap().starts_with("text/plain"));

    let again = visitor.submit(&end, "form[action*='/rematch']", &[]).await;
    assert_ne!(again.path, end.path, "a return match has an address of its own");
    assert_eq!(again.all(".player .name"), ["Alice computer, random", "Bob you"]);
    assert_ne!(again.attrs("#match", "data-match"), end.attrs("#match", "data-match"));
    play_out(&visitor, again, 12).await;
}

#[tokio::test]
async fn every_listed_game_is_played_without_a_change_of_the_pages() {
    let visitor = Visitor::new();
    let form = visitor.get("/new").await;
    for info in richman_analysis::Games::default().list() {
        let card = format!("a.game-card[href='/new?game={}']", info.name);
        assert!(form.has(&card) && form.has(&format!("{card} img")), "{}", info.name);
        let expression = [("expr.EXPRESSION", "(A & B^2) & B")];
        let more: &[(&str, &str)] = if info.name == "expr" { &expression } else { &[] };
        let fields = [&[("game", info.name), ("opponent", "screen"), ("limit", "12")][..], more].concat();
        let mut page = visitor.set_up(&fields).await;
        for number in 0..100 {
            if page.has(".over") {
                break;
            }
            page = decide(&visitor, &page, 1, number).await;
            assert_eq!(page.status, StatusCode::OK, "{}: {}", info.name, page.text);
        }
        assert!(page.has(".over"), "{}: {}", info.name, page.text);
    }
}

#[tokio::test]
async fn a_match_by_invitation_between_two() {
    let ours = Visitor::new();
    let (theirs, watching) = (ours.other(), ours.other());
    let alice = ours.set_up(&[("game", "tic-tac-toe"), ("chips", "4711"), ("opponent", "friend")]).await;
    let link = &alice.attrs("#invitation", "value")[0];
    let path = link.strip_prefix("http://127.0.0.1:8080").unwrap();
    assert!(alice.says(".invitation").contains("works on this machine only"), "{}", alice.text);
    // Whoever made the match sees that it is their own invitation.
    let own = ours.get(path).await;
    assert_eq!(own.says("h1"), "This is your own invitation");
    assert!(!own.text.contains("You are asked"), "{}", own.text);
    assert_eq!(own.attrs("#invitation", "value"), [link.as_str()]);
    // Looking does not take the seat.
    for _ in 0..2 {
        let invitation = theirs.get(path).await;
        assert_eq!(invitation.status, StatusCode::OK);
        assert!(invitation.says("main").contains("You are asked to play Tic-tac-toe as Bob"), "{}", invitation.text);
    }
    // Alice may bid before her friend is here.
    let waiting = ours.submit(&alice, "form.bid", &[("bid", "1234")]).await;
    assert!(waiting.says(".waiting").contains("Your bid of 1234 is sealed"), "{}", waiting.text);
    assert_eq!(waiting.says("h1"), "Bob is not here yet");

    let bob = theirs.submit(&theirs.get(path).await, "main form", &[]).await;
    let id = bob.attrs("#match", "data-match").remove(0);
    let watched = format!("/m/{id}");
    assert_eq!(
        (bob.path.as_str(), alice.path.as_str()),
        (&*format!("{watched}?as=bob"), &*format!("{watched}?as=alice"))
    );
    assert_eq!(bob.all(".player .name"), ["Alice has bid", "Bob you"]);
    for used in [theirs.get(path).await, theirs.post(path, &[]).await] {
        assert_eq!(used.status, StatusCode::GONE, "an invitation works once");
        assert_eq!(used.says("h1"), "This seat is taken");
        assert_eq!(used.attrs("main a", "href"), [watched.as_str()]);
    }

    // Nobody else sees the sealed bid, on no page and in no event. The address alone makes no
    // player.
    let mut pages = Vec::new();
    for path in [bob.path.clone(), bob.below("/now"), bob.below("/glance"), format!("/record/{id}")] {
        pages.push(theirs.get(&path).await);
    }
    for role in ["", "?as=alice", "?as=bob", "?as=both", "?as=spectator", "?as=none"] {
        pages.push(watching.get(&format!("{watched}{role}")).await);
        pages.push(watching.get(&format!("{watched}/now{role}")).await);
        pages.push(watching.get(&format!("{watched}/glance{role}")).await);
        pages.push(ours.get(&format!("{watched}/now?as=spectator")).await);
    }
    for page in &pages {
        assert_eq!(page.status, StatusCode::OK, "{}", page.path);
        assert!(!page.text.contains("1234"), "{} tells a sealed bid: {}", page.path, page.text);
    }
    assert!(watching.get(&format!("{watched}?as=alice")).await.says(".hint").contains("holds no seat"));
    // The bidder sees the own bid, at the address for everybody too.
    for path in [&alice.path, &watched] {
        assert!(ours.get(path).await.text.contains("1234"), "{path}");
    }
    assert!(!ours.get(&alice.path).await.has("#invitation"));
    // The secrets of seats are on no page.
    let secrets = [ours.secrets(), theirs.secrets()].concat();
    assert_eq!(secrets.len(), 2);
    for page in pages.iter().chain([&ours.get(&alice.path).await, &theirs.get(&bob.path).await]) {
        assert!(!secrets.iter().any(|secret| page.text.contains(secret)), "{}", page.path);
    }

    let bob = theirs.submit(&bob, "form.bid", &[("bid", "1233")]).await;
    for page in [ours.get(&alice.path).await, theirs.get(&bob.path).await, watching.get(&watched).await] {
        let path = &page.path;
        assert_eq!(page.all(".card .bid"), ["1234", "1233"], "{path}");
        assert!(page.says(".told").contains("Alice wins the bid and pays 1234 to Bob"), "{path}: {}", page.text);
        assert_eq!(chips(&page), [4711 - 1234, 4711 + 1234], "{path}");
    }
    assert!(theirs.get(&bob.path).await.has(".waiting"));
    assert_eq!(watching.get(&watched).await.says("h1"), "Alice won the bid and moves");

    // Bob cannot move for Alice, nor can anybody else.
    let refused = theirs.post(&bob.below("/act"), &[("step", "1"), ("move", "b2")]).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let as_alice = alice.below("/act");
    for (visitor, act) in [(&theirs, &as_alice), (&watching, &as_alice), (&watching, &format!("{watched}/act"))] {
        let refused = visitor.post(act, &[("step", "1"), ("move", "b2")]).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{act}");
        assert!(refused.says("[role=alert]").contains("This browser holds no seat"), "{}", refused.text);
    }

    let alice = ours.submit(&ours.get(&alice.path).await, "#moves", &[("move", "b2")]).await;
    assert!(alice.says(".told").ends_with("Alice moves b2."), "{}", alice.text);
    let over = ours.submit(&alice, "#resign form", &[("resign", "yes")]).await;
    assert_eq!(over.says("h1"), "You have lost");
    assert_eq!(theirs.get(&bob.path).await.says("h1"), "You have won!");

    // Again, when both want it.
    let asked = ours.submit(&over, "form[action*='/rematch']", &[]).await;
    assert!(asked.says(".over").contains("You asked for a return match"), "{}", asked.text);
    let bob = theirs.get(&bob.path).await;
    assert!(bob.says(".over").contains("Alice wants to play again"), "{}", bob.text);
    let bob = theirs.submit(&bob, "form[action*='/rematch']", &[]).await;
    assert_eq!(bob.all(".player .name"), ["Alice you", "Bob your friend"]);
    let next = bob.attrs("#match", "data-match").remove(0);
    assert_eq!(bob.path, format!("/m/{next}"));
    assert_ne!(next, id);
    // The old address leads to the return match, and the changing part names its address.
    let moved = ours.get(&asked.below("/now")).await;
    assert_eq!(moved.attrs("#match", "data-base"), [format!("/m/{next}")]);
    for path in [format!("/m/{next}"), format!("/m/{next}?as=bob")] {
        assert_eq!(ours.get(&path).await.all(".player .name"), ["Alice your friend", "Bob you"], "{path}");
    }
    assert!(watching.get(&watched).await.says(".over").contains("They play again"));
}

/// Both seats of a match in one browser, and the same seat in two.
#[tokio::test]
async fn seats_are_kept_by_browsers() {
    let visitor = Visitor::new();
    let alice = visitor.set_up(&[("game", "tic-tac-toe"), ("opponent", "friend")]).await;
    let link = alice.attrs("#invitation", "value").remove(0);
    let invited = visitor.get(link.strip_prefix("http://127.0.0.1:8080").unwrap()).await;
    let bob = visitor.submit(&invited, "main form", &[]).await;
    for (page, you) in [(&alice, "Alice you"), (&bob, "Bob you")] {
        assert!(visitor.get(&page.path).await.all(".player .name").contains(&you.to_string()));
    }
    // Each form acts for its own seat, and names the other.
    let alice = visitor.submit(&visitor.get(&alice.path).await, "form.bid", &[("bid", "2")]).await;
    assert!(alice.has(".waiting") && alice.has("#links a[href$='?as=bob']"));
    let bob = visitor.submit(&visitor.get(&bob.path).await, "form.bid", &[("bid", "1")]).await;
    assert_eq!(bob.all(".card .bid"), ["2", "1"]);

    // The link to another device, and links of earlier versions.
    let device = visitor.submit(&alice, "#links form", &[]).await;
    let link = device.attrs("#seat", "value").remove(0);
    let phone = visitor.other();
    let path = link.strip_prefix("http://127.0.0.1:8080").unwrap();
    let page = phone.get(&format!("/m/{}", alice.attrs("#match", "data-match")[0])).await;
    assert_eq!(page.says(".turn-number").matches("you are watching").count(), 1);
    assert_eq!(phone.post(&alice.below("/device"), &[]).await.status, StatusCode::FORBIDDEN);
    for old in [path.to_string(), format!("{path}/now"), format!("{path}/act")] {
        let answer = phone.raw(&old).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{old}");
        assert_eq!(answer.headers()["referrer-policy"], "same-origin");
        assert_eq!(answer.headers()["location"], alice.path.as_str());
    }
    assert!(phone.get(&alice.path).await.has("#moves"));
    let watch = phone.raw(&alice.path.split('?').next().unwrap().replace("/m/", "/watch/")).await;
    assert_eq!(watch.headers()["location"], alice.path.split('?').next().unwrap());
}

/// The cookies of a site under HTTPS are not sent without it, and none that was set without it is
/// taken.
#[tokio::test]
async fn cookies_are_secure_under_https() {
    let visitor = Visitor::new();
    let request = |method, path: &str, scheme| {
        let request = axum::http::Request::builder().method(method).uri(path);
        request.header("host", "example.org").header("x-forwarded-proto", scheme)
    };
    for (scheme, is_secure) in [("https", true), ("http", false)] {
        let answer = visitor.send(request("POST", "/first", scheme).body(axum::body::Body::empty()).unwrap()).await;
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        assert_eq!(cookie.contains("; Secure"), is_secure, "{cookie}");
        assert_eq!(cookie.starts_with("__Secure-seat-"), is_secure, "{cookie}");
        let seat = cookie.split(';').next().unwrap();
        let path = answer.headers()["location"].to_str().unwrap().to_string();
        for (cookie, is_seated) in [(seat, true), (seat.trim_start_matches("__Secure-"), !is_secure)] {
            let asked = request("GET", &path, scheme).header("cookie", cookie);
            let page = visitor.other().send(asked.body(axum::body::Body::empty()).unwrap()).await;
            let page = axum::body::to_bytes(page.into_body(), usize::MAX).await.unwrap();
            let page = String::from_utf8_lossy(&page);
            assert_eq!(page.contains("name=\"bid\""), is_seated, "{cookie}: {page}");
        }
    }
}

#[tokio::test]
async fn at_one_screen_the_first_bid_stays_hidden() {
    let visitor = Visitor::new();
    let page = visitor.set_up(&[("game", "connect"), ("chips", "4711"), ("opponent", "screen")]).await;
    assert_eq!(page.says("h1"), "Alice, your bid");
    assert_eq!(page.attrs("#bid", "type"), ["password"]);
    let page = visitor.submit(&page, "form.bid", &[("bid", "1234")]).await;
    assert_eq!(page.says("h1"), "Bob, your bid");
    assert!(page.says("#curtain summary").contains("Alice has bid. Hand over to Bob."), "{}", page.text);
    assert!(!page.text.contains("1234"), "{}", page.text);
    let page = visitor.submit(&page, "form.bid", &[("bid", "2345")]).await;
    assert_eq!(page.all(".card .bid"), ["1234", "2345"]);
    assert_eq!(page.says("h1"), "Bob, your move");
    let page = visitor.submit(&page, "#moves", &[("let", "yes")]).await;
    assert_eq!(page.says("h1"), "Bob lets you move, Alice");
    assert!(!page.says("#moves").contains("Let Bob move"));
}

#[tokio::test]
async fn a_tie_asks_the_stars_holder() {
    let visitor = Visitor::new();
    let page = visitor.set_up(&[("game", "tic-tac-toe"), ("opponent", "screen"), ("star", "bob")]).await;
    let page = decide(&visitor, &page, 3, 0).await;
    let page = decide(&visitor, &page, 3, 0).await;
    assert_eq!(page.says("h1"), "A tie at 3. Bob, use the star?");
    assert!(page.says(".told").contains("Both bid 3, a tie. Bob holds the star and decides."), "{}", page.text);
    let page = visitor.submit(&page, ".action form", &[("star", "use")]).await;
    assert_eq!(chips(&page), [11, 5]);
    assert!(page.says(".told").contains("Bob uses the star."), "{}", page.text);
    assert_eq!(page.says(".player.alice .star"), "★ and the star");
    assert_eq!(page.says("h1"), "Bob, your move");
}

#[tokio::test]
async fn open_bids_and_banks_are_shown() {
    let visitor = Visitor::new();
    let fields = [
        ("game", "tug-of-war"),
        ("opponent", "screen"),
        ("preset", "gasarch"),
        ("payment", "taxman"),
        ("taxman", "1/2"),
        ("bids", "0+2+5"),
    ];
    let page = visitor.set_up(&fields).await;
    assert_eq!(page.attrs("#bid option", "value"), ["", "0", "2", "5"]);
    let page = visitor.submit(&page, "form.bid", &[("bid", "5")]).await;
    assert!(page.says(".action").contains("Alice bids 5. What do you answer?"), "{}", page.text);
    let page = visitor.submit(&page, "form.bid", &[("bid", "2")]).await;
    assert!(page.says(".told").contains("Alice wins the bid and pays 5: 2 to Bob, 3 to the bank."), "{}", page.text);
    assert_eq!(page.says(".bank b"), "3");
    assert_eq!(chips(&page), [3, 10]);
}

#[tokio::test]
async fn one_s_own_game_file_is_played_pasted_or_uploaded() {
    const FILE: &str = r#"{ "name": "mine", "description": "whoever is <b>first</b> wins.", "start": "here",
        "positions": { "A": { "winner": "alice" }, "B": { "winner": "bob" },
        "here": { "alice": ["A", "<b>there", { "to": "A", "name": "<i>home" }], "bob": ["B"] },
        "<b>there": { "both": ["A", "B"] } } }"#;
    let visitor = Visitor::new();
    for field in ["file_text", "upload"] {
        let page = visitor.set_up(&[("game", "file"), (field, FILE), ("opponent", "screen")]).await;
        assert!(page.says("#rules p").starts_with("mine: whoever is <b>first</b> wins."));
        let page = decide(&visitor, &page, 2, 0).await;
        let page = decide(&visitor, &page, 1, 0).await;
        assert_eq!(page.attrs("#moves button[name=move], #moves option", "value"), ["A", "<b>there", "<i>home"]);
        let page = visitor.submit(&page, "#moves", &[("move", "<i>home")]).await;
        assert_eq!(page.says("h1"), "Alice has won!");
    }
}

#[tokio::test]
async fn what_cannot_be_done_is_said_on_the_page_of_the_match() {
    let visitor = Visitor::new();
    let page = visitor.set_up(&[("game", "tic-tac-toe"), ("chips", "6"), ("opponent", "friend")]).await;
    for (bid, status, said) in [
        ("7", StatusCode::UNPROCESSABLE_ENTITY, "Alice has 6 chips and cannot bid 7."),
        ("-1", StatusCode::BAD_REQUEST, "A bid is a whole number of chips, such as 2."),
        ("", StatusCode::BAD_REQUEST, "A bid is a whole number of chips, such as 2."),
        ("99999999999", StatusCode::BAD_REQUEST, "A bid is a whole number of chips, such as 2."),
    ] {
        let refused = visitor.submit(&page, "form.bid", &[("bid", bid)]).await;
        assert_eq!(refused.status, status, "{bid:?}");
        assert_eq!(refused.says("#refused"), said);
        assert!(refused.has("form.bid"));
        if bid.len() < 9 {
            assert_eq!(refused.attrs("#bid", "value"), [bid], "what was typed is still there");
        }
    }
    let act = page.below("/act");
    for (fields, status) in [
        (&[("step", "0"), ("move", "b2")][..], StatusCode::CONFLICT),
        (&[("step", "0"), ("star", "use")], StatusCode::CONFLICT),
        (&[("step", "0"), ("star", "eat")], StatusCode::BAD_REQUEST),
        (&[("step", "0")], StatusCode::BAD_REQUEST),
        (&[("bid", "1")], StatusCode::BAD_REQUEST),
        (&[("step", "0"), ("bid", "1"), ("player", "Eve")], StatusCode::BAD_REQUEST),
        (&[("step", "0"), ("bid", "1"), ("player", "Bob")], StatusCode::FORBIDDEN),
    ] {
        let refused = visitor.post(&act, fields).await;
        assert_eq!(refused.status, status, "{fields:?}");
        assert!(!refused.says("#refused").is_empty(), "{fields:?}");
    }
    // An action sent twice is taken once.
    let done = visitor.submit(&page, "form.bid", &[("bid", "2")]).await;
    assert!(done.says(".waiting").contains("is sealed"));
    let twice = visitor.submit(&page, "form.bid", &[("bid", "2")]).await;
    assert_eq!(twice.status, StatusCode::CONFLICT);
    assert!(twice.says(".waiting").contains("is sealed"));
    // An address that only takes forms redirects back.
    assert_eq!(visitor.raw(&act).await.status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn where_there_is_nothing_a_page_says_what_to_do() {
    let visitor = Visitor::new();
    let unknown = "abcdefghijkmnpqrstuvwxyz23";
    for path in ["/nowhere", "/assets/none.css", "/play/short", "/watch/short", "/m/short", "/join/short"]
        .map(str::to_string)
        .into_iter()
        .chain(["play", "m", "join", "record"].map(|kind| format!("/{kind}/{unknown}")))
    {
        let page = visitor.get(&path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(page.has("main a[href='/']"), "{path}");
    }
}

#[tokio::test]
async fn the_first_game_is_explained_to_its_end() {
    let visitor = Visitor::new();
    assert!(visitor.get("/").await.has("form[action='/first']"));
    assert!(visitor.get("/first").await.has("form[action='/first']"));
    for _ in 0..4 {
        let mut page = visitor.post("/first", &[]).await;
        assert_eq!(page.says(".coach h2"), "Moves are for sale");
        assert!(page.says(".coach").contains("Try 2."));
        let mut lessons = Vec::new();
        for number in 0..100 {
            page = visitor.patient(&page).await;
            lessons.push(page.says(".coach"));
            if page.has(".over") {
                break;
            }
            page = decide(&visitor, &page, 2, number).await;
        }
        assert!(page.has(".over"));
        assert!(lessons.iter().all(|lesson| lesson.len() > 40), "{lessons:?}");
        lessons.dedup();
        assert!(lessons.len() >= 5, "the coach repeats itself: {lessons:?}");
    }
    // A spectator gets no lessons.
    let page = visitor.post("/first", &[]).await;
    let id = page.attrs("#match", "data-match").remove(0);
    assert!(!visitor.get(&format!("/m/{id}?as=spectator")).await.has(".coach"));
}

#[tokio::test]
async fn a_hint_is_given_where_it_is_fair() {
    let visitor = Visitor::new();
    let page = visitor.post("/first", &[]).await;
    let hinted = visitor.submit(&page, ".hint-form", &[]).await;
    assert_eq!(hinted.status, StatusCode::OK);
    let hint = hinted.says(".hint");
    assert!(hint.starts_with("Hint: bid ") && hint.contains("you"), "{hint}");
    // Its moves are on the board, and its bid is filled in only when that is asked for.
    assert!(
        hinted.has("#board .marked[aria-label*='good for Alice']") && !page.has("#board .marked"),
        "{}",
        hinted.text
    );
    let bid = hinted.attrs(".hint button[data-fill=bid]", "data-value").remove(0);
    assert!(hint.contains(&format!("Hint: bid {bid}")) && hint.ends_with(&format!("Fill in {bid}")), "{hint}");
    assert_eq!(hinted.attrs("#bid", "value"), [""]);
    let friend = visitor.set_up(&[("game", "tic-tac-toe"), ("opponent", "friend")]).await;
    assert!(!friend.has(".hint-form"));
    let refused = visitor.post(&friend.below("/hint"), &[]).await;
    assert!(refused.status.is_client_error(), "{}", refused.status);
}

#[tokio::test]
async fn events_tell_that_something_changed_and_not_what() {
    let visitor = Visitor::new();
    let alice = visitor.set_up(&[("game", "tic-tac-toe"), ("chips", "4711"), ("opponent", "friend")]).await;
    let id = alice.attrs("#match", "data-match").remove(0);
    let other = visitor.set_up(&[("game", "connect"), ("opponent", "friend")]).await;
    let [listen, second] = [&alice, &other].map(|page| page.attrs("#match", "data-listen").remove(0));
    assert!(listen.starts_with(&format!("{id}.")), "players name a key: {listen}");
    assert!(!visitor.secrets().iter().any(|secret| listen.contains(secret)));
    let gone = "abcdefghijkmnpqrstuvwxyz23";
    // A wrong key listens as a spectator does.
    let answer = visitor.raw(&format!("/events?m={gone}&m={listen}&m={id}.{gone}&m={second}")).await;
    assert!(answer.headers()[CONTENT_TYPE].to_str().unwrap().starts_with("text/event-stream"));
    let mut events = answer.into_body().into_data_stream();
    let mut next = async || {
        let frame = tokio::time::timeout(Duration::from_secs(10), events.next()).await.expect("an event comes");
        frame.map(|bytes| String::from_utf8(bytes.unwrap().to_vec()).unwrap())
    };
    let event = |page: &Page| {
        let [id, version] = ["data-match", "data-version"].map(|name| page.attrs("#match", name).remove(0));
        format!("event: version\ndata: {id} {version}\n\n")
    };
    assert_eq!(next().await.unwrap(), format!("event: gone\ndata: {gone}\n\n"));
    let mut heard = [next().await.unwrap(), next().await.unwrap(), next().await.unwrap()];
    heard.sort();
    let mut due = [event(&alice), event(&alice), event(&other)];
    due.sort();
    assert_eq!(heard, due);
    let newer = visitor.submit(&alice, "form.bid", &[("bid", "1234")]).await;
    assert_ne!(event(&newer), event(&alice));
    for _ in 0..2 {
        assert_eq!(next().await.unwrap(), event(&newer));
    }
    let newer = visitor.submit(&other, "form.bid", &[("bid", "7")]).await;
    assert_eq!(next().await.unwrap(), event(&newer));
    for wrong in ["".to_string(), "?m=".to_string(), "?m=short".to_string(), format!("?{}", "m=x&".repeat(40))] {
        assert_eq!(visitor.raw(&format!("/events{wrong}")).await.status(), StatusCode::BAD_REQUEST, "{wrong}");
    }
    let many = format!("m={id}&").repeat(33);
    assert_eq!(visitor.raw(&format!("/events?{many}")).await.status(), StatusCode::BAD_REQUEST);

    // At one screen nothing follows the end.
    let page = visitor.set_up(&[("game", "tic-tac-toe"), ("opponent", "screen")]).await;
    let listen = page.attrs("#match", "data-listen").remove(0);
    let mut events = visitor.raw(&format!("/events?m={listen}")).await.into_body().into_data_stream();
    visitor.submit(&page, "#resign form", &[("resign", "yes")]).await;
    let mut heard = String::new();
    while let Some(frame) = tokio::time::timeout(Duration::from_secs(10), events.next()).await.expect("the stream ends")
    {
        heard.push_str(std::str::from_utf8(&frame.unwrap()).unwrap());
    }
    assert!(heard.contains("event: last"), "{heard}");
}

#[tokio::test]
async fn assets_are_inside_the_program_and_kept() {
    let visitor = Visitor::new();
    let page = visitor.get("/").await;
    let assets =
        [page.attrs("link[rel=stylesheet]", "href"), page.attrs("script", "src"), page.attrs("link[rel=icon]", "href")];
    for path in assets.iter().flatten() {
        let answer = visitor.raw(path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert!(answer.headers()[CACHE_CONTROL].to_str().unwrap().contains("immutable"), "{path}");
    }
    assert_eq!(assets.iter().flatten().count(), 4);
}
