//! `ompd_enable` of 2013: a debugger switches tool support on or off, at the next clean point, which is where a region
//! begins outside of all others.
//!
//! The debugger's library writes a word; the construct polls it. States are kept always and tools are started at the start
//! of the program, so there is nothing to switch on; switched off, tools end as at the end of the program.

use crate::thread::Thread;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_sys::debugger;

/// 0: nothing is asked for; 1: off; 2: on. Written from outside.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static omphalos_enable: AtomicU32 = AtomicU32::new(0);

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
    if thread.team().level.get() != 0 {
        return;
    }
    match omphalos_enable.swap(0, Ordering::Relaxed) {
        0 => {}
        asked => {
            if asked == 1 {
                omphalos_events::finish();
            }
            debugger::enable_complete();
        }
    }
}
