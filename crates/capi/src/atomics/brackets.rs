//! Brackets around an atomic operation that the compiler wrote out as ordinary code: one lock for
//! all of them, in both interfaces, so code of both excludes each other.

use omphalos_engine::mutex::{self, Face, lock_of_all_atomics};
use omphalos_engine::{Thread, caller};

unsafe extern "C" fn start() {
    let caller = caller();
    mutex::acquire(Thread::current(), lock_of_all_atomics(), Face::ATOMIC, caller);
}

unsafe extern "C" fn end() {
    let caller = caller();
    mutex::release(lock_of_all_atomics(), Face::ATOMIC, caller);
}

omphalos_sys::entries! {
    /// Begins an atomic operation (GOMP_1.0).
    GOMP_atomic_start => start;
    /// Ends it (GOMP_1.0).
    GOMP_atomic_end => end;
    /// Begins an atomic operation.
    __kmpc_atomic_start => start;
    /// Ends it.
    __kmpc_atomic_end => end;
}
