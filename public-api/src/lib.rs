//! The listing of the public items of the library; see `tests/listing.rs`.
