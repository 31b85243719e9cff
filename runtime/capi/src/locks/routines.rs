//! `omp_init_lock` and its kin, in C and in Fortran.
//!
//! A Fortran lock variable is the lock itself, so both names share their code. Only hints come by
//! reference in Fortran.

use super::*;
use core::ffi::c_int;
use omphalos_engine::MUTEXES;

lock_functions!((), c_int);

unsafe extern "C" fn init_lock_with_hint_by_reference(
    lock: *const AtomicU32,
    hint: *const c_int,
    caller: Caller,
) {
    // SAFETY: the program passes a lock and a hint.
    unsafe { init_lock_with_hint(lock, *hint, caller) };
}

unsafe extern "C" fn init_nest_lock_with_hint_by_reference(
    lock: *const AtomicU64,
    hint: *const c_int,
    caller: Caller,
) {
    // SAFETY: the program passes a nest lock and a hint.
    unsafe { init_nest_lock_with_hint(lock, *hint, caller) };
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
    omp_set_lock(lock) => quick_set_lock, set_lock;
    /// `omp_set_lock` in Fortran.
    omp_set_lock_(lock) => quick_set_lock, set_lock;
    /// Gives a lock back (section 18.9.5).
    omp_unset_lock(lock) => quick_unset_lock, unset_lock;
    /// `omp_unset_lock` in Fortran.
    omp_unset_lock_(lock) => quick_unset_lock, unset_lock;
    /// Takes a lock if it is free; 1 = taken (section 18.9.6).
    omp_test_lock(lock) => quick_test_lock, test_lock;
    /// `omp_test_lock` in Fortran.
    omp_test_lock_(lock) => quick_test_lock, test_lock;
    /// Takes a nest lock, waiting while another task has it (section 18.9.4).
    omp_set_nest_lock(lock) => quick_set_nest_lock, set_nest_lock;
    /// `omp_set_nest_lock` in Fortran.
    omp_set_nest_lock_(lock) => quick_set_nest_lock, set_nest_lock;
    /// Gives a nest lock back once (section 18.9.5).
    omp_unset_nest_lock(lock) => quick_unset_nest_lock, unset_nest_lock;
    /// `omp_unset_nest_lock` in Fortran.
    omp_unset_nest_lock_(lock) => quick_unset_nest_lock, unset_nest_lock;
    /// Takes a nest lock unless another task has it: the new count, or 0 (section 18.9.6).
    omp_test_nest_lock(lock) => quick_test_nest_lock, test_nest_lock;
    /// `omp_test_nest_lock` in Fortran.
    omp_test_nest_lock_(lock) => quick_test_nest_lock, test_nest_lock;
}
