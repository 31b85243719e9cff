//! `GOMP_sections_*`: sections are a dynamic loop over their numbers from 1; 0 says "no more".

use super::parallel_loops::sections;
use core::ffi::c_uint;
use omphalos_engine::worksharing::{begin_loop, end_loop, next_chunk, next_slowly, quick_chunk};
use omphalos_engine::{Caller, Thread, barrier};
use omphalos_events::SyncKind;

fn next_number(thread: &'static Thread) -> c_uint {
    next_chunk(thread).map_or(0, |(chunk, spec)| spec.value(chunk.first) as c_uint)
}

unsafe extern "C" fn start(count: c_uint, caller: Caller) -> c_uint {
    let thread = Thread::current();
    begin_loop(thread, &sections(count), caller);
    next_number(thread)
}

unsafe extern "C" fn next() -> c_uint {
    next_number(Thread::current())
}

/// For threads that have their record, while no tool is attached.
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

unsafe extern "C" fn end(caller: Caller) {
    let thread = Thread::current();
    end_loop(thread, caller);
    barrier::barrier(thread, SyncKind::BarrierImplicitWorkshare, caller);
}

unsafe extern "C" fn end_nowait(caller: Caller) {
    end_loop(Thread::current(), caller);
}

omphalos_sys::told_entries! {
    /// Begins `sections`; the number of the first section to execute (GOMP_1.0).
    GOMP_sections_start(count) => start;
    /// Ends `sections` with its barrier (GOMP_1.0).
    GOMP_sections_end() => end;
    /// Ends `sections` without a barrier (GOMP_1.0).
    GOMP_sections_end_nowait() => end_nowait;
}

omphalos_sys::quick_noted_entries! {
    /// The number of the next section to execute (GOMP_1.0).
    GOMP_sections_next => quick_next, next;
}
