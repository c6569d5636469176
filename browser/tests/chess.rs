//! Chess: pieces moved by pointing at squares, with a mouse, by touch and by keys.

use richman_browser::playing::{Hands, becomes, decide, is_over, ready};
use richman_browser::{Browser, Device, Server};

async fn set_up(browser: &Browser, server: &Server, fields: &str) {
    browser.go(server, &format!("/new?game=chess&{fields}")).await;
    browser.is_sound().await;
    browser.click("form button.big").await;
    browser.wait("#match").await;
}

/// A match on a small board, to the end or for long enough, and its review.
async fn a_match(device: Device, dark: bool, hands: Hands) {
    let server = Server::start().await;
    let browser = Browser::open(device, dark).await;
    set_up(&browser, &server, "chess.size=4").await;
    for turn in 0..40 {
        ready(&browser).await;
        if is_over(&browser).await {
            break;
        }
        if turn == 0 {
            assert_eq!(browser.all("#board [data-place]").await.len(), 16, "a place for each square");
        }
        browser.is_sound().await;
        decide(&browser, hands, 2 + turn % 3).await;
    }
    browser.picture(&format!("chess-4-{}", device.name())).await;
    browser.is_quiet().await;
    if is_over(&browser).await {
        browser.click(".action.over a[href^='/review/']").await;
        browser.wait("table.turns").await;
        browser.is_sound().await;
        browser.is_quiet().await;
    }
    browser.close().await;
}

#[tokio::test]
async fn a_small_board_on_a_desktop_with_the_keyboard() {
    a_match(Device::Desktop, false, Hands::Keyboard).await;
}

#[tokio::test]
async fn a_small_board_on_a_dark_phone() {
    a_match(Device::Phone, true, Hands::Mouse).await;
}

/// The whole game fits on a phone, has hints, and can be explored.
#[tokio::test]
async fn the_usual_board() {
    let server = Server::start().await;
    for (device, dark) in [(Device::Phone, false), (Device::Desktop, true)] {
        let browser = Browser::open(device, dark).await;
        set_up(&browser, &server, "chess.size=8").await;
        ready(&browser).await;
        browser.is_sound().await;
        browser.picture(&format!("chess-8-play-{}", device.name())).await;
        browser.click(".hint-form button").await;
        browser.wait(".hint").await;
        browser.go(&server, "/explore?game=chess&position=4k3/3r4/8/8/8/8/8/3QK3").await;
        browser.wait(".worth").await;
        browser.is_sound().await;
        browser.picture(&format!("chess-8-explore-{}", device.name())).await;
        browser.is_quiet().await;
        browser.close().await;
    }
}

/// A pawn's promotion is chosen at the square that it reaches, with a mouse and on a phone.
#[tokio::test]
async fn a_promotion_is_chosen_at_its_square() {
    let server = Server::start().await;
    for device in [Device::Desktop, Device::Phone] {
        let browser = Browser::open(device, false).await;
        set_up(&browser, &server, "position=8/P6k/8/8/8/8/8/K7&opponent=screen&bidding=alice-first").await;
        for bid in [2, 1] {
            ready(&browser).await;
            decide(&browser, Hands::Mouse, bid).await;
        }
        ready(&browser).await;
        for square in ["a7", "a8"] {
            browser.click(&format!("#board [data-place='{square}']")).await;
        }
        browser.wait("#choice").await;
        browser.picture(&format!("chess-promotion-{}", device.name())).await;
        let offered = "return [...document.querySelectorAll('#choice .button')].map(e => e.textContent)";
        assert_eq!(browser.script(offered).await, serde_json::json!(["a8=Q", "a8=R", "a8=B", "a8=N", "Take back"]));
        let gap = "const box = (css) => document.querySelector(css).getBoundingClientRect();
             const [choice, square] = [box('#choice'), box(\"#board [data-place='a8']\")];
             const away = (low, high, from, to) => Math.max(0, low - to, from - high);
             return Math.max(away(choice.left, choice.right, square.left, square.right),
                             away(choice.top, choice.bottom, square.top, square.bottom));";
        let gap = browser.script(gap).await.as_f64().unwrap();
        assert!(gap <= 2.0, "{gap} pixels between the square and the choice on a {}", device.name());
        browser.is_sound().await;
        browser.click("#choice .button:nth-child(4)").await;
        becomes(&browser, "the promotion", "return document.body.textContent.includes('moves a8=N')").await;
        browser.is_quiet().await;
        browser.close().await;
    }
}
