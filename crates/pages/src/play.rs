//! Playing: the first page, setting up a match, playing it, taking a seat by invitation, watching.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use richman_hall::setup::LARGEST_FILE;

use crate::Pages;

mod about;
mod coach;
mod create;
mod decide;
mod device;
mod first;
mod fragment;
mod glance;
mod holdings;
mod home;
mod join;
mod new;
mod record;
mod reveal;
mod seat;
pub mod start;
mod visitor;

pub(crate) use about::to_copy;
pub use first::setup as first_setup;
pub use visitor::{Alone, PageOrigin, host_name, is_loopback};

/// The most bytes of a form without its game file.
const FORM: usize = 64 << 10;

/// The routes of these pages.
pub fn routes() -> Router<Arc<Pages>> {
    // A file that is somewhat too large is read, so that the form can come back with the rest.
    let largest = DefaultBodyLimit::max(2 * LARGEST_FILE + FORM);
    Router::new()
        .route("/", get(home::show))
        .route("/first", get(first::show).post(first::begin))
        .route("/new", get(new::show).post(create::create).layer(largest))
        .route("/m/{id}", get(seat::show))
        .route("/m/{id}/now", get(seat::now))
        .route("/m/{id}/glance", get(glance::glance))
        .route("/m/{id}/act", post(seat::act).get(seat::back))
        .route("/m/{id}/hint", post(seat::hint).get(seat::back))
        .route("/m/{id}/rematch", post(seat::rematch).get(seat::back))
        .route("/m/{id}/device", post(device::show).get(seat::back))
        .route("/join/{invitation}", get(join::show).post(join::take))
        .route("/record/{id}", get(record::record))
        // The secret of a seat as a link: another device takes the seat with it.
        .route("/play/{token}", get(device::sit))
        // Links of earlier versions.
        .route("/play/{token}/{page}", get(device::sit_from))
        .route("/watch/{id}", get(device::watch))
}
