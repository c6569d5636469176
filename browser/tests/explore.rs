//! Explore: its layout on every screen, boards that are set up in place, answers that come later.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use richman_browser::playing::becomes;
use richman_browser::{Browser, Device, Key, Server};
use serde_json::json;
use url::{ParseError, Url};

const CHIPS: &str = "/explore?game=tic-tac-toe&position=A.B/.A./...&alice=4*&bob=4";

/// Sets the size of the page, also narrower than a window can be.
#[derive(Debug)]
struct Resize(u32, u32);

impl WebDriverCompatibleCommand for Resize {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let Resize(width, height) = self;
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": *width < 800 });
        let body = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": params });
        (Method::POST, Some(body.to_string()))
    }
}

async fn resize(browser: &Browser, width: u32, height: u32) {
    browser.page.issue_cmd(Resize(width, height)).await.expect("the page is resized");
}

async fn answered(browser: &Browser) {
    becomes(browser, "the answer", "return !document.querySelector('[data-whole], [aria-busy=true]')").await;
}

/// Sums what moved on the page by itself, from its beginning on.
async fn shift(browser: &Browser) -> f64 {
    let sum = "window.shift = 0; new PerformanceObserver(list => { for (const one of list.getEntries()) \
               if (!one.hadRecentInput) window.shift += one.value; }) \
               .observe({ type: 'layout-shift', buffered: true });";
    browser.script(sum).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    browser.script("return window.shift").await.as_f64().unwrap_or(f64::MAX)
}

#[tokio::test]
async fn advice_has_room_on_every_screen() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    for (width, height) in [(320, 640), (360, 740), (768, 1024), (1000, 700), (1200, 800), (1400, 900), (1920, 1080)] {
        resize(&browser, width, height).await;
        for path in [CHIPS, "/explore?game=connect:rows=4,cols=4&alice=8*&bob=8", "/explore?game=hex:size%3D11"] {
            browser.go(&server, path).await;
            answered(&browser).await;
            browser.script("for (const one of document.querySelectorAll('details')) one.open = true").await;
            let narrow = "return [...document.querySelectorAll('.worth .player p, .worth dd, .worth .best-play')] \
                          .filter(one => one.getBoundingClientRect().width < 90) \
                          .map(one => one.outerHTML.slice(0, 100) + one.getBoundingClientRect().width)";
            assert_eq!(browser.script(narrow).await, json!([]), "{path} at {width}");
            let count = "return document.querySelectorAll('.worth .player p, .worth dd').length";
            assert!(browser.script(count).await.as_u64() > Some(1), "{path} gives advice");
            browser.is_sound().await;
        }
    }
    browser.close().await;
}

#[tokio::test]
async fn what_matters_is_on_the_first_screen() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    for (width, height) in [(1366, 650), (1400, 900), (1920, 1080)] {
        resize(&browser, width, height).await;
        for path in [CHIPS, "/explore?game=chess", "/explore?game=hex:size%3D11", "/explore?game=connect"] {
            browser.go(&server, path).await;
            answered(&browser).await;
            let below = "return ['#board svg', '#question button', '.pointing', '#worth', '#ask-position', \
                         '.tools .button'].filter(css => { const box = document.querySelector(css) \
                         .getBoundingClientRect(); return box.bottom > innerHeight || box.top < 0 || box.width < 20; \
                         })";
            assert_eq!(browser.script(below).await, json!([]), "{path} at {width} x {height}");
        }
    }
    // On a phone the board comes first, and the answer next.
    resize(&browser, 360, 740).await;
    browser.go(&server, CHIPS).await;
    let fits = "return document.querySelector('#board svg').getBoundingClientRect().bottom < innerHeight && \
                document.querySelector('.outcome').getBoundingClientRect().top < 1.2 * innerHeight";
    assert_eq!(browser.script(fits).await, json!(true));
    browser.close().await;
}

/// The text of the position's field, the address, and whether the page is the first one still.
async fn draft(browser: &Browser) -> (String, String, bool) {
    let field = browser.script("return document.getElementById('ask-position').value").await;
    let address = browser.page.current_url().await.unwrap();
    let in_link = address.query_pairs().find(|(name, _)| name == "position").map(|(_, value)| value.into_owned());
    let stays = browser.script("return window.stays === true").await == json!(true);
    (field.as_str().unwrap_or_default().to_string(), in_link.unwrap_or_default(), stays)
}

#[tokio::test]
async fn a_board_is_set_up_in_place() {
    let server = Server::start().await;
    for (device, path, piece, cell, position) in [
        (Device::Desktop, "/explore?game=tic-tac-toe&alice=4*&bob=4", "B", 4, ".../.B./..."),
        (Device::Phone, "/explore?game=chess", "q", 27, "rnbqkbnr/pppppppp/8/3q4/8/8/PPPPPPPP/RNBQKBNR KQkq"),
        (Device::Phone, "/explore?game=hex:size%3D11", "A", 60, ".....A....."),
        (Device::Narrow, "/explore?game=hex:size%3D16", "B", 17, ".B.............."),
    ] {
        let browser = Browser::open(device, false).await;
        browser.go(&server, path).await;
        answered(&browser).await;
        browser.script("window.stays = true").await;
        browser.click(".tools a[href*='setup=']").await;
        browser.wait("#setup .cell").await;
        answered(&browser).await;
        browser.is_sound().await;
        let small = "return [...document.querySelectorAll('#setup .cell')].filter(cell => { const box = \
                     cell.getBoundingClientRect(); return box.width < 23.5 || box.height < 23.5; }).length";
        assert_eq!(browser.script(small).await, json!(0), "{path}: cells are large enough to press");
        let beside = "return [...document.querySelectorAll('#setup input[type=radio]')].filter(one => { \
                      const [dot, label] = [one, one.labels[0]].map(x => x.getBoundingClientRect()); \
                      return Math.abs(label.left - dot.right) > 12 || label.top > dot.bottom || \
                      label.bottom < dot.top; \
                      }).length";
        assert_eq!(browser.script(beside).await, json!(0), "{path}: the choices stand beside their labels");
        browser.script(&format!("document.querySelector('#setup [value=\"{piece}\"]').click()")).await;
        browser.script(&format!("document.getElementById('cell-{cell}').scrollIntoView({{ block: 'center' }})")).await;
        let before = browser.script("return scrollY").await.as_f64().unwrap();
        let answer = browser.text("#answer").await;
        browser.click(&format!("#cell-{cell}")).await;
        let (field, in_link, stays) = draft(&browser).await;
        assert!(field.contains(position) && in_link == field && stays, "{path}: {field}, {in_link}");
        answered(&browser).await;
        let is_new = format!("return document.getElementById('answer').innerText !== {}", json!(answer));
        becomes(&browser, "another answer", &is_new).await;
        let after = browser.script("return scrollY").await.as_f64().unwrap();
        assert!((before - after).abs() < 60.0, "{path}: the page stays where it is, {before} {after}");
        assert!(browser.has("#setup .cell").await && draft(&browser).await.2, "{path}: the board stays open");
        // Once more on the same cell, and it is empty again.
        browser.click(&format!("#cell-{cell}")).await;
        assert!(!draft(&browser).await.0.contains(position), "{path}");
        answered(&browser).await;
        browser.click("#setup a.button:not(.quiet)").await;
        browser.wait("#board svg").await;
        assert!(draft(&browser).await.2, "{path}: no page was loaded");
        browser.is_quiet().await;
        browser.close().await;
    }
}

/// Boards without pieces to choose: a press changes the position, and the board stays open.
#[tokio::test]
async fn places_are_pressed_to_set_a_board_up() {
    let server = Server::start().await;
    for (device, game, presses) in [
        (Device::Phone, "chomp:rows=5,cols=12", &[("g3", "12/12/6/6/6"), ("h4", "12/12/8/8/6")][..]),
        (Device::Desktop, "race", &[("alice-2", "1-3"), ("bob-1", "1-2"), ("alice-2", "2-2")]),
        (Device::Narrow, "race:alice=20,bob=20", &[("alice-8", "0-20"), ("alice-8", "1-20")]),
        (Device::Phone, "tug-of-war:length=1000", &[("503", "503"), ("506", "506")]),
        (Device::Desktop, "ultimatum", &[("3", "3"), ("B", "B"), ("-1", "-1")]),
        (Device::Narrow, "subtraction:heap=30,set=1+2", &[("17", "17"), ("17", "16"), ("18", "18")]),
    ] {
        let browser = Browser::open(device, false).await;
        browser.go(&server, &format!("/explore?game={}", game.replace('+', "%2B"))).await;
        answered(&browser).await;
        browser.script("window.stays = true").await;
        browser.click(".tools a[href*='setup=']").await;
        browser.wait("#setup #board .open").await;
        answered(&browser).await;
        browser.is_sound().await;
        let small = "return [...document.querySelectorAll('#setup .open')].filter(place => { const box = \
                     place.getBoundingClientRect(); return box.width < 23.5 || box.height < 23.5; }).length";
        assert_eq!(browser.script(small).await, json!(0), "{game}: places are large enough to press");
        let before = browser.script("return scrollY").await.as_f64().unwrap();
        for (place, position) in presses {
            browser.click(&format!("#setup #board [data-place='{place}']")).await;
            let there = format!("return document.getElementById('ask-position').value === {}", json!(position));
            becomes(&browser, position, &there).await;
            assert!(browser.has("#setup #board .open").await && draft(&browser).await.2, "{game}: it stays open");
            assert_eq!(draft(&browser).await.1, *position, "{game}: the address is a link to it");
        }
        answered(&browser).await;
        let after = browser.script("return scrollY").await.as_f64().unwrap();
        assert!((before - after).abs() < 60.0, "{game}: the page stays where it is, {before} {after}");
        browser.click("#setup a.button:not(.quiet)").await;
        browser.wait(".pointing, .outcome").await;
        assert!(draft(&browser).await.2 && !browser.has("#setup").await, "{game}: no page was loaded");
        browser.is_quiet().await;
        browser.close().await;
    }
    // With the keyboard, the focus stays at the place.
    let browser = Browser::open(Device::Desktop, false).await;
    browser.go(&server, "/explore?game=chomp&setup=board").await;
    browser.wait("#setup .open").await;
    browser.script("document.querySelector('#setup [data-place=c2]').focus()").await;
    for position in ["4/2/2", "4/3/2"] {
        browser.press(&Key::Enter.to_string()).await;
        let there = format!("return document.getElementById('ask-position').value === {}", json!(position));
        becomes(&browser, position, &there).await;
        assert_eq!(browser.script("return document.activeElement.dataset.place").await, json!("c2"));
    }
    browser.close().await;
}

#[tokio::test]
async fn a_board_is_set_up_with_the_keyboard_and_quickly() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    browser.go(&server, "/explore?game=hex:size%3D11&setup=A").await;
    browser.wait("#setup .cell").await;
    answered(&browser).await;
    let stops = "return document.querySelectorAll('#setup .cell:not([tabindex=\"-1\"])').length";
    assert_eq!(browser.script(stops).await, json!(1), "one stop for the tab key");
    browser.script("document.getElementById('cell-0').focus()").await;
    for _ in 0..3 {
        browser.press(&Key::Right.to_string()).await;
        browser.press(&Key::Enter.to_string()).await;
    }
    browser.press(&Key::Down.to_string()).await;
    browser.press(" ").await;
    let wanted = ".AAA......./...A.......";
    assert!(draft(&browser).await.0.starts_with(wanted), "{:?}", draft(&browser).await);
    answered(&browser).await;
    assert!(draft(&browser).await.0.starts_with(wanted), "no press is lost");
    assert_eq!(browser.script("return document.activeElement.id").await, json!("cell-14"), "the focus stays");
    // A king taken away is no position; the board stays, and says so.
    browser.go(&server, "/explore?game=chess&setup=K").await;
    browser.wait("#setup .cell").await;
    browser.click("#cell-60").await;
    becomes(&browser, "a sentence", "return !!document.querySelector('.worth [role=alert]')").await;
    assert!(browser.text(".worth [role=alert]").await.contains("king"), "{}", browser.text("main").await);
    browser.click("#cell-44").await;
    becomes(&browser, "an answer", "return !!document.querySelector('.worth .best-play')").await;
    assert_eq!(draft(&browser).await.0, "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQ1BNR kq");
    browser.close().await;
}

#[tokio::test]
async fn the_board_is_there_before_the_answer_and_nothing_moves() {
    let server = Server::start().await;
    for (width, height) in [(360, 740), (1366, 650), (1920, 1080)] {
        for path in ["/explore?game=connect", "/explore?game=chess&alice=100*&bob=100", "/explore?game=hex:size%3D13"] {
            let browser = Browser::open(Device::Desktop, false).await;
            resize(&browser, width, height).await;
            let path = format!("{path}&within=&depth={}", width % 7 + 1); // not yet known to the server
            browser.go(&server, &path).await;
            let early = browser
                .script("return !!document.querySelector('#board svg') && !!document.getElementById('question')");
            assert_eq!(early.await, json!(true), "{path}");
            answered(&browser).await;
            assert!(browser.has(".worth .outcome, .worth .share-bar").await, "{path}: {}", browser.text("main").await);
            let moved = shift(&browser).await;
            assert!(moved < 0.05, "{path} at {width}: {moved} moved");
            browser.is_sound().await;
            browser.is_quiet().await;
            browser.close().await;
        }
    }
    // A page that waits says so, and a server that is gone is not waited for in silence.
    let browser = Browser::open(Device::Desktop, false).await;
    browser.go(&server, "/explore?game=connect:rows=5,cols=6&chips=40").await;
    assert!(browser.has(".working[role=status], .worth .thresholds, .worth .outcome").await);
    browser.close().await;
}

#[tokio::test]
async fn a_failed_answer_is_said_and_asked_for_again() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    browser.go(&server, "/explore?game=tic-tac-toe&alice=4*&bob=4").await;
    browser.script("window.real = window.fetch; window.fetch = () => Promise.reject(new TypeError('gone'))").await;
    browser.click("#all-moves a.move").await;
    browser.wait("#answer .unreached[role=alert]").await;
    browser.script("window.fetch = window.real").await;
    browser.click("#answer .unreached button").await;
    becomes(
        &browser,
        "the answer",
        "return !document.querySelector('.unreached') && !!document.querySelector('.outcome')",
    )
    .await;
    let address = browser.page.current_url().await.unwrap();
    assert!(address.query().unwrap_or_default().contains("position="), "{address}");
    browser.script("history.back()").await;
    becomes(&browser, "the start", "return !location.search.includes('position=')").await;
    answered(&browser).await;
    assert_eq!(browser.script("return document.getElementById('ask-position').value").await, json!(""));
    browser.close().await;
}

#[tokio::test]
async fn refusals_offer_links_that_help() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, true).await;
    browser.go(&server, "/explore?game=expr").await;
    let text = browser.text("main").await;
    assert!(!text.contains("Byte"), "{text}");
    browser.is_sound().await;
    browser.click("main [role=alert] a").await;
    browser.wait(".worth .share-bar").await;
    browser.go(&server, "/explore?alice=4&bob=4").await;
    browser.click("main [role=alert] a").await;
    browser.wait(".worth .best-play").await;
    assert!(browser.text(".outcome").await.contains("4*"), "{}", browser.text("main").await);
    browser.close().await;
}

#[tokio::test]
async fn a_match_begins_from_the_position() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    browser.go(&server, CHIPS).await;
    browser.click(".tools a[href^='/new?']").await;
    browser.wait("form button.big").await;
    browser.click("form button.big").await;
    browser.wait("#match #board").await;
    let stones = browser.script("return document.querySelectorAll('#board .look-alice').length").await;
    assert!(stones.as_u64() >= Some(2), "the stones of the position are on the board: {stones}");
    browser.close().await;
}

#[tokio::test]
async fn chess_with_chips_has_an_estimate() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, true).await;
    browser.go(&server, "/explore?game=chess&alice=100*&bob=100").await;
    answered(&browser).await;
    let text = browser.text("#answer").await;
    assert!(text.contains("By an estimate") && text.contains("Bid "), "{text}");
    browser.is_sound().await;
    browser.close().await;
}
