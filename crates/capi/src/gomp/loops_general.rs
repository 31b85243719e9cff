//! The general starts of OpenMP 5.0: any schedule, task reductions, shared memory of the construct.
//!
//! `memory` points to a word that holds a size and gets the address of that many zeroed bytes which
//! all members share (`lastprivate(conditional:)`, `scan`).

use super::parallel_loops::sections;
use super::schedule::{Kind, bounds, signed, unsigned};
use core::ffi::{c_uint, c_void};
use omphalos_engine::worksharing::{LoopSpec, begin_with_memory, next_chunk};
use omphalos_engine::{Caller, Thread, caller};

/// GCC's schedule number (`enum gomp_schedule_type`); bit 31 demands ascending order.
pub(super) fn kind_of(schedule: i64) -> Kind {
    let monotonic = schedule & 1 << 31 != 0;
    match (schedule & 0x7fff_ffff, monotonic) {
        (0, true) => Kind::Runtime,
        // 4: runtime, explicitly nonmonotonic.
        (0, false) | (4, _) => Kind::AnyRuntime,
        (2, true) => Kind::Dynamic,
        (2, false) => Kind::NonmonotonicDynamic,
        (3, _) => Kind::Guided,
        _ => Kind::Static,
    }
}

/// # Safety
/// `memory` is null or valid for a read and a write.
unsafe fn begin(
    thread: &'static Thread,
    spec: &LoopSpec,
    memory: *mut *mut c_void,
    caller: Caller,
) {
    // SAFETY: the caller's promise.
    match unsafe { memory.as_mut() } {
        Some(memory) => {
            let size = (*memory).addr().max(1);
            *memory = begin_with_memory(thread, spec, size, caller).cast();
        }
        None => {
            begin_with_memory(thread, spec, 0, caller);
        }
    }
}

/// Begins the taskgroup of `reduction(task, ...)`, if the construct has one.
pub(super) fn begin_reductions(reductions: *mut usize) {
    if !reductions.is_null() {
        // SAFETY: GCC's code passes a table and unregisters it at the end of the construct.
        unsafe { omphalos_engine::tasks::gomp_begin_workshare(Thread::current(), reductions) };
    }
}

macro_rules! long_start {
    ($($name:ident => $ordered:expr;)*) => { $(
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $name(
            first: i64, end: i64, incr: i64, schedule: i64, chunk: i64,
            istart: *mut i64, iend: *mut i64, reductions: *mut usize, memory: *mut *mut c_void,
        ) -> bool {
            let caller = caller();
            let thread = Thread::current();
            let range = (first, end, incr);
            let spec = signed(thread, range, kind_of(schedule), chunk, $ordered);
            // SAFETY: GCC's code passes valid addresses or null.
            unsafe {
                begin_reductions(reductions);
                begin(thread, &spec, memory, caller);
                if istart.is_null() {
                    return true;
                }
                let Some((chunk, spec)) = next_chunk(thread, caller) else { return false };
                let (first, behind) = bounds(spec, &chunk);
                (*istart, *iend) = (first as i64, behind as i64);
            }
            true
        }
    )* };
}

macro_rules! ull_start {
    ($($name:ident => $ordered:expr;)*) => { $(
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $name(
            up: bool, first: u64, end: u64, incr: u64, schedule: i64, chunk: u64,
            istart: *mut u64, iend: *mut u64, reductions: *mut usize, memory: *mut *mut c_void,
        ) -> bool {
            let caller = caller();
            let thread = Thread::current();
            let range = (first, end, incr);
            let spec = unsigned(thread, up, range, kind_of(schedule), chunk, $ordered);
            // SAFETY: GCC's code passes valid addresses or null.
            unsafe {
                begin_reductions(reductions);
                begin(thread, &spec, memory, caller);
                if istart.is_null() {
                    return true;
                }
                let Some((chunk, spec)) = next_chunk(thread, caller) else { return false };
                (*istart, *iend) = bounds(spec, &chunk);
            }
            true
        }
    )* };
}

long_start! {
    start => false;
    start_ordered => true;
}
ull_start! {
    start_ull => false;
    start_ull_ordered => true;
}

unsafe extern "C" fn sections2(
    count: c_uint,
    reductions: *mut usize,
    memory: *mut *mut c_void,
    caller: Caller,
) -> c_uint {
    let thread = Thread::current();
    // SAFETY: GCC's code passes valid addresses or null.
    unsafe {
        begin_reductions(reductions);
        begin(thread, &sections(count), memory, caller);
    }
    next_chunk(thread, caller).map_or(0, |(chunk, spec)| spec.value(chunk.first) as c_uint)
}

omphalos_sys::told_entries! {
    /// Begins `sections` (GOMP_5.0).
    GOMP_sections2_start(count, reductions, memory) => sections2;
}

omphalos_sys::entries! {
    /// Begins a loop of any schedule (GOMP_5.0).
    GOMP_loop_start => start;
    /// Begins an ordered loop of any schedule (GOMP_5.0).
    GOMP_loop_ordered_start => start_ordered;
    /// Begins a loop of any schedule (GOMP_5.0).
    GOMP_loop_ull_start => start_ull;
    /// Begins an ordered loop of any schedule (GOMP_5.0).
    GOMP_loop_ull_ordered_start => start_ull_ordered;
}
