//! Makes idle workers execute tasks of teams of which they are no members. Free agents execute
//! tasks of the pool; hidden helper threads execute the tasks that are for them alone.
//!
//! `tasks/agents.rs` and `tasks/helpers.rs` choose these tasks and summon the workers. `agent.rs`
//! makes the team that such a worker has meanwhile.

use super::{enter_agent, leave_agent};
use crate::records::{Task, Team, Thread};
use crate::threads::reserve;
use crate::{tasks, waiting};
use omphalos_events::State;
use omphalos_settings::{NO_LIMIT, settings};

/// Makes an idle worker a free agent until no task of the pool is left.
#[cold]
pub fn serve_pool(thread: &'static Thread) {
    let mut spin = settings().wait(thread.busy.get(), &thread.sharing);
    loop {
        let offers = tasks::offers();
        if let Some(task) = tasks::next_of_pool() {
            execute(thread, task);
            spin = settings().wait(thread.busy.get(), &thread.sharing);
            continue;
        }
        while tasks::offers() == offers && spin.again_politely() {}
        if tasks::offers() != offers {
            continue;
        }
        match tasks::next_of_pool_or_leave() {
            Some(task) => execute(thread, task),
            None => return reserve::is_idle(thread),
        }
    }
}

fn execute(thread: &'static Thread, task: &'static Task) {
    // SAFETY: the team of a task that is not complete; teams are never freed.
    let team: &'static Team = unsafe { &*task.team.get() };
    let limit = team.icvs().thread_limit;
    carry_out(thread, task, State::WORK_FREE_AGENT);
    if limit != NO_LIMIT {
        team.give_back(1);
    }
}

/// Makes an idle helper execute tasks until there are none.
#[cold]
pub fn serve_hidden(thread: &'static Thread) {
    while let Some(task) = tasks::next_hidden_or_idle(thread) {
        carry_out(thread, task, State::WORK_PARALLEL);
    }
    if !reserve::somebody_is_left() {
        tasks::end_helpers();
    }
}

/// Makes an idle worker execute a task of a team of which it is no member, in this state.
fn carry_out(thread: &'static Thread, task: &'static Task, state: State) {
    // SAFETY: the team of a task that is not complete; teams are never freed.
    let team: &'static Team = unsafe { &*task.team.get() };
    let back = enter_agent(thread, team, task);
    thread.tasks.owes.set(thread.as_owner(), team);
    tasks::execute_for_others(thread, task, state);
    leave_agent(thread, &back);
    tasks::count_finished_for(thread, team, task);
    waiting::wake_sleepers(team);
}
