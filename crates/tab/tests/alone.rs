//! Matches, reviews and explore without a server.

use std::collections::BTreeMap;

use dom_query::Document;
use richman_analysis::Games;
use richman_docs::documents;
use richman_tab::{Tab, TabAnswer, TabRequest};

const BASE: &str = "/games/richman";

/// A browser with a tab, and what it keeps.
struct Browser {
    tab: Tab,
    kept: BTreeMap<String, String>,
}

/// A page with its address.
struct Page {
    address: String,
    status: u16,
    text: String,
    html: Document,
}

impl Browser {
    fn new() -> Browser {
        Browser { tab: tab(None), kept: BTreeMap::new() }
    }

    /// The same browser, with the tab closed and opened again.
    fn reopened(self) -> Browser {
        let mut tab = tab(None);
        for (name, text) in &self.kept {
            tab.load(name, text);
        }
        assert_eq!(tab.changes(), [], "what was kept is known to be kept");
        Browser { tab, ..self }
    }

    fn send(&mut self, method: &str, address: &str, kind: &str, body: Vec<u8>) -> TabAnswer {
        let headers = if kind.is_empty() { Vec::new() } else { vec![("content-type".into(), kind.to_string())] };
        let (method, address, host) = (method.to_string(), address.to_string(), "games.example".to_string());
        let answer = self.tab.answer(TabRequest { method, address, host, headers, body });
        for change in self.tab.changes() {
            match change.text {
                Some(text) => self.kept.insert(change.name, text),
                None => self.kept.remove(&change.name),
            };
        }
        assert!(answer.headers.iter().all(|(name, _)| name != "set-cookie"), "secrets stay in the tab");
        answer
    }

    fn get(&mut self, address: &str) -> Page {
        let answer = self.send("GET", address, "", Vec::new());
        Page::of(answer)
    }

    /// Submits the first form that matches, as it is except for these fields.
    fn submit(&mut self, page: &Page, css: &str, filled: &[(&str, &str)]) -> Page {
        let form = page.html.select(css).first();
        assert!(form.exists(), "no {css} at {}: {}", page.address, page.text);
        let mut fields: Vec<(String, String)> = Vec::new();
        for input in form.select("input[type=hidden]").iter() {
            let of = |name: &str| input.attr(name).map(|value| value.to_string()).unwrap_or_default();
            fields.push((of("name"), of("value")));
        }
        fields.extend(filled.iter().map(|(name, value)| (name.to_string(), value.to_string())));
        let pairs: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", coded(value))).collect();
        let action = form.attr("action").unwrap().to_string();
        let body = pairs.join("&").into_bytes();
        Page::of(self.send("POST", &action, "application/x-www-form-urlencoded", body))
    }

    fn post_parts(&mut self, address: &str, fields: &[(&str, &str)]) -> Page {
        let mut body = String::new();
        for (name, value) in fields {
            body += &format!("--border\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        }
        body += "--border--\r\n";
        Page::of(self.send("POST", address, "multipart/form-data; boundary=border", body.into_bytes()))
    }

    /// The page of a match once the computer has decided.
    fn settled(&mut self, page: Page) -> Page {
        let mut worked = false;
        while self.tab.is_waited_for() {
            self.tab.work();
            worked = true;
        }
        if worked { self.get(&page.address) } else { page }
    }

    /// Plays a match to its end, with the first thing that each form offers.
    fn play_on(&mut self, mut page: Page) -> Page {
        for _ in 0..200 {
            page = self.settled(page);
            if page.has(".over") {
                return page;
            }
            page = if page.has("input[name=bid]") {
                self.submit(&page, "form:has(input[name=bid])", &[("bid", "1")])
            } else if page.has("button[name=star]") {
                self.submit(&page, "form:has(button[name=star])", &[("star", "use")])
            } else {
                let name = page.attr("button[name=move]", "value");
                self.submit(&page, "form:has(button[name=move])", &[("move", &name)])
            };
            assert_eq!(page.status, 200, "{}", page.text);
        }
        panic!("the match does not end: {}", page.text);
    }
}

fn tab(server: Option<&str>) -> Tab {
    Tab::new(Games::default(), BASE.parse().unwrap(), server.map(str::to_string))
}

fn coded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

impl Page {
    fn of(answer: TabAnswer) -> Page {
        let text = String::from_utf8(answer.body).unwrap();
        Page { address: answer.address, status: answer.status, html: Document::from(text.as_str()), text }
    }

    fn has(&self, css: &str) -> bool {
        self.html.select(css).exists()
    }

    fn attr(&self, css: &str, name: &str) -> String {
        let found = self.html.select(css);
        assert!(found.exists(), "no {css} at {}: {}", self.address, self.text);
        found.first().attr(name).map(|value| value.to_string()).unwrap_or_default()
    }

    fn says(&self, css: &str) -> String {
        self.html.select(css).text().split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The name of a record.
fn name(number: usize) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    (0..26).map(|at| char::from(LETTERS[number >> (5 * at).min(60) & 31])).collect()
}

fn begin(browser: &mut Browser) -> Page {
    let page = browser.get(&format!("{BASE}/first"));
    browser.submit(&page, "form[method=post]", &[])
}

#[test]
fn the_first_game_is_played_to_its_end_reviewed_and_played_again() {
    let mut browser = Browser::new();
    let page = begin(&mut browser);
    assert!(page.address.starts_with(&format!("{BASE}/m/")), "{}", page.address);
    assert!(page.has("#match[data-role=alice]"), "the seat is kept: {}", page.text);
    let over = browser.play_on(page);
    let review = over.attr("a[href*='/review/']", "href");
    let reviewed = browser.get(&review);
    assert_eq!(reviewed.status, 200, "{}", reviewed.text);
    assert!(reviewed.has(".digest"), "{}", reviewed.text);
    let again = browser.submit(&over, "form[action*='/rematch']", &[]);
    let again = browser.settled(again);
    assert!(again.has("#match[data-role=bob]"), "sides are exchanged: {}", again.text);
    assert_ne!(again.address, over.address);
}

#[test]
fn a_match_survives_the_tab() {
    let mut browser = Browser::new();
    let page = begin(&mut browser);
    let page = browser.submit(&page, "form:has(input[name=bid])", &[("bid", "2")]);
    let before = browser.settled(page);
    let mut browser = browser.reopened();
    let after = browser.get(&before.address);
    assert_eq!(after.says("#match"), before.says("#match"));
    assert!(after.has("#match[data-role=alice]"), "{}", after.text);
    let over = browser.play_on(after);
    let mut browser = browser.reopened();
    assert!(browser.get(&over.address).has(".over"));
}

#[test]
fn records_and_game_files_are_kept_and_explored() {
    const FILE: &str = include_str!("../../../examples/mine.json");
    let mut browser = Browser::new();
    let record =
        "[Game \"tic-tac-toe\"]\n[Alice \"4*\"]\n[Bob \"4\"]\n\n1. 1*-1 Alice b2\n2. 1-1* Bob a1\n3. 2-2 Bob c1";
    let review = browser.post_parts(&format!("{BASE}/review"), &[("record", record)]);
    assert!(review.address.starts_with(&format!("{BASE}/review/")), "{}: {}", review.address, review.text);
    let explored = browser.post_parts(&format!("{BASE}/explore/file"), &[("text", FILE)]);
    assert!(explored.address.contains("/explore?file="), "{}: {}", explored.address, explored.says(".notice"));
    let mut browser = browser.reopened();
    assert_eq!(browser.get(&review.address).says(".digest"), review.says(".digest"));
    let whole = browser.get(&format!("{}&whole=yes", explored.address));
    assert!(whole.says("#answer").contains("Bob wins"), "{}", whole.says("#answer"));
    let json = browser.send("GET", &format!("{BASE}/explore/solve.json?game=tic-tac-toe"), "", Vec::new());
    assert!(String::from_utf8(json.body).unwrap().contains("133/256"));
}

#[test]
fn two_play_at_one_screen_and_a_friend_elsewhere_needs_a_server() {
    let mut browser = Browser::new();
    let screen = browser.post_parts(&format!("{BASE}/new"), &[("game", "tic-tac-toe"), ("opponent", "screen")]);
    assert!(screen.has("#match[data-role=both]"), "{}", screen.text);
    let over = browser.play_on(screen);
    assert!(over.has(".over"));
    let friend = browser.post_parts(&format!("{BASE}/new"), &[("game", "tic-tac-toe"), ("opponent", "friend")]);
    assert!(friend.says("[role=alert]").contains("needs a server"), "{}", friend.text);
    let form = browser.get(&format!("{BASE}/new?game=tic-tac-toe"));
    assert!(!form.has("input[value=friend]") && form.text.contains("do without"), "{}", form.text);
    browser.tab = tab(Some("https://play.example"));
    let form = browser.get(&format!("{BASE}/new?game=tic-tac-toe"));
    assert!(form.has("a[href='https://play.example/new']"), "{}", form.text);
}

#[test]
fn what_is_kept_can_be_saved_and_brought_back() {
    let mut browser = Browser::new();
    let page = begin(&mut browser);
    let page = browser.submit(&page, "form:has(input[name=bid])", &[("bid", "2")]);
    let page = browser.settled(page);
    let saved = browser.send("GET", &format!("{BASE}/kept/richman-matches.json"), "", Vec::new());
    let saved = String::from_utf8(saved.body).unwrap();
    let mut other = Browser::new();
    let own = begin(&mut other);
    let kept = other.post_parts(&format!("{BASE}/kept"), &[("file", &saved)]);
    assert!(kept.text.contains("2 matches"), "{}", kept.text);
    for page in [&page, &own] {
        assert!(other.get(&page.address).has("#match[data-role=alice]"), "{}", page.address);
    }
    for wrong in
        ["", "[]", "{\"match/x\": \"{}\"}", "{\"seats\": \"[]\"}", "{\"match/abcdefghijkmnpqrstuvwxyz23\": \"{\"}"]
    {
        let answer = other.post_parts(&format!("{BASE}/kept"), &[("file", wrong)]);
        assert!([200, 400].contains(&answer.status), "{wrong}: {}", answer.status);
    }
    // A file cannot drop what is kept, or take seats.
    let many: BTreeMap<String, &str> = (0..1000).map(|number| (format!("record/{}", name(number)), "{}")).collect();
    let crowd = other.post_parts(&format!("{BASE}/kept"), &[("file", &serde_json::to_string(&many).unwrap())]);
    assert_eq!(crowd.status, 413, "{}", crowd.text);
    for seats in [r#"{"x": 1}"#, r#"{"": {"a": "b\nc"}}"#, r#"{"/m/x": {"seat-alice": "y"}}"#] {
        let file = serde_json::to_string(&BTreeMap::from([("seats", seats)])).unwrap();
        other.post_parts(&format!("{BASE}/kept"), &[("file", &file)]);
        assert!(other.get(&own.address).has("#match[data-role=alice]"), "{seats}");
    }
    let lost = other.get(&format!("{BASE}/m/abcdefghijkmnpqrstuvwxyz23"));
    assert!([400, 404].contains(&lost.status), "{}", lost.status);
    assert!(other.get(&own.address).has("#match[data-role=alice]"));
}

/// Every page that the pages lead to is there, and every address is below the base.
#[test]
fn all_links_lead_somewhere() {
    let mut browser = Browser::new();
    let over = begin(&mut browser);
    let over = browser.play_on(over);
    let (mut seen, mut next) = (Vec::new(), vec![format!("{BASE}/"), over.address]);
    while let Some(address) = next.pop() {
        let path = address.split(['?', '#']).next().unwrap().to_string();
        // Files of the site, and the guide, are no pages of the tab.
        let is_file = path.contains("/assets/") || path.starts_with(&format!("{BASE}/guide"));
        if is_file || seen.contains(&path) || path.contains("/explore/") {
            continue;
        }
        let page = browser.get(&address);
        assert_eq!(page.status, 200, "{address}");
        seen.push(path);
        for (css, name) in [("[href]", "href"), ("[src]", "src")] {
            for link in page.html.select(css).iter().filter_map(|one| one.attr(name)) {
                if link.starts_with('/') {
                    assert!(link.starts_with(&format!("{BASE}/")), "{link} at {address}");
                    if let Some(document) = link.strip_prefix(&format!("{BASE}/guide/")) {
                        let name = document.split('#').next().unwrap();
                        assert!(documents().any(|one| one.name == name), "{link} at {address}");
                    }
                    next.push(link.to_string());
                }
            }
        }
    }
    assert!(seen.len() > 12, "{seen:?}");
}
