//! The compiled half of the Python package `richman`: handles on games, answers and matches.
//!
//! Every question goes through the same functions as the command's, with the same defaults, and an
//! answer's `document` is the JSON that the command prints. Python, in `python/richman`, turns
//! documents into objects. Nothing here decides how a question is answered.

mod answers;
mod arrays;
mod boards;
mod error;
mod game;
mod options;
mod play;
mod questions;
mod remedies;
mod rules;
mod threads;
mod values;
mod work;

use pyo3::prelude::*;

use crate::error::Error;

/// Handles on games, answers and matches of bidding games.
#[pymodule]
fn _richman(module: &Bound<'_, PyModule>) -> PyResult<()> {
    threads::loaded();
    module.add("Error", module.py().get_type::<Error>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    answers::add_to(module)?;
    boards::add_to(module)?;
    play::add_to(module)?;
    questions::add_to(module)?;
    // The list would be a list of the compiled half alone, which nobody imports with a star.
    module.dict().del_item("__all__")
}
