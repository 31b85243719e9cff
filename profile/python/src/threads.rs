//! The interpreter's records of threads: those of the first interpreter of the process.

use crate::{Layout, Memory};

/// The most threads that are gone through.
const MOST_THREADS: usize = 4096;

/// Whether such a record belongs to the thread with this `pthread_self()`.
pub fn is_of(layout: &Layout, memory: &mut impl Memory, record: u64, thread: u64) -> bool {
    let own = record.checked_add(layout.thread).and_then(|at| memory.word(at));
    own == Some(thread)
}

/// Gives `each` the records with their `pthread_self()`, until it finds what it wants: that record
/// is returned. `runtime` is the address of `_PyRuntime`. Async-signal-safe.
pub fn threads(
    layout: &Layout,
    memory: &mut impl Memory,
    runtime: u64,
    mut each: impl FnMut(u64, u64) -> bool,
) -> Option<u64> {
    let first = memory.word(runtime.checked_add(layout.interpreters)?)?;
    let mut next = memory.word(first.checked_add(layout.threads)?)?;
    for _ in 0..MOST_THREADS {
        if next == 0 {
            break;
        }
        if each(next, memory.word(next.checked_add(layout.thread)?)?) {
            return Some(next);
        }
        next = memory.word(next.checked_add(layout.next_thread)?)?;
    }
    None
}
