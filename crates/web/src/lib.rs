//! The web application: matches against the computer or by link, reviews, exploration, and a JSON
//! API for all of them.
//!
//! ```text
//! api, pages     the answers: JSON, and rendered pages
//! hall           every match: permissions, actions, computer players
//! store          SQLite: every confirmed action is on the disk; what operators do with it
//! desk           solving, with a limit and a deadline
//! kept           a cache of answers
//! guard          limits and headers of every request
//! ```

pub mod api;
pub mod computer;
pub mod desk;
mod events;
pub mod file_text;
pub mod guard;
pub mod hall;
mod kept;
pub mod pages;
pub mod refused;
pub mod server;
pub mod setup;
pub mod store;
pub mod token;

pub use server::{App, Config, ServeError, Server, SharedState, serve};
