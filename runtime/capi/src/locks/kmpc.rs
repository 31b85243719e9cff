//! The locks of LLVM's interface: the routines' functions, with a location and a thread number in
//! front.

use crate::shared::location::Ident;
use core::sync::atomic::{AtomicU32, AtomicU64};
use omphalos_engine::mutex::{self, Face};
use omphalos_engine::{Caller, Entered, MUTEXES};
use omphalos_events::MutexKind;

type Lock = *const AtomicU32;
type NestLock = *const AtomicU64;

unsafe extern "C" fn init_lock(_location: *const Ident, _gtid: i32, lock: Lock, caller: Caller) {
    // SAFETY: LLVM's code passes a lock.
    mutex::init(unsafe { &*lock }, Face::LOCK, caller);
}

unsafe extern "C" fn init_lock_with_hint(
    _location: *const Ident,
    _gtid: i32,
    lock: Lock,
    hint: usize,
    caller: Caller,
) {
    // SAFETY: LLVM's code passes a lock.
    mutex::init(unsafe { &*lock }, Face::LOCK.with_hint(hint as u32), caller);
}

unsafe extern "C" fn destroy_lock(_location: *const Ident, _gtid: i32, lock: Lock, caller: Caller) {
    // SAFETY: LLVM's code passes a lock.
    mutex::destroy(unsafe { &*lock }, Face::LOCK, caller);
}

unsafe extern "C" fn set_lock(_location: *const Ident, _gtid: i32, lock: Lock, call: Entered) {
    // SAFETY: LLVM's code passes a lock.
    mutex::acquire_watched(unsafe { &*lock }, Face::LOCK, call);
}

unsafe extern "C" fn unset_lock(_location: *const Ident, _gtid: i32, lock: Lock, call: Entered) {
    // SAFETY: LLVM's code passes a lock.
    mutex::release_watched(unsafe { &*lock }, MutexKind::Lock, call);
}

unsafe extern "C" fn test_lock(
    _location: *const Ident,
    _gtid: i32,
    lock: Lock,
    call: Entered,
) -> i32 {
    // SAFETY: LLVM's code passes a lock.
    i32::from(mutex::test_watched(unsafe { &*lock }, call))
}

unsafe extern "C" fn init_nest_lock(
    _location: *const Ident,
    _gtid: i32,
    lock: NestLock,
    caller: Caller,
) {
    // SAFETY: LLVM's code passes a lock.
    mutex::nest_init(unsafe { &*lock }, 0, caller);
}

unsafe extern "C" fn init_nest_lock_with_hint(
    _location: *const Ident,
    _gtid: i32,
    lock: NestLock,
    hint: usize,
    caller: Caller,
) {
    // SAFETY: LLVM's code passes a lock.
    mutex::nest_init(unsafe { &*lock }, hint as u32, caller);
}

unsafe extern "C" fn destroy_nest_lock(
    _location: *const Ident,
    _gtid: i32,
    lock: NestLock,
    caller: Caller,
) {
    // SAFETY: LLVM's code passes a lock.
    mutex::nest_destroy(unsafe { &*lock }, caller);
}

unsafe extern "C" fn set_nest_lock(
    _location: *const Ident,
    _gtid: i32,
    lock: NestLock,
    call: Entered,
) {
    // SAFETY: LLVM's code passes a lock.
    mutex::nest_acquire_watched(unsafe { &*lock }, call);
}

unsafe extern "C" fn unset_nest_lock(
    _location: *const Ident,
    _gtid: i32,
    lock: NestLock,
    call: Entered,
) {
    // SAFETY: LLVM's code passes a lock.
    mutex::nest_release_watched(unsafe { &*lock }, call);
}

unsafe extern "C" fn test_nest_lock(
    _location: *const Ident,
    _gtid: i32,
    lock: NestLock,
    call: Entered,
) -> i32 {
    // SAFETY: LLVM's code passes a lock.
    mutex::nest_test_watched(unsafe { &*lock }, call) as i32
}

omphalos_sys::told_entries! {
    /// Makes a lock.
    __kmpc_init_lock(location, gtid, lock) => init_lock;
    /// Makes a lock with a hint.
    __kmpc_init_lock_with_hint(location, gtid, lock, hint) => init_lock_with_hint;
    /// The lock is not used again.
    __kmpc_destroy_lock(location, gtid, lock) => destroy_lock;
    /// Makes a nest lock.
    __kmpc_init_nest_lock(location, gtid, lock) => init_nest_lock;
    /// Makes a nest lock with a hint.
    __kmpc_init_nest_lock_with_hint(location, gtid, lock, hint) => init_nest_lock_with_hint;
    /// The nest lock is not used again.
    __kmpc_destroy_nest_lock(location, gtid, lock) => destroy_nest_lock;
}

/// The functions that entries call while no tool wants events of mutexes.
mod quick {
    use super::{Ident, Lock, NestLock};
    use omphalos_engine::Thread;
    use omphalos_engine::mutex::{self, Face};

    type Known = &'static Thread;

    pub unsafe extern "C" fn set_lock(_: *const Ident, _gtid: i32, lock: Lock, thread: Known) {
        // SAFETY: LLVM's code passes a lock.
        mutex::acquire_unwatched(thread, unsafe { &*lock }, Face::LOCK);
    }

    pub unsafe extern "C" fn unset_lock(_: *const Ident, _gtid: i32, lock: Lock, thread: Known) {
        // SAFETY: LLVM's code passes a lock.
        mutex::release_silently(thread, unsafe { &*lock });
    }

    pub unsafe extern "C" fn test_lock(
        _: *const Ident,
        _gtid: i32,
        lock: Lock,
        thread: Known,
    ) -> i32 {
        // SAFETY: LLVM's code passes a lock.
        i32::from(mutex::test_unwatched(thread, unsafe { &*lock }))
    }

    pub unsafe extern "C" fn set_nest_lock(
        _: *const Ident,
        _gtid: i32,
        lock: NestLock,
        thread: Known,
    ) {
        // SAFETY: LLVM's code passes a lock.
        mutex::nest_acquire_unwatched(thread, unsafe { &*lock });
    }

    pub unsafe extern "C" fn unset_nest_lock(
        _: *const Ident,
        _gtid: i32,
        lock: NestLock,
        _thread: Known,
    ) {
        // SAFETY: LLVM's code passes a lock.
        mutex::nest_release_unwatched(unsafe { &*lock });
    }

    pub unsafe extern "C" fn test_nest_lock(
        _: *const Ident,
        _gtid: i32,
        lock: NestLock,
        thread: Known,
    ) -> i32 {
        // SAFETY: LLVM's code passes a lock.
        mutex::nest_test_unwatched(thread, unsafe { &*lock }) as i32
    }
}

omphalos_sys::class_entries! {
    MUTEXES;
    /// Takes a lock, waiting for it.
    __kmpc_set_lock(location, gtid, lock) => quick::set_lock, set_lock;
    /// Gives a lock back.
    __kmpc_unset_lock(location, gtid, lock) => quick::unset_lock, unset_lock;
    /// Takes a lock if it is free; 1 = taken.
    __kmpc_test_lock(location, gtid, lock) => quick::test_lock, test_lock;
    /// Takes a nest lock, waiting while another task has it.
    __kmpc_set_nest_lock(location, gtid, lock) => quick::set_nest_lock, set_nest_lock;
    /// Gives a nest lock back once.
    __kmpc_unset_nest_lock(location, gtid, lock) => quick::unset_nest_lock, unset_nest_lock;
    /// Takes a nest lock unless another task has it: the new count, or 0.
    __kmpc_test_nest_lock(location, gtid, lock) => quick::test_nest_lock, test_nest_lock;
}
