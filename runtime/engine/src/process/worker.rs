//! The life of a worker. A primary thread hires it. The worker waits at its gate, carries out its
//! order, joins, and waits again, until the process ends or the worker is dismissed for good
//! (`threads/reserve.rs`, `omp_pause_resource`).

use super::{contact, unwatched};
use crate::records::{Thread, summons};
use crate::{hooks, tasks, team};
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, State, ThreadKind};
use omphalos_sync::word_lock;

/// How often a new thread gives way to its maker, which places it (`threads/hire.rs`), before it
/// sleeps.
const PLACING_TURNS: u32 = 16;

/// Waits until the maker of the calling thread has placed it. A thread that starts on another
/// processor gets here after that. A thread that starts on the maker's processor gives way to the
/// maker, and continues elsewhere.
#[cold]
#[inline(never)]
fn wait_for_place(thread: &Thread) {
    for _ in 0..PLACING_TURNS {
        omphalos_sys::thread::give_way();
        if thread.placing.load(Ordering::Acquire) == 0 {
            return;
        }
    }
    word_lock::acquire_contended(&thread.placing, 0);
    word_lock::release(&thread.placing);
}

/// The start function of a worker's thread. `record`: the thread's own.
pub(crate) extern "C" fn main(record: *mut c_void) -> *mut c_void {
    // SAFETY: `hire` hands over a record that is never freed.
    let thread: &'static Thread = unsafe { &*record.cast::<Thread>() };
    if thread.placing.load(Ordering::Acquire) != 0 {
        wait_for_place(thread);
    }
    // The state is set first: a signal handler may ask for it as soon as the record is there.
    thread.set_state(State::IDLE);
    thread.is_callers();
    // SAFETY: as above.
    let mistaken =
        unsafe { omphalos_sys::tls::replace_record(record.cast()).cast::<Thread>().as_ref() };
    if let Some(mistaken) = mistaken {
        contact::take_back(mistaken);
    }
    unwatched::allow(thread, false);
    if thread.is_helper() {
        tasks::settle_helper(thread);
    }
    let here = 0u8;
    thread.idle_frame.set(thread.as_owner(), &raw const here as u64);
    hooks::thread_begin(thread, ThreadKind::Worker);
    omphalos_sys::debugger::thread_begin();
    hooks::idle(thread, Endpoint::Begin);
    // The order may have come before the thread ran.
    let mut last = thread.first_order.get();
    let mut fresh = true;
    loop {
        last = team::wait_for_order(thread, last);
        match thread.summons.load(Ordering::Acquire) {
            summons::NONE => team::obey(thread),
            summons::HELPER => {
                thread.summons.store(summons::NONE, Ordering::Relaxed);
                hooks::idle(thread, Endpoint::End);
                team::serve_hidden(thread);
            }
            summons::AGENT => {
                thread.summons.store(summons::NONE, Ordering::Relaxed);
                hooks::idle(thread, Endpoint::End);
                team::serve_pool(thread);
            }
            _ => {
                hooks::idle(thread, Endpoint::End);
                contact::worker_ends(thread);
                return core::ptr::null_mut();
            }
        }
        if core::mem::take(&mut fresh) {
            // A new thread often runs on its maker's processor, and the maker needs that processor
            // now.
            omphalos_sys::thread::give_way();
        }
        thread.set_state(State::IDLE);
        hooks::idle(thread, Endpoint::Begin);
    }
}
