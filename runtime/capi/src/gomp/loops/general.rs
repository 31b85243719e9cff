//! The functions that begin a loop or `sections` with all that OpenMP 5.0 has: any schedule, task
//! reductions, shared memory of the construct.
//!
//! Who calls: GCC's code, for constructs that the shorter names of `long.rs` and `ull.rs` cannot
//! express. What must hold: `memory` is null, or points to a word that holds a size. That word gets
//! the address of as many zeroed bytes, which all members share until the construct's end
//! (`lastprivate(conditional:)`, `scan`).

use super::{Index, Kind, give};
use crate::gomp::parallel_loops::sections;
use core::ffi::{c_uint, c_void};
use omphalos_engine::worksharing::{LoopSpec, begin_with_memory, next_chunk};
use omphalos_engine::{Caller, Thread, caller};

/// Returns the schedule of GCC's number (`enum gomp_schedule_type`). Bit 31 demands that a thread's
/// chunks come in rising order, as they always do here.
pub(in crate::gomp) fn kind_of(schedule: i64) -> Kind {
    match schedule & 0x7fff_ffff {
        // 4: runtime, explicitly nonmonotonic.
        0 | 4 => Kind::Runtime,
        2 => Kind::Dynamic,
        3 => Kind::Guided,
        _ => Kind::Static,
    }
}

/// Begins a loop, with the shared memory that `memory` asks for.
///
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

/// Begins the taskgroup of a construct with `reduction(task, ...)`; does nothing for others.
pub(in crate::gomp) fn begin_reductions(reductions: *mut usize) {
    if !reductions.is_null() {
        // SAFETY: GCC's code passes a table and unregisters it at the end of the construct.
        unsafe { omphalos_engine::tasks::gomp_begin_workshare(Thread::current(), reductions) };
    }
}

/// Begins a loop. If GCC's code passes addresses for it, also hands out the first chunk.
///
/// # Safety
/// `into` and `memory` must be valid or null.
unsafe fn start<T: Index>(
    up: bool,
    range: (T, T, T),
    (schedule, chunk, ordered): (i64, T, bool),
    into: (*mut T, *mut T),
    (reductions, memory): (*mut usize, *mut *mut c_void),
    caller: Caller,
) -> bool {
    let thread = Thread::current();
    let spec = T::spec(thread, up, range, (kind_of(schedule), chunk, ordered));
    begin_reductions(reductions);
    // SAFETY: the caller's promise.
    unsafe {
        begin(thread, &spec, memory, caller);
        into.0.is_null() || give(next_chunk(thread, caller), into)
    }
}

macro_rules! starts {
    ($($name:ident, $type:ty, $front:tt, $up:expr, $ordered:expr;)*) => { $(
        starts! { @one $name, $type, $front, $up, $ordered }
    )* };
    (@one $name:ident, $type:ty, ($($front:tt)*), $up:expr, $ordered:expr) => {
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $name(
            $($front)* first: $type, end: $type, incr: $type, schedule: i64, chunk: $type,
            istart: *mut $type, iend: *mut $type, reductions: *mut usize, memory: *mut *mut c_void,
        ) -> bool {
            let caller = caller();
            let (range, how) = ((first, end, incr), (schedule, chunk, $ordered));
            // SAFETY: GCC's code passes valid addresses or null.
            unsafe { start($up, range, how, (istart, iend), (reductions, memory), caller) }
        }
    };
}

starts! {
    start_long, i64, (), true, false;
    start_long_ordered, i64, (), true, true;
    start_ull, u64, (up: bool,), up, false;
    start_ull_ordered, u64, (up: bool,), up, true;
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
    GOMP_loop_start => start_long;
    /// Begins an ordered loop of any schedule (GOMP_5.0).
    GOMP_loop_ordered_start => start_long_ordered;
    /// Begins a loop of any schedule (GOMP_5.0).
    GOMP_loop_ull_start => start_ull;
    /// Begins an ordered loop of any schedule (GOMP_5.0).
    GOMP_loop_ull_ordered_start => start_ull_ordered;
}
