//! Tabs that share one stream, servers and proxies that fail, and seats.

use std::time::Duration;

use richman_browser::playing::{self, Hands, becomes, decide, ready, settled, state};
use richman_browser::seats::Side;
use richman_browser::{Browser, Device, Line, LineState, Server};
use serde_json::json;
use tokio::time::{Instant, sleep};

/// Begins a first game at an address; the computer has bid when this returns.
async fn begin(browser: &Browser, address: &str) {
    browser.page.goto(address).await.expect("the page loads");
    browser.click("form[action='/first'] button").await;
    browser.wait("#match").await;
}

/// Opens another tab or window, and goes to it.
async fn enter(browser: &Browser, as_tab: bool) {
    let new = browser.page.new_window(as_tab).await.expect("another tab");
    browser.page.switch_to_window(new.handle).await.expect("it is there");
}

/// Waits for a number of streams that stays.
async fn streams_become(line: &Line, wanted: usize) {
    let until = Instant::now() + Duration::from_secs(15);
    let mut steady = 0;
    while steady < 10 {
        steady = if line.streams() == wanted { steady + 1 } else { 0 };
        assert!(Instant::now() < until, "{} streams, not {wanted}", line.streams());
        sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn twelve_tabs_share_one_stream() {
    let server = Server::start().await;
    let line = Line::to(&server).await;
    let browser = Browser::open(Device::Desktop, false).await;
    begin(&browser, &line.address).await;
    for _ in 1..12 {
        enter(&browser, true).await;
        begin(&browser, &line.address).await;
    }
    streams_become(&line, 1).await;
    let tabs = browser.page.windows().await.unwrap();
    assert_eq!(tabs.len(), 12);
    for tab in [0, 6, 11, 0] {
        browser.page.switch_to_window(tabs[tab].clone()).await.unwrap();
        ready(&browser).await;
        decide(&browser, Hands::Mouse, 2).await;
        ready(&browser).await;
    }
    streams_become(&line, 1).await;
    // The home page lists the matches of this browser.
    browser.page.goto(&line.address).await.unwrap();
    becomes(&browser, "the list", "return document.querySelectorAll('#your-matches li').length === 12").await;
    browser.is_quiet().await;
    browser.close().await;
}

/// Acts for Alice from any page of the browser that holds her seat; no seat decides in the moment
/// after it was taken.
async fn bid_elsewhere(browser: &Browser, id: &str, step: u32) {
    let script = format!(
        "const body = new URLSearchParams({{ step: {step}, bid: 1 }});
         return fetch('/m/{id}/act?as=alice', {{ method: 'POST', body }})
             .then((answer) => answer.status)"
    );
    assert_eq!(browser.script(&script).await, 200);
}

#[tokio::test]
async fn another_tab_takes_over_when_the_leader_is_closed() {
    let server = Server::start().await;
    let line = Line::to(&server).await;
    let browser = Browser::open(Device::Desktop, false).await;
    begin(&browser, &line.address).await;
    let page = browser.page.current_url().await.unwrap();
    let id = page.path().strip_prefix("/m/").expect("the address of a match").to_string();
    assert_eq!(page.query(), None, "the address holds no secret and no role");
    // Windows are visible beside each other.
    enter(&browser, false).await;
    browser.page.goto(&format!("{}/m/{id}?as=spectator", line.address)).await.unwrap();
    browser.wait("#match").await;
    streams_become(&line, 1).await;
    let windows = browser.page.windows().await.unwrap();
    browser.page.switch_to_window(windows[0].clone()).await.unwrap();
    browser.page.close_window().await.unwrap();
    browser.page.switch_to_window(windows[1].clone()).await.unwrap();
    let (before, closed) = (state(&browser).await, Instant::now());
    bid_elsewhere(&browser, &id, 0).await;
    playing::changed(&browser, &before).await;
    assert!(closed.elapsed() < Duration::from_secs(3), "it took {:?}", closed.elapsed());
    streams_become(&line, 1).await;
    browser.close().await;
}

/// What the visitor sees of a lost connection.
const IS_TOLD: &str = "const seen = (css) => { const one = document.querySelector(css); \
                       return !!one && one.checkVisibility() && one.getBoundingClientRect().height > 10 }; \
                       return seen('#connection') && seen('.action .unreached')";

const IS_WELL: &str = "return !document.querySelector('#connection:not([hidden])') && \
                       !document.querySelector('.unreached') && !document.querySelector('[role=alert]')";

/// A bid while the server cannot be reached is kept, told of, and sent again once.
async fn a_bid_meets(broken: LineState) {
    let server = Server::start().await;
    let line = Line::to(&server).await;
    let browser = Browser::open(Device::Desktop, false).await;
    begin(&browser, &line.address).await;
    ready(&browser).await;
    streams_become(&line, 1).await;
    let before = state(&browser).await;
    line.set(broken);
    browser.fill("#bid", "3").await;
    browser.click("form.bid .row > .button").await;
    becomes(&browser, "a message", IS_TOLD).await;
    browser.picture(&format!("unreached-{broken:?}")).await;
    assert_eq!(browser.script("return document.getElementById('bid').value").await, "3");
    assert!(browser.page.current_url().await.unwrap().path().starts_with("/m/"), "the page is still there");
    sleep(Duration::from_secs(2)).await;
    line.set(LineState::Whole);
    playing::changed(&browser, &before).await;
    becomes(&browser, "the end of the message", IS_WELL).await;
    ready(&browser).await;
    let bids = browser.script("return document.querySelector('.card.alice .bid').textContent").await;
    assert_eq!(bids, "3", "the bid was taken as it was typed");
    streams_become(&line, 1).await;
    // Live again: what happens elsewhere comes in.
    browser.script("return fetch('/').then(() => 1)").await;
    for _ in 0..4 {
        if playing::is_over(&browser).await {
            break;
        }
        decide(&browser, Hands::Mouse, 1).await;
        ready(&browser).await;
    }
    browser.close().await;
}

#[tokio::test]
async fn a_bid_meets_a_bad_gateway() {
    a_bid_meets(LineState::ServerAway).await;
}

#[tokio::test]
async fn a_bid_arrives_and_its_answer_is_lost() {
    a_bid_meets(LineState::AnswersLost).await;
}

/// While nothing is sent, the page tells of a lost connection too, and comes back by itself.
#[tokio::test]
async fn a_lost_stream_is_told_and_opened_again() {
    let server = Server::start().await;
    let line = Line::to(&server).await;
    let browser = Browser::open(Device::Phone, true).await;
    begin(&browser, &line.address).await;
    ready(&browser).await;
    streams_become(&line, 1).await;
    line.set(LineState::ServerAway);
    becomes(&browser, "a message", "return !!document.querySelector('#connection:not([hidden])')").await;
    sleep(Duration::from_secs(5)).await;
    line.set(LineState::Whole);
    becomes(&browser, "the end of the message", IS_WELL).await;
    streams_become(&line, 1).await;
    let page = browser.page.current_url().await.unwrap();
    let before = state(&browser).await;
    bid_elsewhere(&browser, page.path().strip_prefix("/m/").unwrap(), 0).await;
    playing::changed(&browser, &before).await;
    browser.close().await;
}

/// The address of a match makes nobody its player, and a page of another device takes the seat.
#[tokio::test]
async fn the_address_of_a_match_holds_no_secret() {
    let server = Server::start().await;
    let (ours, theirs) = tokio::join!(Browser::open(Device::Desktop, false), Browser::open(Device::Phone, false));
    begin(&ours, &server.address).await;
    let page = ours.page.current_url().await.unwrap().to_string();
    theirs.page.goto(&page).await.unwrap();
    theirs.wait("#match").await;
    assert!(theirs.text(".turn-number").await.contains("you are watching"));
    assert!(!theirs.has("form.bid").await);
    assert_eq!(theirs.script("return document.cookie").await, "", "scripts see no cookie");
    assert_eq!(ours.script("return document.cookie").await, "", "scripts see no cookie");
    ours.click("#links summary").await;
    ours.click("[data-leaves]").await;
    let link = ours.wait("#seat").await.prop("value").await.unwrap().unwrap();
    theirs.page.goto(&link).await.unwrap();
    theirs.wait("form.bid").await;
    assert_eq!(theirs.page.current_url().await.unwrap().to_string(), page, "the link leaves no secret in the address");
    tokio::join!(ours.close(), theirs.close());
}

/// At an address of the network, where browsers allow less, matches are live too.
#[tokio::test]
async fn a_match_at_an_address_of_the_network() {
    let host = local_address();
    let server = Server::start_at(&format!("{host}:0")).await;
    let browser = Browser::open(Device::Desktop, false).await;
    begin(&browser, &server.address).await;
    assert_eq!(browser.script("return isSecureContext").await, false);
    ready(&browser).await;
    settled(&browser).await;
    let id = browser.page.current_url().await.unwrap().path().strip_prefix("/m/").unwrap().to_string();
    enter(&browser, false).await;
    browser.page.goto(&format!("{}/m/{id}?as=spectator", server.address)).await.unwrap();
    browser.wait("#match").await;
    let before = state(&browser).await;
    bid_elsewhere(&browser, &id, 0).await;
    playing::changed(&browser, &before).await;
    browser.close().await;
}

/// The address by which this machine reaches others; nothing is sent.
fn local_address() -> std::net::IpAddr {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").expect("a socket");
    socket.connect("192.0.2.1:9").expect("this machine has a network");
    socket.local_addr().expect("it has an address").ip()
}

/// The list on the first page says what is to be done: when it is shown, and after every change.
#[tokio::test]
async fn the_list_of_matches_is_live() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let seats = json!({ "alice": "person", "bob": "invited" });
    let seats = server.seats_with(json!({ "game": "tic-tac-toe", "total": 16, "seats": seats })).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    ready(&browser).await;
    decide(&browser, Hands::Mouse, 2).await;
    let says = async |text: &str| {
        let script = format!("return document.querySelector('#your-matches li')?.textContent.includes('{text}')");
        becomes(&browser, text, &script).await;
    };
    browser.go(&server, "/").await;
    says("Bob is not here yet").await;
    // While no page shows the match, Bob comes and bids.
    browser.go(&server, "/guide").await;
    let taken = server.api("invitation", seats.invitation.as_deref(), Some(json!({}))).await;
    let bob = taken["token"].as_str().expect("Bob has a seat");
    let bid = json!({ "step": 0, "action": { "bid": 1 } });
    server.api("seat/actions", Some(bob), Some(bid)).await;
    browser.go(&server, "/").await;
    says("You won the bid: your move").await;
    // While the list is shown, Alice moves on another device, and Bob bids.
    seats.decide(Side::Alice, 0).await;
    says("Your bid").await;
    seats.bid(Side::Alice, 1).await;
    says("Waiting for Bob").await;
    browser.is_quiet().await;
    browser.close().await;
}
