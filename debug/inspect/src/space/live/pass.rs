//! Stops each running thread alone for a moment, reads its registers and copies the inner part of
//! its stack, while all others go on. Threads that sleep are not touched: `/proc` shows where they
//! are.
//!
//! The thread that calls this does the tracing and ends with the look, so the kernel releases
//! threads that have not stopped in time.

use std::time::{Duration, Instant};

use super::process;
use super::standing::{Known, general_registers};
use super::tracee::{Thread, seized};

/// The time within which all of them must have stopped. A thread without a processor stops when it
/// gets one.
const PATIENCE: Duration = Duration::from_millis(50);

/// Stops each of those threads of `pid` that runs, and calls `stands` while it stands still.
pub fn each(pid: u32, threads: &[u32], mut stands: impl FnMut(Known)) {
    let runs =
        |lwp: &&u32| process::call(pid, **lwp).is_some_and(|call| process::is_running(&call));
    let mut open: Vec<Thread> =
        threads.iter().filter(runs).filter_map(|lwp| seized(*lwp)).collect();
    for thread in &open {
        thread.interrupt();
    }
    let begun = Instant::now();
    while !open.is_empty() && begun.elapsed() < PATIENCE {
        open.retain_mut(|thread| {
            thread.look();
            if thread.stands() {
                stands(general_registers(thread.lwp()));
            }
            if !thread.is_open() {
                thread.let_go();
            }
            thread.is_open()
        });
        std::thread::sleep(PAUSE);
    }
}

/// The time between two checks whether a thread stands still.
const PAUSE: Duration = Duration::from_micros(50);
