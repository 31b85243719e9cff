//! Threads that run stand for a moment, each for itself: while its registers are read and the inner
//! part of its stack is copied. All others go on meanwhile. What sleeps is not touched: `/proc`
//! tells where it stands.
//!
//! The thread that calls this traces, and ends with the look: so what has not stopped in time is
//! let go by the kernel.

use std::time::{Duration, Instant};

use super::process;
use super::stop::{self, Known, Thread};

/// So long all of them are given. One without a processor stops when it gets one.
const PATIENCE: Duration = Duration::from_millis(50);

/// Stops each of those threads of `pid` that runs, and calls `stands` while it stands.
pub fn each(pid: u32, threads: &[u32], mut stands: impl FnMut(Known)) {
    let runs =
        |lwp: &&u32| process::call(pid, **lwp).is_some_and(|call| call.starts_with("running"));
    let mut open: Vec<Thread> =
        threads.iter().filter(runs).filter_map(|lwp| stop::seized(*lwp)).collect();
    for thread in &open {
        thread.interrupt();
    }
    let begun = Instant::now();
    while !open.is_empty() && begun.elapsed() < PATIENCE {
        open.retain_mut(|thread| {
            thread.look();
            if thread.stands() {
                stands(stop::general_registers(thread.lwp()));
            }
            if !thread.is_open() {
                thread.let_go();
            }
            thread.is_open()
        });
        std::thread::sleep(PAUSE);
    }
}

/// Between two times that we look whether one stands.
const PAUSE: Duration = Duration::from_micros(50);
