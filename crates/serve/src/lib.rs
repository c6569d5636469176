//! A server: the pages of [`richman_pages`], with matches that are stored, and a JSON API for all
//! of them.
//!
//! ```text
//! api            the answers as JSON
//! pages          what pages need of a server: the hall, the desk, and caches
//! hall           every match: permissions, actions, computer players
//! store          SQLite: every confirmed action is on the disk; tools of operators
//! desk           solving, with a limit and a deadline, clients in turn
//! kept           a cache of answers
//! guard          limits and headers of every request
//! metrics        the numbers that operators see
//! client         the client of a request
//! preview        pictures of boards for links on other sites
//! quotas, fair   the limits of one client, and the shares of all
//! ```

pub mod api;
pub mod client;
pub mod computer;
pub mod desk;
mod events;
mod fair;
pub mod guard;
pub mod hall;
mod kept;
mod match_events;
mod metrics;
mod pages;
mod preview;
pub mod quotas;
pub mod server;
pub mod store;
mod turns;

pub use client::TrustedProxy;
pub use server::{App, Config, MEMORY, PublicOrigin, ServeError, Server, SharedState, serve};
