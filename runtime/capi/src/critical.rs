//! Critical sections, named, unnamed and hinted, in both interfaces.
//!
//! GCC has a zeroed pointer for every name, LLVM eight zeroed words; the lock is the first four
//! bytes. GCC's unnamed section has a lock of the runtime's; LLVM's has a name like any other.

use crate::shared::location::Ident;
use core::sync::atomic::AtomicU32;
use omphalos_engine::mutex::{self, Face};
use omphalos_engine::{Entered, MUTEXES};
use omphalos_events::MutexKind;

type Name = *const AtomicU32;

/// A word on a cache line of its own: no other word that threads write is on it.
#[repr(align(128))]
struct Alone(AtomicU32);

static UNNAMED: Alone = Alone(AtomicU32::new(0));

unsafe extern "C" fn unnamed_start(call: Entered) {
    mutex::acquire_watched(&UNNAMED.0, Face::CRITICAL, call);
}

unsafe extern "C" fn unnamed_end(call: Entered) {
    mutex::release_watched(&UNNAMED.0, MutexKind::Critical, call);
}

unsafe extern "C" fn named_start(name: Name, call: Entered) {
    // SAFETY: GCC's code passes the name's word.
    mutex::acquire_watched(unsafe { &*name }, Face::CRITICAL, call);
}

unsafe extern "C" fn named_end(name: Name, call: Entered) {
    // SAFETY: GCC's code passes the name's word.
    mutex::release_watched(unsafe { &*name }, MutexKind::Critical, call);
}

unsafe extern "C" fn critical(_location: *const Ident, _gtid: i32, name: Name, call: Entered) {
    // SAFETY: LLVM's code passes the name's words.
    mutex::acquire_watched(unsafe { &*name }, Face::CRITICAL, call);
}

unsafe extern "C" fn critical_with_hint(
    _location: *const Ident,
    _gtid: i32,
    name: Name,
    hint: u32,
    call: Entered,
) {
    let face = Face::CRITICAL.with_hint(hint);
    // SAFETY: LLVM's code passes the name's words.
    mutex::acquire_watched(unsafe { &*name }, face, call);
}

unsafe extern "C" fn end_critical(_location: *const Ident, _gtid: i32, name: Name, call: Entered) {
    // SAFETY: LLVM's code passes the name's words.
    mutex::release_watched(unsafe { &*name }, MutexKind::Critical, call);
}

/// The functions that entries call while no tool wants events of mutexes.
mod quick {
    use super::{Ident, Name, UNNAMED};
    use omphalos_engine::Thread;
    use omphalos_engine::mutex::{self, Face};

    pub unsafe extern "C" fn unnamed_start(thread: &'static Thread) {
        mutex::acquire_unwatched(thread, &UNNAMED.0, Face::CRITICAL);
    }

    pub unsafe extern "C" fn unnamed_end(thread: &'static Thread) {
        mutex::release_silently(thread, &UNNAMED.0);
    }

    pub unsafe extern "C" fn named_start(name: Name, thread: &'static Thread) {
        // SAFETY: GCC's code passes the name's word.
        mutex::acquire_unwatched(thread, unsafe { &*name }, Face::CRITICAL);
    }

    pub unsafe extern "C" fn named_end(name: Name, thread: &'static Thread) {
        // SAFETY: GCC's code passes the name's word.
        mutex::release_silently(thread, unsafe { &*name });
    }

    pub unsafe extern "C" fn critical(
        _location: *const Ident,
        _gtid: i32,
        name: Name,
        thread: &'static Thread,
    ) {
        // SAFETY: LLVM's code passes the name's words.
        mutex::acquire_unwatched(thread, unsafe { &*name }, Face::CRITICAL);
    }

    pub unsafe extern "C" fn critical_with_hint(
        _location: *const Ident,
        _gtid: i32,
        name: Name,
        _hint: u32,
        thread: &'static Thread,
    ) {
        // SAFETY: LLVM's code passes the name's words.
        mutex::acquire_unwatched(thread, unsafe { &*name }, Face::CRITICAL);
    }

    pub unsafe extern "C" fn end_critical(
        _location: *const Ident,
        _gtid: i32,
        name: Name,
        thread: &'static Thread,
    ) {
        // SAFETY: LLVM's code passes the name's words.
        mutex::release_silently(thread, unsafe { &*name });
    }
}

omphalos_sys::class_entries! {
    MUTEXES;
    /// Enters the unnamed critical section (GOMP_1.0).
    GOMP_critical_start() => quick::unnamed_start, unnamed_start;
    /// Leaves the unnamed critical section (GOMP_1.0).
    GOMP_critical_end() => quick::unnamed_end, unnamed_end;
    /// Enters a named critical section (GOMP_1.0).
    GOMP_critical_name_start(name) => quick::named_start, named_start;
    /// Leaves a named critical section (GOMP_1.0).
    GOMP_critical_name_end(name) => quick::named_end, named_end;
    /// Enters a critical section.
    __kmpc_critical(location, gtid, name) => quick::critical, critical;
    /// Enters a critical section with a hint.
    __kmpc_critical_with_hint(location, gtid, name, hint) =>
        quick::critical_with_hint, critical_with_hint;
    /// Leaves a critical section.
    __kmpc_end_critical(location, gtid, name) => quick::end_critical, end_critical;
}
