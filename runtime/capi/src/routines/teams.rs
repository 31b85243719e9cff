//! Numbers of threads, teams and levels, the current task, and the time.

use super::names::{meet_first, queries, with_integer};
use omphalos_engine::process::before_a_routine;
use omphalos_engine::{Team, Thread};
use omphalos_events::TaskFlags;
use omphalos_sys::clock;

/// Asks the calling thread's team. A thread that OpenMP does not know is alone in a team of its
/// own.
#[inline(always)]
fn of_team(otherwise: i32, ask: impl FnOnce(&Team) -> u32) -> i32 {
    match Thread::known() {
        Some(thread) => ask(thread.team()) as i32,
        None => on_a_stranger(otherwise),
    }
}

/// Returns the answer of a routine on a thread that OpenMP does not know.
#[cold]
#[inline(never)]
fn on_a_stranger(answer: i32) -> i32 {
    before_a_routine();
    answer
}

/// Asks the team about the calling thread's number in it.
#[inline(always)]
fn of_team_and_num(ask: impl FnOnce(&Team, u32) -> u32) -> i32 {
    match Thread::known() {
        Some(thread) => ask(thread.team(), thread.num.get()) as i32,
        None => on_a_stranger(0),
    }
}

#[inline(always)]
fn num_threads() -> i32 {
    match Thread::known() {
        Some(thread) => thread.team().counted_size() as i32,
        None => num_threads_first(),
    }
}

/// As [`num_threads`], in the thread's first call. A function of its own, so that the others need
/// no stack.
#[cold]
#[inline(never)]
fn num_threads_first() -> i32 {
    Thread::current().team().counted_size() as i32
}

#[inline(always)]
fn thread_num() -> i32 {
    match Thread::known() {
        Some(thread) => thread.shown_num.get() as i32,
        None => on_a_stranger(0),
    }
}

fn task_has(flag: u32) -> i32 {
    match Thread::known() {
        Some(thread) => i32::from(thread.task().flags.get() & flag != 0),
        None => on_a_stranger(0),
    }
}

queries! {
    /// The calling thread's number in its team.
    omp_get_thread_num, omp_get_thread_num_ -> i32 = thread_num();
    /// The size of the current team. Starts the runtime: tools and their users rely on that.
    omp_get_num_threads, omp_get_num_threads_ -> i32 = num_threads();
    /// Whether an enclosing parallel region is active.
    omp_in_parallel, omp_in_parallel_ -> i32 = of_team(0, |t| u32::from(t.active_level.get() > 0));
    /// How many parallel regions enclose the call.
    omp_get_level, omp_get_level_ -> i32 = of_team(0, |team| team.level.get());
    /// How many active parallel regions enclose the call.
    omp_get_active_level, omp_get_active_level_ -> i32 = of_team(0, |t| t.active_level.get());
    /// Teams in the league.
    omp_get_num_teams, omp_get_num_teams_ -> i32 = of_team(1, |team| team.league.get().0);
    /// The current team's number in the league.
    omp_get_team_num, omp_get_team_num_ -> i32 = of_team(0, |team| team.league.get().1);
    /// Whether the current task is final.
    omp_in_final, omp_in_final_ -> i32 = task_has(TaskFlags::FINAL);
    /// Whether the current task is explicit.
    omp_in_explicit_task, omp_in_explicit_task_ -> i32 = task_has(TaskFlags::EXPLICIT);
    /// Whether the calling thread is a free-agent thread: it executes a task of a team that it is
    /// not a member of, or is in a region that it began there.
    omp_is_free_agent, omp_is_free_agent_ -> i32 =
        of_team_and_num(|team, num| u32::from(team.is_agent(num)));
    /// Processors that the process may use: its affinity mask, cut by its control group's quota.
    omp_get_num_procs, omp_get_num_procs_ -> i32 = {
        meet_first();
        omphalos_settings::ensure();
        omphalos_settings::settings().processors_now() as i32
    };
    /// Seconds of the monotonic clock.
    omp_get_wtime, omp_get_wtime_ -> f64 = clock::seconds();
    /// Resolution of `omp_get_wtime`, in seconds.
    omp_get_wtick, omp_get_wtick_ -> f64 = clock::resolution();
}

/// Returns the team that encloses the call at `level`, and the number in it of the calling thread's
/// ancestor; `None` if there is no such level.
fn ancestor(level: i32) -> Option<(u32, &'static Team)> {
    let thread = Thread::current();
    let (mut team, mut num) = (thread.team(), thread.num.get());
    let level = u32::try_from(level).ok().filter(|&level| level <= team.level.get())?;
    while team.level.get() > level {
        num = team.parent_num.get();
        team = team.parent()?;
    }
    Some((num, team))
}

fn ancestor_num(level: i32) -> i32 {
    ancestor(level).map_or(-1, |(num, team)| team.shown_num(num) as i32)
}

fn team_size(level: i32) -> i32 {
    ancestor(level).map_or(-1, |(_, team)| team.counted().size.get() as i32)
}

with_integer! {
    /// The number of the calling thread's ancestor at a nesting level, -1 if there is none.
    omp_get_ancestor_thread_num, omp_get_ancestor_thread_num_, omp_get_ancestor_thread_num_8_
        => ancestor_num, i32;
    /// The size of the team at a nesting level, -1 if there is none.
    omp_get_team_size, omp_get_team_size_, omp_get_team_size_8_ => team_size, i32;
}

omphalos_sys::exported_routines! {
    /// Whether the calling thread's ancestor at a nesting level is a free-agent thread; 0 if there
    /// is no such level.
    omp_ancestor_is_free_agent(level: i32) -> i32
        = ancestor(level).map_or(0, |(num, team)| i32::from(team.is_agent(num)));
    /// Intel's Fortran name, whose argument is a value.
    omp_ancestor_is_free_agent_(level: i32) -> i32 = omp_ancestor_is_free_agent(level);
    /// LLVM's other name for C.
    ompc_get_ancestor_thread_num(level: i32) -> i32 = ancestor_num(level);
    /// LLVM's other name for C.
    ompc_get_team_size(level: i32) -> i32 = team_size(level);
}
