//! `omp_init_lock` and its kin, in C and in Fortran.
//!
//! A Fortran lock variable is the lock itself, so both names share their code. Only hints come by
//! reference in Fortran.

use core::ffi::c_int;
use core::sync::atomic::{AtomicU32, AtomicU64};
use omphalos_engine::mutex::{self, Face};
use omphalos_engine::{Caller, Entered, MUTEXES};
use omphalos_events::MutexKind;

type Lock = *const AtomicU32;
type NestLock = *const AtomicU64;

unsafe extern "C" fn init_lock(lock: Lock, caller: Caller) {
    // SAFETY: the program passes a lock.
    mutex::init(unsafe { &*lock }, Face::LOCK, caller);
}

unsafe extern "C" fn init_lock_with_hint(lock: Lock, hint: c_int, caller: Caller) {
    // SAFETY: the program passes a lock.
    mutex::init(unsafe { &*lock }, Face::LOCK.with_hint(hint as u32), caller);
}

unsafe extern "C" fn init_lock_with_hint_by_reference(
    lock: Lock,
    hint: *const c_int,
    caller: Caller,
) {
    // SAFETY: the program passes a lock and a hint.
    unsafe { mutex::init(&*lock, Face::LOCK.with_hint(*hint as u32), caller) };
}

unsafe extern "C" fn destroy_lock(lock: Lock, caller: Caller) {
    // SAFETY: the program passes a lock.
    mutex::destroy(unsafe { &*lock }, Face::LOCK, caller);
}

unsafe extern "C" fn set_lock(lock: Lock, call: Entered) {
    // SAFETY: the program passes a lock.
    mutex::acquire_watched(unsafe { &*lock }, Face::LOCK, call);
}

unsafe extern "C" fn unset_lock(lock: Lock, call: Entered) {
    // SAFETY: the program passes a lock.
    mutex::release_watched(unsafe { &*lock }, MutexKind::Lock, call);
}

unsafe extern "C" fn test_lock(lock: Lock, call: Entered) -> c_int {
    // SAFETY: the program passes a lock.
    c_int::from(mutex::test_watched(unsafe { &*lock }, call))
}

unsafe extern "C" fn init_nest_lock(lock: NestLock, caller: Caller) {
    // SAFETY: the program passes a nest lock.
    mutex::nest_init(unsafe { &*lock }, 0, caller);
}

unsafe extern "C" fn init_nest_lock_with_hint(lock: NestLock, hint: c_int, caller: Caller) {
    // SAFETY: the program passes a nest lock.
    mutex::nest_init(unsafe { &*lock }, hint as u32, caller);
}

unsafe extern "C" fn init_nest_lock_with_hint_by_reference(
    lock: NestLock,
    hint: *const c_int,
    caller: Caller,
) {
    // SAFETY: the program passes a nest lock and a hint.
    unsafe { mutex::nest_init(&*lock, *hint as u32, caller) };
}

unsafe extern "C" fn destroy_nest_lock(lock: NestLock, caller: Caller) {
    // SAFETY: the program passes a nest lock.
    mutex::nest_destroy(unsafe { &*lock }, caller);
}

unsafe extern "C" fn set_nest_lock(lock: NestLock, call: Entered) {
    // SAFETY: the program passes a nest lock.
    mutex::nest_acquire_watched(unsafe { &*lock }, call);
}

unsafe extern "C" fn unset_nest_lock(lock: NestLock, call: Entered) {
    // SAFETY: the program passes a nest lock.
    mutex::nest_release_watched(unsafe { &*lock }, call);
}

unsafe extern "C" fn test_nest_lock(lock: NestLock, call: Entered) -> c_int {
    // SAFETY: the program passes a nest lock.
    mutex::nest_test_watched(unsafe { &*lock }, call) as c_int
}

/// The functions that entries call while no tool wants events of mutexes.
mod quick {
    use super::{Lock, NestLock};
    use core::ffi::c_int;
    use omphalos_engine::Thread;
    use omphalos_engine::mutex::{self, Face};

    type Known = &'static Thread;

    pub unsafe extern "C" fn set_lock(lock: Lock, thread: Known) {
        // SAFETY: the program passes a lock.
        mutex::acquire_unwatched(thread, unsafe { &*lock }, Face::LOCK);
    }

    pub unsafe extern "C" fn unset_lock(lock: Lock, thread: Known) {
        // SAFETY: the program passes a lock.
        mutex::release_silently(thread, unsafe { &*lock });
    }

    pub unsafe extern "C" fn test_lock(lock: Lock, thread: Known) -> c_int {
        // SAFETY: the program passes a lock.
        c_int::from(mutex::test_unwatched(thread, unsafe { &*lock }))
    }

    pub unsafe extern "C" fn set_nest_lock(lock: NestLock, thread: Known) {
        // SAFETY: the program passes a nest lock.
        mutex::nest_acquire_unwatched(thread, unsafe { &*lock });
    }

    pub unsafe extern "C" fn unset_nest_lock(lock: NestLock, _thread: Known) {
        // SAFETY: the program passes a nest lock.
        mutex::nest_release_unwatched(unsafe { &*lock });
    }

    pub unsafe extern "C" fn test_nest_lock(lock: NestLock, thread: Known) -> c_int {
        // SAFETY: the program passes a nest lock.
        mutex::nest_test_unwatched(thread, unsafe { &*lock }) as c_int
    }
}

omphalos_sys::told_entries! {
    /// Makes a lock (OpenMP 5.2, section 18.9.1).
    omp_init_lock(lock) => init_lock;
    /// `omp_init_lock` in Fortran.
    omp_init_lock_(lock) => init_lock;
    /// Makes a lock with a hint (OpenMP 5.2, section 18.9.2).
    omp_init_lock_with_hint(lock, hint) => init_lock_with_hint;
    /// `omp_init_lock_with_hint` in Fortran.
    omp_init_lock_with_hint_(lock, hint) => init_lock_with_hint_by_reference;
    /// Makes a nest lock (section 18.9.1).
    omp_init_nest_lock(lock) => init_nest_lock;
    /// `omp_init_nest_lock` in Fortran.
    omp_init_nest_lock_(lock) => init_nest_lock;
    /// Makes a nest lock with a hint (section 18.9.2).
    omp_init_nest_lock_with_hint(lock, hint) => init_nest_lock_with_hint;
    /// `omp_init_nest_lock_with_hint` in Fortran.
    omp_init_nest_lock_with_hint_(lock, hint) => init_nest_lock_with_hint_by_reference;
    /// The lock is not used again (section 18.9.3).
    omp_destroy_lock(lock) => destroy_lock;
    /// `omp_destroy_lock` in Fortran.
    omp_destroy_lock_(lock) => destroy_lock;
    /// The nest lock is not used again (section 18.9.3).
    omp_destroy_nest_lock(lock) => destroy_nest_lock;
    /// `omp_destroy_nest_lock` in Fortran.
    omp_destroy_nest_lock_(lock) => destroy_nest_lock;
}

omphalos_sys::class_entries! {
    MUTEXES;
    /// Takes a lock, waiting for it (section 18.9.4).
    omp_set_lock(lock) => quick::set_lock, set_lock;
    /// `omp_set_lock` in Fortran.
    omp_set_lock_(lock) => quick::set_lock, set_lock;
    /// Gives a lock back (section 18.9.5).
    omp_unset_lock(lock) => quick::unset_lock, unset_lock;
    /// `omp_unset_lock` in Fortran.
    omp_unset_lock_(lock) => quick::unset_lock, unset_lock;
    /// Takes a lock if it is free; 1 = taken (section 18.9.6).
    omp_test_lock(lock) => quick::test_lock, test_lock;
    /// `omp_test_lock` in Fortran.
    omp_test_lock_(lock) => quick::test_lock, test_lock;
    /// Takes a nest lock, waiting while another task has it (section 18.9.4).
    omp_set_nest_lock(lock) => quick::set_nest_lock, set_nest_lock;
    /// `omp_set_nest_lock` in Fortran.
    omp_set_nest_lock_(lock) => quick::set_nest_lock, set_nest_lock;
    /// Gives a nest lock back once (section 18.9.5).
    omp_unset_nest_lock(lock) => quick::unset_nest_lock, unset_nest_lock;
    /// `omp_unset_nest_lock` in Fortran.
    omp_unset_nest_lock_(lock) => quick::unset_nest_lock, unset_nest_lock;
    /// Takes a nest lock unless another task has it: the new count, or 0 (section 18.9.6).
    omp_test_nest_lock(lock) => quick::test_nest_lock, test_nest_lock;
    /// `omp_test_nest_lock` in Fortran.
    omp_test_nest_lock_(lock) => quick::test_nest_lock, test_nest_lock;
}
