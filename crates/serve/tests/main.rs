//! All tests of this crate in one program, which is linked once and runs them side by side.

mod api;
mod base_pages;
mod board_pages;
#[path = "common/described.rs"]
mod described;
mod explore_pages;
mod explore_questions;
mod forms;
mod guide_pages;
mod new_match_pages;
mod page_costs;
#[path = "common/pages.rs"]
mod pages;
mod pages_play;
mod preview_pages;
mod review_pages;
mod serving_costs;
mod site_pages;
mod stored;
mod visitor;
