//! Locks and nest locks, under all their names.
//!
//! The C interfaces differ in the sizes of locks. The engine's words fit the smallest size of each,
//! and only the first bytes are used:
//!
//! | | GCC | gfortran | LLVM, Flang, Intel | used |
//! |---|---|---|---|---|
//! | lock | 4 | 4 | 8 | 4 |
//! | nest lock | 16 | 8 | 8 | 8 |
//!
//! So a lock that one compiler's code made works in another's, and nothing is allocated. A task
//! owns a nest lock, as in OpenMP since 3.0 (in LLVM's own runtime a thread owns it).

use core::sync::atomic::{AtomicU32, AtomicU64};
use omphalos_engine::mutex::{self, Face};
use omphalos_engine::{Caller, Entered, Thread};
use omphalos_events::MutexKind;

/// Defines the functions behind the entries of one interface. In brackets: the parameters that it
/// has in front of the lock, and the type of a hint. Those that begin with `quick` are for threads
/// that have their record, while no tool wants events of mutexes.
macro_rules! lock_functions {
    ($front:tt, $hint:ty) => {
        lock_functions! { @rows $front;
            init_lock(lock: AtomicU32, caller: Caller) = mutex::init(lock, Face::LOCK, caller);
            init_lock_with_hint(lock: AtomicU32, hint: $hint, caller: Caller)
                = mutex::init(lock, Face::LOCK.with_hint(hint as u32), caller);
            destroy_lock(lock: AtomicU32, caller: Caller)
                = mutex::destroy(lock, Face::LOCK, caller);
            set_lock(lock: AtomicU32, call: Entered)
                = mutex::acquire_watched(lock, Face::LOCK, call);
            unset_lock(lock: AtomicU32, call: Entered)
                = mutex::release_watched(lock, MutexKind::Lock, call);
            test_lock(lock: AtomicU32, call: Entered) -> i32
                = i32::from(mutex::test_watched(lock, call));
            init_nest_lock(lock: AtomicU64, caller: Caller) = mutex::nest_init(lock, 0, caller);
            init_nest_lock_with_hint(lock: AtomicU64, hint: $hint, caller: Caller)
                = mutex::nest_init(lock, hint as u32, caller);
            destroy_nest_lock(lock: AtomicU64, caller: Caller)
                = mutex::nest_destroy(lock, caller);
            set_nest_lock(lock: AtomicU64, call: Entered)
                = mutex::nest_acquire_watched(lock, call);
            unset_nest_lock(lock: AtomicU64, call: Entered)
                = mutex::nest_release_watched(lock, call);
            test_nest_lock(lock: AtomicU64, call: Entered) -> i32
                = mutex::nest_test_watched(lock, call) as i32;
            quick_set_lock(lock: AtomicU32, thread: &'static Thread)
                = mutex::acquire_unwatched(thread, lock, Face::LOCK);
            quick_unset_lock(lock: AtomicU32, thread: &'static Thread)
                = mutex::release_silently(thread, lock);
            quick_test_lock(lock: AtomicU32, thread: &'static Thread) -> i32
                = i32::from(mutex::test_unwatched(thread, lock));
            quick_set_nest_lock(lock: AtomicU64, thread: &'static Thread)
                = mutex::nest_acquire_unwatched(thread, lock);
            quick_unset_nest_lock(lock: AtomicU64, _thread: &'static Thread)
                = mutex::nest_release_unwatched(lock);
            quick_test_nest_lock(lock: AtomicU64, thread: &'static Thread) -> i32
                = mutex::nest_test_unwatched(thread, lock) as i32;
        }
    };
    (@rows $front:tt;
     $($name:ident $parameters:tt $(-> $result:ty)? = $value:expr;)*) => { $(
        lock_functions! { @one $front, $name $parameters $(-> $result)? = $value }
    )* };
    (@one ($($front:tt)*), $name:ident($lock:ident: $kind:ty, $($more:ident: $type:ty),*)
     $(-> $result:ty)? = $value:expr) => {
        unsafe extern "C" fn $name($($front)* $lock: *const $kind, $($more: $type),*)
            $(-> $result)?
        {
            // SAFETY: the program passes a lock.
            let $lock = unsafe { &*$lock };
            $value
        }
    };
}

mod kmpc;
mod routines;

pub use kmpc::*;
pub use routines::*;
