//! The events of worksharing constructs.

use super::{Chunk, LoopSpec, static_share};
use crate::thread::Thread;
use omphalos_events::{DispatchKind, Endpoint, Kind, WorkKind, tell, wants, wants_any};
use omphalos_sys::entry::Caller;

/// A worksharing construct begins or ends on the calling thread.
#[inline(always)]
pub fn work(thread: &'static Thread, spec: &LoopSpec, endpoint: Endpoint, caller: Caller) {
    if wants_any(Kind::Work.bit() | Kind::Dispatch.bit()) {
        thread.slot().share.called.set(caller.address());
        work_event(thread, spec.kind, endpoint, spec.trip, caller);
    }
}

/// As [`work`], for constructs without a loop.
#[cold]
#[inline(never)]
pub fn work_event(
    thread: &'static Thread,
    kind: WorkKind,
    endpoint: Endpoint,
    count: u64,
    caller: Caller,
) {
    tell_work(thread, kind, endpoint, count, caller);
}

/// As [`work_event`], inlined: for entries that know their event.
#[inline(always)]
pub fn tell_work(
    thread: &'static Thread,
    kind: WorkKind,
    endpoint: Endpoint,
    count: u64,
    caller: Caller,
) {
    // A worksharing construct is in no explicit task, so in no task of a free agent.
    let (region, task) = (&thread.team().identity, &thread.task().tool);
    tell::work(kind, endpoint, region, task, count, caller.address());
}

/// A taskloop begins or ends: `count` iterations.
pub fn taskloop(thread: &'static Thread, endpoint: Endpoint, count: u64, caller: Caller) {
    let (region, task) = (&thread.team().counted().identity, &thread.task().tool);
    tell::work(WorkKind::Taskloop, endpoint, region, task, count, caller.address());
}

/// The calling thread got a chunk.
#[inline(always)]
pub fn dispatch_chunk(thread: &'static Thread, spec: &LoopSpec, chunk: &Chunk) {
    if wants(Kind::Dispatch) {
        chunk_event(thread, spec, chunk);
    }
}

#[cold]
#[inline(never)]
fn chunk_event(thread: &'static Thread, spec: &LoopSpec, chunk: &Chunk) {
    let first = spec.value(chunk.first);
    match spec.kind {
        // A section is named by the address of its code; what is known here is the construct's.
        WorkKind::Sections => {
            let construct = thread.slot().share.called.get();
            (0..chunk.count).for_each(|_| share_event(thread, DispatchKind::Section, construct, 1));
        }
        WorkKind::Distribute => {
            share_event(thread, DispatchKind::DistributeChunk, first, chunk.count);
        }
        _ => share_event(thread, DispatchKind::LoopChunk, first, chunk.count),
    }
}

/// The calling thread's task begins a share of a construct's work.
#[cold]
pub(crate) fn share_event(thread: &Thread, kind: DispatchKind, first: u64, count: u64) {
    let (region, task) = (&thread.team().counted().identity, &thread.task().tool);
    tell::share(kind, region, task, first, count);
}

/// The chunks of member `num` of `size` in a static loop whose chunks the program walks itself: it
/// asks once, so tools hear of all of them before the first.
#[inline(always)]
pub fn dispatch_static(thread: &'static Thread, spec: &LoopSpec, size: u32, num: u32) {
    if wants(Kind::Dispatch) {
        let mut rounds = (0..).map_while(|round| static_share(spec, size, num, round));
        rounds.by_ref().for_each(|chunk| chunk_event(thread, spec, &chunk));
    }
}

/// A construct that is combined with its region was called from where the region was.
pub(super) fn of_region(thread: &Thread) -> Caller {
    Caller::noted(&thread.team().codeptr)
}
