//! Tells tools of the events that happen often: one function for each.
//!
//! Each kind has a *direct form*: a C function that takes the event's parts, identities and frames
//! by address, enumerations by number. If one tool alone wants a kind, and its interface has given
//! such a function ([`connect`](crate::connect)), the function here calls it. To build an event,
//! find the tool and take the event to pieces again would be most of the event's cost. So an
//! event's parts are arguments, not an [`Event`]: these functions are inlined where much is known,
//! and the event reaches memory only on the long way.
//!
//! For most kinds the [table](calls) always holds a function: that tool's, or one of the same
//! signature that builds the event and takes the long way ([`long_way`]). So no question is asked:
//! the load that finds the function is all that an event costs besides its arguments. For a few
//! kinds (`asked`) the table holds null while no tool wants them, so that hooks need not ask the
//! mask first.
//!
//! What must hold: a kind's function has the signature that the function here gives it, and the
//! event has the same parts on both ways.

#[macro_use]
mod calls;
mod long_way;

pub(crate) use calls::{Functions, KINDS, PLACES, closing_place, put};

use crate::event::{Dependence, Event, Kind};
use crate::kinds::{DispatchKind, Endpoint, MutexKind, SyncKind, TaskStatus, WorkKind};
use crate::partner;
use core::ffi::c_void;
use omphalos_layout::{Frame, Identity, TaskTool};

/// A thread, region or task by its identity's address, which is a task's too.
type Named = *const Identity;
type Frames = *const Frame;
type Code = *const c_void;

#[inline(always)]
fn named(task: &TaskTool) -> Named {
    core::ptr::from_ref(task).cast()
}

/// A region begins. `function` is called only if a tool wants to know it.
#[inline(always)]
pub fn parallel_begin<'a>(
    encountering: &'a TaskTool,
    region: &'a Identity,
    requested: u32,
    flags: u32,
    function: impl Fn() -> u64,
    codeptr: u64,
) {
    if partner::names_bodies() {
        partner::set_word(region, function());
    }
    tell_or!(ParallelBegin(
        named(encountering) => Named, &raw const encountering.frame => Frames,
        region => Named, requested => u32, flags => u32, codeptr as Code => Code,),
        Event::ParallelBegin {
        encountering, region, requested, flags, function: function(), codeptr
    });
}

/// A region has ended.
#[inline(always)]
pub fn parallel_end(encountering: &TaskTool, region: &Identity, flags: u32, codeptr: u64) {
    tell_or!(ParallelEnd(
        region => Named, named(encountering) => Named, flags => u32,
        codeptr as Code => Code,),
        Event::ParallelEnd { encountering, region, flags, codeptr });
}

/// An implicit or initial task begins or ends.
#[inline(always)]
pub fn implicit_task(
    endpoint: Endpoint,
    region: &Identity,
    task: &TaskTool,
    parallelism: u32,
    index: u32,
    flags: u32,
) {
    tell_or!(ImplicitTask(
        endpoint as i32 => i32, region => Named, named(task) => Named, parallelism => u32,
        index => u32, flags => u32,),
        Event::ImplicitTask { endpoint, region, task, parallelism, index, flags });
}

/// A task was made. `function` is called only if a tool wants the event.
#[inline(always)]
pub fn task_create<'a>(
    encountering: &'a TaskTool,
    task: &'a TaskTool,
    flags: u32,
    has_dependences: bool,
    function: impl FnOnce() -> u64,
    codeptr: u64,
) {
    tell_or!(TaskCreate(
        named(encountering) => Named, &raw const encountering.frame => Frames,
        named(task) => Named, flags => u32, i32::from(has_dependences) => i32,
        codeptr as Code => Code,),
        Event::TaskCreate {
        encountering, task, flags, has_dependences, function: function(), codeptr
    });
}

/// The thread goes from one task to another.
#[inline(always)]
pub fn task_schedule(prior: &TaskTool, status: TaskStatus, next: Option<&TaskTool>) {
    tell!(asked TaskSchedule:
        named(prior) => Named, status as i32 => i32,
        next.map_or(core::ptr::null(), named) => Named,);
}

/// As [`task_schedule`], unless `quiet` returns true. It is called only if a tool wants such
/// events.
#[inline(always)]
pub fn task_schedule_unless(
    quiet: impl FnOnce() -> bool,
    prior: &TaskTool,
    status: TaskStatus,
    next: &TaskTool,
) {
    if let Some(function) = asked!(TaskSchedule)
        && !quiet()
    {
        tell!(by function,
            named(prior) => Named, status as i32 => i32, named(next) => Named,);
    }
}

/// The dependences of a task as the program wrote them.
#[inline(always)]
pub fn dependences(task: &TaskTool, dependences: &[Dependence]) {
    tell_or!(Dependences(
        named(task) => Named, dependences.as_ptr().cast() => Code,
        dependences.len() as i32 => i32,),
        Event::Dependences { task, dependences });
}

/// `sink` has to wait for `source`.
#[inline(always)]
pub fn task_dependence(source: &TaskTool, sink: &TaskTool) {
    tell_or!(TaskDependence(
        named(source) => Named, named(sink) => Named,),
        Event::TaskDependence { source, sink });
}

/// A synchronisation construct begins or ends.
#[inline(always)]
pub fn sync_region(
    kind: SyncKind,
    endpoint: Endpoint,
    region: &Identity,
    task: &TaskTool,
    codeptr: u64,
) {
    tell!(asked SyncRegion:
        kind as i32 => i32, endpoint as i32 => i32, region => Named, named(task) => Named,
        codeptr as Code => Code,);
}

/// As [`sync_region`], for the wait in it.
#[inline(always)]
pub fn sync_wait(
    kind: SyncKind,
    endpoint: Endpoint,
    region: &Identity,
    task: &TaskTool,
    codeptr: u64,
) {
    tell!(asked SyncWait:
        kind as i32 => i32, endpoint as i32 => i32, region => Named, named(task) => Named,
        codeptr as Code => Code,);
}

/// As [`sync_region`] or, with `waits`, [`sync_wait`]. `parts` returns region, task and return
/// address, or that no tool is to be told; it is called only if a tool wants the event. True if the
/// event was told.
#[inline(always)]
pub fn sync_of<'a>(
    waits: bool,
    kind: SyncKind,
    endpoint: Endpoint,
    parts: impl FnOnce() -> Option<(&'a Identity, &'a TaskTool, u64)>,
) -> bool {
    let function = if waits { asked!(SyncWait) } else { asked!(SyncRegion) };
    let Some(function) = function else { return false };
    let Some((region, task, codeptr)) = parts() else { return false };
    tell!(by function,
        kind as i32 => i32, endpoint as i32 => i32, region => Named, named(task) => Named,
        codeptr as Code => Code,);
    true
}

/// As [`sync_of`] for the barrier that ends a region or league: an interface may have a function of
/// its own for that ([`connect_closing`](crate::connect_closing)).
#[inline(always)]
pub fn closing<'a>(
    waits: bool,
    kind: SyncKind,
    endpoint: Endpoint,
    parts: impl FnOnce() -> (&'a Identity, &'a TaskTool, u64),
) {
    let asked = match waits {
        true => asked!(SyncWait, calls::CLOSING_WAIT),
        false => asked!(SyncRegion, calls::CLOSING),
    };
    if let Some(function) = asked {
        let (region, task, codeptr) = parts();
        tell!(by function,
            kind as i32 => i32, endpoint as i32 => i32, region => Named, named(task) => Named,
            codeptr as Code => Code,);
    }
}

/// A reduction's number among the kinds of synchronisation.
const REDUCTION: i32 = 7;

/// The combining of a reduction begins or ends.
#[inline(always)]
pub fn reduction(endpoint: Endpoint, region: &Identity, task: &TaskTool, codeptr: u64) {
    tell!(Reduction:
        REDUCTION => i32, endpoint as i32 => i32, region => Named, named(task) => Named,
        codeptr as Code => Code,);
}

/// A worksharing construct or taskloop begins or ends.
#[inline(always)]
pub fn work(
    kind: WorkKind,
    endpoint: Endpoint,
    region: &Identity,
    task: &TaskTool,
    count: u64,
    codeptr: u64,
) {
    tell!(Work:
        kind as i32 => i32, endpoint as i32 => i32, region => Named, named(task) => Named,
        count => u64, codeptr as Code => Code,);
}

/// A `masked` region begins or ends.
#[inline(always)]
pub fn masked(endpoint: Endpoint, region: &Identity, task: &TaskTool, codeptr: u64) {
    tell!(Masked:
        endpoint as i32 => i32, region => Named, named(task) => Named,
        codeptr as Code => Code,);
}

/// A range of iterations.
#[repr(C)]
struct Chunk {
    first: u64,
    count: u64,
}

/// A part of a construct's work begins. `first`: the address of a section's code, else a value.
#[inline(always)]
pub fn share(kind: DispatchKind, region: &Identity, task: &TaskTool, first: u64, count: u64) {
    let chunk = Chunk { first, count };
    let instance = if kind.is_chunk() { (&raw const chunk) as u64 } else { first };
    tell!(asked Dispatch:
        region => Named, named(task) => Named, kind as i32 => i32, instance => u64,);
}

/// The thread is about to acquire a mutex.
#[inline(always)]
pub fn mutex_acquire(kind: MutexKind, hint: u32, implementation: u32, wait_id: u64, codeptr: u64) {
    tell!(MutexAcquire:
        kind as i32 => i32, hint => u32, implementation => u32, wait_id => u64,
        codeptr as Code => Code,);
}

/// The mutex was acquired.
#[inline(always)]
pub fn mutex_acquired(kind: MutexKind, wait_id: u64, codeptr: u64) {
    tell!(MutexAcquired:
        kind as i32 => i32, wait_id => u64, codeptr as Code => Code,);
}

/// The mutex was given back.
#[inline(always)]
pub fn mutex_released(kind: MutexKind, wait_id: u64, codeptr: u64) {
    tell!(MutexReleased:
        kind as i32 => i32, wait_id => u64, codeptr as Code => Code,);
}

/// The owner of a nest lock took it again (begin) or gave it back while still owning it (end).
#[inline(always)]
pub fn nest_lock(endpoint: Endpoint, wait_id: u64, codeptr: u64) {
    tell!(NestLock:
        endpoint as i32 => i32, wait_id => u64, codeptr as Code => Code,);
}
