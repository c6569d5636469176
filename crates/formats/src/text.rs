//! The line-based text forms of other programs.

mod drn;
mod gm;
mod lab;
mod syntax;
mod tra;

pub(crate) use drn::DrnForm;
pub(crate) use gm::GmForm;
pub use gm::write_winners;
pub(crate) use lab::LabForm;
pub(crate) use tra::TraForm;
pub use tra::read_transitions;
