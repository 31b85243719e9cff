//! Unwatched threads: those whose entries need not ask for tools.
//!
//! An entry that a program calls often tests one word of its thread: the record's address while no
//! tool is attached, else 0 (`omphalos_sys::tls`). So the question for tools and the question
//! whether the thread has a record, which must be asked anyhow, are one. Entries of which nothing
//! is seen but their events ask a *class* word instead: the record's address, and 1 more while a
//! tool hears of such events. A tool that does not costs them nothing; where one does, the record
//! comes with the answer. What must hold:
//!
//! * The unwatched word is 0 or the thread's own record; a class word is that or 1 more, or 1.
//! * Once the first tool is attached (`events::active`), or one hears of more, and [`changed`] has
//!   run, no thread's words say otherwise. All words are written under the lists' lock, and each
//!   write asks the subscribers under it; who attaches a tool does so before it takes the lock. So
//!   a thread that comes later sees the tool, and one that came before is on the list.
//! * A word is written by others only while its thread lives: the thread takes it off the list when
//!   it ends, from the destructor of a key, and is never on it again. A thread for which no such
//!   destructor could be arranged has no such words. The main thread's words stay as long as the
//!   process.
//!
//! Static loops of LLVM's code, whose quick entries deal even shares, have to be dealt otherwise
//! where the settings want that: then the word of worksharing says that a tool hears of it. The
//! settings are read before the first word is written.
//!
//! An entry that was already past its test when a tool came is not seen by it, as with any other
//! hook.

use crate::records::Thread;
use crate::threads::registry;
use crate::threads::registry::Lists;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::{Kind, wants_any};
use omphalos_settings::settings;
use omphalos_sys::thread::Key;
use omphalos_sys::tls::{self, Watch};

/// Lets the calling thread's entries take the quick way while no tool is attached. `stays`: its
/// words stay as long as the process.
pub(super) fn allow(thread: &'static Thread, stays: bool) {
    if tls::gave_up_watch() {
        return;
    }
    registry::with(|lists| {
        if stays || ends_with_notice(lists, thread) {
            thread.watch.store(tls::watch().cast_mut(), Ordering::Relaxed);
            write(thread);
        }
    });
}

/// Arranges that [`ended`] runs when the calling thread ends, however it does. False if it cannot
/// be.
fn ends_with_notice(lists: &mut Lists, thread: &'static Thread) -> bool {
    if lists.end_key.is_none() {
        lists.end_key = Key::new(ended);
    }
    let Some(key) = lists.end_key else { return false };
    // The record is never freed.
    key.set(core::ptr::from_ref(thread).cast())
}

/// The calling thread, which had this record when it was allowed to have the word, ends.
extern "C" fn ended(record: *mut c_void) {
    // If it gave the word up, another thread may have the record by now.
    if !tls::gave_up_watch() {
        // SAFETY: `ends_with_notice` handed over a record, which is never freed.
        let thread = unsafe { &*record.cast::<Thread>() };
        registry::with(|lists| give_up(lists, thread));
    }
}

/// The calling thread ends, or its record goes: nobody writes its word any more. `lists` is locked.
pub(super) fn give_up(_lists: &mut Lists, thread: &Thread) {
    forget(thread);
    tls::give_up_watch();
    // SAFETY: the calling thread's own words.
    let words = unsafe { &*tls::watch() };
    words.unwatched.store(0, Ordering::Relaxed);
    words.mutexes.store(1, Ordering::Relaxed);
    words.work.store(1, Ordering::Relaxed);
}

/// The record's thread is gone (after a fork). `lists` is locked.
pub(super) fn forget(thread: &Thread) {
    thread.watch.store(core::ptr::null_mut(), Ordering::Relaxed);
}

/// What tools hear of has changed, or whether there is one.
pub(crate) fn changed() {
    registry::with(|lists| lists.all.iter().for_each(|thread| write(thread)));
}

/// Events of worksharing constructs, in which inquiries see nothing else than outside.
const WORK: u64 = Kind::Work.bit() | Kind::Masked.bit() | Kind::Dispatch.bit();

/// Makes a thread's words what they must be now. The lists are locked.
fn write(thread: &Thread) {
    // SAFETY: null, or the words of a thread that has not given them up, which it does under the
    // lock.
    let words: Option<&Watch> = unsafe { thread.watch.load(Ordering::Relaxed).as_ref() };
    if let Some(words) = words {
        let record = core::ptr::from_ref(thread).expose_provenance();
        let unwatched = if omphalos_events::active() { 0 } else { record };
        words.unwatched.store(unwatched, Ordering::Relaxed);
        let heard = |kinds| record + usize::from(wants_any(kinds));
        words.mutexes.store(heard(crate::mutex::hooks::ALL), Ordering::Relaxed);
        let greedy = usize::from(settings().loop_kinds.greedy);
        words.work.store(heard(WORK) | greedy, Ordering::Relaxed);
    }
}
