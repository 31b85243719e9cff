//! Finds out which tools another tool starts.
//!
//! A tool may find the next one itself, ask it, and call its initializer with the interface that it
//! was given. Both are in the address space, so the search finds both. The second one must not be
//! started again beside the one that starts it. This is how it is recognised: while the first one's
//! initializer runs, names and callbacks of the second one's file come through the interface.
//!
//! The thread that starts the tools writes these words; an initializer may use the interface on
//! other threads.

use core::ffi::c_void;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use omphalos_sys::own_file;

/// The number of tools that can be told apart: more than can run.
const TOOLS: usize = 2 * omphalos_events::SLOTS;

/// A tool that was found.
struct Tool {
    begin: AtomicUsize,
    end: AtomicUsize,
    /// Whether another one's initializer has used the interface for it.
    is_started: AtomicBool,
}

static FOUND: [Tool; TOOLS] = [const {
    Tool {
        begin: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        is_started: AtomicBool::new(false),
    }
}; TOOLS];
/// The tool whose initializer runs, counted from 1; 0 outside.
static STARTING: AtomicUsize = AtomicUsize::new(0);

/// Notes the tools that were found, by a function of each, in the order in which they are started.
pub fn found(functions: impl Iterator<Item = *mut c_void>) {
    for (tool, function) in FOUND.iter().zip(functions) {
        let file: Range<usize> = own_file::extent(function).unwrap_or_default();
        tool.begin.store(file.start, Relaxed);
        tool.end.store(file.end, Relaxed);
    }
}

/// Starts the tool with this number, unless an earlier tool has done so. Returns whether this call
/// started it.
pub fn start(number: usize, start: impl FnOnce()) -> bool {
    if FOUND.get(number).is_some_and(|tool| tool.is_started.load(Relaxed)) {
        return false;
    }
    STARTING.store(number + 1, Relaxed);
    start();
    STARTING.store(0, Relaxed);
    true
}

/// Called when something passes an address through the interface, a name or a function: while an
/// initializer runs, notes that it starts the tool of that file.
pub fn uses(address: usize) {
    let starting = STARTING.load(Relaxed);
    if starting == 0 {
        return;
    }
    let has = |tool: &Tool| (tool.begin.load(Relaxed)..tool.end.load(Relaxed)).contains(&address);
    if let Some(at) = FOUND.iter().position(has)
        && at + 1 != starting
    {
        FOUND[at % TOOLS].is_started.store(true, Relaxed);
    }
}
