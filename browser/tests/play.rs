//! Whole matches.

use richman_browser::playing::{Hands, decide, is_over, ready, state};
use richman_browser::{Browser, Device, Server, playing};

/// The guided first game, from the first page to the end and the review.
async fn first_game(device: Device, dark: bool, hands: Hands) {
    let server = Server::start().await;
    let browser = Browser::open(device, dark).await;
    let name = |what: &str| format!("{what}-{}{}", device.name(), if dark { "-dark" } else { "" });
    browser.go(&server, "/").await;
    browser.is_sound().await;
    browser.picture(&name("home")).await;
    browser.click("form[action='/first'] button").await;
    browser.wait("#match").await;
    for turn in 0..200 {
        ready(&browser).await;
        if is_over(&browser).await {
            break;
        }
        assert!(browser.has(".coach").await, "the coach is there");
        if turn < 8 {
            browser.is_sound().await;
            browser.picture(&name(&format!("first-{turn}"))).await;
        }
        decide(&browser, hands, 2).await;
    }
    assert!(is_over(&browser).await, "the match ends");
    browser.is_sound().await;
    browser.picture(&name("first-end")).await;
    browser.is_quiet().await;
    browser.click(".action.over a[href^='/review/']").await;
    browser.wait("table.turns").await;
    browser.is_sound().await;
    browser.picture(&name("first-review")).await;
    browser.is_quiet().await;
    browser.close().await;
}

#[tokio::test]
async fn the_first_game_on_a_desktop_with_the_keyboard() {
    first_game(Device::Desktop, false, Hands::Keyboard).await;
}

#[tokio::test]
async fn the_first_game_on_a_phone_in_the_dark() {
    first_game(Device::Phone, true, Hands::Mouse).await;
}

/// The source of the page, without names and secrets, which may contain a bid's digits by chance.
async fn source(browser: &Browser) -> String {
    let page = browser.page.source().await.expect("the page has a source");
    let is_word = |letter: char| letter.is_ascii_alphanumeric();
    let mut kept = String::new();
    let mut word = String::new();
    for letter in page.chars().chain([' ']) {
        if is_word(letter) {
            word.push(letter);
        } else {
            if word.len() != 26 {
                kept.push_str(&word);
            }
            word.clear();
            kept.push(letter);
        }
    }
    kept
}

/// A match by invitation between two windows: a sealed bid is nowhere in the other player's page,
/// and both see the same end.
#[tokio::test]
async fn a_match_between_two_windows() {
    const SECRET: &str = "73951";
    let server = Server::start().await;
    let (alice, bob) = tokio::join!(Browser::open(Device::Desktop, false), Browser::open(Device::Phone, false));
    alice.go(&server, "/new?game=tic-tac-toe").await;
    alice.is_sound().await;
    alice.picture("new-desktop").await;
    alice.click("label[for='opponent-friend']").await;
    alice.fill("#chips", "100000").await;
    alice.click("form button.big").await;
    let link = alice.wait("#invitation").await.prop("value").await.unwrap().unwrap();
    let path = link.split_once("/join/").expect("an invitation").1;
    bob.go(&server, &format!("/join/{path}")).await;
    bob.is_sound().await;
    bob.picture("join-phone").await;
    bob.click("main form button").await;
    bob.wait("#match").await;
    ready(&alice).await;
    decide(&alice, Hands::Mouse, SECRET.parse().unwrap()).await;
    playing::becomes(&bob, "hearing of the bid", "return /has bid|bid is in/i.test(document.body.textContent)").await;
    assert!(source(&alice).await.contains(SECRET), "the bidder sees the own bid");
    assert!(!source(&bob).await.contains(SECRET), "a sealed bid is on no page of the other player");
    alice.picture("waiting-desktop").await;
    bob.picture("friend-phone").await;
    ready(&bob).await;
    decide(&bob, Hands::Mouse, 12).await;
    playing::becomes(&bob, "the reveal", "return document.body.textContent.includes('73951')").await;
    bob.picture("reveal-phone").await;
    for turn in 0..400 {
        let (one, two) = (is_over(&alice).await, is_over(&bob).await);
        if one && two {
            break;
        }
        for (browser, bid) in [(&alice, 500 + turn % 7), (&bob, 500 + turn % 5)] {
            if browser.has(".action:not(.waiting):not(.over)").await {
                browser.is_sound().await;
                decide(browser, Hands::Mouse, bid).await;
            }
        }
    }
    assert!(is_over(&alice).await && is_over(&bob).await, "the match ends for both");
    alice.picture("two-end-desktop").await;
    let first = state(&alice).await;
    alice.click(".action.over form button").await;
    bob.click(".action.over form button").await;
    playing::changed(&alice, &first).await;
    playing::becomes(&alice, "the return match", "return !document.querySelector('.action.over')").await;
    playing::becomes(&bob, "the return match", "return !document.querySelector('.action.over')").await;
    alice.is_quiet().await;
    bob.is_quiet().await;
    tokio::join!(alice.close(), bob.close());
}

/// At one screen, the narrowest, the curtain hides each bid from the other player.
#[tokio::test]
async fn two_at_one_narrow_screen() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Narrow, false).await;
    browser.go(&server, "/new?game=connect").await;
    browser.is_sound().await;
    browser.picture("new-narrow").await;
    browser.click("label[for='opponent-screen']").await;
    browser.click("form button.big").await;
    browser.wait("#match").await;
    for turn in 0..300 {
        ready(&browser).await;
        if is_over(&browser).await {
            break;
        }
        if turn < 4 {
            browser.is_sound().await;
            browser.picture(&format!("screen-narrow-{turn}")).await;
        }
        decide(&browser, Hands::Mouse, 1 + turn % 2).await;
    }
    assert!(is_over(&browser).await, "the match ends");
    browser.picture("screen-narrow-end").await;
    browser.is_quiet().await;
    browser.close().await;
}

/// A hint shows its moves on the board, and fills its bid in when that is asked for.
#[tokio::test]
async fn a_hint_is_drawn_and_filled_in_when_asked_for() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    browser.go(&server, "/").await;
    browser.click("form[action='/first'] button").await;
    browser.wait("#match").await;
    ready(&browser).await;
    assert!(!browser.has("#board .marked").await, "no hint was asked for");
    browser.click(".hint-form button").await;
    browser.wait(".hint [data-fill=bid]").await;
    assert!(browser.has("#board .marked").await, "its moves are on the board");
    assert_eq!(browser.script("return document.getElementById('bid').value").await, "", "nothing is filled in");
    browser.picture("hint").await;
    browser.click(".hint [data-fill=bid]").await;
    let filled = "return document.getElementById('bid').value === document.querySelector('[data-fill]').dataset.value";
    assert_eq!(browser.script(filled).await, true, "the bid is filled in");
    browser.is_quiet().await;
    browser.close().await;
}
