//! Locks, nest locks, critical sections, and the locks behind atomics.
//!
//! `omphalos_sync` has the algorithms. This room gives a lock its owner and a waiting thread its
//! state, and tells tools. What must hold: a word of zeros is a free lock (compilers hand over
//! zeroed memory), and a lock has no state anywhere else, so it costs nothing but its own bytes.

mod atomic;
mod combine;
mod nest;
mod plain;
mod simple;

pub mod hooks;

use crate::records::Thread;
use crate::threads::registry;
pub(crate) use atomic::{after_fork as atomics_after_fork, before_fork as atomics_before_fork};
pub use atomic::{atomic_lock, lock_of_all_atomics};
pub use combine::{Method, Offer, by_tree, method, tell_combining as reduction_told};
pub use nest::{
    nest_acquire_unwatched, nest_acquire_watched, nest_destroy, nest_init, nest_release_unwatched,
    nest_release_watched, nest_test_unwatched, nest_test_watched,
};
use omphalos_settings::settings;
pub use omphalos_sync::word_lock::owner_of;
pub(crate) use plain::prepare;
pub use simple::{
    Face, acquire, acquire_silently, acquire_unwatched, acquire_watched, destroy, init, release,
    release_silently, release_watched, test_unwatched, test_watched,
};

/// The implementation of locks that tools are told: `omphalos_mutex_impl_futex`.
pub const FUTEX: u32 = 1;

/// Returns how long a thread spins for a lock before it sleeps, in time-stamp cycles.
fn budget(thread: &Thread) -> u64 {
    match thread.team().spin.get() {
        // 0: an initial team has no budget. The program's own threads may compete with each other.
        0 => settings().spin_budget(registry::live().min(u32::MAX as usize) as u32),
        budget => budget,
    }
}
