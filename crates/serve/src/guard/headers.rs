//! Headers of answers.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::response::Response;

/// A page loads only this server's own files, runs no inline scripts, and cannot be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      font-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

const PERMISSIONS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// The headers of every answer.
const ALWAYS: [(HeaderName, HeaderValue); 6] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // An address may hold a secret, so no other server may see it. Forms of pages without a
    // referrer would have no origin, by which they are accepted.
    (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("permissions-policy"), HeaderValue::from_static(PERMISSIONS)),
];

/// Adds the headers. Browsers may cache only answers that allow it: files that are the same for all
/// clients. An answer with its own policy, such as a drawing with an inline style, keeps it.
pub(super) fn add(response: &mut Response) {
    let response_status = response.status().as_u16();
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, value);
    }
    let policy = headers.get(CONTENT_SECURITY_POLICY).and_then(|policy| policy.to_str().ok());
    if policy.is_some_and(|policy| policy.ends_with("frame-ancestors *")) {
        headers.remove(X_FRAME_OPTIONS); // a page that other sites may show
    }
    if [429, 503].contains(&response_status) {
        headers.entry(RETRY_AFTER).or_insert(HeaderValue::from_static("30"));
    }
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    // Browsers cache no events. With "no-store", Chromium would not keep a page that listens to
    // them for a visitor who leaves it and comes back.
    let are_events = headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    if !are_events {
        headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
}
