//! Playing through a page.

use crate::{Browser, Key, PATIENCE};
use tokio::time::{Duration, Instant, sleep};

/// A player's means of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hands {
    /// Pointing and clicking.
    Mouse,
    /// Keys alone.
    Keyboard,
}

/// The awaited action as text, to see when it changes.
pub async fn state(browser: &Browser) -> String {
    let state = "const m = document.getElementById('match'); return m ? m.dataset.match + m.dataset.version : ''";
    browser.script(state).await.to_string()
}

/// The decision that is due to the player, as text. Unlike the state, it does not change with what
/// the other player decides meanwhile.
async fn due(browser: &Browser) -> String {
    let due = "const m = document.getElementById('match'); return m ? m.dataset.match + m.dataset.key : ''";
    browser.script(due).await.to_string()
}

/// Waits until the state changes.
pub async fn changed(browser: &Browser, before: &str) {
    let until = Instant::now() + PATIENCE;
    while state(browser).await == before {
        if Instant::now() > until {
            panic!("nothing happens; the page says:\n{}", browser.text("body").await);
        }
        sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until a script returns true.
pub async fn becomes(browser: &Browser, what: &str, script: &str) {
    let until = Instant::now() + PATIENCE;
    while browser.script(script).await != true {
        if Instant::now() > until {
            panic!("{what} does not happen; the page says:\n{}", browser.text("body").await);
        }
        sleep(Duration::from_millis(20)).await;
    }
}

/// Whether the match is over.
pub async fn is_over(browser: &Browser) -> bool {
    browser.has(".action.over").await
}

/// Waits until the player has to act, or the match is over.
pub async fn ready(browser: &Browser) {
    becomes(browser, "a decision", "return !!document.querySelector('.action:not(.waiting)')").await;
}

/// Waits until the page takes decisions: a new one takes none at first, for a double click may have
/// meant the one before.
pub async fn settled(browser: &Browser) {
    let is_settled = "return !document.documentElement.classList.contains('settling')";
    becomes(browser, "a page that takes decisions", is_settled).await;
}

/// Makes the decision that is due: bids at most `bid`, uses the star, or makes the first move.
pub async fn decide(browser: &Browser, hands: Hands, bid: u32) {
    let before = due(browser).await;
    if browser.has("#match [name=star]").await {
        match hands {
            Hands::Mouse => browser.click("#match [name=star][value=use]").await,
            Hands::Keyboard => browser.press(&Key::Enter.to_string()).await,
        }
    } else if browser.has("#match #moves").await {
        point(browser, hands, &before).await;
    } else {
        if browser.has("#curtain:not([open])").await {
            browser.click("#curtain summary").await;
        }
        let most = browser.script("return Number(document.getElementById('bid').max || 1e9)").await;
        let bid = bid.min(most.as_f64().unwrap_or_default() as u32).to_string();
        match hands {
            Hands::Mouse => {
                browser.fill("#bid", &bid).await;
                browser.click("#match form.bid button.button").await;
            }
            Hands::Keyboard => {
                browser.script("document.activeElement.blur()").await;
                browser.press(&bid).await; // digits find the field by themselves
                browser.press(&Key::Enter.to_string()).await;
            }
        }
    }
    let until = Instant::now() + PATIENCE;
    while due(browser).await == before {
        assert!(Instant::now() < until, "the decision is not taken; the page says:\n{}", browser.text("body").await);
        sleep(Duration::from_millis(20)).await;
    }
}

/// Points at the places of the first move, one after the other.
async fn point(browser: &Browser, hands: Hands, before: &str) {
    let first = "return document.querySelector('#moves [data-places]').dataset.places";
    let places = browser.script(first).await.as_str().unwrap_or_default().to_string();
    let places: Vec<&str> = places.split(' ').collect();
    for place in &places {
        let css = format!("#board [data-place='{place}']");
        match hands {
            Hands::Mouse => browser.click(&css).await,
            Hands::Keyboard if places.len() == 1 => {
                browser.script("document.querySelector('#board .open').focus()").await;
                browser.press(&Key::Right.to_string()).await;
                browser.press(&Key::Enter.to_string()).await;
            }
            Hands::Keyboard => {
                browser.script(&format!("document.querySelector(\"{css}\").focus()")).await;
                browser.press(&Key::Enter.to_string()).await;
            }
        }
    }
    if browser.has("#confirm .button").await {
        browser.click("#confirm .button").await;
    }
    // If several moves have the same places, like the promotions of a pawn, they are offered there.
    if due(browser).await == before && browser.has("#choice").await {
        browser.click("#choice .button").await;
    }
}
