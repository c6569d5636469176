//! What is on one screen during play.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use richman_browser::playing::{self, Hands};
use richman_browser::seats::{Pause, Side};
use richman_browser::{Browser, Device, Screen, Server, fit};
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

/// The first game has a coach too, whose words are on the screen of an upright phone from the first
/// to the last, in every state of the match.
#[tokio::test]
async fn the_first_game_is_on_one_screen() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, false).await;
    browser.go(&server, "/first").await;
    browser.click("form[action='/first'] button").await;
    browser.wait("#match").await;
    for turn in 0..40 {
        playing::ready(&browser).await;
        for screen in SCREENS.into_iter().chain(fit::SCREENS) {
            browser.resize(screen).await;
            let at = format!("{}x{} at decision {turn}", screen.width, screen.height);
            assert_eq!(browser.misfits().await, Vec::<String>::new(), "{at}");
            if screen.height < 360 {
                continue;
            }
            let mut parts = vec!["#state", "#board svg", ".players"];
            let decisions = [".coach", ".over .choices", "form.bid .row", "[name=star]", "#confirm", ".pointing"];
            let is_upright = screen.height > screen.width;
            for part in decisions.into_iter().skip(if is_upright { 0 } else { 2 }) {
                if browser.has(part).await {
                    parts.push(part);
                }
            }
            assert_eq!(outside(&browser, &parts).await, json!([]), "{at}");
            let cell = "return Math.min(...[...document.querySelectorAll('#board .place')]
                            .map((one) => one.getBoundingClientRect().height))";
            let cell = browser.script(cell).await.as_f64().unwrap();
            let least = if browser.has("#moves").await { 44.0 } else { 24.0 };
            assert!(cell >= least, "{at}: places of {cell} pixels");
        }
        if playing::is_over(&browser).await {
            return browser.close().await;
        }
        browser.resize(Device::Phone.screen()).await;
        playing::decide(&browser, Hands::Mouse, turn % 4).await;
    }
    panic!("the first game does not end");
}

/// Who wants to play again is read, and answered, without scrolling.
#[tokio::test]
async fn a_return_match_is_offered_first() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, false).await;
    for (game, total) in GAMES {
        let seats = server.seats(game, total).await;
        seats.go_on(Pause::Over).await;
        browser.go(&server, &seats.path(Side::Alice)).await;
        let top = "return document.querySelector(\"form[action*='/rematch'] button\").getBoundingClientRect().top";
        let before = browser.script(top).await;
        seats.ask_for_rematch(Side::Bob).await;
        browser.page.refresh().await.unwrap();
        assert!(browser.text(".over form p").await.contains("Bob wants to play again"), "{game}");
        assert_eq!(browser.script(top).await, before, "the button of {game} stays under the finger");
        for screen in fit::SCREENS.into_iter().filter(|screen| screen.height > screen.width) {
            browser.resize(screen).await;
            let found = outside(&browser, &["#state", ".over form p", ".over form button"]).await;
            assert_eq!(found, json!([]), "{game}, {}x{}", screen.width, screen.height);
        }
        browser.resize(Device::Phone.screen()).await;
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

/// Presets, keys and the wheel change the bid, and the focus stays. Without a number nothing is
/// bid.
#[tokio::test]
async fn a_bid_is_set_by_presets_keys_and_the_wheel() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let seats = server.seats("tic-tac-toe", 17).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    let bid = async || browser.script("return document.getElementById('bid').value").await;
    let focus = async || browser.script("return document.activeElement.id").await;
    assert_eq!(bid().await, "", "nothing is filled in");
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
    // Without any input nothing is bid.
    let seats = server.seats("tic-tac-toe", 16).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    browser.click("form.bid .row > .button").await;
    assert_eq!(focus().await, "bid", "a number is asked for");
    assert!(!browser.has(".action.waiting").await);
    browser.close().await;
}

/// A press on a button that leads to another page is seen before that page comes.
#[tokio::test]
async fn a_sent_form_looks_sent() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    for (path, form) in
        [("/review", "form.paste"), ("/new?game=hex", "form.setup"), ("/first", "form[action='/first']")]
    {
        browser.go(&server, path).await;
        let keep = "addEventListener('submit', (event) => {
                        event.preventDefault();
                        window.shown = getComputedStyle(event.target).opacity;
                    })";
        browser.script(keep).await;
        browser.click(&format!("{form} button:not([type=button])")).await;
        playing::becomes(&browser, "the press", "return window.shown < 1").await;
    }
    browser.close().await;
}

/// A touched move is made at once where places are as large as a finger; on smaller ones it is
/// confirmed or taken back.
#[tokio::test]
async fn a_touched_move_on_small_places_can_be_taken_back() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, false).await;
    for (game, small) in [("hex:size=11", true), ("hex:size=3", false), ("tic-tac-toe", false)] {
        let seats = server.seats(game, 16).await;
        seats.go_on(Pause::Move).await;
        browser.go(&server, &seats.path(Side::Alice)).await;
        let before = seats.view(Side::Bob).await["position"].clone();
        if small {
            browser.click("#board [data-place='a1']").await;
            assert!(browser.text("#confirm").await.contains("Play a1"));
            browser.click("#confirm .quiet").await;
            assert!(!browser.has("#confirm").await && browser.has("#moves").await);
        }
        browser.click("#board [data-place='b2']").await;
        if small {
            browser.click("#confirm .button:not(.quiet)").await;
        }
        browser.wait("form.bid").await;
        assert_ne!(seats.view(Side::Bob).await["position"], before, "{game}");
    }
    browser.close().await;
}

/// How much the colour of each edge of a hexagon differs between two pictures of the window, from 0
/// to 255. Edges are probed where the neighbours are.
const CHANGED_EDGES: &str = r#"
    const [place, before, after, done] = arguments;
    const read = async (picture) => {
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        return ([x, y]) => [...canvas.getImageData(Math.round(x), Math.round(y), 1, 1).data];
    };
    const cell = document.querySelector(`#board [data-place=${place}]`);
    const corners = [...cell.points].map((point) => point.matrixTransform(cell.getScreenCTM()));
    const middle = (points) => ["x", "y"].map((axis) =>
        devicePixelRatio * points.reduce((sum, point) => sum + point[axis], 0) / points.length);
    const centre = middle(corners);
    const edges = corners.map((one, at) => middle([one, corners[(at + 1) % corners.length]]));
    // From the middle of an edge outwards.
    const probes = (edge) => [0.98, 1, 1.02, 1.04]
        .map((part) => edge.map((at, axis) => centre[axis] + part * (at - centre[axis])));
    const differ = (one, other) => Math.max(...one.map((colour, part) => Math.abs(colour - other[part])));
    Promise.all([read(before), read(after)]).then(([was, is]) =>
        done(edges.map((edge) => Math.max(...probes(edge).map((at) => differ(was(at), is(at)))))));
"#;

/// The outline of a place that is pointed at, focused or chosen lies above its neighbours.
#[tokio::test]
async fn an_outline_is_seen_all_around() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, false).await;
    let seats = server.seats("hex", 200).await;
    seats.go_on(Pause::Move).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    // Outlines are several of the screen's own pixels wide.
    browser.resize(Screen { pixel_ratio: 4.0, ..Screen::with_touch(390, 844) }).await;
    browser.script("scrollTo(0, 0)").await;
    let picture = async || json!(BASE64_STANDARD.encode(browser.page.screenshot().await.expect("a screenshot")));
    let focus = "document.querySelector('#board [tabindex=\"0\"]').focus({ focusVisible: true }); \
                 return document.activeElement.dataset.place";
    let plain = picture().await;
    let focused = browser.script(focus).await;
    let with_focus = picture().await;
    browser.script("document.activeElement.blur()").await;
    browser.click("#board [data-place=d4]").await;
    browser.wait("#confirm").await;
    browser.script("document.activeElement.blur(); scrollTo(0, 0)").await;
    let with_choice = picture().await;
    for (place, seen) in [(focused, with_focus), (json!("d4"), with_choice)] {
        let arguments = vec![place.clone(), plain.clone(), seen];
        let found = browser.page.execute_async(CHANGED_EDGES, arguments).await.expect("the edges are compared");
        let found = found.as_array().expect("there is one number for each edge").clone();
        assert_eq!(found.len(), 6, "edges of {place}");
        assert!(
            found.iter().all(|by| by.as_f64() > Some(30.0)),
            "the outline of {place} changes its edges by {found:?}"
        );
    }
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
