//! Attacks on a server while honest people play.
//!
//! ```text
//! server      richman serve, as a process with its database on the disk
//! client      requests from an address of one's own, 127.x.y.z
//! bots        any number of programs that play each other
//! honest      100 people who play each other, and visitors who do everything else
//! journal     how long honest requests took, and which were refused
//! attack      the list of attacks
//! requests    attacks by many requests
//! sockets     attacks by connections that send or read slowly
//! attacker    a child process, pinned to one core, that carries out an attack
//! trial       one attack from one or many addresses, with what was measured
//! limits      what must hold
//!
//! `tests/server` has a server with many players, slow clients, kills and little memory.
//! `tests/faults` has a disk that fails at a call, and one that loses what was not synced.
//! ```
//!
//! Every trial has a server of its own. Honest people play before, during and after the attack;
//! the figures of all three are compared. Linux only: there every address of 127.0.0.0/8 is the
//! machine's own, so that everybody has an address. With `RICHMAN_PROXY=1` all come from 127.0.0.1,
//! which the server trusts as a proxy, and the header X-Forwarded-For has their addresses.

pub mod attack;
pub mod attacker;
pub mod bots;
pub mod client;
mod honest;
mod journal;
pub mod limits;
mod requests;
pub mod server;
mod sockets;
pub mod trial;

/// Raises the limit of open files as far as allowed, for the many connections.
pub fn raise_limit() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        // A refusal shows when the files run out.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
}
