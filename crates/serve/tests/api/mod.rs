//! The API, tested through the same routes that `richman serve` serves.

pub mod client;
mod contract;
mod hostile;
mod matches;
mod requests;
mod secrecy;
mod short_files;
mod spelling;
