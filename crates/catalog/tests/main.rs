//! All tests of this crate in one program, which is linked once and runs them side by side.

mod catalog;
mod hypotheses;
mod published;
mod selection;
mod subtraction;
mod theorems;
mod tug_of_war;
mod uniqueness;
