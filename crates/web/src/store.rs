//! SQLite: what was answered is on the disk.
