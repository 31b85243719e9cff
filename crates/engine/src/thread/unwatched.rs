//! Unwatched threads: those whose entries need not ask for tools.
//!
//! An entry that a program calls often tests one word of its thread: the record's address while no tool is
//! attached, else 0 (`omphalos_sys::tls`). So the question for tools and the question whether the thread
//! has a record, which must be asked anyhow, are one. What must hold:
//!
//! * The word is 0 or the thread's own record.
//! * Once the first tool is attached (`events::active`) and [`changed`] has run, no thread's word is left
//!   but 0. All words are written under the lists' lock, and each write asks `active` under it; who attaches
//!   a tool does so before it takes the lock. So a thread that comes later sees the tool, and one that came
//!   before is on the list.
//! * A word is written by others only while its thread lives: the thread takes it off the list when it ends,
//!   from the destructor of a key, and is never on it again. A thread for which no such destructor could be
//!   arranged has no such word. The main thread's words stay as long as the process.
//!
//! Static loops of LLVM's code, whose quick entries deal even shares, have to be dealt otherwise where the
//! settings want that: then every word is 0. The settings are read before the first word is written.
//!
//! An entry that was already past its test when a tool came is not seen by it, as with any other hook.

use super::record::Thread;
use super::registry::{self, Lists};
use crate::icv;
use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering};
use omphalos_sys::tls;

/// Lets the calling thread's entries take the quick way while no tool is attached. `stays`: its words stay
/// as long as the process.
pub(super) fn allow(thread: &'static Thread, stays: bool) {
    if tls::gave_up_unwatched_word() {
        return;
    }
    registry::with(|lists| {
        if stays || ends_with_notice(lists, thread) {
            thread.unwatched_word.store(tls::unwatched_word().cast_mut(), Ordering::Relaxed);
            write(thread);
        }
    });
}

/// Arranges that [`ended`] runs when the calling thread ends, however it does. False if it cannot be.
fn ends_with_notice(lists: &mut Lists, thread: &'static Thread) -> bool {
    if lists.end_key.is_none() {
        let mut key = 0;
        // SAFETY: `key` is valid for the write; `ended` is a plain function.
        if unsafe { libc::pthread_key_create(&mut key, Some(ended)) } == 0 {
            lists.end_key = Some(key);
        }
    }
    let Some(key) = lists.end_key else { return false };
    // SAFETY: the key exists, and the record is never freed.
    unsafe { libc::pthread_setspecific(key, core::ptr::from_ref(thread).cast()) == 0 }
}

/// The calling thread, which had this record when it was allowed to have the word, ends.
extern "C" fn ended(record: *mut c_void) {
    // If it gave the word up, another thread may have the record by now.
    if !tls::gave_up_unwatched_word() {
        // SAFETY: `ends_with_notice` handed over a record, which is never freed.
        let thread = unsafe { &*record.cast::<Thread>() };
        registry::with(|lists| give_up(lists, thread));
    }
}

/// The calling thread ends, or its record goes: nobody writes its word any more. `lists` is locked.
pub(super) fn give_up(_lists: &mut Lists, thread: &Thread) {
    forget(thread);
    tls::give_up_unwatched_word();
    // SAFETY: the calling thread's own word.
    unsafe { &*tls::unwatched_word() }.store(0, Ordering::Relaxed);
}

/// The record's thread is gone (after a fork). `lists` is locked.
pub(super) fn forget(thread: &Thread) {
    thread.unwatched_word.store(core::ptr::null_mut(), Ordering::Relaxed);
}

/// The first tool came, or the last one went.
pub(crate) fn changed() {
    registry::with(|lists| lists.all.iter().for_each(|thread| write(thread)));
}

/// Makes a thread's word what it must be now. The lists are locked.
fn write(thread: &Thread) {
    // SAFETY: null, or the word of a thread that has not given it up, which it does under the lock.
    let word: Option<&AtomicUsize> =
        unsafe { thread.unwatched_word.load(Ordering::Relaxed).as_ref() };
    if let Some(word) = word {
        let record = core::ptr::from_ref(thread).addr();
        let slow = omphalos_events::active() || icv::settings().loop_kinds.greedy;
        word.store(if slow { 0 } else { record }, Ordering::Relaxed);
    }
}
