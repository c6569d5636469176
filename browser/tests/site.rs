//! Colours that a visitor chooses, the site's own fonts, games chosen by their pictures.

use richman_browser::{Browser, Device, Server};
use serde_json::json;

/// The background of the page, as soon as there is one: a page that waits for its answer is loaded
/// anew.
const PAPER: &str = "return new Promise(done => { const look = () => document.body \
    ? done(getComputedStyle(document.body).backgroundColor) : requestAnimationFrame(look); look(); })";
const LIGHT: &str = "rgb(247, 244, 238)";
const DARK: &str = "rgb(20, 22, 26)";

#[tokio::test]
async fn the_chosen_colours_stay_and_go_before_the_systems() {
    let server = Server::start().await;
    for (dark, own, other, chosen) in [(false, LIGHT, DARK, "dark"), (true, DARK, LIGHT, "light")] {
        let browser = Browser::open(Device::Desktop, dark).await;
        browser.go(&server, "/rules").await;
        assert_eq!(browser.script(PAPER).await, own);
        browser.click(&format!("#theme button[value={chosen}]")).await;
        assert_eq!(browser.script(PAPER).await, other);
        let pressed = browser.wait("#theme button[aria-pressed=true]").await.text().await.unwrap();
        assert_eq!(pressed.to_lowercase(), chosen);
        // The choice holds on other pages, and for drawings, from the first picture on.
        browser.go(&server, "/explore?game=tic-tac-toe").await;
        assert_eq!(browser.script(PAPER).await, other);
        // On a busy machine the board comes with the answer, in place of what was there.
        let text = browser
            .script(
                "return new Promise(done => { const look = () => {
                     const text = document.querySelector('.board text.look-guide');
                     text ? done(getComputedStyle(text).fill) : requestAnimationFrame(look); }; look(); })",
            )
            .await;
        let is_light = |text: &str| {
            let numbers = text.trim_matches(|c: char| !c.is_ascii_digit()).split(", ");
            numbers.filter_map(|number| number.parse::<u32>().ok()).sum::<u32>() > 3 * 128
        };
        assert_eq!(is_light(text.as_str().unwrap()), !dark, "letters of the board: {text}");
        // Back to the system's.
        browser.click("#theme button[value=system]").await;
        assert_eq!(browser.script(PAPER).await, own);
        browser.go(&server, "/").await;
        assert_eq!(browser.script(PAPER).await, own);
        browser.is_quiet().await;
        browser.close().await;
    }
}

#[tokio::test]
async fn text_is_set_in_the_fonts_of_the_site_and_does_not_move() {
    let server = Server::start().await;
    for device in [Device::Desktop, Device::Phone] {
        let browser = Browser::open(device, false).await;
        for path in ["/", "/new", "/new?game=hex", "/rules", "/guide/chips", "/explore?game=tic-tac-toe"] {
            browser.go(&server, path).await;
            let loaded = "return document.fonts.ready.then(() => [...document.fonts]\
                              .filter(font => font.status === 'loaded').map(font => font.family).sort())";
            let fonts = browser.script(loaded).await;
            for font in ["Inter", "Literata"] {
                assert!(fonts.as_array().unwrap().contains(&json!(font)), "{path}: {fonts}");
            }
            let shift = browser
                .script(
                    "return new Promise(done => {
                         let sum = 0;
                         new PerformanceObserver(list => {
                             for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
                         }).observe({ type: 'layout-shift', buffered: true });
                         setTimeout(() => done(sum), 300);
                     })",
                )
                .await;
            assert!(shift.as_f64().unwrap() < 0.05, "{path} moves by {shift}");
        }
        browser.is_quiet().await;
        browser.close().await;
    }
}

#[tokio::test]
async fn a_game_is_chosen_by_its_picture() {
    let server = Server::start().await;
    for (device, dark) in [(Device::Desktop, false), (Device::Narrow, true)] {
        let browser = Browser::open(device, dark).await;
        browser.go(&server, "/new").await;
        browser.is_sound().await;
        let drawn = "const pictures = [...document.querySelectorAll('.game-card img')];
                     for (const picture of pictures) picture.loading = 'eager';
                     return pictures.every(picture => picture.complete && picture.naturalWidth > 0);";
        richman_browser::playing::becomes(&browser, "the pictures of the games", drawn).await;
        browser.picture(&format!("games-{}{}", device.name(), if dark { "-dark" } else { "" })).await;
        browser.click("a.game-card[href$='=connect']").await;
        browser.wait("form.setup").await;
        browser.is_sound().await;
        assert_eq!(browser.text("h1").await, "Connect Four");
        let apart = "return [...document.querySelectorAll('input[type=radio]')].filter(radio => {
                         const [one, label] = [radio, radio.labels[0]].map(e => e.getBoundingClientRect());
                         return label.left < one.right || label.top > one.bottom || label.bottom < one.top;
                     }).map(radio => radio.id)";
        assert_eq!(browser.script(apart).await, json!([]), "buttons that left their labels");
        assert_eq!(browser.script("return document.getElementById('chips').value").await, "100");
        browser.click("form button.big").await;
        browser.wait("#match").await;
        browser.is_quiet().await;
        browser.close().await;
    }
}

#[tokio::test]
async fn pages_of_text_are_sound() {
    let server = Server::start().await;
    for (device, dark) in [(Device::Narrow, false), (Device::Desktop, true)] {
        let browser = Browser::open(device, dark).await;
        for path in ["/rules", "/help", "/about", "/first", "/api", "/new?game=file", "/new?game=chess"] {
            browser.go(&server, path).await;
            browser.is_sound().await;
            assert!(browser.has("footer #theme:not([hidden])").await, "{path} has the choice of colours");
        }
        browser.is_quiet().await;
        browser.close().await;
    }
}
