//! The computer players of the hall.
