//! Keeps the runtime whole over a `fork`.
//!
//! A child has only the thread that called `fork`. The thread's teams lose their workers, and the
//! lists lose all other threads; the next region hires new workers. The forking thread takes all
//! locks first (`omphalos_sync::process_lock`), so the child finds none taken and nothing half
//! changed. Meanwhile it handles no signal, because a handler may need one of these locks.

use super::{contact, start};
use crate::records::{Team, Thread};
use crate::{mutex, tasks, team};
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_sync::process_lock::{self, ProcessLock, rank};
use omphalos_sys::signals::Blocked;

/// Registers the handlers, once.
pub(super) fn watch_forks() {
    static WATCHED: AtomicBool = AtomicBool::new(false);
    if WATCHED.swap(true, Ordering::Relaxed) {
        return;
    }
    // SAFETY: three plain functions that stay loaded.
    unsafe { omphalos_sys::process::at_fork(prepare, parent, child) };
}

/// The guard that blocks signals on the thread that forks.
struct KeptSignals(Option<Blocked>);
// SAFETY: the thread that forks puts the guard there and takes it out again.
unsafe impl Send for KeptSignals {}
static KEPT_SIGNALS: ProcessLock<KeptSignals, { rank::FORK }> = ProcessLock::new(KeptSignals(None));

extern "C" fn prepare() {
    let blocked = Blocked::new();
    process_lock::before_fork();
    mutex::atomics_before_fork();
    KEPT_SIGNALS.lock().0 = Some(blocked);
}

/// Lets the forking thread go on: `give_back` gives the locks back, and signals are handled again.
fn go_on(give_back: fn()) {
    let quiet = KEPT_SIGNALS.lock().0.take();
    mutex::atomics_after_fork();
    give_back();
    drop(quiet);
}

extern "C" fn parent() {
    go_on(process_lock::after_fork);
}

/// Returns the calling thread's team and those around it.
fn teams_around(thread: &Thread) -> impl Iterator<Item = &'static Team> {
    core::iter::successors(Some(thread.team()), |team| team.parent())
}

/// Whether the child's only thread is in the team. All other teams have only threads that the child
/// lacks.
fn remains(team: *const Team) -> bool {
    Thread::known().is_some_and(|thread| teams_around(thread).any(|own| core::ptr::eq(own, team)))
}

extern "C" fn child() {
    tasks::agents_after_fork_in_child();
    let for_helpers = tasks::helpers_after_fork_in_child(remains);
    contact::after_fork_in_child();
    crate::target::played::after_fork_in_child();
    start::after_fork_in_child();
    if let Some(thread) = Thread::known() {
        team::left_alone(thread);
        // The threads that the surrounding regions have counted do not exist in the child. (The
        // teams may be another thread's.)
        for team in teams_around(thread) {
            team.extra.store(0, Ordering::Relaxed);
            team.claimed.set(team.as_owner(), 0);
        }
    }
    for_helpers.into_iter().for_each(tasks::take_back);
    go_on(process_lock::after_fork_in_child);
    omphalos_events::forked();
}
