//! The headers of every answer.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::response::Response;

/// Nothing is loaded but this server's own files, nothing inside a page runs, and no other page frames it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What a page may not use.
const PERMISSIONS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// Headers that every answer has, whatever it is.
const ALWAYS: [(HeaderName, HeaderValue); 6] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // An address may hold a token: no other server hears of it.
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("permissions-policy"), HeaderValue::from_static(PERMISSIONS)),
];

/// Adds them. Only files that are the same for everybody may be kept by browsers; and an answer that brings a policy of its own, as a drawing
/// with a style inside does, keeps it.
pub(super) fn add(path: &str, response: &mut Response) {
    let is_file = path.starts_with("/assets/") && response.status().as_u16() < 400;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, value);
    }
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    if !is_file {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}
