//! A server for the tests of pages, in this process and without a network.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use richman_hall::token::Token;
use richman_serve::App;
use tower::ServiceExt;

/// A client of a new server.
pub struct Client {
    pub app: Arc<App>,
    routes: Router,
    /// Of the seat that it took last.
    cookie: Mutex<Option<String>>,
}

impl Client {
    pub async fn new() -> Client {
        let app = Arc::new(App::in_memory().unwrap());
        Client { routes: richman_serve::server::routes(Arc::clone(&app)), app, cookie: Mutex::default() }
    }

    /// Takes a seat.
    pub fn sit(&self, role: &str, token: &Token) {
        *self.cookie.lock().unwrap() = Some(format!("seat-{role}={}", token.reveal()));
    }

    async fn ask(&self, mut request: Request<Body>) -> (StatusCode, axum::http::HeaderMap, String) {
        if let Some(cookie) = self.cookie.lock().unwrap().as_ref() {
            request.headers_mut().insert(header::COOKIE, cookie.parse().unwrap());
        }
        let response = self.routes.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, 64 << 20).await.unwrap();
        (parts.status, parts.headers, String::from_utf8(bytes.to_vec()).unwrap())
    }

    fn request(path: &str) -> axum::http::request::Builder {
        Request::builder().uri(path).header(header::HOST, "127.0.0.1")
    }

    /// The answer at the path.
    pub async fn get(&self, path: &str) -> (StatusCode, String) {
        let (status, _, body) = self.ask(Self::request(path).body(Body::empty()).unwrap()).await;
        (status, body)
    }

    /// The answer at the path, with its type.
    pub async fn get_typed(&self, path: &str) -> (StatusCode, String, String) {
        let (status, headers, body) = self.ask(Self::request(path).body(Body::empty()).unwrap()).await;
        let kind = headers.get(header::CONTENT_TYPE).map_or("", |kind| kind.to_str().unwrap());
        (status, kind.to_string(), body)
    }

    /// The answer at the path, which must succeed.
    pub async fn get_ok(&self, path: &str) -> String {
        let (status, body) = self.get(path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {}", text_of(&body));
        body
    }

    /// Where the path redirects to.
    pub async fn redirect(&self, path: &str) -> Option<String> {
        let (status, headers, _) = self.ask(Self::request(path).body(Body::empty()).unwrap()).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{path}");
        headers.get(header::LOCATION).map(|to| to.to_str().unwrap().to_string())
    }

    /// Sends a form, and returns the target of the redirect.
    pub async fn post_multipart(&self, path: &str, fields: &[(&str, &str)]) -> Option<String> {
        let (status, headers, body) = self.ask(multipart(path, fields)).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{path}: {}", text_of(&body));
        headers.get(header::LOCATION).map(|to| to.to_str().unwrap().to_string())
    }

    /// Sends a form.
    pub async fn post_multipart_raw(&self, path: &str, fields: &[(&str, &str)]) -> (StatusCode, String) {
        let (status, _, body) = self.ask(multipart(path, fields)).await;
        (status, body)
    }
}

fn multipart(path: &str, fields: &[(&str, &str)]) -> Request<Body> {
    const BETWEEN: &str = "----richman-test";
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!("--{BETWEEN}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    body += &format!("--{BETWEEN}--\r\n");
    Client::request(path)
        .method("POST")
        .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BETWEEN}"))
        .body(Body::from(body))
        .unwrap()
}

/// The words of a page, without tags, with single spaces.
pub fn text_of(page: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for letter in page.chars() {
        match letter {
            '<' => is_tag = true,
            '>' if is_tag => {
                is_tag = false;
                text.push(' ');
            }
            letter if !is_tag => text.push(letter),
            _ => {}
        }
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The addresses that a page links to.
pub fn links(page: &str) -> Vec<String> {
    let starts = page.match_indices("href=\"").map(|(at, found)| at + found.len());
    starts.filter_map(|at| page[at..].split('"').next()).map(|link| link.replace("&amp;", "&")).collect()
}
