//! The events of barriers: of those that the program calls, and of those that end a region or league.

use crate::thread::Thread;
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, Kind, SyncKind, tell, wants_any};
use omphalos_sys::entry::Caller;

const ALL: u64 = Kind::SyncRegion.bit() | Kind::SyncWait.bit();

/// A barrier that the program called begins: while it lasts, the task's enter frame is that call. Such a
/// one is always told with a wait, however short, also where the thread is alone: tools know that from
/// LLVM's runtime. A tool is attached, here and below.
#[inline(always)]
pub(super) fn begin(thread: &'static Thread, kind: SyncKind, caller: Caller) {
    let task = &thread.task().tool;
    task.frame.enter.store(caller.entry_cfa(), Ordering::Relaxed);
    if wants_any(ALL) {
        let region = &thread.team().identity;
        tell::sync_region(kind, Endpoint::Begin, region, task, caller.address());
        tell::sync_wait(kind, Endpoint::Begin, region, task, caller.address());
    }
}

/// It ends.
#[inline(always)]
pub(super) fn end(thread: &'static Thread, kind: SyncKind, caller: Caller) {
    let task = &thread.task().tool;
    if wants_any(ALL) {
        let region = &thread.team().identity;
        tell::sync_wait(kind, Endpoint::End, region, task, caller.address());
        tell::sync_region(kind, Endpoint::End, region, task, caller.address());
    }
    task.frame.enter.store(0, Ordering::Relaxed);
}

/// The implicit barrier that ends a region begins. `waits`: there may be waiting in it; alone and without
/// tasks nobody waits.
#[cold]
#[inline(never)]
pub(crate) fn closing_begin(thread: &'static Thread, waits: bool) {
    if wants_any(ALL) {
        tell_closing(thread, Endpoint::Begin, waits);
    }
}

/// It ends.
#[cold]
#[inline(never)]
pub(crate) fn closing_end(thread: &'static Thread, waits: bool) {
    if wants_any(ALL) {
        tell_closing(thread, Endpoint::End, waits);
    }
}

#[inline(always)]
fn tell_closing(thread: &'static Thread, endpoint: Endpoint, waits: bool) {
    let (team, task) = (thread.team(), &thread.task().tool);
    // Only the primary thread was called by the program: on the others the runtime called the region,
    // and there is no return address.
    let codeptr = if thread.num.get() == 0 { team.codeptr.get() } else { 0 };
    let (kind, region) = (SyncKind::BarrierImplicitParallel, &team.identity);
    if endpoint == Endpoint::Begin {
        tell::closing_region(kind, endpoint, region, task, codeptr);
    }
    if waits {
        tell::closing_wait(kind, endpoint, region, task, codeptr);
    }
    if endpoint == Endpoint::End {
        tell::closing_region(kind, endpoint, region, task, codeptr);
    }
}

/// The calling thread's initial task begins or ends the implicit barrier of its league; `waits`: as
/// [`closing_begin`].
#[cold]
pub(crate) fn league(thread: &'static Thread, endpoint: Endpoint, waits: bool, codeptr: u64) {
    let (kind, task) = (SyncKind::BarrierTeams, &thread.task().tool);
    let region = thread.team().shown_identity();
    if endpoint == Endpoint::Begin {
        tell::closing_region(kind, endpoint, region, task, codeptr);
    }
    if waits {
        tell::closing_wait(kind, endpoint, region, task, codeptr);
    }
    if endpoint == Endpoint::End {
        tell::closing_region(kind, endpoint, region, task, codeptr);
    }
}
