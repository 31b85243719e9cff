//! Loops over `unsigned long long`: `GOMP_loop_ull_*`.

use super::{Kind, next, quick, start, starts};
use omphalos_engine::{Call, Caller, Unwatched, WORK};

starts!(u64, (up: bool,), up);

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
        start_dynamic::<Unwatched>, start_dynamic::<Caller>;
    /// Begins `for schedule(nonmonotonic: guided)` (GOMP_4.5).
    GOMP_loop_ull_nonmonotonic_guided_start => start_guided::<Unwatched>, start_guided::<Caller>;
    /// Begins `for schedule(nonmonotonic: runtime)` (GOMP_5.0).
    GOMP_loop_ull_nonmonotonic_runtime_start =>
        start_runtime::<Unwatched>, start_runtime::<Caller>;
    /// Begins `for schedule(runtime)` without a modifier (GOMP_5.0).
    GOMP_loop_ull_maybe_nonmonotonic_runtime_start =>
        start_runtime::<Unwatched>, start_runtime::<Caller>;
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
    GOMP_loop_ull_static_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_dynamic_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_guided_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_runtime_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_4.5).
    GOMP_loop_ull_nonmonotonic_dynamic_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_4.5).
    GOMP_loop_ull_nonmonotonic_guided_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_5.0).
    GOMP_loop_ull_nonmonotonic_runtime_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_5.0).
    GOMP_loop_ull_maybe_nonmonotonic_runtime_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_ordered_static_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_ordered_dynamic_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_ordered_guided_next(istart, iend) => quick::next::<u64>, next::<u64>;
    /// The next chunk (GOMP_2.0).
    GOMP_loop_ull_ordered_runtime_next(istart, iend) => quick::next::<u64>, next::<u64>;
}
