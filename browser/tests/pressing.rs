//! Double clicks, double taps and held keys make one decision, not two.

use std::time::Duration;

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions};
use richman_browser::playing::{Hands, becomes, decide, ready, settled};
use richman_browser::{Browser, Device, Server};
use serde_json::json;
use tokio::time::sleep;

/// Times between the two halves of a double click, in milliseconds.
const BETWEEN: [u64; 4] = [60, 120, 200, 350];

/// How a visitor presses a button twice.
#[derive(Debug, Clone, Copy)]
enum Twice {
    /// With this time between.
    Click(Duration),
    Tap(Duration),
}

/// Presses twice where an element is now, whatever stands there the second time.
async fn press(browser: &Browser, css: &str, twice: Twice) {
    settled(browser).await;
    let element = browser.wait(css).await;
    browser.script(&format!("document.querySelector(\"{css}\").scrollIntoView({{ block: 'center' }})")).await;
    let (Twice::Click(pause) | Twice::Tap(pause)) = twice;
    let steps = [
        PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 },
        PointerAction::Down { button: MOUSE_BUTTON_LEFT },
        PointerAction::Up { button: MOUSE_BUTTON_LEFT },
        PointerAction::Pause { duration: pause },
        PointerAction::Down { button: MOUSE_BUTTON_LEFT },
        PointerAction::Up { button: MOUSE_BUTTON_LEFT },
    ];
    let done = match twice {
        Twice::Click(_) => {
            let steps = steps.into_iter().fold(MouseActions::new("mouse".to_string()), MouseActions::then);
            browser.page.perform_actions(steps).await
        }
        Twice::Tap(_) => {
            let steps = steps.into_iter().fold(TouchActions::new("finger".to_string()), TouchActions::then);
            browser.page.perform_actions(steps).await
        }
    };
    done.expect("the pointer presses");
}

/// Holds Enter for a second wherever the focus is, as a keyboard repeats it.
async fn hold_enter(browser: &Browser) {
    let key = |kind: &str, repeats: bool| {
        json!({ "type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r",
                "autoRepeat": repeats })
    };
    for number in 0..30 {
        browser.devtools("Input.dispatchKeyEvent", key("keyDown", number > 0)).await;
        sleep(Duration::from_millis(30)).await;
    }
    browser.devtools("Input.dispatchKeyEvent", key("keyUp", false)).await;
}

/// The match, and the number of decisions in it.
async fn stand(browser: &Browser) -> (String, i64) {
    let stand = "const { match, version } = document.getElementById('match').dataset; return [match, Number(version)]";
    let stand = browser.script(stand).await;
    (stand[0].as_str().unwrap_or_default().to_string(), stand[1].as_i64().unwrap_or_default() / 2)
}

/// Asserts that one decision was made, and waits until the next is taken.
async fn one_decision(browser: &Browser, what: &str, before: (String, i64)) {
    let changed = format!("return Number(document.getElementById('match')?.dataset.version) >= {}", 2 * before.1 + 2);
    becomes(browser, &format!("a decision by {what}"), &changed).await;
    sleep(Duration::from_millis(700)).await;
    settled(browser).await;
    assert_eq!(stand(browser).await, (before.0, before.1 + 1), "{what} is one decision");
}

/// A match at one screen, where each form stands where the one before stood.
async fn at_one_screen(browser: &Browser, server: &Server, rules: &str) {
    browser.go(server, &format!("/new?game=tic-tac-toe&opponent=screen{rules}")).await;
    browser.click("form button.big").await;
    browser.wait("#match").await;
    ready(browser).await;
    settled(browser).await;
}

/// Every form of a match, pressed twice: bids that end in a tie, the star, a move, resigning, the
/// return match.
async fn every_form(browser: &Browser, server: &Server, twice: Twice) {
    at_one_screen(browser, server, "&bidding=alice-first").await;
    for who in ["Alice's bid", "Bob's answer"] {
        let before = stand(browser).await;
        assert_eq!(browser.script("return document.getElementById('bid').value").await, "", "nothing is filled in");
        browser.fill("#bid", "2").await;
        press(browser, "form.bid button.button", twice).await;
        one_decision(browser, &format!("{who}, {twice:?}"), before).await;
    }
    let before = stand(browser).await;
    press(browser, "[name=star][value=use]", twice).await;
    one_decision(browser, &format!("the star, {twice:?}"), before).await;
    let before = stand(browser).await;
    if let Twice::Tap(_) = twice {
        // On a touch screen a move may have to be confirmed.
        browser.click("#board .open[data-place='b2']").await;
        if browser.has("#confirm .button").await {
            press(browser, "#confirm .button", twice).await;
        }
    } else {
        press(browser, "#board .open[data-place='b2']", twice).await;
    }
    one_decision(browser, &format!("the move, {twice:?}"), before).await;
    browser.click("#resign summary").await;
    let before = stand(browser).await;
    press(browser, "#resign [name=resign]", twice).await;
    one_decision(browser, &format!("resigning, {twice:?}"), before.clone()).await;
    press(browser, ".action.over form button", twice).await;
    becomes(browser, "the return match", "return !!document.querySelector('form.bid')").await;
    sleep(Duration::from_millis(700)).await;
    assert_ne!(stand(browser).await.0, before.0, "a return match has begun, {twice:?}");
    let step = browser.script("return document.querySelector('form.bid [name=step]').value").await;
    assert_eq!(step, "0", "nothing is bid in it, {twice:?}");
}

#[tokio::test]
async fn a_double_click_decides_once() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    for pause in BETWEEN.map(Duration::from_millis) {
        every_form(&browser, &server, Twice::Click(pause)).await;
    }
    // Behind the curtain of hidden bids stands the next player's form.
    at_one_screen(&browser, &server, "").await;
    browser.fill("#bid", "2").await;
    press(&browser, "form.bid button.button", Twice::Click(Duration::from_millis(120))).await;
    browser.wait("#curtain").await;
    sleep(Duration::from_millis(700)).await;
    assert!(!browser.has("#curtain[open]").await, "the curtain stays closed");
    browser.is_quiet().await;
    browser.close().await;
}

#[tokio::test]
async fn a_double_tap_decides_once() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Phone, false).await;
    for pause in BETWEEN.map(Duration::from_millis) {
        every_form(&browser, &server, Twice::Tap(pause)).await;
    }
    browser.close().await;
}

#[tokio::test]
async fn a_held_enter_decides_once_and_the_next_bid_has_the_focus() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    at_one_screen(&browser, &server, "&bidding=alice-first").await;
    for what in ["Alice's bid", "Bob's answer", "the star", "the move"] {
        let before = stand(&browser).await;
        if what.contains('\'') {
            let focus = browser.script("return document.activeElement.id").await;
            assert!(before.1 == 1 || focus == "bid", "{what}: the focus is on the bid, not on {focus}");
            browser.fill("#bid", "2").await;
        }
        hold_enter(&browser).await;
        one_decision(&browser, what, before).await;
    }
    let focus = browser.script("return document.activeElement.id").await;
    assert_eq!(focus, "bid", "after a move the focus is on the next bid");
    decide(&browser, Hands::Keyboard, 1).await;
    browser.close().await;
}
