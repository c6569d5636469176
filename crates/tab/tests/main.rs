//! The pages without a server.

mod alone;
