//! The routines with which a program reads and sets internal control variables (`omp_get_*`,
//! `omp_set_*`), under their C and Fortran names. Variables of a data environment are the current
//! task's (`engine::icv`), those of a device and of the process come from `settings`. A thread's
//! first call makes it known to the runtime.

use super::names::{meet_first, queries, with_integer};
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_engine::Thread;
use omphalos_engine::icv;
use omphalos_engine::target::played;
use omphalos_settings::settings;
use omphalos_settings::{Icvs, RunSched, Settings};

fn icvs() -> Icvs {
    *Thread::current().task().icvs()
}

fn change(edit: impl FnOnce(&mut Icvs)) {
    icv::change(Thread::current(), edit);
}

fn process() -> &'static Settings {
    meet_first();
    omphalos_settings::ensure();
    settings()
}

fn nested() -> i32 {
    let thread = Thread::current();
    let levels = thread.task().icvs().max_active_levels;
    i32::from(levels > 1 && levels > thread.team().active_level.get())
}

#[inline(always)]
fn max_threads() -> i32 {
    match Thread::known() {
        Some(thread) => icv::max_threads(thread) as i32,
        None => max_threads_first(),
    }
}

/// As [`max_threads`], in the thread's first call. A function of its own, so that the others need
/// no stack.
#[cold]
#[inline(never)]
fn max_threads_first() -> i32 {
    icv::max_threads(Thread::current()) as i32
}

/// Returns a count as a Fortran or C `int`.
fn int(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

queries! {
    /// Threads of a region without a `num_threads` clause.
    omp_get_max_threads, omp_get_max_threads_ -> i32 = max_threads();
    /// dyn-var.
    omp_get_dynamic, omp_get_dynamic_ -> i32 = i32::from(icvs().dynamic);
    /// Whether a nested region would be active.
    omp_get_nested, omp_get_nested_ -> i32 = nested();
    /// thread-limit-var.
    omp_get_thread_limit, omp_get_thread_limit_ -> i32 = int(icvs().thread_limit);
    /// max-active-levels-var.
    omp_get_max_active_levels, omp_get_max_active_levels_ -> i32 = int(icvs().max_active_levels);
    /// There is no limit but the type's.
    omp_get_supported_active_levels, omp_get_supported_active_levels_ -> i32 = i32::MAX;
    /// cancel-var.
    omp_get_cancellation, omp_get_cancellation_ -> i32 = i32::from(process().cancellation);
    /// max-task-priority-var.
    omp_get_max_task_priority, omp_get_max_task_priority_ -> i32 = int(process().max_task_priority);
    /// bind-var.
    omp_get_proc_bind, omp_get_proc_bind_ -> i32 = int(icvs().bind);
    /// default-device-var.
    omp_get_default_device, omp_get_default_device_ -> i32 = icvs().default_device;
    /// nteams-var, 0 if it is not set.
    omp_get_max_teams, omp_get_max_teams_ -> i32 = int(teams_vars().0.load(Relaxed));
    /// teams-thread-limit-var, 0 if it is not set.
    omp_get_teams_thread_limit, omp_get_teams_thread_limit_ -> i32 =
        int(teams_vars().1.load(Relaxed));
}

#[inline(always)]
fn set_num_threads(count: i32) {
    let count = count.max(1) as u32;
    match Thread::known() {
        Some(thread) => icv::set_threads(thread, count),
        None => set_num_threads_first(count),
    }
}

#[cold]
#[inline(never)]
fn set_num_threads_first(count: u32) {
    icv::set_threads(Thread::current(), count);
}

fn set_dynamic(on: i32) {
    change(|icvs| icvs.dynamic = on != 0);
}

fn set_nested(on: i32) {
    change(|icvs| match on {
        0 => icvs.max_active_levels = 1,
        _ if icvs.max_active_levels <= 1 => icvs.max_active_levels = i32::MAX as u32,
        _ => {}
    });
}

fn set_max_active_levels(levels: i32) {
    if let Ok(levels) = u32::try_from(levels) {
        change(|icvs| icvs.max_active_levels = levels);
    }
}

fn set_default_device(device: i32) {
    change(|icvs| icvs.default_device = device);
}

/// Returns nteams-var and teams-thread-limit-var, which belong to the device that the call runs on.
fn teams_vars() -> (&'static AtomicU32, &'static AtomicU32) {
    process().teams_vars(played::running_on())
}

fn set_num_teams(count: i32) {
    teams_vars().0.store(count.max(0) as u32, Relaxed);
}

fn set_teams_thread_limit(limit: i32) {
    teams_vars().1.store(limit.max(0) as u32, Relaxed);
}

with_integer! {
    /// Sets nthreads-var of the current task; less than 1 counts as 1.
    omp_set_num_threads, omp_set_num_threads_, omp_set_num_threads_8_ => set_num_threads;
    /// Sets dyn-var.
    omp_set_dynamic, omp_set_dynamic_, omp_set_dynamic_8_ => set_dynamic;
    /// Turns nested regions on or off by max-active-levels-var.
    omp_set_nested, omp_set_nested_, omp_set_nested_8_ => set_nested;
    /// Sets max-active-levels-var; a negative value is ignored.
    omp_set_max_active_levels, omp_set_max_active_levels_, omp_set_max_active_levels_8_
        => set_max_active_levels;
    /// Sets default-device-var.
    omp_set_default_device, omp_set_default_device_, omp_set_default_device_8_
        => set_default_device;
    /// Sets nteams-var; 0 unsets it.
    omp_set_num_teams, omp_set_num_teams_, omp_set_num_teams_8_ => set_num_teams;
    /// Sets teams-thread-limit-var; 0 unsets it.
    omp_set_teams_thread_limit, omp_set_teams_thread_limit_, omp_set_teams_thread_limit_8_
        => set_teams_thread_limit;
}

// Flang's headers bind to these names.
omphalos_sys::exported_routines! {
    /// LLVM's other name for C.
    ompc_set_num_threads(count: i32) = set_num_threads(count);
    /// LLVM's other name for C.
    ompc_set_dynamic(on: i32) = set_dynamic(on);
    /// LLVM's other name for C.
    ompc_set_nested(on: i32) = set_nested(on);
    /// LLVM's other name for C.
    ompc_set_max_active_levels(levels: i32) = set_max_active_levels(levels);
}

/// Sets run-sched-var. A chunk below 1 means the default; an unknown kind changes nothing.
fn set_schedule(kind: i32, chunk: i32) {
    let Some(known) = RunSched::of(kind as u32) else { return };
    change(|icvs| icvs.schedule = (kind as u32, known.chunk(chunk)));
}

/// Returns run-sched-var as `omp_sched_t` and chunk.
fn schedule() -> (i32, i32) {
    let (kind, chunk) = icvs().schedule;
    // An environment's `auto` keeps its chunk.
    let known = RunSched::of(kind).filter(|known| *known != RunSched::Auto);
    (kind as i32, known.map_or(chunk, |known| known.chunk(chunk as i32)) as i32)
}

omphalos_sys::exported_routines! {
    /// Sets run-sched-var.
    omp_set_schedule(kind: i32, chunk: i32) = set_schedule(kind, chunk);
    /// LLVM's other name for C.
    ompc_set_schedule(kind: i32, chunk: i32) = set_schedule(kind, chunk);
    /// The Fortran name.
    omp_set_schedule_(kind: *const i32, chunk: *const i32) = set_schedule(*kind, *chunk);
    /// The Fortran name for an 8-byte chunk (the kind has a type of its own).
    omp_set_schedule_8_(kind: *const i32, chunk: *const i64)
        = set_schedule(*kind, super::names::narrow(*chunk));
    /// run-sched-var.
    omp_get_schedule(kind: *mut i32, chunk: *mut i32) = {
        (*kind, *chunk) = schedule();
    };
    /// The Fortran name.
    omp_get_schedule_(kind: *mut i32, chunk: *mut i32) = {
        (*kind, *chunk) = schedule();
    };
    /// The Fortran name for an 8-byte chunk.
    omp_get_schedule_8_(kind: *mut i32, chunk: *mut i64) = {
        let (now, size) = schedule();
        (*kind, *chunk) = (now, i64::from(size))
    };
}
