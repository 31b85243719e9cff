//! What costs something and is kept for debuggers only: `OMP_DEBUG=enabled`, and what a debugger
//! asks for later.
//!
//! While it is on, constructs go the way that they go with a tool, which keeps identities, frames
//! and the stack of tasks, and on that way they pass the places for breakpoints
//! (`omphalos_sys::debugger`). So a program without tool and debugger pays one look at a word for
//! each region that it forks; what `callgrind` says of it stands in docs/debug-state.md. Threads
//! and devices, which seldom come and go, pass their places always.
//!
//! A debugger asks by writing [`omphalos_enable`], at any moment; the next region that any thread
//! begins sees to it. OMPD of 2013 does so for `ompd_enable`, later ones when they begin with a
//! live process.

use crate::records::Thread;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use omphalos_sys::debugger;

/// 0: nothing is asked for; 1: off; 2: on. Written from outside.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static omphalos_enable: AtomicU32 = AtomicU32::new(0);

/// It is on.
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

/// Where a region begins: sees to what a debugger asked for.
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
