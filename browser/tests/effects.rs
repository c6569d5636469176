//! What moves during play: pieces that are dragged, chips that are paid, a sound.

use richman_browser::playing::{self, becomes};
use richman_browser::seats::{Pause, Side};
use richman_browser::{Browser, Device, Server};

/// Presses on the middle of one place and lets go on another.
fn drag(from: &str, to: &str) -> String {
    format!(
        "const event = (kind, name) => {{
             const one = document.querySelector(`#board [data-place='${{name}}']`);
             const box = one.getBoundingClientRect();
             const at = {{ clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }};
             const target = document.elementFromPoint(at.clientX, at.clientY);
             target.dispatchEvent(new PointerEvent(kind, {{ ...at, bubbles: true, isPrimary: true, pointerId: 1 }}));
         }};
         event('pointerdown', '{from}');
         event('pointerup', '{to}');"
    )
}

#[tokio::test]
async fn a_piece_is_dragged() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let seats = server.seats("chess", 200).await;
    seats.go_on(Pause::Move).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    browser.wait("#moves").await;
    playing::settled(&browser).await;
    let before = playing::state(&browser).await;
    browser.script(&drag("e2", "e4")).await;
    playing::changed(&browser, &before).await;
    assert!(seats.view(Side::Bob).await["position"].as_str().unwrap().contains("/4P3/"), "the pawn is on e4");
    // The own side is below, for Bob too.
    let below =
        "const at = (name) => document.querySelector(`#board [data-place='${name}'], #board [aria-label^='${name}']`)
                     .getBoundingClientRect().top;
                 return at('e8') > at('e1')";
    browser.go(&server, &seats.path(Side::Bob)).await;
    assert_eq!(browser.script(below).await, true, "Bob sees his pieces below");
    browser.is_quiet().await;
    browser.close().await;
}

/// Chips fly to whoever is paid, unless the visitor wants no motion.
#[tokio::test]
async fn chips_move_when_they_are_paid() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    for still in [false, true] {
        let seats = server.seats("tic-tac-toe", 16).await;
        browser.go(&server, &seats.path(Side::Alice)).await;
        browser
            .devtools(
                "Emulation.setEmulatedMedia",
                serde_json::json!({ "features": [
                    { "name": "prefers-reduced-motion", "value": if still { "reduce" } else { "no-preference" } }
                ] }),
            )
            .await;
        browser
            .script(
                "window.flown = 0; new MutationObserver((changes) => changes.forEach(({ addedNodes }) =>
                     addedNodes.forEach((one) => { if (one.classList?.contains('flying')) window.flown += 1 })))
                     .observe(document.body, { childList: true })",
            )
            .await;
        seats.turn(0).await;
        becomes(&browser, "the end of the turn", "return document.querySelector('.number').textContent !== '8'").await;
        let flown = browser.script("return window.flown").await.as_u64().unwrap();
        assert_eq!(flown > 0, !still, "{flown} chips");
        becomes(&browser, "rest", "return !document.querySelector('.flying')").await;
    }
    browser.close().await;
}

#[tokio::test]
async fn a_sound_is_switched_on_and_stays() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let seats = server.seats("tic-tac-toe", 16).await;
    browser.go(&server, &seats.path(Side::Alice)).await;
    let pressed = async || browser.script("return document.getElementById('sound').ariaPressed").await;
    assert_eq!(pressed().await, "false");
    browser.click("#sound").await;
    assert_eq!(pressed().await, "true");
    browser.page.refresh().await.unwrap();
    assert_eq!(pressed().await, "true");
    // It sounds once for each decision that is due, after the visitor has touched the page.
    browser.click("#rules summary").await;
    browser
        .script(
            "window.tones = 0; const start = OscillatorNode.prototype.start;
             OscillatorNode.prototype.start = function (...all) { window.tones += 1; start.apply(this, all) }",
        )
        .await;
    seats.turn(0).await;
    becomes(&browser, "a tone", "return window.tones > 0").await;
    browser.click("#sound").await;
    assert_eq!(pressed().await, "false");
    browser.is_quiet().await;
    browser.close().await;
}
