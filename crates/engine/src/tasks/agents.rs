//! Free-agent threads: workers without a team that execute tasks of the pool
//! (`threadset(omp_pool)`).
//!
//! A task of the pool waits in its team's list, where the members find it as any other. While that
//! list holds such a task, the team is in the pool's list. When a task of the pool becomes ready
//! and more agents may work than do, an idle worker (or a new one) is summoned. It executes what it
//! finds, waits a while, and becomes idle again.
//!
//! How many may work: as many as `OMP_THREADS_RESERVE` reserves for them, and one for each
//! processor that no thread of the team uses, within the thread limit. If that is none, a task of
//! the pool is a task like any other, and nothing here is used.
//!
//! An agent executes a task in a team of one that stands for the task's team (`team/agent.rs`,
//! `team/serve.rs`). What must hold: the task counts as finished in its team only when the agent's
//! own team has nothing left, so that the team's barriers wait for the task's descendants too. An
//! agent sits in no team's slots, so no region waits for it.

use super::constraint::Constraint;
use super::create::{self, Spec};
use super::{group, hooks, presence, queue, scheduling_point};
use crate::records::{Owner, Task, Team, Thread, Traits};
use crate::threads::hire;
use crate::waiting::Reason;
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use omphalos_settings::{NO_LIMIT, settings};
use omphalos_sync::process_lock::{ProcessLock, rank};
use omphalos_sys::entry::Caller;

/// Tasks in a team's list beyond which a new one is executed at once.
const LISTED_TASKS_BEFORE_INLINE: u32 = 256;

struct Pool {
    /// Teams that may have ready tasks for agents.
    teams: ProcessLock<Vec<&'static Team>, { rank::POOL }>,
    /// Agents at work, or looking for it. Written under the lock.
    agents: AtomicU32,
    /// How often a task was offered. An agent that waits for one watches this.
    offers: AtomicU32,
}

static POOL: Pool = Pool {
    teams: ProcessLock::new(Vec::new()),
    agents: AtomicU32::new(0),
    offers: AtomicU32::new(0),
};

fn locked<R>(f: impl FnOnce(&mut Vec<&'static Team>) -> R) -> R {
    POOL.teams.with(f)
}

/// In a forked child there is no agent.
pub(crate) fn after_fork_in_child() {
    POOL.agents.store(0, Ordering::Relaxed);
}

/// How many agents are at work.
pub(crate) fn at_work() -> u32 {
    POOL.agents.load(Ordering::Relaxed)
}

/// How many may execute tasks of `team` beside its members.
fn most(team: &Team) -> u32 {
    let settings = settings();
    let idle = (settings.processors.count() as u32).saturating_sub(team.busy.get());
    let most = settings.reserve.free_agents.max(idle);
    match team.icvs().thread_limit {
        NO_LIMIT => most,
        limit => most.min(limit.saturating_sub(settings.reserve.structured.max(1))),
    }
}

/// [`Traits::POOL`] if a task that the current task makes now may be left to agents, else 0. Not if
/// the task's reduction has copies for members only. Not if the task runs in parts or an event
/// completes it: its end could be far from where it began. Not if it is transparent: its children
/// may depend on tasks of the team, which an agent cannot begin.
pub fn pool_trait(thread: &Thread, traits: u32) -> u32 {
    let other = traits & (Traits::DETACHABLE | Traits::PARTS | Traits::TRANSPARENT) != 0;
    let team = thread.team();
    if other || thread.task().is_final() || most(team) == 0 || group::reduces(thread) {
        return 0;
    }
    Traits::POOL
}

/// Whether a task of the pool, or for helpers, that is made now is queued.
pub(super) fn may_defer(thread: &Thread, task: &Task) -> bool {
    task.has(Traits::HIDDEN) || has_room(thread)
}

/// Whether the current team's list takes one more.
fn has_room(thread: &Thread) -> bool {
    thread.team().tasks.listed() < LISTED_TASKS_BEFORE_INLINE || !settings().throttles_tasks
}

/// As [`create::spawn`], for a task that agents may execute.
///
/// # Safety
/// As [`create::spawn`], and by any thread.
#[cold]
pub unsafe fn spawn(
    thread: &'static Thread,
    task: &'static Task,
    mut spec: Spec,
    data: *mut c_void,
    caller: Caller,
) {
    spec.traits |= pool_trait(thread, spec.traits);
    if spec.traits & Traits::POOL == 0 || !has_room(thread) {
        spec.traits &= !Traits::POOL;
        // SAFETY: the caller's promise.
        return unsafe { create::spawn(thread, task, spec, data, caller) };
    }
    // SAFETY: the caller's promise.
    let own = unsafe { task.claim() };
    create::define(thread, own, &spec, data, false);
    hooks::created(thread, task, false, caller);
    prepare(thread, own);
    create::count(thread, task);
    queue::enqueue(thread, task);
    hooks::resume(thread.task(), caller);
}

/// Gives a task of the pool, or one for helpers, a priority of at least 1: only tasks with a
/// priority go to lists when they are ready (`queue.rs`).
pub(super) fn prepare(thread: &Thread, task: Owner<'_, Task>) {
    task.priority.set(task, task.priority.get().max(1));
    if thread.team().parent().is_none() {
        finish_at_exit();
    }
}

/// A ready task of the pool is in its team's list: calls an agent, if more may work.
#[cold]
pub(super) fn offer(team: &'static Team) {
    let allowed = most(team);
    let summoned = locked(|teams| {
        if !teams.iter().any(|known| core::ptr::eq(*known, team)) {
            teams.push(team);
        }
        POOL.offers.fetch_add(1, Ordering::Relaxed);
        let more = at_work() < allowed;
        if more {
            POOL.agents.fetch_add(1, Ordering::Relaxed);
        }
        more
    });
    if summoned {
        match hire() {
            Ok(worker) => worker.summon_as_agent(),
            // The members execute the task.
            Err(_) => locked(|_| _ = POOL.agents.fetch_sub(1, Ordering::Relaxed)),
        }
    }
}

/// How often a task was offered so far.
pub(crate) fn offers() -> u32 {
    POOL.offers.load(Ordering::Relaxed)
}

/// A task for the calling agent.
pub(crate) fn next_of_pool() -> Option<&'static Task> {
    locked(next)
}

/// As [`next_of_pool`]. If there is none, the calling thread is no agent any more. This happens
/// under the lock, so a thread that offers a task later counts one agent less.
pub(crate) fn next_of_pool_or_leave() -> Option<&'static Task> {
    locked(|teams| {
        let task = next(teams);
        if task.is_none() {
            POOL.agents.fetch_sub(1, Ordering::Relaxed);
        }
        task
    })
}

/// A task for an agent; forgets the teams that have none.
fn next(teams: &mut Vec<&'static Team>) -> Option<&'static Task> {
    while let Some(&team) = teams.last() {
        let limit = team.icvs().thread_limit;
        if limit == NO_LIMIT || team.claim_agent(limit) {
            if let Some(task) = team.tasks.take(|task| task.has(Traits::POOL)) {
                return Some(task);
            }
            if limit != NO_LIMIT {
                team.give_back(1);
            }
        }
        teams.pop();
    }
    None
}

/// Whether any initial task left a task to agents.
static LEFT: AtomicBool = AtomicBool::new(false);

/// The tasks that the thread's initial task leaves to agents are complete when the thread ends.
pub(crate) fn finish_left_to_others(thread: &'static Thread) {
    if LEFT.load(Ordering::Relaxed)
        && thread.team().parent().is_none()
        && !thread.task().is_explicit()
        && thread.team().has_tasks(thread)
    {
        let team = thread.team();
        let (at, done) = (Constraint::in_barrier(), || presence::quiescent(team));
        scheduling_point::wait_running_tasks(thread, team, at, Reason::ANYTHING, done);
    }
}

/// Has the program's end do the same for its thread.
fn finish_at_exit() {
    extern "C" fn finish() {
        if let Some(thread) = Thread::known() {
            finish_left_to_others(thread);
        }
    }
    if !LEFT.swap(true, Ordering::Relaxed) {
        omphalos_sys::process::at_exit(finish);
    }
}
