//! The origin of a request, and the host name that it addresses.

use std::net::IpAddr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderName, ORIGIN};
use richman_pages::play::{host_name, is_loopback};

/// The host names that a server accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostNames {
    /// Any name.
    Any,
    /// The machine's names for itself, and these.
    Local(Vec<String>),
}

impl HostNames {
    /// The host names for a server that listens at `address` with these `names`. Without names, a
    /// server that others can reach accepts any, because it cannot know its own.
    pub fn new(address: IpAddr, names: &[String]) -> HostNames {
        if !address.is_loopback() && names.is_empty() {
            return HostNames::Any;
        }
        let mut names: Vec<String> = names.iter().map(|name| spelled(name)).collect();
        if !address.is_unspecified() {
            names.push(address.to_string());
        }
        HostNames::Local(names)
    }

    /// Whether a request addresses one of the names. A request without a host is accepted: browsers
    /// always send one.
    pub(super) fn know(&self, headers: &HeaderMap) -> bool {
        let HostNames::Local(names) = self else { return true };
        let mut said = headers.get_all(HOST).iter();
        match (said.next(), said.next()) {
            (None, _) => true,
            (Some(_), Some(_)) => false,
            (Some(host), None) => host
                .to_str()
                .ok()
                .and_then(host_name)
                .is_some_and(|name| is_loopback(&name.to_ascii_lowercase()) || names.contains(&spelled(name))),
        }
    }
}

/// A name in canonical form: in small letters, without a final dot; each address in one spelling.
fn spelled(name: &str) -> String {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.parse::<IpAddr>().map_or_else(|_| name.to_ascii_lowercase(), |address| address.to_string())
}

/// Whether a request comes from a page of this server, or from no page. Browsers say so; older ones
/// send at least the origin.
pub(super) fn is_own(headers: &HeaderMap) -> bool {
    const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    match (text(SITE), text(ORIGIN)) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            let of_origin = origin.split_once("://").map(|(_, authority)| authority.to_ascii_lowercase());
            of_origin.is_some() && of_origin == text(HOST).map(str::to_ascii_lowercase)
        }
        (None, None) => true,
    }
}
