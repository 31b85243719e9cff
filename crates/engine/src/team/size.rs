//! How many threads a region gets (OpenMP 5.2, section 10.1.1, algorithm 10.1).

use super::record::Team;
use crate::icv;
use crate::thread::Thread;

/// How many threads the program asks for, before any limit: the `num_threads` clause, or else
/// nthreads-var. For the tools; to be called before [`team_size`].
pub fn asked_for(thread: &Thread, requested: u32, serial: bool) -> u32 {
    if serial {
        return 1;
    }
    let clause = [requested, thread.pushed_threads.get()];
    clause.into_iter().find(|&n| n != 0).unwrap_or_else(|| thread.task().icvs().nthreads)
}

/// The size of the team for a region that asks for `requested` threads (0: does not say), by the
/// encountering task's ICVs; at least 1. Consumes what `push_num_threads` noted.
pub fn team_size(thread: &Thread, parent: &Team, requested: u32, serial: bool) -> u32 {
    let pushed = thread.pushed_threads.replace(0);
    if serial {
        return 1;
    }
    let icvs = thread.task().icvs();
    if parent.active_level.get() >= icvs.max_active_levels {
        return 1;
    }
    let mut wanted = [requested, pushed, icvs.nthreads].into_iter().find(|&n| n != 0).unwrap_or(1);
    if wanted == 1 {
        return 1;
    }
    if icvs.dynamic {
        let busy = parent.busy.get();
        let cpus = icv::settings().processors.count() as u32;
        wanted = wanted.min(cpus.saturating_sub(busy) + 1);
    }
    let limit = icvs.thread_limit;
    wanted.min(limit.saturating_sub(parent.group.get()).saturating_add(1)).max(1)
}
