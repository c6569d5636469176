//! The web application: matches against the computer or by link, reviews, exploration, and a JSON
//! API for all of them.
//!
//! ```text
//! api, pages     the answers: JSON, and rendered pages
//! hall           every match: permissions, actions, computer players
//! store          SQLite: every confirmed action is on the disk; tools of operators
//! desk           solving, with a limit and a deadline, clients in turn
//! kept           a cache of answers
//! written        the answers that show a match
//! guard          limits and headers of every request
//! metrics        the numbers that operators see
//! client         the client of a request
//! extract        the parts of an address
//! quotas, fair   the limits of one client, and the shares of all
//! ```

pub mod api;
pub mod client;
pub mod computer;
pub mod desk;
mod events;
mod extract;
mod fair;
pub mod file_text;
pub mod guard;
pub mod hall;
mod kept;
mod metrics;
mod packed;
pub mod pages;
pub mod quotas;
pub mod refused;
pub mod server;
pub mod setup;
pub mod store;
pub mod token;
mod turns;
mod written;

pub use client::TrustedProxy;
pub use server::{App, Config, MEMORY, PublicOrigin, ServeError, Server, SharedState, serve};
