//! The events of worksharing constructs.

use super::{Chunk, LoopSpec};
use crate::thread::Thread;
use omphalos_events::{DispatchKind, Endpoint, Event, Kind, WorkKind, dispatch, wants};
use omphalos_sys::entry::Caller;

/// A worksharing construct begins or ends on the calling thread.
#[inline(always)]
pub fn work(thread: &'static Thread, spec: &LoopSpec, endpoint: Endpoint, caller: Caller) {
    if wants(Kind::Work) {
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
    if wants(Kind::Work) {
        dispatch(&Event::Work {
            kind,
            endpoint,
            region: &thread.team().identity,
            task: &thread.task().tool,
            count,
            codeptr: caller.address,
        });
    }
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
    let (kind, first) = match spec.kind {
        // A section is named by the address of its code; what is known here is the construct's.
        WorkKind::Sections => (DispatchKind::Section, thread.team().codeptr.get()),
        WorkKind::Distribute => (DispatchKind::DistributeChunk, spec.value(chunk.first)),
        _ => (DispatchKind::LoopChunk, spec.value(chunk.first)),
    };
    dispatch(&Event::Dispatch {
        kind,
        region: &thread.team().identity,
        task: &thread.task().tool,
        first,
        count: chunk.count,
    });
}

/// A construct that is combined with its region was called from where the region was.
pub(super) fn of_region(thread: &Thread) -> Caller {
    Caller { address: thread.team().codeptr.get(), ..Caller::NONE }
}
