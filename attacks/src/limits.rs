//! What must hold under every attack.

use std::time::Duration;

/// The time within which half of the honest actions are answered.
pub const MEDIAN: Duration = Duration::from_millis(20);
/// The time within which 99 of 100 honest actions are answered.
pub const NEARLY_ALL: Duration = Duration::from_millis(250);
/// Where an action takes longer without an attack, it may take this many times as long under one.
pub const TIMES_CALM: u32 = 3;
/// The time until the computer has bid in a new guided game.
pub const FIRST_BID: Duration = Duration::from_secs(2);
/// The time after an attack until all is as before.
pub const RECOVERY: Duration = Duration::from_secs(10);
/// The most bytes of memory of the server.
pub const MEMORY: u64 = 1 << 30;
/// The most threads of the server.
pub const THREADS: u64 = 64;
/// The most bytes by which the store grows, and for each byte that attackers send so many more.
pub const STORE: u64 = 64 << 20;
pub const STORE_FOR_EACH_BYTE: u64 = 4;
