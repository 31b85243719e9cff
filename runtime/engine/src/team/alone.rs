//! Makes teams of the calling thread alone that count as no level: the teams of a league that tools
//! see, the team of a `target` region on the host, and the team of a free agent.
//!
//! Such a team is a record at the thread's next depth, as any other, so that inquiries find its
//! task and region. Levels, ICVs, places and everything else that the program can ask for are those
//! around it. The team of a `target` region differs: its task is an initial task, with level 0, a
//! contention group and a league of its own, and the ICVs with which its device began.

use super::{fork, join};
use crate::records::{Team, Thread, Watch};
use crate::tasks;
use core::sync::atomic::Ordering;
use omphalos_settings::Icvs;

/// Makes the thread continue in a team of its own. `watched`: tools are told of a closing barrier
/// at its end.
#[cold]
pub(crate) fn enter_alone(thread: &'static Thread, codeptr: u64, watched: bool) -> &'static Team {
    let (parent, outer) = (thread.team(), thread.slot());
    let icvs = *thread.task().icvs();
    let team = Team::at_depth(thread);
    fork::go_deeper(thread);
    let number = fork::next_region(team);
    let watch = if watched { Watch::Told } else { Watch::Not };
    fork::set_up(team, thread, parent, 1, watch);
    let own = team.as_owner();
    team.level.set(own, parent.level.get());
    own.set_icvs(icvs);
    team.codeptr.set(own, codeptr);
    tasks::drop_prepared(thread);
    team.slot(0).enter(thread, team, 0, number, false);
    let slot = thread.as_owner().slot();
    slot.partition.set(slot, outer.partition.get());
    team
}

/// Begins a `target` region on the thread. `limit`: its thread_limit, 0 = none; `icvs`: those of
/// its device.
#[cold]
pub(crate) fn enter_target(thread: &'static Thread, codeptr: u64, limit: u32, mut icvs: Icvs) {
    let team = enter_alone(thread, codeptr, false).as_owner();
    team.level.set(team, 0);
    team.active_level.set(team, 0);
    team.league.set(team, (1, 0));
    team.contends_apart.set(team, true);
    team.extra.store(0, Ordering::Relaxed);
    if limit != 0 {
        icvs.thread_limit = icvs.thread_limit.min(limit);
    }
    team.set_icvs(icvs);
}

/// Ends the `target` region, after [`finish_alone`].
#[cold]
pub(crate) fn leave_target(thread: &'static Thread) {
    let team = thread.team().as_owner();
    team.contends_apart.set(team, false);
    leave_alone(thread);
}

/// Waits for the team's remaining tasks, as at the end of a region. Then, if the team is watched,
/// tells tools of the closing barrier.
#[cold]
pub(crate) fn finish_alone(thread: &'static Thread) {
    let (state, _) = thread.state();
    join::primary(thread, thread.team(), thread.team().is_told());
    thread.set_state(state);
}

/// Returns the thread to the team around its own.
#[cold]
pub(crate) fn leave_alone(thread: &'static Thread) {
    let team = thread.team();
    thread.task.set(thread.as_owner(), team.parent_task.get());
    thread.slot.set(thread.as_owner(), team.parent_slot.get());
    thread.num.set(thread.as_owner(), team.parent_num.get());
    thread.as_owner().set_team_before(team.parent.get());
    fork::go_back(thread);
}
