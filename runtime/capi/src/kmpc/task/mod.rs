//! Tasks in LLVM's interface: `__kmpc_omp_task*`.
//!
//! The program asks for a task structure (`kmp_task_t`), fills its private part, and passes it back
//! to be deferred or begun. The structure is the payload of an engine's record, which stands in
//! front of it.

mod affinity;
mod dependences;
mod event;
mod graph;
mod layout;
mod reductions;
mod taskloop;

pub use dependences::{DependInfo, wait_on};

use crate::shared::location::Ident;
use crate::shared::waiting::{
    begin_found_group, begin_group_unwatched, end_found_group, end_group_unwatched, yield_task,
};
use core::ffi::c_void;
use layout::{AllocFlags, KmpTask};
use omphalos_engine::target::played::rests;
use omphalos_engine::tasks::{self, Spec, Task, Traits};
use omphalos_engine::{Call, Caller, Found, Quiet, Thread, Unwatched, Watched};
use omphalos_events::TaskFlags;

/// A task's entry: `routine(gtid, task)`.
type Routine = Option<unsafe extern "C" fn(i32, *mut KmpTask) -> i32>;

/// Returns the properties of a task that the flags for `__kmpc_omp_task_alloc` set, kept until the
/// task is made.
fn spec(task: &Task) -> Spec {
    spec_of(task, AllocFlags(task.flags.get()))
}

/// Flags besides [`AllocFlags::TIED`] and the priority that change a task's [`Spec`].
const UNUSUAL: u32 = AllocFlags::FINAL
    | AllocFlags::MERGEABLE
    | AllocFlags::DESTRUCTORS
    | AllocFlags::PROXY
    | AllocFlags::DETACHABLE
    | AllocFlags::TRANSPARENT
    | AllocFlags::HIDDEN_HELPER;

/// Returns the properties of a task without further flags.
#[inline(always)]
fn plain_spec(task: &Task) -> Spec {
    // SAFETY: the payload of a record from `alloc` is a task structure.
    let routine = unsafe { (*task.payload().cast::<KmpTask>()).routine };
    let code = routine.map_or(core::ptr::null(), |f| f as *const c_void);
    Spec { code, flags: 0, traits: Traits::ENTRY, priority: 0 }
}

/// Flags of tasks that never take the way of those that a tool only counts.
const NOT_QUIET: u32 = UNUSUAL | AllocFlags::PRIORITY | ELSEWHERE;

/// Returns the properties of a task that has these flags.
#[inline(always)]
fn spec_of(task: &Task, flags: AllocFlags) -> Spec {
    let mut spec = plain_spec(task);
    if flags.has(AllocFlags::PRIORITY) {
        // SAFETY: as in `plain_spec`.
        spec.priority = unsafe { (*task.payload().cast::<KmpTask>()).data2 } as i32;
    }
    // Fast path: most tasks have no further flags.
    if flags.0 & (AllocFlags::TIED | UNUSUAL) == AllocFlags::TIED {
        return spec;
    }
    if !flags.has(AllocFlags::TIED) {
        spec.flags |= TaskFlags::UNTIED;
        spec.traits |= Traits::PARTS;
    }
    if flags.has(AllocFlags::FINAL) {
        spec.flags |= TaskFlags::FINAL;
    }
    if flags.has(AllocFlags::HIDDEN_HELPER) {
        spec.flags |= TaskFlags::TARGET;
    }
    if flags.has(AllocFlags::MERGEABLE) {
        spec.flags |= TaskFlags::MERGEABLE;
    }
    if flags.has(AllocFlags::DESTRUCTORS) {
        spec.traits |= Traits::DESTRUCTORS;
    }
    if flags.has(AllocFlags::PROXY | AllocFlags::DETACHABLE) {
        spec.traits |= Traits::DETACHABLE;
    }
    if flags.has(AllocFlags::TRANSPARENT) {
        spec.traits |= Traits::TRANSPARENT;
    }
    spec
}

/// Makes a task structure with `size` bytes (private part included) and behind it `shareds` bytes.
fn structure(
    thread: &Thread,
    flags: u32,
    size: usize,
    shareds: usize,
    routine: Routine,
) -> &'static Task {
    let offset = size.next_multiple_of(8);
    let task = tasks::allocate_with(thread, offset + shareds, flags);
    let payload = task.payload();
    let shared =
        if shareds == 0 { core::ptr::null_mut() } else { payload.wrapping_byte_add(offset) };
    // SAFETY: the payload has room for the structure.
    unsafe {
        payload.cast::<KmpTask>().write(KmpTask {
            shareds: shared,
            routine,
            part: 0,
            data1: 0,
            data2: 0,
        });
    }
    task
}

/// Makes a task structure to fill and hand to one of the functions below.
///
/// # Safety
/// LLVM's code keeps to its interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_omp_task_alloc(
    _location: *const Ident,
    _gtid: i32,
    flags: u32,
    size: usize,
    shareds: usize,
    routine: Routine,
) -> *mut c_void {
    let thread = Thread::current();
    let task = structure(thread, flags, size, shareds, routine);
    graph::allocated(thread);
    if AllocFlags(flags).has(AllocFlags::PROXY | AllocFlags::DETACHABLE) {
        tasks::allow_event(thread, task);
    }
    task.payload()
}

/// Does the same for a target task.
///
/// # Safety
/// LLVM's code keeps to its interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_omp_target_task_alloc(
    location: *const Ident,
    gtid: i32,
    flags: u32,
    size: usize,
    shareds: usize,
    routine: Routine,
    _device: i64,
) -> *mut c_void {
    // A target task is untied, but here it runs in one part.
    let flags = flags | AllocFlags::TIED | AllocFlags::HIDDEN_HELPER;
    // SAFETY: as for any task.
    unsafe { __kmpc_omp_task_alloc(location, gtid, flags, size, shareds, routine) }
}

/// Whether the construct makes the task by [`spawn_elsewhere`] or with dependences.
#[inline(always)]
fn is_special(task: &Task, spec: &Spec) -> bool {
    spec.traits & Traits::TRANSPARENT != 0 || AllocFlags(task.flags.get()).has(ELSEWHERE)
}

/// Makes a task for which [`is_special`] holds.
///
/// # Safety
/// The record is from [`structure`], and filled.
#[inline(never)]
unsafe fn spawn_special(thread: &'static Thread, task: &'static Task, spec: Spec, caller: Caller) {
    // SAFETY: the caller's promise.
    unsafe {
        if spec.traits & Traits::TRANSPARENT != 0 {
            dependences::make_rarely(thread, task, spec, &[], caller);
        } else {
            spawn_elsewhere(thread, task, spec, task.payload(), caller);
        }
    }
}

/// Flags of tasks that threads outside the team may execute.
const ELSEWHERE: u32 = AllocFlags::FREE_AGENT | AllocFlags::HIDDEN_HELPER;

/// Makes a task without dependences that has one of these flags.
///
/// # Safety
/// As for [`tasks::spawn`], and by any thread.
unsafe fn spawn_elsewhere(
    thread: &'static Thread,
    task: &'static Task,
    spec: Spec,
    data: *mut c_void,
    caller: Caller,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if AllocFlags(task.flags.get()).has(AllocFlags::HIDDEN_HELPER) {
            let leaving = rests::leaving();
            tasks::spawn_hidden(thread, task, spec, data, caller);
            if let Some(leaving) = leaving {
                leaving.left(false);
            }
        } else {
            tasks::spawn_in_pool(thread, task, spec, data, caller);
        }
    }
}

/// Returns the traits that one of these flags adds to a task's.
fn elsewhere_traits(thread: &Thread, flags: AllocFlags, traits: u32) -> u32 {
    if flags.has(AllocFlags::HIDDEN_HELPER) {
        tasks::hidden_trait(thread, traits)
    } else {
        tasks::pool_trait(thread, traits)
    }
}

/// Makes the task. If an untied task calls this from its own body, queues its next part.
unsafe extern "C" fn omp_task(
    _location: *const Ident,
    _gtid: i32,
    task: *mut c_void,
    call: Unwatched,
) -> i32 {
    let thread = call.thread();
    // SAFETY: LLVM's code passes a structure that `alloc` gave.
    unsafe {
        let task = Task::of_payload(task);
        if core::ptr::eq(task, thread.task.get()) {
            tasks::respawn(thread, task);
            return 0;
        }
        graph::made(thread, task, &[]);
        let spec = spec(task);
        if is_special(task, &spec) {
            spawn_special(thread, task, spec, call.caller());
        } else {
            tasks::spawn(thread, task, spec, task.payload(), call);
        }
    }
    0
}

/// As [`omp_task`] while a tool is attached. Fast path: the tool only counts the task.
unsafe extern "C" fn watched_omp_task(
    _location: *const Ident,
    _gtid: i32,
    task: *mut c_void,
    call: Watched,
) -> i32 {
    let thread = call.thread();
    // SAFETY: LLVM's code passes a structure that `alloc` gave. A task that executes has other
    // flags.
    unsafe {
        let task = Task::of_payload(task);
        if AllocFlags(task.flags.get()).0 & (AllocFlags::TIED | NOT_QUIET) == AllocFlags::TIED
            && tasks::counts(thread, task, call.caller(), false)
        {
            graph::made(thread, task, &[]);
            tasks::spawn(thread, task, plain_spec(task), task.payload(), Quiet(thread));
        } else {
            told_omp_task(thread, task, call.caller());
        }
    }
    0
}

/// As [`omp_task`], for a tool that may have to be told.
///
/// # Safety
/// LLVM's code passes a structure that `alloc` gave.
#[inline(never)]
unsafe fn told_omp_task(thread: &'static Thread, task: &'static Task, caller: Caller) {
    if core::ptr::eq(task, thread.task.get()) {
        return tasks::respawn(thread, task);
    }
    graph::made(thread, task, &[]);
    let spec = spec(task);
    // SAFETY: the caller's promise.
    unsafe {
        if is_special(task, &spec) {
            spawn_special(thread, task, spec, caller);
        } else {
            tasks::spawn_rarely(thread, task, spec, task.payload(), caller);
        }
    }
}

unsafe extern "C" fn begin_if0<C: Call>(
    _location: *const Ident,
    _gtid: i32,
    task: *mut c_void,
    call: C,
) {
    // SAFETY: LLVM's code passes a structure that `alloc` gave.
    let task = unsafe { Task::of_payload(task) };
    let thread = call.thread();
    graph::begun(thread, task);
    // SAFETY: as above.
    unsafe { tasks::begin_undeferred(thread, task, spec(task), task.payload(), call) };
}

unsafe extern "C" fn complete_if0<C: Call>(
    _location: *const Ident,
    _gtid: i32,
    task: *mut c_void,
    call: C,
) {
    // SAFETY: LLVM's code passes the task that it began.
    tasks::end_undeferred(call.thread(), unsafe { Task::of_payload(task) }, call);
}

unsafe extern "C" fn taskwait(call: Found) -> i32 {
    tasks::watched_taskwait(call.thread(), call);
    graph::waited();
    0
}

unsafe extern "C" fn taskyield(
    _location: *const Ident,
    _gtid: i32,
    _end_part: i32,
    caller: Caller,
) -> i32 {
    yield_task(caller);
    0
}

unsafe extern "C" fn taskgroup(call: Found) {
    begin_found_group(call);
    graph::group_begun();
}

unsafe extern "C" fn end_taskgroup(call: Found) {
    end_found_group(call);
    graph::group_ended();
}

/// The functions that entries call while no tool is attached.
mod quick {
    use super::{begin_group_unwatched, end_group_unwatched, graph};
    use omphalos_engine::{Thread, Unwatched, tasks};

    type Known = &'static Thread;

    pub unsafe extern "C" fn taskwait(thread: Known) -> i32 {
        if !tasks::pass_taskwait(thread) {
            tasks::taskwait(thread, Unwatched(thread));
        }
        graph::waited();
        0
    }

    pub unsafe extern "C" fn taskgroup(thread: Known) {
        begin_group_unwatched(thread);
        graph::group_begun();
    }

    pub unsafe extern "C" fn end_taskgroup(thread: Known) {
        end_group_unwatched(thread);
        graph::group_ended();
    }
}

omphalos_sys::told_entries! {
    /// A task scheduling point; 0.
    __kmpc_omp_taskyield(location, gtid, end_part) => taskyield;
}

omphalos_sys::quick_entries! {
    /// Makes a task; 0.
    __kmpc_omp_task(location, gtid, task) => omp_task, watched_omp_task;
    /// The older name of `__kmpc_omp_task`.
    __kmpc_omp_task_parts(location, gtid, task) => omp_task, watched_omp_task;
    /// Begins an undeferred task: the program calls its entry and then `complete_if0`.
    __kmpc_omp_task_begin_if0(location, gtid, task) => begin_if0::<Unwatched>, begin_if0::<Watched>;
    /// Ends an undeferred task.
    __kmpc_omp_task_complete_if0(location, gtid, task) =>
        complete_if0::<Unwatched>, complete_if0::<Watched>;
}

// Entries that need neither location nor thread number.
omphalos_sys::found_entries! {
    /// Begins a taskgroup.
    __kmpc_taskgroup() => quick::taskgroup, taskgroup;
    /// Ends a taskgroup.
    __kmpc_end_taskgroup() => quick::end_taskgroup, end_taskgroup;
    /// Waits for the children of the current task; 0.
    __kmpc_omp_taskwait() => quick::taskwait, taskwait;
}
