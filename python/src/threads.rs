//! Threads for solvers in a process that was forked.
//!
//! A fork copies only the thread that forks. The threads that solvers share are started once in a
//! process, so a child would wait for them without end: it has pools of its own. Each question has
//! one alone, so that none waits for another; finished questions leave theirs to later ones.

use std::mem;
use std::process;
use std::sync::{Mutex, OnceLock, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;

/// The process that loaded the module, whose threads serve all its questions.
static LOADED_IN: OnceLock<u32> = OnceLock::new();

/// The pools that wait for questions. Locked only with the interpreter's lock, which the forking
/// thread holds too; so no child inherits it locked.
static IDLE: Mutex<IdlePools> = Mutex::new(IdlePools { process: 0, pools: Vec::new() });

struct IdlePools {
    /// The process that made them.
    process: u32,
    pools: Vec<ThreadPool>,
}

/// Notes the process that loads the module.
pub fn loaded() {
    LOADED_IN.get_or_init(process::id);
}

/// A pool for a question; `None` if the threads of the process serve.
///
/// # Errors
/// `richman.Error` if no threads can be started.
pub fn taken(_: Python<'_>, stack: usize) -> PyResult<Option<ThreadPool>> {
    let own = process::id();
    if *LOADED_IN.get_or_init(process::id) == own {
        return Ok(None);
    }
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    if idle.process != own {
        // To drop them would be to wait for threads of the parent.
        mem::forget(mem::take(&mut idle.pools));
        idle.process = own;
    }
    let pool = match idle.pools.pop() {
        Some(pool) => pool,
        None => ThreadPoolBuilder::new()
            .stack_size(stack)
            .build()
            .map_err(|error| Error::new_err(format!("no threads can be started: {error}")))?,
    };
    Ok(Some(pool))
}

/// Refuses a handle that another process made: what its threads do for it is not done here.
///
/// # Errors
/// `richman.Error` in a process that was forked since.
pub fn check_made_here(process: u32) -> PyResult<()> {
    if process == process::id() {
        return Ok(());
    }
    Err(Error::new_err("another process made this, which a fork cannot use: make it again"))
}

/// Leaves the pool of a finished question to the next.
pub fn left(_: Python<'_>, pool: Option<ThreadPool>) {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).pools.extend(pool);
}
