//! The module: what [`richman_wasm`] exports. It is a crate of its own because the whole module is
//! linked at its level of optimization, and its own code is compiled at that too.

pub use richman_wasm::*;
