//! Pages of other sites may send requests that store nothing and need no secret, without
//! credentials: for solutions, tables, trees and lists. They never reach matches, records, or the
//! game files in them.

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, CONTENT_TYPE, HeaderName, HeaderValue,
};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

/// The addresses that are only read.
const READ: [&str; 9] = [
    "/api/openapi.json",
    "/api/v1/games",
    "/explore/figure.svg",
    "/explore/solve.csv",
    "/explore/solve.json",
    "/explore/table.csv",
    "/explore/table.json",
    "/explore/tree.json",
    "/explore/tree.svg",
];
/// The addresses that take a question as a body.
const ASKED: [&str; 2] = ["/api/v1/solve", "/api/v1/table"];

/// Whether a request stores nothing and shows nothing stored.
pub(super) fn is_stateless(method: &Method, address: &Uri) -> bool {
    let path = address.path();
    let is_read = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) && READ.contains(&path);
    let is_asked = matches!(*method, Method::POST | Method::OPTIONS) && ASKED.contains(&path);
    (is_read && !names_file(address)) || is_asked
}

/// Whether a question is about a game file of a match or a record.
fn names_file(address: &Uri) -> bool {
    let fields = serde_urlencoded::from_str::<Vec<(String, String)>>(address.query().unwrap_or_default());
    fields.map_or(true, |fields| fields.iter().any(|(field, value)| field == "file" && !value.is_empty()))
}

/// Lets pages of all sites read the answer.
pub(super) fn open(headers: &mut HeaderMap) {
    const POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
    const SEEN: HeaderValue = HeaderValue::from_static("retry-after, x-request-id");
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, SEEN);
    headers.insert(POLICY, HeaderValue::from_static("cross-origin"));
}

/// The answer to `OPTIONS` at an existing address; the router adds its methods as `Allow`. With
/// `is_open`, a browser may then send the request of another site's page.
pub(super) fn options(answer: Response, is_open: bool) -> Response {
    if answer.status() != StatusCode::METHOD_NOT_ALLOWED {
        return answer;
    }
    let mut options = StatusCode::NO_CONTENT.into_response();
    if is_open {
        let headers = options.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, POST"));
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, CONTENT_TYPE.into());
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600"));
    }
    options
}
