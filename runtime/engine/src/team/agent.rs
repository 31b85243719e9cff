//! The team of a free-agent thread: a team of one thread that stands for another team.
//!
//! A free agent executes a task of a team of which it is no member, so it has no slot there. It
//! works in a team of its own, as in a region of one thread: tasks that the task makes are executed
//! at once or wait in this team, and barriers of the task's team ignore it. Level, league, ICVs and
//! surrounding regions are those of the task's team (`Team::stands_for`). The program and tools see
//! the number `omp_unassigned_thread`; inside the runtime, the thread has number 0. Tools see an
//! initial task of the thread's own, from which the task is scheduled.

use super::{alone, fork, join};
use crate::hooks;
use crate::records::{Slot, Task, Team, Thread};
use omphalos_events::{Endpoint, State};

/// The task, team and slot of the worker before it became an agent.
pub(crate) struct Back {
    task: *mut Task,
    team: *mut Team,
    slot: *mut Slot,
    num: u32,
    /// Whether tools were told that the worker became an agent.
    watched: bool,
}

/// Makes the idle worker `thread` a free agent that executes `task` of `team`, whose region lasts
/// as long as the task.
pub(crate) fn enter_agent(
    thread: &'static Thread,
    team: &'static Team,
    task: &'static Task,
) -> Back {
    let back = Back {
        task: thread.task.get(),
        team: thread.team.get(),
        slot: thread.slot.get(),
        num: thread.num.get(),
        watched: omphalos_events::active(),
    };
    let primary = team.slot(0);
    // The agent gets the task, the team and the slot of the team's primary thread, as if it had
    // begun its own team from there. It is idle, so no signal handler asks for its task yet. It
    // does not take the primary's own task: the primary gives the others their orders first, and
    // one of them may have made this task before the primary is in its region.
    thread.task.set(thread.as_owner(), core::ptr::from_ref(task).cast_mut());
    thread.as_owner().set_team(team);
    thread.slot.set(thread.as_owner(), core::ptr::from_ref(primary).cast_mut());
    let own = alone::enter_alone(thread, team.codeptr.get(), false);
    own.as_owner().set_icvs(*team.icvs());
    // The task may be gone before the agent leaves.
    own.parent_task.set(own.as_owner(), core::ptr::null_mut());
    let initial = thread.as_owner().task();
    initial.parent.set(initial, core::ptr::null_mut());
    if back.watched {
        hooks::agent_task(thread, Endpoint::Begin);
    }
    own.stands_for.set(own.as_owner(), core::ptr::from_ref(team.counted()).cast_mut());
    thread.as_owner().show_num();
    own.league_of.set(own.as_owner(), core::ptr::from_ref(team.shown()).cast_mut());
    back
}

/// Makes the agent an idle worker again, once its own team has no task left.
pub(crate) fn leave_agent(thread: &'static Thread, back: &Back) {
    let own = thread.team();
    join::primary(thread, own, own.is_told());
    own.stands_for.set(own.as_owner(), core::ptr::from_ref(own).cast_mut());
    own.league_of.set(own.as_owner(), core::ptr::null_mut());
    if back.watched {
        hooks::agent_task(thread, Endpoint::End);
    }
    thread.set_state(State::IDLE);
    thread.task.set(thread.as_owner(), back.task);
    thread.slot.set(thread.as_owner(), back.slot);
    thread.num.set(thread.as_owner(), back.num);
    thread.as_owner().set_team_before(back.team);
    fork::go_back(thread);
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_events::{TaskFlags, ThreadKind};

    fn thread(number: i32) -> &'static Thread {
        Box::leak(Box::new(Thread::new(number, number as u32, ThreadKind::Worker)))
    }

    /// A worker of a new team may make a task, and an agent may begin it, before the primary thread
    /// is in the region: the primary calls the others first.
    #[test]
    fn the_primary_thread_need_not_be_there() {
        let (primary, worker) = (thread(0), thread(1));
        Team::make_initial(primary);
        let team = Team::next(primary);
        fork::set_up(team, primary, primary.team(), 2, crate::records::Watch::Not);
        let task: &'static Task = Box::leak(Box::new(Task::new()));
        // SAFETY: no other code has it.
        unsafe { task.claim() }.become_implicit(team, TaskFlags::EXPLICIT);
        let back = enter_agent(worker, team, task);
        assert!(core::ptr::eq(worker.team().counted(), team));
        assert_eq!(*worker.task().icvs(), *team.icvs());
        assert!(worker.task().parent.get().is_null());
        leave_agent(worker, &back);
        assert!(worker.task.get().is_null() && worker.team.get().is_null());
        assert_eq!(worker.depth.get(), 0);
    }
}
