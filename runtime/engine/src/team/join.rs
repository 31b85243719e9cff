//! Passes the closing barrier of a region, as README.md in this folder describes it.

use super::habit::{Next, OrderWait};
use super::summed;
use crate::records::{Shape, Team, Thread, Watch};
use crate::tasks::{Constraint, wait_running_tasks};
use crate::threads::ending::{owes_farewell, say_farewell};
use crate::waiting::{Reason, sleep_once, wait_plainly, wake, wake_primary};
use crate::worksharing::single_is_over;
use crate::{barrier, cancel, hooks, tasks};
use core::sync::atomic::Ordering;
use omphalos_events::State;
use omphalos_sync::tree::{Arrival, Meeting};

/// Makes the primary wait for all members and for the region's tasks. `watched`: whether tools are
/// told of the region.
pub(super) fn primary(thread: &'static Thread, team: &'static Team, watched: bool) {
    let region = team.region.get();
    if team.is_cancelled() {
        cancel::leave(thread, team);
    }
    thread.set_state(State::WAIT_BARRIER_IMPLICIT_PARALLEL);
    let waits = watched && (team.size.get() > 1 || team.has_tasks(thread));
    if watched {
        single_is_over(thread);
        hooks::has_left(thread);
        barrier::hooks::closing_begin(thread, waits);
    }
    let own = &team.slot(0).published;
    // This comes after all tasks of the primary's own part are made: a worker that looks for the
    // end counts them.
    own.joined.store(region, Ordering::Release);
    match team.meeting_tree() {
        None => {
            for num in 1..team.size.get() {
                let joined = &team.slot(num).published.joined;
                let here = || joined.load(Ordering::SeqCst) == region;
                wait(thread, team, Reason::MEMBERS, here);
            }
        }
        Some(tree) => {
            if tree.arrive(Meeting::Join, 0, team.size.get()) == Arrival::Complete {
                team.all_joined.store(region, Ordering::SeqCst);
            }
            wait(thread, team, Reason::MEMBERS, || all_joined(team, region));
        }
    }
    let tasks = team.tasks_region.load(Ordering::Acquire) == region;
    if tasks {
        // All members are here, so only tasks make tasks: any member that finds no task left may
        // say so.
        wait(thread, team, Reason::over(team), || over(team, region));
    }
    // All workers have left already if the last one to come joined and left at once
    // (`leave_at_once`).
    let acknowledged = watched && !team.ends_late.get();
    if team.size.get() > 1 && (tasks || acknowledged && !all_left(team, region)) {
        team.done_join.store(region, Ordering::SeqCst);
        wake(team, Reason::over(team));
        if tasks {
            // A worker that fell asleep before the region's first task waits for the next order
            // only. Not each such worker was woken for a task.
            wake(team, Reason::ORDER);
        }
        let tree = team.meeting_tree();
        if tree.is_some_and(|t| t.arrive(Meeting::Leave, 0, team.size.get()) == Arrival::Complete) {
            team.all_left.store(region, Ordering::SeqCst);
        }
        // No task is left to begin.
        wait_plainly(thread, team, Reason::MEMBERS, None, || all_left(team, region));
    }
    // The region is over. By this word debuggers see that a worker is idle, although its state says
    // that it waits at the closing barrier: no thread told the worker. A worker that has not told
    // tools its ends reads it too.
    own.left.store(region, Ordering::Relaxed);
    if watched {
        barrier::hooks::closing_end(thread, waits);
    }
}

/// Waits in the closing barrier: a task scheduling point.
#[inline(always)]
fn wait(thread: &'static Thread, team: &Team, reason: Reason, ready: impl FnMut() -> bool) {
    wait_running_tasks(thread, team, Constraint::in_barrier(), reason, ready);
}

/// Makes a worker join, and leave the region when it may.
pub(super) fn worker(thread: &'static Thread, team: &'static Team) {
    let slot = thread.slot();
    let region = slot.region.get();
    let watch = team.watched.get();
    let watched = watch == Watch::Told;
    // This is read before the worker joins: from then on the primary may go on.
    let mut ends_late = false;
    match watch {
        Watch::Not => {}
        Watch::Told => ends_late = team.ends_late.get(),
        Watch::Summed => summed::worker_ends(thread, slot),
    }
    if team.is_cancelled() {
        cancel::leave(thread, team);
    }
    thread.set_state(State::WAIT_BARRIER_IMPLICIT_PARALLEL);
    if ends_late {
        single_is_over(thread);
        barrier::hooks::closing_begin(thread, true);
    } else if watched {
        // The worker looks at the others first, so that their lines come while tools are told of
        // the barrier.
        let last = comes_last(thread, team, region);
        single_is_over(thread);
        hooks::has_left(thread);
        barrier::hooks::closing_begin(thread, true);
        if last || comes_last(thread, team, region) {
            return leave_at_once(thread, team, region);
        }
    }
    let gate = &thread.line.gate;
    let order = gate.seen();
    slot.published.joined.swap(region, Ordering::SeqCst);
    match team.meeting_tree() {
        None => wake_primary(team, || all_joined(team, region)),
        Some(tree) => {
            if tree.arrive(Meeting::Join, thread.num.get(), team.size.get()) == Arrival::Complete {
                team.all_joined.store(region, Ordering::SeqCst);
                wake_primary(team, || true);
            }
        }
    }
    // Without tasks no thread releases the workers: either the next order comes, or the region gets
    // tasks.
    if ends_late {
        let tasks = over_or_tasks(thread, team, order, region);
        if tasks {
            wait(thread, team, Reason::over(team), || over(team, region));
        }
        tell_ends(thread);
        if !tasks {
            return;
        }
    } else {
        if !watched && !next_or_tasks(thread, team, order, region) {
            return;
        }
        wait(thread, team, Reason::over(team), || over(team, region));
        if watched {
            tell_ends(thread);
        } else if watch == Watch::Summed {
            summed::left(thread);
        }
    }
    slot.published.left.swap(region, Ordering::SeqCst);
    match team.meeting_tree() {
        None => wake_primary(team, || all_left(team, region)),
        Some(tree) => {
            if tree.arrive(Meeting::Leave, thread.num.get(), team.size.get()) == Arrival::Complete {
                team.all_left.store(region, Ordering::SeqCst);
                wake_primary(team, || true);
            }
        }
    }
}

/// Whether all others have joined, in a watched region without tasks: then the region is over as
/// soon as the calling worker joins.
#[inline(always)]
fn comes_last(thread: &Thread, team: &Team, region: u64) -> bool {
    let joined = |num: u32| team.slot(num).published.joined.load(Ordering::SeqCst) == region;
    team.shape.get() == Shape::Flat
        && (0..team.size.get()).all(|num| num == thread.num.get() || joined(num))
        // This is read after the others' words: they made their tasks before they joined.
        && team.tasks_region.load(Ordering::SeqCst) != region
}

/// Makes the last worker of a watched region join and leave it at once: the primary reads both in
/// one line transfer.
fn leave_at_once(thread: &'static Thread, team: &'static Team, region: u64) {
    tell_ends(thread);
    let own = &thread.slot().published;
    own.left.store(region, Ordering::Release);
    own.joined.swap(region, Ordering::SeqCst);
    wake_primary(team, || all_joined(team, region));
}

/// Tells that the worker's closing barrier and its implicit task end.
fn tell_ends(thread: &'static Thread) {
    barrier::hooks::closing_end(thread, true);
    hooks::implicit_task_ends(thread);
}

/// Does what [`next_or_tasks`] does, for a worker that has not told tools its ends. It also returns
/// false as soon as it sees that the region is over; no thread wakes it for that. It says no
/// farewell: the farewell comes after the ends, at the gate.
#[inline(never)]
fn over_or_tasks(thread: &'static Thread, team: &'static Team, order: u32, region: u64) -> bool {
    let gate = &thread.line.gate;
    let tasks = || team.tasks_region.load(Ordering::SeqCst) == region;
    let primary = &team.slot(0).published.left;
    let is_over = || primary.load(Ordering::SeqCst) == region;
    let mut wait = OrderWait::begin(thread, team.busy.get());
    loop {
        // The order of these looks is that of `next_or_tasks`.
        if tasks() {
            wait.given_up();
            return true;
        }
        if gate.seen() != order {
            wait.over();
            return false;
        }
        if is_over() {
            wait.given_up();
            return false;
        }
        if let Next::Sleep(time) = wait.next_step() {
            let ready = || tasks() || gate.seen() != order || is_over();
            let begins = Constraint::in_barrier().shown(team);
            sleep_once(thread, team, (Reason::ORDER, begins), time, ready);
        }
    }
}

/// Waits until a new order has come (returns false) or the region has tasks (returns true).
fn next_or_tasks(thread: &'static Thread, team: &Team, order: u32, region: u64) -> bool {
    let gate = &thread.line.gate;
    let tasks = || team.tasks_region.load(Ordering::SeqCst) == region;
    let mut wait = OrderWait::begin(thread, team.busy.get());
    loop {
        // The tasks are looked at before the gate. If the gate is unchanged afterwards, no later
        // region has begun, so these tasks are this region's.
        if tasks() {
            wait.given_up();
            return true;
        }
        if gate.seen() != order {
            wait.over();
            return false;
        }
        if owes_farewell(thread) {
            // The runtime ends, or a tool.
            say_farewell(thread);
        }
        if let Next::Sleep(time) = wait.next_step() {
            let ready = || tasks() || gate.seen() != order || owes_farewell(thread);
            let begins = Constraint::in_barrier().shown(team);
            sleep_once(thread, team, (Reason::ORDER, begins), time, ready);
        }
    }
}

/// Whether the region is over: some member said so, or all have joined and no task is left. In the
/// second case, says so and wakes the others.
fn over(team: &Team, region: u64) -> bool {
    if team.done_join.load(Ordering::SeqCst) == region {
        return true;
    }
    let primary_joined = team.slot(0).published.joined.load(Ordering::SeqCst) == region;
    if !primary_joined || !all_joined(team, region) || !tasks::quiescent(team) {
        return false;
    }
    team.done_join.store(region, Ordering::SeqCst);
    wake(team, Reason::over(team));
    true
}

/// Whether every worker has joined (in a tree: every member).
fn all_joined(team: &Team, region: u64) -> bool {
    if team.shape.get() != Shape::Flat {
        return team.all_joined.load(Ordering::SeqCst) == region;
    }
    (1..team.size.get()).all(|num| team.slot(num).published.joined.load(Ordering::SeqCst) == region)
}

/// Whether every worker has left (in a tree: every member).
fn all_left(team: &Team, region: u64) -> bool {
    if team.shape.get() != Shape::Flat {
        return team.all_left.load(Ordering::SeqCst) == region;
    }
    (1..team.size.get()).all(|num| team.slot(num).published.left.load(Ordering::SeqCst) == region)
}
