//! The locks of LLVM's interface: the routines' functions, with a location and a thread number in
//! front.

use super::*;
use crate::shared::location::Ident;
use omphalos_engine::MUTEXES;

lock_functions!((_location: *const Ident, _gtid: i32,), usize);

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

omphalos_sys::class_entries! {
    MUTEXES;
    /// Takes a lock, waiting for it.
    __kmpc_set_lock(location, gtid, lock) => quick_set_lock, set_lock;
    /// Gives a lock back.
    __kmpc_unset_lock(location, gtid, lock) => quick_unset_lock, unset_lock;
    /// Takes a lock if it is free; 1 = taken.
    __kmpc_test_lock(location, gtid, lock) => quick_test_lock, test_lock;
    /// Takes a nest lock, waiting while another task has it.
    __kmpc_set_nest_lock(location, gtid, lock) => quick_set_nest_lock, set_nest_lock;
    /// Gives a nest lock back once.
    __kmpc_unset_nest_lock(location, gtid, lock) => quick_unset_nest_lock, unset_nest_lock;
    /// Takes a nest lock unless another task has it: the new count, or 0.
    __kmpc_test_nest_lock(location, gtid, lock) => quick_test_nest_lock, test_nest_lock;
}
