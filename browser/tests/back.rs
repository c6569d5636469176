//! Back to a match, with the button of the browser: it shows the match as it is, and goes on.

use richman_browser::playing::becomes;
use richman_browser::seats::{Pause, Seats, Side};
use richman_browser::{Browser, Device, Server};

const WAITS: &str = "return !!document.querySelector('.action.waiting')";
const BIDS: &str = "return !!document.querySelector('.action form.bid')";

async fn leave(browser: &Browser) {
    browser.script("document.documentElement.dataset.left = 'yes'").await;
    browser.click("header a[href='/guide']").await;
    browser.wait("main h1").await;
    becomes(browser, "another page", "return location.pathname === '/guide'").await;
}

/// Goes back; whether the page was kept, or else what the browser says why not.
async fn back(browser: &Browser) -> Result<(), String> {
    browser.page.back().await.expect("there is a page before");
    browser.wait("#match").await;
    let reasons = "return JSON.stringify(performance.getEntriesByType('navigation')[0].notRestoredReasons)";
    match browser.script("return document.documentElement.dataset.left === 'yes'").await == true {
        true => Ok(()),
        false => Err(browser.script(reasons).await.to_string()),
    }
}

async fn in_a_match(browser: &Browser, server: &Server) -> Result<(), String> {
    let seats: Seats<'_> = server.seats("tic-tac-toe", 16).await;
    seats.go_on(Pause::OneBid).await;
    browser.go(server, &seats.path(Side::Alice)).await;
    becomes(browser, "waiting", WAITS).await;
    leave(browser).await;
    seats.bid(Side::Bob, 0).await; // Alice wins the bid
    let kept = back(browser).await;
    becomes(browser, "what happened meanwhile", "return !!document.querySelector('#moves')").await;
    seats.decide(Side::Alice, 0).await;
    becomes(browser, "what happens now", BIDS).await;
    kept
}

#[tokio::test]
async fn chromium_comes_back() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    let kept = in_a_match(&browser, &server).await;
    println!("kept: {kept:?}");
    browser.is_quiet().await;
    browser.close().await;
}

#[tokio::test]
async fn firefox_comes_back() {
    let server = Server::start().await;
    let browser = Browser::firefox().await;
    let kept = in_a_match(&browser, &server).await;
    println!("kept: {kept:?}");
    browser.is_quiet().await;
    browser.close().await;
}
