//! Pages below a path.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use richman_pages::base::BasePath;

use crate::visitor::{BASE, Page, Visitor};

/// The addresses that a page names and its browser would visit.
fn addresses(page: &Page) -> Vec<String> {
    let of = |name: &str| page.attrs(&format!("[{name}]"), name);
    let names = ["href", "src", "action", "data-base", "data-page", "data-whole"];
    let refreshes = page.attrs("meta[http-equiv=refresh]", "content").into_iter();
    let refreshed = refreshes.filter_map(|content| Some(content.split_once("url=")?.1.to_string()));
    names.into_iter().flat_map(of).chain(refreshed).filter(|address| address.starts_with('/')).collect()
}

#[tokio::test]
async fn every_address_on_every_page_is_below_the_base() {
    let visitor = Visitor::below(BASE);
    let (mut seen, mut next) = (BTreeSet::new(), vec![format!("{BASE}/")]);
    while let Some(path) = next.pop() {
        // Explore links to positions without end.
        let kind = path.split(['?', '#']).next().unwrap_or_default().to_string();
        if seen.len() > 150 || !seen.insert(kind) {
            continue;
        }
        if path.contains("/assets/") {
            assert_eq!(visitor.raw(&path).await.status(), StatusCode::OK, "{path}");
            continue;
        }
        let page = visitor.get(&path).await;
        // Some forms have an address of their own.
        assert!([StatusCode::OK, StatusCode::METHOD_NOT_ALLOWED].contains(&page.status), "{path}: {}", page.status);
        for address in addresses(&page) {
            assert!(address.starts_with(&format!("{BASE}/")), "{path} leads to {address}");
            next.push(address);
        }
    }
    for known in ["/new", "/explore", "/review", "/guide/chips", "/api", "/rules", "/manifest.webmanifest"] {
        assert!(seen.contains(&format!("{BASE}{known}")), "no page leads to {known}");
    }
    assert!(seen.len() > 60, "{}", seen.len());
    let lost = visitor.get(&format!("{BASE}/nowhere")).await;
    assert_eq!(lost.status, StatusCode::NOT_FOUND);
    assert!(addresses(&lost).iter().all(|address| address.starts_with(BASE)), "{}", lost.text);
}

#[tokio::test]
async fn a_match_is_played_below_the_base() {
    let visitor = Visitor::below(BASE);
    assert_eq!(visitor.raw(BASE).await.headers()["location"], format!("{BASE}/"));
    let first = visitor.get(&format!("{BASE}/first")).await;
    let page = visitor.submit(&first, "form", &[]).await;
    assert!(page.path.starts_with(&format!("{BASE}/m/")), "{}", page.path);
    let after = visitor.patient(&visitor.submit(&page, ".deciding form, form.deciding", &[("bid", "2")]).await).await;
    assert!(after.has("#match[data-role=alice]"), "the browser keeps the seat: {}", after.text);
    assert!(addresses(&after).iter().all(|address| address.starts_with(BASE)), "{}", after.text);
    let glance = visitor.get(&after.below("/glance")).await;
    assert!(glance.text.contains(&format!("\"page\":\"{BASE}/m/")), "{}", glance.text);
    let invited = visitor.post_parts(&format!("{BASE}/new"), &[("game", "tic-tac-toe"), ("opponent", "friend")]).await;
    let link = invited.attrs("#invitation", "value").remove(0);
    assert!(link.starts_with(&format!("http://127.0.0.1:8080{BASE}/join/")), "{link}");
}

/// What a proxy makes of an address does not matter.
#[tokio::test]
async fn requests_come_with_the_base_or_without_it() {
    let visitor = Visitor::below(BASE);
    let [with, without] = [visitor.get(&format!("{BASE}/rules")).await, visitor.get("/rules").await];
    assert_eq!(with.text, without.text);
    let root = Visitor::new().get("/rules").await;
    assert_eq!(BASE.parse::<BasePath>().unwrap().rebased(&root.text), with.text);
}
