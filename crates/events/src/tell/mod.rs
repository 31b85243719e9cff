//! Tells tools of the events that happen often: one function for each.
//!
//! The vocabulary has OpenMP 6.0's numbers, so a callback of that generation takes just what the
//! event has. If one such tool alone wants a kind, the function here calls its callback directly.
//! To build an event, find the tool and take the event to pieces again would be most of the event's
//! cost. So an event's parts are arguments, not an [`Event`]: these functions are inlined where
//! much is known, and the event reaches memory only on the long way.
//!
//! For most kinds the [table](calls) always holds a function: that tool's callback, or one of the
//! same signature that builds the event and takes the long way ([`far`]). So no question is asked:
//! the load that finds the function is all that an event costs besides its arguments. For a few
//! kinds (`asked`) the table holds null while no tool wants them, so that hooks need not ask the
//! mask first.
//!
//! What must hold: a kind's callback has the signature that the function here gives it, and the
//! event has the same arguments on both ways.

#[macro_use]
mod calls;
mod far;

pub(crate) use calls::{KINDS, SLOT, put};

use crate::event::{Dependence, Event};
use crate::kinds::{
    DispatchKind, Endpoint, Kind, MutexKind, SyncKind, TaskFlags, TaskStatus, WorkKind,
};
use core::ffi::c_void;
use omphalos_layout::{Frame, Identity, TaskTool};

type Word = *mut u64;
type Frames = *const Frame;
type Code = *const c_void;

#[inline(always)]
fn word(identity: &Identity) -> Word {
    identity.word(SLOT)
}

#[inline(always)]
fn task_word(task: &TaskTool) -> Word {
    word(&task.identity)
}

/// A region begins. `function` is called only if a tool wants the event.
#[inline(always)]
pub fn parallel_begin<'a>(
    encountering: &'a TaskTool,
    region: &'a Identity,
    requested: u32,
    flags: u32,
    function: impl FnOnce() -> u64,
    codeptr: u64,
) {
    tell_or!(ParallelBegin(
        task_word(encountering) => Word, &raw const encountering.frame => Frames,
        word(region) => Word, requested => u32, flags => u32, codeptr as Code => Code,),
        Event::ParallelBegin {
        encountering, region, requested, flags, function: function(), codeptr
    });
}

/// A region has ended.
#[inline(always)]
pub fn parallel_end(encountering: &TaskTool, region: &Identity, flags: u32, codeptr: u64) {
    tell_or!(ParallelEnd(
        word(region) => Word, task_word(encountering) => Word, flags => u32,
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
    let (shown, size) = shown_team(endpoint, region, SLOT, parallelism, index, flags);
    tell_or!(ImplicitTask(
        endpoint as i32 => i32, shown => Word, task_word(task) => Word, size => u32, index => u32,
        flags => u32,),
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
        task_word(encountering) => Word, &raw const encountering.frame => Frames,
        task_word(task) => Word, flags => u32, i32::from(has_dependences) => i32,
        codeptr as Code => Code,),
        Event::TaskCreate {
        encountering, task, flags, has_dependences, function: function(), codeptr
    });
}

/// A task was made on a quiet thread: sets its data word. No other thread knows the task yet.
#[inline(always)]
pub fn counted_task(task: &TaskTool, word: u64) {
    // SAFETY: the thread makes the task, so the word is its own.
    unsafe { task_word(task).write(word) };
}

/// The tool's data word of a task.
#[inline(always)]
pub fn data_of(task: &TaskTool) -> u64 {
    // SAFETY: the thread makes or ends the task: nobody else writes the word.
    unsafe { task_word(task).read() }
}

/// The thread goes from one task to another.
#[inline(always)]
pub fn task_schedule(prior: &TaskTool, status: TaskStatus, next: Option<&TaskTool>) {
    tell!(asked TaskSchedule:
        task_word(prior) => Word, status as i32 => i32,
        next.map_or(core::ptr::null_mut(), task_word) => Word,);
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
            task_word(prior) => Word, status as i32 => i32, task_word(next) => Word,);
    }
}

/// The dependences of a task as the program wrote them.
#[inline(always)]
pub fn dependences(task: &TaskTool, dependences: &[Dependence]) {
    tell_or!(Dependences(
        task_word(task) => Word, dependences.as_ptr().cast() => Code,
        dependences.len() as i32 => i32,),
        Event::Dependences { task, dependences });
}

/// `sink` has to wait for `source`.
#[inline(always)]
pub fn task_dependence(source: &TaskTool, sink: &TaskTool) {
    tell_or!(TaskDependence(
        task_word(source) => Word, task_word(sink) => Word,),
        Event::TaskDependence { source, sink });
}

/// A synchronisation construct begins or ends, in a region that continues ([`closing`] otherwise).
#[inline(always)]
pub fn sync_region(
    kind: SyncKind,
    endpoint: Endpoint,
    region: &Identity,
    task: &TaskTool,
    codeptr: u64,
) {
    tell!(asked SyncRegion:
        kind as i32 => i32, endpoint as i32 => i32, word(region) => Word, task_word(task) => Word,
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
        kind as i32 => i32, endpoint as i32 => i32, word(region) => Word, task_word(task) => Word,
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
        kind as i32 => i32, endpoint as i32 => i32, word(region) => Word, task_word(task) => Word,
        codeptr as Code => Code,);
    true
}

/// The barrier that ends a region, or with `waits` the wait in it, begins or ends. `parts` returns
/// region, task and return address; it is called only if a tool wants the event.
#[inline(always)]
pub fn closing<'a>(
    waits: bool,
    kind: SyncKind,
    endpoint: Endpoint,
    parts: impl FnOnce() -> (&'a Identity, &'a TaskTool, u64),
) {
    let asked = if waits { asked!(SyncWait) } else { asked!(SyncRegion) };
    let Some(function) = asked else { return };
    let (region, task, codeptr) = parts();
    let far = calls::FAR[if waits { Kind::SyncWait } else { Kind::SyncRegion } as usize];
    if core::ptr::eq(function, far) {
        // The tool is shown something else than the region: the arguments of the long way would not
        // say which region it is.
        crate::subscribers::tell_all(move || match waits {
            true => Event::SyncWait { kind, endpoint, region, task, codeptr },
            false => Event::SyncRegion { kind, endpoint, region, task, codeptr },
        });
    } else {
        tell!(by function,
            kind as i32 => i32, endpoint as i32 => i32,
            shown_region(kind, endpoint, word(region)) => Word, task_word(task) => Word,
            codeptr as Code => Code,);
    }
}

/// `ompt_sync_region_reduction`.
const REDUCTION: i32 = 7;

/// The combining of a reduction begins or ends.
#[inline(always)]
pub fn reduction(endpoint: Endpoint, region: &Identity, task: &TaskTool, codeptr: u64) {
    tell!(Reduction:
        REDUCTION => i32, endpoint as i32 => i32, word(region) => Word, task_word(task) => Word,
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
        kind as i32 => i32, endpoint as i32 => i32, word(region) => Word, task_word(task) => Word,
        count => u64, codeptr as Code => Code,);
}

/// A `masked` region begins or ends.
#[inline(always)]
pub fn masked(endpoint: Endpoint, region: &Identity, task: &TaskTool, codeptr: u64) {
    tell!(Masked:
        endpoint as i32 => i32, word(region) => Word, task_word(task) => Word,
        codeptr as Code => Code,);
}

/// `ompt_dispatch_chunk_t`.
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
        word(region) => Word, task_word(task) => Word, kind as i32 => i32, instance => u64,);
}

/// About to acquire a mutex.
#[inline(always)]
pub fn mutex_acquire(kind: MutexKind, hint: u32, implementation: u32, wait_id: u64, codeptr: u64) {
    tell!(MutexAcquire:
        kind as i32 => i32, hint => u32, implementation => u32, wait_id => u64,
        codeptr as Code => Code,);
}

/// Acquired one.
#[inline(always)]
pub fn mutex_acquired(kind: MutexKind, wait_id: u64, codeptr: u64) {
    tell!(MutexAcquired:
        kind as i32 => i32, wait_id => u64, codeptr as Code => Code,);
}

/// Gave a mutex back.
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

/// The region's word as 5.0 and later show it with a synchronisation event: null when the barrier
/// that ends the region is left.
#[inline(always)]
pub fn shown_region<T>(kind: SyncKind, endpoint: Endpoint, word: *mut T) -> *mut T {
    let ends = matches!(kind, SyncKind::BarrierImplicitParallel | SyncKind::BarrierTeams);
    if ends && endpoint == Endpoint::End { core::ptr::null_mut() } else { word }
}

/// The region's word and the size of the team as 5.0 and later show them with an implicit or
/// initial task.
///
/// The text wants no region at the end. But the region of an initial task has no end event of its
/// own: there tools free what its word holds, as LLVM's runtime lets them. The text wants a size of
/// 0 at the end; tools that know LLVM's runtime get the size on the primary thread.
#[inline(always)]
pub fn shown_team<T>(
    endpoint: Endpoint,
    region: &Identity,
    slot: usize,
    parallelism: u32,
    index: u32,
    flags: u32,
) -> (*mut T, u32) {
    let word = region.word(slot).cast();
    let primary = flags & TaskFlags::IMPLICIT != 0 && index == 0;
    if endpoint != Endpoint::End {
        return (word, parallelism);
    }
    let initial = flags & TaskFlags::IMPLICIT == 0 && region.is_initial_region();
    let shown = if initial { word } else { core::ptr::null_mut() };
    (shown, if primary { parallelism } else { 0 })
}
