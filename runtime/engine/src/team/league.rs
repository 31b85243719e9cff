//! Runs a league whose teams run at the same time, as a region.
//!
//! The region's members are the initial threads of the teams. The region forks and joins as any
//! other, on the record at the encountering thread's depth. But the program cannot see it: it
//! counts as no level, its ICVs are those of the encountering task, and tools are told of the teams
//! instead. Each team is a record of one thread at that thread's next depth (`alone.rs`), and
//! begins a contention group.

use super::{alone, fork, orders};
use crate::records::{Team, Thread, Watch, Work};
use crate::tasks;
use core::sync::atomic::Ordering;
use omphalos_events::State;
use omphalos_sys::entry::Caller;
use omphalos_sys::fp_control::FpControl;

/// Runs `work` on up to `members` threads at once, each in an implicit task; returns when all are
/// done.
///
/// # Safety
/// The work must be callable by all members at once.
pub(crate) unsafe fn run_league(thread: &'static Thread, members: u32, work: Work) {
    let (parent, outer) = (thread.team(), thread.slot());
    let icvs = *thread.task().icvs();
    let team = Team::at_depth(thread);
    fork::go_deeper(thread);
    let size = team.staff(members);
    let number = fork::next_region(team);
    fork::set_up(team, thread, parent, size, Watch::Not);
    let own = team.as_owner();
    team.level.set(own, parent.level.get());
    team.active_level.set(own, parent.active_level.get());
    // The league's members do not belong to the encountering task's contention group.
    team.claimed.set(own, 0);
    // The teams get their control words one by one, as they get their places.
    team.fp_control.set(own, FpControl::NONE);
    own.set_icvs(icvs);
    for num in 0..size {
        let slot = own.member(num);
        // The members stay where they are: the teams get their places one by one.
        slot.place.set(slot, slot.thread().place.get());
        slot.partition.set(slot, outer.partition.get());
        slot.show.set(slot, false);
    }
    orders::give_orders(team, size, &orders::Orders { number, prepared: false, work });
    let slot = team.slot(0);
    tasks::drop_prepared(thread);
    slot.enter(thread, team, 0, number, false);
    thread.set_state(State::WORK_PARALLEL);
    // SAFETY: the caller's promise.
    unsafe { work.run_in(slot, thread.gtid, 0) };
    fork::end(thread, 0, Caller::NONE);
}

/// Begins team `number` of `count` on a member of the league's region.
pub(crate) fn enter_team(
    thread: &'static Thread,
    codeptr: u64,
    (count, number): (u32, u32),
) -> &'static Team {
    let league = thread.team();
    let initial = alone::enter_alone(thread, codeptr, false);
    let own = initial.as_owner();
    initial.league.set(own, (count, number));
    initial.contends_apart.set(own, true);
    initial.extra.store(0, Ordering::Relaxed);
    initial.league_of.set(own, core::ptr::from_ref(league).cast_mut());
    let task = thread.as_owner().task();
    task.parent.set(task, league.parent_task.get());
    initial
}

/// Completes the team's tasks, and returns the member to the league's region.
pub(crate) fn leave_team(thread: &'static Thread) {
    let initial = thread.team();
    alone::finish_alone(thread);
    alone::leave_alone(thread);
    initial.contends_apart.set(initial.as_owner(), false);
    initial.league_of.set(initial.as_owner(), core::ptr::null_mut());
}
