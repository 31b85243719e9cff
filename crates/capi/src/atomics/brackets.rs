//! Brackets around an atomic operation that the compiler wrote as ordinary code. Both interfaces
//! have one lock for all such operations, so code of both excludes each other.

use omphalos_engine::Caller;
use omphalos_engine::mutex::{self, Face, lock_of_all_atomics};

unsafe extern "C" fn start(caller: Caller) {
    mutex::acquire(lock_of_all_atomics(), Face::ATOMIC, caller);
}

unsafe extern "C" fn end(caller: Caller) {
    mutex::release(lock_of_all_atomics(), Face::ATOMIC, caller);
}

omphalos_sys::told_entries! {
    /// Begins an atomic operation (GOMP_1.0).
    GOMP_atomic_start() => start;
    /// Ends it (GOMP_1.0).
    GOMP_atomic_end() => end;
    /// Begins an atomic operation.
    __kmpc_atomic_start() => start;
    /// Ends it.
    __kmpc_atomic_end() => end;
}
