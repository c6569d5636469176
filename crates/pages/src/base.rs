//! Pages below a path. All addresses in this crate begin at the root; what is sent to a browser
//! begins with the path of the site.

use std::str::FromStr;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, LOCATION, SET_COOKIE};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use richman_hall::refused::Refusal;

use crate::packed::PackedBody;

/// The path above all addresses of a site, such as `/games/richman`; empty at the root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BasePath(Arc<str>);

impl FromStr for BasePath {
    type Err = String;

    fn from_str(text: &str) -> Result<BasePath, String> {
        const LONGEST: usize = 200;
        let path = text.trim_end_matches('/');
        let is_name = |name: &str| {
            let letters = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
            !name.is_empty() && name.bytes().all(letters) && !name.bytes().all(|byte| byte == b'.')
        };
        let is_path = path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(is_name));
        if path.len() > LONGEST || !(path.is_empty() || is_path) {
            return Err(format!("{text}: write the path under which the pages are, such as /games/richman"));
        }
        Ok(BasePath(path.into()))
    }
}

/// The attributes that hold addresses, as pages write them.
const ATTRIBUTES: [&str; 6] = ["href=\"", "src=\"", "action=\"", "data-base=\"", "data-page=\"", "data-whole=\""];

impl BasePath {
    /// A prefix for addresses on a page so many folders below the site.
    pub fn relative(depth: usize) -> BasePath {
        BasePath(if depth == 0 { ".".into() } else { vec![".."; depth].join("/").into() })
    }

    /// The path, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An address of the site as a browser knows it.
    pub fn outside(&self, address: &str) -> String {
        format!("{}{address}", self.0)
    }

    /// The path in this site; as it is if it is not below the base, because a proxy may have
    /// removed that.
    pub fn inside<'a>(&self, path: &'a str) -> &'a str {
        path.strip_prefix(&*self.0).filter(|rest| rest.starts_with('/')).unwrap_or(path)
    }

    /// A request with its address in this site. The address of the base itself leads to the first
    /// page.
    ///
    /// # Errors
    /// The redirect to the first page.
    pub fn enter(&self, mut request: Request) -> Result<Request, Redirect> {
        let path = request.uri().path();
        if path == &*self.0 {
            return Err(Redirect::permanent(&self.outside("/")));
        }
        let inside = self.inside(path);
        if inside.len() < path.len() {
            let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
            let mut parts = request.uri().clone().into_parts();
            parts.path_and_query = PathAndQuery::try_from(format!("{inside}{query}")).ok();
            if let Ok(address) = Uri::from_parts(parts) {
                *request.uri_mut() = address;
            }
        }
        request.extensions_mut().insert(self.clone());
        Ok(request)
    }

    /// The answer as a browser is to have it: its addresses begin with the base.
    pub async fn leave(&self, response: Response) -> Response {
        if self.0.is_empty() {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        self.rebase_headers(&mut parts.headers);
        let is_page = parts.headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        if !is_page {
            return Response::from_parts(parts, body);
        }
        let Ok(bytes) = to_bytes(body, usize::MAX).await else {
            return Refusal::internal(std::io::Error::other("a page broke off")).into_response();
        };
        let text = self.rebased(&String::from_utf8_lossy(&bytes));
        parts.headers.remove(CONTENT_LENGTH);
        if parts.extensions.remove::<PackedBody>().is_some()
            && let Some(packed) = PackedBody::of(text.as_bytes())
        {
            parts.extensions.insert(packed);
        }
        Response::from_parts(parts, Body::from(text))
    }

    fn rebase_headers(&self, headers: &mut HeaderMap) {
        if let Some(target) = headers.get(LOCATION).and_then(|target| target.to_str().ok())
            && target.starts_with('/')
            && let Ok(target) = HeaderValue::try_from(self.outside(target))
        {
            headers.insert(LOCATION, target);
        }
        let cookies: Vec<HeaderValue> = headers.get_all(SET_COOKIE).iter().cloned().collect();
        headers.remove(SET_COOKIE);
        for cookie in cookies {
            let text = cookie.to_str().map(|text| text.replacen("Path=/", &format!("Path={}/", self.0), 1));
            headers.append(SET_COOKIE, text.ok().and_then(|text| text.try_into().ok()).unwrap_or(cookie));
        }
    }

    /// A page whose addresses begin with the base. In a page a quotation mark that is no part of an
    /// element is written as `&quot;`, so nothing else looks like such an attribute.
    pub fn rebased(&self, page: &str) -> String {
        let mut text = String::with_capacity(page.len() + page.len() / 16);
        let mut rest = page;
        while let Some(at) = rest.find("=\"") {
            let (before, after) = rest.split_at(at + 2);
            text += before;
            rest = after;
            let refreshes = before.ends_with("content=\"").then(|| rest.strip_prefix("0; url=")).flatten();
            let target = match refreshes {
                Some(target) => {
                    text += "0; url=";
                    target
                }
                None if ATTRIBUTES.iter().any(|name| ends_with_attribute(before, name)) => rest,
                None => continue,
            };
            rest = target;
            if target.starts_with('/') && !target.starts_with("//") {
                text += &self.0;
            }
        }
        text + rest
    }
}

/// Whether a text ends with this attribute, and not with a longer name.
fn ends_with_attribute(text: &str, attribute: &str) -> bool {
    text.strip_suffix(attribute).is_some_and(|before| before.ends_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_a_plain_path() {
        for (text, path) in [("", ""), ("/", ""), ("/games/richman/", "/games/richman"), ("/a.b", "/a.b")] {
            assert_eq!(text.parse::<BasePath>().unwrap().as_str(), path, "{text}");
        }
        for wrong in ["games", "//x", "/a//b", "/a/../b", "/a b", "/\"", "/a?b", "https://x", "/."] {
            assert!(wrong.parse::<BasePath>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_on_a_page_get_the_base_and_nothing_else_does() {
        let base: BasePath = "/b".parse().unwrap();
        for (page, expected) in [
            ("<a href=\"/new\">", "<a href=\"/b/new\">"),
            (
                "<a href=\"//x\"><a href=\"#y\"><a href=\"https://z/\">",
                "<a href=\"//x\"><a href=\"#y\"><a href=\"https://z/\">",
            ),
            ("<form method=\"post\" action=\"/m/x\">", "<form method=\"post\" action=\"/b/m/x\">"),
            ("<input value=\"/new\" data-name=\"/\">", "<input value=\"/new\" data-name=\"/\">"),
            ("<p>href=&quot;/new&quot;</p>", "<p>href=&quot;/new&quot;</p>"),
            ("<meta content=\"0; url=/explore?x\">", "<meta content=\"0; url=/b/explore?x\">"),
            ("<meta content=\"/x\">", "<meta content=\"/x\">"),
            ("<i data-href=\"/x\">", "<i data-href=\"/x\">"),
        ] {
            assert_eq!(base.rebased(page), expected);
        }
        assert_eq!(base.inside("/b/new"), "/new");
        assert_eq!(base.inside("/bad"), "/bad");
        assert_eq!(base.inside("/new"), "/new");
    }
}
