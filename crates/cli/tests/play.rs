//! `richman play` from outside.
