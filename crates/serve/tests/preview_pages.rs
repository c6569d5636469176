//! Previews of links, and compressed answers.

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use richman_analysis::Games;
use richman_serve::hall::HallLimits;
use richman_serve::store::Store;
use richman_serve::{App, MEMORY};

use crate::visitor::Visitor;

fn public() -> Visitor {
    let (store, limits) = (Store::in_memory().unwrap(), HallLimits::default());
    let public = "https://play.example".to_string();
    Visitor::of(App::new(Games::default(), store, limits, MEMORY, Some(public)))
}

fn tag(page: &crate::visitor::Page, name: &str) -> Option<String> {
    page.attrs(&format!("meta[property='{name}']"), "content").pop()
}

#[tokio::test]
async fn links_are_previewed_with_the_board() {
    let visitor = public();
    let page = visitor.set_up(&[("game", "tic-tac-toe"), ("chips", "4711"), ("opponent", "screen")]).await;
    let id = page.attrs("#match", "data-match").remove(0);
    let record = visitor
        .post_parts("/review", &[("record", "[Game \"tic-tac-toe\"] [Alice \"4*\"] [Bob \"4\"] 1. 1*-1 Alice b2")])
        .await;
    assert_eq!(record.status, StatusCode::OK, "{}", record.text);
    let board = visitor.get("/explore?game=hex:size%3D5&position=....A/...../...../...../.....").await;
    for (page, path) in [(&page, format!("/m/{id}")), (&record, record.path.clone()), (&board, board.path.clone())] {
        assert!(tag(page, "og:title").is_some() && page.has("meta[name=description]"), "{path}");
        assert_eq!(
            tag(page, "og:url").unwrap().split('?').next(),
            format!("https://play.example{path}").split('?').next()
        );
        let picture = tag(page, "og:image").unwrap_or_else(|| panic!("{path} has no picture"));
        let picture = visitor.raw(picture.strip_prefix("https://play.example").unwrap()).await;
        assert_eq!(picture.status(), StatusCode::OK, "{path}");
        assert_eq!(picture.headers()["content-type"], "image/png");
        assert!(picture.headers()["cache-control"].to_str().unwrap().starts_with("public"));
        let bytes = to_bytes(picture.into_body(), 1 << 20).await.unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 2000, "{path}");
    }
    // A bid changes nothing of it.
    let before = tag(&page, "og:image");
    let bid = visitor.submit(&page, "form.bid", &[("bid", "1234")]).await;
    assert_eq!(tag(&bid, "og:image"), before);
    // Without a public address there is no whole address of a picture.
    let page = Visitor::new().post("/first", &[]).await;
    assert_eq!((tag(&page, "og:image"), tag(&page, "og:url")), (None, None));
    assert!(tag(&page, "og:title").is_some());
}

#[tokio::test]
async fn pictures_of_nonsense_are_refused() {
    let visitor = public();
    let long = "a".repeat(3000);
    for (query, status) in [
        ("".to_string(), StatusCode::BAD_REQUEST),
        ("?game=none".to_string(), StatusCode::UNPROCESSABLE_ENTITY),
        ("?game=tic-tac-toe&position=XYZ".to_string(), StatusCode::UNPROCESSABLE_ENTITY),
        (format!("?game={long}"), StatusCode::PAYLOAD_TOO_LARGE),
        ("?game=/etc/passwd".to_string(), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        assert_eq!(visitor.get(&format!("/preview.png{query}")).await.status, status, "{query}");
    }
    for wrong in ["play.example", "ftp://a", "https://a/b", "https://a?b", "https://u@a", "https://", ""] {
        assert!(wrong.parse::<richman_serve::PublicOrigin>().is_err(), "{wrong}");
    }
    for right in ["https://play.example", "http://192.0.2.1:8080/", "https://[::1]:80"] {
        assert!(right.parse::<richman_serve::PublicOrigin>().is_ok(), "{right}");
    }
}

/// What is the same for everybody is compressed; pages of matches, which hold secrets, are not.
#[tokio::test]
async fn only_answers_without_a_secret_are_compressed() {
    let visitor = Visitor::new();
    let page = visitor.set_up(&[("game", "chess"), ("opponent", "friend")]).await;
    let style = page.attrs("link[rel=stylesheet]", "href").remove(0);
    for (path, is_packed) in [
        (style.as_str(), true),
        ("/explore?game=chess&whole=yes", true),
        ("/explore/tree.svg?game=tug-of-war", true),
        (page.path.as_str(), false),
        ("/new", false),
    ] {
        let asked = |accepted: &'static str| {
            let request = Request::get(path).header("host", "127.0.0.1:8080").header("accept-encoding", accepted);
            visitor.send(request.body(Body::empty()).unwrap())
        };
        let (packed, plain) = (asked("gzip, br").await, asked("identity").await);
        assert_eq!(
            packed.headers().get("content-encoding").is_some_and(|coding| coding == "gzip"),
            is_packed,
            "{path}"
        );
        assert_eq!(packed.headers().contains_key("vary"), is_packed, "{path}");
        assert!(!plain.headers().contains_key("content-encoding"), "{path}");
        let [packed, plain] = [packed, plain].map(|answer| to_bytes(answer.into_body(), 1 << 24));
        let (packed, plain) = (packed.await.unwrap(), plain.await.unwrap());
        if is_packed {
            assert!(packed.starts_with(b"\x1f\x8b") && 2 * packed.len() < plain.len(), "{path}");
        }
    }
}
