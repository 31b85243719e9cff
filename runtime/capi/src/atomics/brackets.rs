//! The two calls that a compiler puts before and behind an atomic operation for which it has
//! neither an instruction nor a routine of the runtime. Between them stands ordinary code. Both
//! interfaces take the engine's one lock for all such operations, so that GCC's and LLVM's code
//! exclude each other. The caller's address is for tools only.

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
    /// Ends an atomic operation (GOMP_1.0).
    GOMP_atomic_end() => end;
    /// Begins an atomic operation.
    __kmpc_atomic_start() => start;
    /// Ends an atomic operation.
    __kmpc_atomic_end() => end;
}
