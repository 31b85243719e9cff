//! Follows calls of the C library, for a program that the agent is preloaded into.
//!
//! | file | what |
//! |---|---|
//! | `define` | the macros that make a function that replaces one of the library's |
//! | `blocking` | the calls in which a thread may sleep or move data: how long, and where |
//! | `streams` | the same for `FILE`, where the buffer does not serve the call |
//! | `formatted` | those of `streams` that take any number of arguments |
//! | `raw` | `syscall`, by which programs make system calls themselves |
//! | `locks` | the C library's own mutexes, where they are not free: the same for them |
//! | `allowance` | timers and queued signals, which the user's limit counts |
//! | `confining` | `prctl` and `seccomp`, by which a program forbids itself system calls |
//! | `mpi` | the functions of MPI |
//! | `ending` | `dlclose`; `execve`, `_exit` and their kin: the record is written before them |
//!
//! No call is changed: arguments, result and `errno` are the real function's. Some threads go
//! straight to the real function: one that is not sampled, one that is in a callback of the
//! agent's, and one that waits in the OpenMP runtime. The time in a call is known to the
//! nanosecond. A call that ends early because of a signal of the program's still does so.

#[macro_use]
mod define;
mod allowance;
mod blocking;
mod confining;
mod ending;
mod formatted;
mod locks;
mod mpi;
mod raw;
mod streams;

use crate::accounting::Class;
use crate::clock::{self, ticks};
use crate::mark::Call;
use crate::sampling::waits;
use crate::thread::{Thread, summed};
use crate::unwind::capture;

/// Looks up functions that may be needed where nothing can be looked up: in a child of `fork`, and
/// in a handler.
pub fn prepare() {
    allowance::prepare();
    confining::prepare();
    ending::prepare();
    raw::prepare();
}

/// The time, ns, below which a call counts as work: the thread did not sleep.
const SHORTEST_WAIT: u64 = 2_000;
/// The same time for a call whose time may be work of the kernel, ns: it takes a system call to
/// learn that part.
const SHORTEST_TRANSFER: u64 = 20_000;

/// Notes that the calling function is about to make `call`; returns the thread, if its calls are
/// followed.
#[inline(always)]
fn enter(call: &'static Call) -> Option<&'static Thread> {
    let thread = Thread::current()?;
    if !thread.is_followed() {
        return None;
    }
    // A handler of the program's runs in the middle of such a call, unless a jump left that call.
    if thread.mark.call().is_some() && !thread.mark.is_left(capture::here().sp()) {
        return None;
    }
    if thread.account.summed().is_new() && !summed::enter_call(thread) {
        return None;
    }
    thread.mark.begin(call, ticks());
    Some(thread)
}

/// Notes that the call has returned.
#[inline(always)]
fn leave(call: &'static Call, thread: Option<&'static Thread>) {
    let Some(thread) = thread else { return };
    let (begin, now) = (thread.mark.since(), ticks());
    let shortest = if call.only_waits { SHORTEST_WAIT } else { SHORTEST_TRANSFER };
    if now.saturating_sub(begin) > clock::in_ticks_fast(shortest) || waits::is_due(thread, now) {
        returned(call, thread, begin, now);
    }
    thread.mark.end();
}

#[cold]
#[inline(never)]
fn returned(call: &'static Call, thread: &'static Thread, begin: u64, now: u64) {
    let class = thread.account.class();
    if matches!(class, Class::Work | Class::Serial) {
        omphalos_sys::errno::keep(|| waits::called(thread, call, begin, now));
        thread.cost.book_seldom(now);
    }
}
