//! Tells tools of barriers: those that the program calls, and those that end a region or a league.
//! Callers call these functions only while a tool is attached.

use crate::records::Thread;
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, Identity, SyncKind, TaskTool, tell_tools};
use omphalos_sys::entry::Caller;

/// Tells that a barrier that the program called begins. While the barrier lasts, the task's enter
/// frame is that call. The barrier's wait is always told, even if it is short or the thread is
/// alone: LLVM's runtime does so, and tools rely on it.
#[inline(always)]
pub(super) fn begin(thread: &'static Thread, kind: SyncKind, caller: Caller) {
    let task = &thread.task().tool;
    task.frame.enter.store(caller.entry_border(), Ordering::Relaxed);
    let parts = || Some((&thread.team().identity, task, caller.address()));
    tell_tools::sync_of(false, kind, Endpoint::Begin, parts);
    tell_tools::sync_of(true, kind, Endpoint::Begin, parts);
}

/// Tells that a barrier that the program called ends.
#[inline(always)]
pub(super) fn end(thread: &'static Thread, kind: SyncKind, caller: Caller) {
    let task = &thread.task().tool;
    let parts = || (&thread.team().identity, task, caller.address());
    if kind == SyncKind::BarrierImplicitParallel {
        // GCC's code says that this barrier ends a region.
        tell_closed(kind, Endpoint::End, true, parts);
    } else {
        tell_tools::sync_of(true, kind, Endpoint::End, || Some(parts()));
        tell_tools::sync_of(false, kind, Endpoint::End, || Some(parts()));
    }
    task.frame.enter.store(0, Ordering::Relaxed);
}

/// Tells that the implicit barrier that ends a region begins. `waits`: tools are told of a wait in
/// it. A thread that is alone and has no tasks does not wait.
#[cold]
#[inline(never)]
pub(crate) fn closing_begin(thread: &'static Thread, waits: bool) {
    tell_closing(thread, Endpoint::Begin, waits);
}

/// Tells that the implicit barrier that ends a region ends.
#[cold]
#[inline(never)]
pub(crate) fn closing_end(thread: &'static Thread, waits: bool) {
    tell_closing(thread, Endpoint::End, waits);
}

#[inline(always)]
fn tell_closing(thread: &'static Thread, endpoint: Endpoint, waits: bool) {
    let parts = || {
        let (team, task) = (thread.team(), &thread.task().tool);
        // Only the primary thread came by a call of the program. On the others the runtime called
        // the region, so there is no return address.
        let codeptr = if thread.num.get() == 0 { team.codeptr.get() } else { 0 };
        (&team.identity, task, codeptr)
    };
    tell_closed(SyncKind::BarrierImplicitParallel, endpoint, waits, parts);
}

/// Tells of a barrier that ends a region or a league, and of the wait inside it.
#[inline(always)]
fn tell_closed<'a>(
    kind: SyncKind,
    endpoint: Endpoint,
    waits: bool,
    parts: impl Fn() -> (&'a Identity, &'a TaskTool, u64),
) {
    if endpoint == Endpoint::Begin {
        tell_tools::closing(false, kind, endpoint, &parts);
    }
    if waits {
        tell_tools::closing(true, kind, endpoint, &parts);
    }
    if endpoint == Endpoint::End {
        tell_tools::closing(false, kind, endpoint, &parts);
    }
}

/// Tells that the calling thread's initial task begins or ends the implicit barrier of its league.
/// `waits`: as in [`closing_begin`].
#[cold]
pub(crate) fn league(thread: &'static Thread, endpoint: Endpoint, waits: bool, codeptr: u64) {
    let parts = || (thread.team().shown_identity(), &thread.task().tool, codeptr);
    tell_closed(SyncKind::BarrierTeams, endpoint, waits, parts);
}
