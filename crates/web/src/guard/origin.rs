//! The origin of a request, and the host name that it addresses.

use std::net::IpAddr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderName, ORIGIN};

/// The host names that a server accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostNames {
    /// Any name.
    Any,
    /// The machine's names for itself, and these.
    Local(Vec<String>),
}

impl HostNames {
    /// The host names for a server that listens at `address` and was given `names`. Without names,
    /// a server that others can reach accepts any: it cannot know its own.
    pub fn new(address: IpAddr, names: &[String]) -> HostNames {
        if !address.is_loopback() && names.is_empty() {
            return HostNames::Any;
        }
        let mut names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
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
            (Some(host), None) => host.to_str().is_ok_and(|host| {
                let name = without_port(host).to_ascii_lowercase();
                is_loopback(&name) || names.contains(&name)
            }),
        }
    }
}

/// `localhost`, or a loopback address.
pub(crate) fn is_loopback(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost") || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// The name in a Host header, without the port or the brackets of an IPv6 address.
fn without_port(host: &str) -> &str {
    if let Some((inside, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return inside;
    }
    host.split_once(':').map_or(host, |(name, _)| name)
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
