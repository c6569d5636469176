//! The client of a request: clients get fair shares, so each needs a name.
//!
//! A client is an address, for IPv6 the /64 network around it, because a household has one of
//! those. Behind a trusted proxy, it is the address that the proxy reports.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use axum::http::HeaderMap;
use ipnet::IpNet;

tokio::task_local! {
    static CURRENT: Client;
}

/// A source of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl Client {
    /// The server itself, and requests that came over no connection, as in tests.
    pub const SERVER: Client = Client(IpAddr::V4(Ipv4Addr::UNSPECIFIED));

    /// The client at an address.
    pub fn of(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (!0 << 64)).into(),
            address => address,
        })
    }

    /// The client whose request the current task answers.
    pub fn current() -> Client {
        CURRENT.try_with(|client| *client).unwrap_or(Client::SERVER)
    }

    /// Runs `task` for this client.
    pub async fn scope<F: Future>(self, task: F) -> F::Output {
        CURRENT.scope(self, task).await
    }
}

/// A proxy, or a network of proxies, whose reported addresses are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

/// The text is neither an address nor a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write an address such as 127.0.0.1, or a network such as 10.0.0.0/8")]
pub struct ProxySyntaxError;

impl FromStr for TrustedProxy {
    type Err = ProxySyntaxError;

    fn from_str(text: &str) -> Result<TrustedProxy, ProxySyntaxError> {
        let network = text.parse().or_else(|_| text.parse().map(|address: IpAddr| IpNet::from(address)));
        network.map(TrustedProxy).map_err(|_| ProxySyntaxError)
    }
}

impl fmt::Display for TrustedProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The trusted proxies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(pub Vec<TrustedProxy>);

/// A trusted proxy sent an unreadable header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MalformedForwarding;

impl TrustedProxies {
    /// Whether connections from that address come from a proxy.
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|proxy| proxy.0.contains(&address))
    }

    /// The client of a request over a connection from `peer`. If that is a proxy, it is the
    /// rightmost address of `X-Forwarded-For` that is not itself a proxy: the client itself may
    /// have written anything further left.
    ///
    /// # Errors
    /// [`MalformedForwarding`] if a proxy's header is not a list of addresses.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> Result<Client, MalformedForwarding> {
        let mut client = peer;
        if !self.contain(peer) {
            return Ok(Client::of(peer));
        }
        for line in headers.get_all("x-forwarded-for").iter().rev() {
            for hop in line.to_str().map_err(|_| MalformedForwarding)?.rsplit(',') {
                client = hop.trim().parse().map_err(|_| MalformedForwarding)?;
                if !self.contain(client) {
                    return Ok(Client::of(client));
                }
            }
        }
        Ok(Client::of(client))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[&str]) -> HeaderMap {
        lines.iter().map(|line| ("x-forwarded-for".parse().unwrap(), line.parse().unwrap())).collect()
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_household_is_one_client() {
        assert_eq!(Client::of(address("2001:db8:1:2:3::4")), Client::of(address("2001:db8:1:2:ffff::")));
        assert_ne!(Client::of(address("2001:db8:1:2::1")), Client::of(address("2001:db8:1:3::1")));
        assert_eq!(Client::of(address("::ffff:10.0.0.1")), Client::of(address("10.0.0.1")));
        assert_ne!(Client::of(address("10.0.0.1")), Client::of(address("10.0.0.2")));
    }

    #[test]
    fn only_a_trusted_proxy_names_the_client_and_only_by_the_hop_it_saw() {
        let proxies = TrustedProxies(vec!["127.0.0.1".parse().unwrap(), "10.0.0.0/8".parse().unwrap()]);
        let client = |peer: &str, lines: &[&str]| proxies.client(address(peer), &headers(lines));
        let of = |text: &str| Ok(Client::of(address(text)));
        assert_eq!(client("192.0.2.1", &["198.51.100.7"]), of("192.0.2.1"), "anybody may write the header");
        assert_eq!(client("127.0.0.1", &["198.51.100.7"]), of("198.51.100.7"));
        assert_eq!(client("127.0.0.1", &["1.2.3.4, 198.51.100.7, 10.1.1.1"]), of("198.51.100.7"));
        assert_eq!(client("127.0.0.1", &["1.2.3.4", "198.51.100.7", "10.1.1.1,10.2.2.2"]), of("198.51.100.7"));
        assert_eq!(client("127.0.0.1", &["10.1.1.1"]), of("10.1.1.1"), "a proxy asks for itself");
        assert_eq!(client("127.0.0.1", &[]), of("127.0.0.1"));
        assert_eq!(client("::ffff:127.0.0.1", &["2001:db8::1"]), of("2001:db8::"));
        for wrong in ["", "unknown", "198.51.100.7:80", "1.2.3.4, x", "1.2.3.4,"] {
            assert_eq!(client("127.0.0.1", &[wrong]), Err(MalformedForwarding), "{wrong:?}");
        }
        assert_eq!(client("127.0.0.1", &["what the client wrote, 198.51.100.7"]), of("198.51.100.7"));
        for wrong in ["", "localhost", "10.0.0.0/33", "1.2.3"] {
            assert!(wrong.parse::<TrustedProxy>().is_err(), "{wrong:?}");
        }
    }
}
