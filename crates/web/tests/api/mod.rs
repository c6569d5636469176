//! The API, tested through the same routes that `richman serve` serves.

mod client;
mod contract;
mod hostile;
mod matches;
mod schema;
mod secrecy;
mod short_files;
