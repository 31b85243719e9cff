//! Calls of the C library that the agent looks through, for a program that it is preloaded into.
//!
//! | file | what |
//! |---|---|
//! | `define` | how such a function is made |
//! | `blocking` | the calls in which a thread may sleep or move data: how long, and where |
//! | `streams` | the same of `FILE`, where the buffer does not serve them |
//! | `formatted` | of those the ones that take any number of arguments |
//! | `raw` | `syscall`, by which programs make system calls themselves |
//! | `locks` | the C library's own mutexes, likewise, where they are not free |
//! | `allowance` | timers and queued signals, of which the user may have so many |
//! | `confining` | `prctl` and `seccomp`, by which a program forbids itself system calls |
//! | `mpi` | the functions of MPI |
//! | `ending` | `dlclose`; `execve`, `_exit` and their kin, before which what was recorded is written |
//!
//! No call is changed: arguments, result and `errno` are the real one's. A thread that is not
//! sampled, one that is in a callback of the agent's and one that waits in the OpenMP runtime go
//! straight to it. The time in a call is known to the nanosecond, and one that ends early for a
//! signal of the program's does so still.

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

/// Looks up what may be needed where nothing can be looked up: in a child of `fork`, in a handler.
pub fn prepare() {
    allowance::prepare();
    confining::prepare();
    ending::prepare();
    raw::prepare();
}

/// A call that takes less is taken for work, ns: the thread did not sleep.
const SHORTEST_WAIT: u64 = 2_000;
/// The same where the time in it may be work of the kernel's, whose part costs a system call to ask
/// for, ns.
const SHORTEST_TRANSFER: u64 = 20_000;

/// The calling function is about to make `call`: the thread, if it is followed there.
#[inline(always)]
fn enter(call: &'static Call) -> Option<&'static Thread> {
    let thread = Thread::current()?;
    if !thread.is_followed() {
        return None;
    }
    // A handler of the program's in the middle of such a call, if that was not left by a jump.
    if thread.mark.call().is_some() && !thread.mark.is_left(capture::here().sp()) {
        return None;
    }
    if thread.account.summed().is_new() && !summed::enter_call(thread) {
        return None;
    }
    thread.mark.begin(call, ticks());
    Some(thread)
}

/// The call has returned.
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
