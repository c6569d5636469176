//! The guide on the pages: every chapter and document is there, every link leads to a page and to
//! an id on it, and no Markdown is left in the text.

use crate::visitor;

use std::collections::BTreeMap;

use axum::body::to_bytes;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use richman_docs::{CHAPTERS, FILES, ProjectDocument, documents};
use visitor::{Page, Visitor};

fn address(document: &ProjectDocument) -> String {
    if document.name.is_empty() { "/guide".to_string() } else { format!("/guide/{}", document.name) }
}

/// The page of every document, by its address.
async fn pages(visitor: &Visitor) -> BTreeMap<String, Page> {
    let mut pages = BTreeMap::new();
    for document in documents() {
        let page = visitor.get(&address(document)).await;
        assert_eq!(page.status, StatusCode::OK, "{}", document.name);
        pages.insert(page.path.clone(), page);
    }
    pages
}

/// The text of an article without its code.
fn prose(page: &Page) -> String {
    let html = dom_query::Document::from(page.text.as_str());
    html.select("pre, code").remove();
    html.select("article").text().to_string()
}

#[tokio::test]
async fn every_document_has_a_page() {
    let visitor = Visitor::new();
    for (address, page) in pages(&visitor).await {
        let headings = page.text.matches("<h1").count();
        assert_eq!(headings, 1, "{address}");
        assert_eq!(page.attrs(".contents a[aria-current]", "href"), [address.as_str()]);
        assert_eq!(page.attrs(".contents a", "href").len(), documents().count(), "{address}");
        assert_eq!(page.headers[CACHE_CONTROL], "no-store");
        assert!(page.headers[CONTENT_SECURITY_POLICY].to_str().unwrap().starts_with("default-src 'none'"));
        assert!(page.text.len() < 200_000, "{address} has {} bytes", page.text.len());
    }
}

#[tokio::test]
async fn every_link_leads_to_a_page_and_an_id() {
    let visitor = Visitor::new();
    let pages = pages(&visitor).await;
    let (mut inner, mut anchors) = (0, 0);
    for (from, page) in &pages {
        for link in page.attrs("a", "href") {
            if link.starts_with("https://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = if path.is_empty() { from } else { path };
            let has_id = match pages.get(path) {
                Some(target) => anchor.is_empty() || target.attrs("[id]", "id").contains(&anchor.to_string()),
                None => {
                    assert!(!path.starts_with("/guide"), "{from} links to {link}");
                    let status = visitor.raw(path).await.status();
                    assert_eq!(status, StatusCode::OK, "{from} links to {link}");
                    anchor.is_empty()
                }
            };
            assert!(has_id, "{from} links to {link}");
            (inner, anchors) = (inner + 1, anchors + usize::from(!anchor.is_empty()));
        }
        for picture in page.attrs("article img", "src") {
            assert_eq!(visitor.raw(&picture).await.status(), StatusCode::OK, "{from} shows {picture}");
        }
    }
    assert!(inner > 1000 && anchors > 30, "{inner} links, {anchors} with an id");
}

#[tokio::test]
async fn no_markdown_is_left_in_the_text() {
    const SYNTAX: [&str; 8] = ["**", "](", "`", "| --", "](#", "<!--", "&lt;", "\n#"];
    let visitor = Visitor::new();
    for (address, page) in pages(&visitor).await {
        let prose = prose(&page);
        assert!(prose.len() > 200, "{address}: {prose}");
        for syntax in SYNTAX {
            assert!(!prose.contains(syntax), "{address} has {syntax} in {prose}");
        }
        for line in prose.lines() {
            assert!(!line.trim_start().starts_with(['|', '>']) && !line.starts_with("- "), "{address}: {line}");
        }
    }
}

/// Headings, blocks of code and rows of tables are as many as the documents have.
#[tokio::test]
async fn nothing_is_lost() {
    let visitor = Visitor::new();
    let pages = pages(&visitor).await;
    for document in documents() {
        let page = &pages[&address(document)];
        let mut is_code = false;
        let (mut headings, mut blocks, mut rows) = (0, 0, 0);
        for line in document.text.lines() {
            let fence = line.trim_start().starts_with("```");
            blocks += usize::from(fence && !is_code);
            is_code ^= fence;
            headings += usize::from(!is_code && line.starts_with('#'));
            rows += usize::from(!is_code && line.starts_with('|') && !line.contains("| ---"));
        }
        let name = document.name;
        assert_eq!(page.all("article :is(h1, h2, h3, h4)[id]").len(), headings, "headings of {name}");
        assert!(page.all("article pre code").len() >= blocks, "{name} has {blocks} blocks of code");
        assert_eq!(page.all("article tr").len(), rows, "rows of {name}");
        assert_eq!(page.all("article .table[tabindex] table").len(), page.all("article table").len());
    }
}

#[tokio::test]
async fn chapters_follow_each_other() {
    let visitor = Visitor::new();
    let mut page = visitor.get("/guide").await;
    assert!(!page.has("a[rel=prev]"));
    for pair in CHAPTERS.windows(2) {
        assert_eq!(page.path, address(&pair[0]));
        let next = page.attrs(".neighbours a[rel=next]", "href");
        page = visitor.get(&next[0]).await;
        assert_eq!(page.attrs(".neighbours a[rel=prev]", "href"), [address(&pair[0])]);
    }
    assert!(!page.has("a[rel=next]"));
    assert!(!visitor.get("/guide/glossary").await.has(".neighbours"));
}

#[tokio::test]
async fn pages_lead_to_the_guide() {
    let visitor = Visitor::new();
    for path in ["/", "/new", "/explore", "/review", "/no-such-page"] {
        assert!(visitor.get(path).await.attrs("header nav a", "href").contains(&"/guide".to_string()), "{path}");
    }
    assert!(visitor.get("/").await.has("main a[href='/guide']"));
    let page = visitor.set_up(&[("game", "tic-tac-toe"), ("opponent", "screen"), ("chips", "4")]).await;
    assert!(page.has("#rules a[href='/guide/chips']"), "{}", page.text);
}

#[tokio::test]
async fn other_names_lead_nowhere() {
    let visitor = Visitor::new();
    let long = format!("/guide/{}", "a".repeat(8000));
    for path in [
        "/guide/../../etc/passwd",
        "/guide/..%2f..%2fetc%2fpasswd",
        "/guide/%2e%2e/%2e%2e/etc/passwd",
        "/guide//etc/passwd",
        "/guide/play.md",
        "/guide/PLAY",
        "/guide/README",
        "/guide/SUMMARY",
        "/guide/%00",
        "/guide/%ff%fe",
        "/guide/play%00",
        "/guide/%3Cscript%3Ealert(1)%3C/script%3E",
        "/guide/src/lib.rs",
        "/assets/play.png",
        "/assets/..%2fplay.png",
        &long,
    ] {
        let page = visitor.get(path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(page.says("h1"), "Nothing is here");
        assert!(!page.text.contains("alert(1)") && !page.text.contains("passwd"), "{path}");
    }
}

#[tokio::test]
async fn files_have_their_type_and_are_kept_by_browsers() {
    let visitor = Visitor::new();
    let links = visitor.get("/guide/glossary").await.attrs("article a", "href");
    let references = links.iter().find(|link| link.ends_with(".bib")).unwrap();
    let answer = visitor.raw(references).await;
    assert_eq!(answer.headers()[CONTENT_TYPE], "text/plain; charset=utf-8");
    assert_eq!(answer.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
    let file = FILES.iter().find(|file| file.path == "references.bib").unwrap();
    assert_eq!(to_bytes(answer.into_body(), 1 << 20).await.unwrap(), file.bytes);
}
