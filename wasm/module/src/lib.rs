//! The module: what [`richman_wasm`] exports. Link-time optimization has the level of the last
//! crate, which is high here, while the code of `richman_wasm` itself is compiled to be small.

pub use richman_wasm::*;
