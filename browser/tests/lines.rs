//! The means of the tests themselves: networks that are cut, tabs, screens.

use richman_browser::{Browser, Device, Line, LineState, Network, Screen, Server};

const REACHED: &str = "const done = arguments[0]; fetch('/').then((answer) => done(answer.status), () => done(0))";

async fn status(browser: &Browser) -> serde_json::Value {
    browser.page.execute_async(REACHED, Vec::new()).await.expect("the page answers")
}

#[tokio::test]
async fn a_network_is_broken_and_mended() {
    let server = Server::start().await;
    let line = Line::to(&server).await;
    let browser = Browser::open(Device::Desktop, false).await;
    browser.page.goto(&line.address).await.unwrap();
    assert_eq!(status(&browser).await, 200);
    for (state, expected) in [(LineState::Cut, 0), (LineState::ServerAway, 502), (LineState::Whole, 200)] {
        line.set(state);
        assert_eq!(status(&browser).await, expected, "{state:?}");
    }
    browser.set_network(Network::Broken).await;
    assert_eq!(status(&browser).await, 0);
    assert_eq!(browser.script("return navigator.onLine").await, false);
    browser.set_network(Network::Usual).await;
    assert_eq!(status(&browser).await, 200);
    browser.close().await;
}

#[tokio::test]
async fn tabs_and_screens() {
    let server = Server::start().await;
    let screen = Screen { width: 412, height: 915, touch: true, pixel_ratio: 2.625 };
    let browser = Browser::open(screen.into(), false).await;
    browser.go(&server, "/").await;
    let first = browser.tab().await;
    browser.open_tab(&server, "/review").await;
    let size = "return [innerWidth, innerHeight, devicePixelRatio, matchMedia('(pointer: coarse)').matches]";
    assert_eq!(browser.script(size).await, serde_json::json!([412, 915, 2.625, true]));
    browser.resize(Screen::with_mouse(1920, 1080)).await;
    assert_eq!(browser.script(size).await, serde_json::json!([1920, 1080, 1, false]));
    browser.close_tab(&first).await;
    assert_eq!(browser.page.current_url().await.unwrap().path(), "/");
    assert_eq!(browser.script(size).await, serde_json::json!([412, 915, 2.625, true]));
    browser.close().await;
}
