//! The process around the runtime: `fork`.
//!
//! A child has only the thread that called `fork`. Its teams lose their workers, the lists their
//! other threads; the next region hires anew.

use crate::tasks;
use crate::thread::{Thread, registry};
use core::sync::atomic::{AtomicBool, Ordering};

/// Registers the handlers, once.
pub(crate) fn watch_forks() {
    static WATCHED: AtomicBool = AtomicBool::new(false);
    if WATCHED.swap(true, Ordering::Relaxed) {
        return;
    }
    // SAFETY: three plain functions that stay loaded.
    unsafe { libc::pthread_atfork(Some(prepare), Some(parent), Some(child)) };
}

extern "C" fn prepare() {
    tasks::lock_agents();
    tasks::lock_helpers();
    registry::lock();
}

extern "C" fn parent() {
    registry::unlock();
    tasks::unlock_helpers();
    tasks::unlock_agents();
}

extern "C" fn child() {
    tasks::agents_after_fork_in_child();
    tasks::helpers_after_fork_in_child();
    registry::after_fork_in_child();
    crate::threadprivate::after_fork_in_child();
    if let Some(thread) = Thread::known() {
        // SAFETY: the calling thread owns its list and is the only thread.
        for &team in unsafe { &*thread.hot_teams.get() } {
            // SAFETY: teams are never freed.
            let team = unsafe { &*team };
            team.sleepers.store(0, Ordering::Relaxed);
            team.forget_workers();
        }
    }
}
