//! The origin of a request, and the host name that it addresses.

use std::net::{IpAddr, Ipv6Addr};

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

/// `localhost`, or a loopback address.
pub(crate) fn is_loopback(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost") || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// A name in canonical form: in small letters, without a final dot; each address in one spelling.
fn spelled(name: &str) -> String {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.parse::<IpAddr>().map_or_else(|_| name.to_ascii_lowercase(), |address| address.to_string())
}

/// The name in a Host header, which may have a port; an IPv6 address is in brackets. `None` for
/// anything else.
pub(crate) fn host_name(host: &str) -> Option<&str> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(inside) => inside.split_once(']').filter(|(name, _)| name.parse::<Ipv6Addr>().is_ok())?,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)).then_some(name)
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
