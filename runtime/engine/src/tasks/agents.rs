//! Free-agent threads: workers without a team that execute tasks of the pool
//! (`threadset(omp_pool)`).
//!
//! A task of the pool waits in its team's list, where the members find it as any other. While that
//! list holds such a task, the team is in the pool's list. When a task of the pool becomes ready
//! and fewer agents work than may work, an idle worker (or a new one) is summoned. It executes the
//! tasks that it finds, waits a while, and becomes idle again.
//!
//! So many agents may work: as many as `OMP_THREADS_RESERVE` reserves, or one for each processor
//! that no thread of the team uses, if that is more; both within the thread limit. If that is none,
//! a task of the pool is a task like any other, and this file is not used.
//!
//! An agent executes a task in a team of one that stands for the task's team (`team/agent.rs`,
//! `team/serve.rs`). What must hold: the task counts as finished in its team only when the agent's
//! own team has nothing left, so that the team's barriers wait for the task's descendants too. An
//! agent has no slot in the task's team, so no region waits for it.

use crate::records::{Task, Team, Traits};
use crate::threads::hire;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_settings::{NO_LIMIT, settings};
use omphalos_sync::process_lock::{ProcessLock, rank};

struct Pool {
    /// The teams that may have ready tasks for agents.
    teams: ProcessLock<Vec<&'static Team>, { rank::POOL }>,
    /// The number of agents that execute a task or look for one. Written under the lock.
    agents: AtomicU32,
    /// The number of times that a task was offered. An agent that waits for a task watches it.
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

/// Empties the pool in a forked child, which has no agent. Agents that the child starts serve no
/// team that had tasks at the fork: the child's only thread executes the tasks of its own teams
/// (`lost.rs`), and the parent executes all others.
pub(crate) fn after_fork_in_child() {
    locked(Vec::clear);
    POOL.agents.store(0, Ordering::Relaxed);
}

/// Returns the number of agents that are at work.
pub(crate) fn at_work() -> u32 {
    POOL.agents.load(Ordering::Relaxed)
}

/// Returns the number of agents that may execute tasks of `team` beside its members.
pub(super) fn most(team: &Team) -> u32 {
    let settings = settings();
    let idle = (settings.processors.count() as u32).saturating_sub(team.busy.get());
    let most = settings.reserve.free_agents.max(idle);
    match team.icvs().thread_limit {
        NO_LIMIT => most,
        limit => most.min(limit.saturating_sub(settings.reserve.structured.max(1))),
    }
}

/// Called when a ready task of the pool is in its team's list: summons an agent, if more may work.
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
        match hire(0) {
            Ok(worker) => worker.summon_as_agent(),
            // The members execute the task.
            Err(_) => locked(|_| _ = POOL.agents.fetch_sub(1, Ordering::Relaxed)),
        }
    }
}

/// Returns the number of times that a task was offered so far.
pub(crate) fn offers() -> u32 {
    POOL.offers.load(Ordering::Relaxed)
}

/// Returns a task for the calling agent.
pub(crate) fn next_of_pool() -> Option<&'static Task> {
    locked(next)
}

/// Does what [`next_of_pool`] does. If there is no task, the calling thread is no agent any more.
/// This happens under the lock, so a thread that offers a task later counts one agent less.
pub(crate) fn next_of_pool_or_leave() -> Option<&'static Task> {
    locked(|teams| {
        let task = next(teams);
        if task.is_none() {
            POOL.agents.fetch_sub(1, Ordering::Relaxed);
        }
        task
    })
}

/// Returns a task for an agent. Forgets the teams that have none.
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
