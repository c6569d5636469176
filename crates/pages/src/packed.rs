//! Compressed bodies. Only answers without a secret have one, because the length of a compressed
//! page reveals something of its content.

use std::io::Write;

use axum::body::{Body, Bytes};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, HeaderValue, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

/// The same body in gzip, attached to an answer until the client's accepted encodings are known.
#[derive(Debug, Clone)]
pub struct PackedBody(Bytes);

impl PackedBody {
    /// The body in gzip; `None` if that saves too little.
    pub fn of(body: &[u8]) -> Option<PackedBody> {
        /// A body that fits into one packet anyway.
        const SMALL: usize = 1300;
        if body.len() <= SMALL {
            return None;
        }
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(body).ok()?;
        let packed = packer.finish().ok()?;
        (packed.len() < body.len()).then(|| PackedBody(packed.into()))
    }

    /// The bytes in memory.
    pub fn weight(&self) -> usize {
        self.0.len()
    }
}

/// Whether a client takes gzip.
pub fn is_accepted(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        is_gzip && weight.is_ok_and(|weight| weight > 0.0)
    })
}

/// Sends the compressed body of an answer that carries one, if the client takes it.
pub fn unwrap(response: &mut Response, accepted: bool) {
    let Some(PackedBody(bytes)) = response.extensions_mut().remove() else { return };
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
    if accepted && response.status() != StatusCode::NOT_MODIFIED {
        let headers = response.headers_mut();
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        *response.body_mut() = Body::from(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_whoever_takes_it() {
        let body = "a page of a page ".repeat(200);
        assert!(PackedBody::of(b"short").is_none());
        let packed = PackedBody::of(body.as_bytes()).unwrap();
        assert!(packed.weight() < body.len() / 5);
        for (said, accepted) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("br", false),
            ("", false),
            ("gzip;q=x", false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(said))]);
            assert_eq!(is_accepted(&headers), accepted, "{said}");
        }
        for accepted in [true, false] {
            let mut response = Response::new(Body::from(body.clone()));
            response.extensions_mut().insert(packed.clone());
            unwrap(&mut response, accepted);
            assert_eq!(response.headers().contains_key(CONTENT_ENCODING), accepted);
            assert_eq!(response.headers()[VARY], "accept-encoding");
        }
    }
}
