//! Loops over `unsigned long long`: `GOMP_loop_ull_*`.

use super::schedule::{Kind, bounds, unsigned};
use omphalos_engine::worksharing::{
    Chunk, LoopSpec, begin_loop, hooks, next_chunk, next_slowly, quick_chunk,
};
use omphalos_engine::{Call, Caller, Entered, Thread, Unwatched, WORK};
use omphalos_events::Kind as Told;

/// Hands the bounds of the chunk that was `found` to GCC's code; false when there is none.
///
/// # Safety
/// `istart` and `iend` must be valid for writes.
#[inline(always)]
unsafe fn give(
    found: Option<(Chunk, &'static LoopSpec)>,
    istart: *mut u64,
    iend: *mut u64,
) -> bool {
    let Some((chunk, spec)) = found else { return false };
    // SAFETY: the caller's promise.
    unsafe { (*istart, *iend) = bounds(spec, &chunk) };
    true
}

unsafe fn start(
    up: bool,
    range: (u64, u64, u64),
    (kind, chunk, ordered): (Kind, u64, bool),
    (istart, iend): (*mut u64, *mut u64),
    call: impl Call,
) -> bool {
    let thread = call.thread();
    begin_loop(thread, &unsigned(thread, up, range, kind, chunk, ordered), call);
    if call.wants(Told::Dispatch) {
        // SAFETY: the caller's promise.
        return unsafe { told_next(thread, istart, iend) };
    }
    // SAFETY: the caller's promise.
    unsafe { give(next_chunk(thread, call), istart, iend) }
}

macro_rules! start_with_chunk {
    ($($name:ident => $kind:expr, $ordered:expr;)*) => { $(
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $name<C: Call>(
            up: bool, first: u64, end: u64, incr: u64, chunk: u64, istart: *mut u64, iend: *mut u64,
        ) -> bool {
            let call = C::here();
            let how = ($kind, chunk, $ordered);
            // SAFETY: GCC's code passes two valid addresses.
            unsafe { start(up, (first, end, incr), how, (istart, iend), call) }
        }
    )* };
}

macro_rules! start_runtime {
    ($($name:ident => $kind:expr, $ordered:expr;)*) => { $(
        unsafe extern "C" fn $name<C: Call>(
            up: bool, first: u64, end: u64, incr: u64, istart: *mut u64, iend: *mut u64,
        ) -> bool {
            let call = C::here();
            let how = ($kind, 0, $ordered);
            // SAFETY: GCC's code passes two valid addresses.
            unsafe { start(up, (first, end, incr), how, (istart, iend), call) }
        }
    )* };
}

start_with_chunk! {
    start_static => Kind::Static, false;
    start_dynamic => Kind::Dynamic, false;
    start_nonmonotonic_dynamic => Kind::NonmonotonicDynamic, false;
    start_guided => Kind::Guided, false;
    start_ordered_static => Kind::Static, true;
    start_ordered_dynamic => Kind::Dynamic, true;
    start_ordered_guided => Kind::Guided, true;
}
start_runtime! {
    start_runtime => Kind::Runtime, false;
    start_any_runtime => Kind::AnyRuntime, false;
    start_ordered_runtime => Kind::Runtime, true;
}

// Never inlined: the quick way has no frame, and goes on here when nothing is at hand.
#[cold]
#[inline(never)]
unsafe extern "C" fn slow_next(istart: *mut u64, iend: *mut u64) -> bool {
    // SAFETY: GCC's code passes two valid addresses.
    unsafe { give(next_slowly(Thread::current()), istart, iend) }
}

/// Where a tool may hear of it.
unsafe extern "C" fn next(istart: *mut u64, iend: *mut u64, call: Entered) -> bool {
    // SAFETY: GCC's code passes two valid addresses.
    unsafe {
        match call.known() {
            Some(thread) => told_next(thread, istart, iend),
            None => slow_next(istart, iend),
        }
    }
}

/// The next chunk, and tools hear of it.
///
/// # Safety
/// `istart` and `iend` must be valid for writes.
#[inline(always)]
unsafe fn told_next(thread: &'static Thread, istart: *mut u64, iend: *mut u64) -> bool {
    let Some((chunk, spec)) = quick_chunk(thread) else {
        // SAFETY: the caller's promise.
        return unsafe { slow_next(istart, iend) };
    };
    let (first, behind) = bounds(spec, &chunk);
    // SAFETY: the caller's promise.
    unsafe {
        *istart = first;
        *iend = behind;
    }
    // Last, so that nothing is kept for afterwards.
    hooks::dispatch_from(thread, spec, first, chunk.count);
    true
}

/// For threads that have their record, while no tool hears of worksharing.
mod quick {
    use super::{Thread, give, quick_chunk};

    pub unsafe extern "C" fn next(
        istart: *mut u64,
        iend: *mut u64,
        thread: &'static Thread,
    ) -> bool {
        let found = quick_chunk(thread);
        if found.is_none() {
            // SAFETY: GCC's code passes two valid addresses.
            return unsafe { super::slow_next(istart, iend) };
        }
        // SAFETY: GCC's code passes two valid addresses.
        unsafe { give(found, istart, iend) }
    }
}

omphalos_sys::quick_noted_entries! {
    WORK;
    /// Begins `for schedule(static)` (GOMP_2.0).
    GOMP_loop_ull_static_start => start_static::<Unwatched>, start_static::<Caller>;
    /// Begins `for schedule(dynamic)` (GOMP_2.0).
    GOMP_loop_ull_dynamic_start => start_dynamic::<Unwatched>, start_dynamic::<Caller>;
    /// Begins `for schedule(guided)` (GOMP_2.0).
    GOMP_loop_ull_guided_start => start_guided::<Unwatched>, start_guided::<Caller>;
    /// Begins `for schedule(runtime)` (GOMP_2.0).
    GOMP_loop_ull_runtime_start => start_runtime::<Unwatched>, start_runtime::<Caller>;
    /// Begins `for schedule(nonmonotonic: dynamic)` (GOMP_4.5).
    GOMP_loop_ull_nonmonotonic_dynamic_start =>
        start_nonmonotonic_dynamic::<Unwatched>, start_nonmonotonic_dynamic::<Caller>;
    /// Begins `for schedule(nonmonotonic: guided)` (GOMP_4.5).
    GOMP_loop_ull_nonmonotonic_guided_start => start_guided::<Unwatched>, start_guided::<Caller>;
    /// Begins `for schedule(nonmonotonic: runtime)` (GOMP_5.0).
    GOMP_loop_ull_nonmonotonic_runtime_start =>
        start_any_runtime::<Unwatched>, start_any_runtime::<Caller>;
    /// Begins `for schedule(runtime)` without a modifier (GOMP_5.0).
    GOMP_loop_ull_maybe_nonmonotonic_runtime_start =>
        start_any_runtime::<Unwatched>, start_any_runtime::<Caller>;
    /// Begins `for ordered schedule(static)` (GOMP_2.0).
    GOMP_loop_ull_ordered_static_start =>
        start_ordered_static::<Unwatched>, start_ordered_static::<Caller>;
    /// Begins `for ordered schedule(dynamic)` (GOMP_2.0).
    GOMP_loop_ull_ordered_dynamic_start =>
        start_ordered_dynamic::<Unwatched>, start_ordered_dynamic::<Caller>;
    /// Begins `for ordered schedule(guided)` (GOMP_2.0).
    GOMP_loop_ull_ordered_guided_start =>
        start_ordered_guided::<Unwatched>, start_ordered_guided::<Caller>;
    /// Begins `for ordered schedule(runtime)` (GOMP_2.0).
    GOMP_loop_ull_ordered_runtime_start =>
        start_ordered_runtime::<Unwatched>, start_ordered_runtime::<Caller>;
}

omphalos_sys::class_entries! {
    WORK;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_static_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_dynamic_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_guided_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_runtime_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_4.5).
    GOMP_loop_ull_nonmonotonic_dynamic_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_4.5).
    GOMP_loop_ull_nonmonotonic_guided_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_5.0).
    GOMP_loop_ull_nonmonotonic_runtime_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_5.0).
    GOMP_loop_ull_maybe_nonmonotonic_runtime_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_ordered_static_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_ordered_dynamic_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_ordered_guided_next(istart, iend) => quick::next, next;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_ordered_runtime_next(istart, iend) => quick::next, next;
}
