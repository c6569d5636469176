//! The pages about the site, and what all pages have: links that lead somewhere, a description,
//! icons, fonts, and no text that is meant for a terminal.

use crate::visitor;

use std::collections::BTreeSet;

use axum::body::to_bytes;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION};
use visitor::{Page, Visitor};

const PAGES: [&str; 12] = [
    "/",
    "/first",
    "/new",
    "/new?game=connect",
    "/new?game=file",
    "/rules",
    "/help",
    "/about",
    "/review",
    "/explore",
    "/api",
    "/no-such-page",
];

async fn body(visitor: &Visitor, path: &str) -> (String, Vec<u8>) {
    let answer = visitor.raw(path).await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    let kind = answer.headers()[CONTENT_TYPE].to_str().unwrap().to_string();
    (kind, to_bytes(answer.into_body(), 1 << 24).await.unwrap().to_vec())
}

#[tokio::test]
async fn every_link_of_these_pages_leads_somewhere() {
    let visitor = Visitor::new();
    let mut links = BTreeSet::new();
    for path in PAGES {
        let page = visitor.get(path).await;
        for footer in ["/rules", "/help", "/about", "/guide", "/api"] {
            assert!(page.has(&format!("footer a[href='{footer}']")), "{path} links to {footer}");
        }
        for (css, name) in [("a", "href"), ("link", "href"), ("img", "src"), ("script", "src")] {
            links.extend(page.attrs(css, name));
        }
    }
    assert!(links.len() > 60, "{links:?}");
    for link in links {
        let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
        // Explored games have tests of their own.
        if path.is_empty() || path.starts_with("/explore?") {
            continue;
        }
        let answer = visitor.raw(path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{link}");
        if !anchor.is_empty() {
            assert!(visitor.get(path).await.has(&format!("[id='{anchor}']")), "{link}");
        }
    }
}

#[tokio::test]
async fn a_slash_too_many_leads_to_the_page() {
    let visitor = Visitor::new();
    let place = async |path: &str| {
        let answer = visitor.raw(path).await;
        (answer.status(), answer.headers().get(LOCATION).map(|place| place.to_str().unwrap().to_string()))
    };
    let pages = PAGES.into_iter().filter(|path| !["/", "/api"].contains(path) && !path.contains('?'));
    for path in pages.chain(["/new", "/guide/chips", "/m/abcdefghijkmnpqrstuvwxyz23"]) {
        for slashes in ["/", "//"] {
            let to = Some(path.to_string());
            assert_eq!(place(&format!("{path}{slashes}")).await, (StatusCode::PERMANENT_REDIRECT, to), "{path}");
        }
    }
    let to = Some("/explore?game=hex".to_string());
    assert_eq!(place("/explore/?game=hex").await, (StatusCode::PERMANENT_REDIRECT, to));
    for path in ["//elsewhere.example/", "/\\elsewhere.example/", "/./elsewhere.example/", "//"] {
        assert_eq!(place(path).await, (StatusCode::NOT_FOUND, None), "{path} is no address of another server");
    }
}

#[tokio::test]
async fn pages_have_a_description_icons_and_colours() {
    let visitor = Visitor::new();
    let mut descriptions = BTreeSet::new();
    for path in PAGES {
        let page = visitor.get(path).await;
        let description = page.attrs("meta[name=description]", "content");
        assert!(description.len() == 1 && description[0].len() > 40, "{path}: {description:?}");
        descriptions.extend(description);
        assert_eq!(page.attrs("meta[name=theme-color]", "content").len(), 2, "{path}");
        assert_eq!(page.attrs("link[rel=manifest]", "href"), ["/manifest.webmanifest"], "{path}");
        // The chosen colours come before the style, so that nothing flashes; without the script
        // there is no switch.
        let head = page.text.split("</head>").next().unwrap();
        assert!(head.find("/assets/theme-").unwrap() < head.find("rel=\"stylesheet\"").unwrap(), "{path}");
        assert!(page.has("#theme[hidden] button[value=dark]"), "{path}");
    }
    assert!(descriptions.len() >= 5, "{descriptions:?}");
}

#[tokio::test]
async fn the_manifest_names_icons_of_their_sizes() {
    let visitor = Visitor::new();
    let (kind, manifest) = body(&visitor, "/manifest.webmanifest").await;
    assert_eq!(kind, "application/manifest+json");
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let icons = manifest["icons"].as_array().unwrap();
    for size in [192, 512] {
        let sizes = format!("{size}x{size}");
        let icon = icons.iter().find(|icon| icon["sizes"] == sizes.as_str()).expect("an icon of that size");
        // Relative to the manifest.
        let (kind, png) = body(&visitor, &format!("/{}", icon["src"].as_str().unwrap())).await;
        assert_eq!((kind.as_str(), &png[..8]), ("image/png", &b"\x89PNG\r\n\x1a\n"[..]));
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!([side(16), side(20)], [size, size]);
    }
}

#[tokio::test]
async fn fonts_are_small_kept_and_licensed() {
    let visitor = Visitor::new();
    let page = visitor.get("/about").await;
    let policy = page.headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.contains("font-src 'self'") && policy.contains("manifest-src 'self'"), "{policy}");
    let (_, style) = body(&visitor, &page.attrs("link[rel=stylesheet]", "href")[0]).await;
    let style = String::from_utf8(style).unwrap();
    let fonts: Vec<&str> = style.split("url(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(fonts.len(), 2, "{fonts:?}");
    let mut bytes = 0;
    for font in fonts {
        // Relative to the style.
        let answer = visitor.raw(&format!("/assets/{font}")).await;
        assert_eq!(answer.headers()[CONTENT_TYPE], "font/woff2", "{font}");
        assert!(answer.headers()[CACHE_CONTROL].to_str().unwrap().contains("immutable"), "{font}");
        let font = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        assert_eq!(&font[..4], b"wOF2");
        bytes += font.len();
    }
    assert!(bytes < 120_000, "{bytes} bytes of fonts");
    for licence in page.attrs("a[href$='.txt']", "href") {
        let (_, text) = body(&visitor, &licence).await;
        assert!(String::from_utf8(text).unwrap().contains("SIL OPEN FONT LICENSE Version 1.1"), "{licence}");
    }
    assert_eq!(page.attrs("a[href$='.txt']", "href").len(), 2);
}

/// What a page says, without its code.
fn prose(page: &Page) -> String {
    let html = dom_query::Document::from(page.text.as_str());
    html.select("pre, code, textarea").remove();
    html.select("body").text().to_string()
}

#[tokio::test]
async fn no_page_shows_backticks() {
    let visitor = Visitor::new();
    for path in PAGES {
        let text = prose(&visitor.get(path).await);
        assert!(!text.contains('`'), "{path}: {text}");
    }
    // Messages for terminals name code between backticks; pages show it as code.
    let broken = [("game", "file"), ("upload", "{ \"name\" \"x\" }")];
    let page = visitor.post_parts("/new", &broken).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(page.says("#fault-file_text code"), ":", "{}", page.says("#fault-file_text"));
    assert!(!prose(&page).contains('`'), "{}", page.says("#fault-file_text"));
}

#[tokio::test]
async fn examples_for_programs_use_the_address_they_are_read_at() {
    let visitor = Visitor::new();
    for path in ["/api", "/guide/api", "/guide/learning"] {
        let request = axum::http::Request::builder()
            .uri(path)
            .header("host", "localhost:4711")
            .header("x-forwarded-proto", "https")
            .body(axum::body::Body::empty())
            .unwrap();
        let answer = visitor.send(request).await;
        let text = String::from_utf8(to_bytes(answer.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap();
        assert!(text.contains("https://localhost:4711"), "{path}");
        assert!(!text.contains("127.0.0.1:8080"), "{path}");
    }
    // How to run a server is told with a server of one's own.
    assert!(visitor.get("/guide/server").await.text.contains("http://127.0.0.1:8080/"));
}

#[tokio::test]
async fn the_first_page_has_the_games_and_a_place_for_ones_matches() {
    let page = Visitor::new().get("/").await;
    assert!(page.has("section#your-matches.needs-script[hidden] h2"));
    let names = page.all(".game-card b");
    for name in ["Tic-tac-toe", "Connect Four", "Hex", "Chess", "Tug of War"] {
        assert!(names.contains(&name.to_string()), "{names:?}");
    }
    assert_eq!(page.attrs(".game-card img", "src").len(), names.len());
}

#[tokio::test]
async fn the_rules_are_those_of_the_mechanisms() {
    let page = Visitor::new().get("/rules").await;
    let text = page.says("main");
    for words in [
        "In the example Alice has 5 chips afterwards and Bob 11.",
        "In the example Alice has 5 chips afterwards and Bob 8; 3 went to the bank.",
        "In the example Alice has 5 chips afterwards and Bob 9; 2 went to the bank.",
        "whoever lost the last one",
        "Bob sees it and answers",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
