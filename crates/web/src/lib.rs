//! The web application: matches against the computer or by link, review, exploration, and the same for programs as JSON.
//!
//! ```text
//! api, pages     what is sent: JSON, and pages rendered here
//! hall           every match: who may see and do what; the computer players
//! store          SQLite: what was answered is on the disk
//! desk           solving, behind a limit and a deadline
//! kept           what was found, as long as there is room
//! guard          limits and headers of every request
//! ```

pub mod api;
pub mod computer;
pub mod desk;
mod events;
pub mod guard;
pub mod hall;
mod kept;
pub mod pages;
pub mod refused;
pub mod server;
pub mod setup;
pub mod store;
pub mod token;

pub use server::{App, Config, ServeError, Server, Shared, serve};
