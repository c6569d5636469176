//! The pictures of the README. `RICHMAN_PICTURES=../docs/pictures`, from the folder of this
//! package, saves them there.

use richman_browser::playing::{Hands, decide, ready};
use richman_browser::{Browser, Device, Server, playing};

#[tokio::test]
async fn a_match_against_the_computer() {
    let server = Server::start().await;
    let browser = Browser::open(Device::Desktop, false).await;
    browser.go(&server, "/new?game=tic-tac-toe").await;
    browser.click("form button.big").await;
    browser.wait("#match").await;
    // Plays until the person may choose a move for the second time.
    let mut moves = 0;
    for _ in 0..20 {
        ready(&browser).await;
        if playing::is_over(&browser).await {
            break;
        }
        moves += usize::from(browser.has("#moves").await);
        if moves == 2 {
            break;
        }
        decide(&browser, Hands::Mouse, 3).await;
    }
    browser.picture("play").await;
    browser.close().await;
}

#[tokio::test]
async fn the_pictures_of_the_readme_are_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let shown: Vec<&str> = readme.split("](docs/pictures/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(shown.contains(&"play.png"), "the README shows {shown:?}");
    for name in shown.iter().filter(|name| name.ends_with(".png")) {
        let picture = std::fs::read(root.join("docs/pictures").join(name)).unwrap();
        assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n", "{name}");
        let width = u32::from_be_bytes(picture[16..20].try_into().unwrap());
        assert!(width >= 1000, "{name} is {width} wide");
    }
}
