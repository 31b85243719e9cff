//! State that costs something and that the runtime keeps for debuggers only. `OMP_DEBUG=enabled`
//! switches it on, and so does a debugger later.
//!
//! While it is on, constructs take the code that they take with a tool. That code keeps identities,
//! frames and the stack of tasks, and it passes the places for breakpoints
//! (`omphalos_sys::debugger`). Without a tool and a debugger a program pays one look at a word for
//! each region that it forks; docs/debug-state.md has the instruction counts. Threads and devices
//! seldom come and go, so they always pass their places.
//!
//! A debugger asks by writing [`omphalos_enable`], at any moment. The next region that any thread
//! begins acts on it. OMPD of 2013 writes it for `ompd_enable`, later versions when they begin with
//! a live process.

use crate::records::Thread;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use omphalos_sys::debugger;

/// What a debugger asks for. 0: nothing; 1: off; 2: on. Written from outside.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static omphalos_enable: AtomicU32 = AtomicU32::new(0);

/// Whether it is on.
static ON: AtomicBool = AtomicBool::new(false);

/// Switches it on or off.
pub fn enable(on: bool) {
    ON.store(on, Ordering::Relaxed);
    omphalos_events::keep_for_debuggers(on);
}

/// Whether it is on.
#[inline(always)]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// A construct that a tool or a debugger watches passes a place for breakpoints.
#[inline(always)]
pub(crate) fn pass(place: impl FnOnce()) {
    if is_on() {
        place();
    }
}

/// Called where a region begins: does what a debugger asked for.
#[inline(always)]
pub(crate) fn poll(thread: &Thread) {
    if omphalos_enable.load(Ordering::Relaxed) != 0 {
        meet(thread);
    }
}

#[cold]
#[inline(never)]
fn meet(thread: &Thread) {
    // Tools end where the program is in no region.
    let outermost = thread.team().level.get() == 0;
    match omphalos_enable.load(Ordering::Relaxed) {
        0 => return,
        1 if !outermost => return,
        1 => {
            enable(false);
            omphalos_events::finish();
        }
        _ => enable(true),
    }
    omphalos_enable.store(0, Ordering::Relaxed);
    debugger::enable_complete();
}
