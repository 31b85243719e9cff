//! Tells tools of worksharing constructs.

use super::{Chunk, single_is_over, static_share};
use crate::records::{LoopSpec, Thread};
use omphalos_events::{DispatchKind, Endpoint, Kind, WorkKind, tell_tools, wants, wants_any};
use omphalos_sys::entry::Caller;

/// Tells that a worksharing construct begins or ends on the calling thread.
#[inline(always)]
pub fn work(thread: &'static Thread, spec: &LoopSpec, endpoint: Endpoint, caller: Caller) {
    if wants_any(Kind::Work.bit() | Kind::Dispatch.bit()) {
        if endpoint == Endpoint::Begin {
            single_is_over(thread);
        }
        let slot = thread.as_owner().slot();
        slot.share.called.set(slot, caller.address());
        work_event(thread, spec.kind, endpoint, spec.trip, caller);
    }
}

/// Does what [`work`] does, for constructs without a loop.
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

/// Does what [`work_event`] does, inlined, for entries that know their event when they are
/// compiled.
#[inline(always)]
pub fn tell_work(
    thread: &'static Thread,
    kind: WorkKind,
    endpoint: Endpoint,
    count: u64,
    caller: Caller,
) {
    // A worksharing construct is in no explicit task, so the thread's team is not that of a free
    // agent.
    let (region, task) = (&thread.team().identity, &thread.task().tool);
    tell_tools::work(kind, endpoint, region, task, count, caller.address());
}

/// Tells that a taskloop of `count` iterations begins or ends.
pub fn taskloop(thread: &'static Thread, endpoint: Endpoint, count: u64, caller: Caller) {
    let (region, task) = (&thread.team().counted().identity, &thread.task().tool);
    tell_tools::work(WorkKind::Taskloop, endpoint, region, task, count, caller.address());
}

/// Tells that the calling thread got a chunk.
#[inline(always)]
pub fn dispatch_chunk(thread: &'static Thread, spec: &LoopSpec, chunk: &Chunk) {
    dispatch_from(thread, spec, spec.value(chunk.first), chunk.count);
}

/// Does what [`dispatch_chunk`] does, where the first value is at hand.
#[inline(always)]
pub fn dispatch_from(thread: &'static Thread, spec: &LoopSpec, first: u64, count: u64) {
    // All kinds of loops come last in the enumeration, so that this takes one comparison.
    if (spec.kind as i32) < WorkKind::LoopStatic as i32 {
        rarer_chunk(thread, spec.kind, first, count);
    } else {
        let (region, task) = (&thread.team().identity, &thread.task().tool);
        tell_tools::share(DispatchKind::LoopChunk, region, task, first, count);
    }
}

/// Tells of a chunk of a construct that is no worksharing loop.
#[cold]
#[inline(never)]
fn rarer_chunk(thread: &'static Thread, kind: WorkKind, first: u64, count: u64) {
    let (region, task) = (&thread.team().identity, &thread.task().tool);
    if kind == WorkKind::Sections {
        // A tool names a section by the address of its code. The runtime knows only the construct's
        // address.
        let construct = thread.slot().share.called.get();
        (0..count)
            .for_each(|_| tell_tools::share(DispatchKind::Section, region, task, construct, 1));
    } else {
        tell_tools::share(DispatchKind::DistributeChunk, region, task, first, count);
    }
}

/// Tells that a task of a taskloop begins its share of the iterations.
#[inline(always)]
pub(crate) fn taskloop_share(thread: &Thread, first: u64, count: u64) {
    let kind = DispatchKind::TaskloopChunk;
    let (region, task) = (&thread.team().counted().identity, &thread.task().tool);
    tell_tools::share(kind, region, task, first, count);
}

/// Tells of all chunks of member `num` of `size` in a static loop whose chunks the program's code
/// works out by itself. The first of them is `share`. The program calls once, so tools are told of
/// all chunks before the first one begins.
#[inline(always)]
pub fn dispatch_static(
    thread: &'static Thread,
    spec: &LoopSpec,
    (size, num): (u32, u32),
    share: &Chunk,
) {
    if wants(Kind::Dispatch) {
        dispatch_chunk(thread, spec, share);
        if spec.chunk != 0 && spec.trip > spec.chunk.saturating_mul(u64::from(size)) {
            further_chunks(thread, spec, size, num);
        }
    }
}

#[cold]
#[inline(never)]
fn further_chunks(thread: &'static Thread, spec: &LoopSpec, size: u32, num: u32) {
    let rounds = (1..).map_while(|round| static_share(spec, size, num, round));
    rounds.for_each(|chunk| dispatch_chunk(thread, spec, &chunk));
}

/// Returns the call of a construct that is combined with its region: it is the region's call.
pub(super) fn of_region(thread: &Thread) -> Caller {
    thread.team().caller()
}
