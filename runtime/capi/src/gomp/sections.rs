//! `GOMP_sections_*`: sections are a dynamic loop over their numbers from 1; 0 means that none is
//! left.

use super::parallel_loops::sections;
use core::ffi::c_uint;
use omphalos_engine::worksharing::{begin_loop, end_loop, next_chunk, next_slowly, quick_chunk};
use omphalos_engine::{Call, Caller, Entered, Placed, Thread, Unwatched, WORK, barrier};
use omphalos_events::SyncKind;

fn next_number(thread: &'static Thread, call: impl Call) -> c_uint {
    next_chunk(thread, call).map_or(0, |(chunk, spec)| spec.value(chunk.first) as c_uint)
}

unsafe extern "C" fn start<C: Call>(count: c_uint, call: C) -> c_uint {
    let thread = call.thread();
    begin_loop(thread, &sections(count), call);
    next_number(thread, call)
}

unsafe extern "C" fn next() -> c_uint {
    next_number(Thread::current(), Caller::NONE)
}

/// For threads that have their record, while no tool wants events of worksharing.
unsafe extern "C" fn quick_next() -> c_uint {
    match Thread::known().and_then(quick_chunk) {
        Some((chunk, spec)) => spec.value(chunk.first) as c_uint,
        None => slow_next(),
    }
}

#[cold]
#[inline(never)]
fn slow_next() -> c_uint {
    next_slowly(Thread::current()).map_or(0, |(chunk, spec)| spec.value(chunk.first) as c_uint)
}

unsafe extern "C" fn end<C: Call>(call: C) {
    let thread = call.thread();
    end_loop(thread, call);
    barrier::barrier(thread, SyncKind::BarrierImplicitWorkshare, call);
}

unsafe extern "C" fn end_nowait<C: Call>(call: C) {
    end_loop(call.thread(), call);
}

omphalos_sys::placed_entries! {
    /// Ends `sections` with its barrier (GOMP_1.0).
    GOMP_sections_end() => end::<Placed>, end::<Caller>;
}

omphalos_sys::class_entries! {
    WORK;
    /// Begins `sections`; the number of the first section to execute (GOMP_1.0).
    GOMP_sections_start(count) => start::<Unwatched>, start::<Entered>;
    /// Ends `sections` without a barrier (GOMP_1.0).
    GOMP_sections_end_nowait() => end_nowait::<Unwatched>, end_nowait::<Entered>;
}

omphalos_sys::quick_noted_entries! {
    WORK;
    /// The number of the next section to execute (GOMP_1.0).
    GOMP_sections_next => quick_next, next;
}
