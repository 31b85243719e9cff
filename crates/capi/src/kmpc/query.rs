//! Who am I: numbers of threads and teams, and calls that need nothing done.

use super::ident::Ident;
use omphalos_engine::Thread;

macro_rules! queries {
    ($($(#[$doc:meta])* $name:ident($thread:ident) -> $value:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// Part of LLVM's interface: the location is null or valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(_location: *const Ident) -> i32 {
            let $thread = Thread::current();
            $value
        }
    )* };
}

queries! {
    /// The calling thread's number in the process.
    __kmpc_global_thread_num(thread) -> thread.gtid;
    /// How many OpenMP threads the process has.
    __kmpc_global_num_threads(_thread) -> omphalos_engine::thread::registry::live() as i32;
    /// The calling thread's number in its team.
    __kmpc_bound_thread_num(thread) -> thread.num.get() as i32;
    /// The size of the current team.
    __kmpc_bound_num_threads(thread) -> thread.team().size.get() as i32;
    /// Whether the calling thread is in an active region.
    __kmpc_in_parallel(thread) -> i32::from(thread.team().active_level.get() > 0);
}

/// Start of an OpenMP program: nothing to do, the first construct starts the runtime.
///
/// # Safety
/// Part of LLVM's interface: `location` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_begin(_location: *const Ident, _flags: i32) {}

/// End of an OpenMP program: nothing to do.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_end(_location: *const Ident) {}
