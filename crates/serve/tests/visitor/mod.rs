//! A visitor without a script: follows links, fills in forms, keeps cookies, and checks that every
//! page is sound.

#![allow(dead_code)] // every test uses a part of it

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::Response;
use dom_query::{Document, Selection};
use richman_analysis::Games;
use richman_serve::hall::HallLimits;
use richman_serve::store::Store;
use richman_serve::{App, MEMORY, server};
use tower::ServiceExt;

/// A path above the pages of a server.
pub const BASE: &str = "/games/richman";

pub struct Visitor {
    pub app: Arc<App>,
    routes: Router,
    /// By the path and the name of each.
    cookies: Mutex<BTreeMap<(String, String), String>>,
}

pub struct Page {
    pub path: String,
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
    pub html: Document,
}

impl Visitor {
    /// The first visitor of a new server, on which decisions may follow each other at once.
    pub fn new() -> Visitor {
        let limits = HallLimits { form_pause: Duration::ZERO, ..HallLimits::default() };
        Visitor::of(App::new(Games::default(), Store::in_memory().unwrap(), limits, MEMORY, None))
    }

    /// The first visitor of a new server whose pages are below a path.
    pub fn below(base: &str) -> Visitor {
        let visitor = Visitor::new();
        let routes = server::routes_below(Arc::clone(&visitor.app), base.parse().unwrap());
        Visitor { routes, ..visitor }
    }

    /// The first visitor of a server.
    pub fn of(app: App) -> Visitor {
        let app = Arc::new(app);
        Visitor { routes: server::routes(Arc::clone(&app)), app, cookies: Mutex::default() }
    }

    /// Another visitor of the same server.
    pub fn other(&self) -> Visitor {
        Visitor { app: Arc::clone(&self.app), routes: self.routes.clone(), cookies: Mutex::default() }
    }

    pub async fn send(&self, mut request: Request<Body>) -> Response {
        let path = request.uri().path().to_string();
        let is_for = |of: &str| path == of || path.strip_prefix(of).is_some_and(|rest| rest.starts_with('/'));
        let sent: Vec<String> = self
            .cookies
            .lock()
            .unwrap()
            .iter()
            .filter(|((of, _), _)| is_for(of))
            .map(|((_, name), value)| format!("{name}={value}"))
            .collect();
        if !sent.is_empty() {
            request.headers_mut().insert(COOKIE, sent.join("; ").parse().unwrap());
        }
        let answer = self.routes.clone().oneshot(request).await.unwrap();
        for cookie in answer.headers().get_all(SET_COOKIE) {
            self.keep(cookie.to_str().unwrap());
        }
        answer
    }

    fn keep(&self, cookie: &str) {
        let mut parts = cookie.split("; ");
        let (name, value) = parts.next().unwrap().split_once('=').unwrap();
        let attributes: Vec<&str> = parts.collect();
        for attribute in ["HttpOnly", "SameSite=Lax"] {
            assert!(attributes.contains(&attribute), "{cookie}");
        }
        let path = attributes.iter().find_map(|attribute| attribute.strip_prefix("Path=")).unwrap();
        self.cookies.lock().unwrap().insert((path.to_string(), name.to_string()), value.to_string());
    }

    /// The secrets of seats in the cookies.
    pub fn secrets(&self) -> Vec<String> {
        let cookies = self.cookies.lock().unwrap();
        cookies.iter().filter(|((_, name), _)| name.contains("seat-")).map(|(_, value)| value.clone()).collect()
    }

    fn request(method: &str, path: &str) -> axum::http::request::Builder {
        Request::builder().method(method).uri(path).header(HOST, "127.0.0.1:8080")
    }

    pub async fn raw(&self, path: &str) -> Response {
        self.send(Visitor::request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Page {
        Page::of(path, self.raw(path).await).await
    }

    /// Posts a form and follows the redirect.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let body: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", coded(name), coded(value))).collect();
        let request = Visitor::request("POST", path)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body.join("&")));
        self.follow(path, request.unwrap()).await
    }

    /// Posts a form with files and follows the redirect.
    pub async fn post_parts(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        const BORDER: &str = "a-border-that-nobody-types";
        let mut body = String::new();
        for (name, value) in fields {
            let file = if *name == "upload" { "; filename=\"game.json\"" } else { "" };
            body += &format!("--{BORDER}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{value}\r\n");
        }
        body += &format!("--{BORDER}--\r\n");
        let kind = format!("multipart/form-data; boundary={BORDER}");
        let length = body.len();
        self.follow(
            path,
            Visitor::request("POST", path)
                .header(CONTENT_TYPE, kind)
                .header(CONTENT_LENGTH, length)
                .body(Body::from(body))
                .unwrap(),
        )
        .await
    }

    async fn follow(&self, path: &str, request: Request<Body>) -> Page {
        let answer = self.send(request).await;
        match answer.status() {
            StatusCode::SEE_OTHER => {
                let to = answer.headers()[LOCATION].to_str().unwrap().to_string();
                self.get(&to).await
            }
            _ => Page::of(path, answer).await,
        }
    }

    /// Submits a form of a page, with the given values of buttons or fields.
    pub async fn submit(&self, page: &Page, form: &str, filled: &[(&str, &str)]) -> Page {
        let form = page.html.select(form);
        assert!(form.exists(), "there is no such form on {}:\n{}", page.path, page.text);
        let form = form.first();
        assert_eq!(form.attr("method").as_deref(), Some("post"));
        let action = form.attr("action").unwrap().to_string();
        let hidden: Vec<(String, String)> = form
            .select("input[type=hidden]")
            .iter()
            .map(|input| (attr(&input, "name"), attr(&input, "value")))
            .collect();
        let mut fields: Vec<(&str, &str)> =
            hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.extend(filled);
        self.post(&action, &fields).await
    }

    /// Submits a form of a page as a browser does that fills nothing in.
    pub async fn submit_as_it_is(&self, page: &Page, form: &str) -> Page {
        let form = page.html.select(form).first();
        assert!(form.exists(), "there is no such form on {}:\n{}", page.path, page.text);
        let mut fields = Vec::new();
        for input in form.select("input[name], textarea[name]").iter() {
            let is_choice = matches!(attr(&input, "type").as_str(), "radio" | "checkbox");
            if !is_choice || input.has_attr("checked") {
                let is_text = input.is("textarea");
                let value = if is_text { input.text().to_string() } else { attr(&input, "value") };
                fields.push((attr(&input, "name"), value));
            }
        }
        for choice in form.select("select[name]").iter() {
            let (options, chosen) = (choice.select("option"), choice.select("option[selected]"));
            let option = if chosen.exists() { chosen.first() } else { options.first() };
            fields.push((attr(&choice, "name"), attr(&option, "value")));
        }
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        match attr(&form, "enctype").as_str() {
            "multipart/form-data" => self.post_parts(&attr(&form, "action"), &fields).await,
            _ => self.post(&attr(&form, "action"), &fields).await,
        }
    }

    pub async fn set_up(&self, fields: &[(&str, &str)]) -> Page {
        let page = self.post_parts("/new", fields).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        assert!(page.path.starts_with("/m/"), "{}", page.path);
        page
    }

    /// Reloads the page until a decision is due, or the match is over.
    pub async fn patient(&self, page: &Page) -> Page {
        for _ in 0..500 {
            let now = self.get(&page.path).await;
            if !now.has(".waiting") {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("nobody answers: {}", page.text);
    }
}

/// URL-encodes text of a form or an address.
fn coded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}

fn attr(of: &Selection, name: &str) -> String {
    of.attr(name).map(|value| value.to_string()).unwrap_or_default()
}

impl Page {
    async fn of(path: &str, answer: Response) -> Page {
        let (parts, body) = answer.into_parts();
        let bytes = to_bytes(body, 1 << 24).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let is_part = path.split('?').next().is_some_and(|path| path.ends_with("/now"));
        let html = Document::from(format!("{}{text}", if is_part { "<!DOCTYPE html>" } else { "" }));
        let page = Page { path: path.to_string(), status: parts.status, headers: parts.headers, text, html };
        if page.headers.get(CONTENT_TYPE).is_some_and(|kind| kind.to_str().unwrap().starts_with("text/html")) {
            page.is_sound(is_part);
        }
        page
    }

    /// An address below the one of the match, for the same role.
    pub fn below(&self, below: &str) -> String {
        let [base, role] = ["data-base", "data-role"].map(|name| self.attrs("#match", name).remove(0));
        format!("{base}{below}?as={role}")
    }

    pub fn has(&self, css: &str) -> bool {
        self.html.select(css).exists()
    }

    /// The text of the matching elements, with single spaces.
    pub fn says(&self, css: &str) -> String {
        self.html.select(css).text().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub fn all(&self, css: &str) -> Vec<String> {
        self.html.select(css).iter().map(|one| one.text().split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    pub fn attrs(&self, css: &str, name: &str) -> Vec<String> {
        self.html.select(css).iter().map(|one| attr(&one, name)).collect()
    }

    /// Checks that a page is HTML, names every control, and holds nothing that the content security
    /// policy forbids.
    fn is_sound(&self, is_part: bool) {
        let errors: Vec<String> = self.html.errors.borrow().iter().map(ToString::to_string).collect();
        let at = format!("{}:\n{}", self.path, self.text);
        assert!(errors.is_empty(), "{errors:?} in {at}");
        if !is_part {
            assert_eq!(self.attrs("html", "lang"), ["en"], "{at}");
            assert!(self.has("title") && self.has("meta[name=viewport]"), "{at}");
        }
        assert_eq!(self.html.select("h1").length(), 1, "{at}");
        let mut ids = HashSet::new();
        for one in self.html.select("body *").iter() {
            for attribute in one.attrs() {
                let name = attribute.name.local.to_string();
                assert!(name != "style" && !name.starts_with("on"), "{name} in {at}");
                if name == "id" {
                    assert!(ids.insert(attribute.value.to_string()), "id {} twice in {at}", attribute.value);
                }
            }
        }
        assert!(!self.has("style"), "{at}");
        for script in self.html.select("script").iter() {
            let address = attr(&script, "src");
            let address = address.strip_prefix(BASE).unwrap_or(&address);
            assert!(address.starts_with("/assets/") && script.text().trim().is_empty(), "{at}");
        }
        let labelled: HashSet<String> = self.attrs("label", "for").into_iter().collect();
        for label in &labelled {
            assert!(ids.contains(label), "a label for {label}, which is not there, in {at}");
        }
        for control in self.html.select("input, select, textarea, button, a[href], [role=button]").iter() {
            let is_hidden = attr(&control, "type") == "hidden";
            let has_text = !control.is("input, select, textarea") && !control.text().trim().is_empty();
            let named =
                has_text || !attr(&control, "aria-label").is_empty() || labelled.contains(&attr(&control, "id"));
            assert!(is_hidden || named, "{} has no name in {at}", control.html());
        }
        for described in self.attrs("[aria-describedby]", "aria-describedby") {
            assert!(ids.contains(&described), "{described} in {at}");
        }
    }
}
