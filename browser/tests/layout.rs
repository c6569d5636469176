//! What is on one screen during play.

use richman_browser::playing;
use richman_browser::seats::{Pause, Side};
use richman_browser::{Browser, Device, Screen, Server};
use serde_json::{Value, json};

const SCREENS: [Screen; 6] = [
    Screen::with_touch(360, 640),
    Screen::with_touch(360, 740),
    Screen::with_touch(640, 360),
    Screen::with_touch(844, 390),
    Screen::with_touch(768, 1024),
    Screen::with_mouse(1366, 650),
];

const GAMES: [(&str, u32); 11] = [
    ("tic-tac-toe", 16),
    ("connect", 200),
    ("hex", 200),
    ("y", 40),
    ("chess", 200),
    ("chomp", 16),
    ("race", 16),
    ("tug-of-war", 16),
    ("ultimatum", 16),
    ("subtraction:heap=9,set=1+2", 16),
    ("expr:((A & B) & (A & B)) & ((A & B) & (A & B))", 16),
];

/// The parts that are not wholly in the window, with their places.
async fn outside(browser: &Browser, parts: &[&str]) -> Value {
    let script = format!(
        "const parts = {}; const faults = []; scrollTo(0, 0);
         for (const css of parts) {{
             const one = document.querySelector(css);
             const {{ left, top, right, bottom }} = one?.getBoundingClientRect() ?? {{}};
             const isIn = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
             if (!isIn || !one.checkVisibility()) faults.push([css, left, top, right, bottom].join(' '));
         }}
         return faults",
        json!(parts)
    );
    browser.script(&script).await
}

#[tokio::test]
async fn board_chips_and_bid_are_on_one_screen() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, false).await;
    let mut faults = Vec::new();
    for (game, total) in GAMES {
        for (pause, turns, parts) in [
            (Pause::Bids, 1, &["#state", "#board svg", ".players", "form.bid .row"][..]),
            (Pause::Move, 1, &["#state", "#board svg", ".players"][..]),
        ] {
            let seats = server.seats(game, total).await;
            seats.turns(turns).await;
            seats.go_on(pause).await;
            browser.go(&server, &seats.path(Side::Alice)).await;
            for screen in SCREENS {
                browser.resize(screen).await;
                let found = outside(&browser, parts).await;
                if found != json!([]) {
                    faults.push(format!("{game} at {pause:?}, {}x{}: {found}", screen.width, screen.height));
                    let name = game.split(':').next().unwrap_or_default();
                    browser.picture(&format!("outside-{name}-{}x{}", screen.width, screen.height)).await;
                }
                let size = "return Math.min(...[...document.querySelectorAll('#board .open')]
                                .flatMap((one) => [one.getBoundingClientRect()]
                                    .flatMap(({ width, height }) => [width, height])))";
                let size = browser.script(size).await.as_f64().unwrap_or(99.0);
                let is_small = matches!(game, "hex" | "chess") && screen.width < screen.height;
                if pause == Pause::Move && size < 24.0 && !is_small {
                    faults.push(format!("{game}, {}x{}: places of {size} pixels", screen.width, screen.height));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    browser.close().await;
}

/// The first game has a coach too.
#[tokio::test]
async fn the_first_game_is_on_one_screen() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, false).await;
    browser.go(&server, "/first").await;
    browser.click("form[action='/first'] button").await;
    browser.wait("form.bid").await;
    for screen in SCREENS {
        browser.resize(screen).await;
        let found = outside(&browser, &["#state", "#board svg", ".players", "form.bid .row"]).await;
        assert_eq!(found, json!([]), "{}x{}", screen.width, screen.height);
        let board = browser.script("return document.querySelector('#board svg').getBoundingClientRect().height").await;
        assert!(board.as_f64().unwrap() >= 170.0, "{}x{}: {board}", screen.width, screen.height);
    }
    browser.close().await;
}

/// The decision stays where it is from turn to turn.
#[tokio::test]
async fn the_decision_does_not_jump() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    for screen in [Screen::with_mouse(1366, 650), Screen::with_touch(360, 740)] {
        browser.resize(screen).await;
        let seats = server.seats("tic-tac-toe", 16).await;
        browser.go(&server, &seats.path(Side::Alice)).await;
        let top = "return Math.round(document.querySelector('.action').getBoundingClientRect().top + scrollY)";
        let mut tops = Vec::new();
        for turn in 0..3 {
            tops.push(browser.script(top).await);
            seats.turn(turn).await;
            browser.page.refresh().await.unwrap();
        }
        // The bids of the last turn are shown from the second turn on.
        assert!(tops[1..].iter().all(|top| *top == tops[1]), "{tops:?}");
    }
    browser.close().await;
}

/// The shown number is the bid; presets, keys and the wheel change it, and the focus stays.
#[tokio::test]
async fn a_bid_is_set_by_presets_keys_and_the_wheel() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let seats = server.seats("tic-tac-toe", 17).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    let bid = async || browser.script("return document.getElementById('bid').value").await;
    let focus = async || browser.script("return document.activeElement.id").await;
    assert_eq!(bid().await, "0");
    let presets =
        browser.script("return [...document.querySelectorAll('.preset')].map((one) => one.textContent)").await;
    let view = seats.view(Side::Alice).await;
    let chips = |player: &str| view["holdings"][player].to_string().trim_matches(['"', '*']).parse::<u32>().unwrap();
    let has_star = view["holdings"]["alice"].to_string().contains('*');
    let sure = chips("bob") + u32::from(!has_star);
    let mut expected = Vec::new();
    if sure < chips("alice") {
        expected.push(format!("{sure} cannot be beaten"));
    }
    expected.extend([format!("{} half", chips("alice") / 2), format!("{} all", chips("alice"))]);
    assert_eq!(presets, json!(expected));
    browser.click(".preset:last-child").await;
    assert_eq!((bid().await, focus().await), (json!(chips("alice").to_string()), json!("bid")));
    browser.click("[data-add='-1']").await;
    assert_eq!((bid().await, focus().await), (json!((chips("alice") - 1).to_string()), json!("bid")));
    browser.press("3").await;
    browser.press(&richman_browser::Key::Up.to_string()).await;
    browser
        .script(
            "const turned = new WheelEvent('wheel', { deltaY: -1, bubbles: true, cancelable: true });
             document.getElementById('bid').dispatchEvent(turned)",
        )
        .await;
    let typed = bid().await;
    browser.press(&richman_browser::Key::Enter.to_string()).await;
    browser.wait(".action.waiting").await;
    let told = browser.text(".action.waiting").await;
    let typed = typed.as_str().unwrap();
    assert!(told.contains(&format!("Your bid of {typed} is sealed")), "{told}");
    // Without any input, the shown number is what is bid.
    let seats = server.seats("tic-tac-toe", 16).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    browser.click("form.bid .row > .button").await;
    browser.wait(".action.waiting").await;
    assert!(browser.text(".action.waiting").await.contains("Your bid of 0 is sealed"));
    browser.close().await;
}

/// A touched move is confirmed or taken back.
#[tokio::test]
async fn a_touched_move_can_be_taken_back() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, false).await;
    let seats = server.seats("tic-tac-toe", 16).await;
    seats.go_on(Pause::Move).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    browser.click("#board [data-place='a1']").await;
    assert!(browser.text("#confirm").await.contains("Play a1"));
    browser.click("#confirm .quiet").await;
    assert!(!browser.has("#confirm").await && browser.has("#moves").await);
    browser.click("#board [data-place='b2']").await;
    browser.click("#confirm .button:not(.quiet)").await;
    browser.wait("form.bid").await;
    assert_eq!(seats.view(Side::Bob).await["position"], ".../.A./...");
    browser.close().await;
}

/// The places of a board are one stop for the tabulator, and arrow keys go on from there.
#[tokio::test]
async fn a_board_is_one_stop_for_the_tabulator() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let seats = server.seats("hex", 200).await;
    seats.go_on(Pause::Move).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    let stops = "return document.querySelectorAll('#board [tabindex=\"0\"]').length";
    assert_eq!(browser.script(stops).await, 1);
    browser.script("document.querySelector('#board [tabindex=\"0\"]').focus()").await;
    let at = async || browser.script("return document.activeElement.dataset.place").await;
    let before = at().await;
    browser.press(&richman_browser::Key::Right.to_string()).await;
    assert_ne!(at().await, before);
    assert_eq!(browser.script(stops).await, 1);
    browser.close().await;
}

/// The turns stand beside the board, and are stepped through without losing what is typed.
#[tokio::test]
async fn turns_are_looked_back_at() {
    let server = Server::start().await;
    let browser = Browser::open(Screen::with_mouse(1920, 1080).into(), false).await;
    let seats = server.seats("tic-tac-toe", 16).await;
    seats.turns(3).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    let beside = "const box = (css) => document.querySelector(css).getBoundingClientRect(); \
                  return box('#turns').left > box('#board').right && box('#turns table').bottom < innerHeight";
    assert_eq!(browser.script(beside).await, true);
    let stones = async || browser.script("return document.querySelectorAll('#board .letter').length").await;
    let now = stones().await;
    browser.fill("#bid", "3").await;
    browser.click("#turns [data-turn='1']").await;
    browser.wait("#board .past").await;
    assert!(browser.text("#board .past").await.contains("Turn 1 of 3. Alice bid 2, Bob 1. Alice moves"));
    let first = stones().await;
    assert!(first.as_u64() < now.as_u64(), "{first} of {now}");
    browser.click("#board [data-step='Next']").await;
    playing::becomes(
        &browser,
        "the next turn",
        "return document.querySelector('.past').textContent.includes('Turn 2')",
    )
    .await;
    browser.click("#board [data-step='now']").await;
    playing::becomes(&browser, "the board now", "return !document.querySelector('.past')").await;
    assert_eq!(stones().await, now);
    assert_eq!(browser.script("return document.getElementById('bid').value").await, "3");
    browser.close().await;
    // On a narrow screen they are folded below.
    let browser = Browser::open(Device::Phone, false).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    assert_eq!(browser.script("return document.getElementById('turns').open").await, false);
    browser.close().await;
}
