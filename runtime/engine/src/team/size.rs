//! Decides how many threads a region gets (OpenMP 5.2, section 10.1.1, algorithm 10.1).

use super::crowd;
use crate::records::{Team, Thread};
use crate::tasks;
use omphalos_settings::{NO_LIMIT, settings};

/// Returns the number that a `num_threads` clause asks for. A compiler passes the value without a
/// sign, so a negative value looks huge. It counts as 0, no clause, as in LLVM's runtime. (libgomp
/// asks the system for 4 billion threads, and the program ends.)
#[inline(always)]
pub(crate) const fn threads_asked_for(value: u32) -> u32 {
    if value as i32 > 0 { value } else { 0 }
}

/// Returns how many threads the program asks for, before any limit: the `num_threads` clause, or
/// else nthreads-var. For tools. Must be called before [`team_size`].
pub fn asked_for(thread: &Thread, requested: u32, serial: bool) -> u32 {
    if serial {
        return 1;
    }
    let clause = [threads_asked_for(requested), thread.pushed_threads.get()];
    clause.into_iter().find(|&n| n != 0).unwrap_or_else(|| thread.task().icvs().nthreads)
}

/// Returns the size of the team for a region that asks for `requested` threads (0: it does not
/// say), by the encountering task's ICVs; at least 1. Uses up the number that
/// [`Thread::note_threads`] noted.
pub fn team_size(thread: &Thread, parent: &Team, requested: u32, serial: bool) -> u32 {
    let pushed = thread.pushed_threads.replace(thread.as_owner(), 0);
    if serial {
        return 1;
    }
    let icvs = thread.task().icvs();
    if parent.active_level.get() >= icvs.max_active_levels {
        return 1;
    }
    let numbers = [threads_asked_for(requested), pushed, icvs.nthreads];
    let mut wanted = numbers.into_iter().find(|&n| n != 0).unwrap_or(1);
    if wanted == 1 {
        return 1;
    }
    if icvs.dynamic {
        let busy = crowd::at_work(parent);
        let cpus = settings().processors_now() as u32;
        wanted = wanted.min(cpus.saturating_sub(busy) + 1);
    }
    match icvs.thread_limit {
        NO_LIMIT => wanted,
        limit => 1 + claim(parent, wanted - 1, limit),
    }
}

/// Takes up to `more` threads, as many as the contention group may still have, and returns their
/// number. The region's end gives them back ([`Team::give_back`]), and so does a team that cannot
/// use all of them.
#[cold]
fn claim(parent: &Team, more: u32, limit: u32) -> u32 {
    // The number of threads that are reserved for free agents, and that no agent uses at the
    // moment.
    let agents = settings().reserve.free_agents.saturating_sub(tasks::agents_at_work());
    parent.claim_below(more, limit.saturating_sub(1).saturating_sub(agents))
}

/// Whether regions of the encountering task count the threads of their contention group.
#[inline(always)]
pub(super) fn counts(thread: &Thread) -> bool {
    thread.task().icvs().thread_limit != NO_LIMIT
}
