//! Unwatched threads: those whose entries need not ask for tools.
//!
//! An entry that programs call often tests one word of its thread: the record's address while no
//! tool is attached, else 0 (`omphalos_sys::tls`). The entry has to ask anyway whether the thread
//! has a record, so the question for tools is free. Some entries concern tools by their events
//! alone. Such an entry tests a *class* word instead: the record's address, and 1 more while a tool
//! wants events of this class. A tool that does not want them costs nothing; if one does, the
//! record comes with the answer.
//!
//! What must hold:
//!
//! - The unwatched word is 0 or the thread's own record. A class word is that, that + 1, or 1.
//! - When the first tool is attached (`events::active`), or a tool wants more events, [`changed`]
//!   runs. From its return on, the words of all threads agree with that. All words are written
//!   under the lists' lock, and each writer asks under this lock which events tools want. A tool is
//!   attached before its attacher takes the lock. So a thread that comes later sees the tool, and a
//!   thread that came before is on the list.
//! - Other threads write a word only while its thread lives. When the thread ends, the destructor
//!   of a key makes its record forget the words ([`ended`]), for good. If no such destructor can be
//!   arranged, the record never knows the words. The main thread's words stay as long as the
//!   process. A thread may also meet OpenMP after its destructors, in its last instructions. So the
//!   thread that writes asks the kernel first whether the other one is still there.
//!
//! The quick entries of static loops of LLVM's code deal even shares. If the settings ask for
//! something else, the word of worksharing says that a tool wants such events, and the entries take
//! the long way. The settings are read before the first word is written.
//!
//! A tool that comes while an entry is past its test does not see that entry, as with any other
//! hook.

use super::main_thread;
use crate::records::Thread;
use crate::threads::registry;
use crate::threads::registry::Lists;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::{Kind, wants_any};
use omphalos_settings::settings;
use omphalos_sys::thread::Key;
use omphalos_sys::tls::{self, Watch};

/// Lets the calling thread's entries take the quick way while no tool is attached. `stays`: the
/// thread's words stay as long as the process.
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

/// Arranges that [`ended`] runs when the calling thread ends, by return or by `pthread_exit`.
/// Returns false if that is impossible.
fn ends_with_notice(lists: &mut Lists, thread: &'static Thread) -> bool {
    if lists.end_key.is_none() {
        lists.end_key = Key::new(ended);
    }
    let Some(key) = lists.end_key else { return false };
    // The record is never freed.
    key.set(core::ptr::from_ref(thread).cast())
}

/// Called when a thread ends, on that thread. `record` is the thread's record at the time of
/// [`allow`].
extern "C" fn ended(record: *mut c_void) {
    // If the thread gave the word up earlier, another thread may have the record by now.
    if !tls::gave_up_watch() {
        // SAFETY: `ends_with_notice` handed over a record, which is never freed.
        let thread = unsafe { &*record.cast::<Thread>() };
        registry::with(|lists| give_up(lists, thread));
    }
}

/// Called when the calling thread ends or gives up its record: from then on no thread writes its
/// words. `lists` is locked.
pub(super) fn give_up(_lists: &mut Lists, thread: &Thread) {
    forget(thread);
    tls::give_up_watch();
    // SAFETY: the calling thread's own words.
    let words = unsafe { &*tls::watch() };
    words.unwatched.store(0, Ordering::Relaxed);
    words.mutexes.store(1, Ordering::Relaxed);
    words.work.store(1, Ordering::Relaxed);
    words.chunks.store(1, Ordering::Relaxed);
}

/// Makes the record forget the words of its thread, which is gone or has given them up. `lists` is
/// locked.
pub(super) fn forget(thread: &Thread) {
    thread.watch.store(core::ptr::null_mut(), Ordering::Relaxed);
}

/// Sets the words of all threads again: the events that tools want have changed, or a tool came or
/// went.
pub(crate) fn changed() {
    registry::with(|lists| {
        for thread in &lists.all {
            // A thread that met OpenMP after the destructors of its keys ended without notice. A
            // detached thread, for example, frees a part of itself then, by the program's `free`.
            let has_words = !thread.watch.load(Ordering::Relaxed).is_null();
            if has_words && thread.is_gone(main_thread::number()) {
                forget(thread);
            }
            write(thread);
        }
    });
}

/// The kinds of events of worksharing constructs. Inquiries give the same answers inside these
/// constructs as outside. The events of barriers are among them: in GCC's code only a preceding
/// `single` says to which construct a barrier belongs.
const WORK: u64 = Kind::Work.bit()
    | Kind::Masked.bit()
    | Kind::Dispatch.bit()
    | Kind::SyncRegion.bit()
    | Kind::SyncWait.bit();

/// Sets a thread's words by the current state. The lists are locked.
fn write(thread: &Thread) {
    // SAFETY: null, or the words of a thread that has not given them up, which it does under the
    // lock.
    let words: Option<&Watch> = unsafe { thread.watch.load(Ordering::Relaxed).as_ref() };
    if let Some(words) = words {
        let record = core::ptr::from_ref(thread).expose_provenance();
        let unwatched = if omphalos_events::active() { 0 } else { record };
        words.unwatched.store(unwatched, Ordering::Relaxed);
        let class_word = |kinds| record + usize::from(wants_any(kinds));
        words.mutexes.store(class_word(crate::mutex::hooks::ALL), Ordering::Relaxed);
        let greedy = usize::from(settings().loop_kinds.greedy);
        words.work.store(class_word(WORK) | greedy, Ordering::Relaxed);
        words.chunks.store(class_word(Kind::Dispatch.bit()) | greedy, Ordering::Relaxed);
    }
}
