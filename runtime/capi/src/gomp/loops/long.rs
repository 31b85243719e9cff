//! Loops over `long`: `GOMP_loop_*` (GOMP_1.0; `nonmonotonic` since GOMP_4.5).

use super::{Kind, entries, next, quick, start, starts};
use omphalos_engine::{CHUNKS, Call, Caller, Unwatched, WORK};

starts!(i64, (), true);

entries! {
    i64;
    "schedule(static)": GOMP_loop_static_start, GOMP_loop_static_next => start_static;
    "schedule(dynamic)": GOMP_loop_dynamic_start, GOMP_loop_dynamic_next => start_dynamic;
    "schedule(guided)": GOMP_loop_guided_start, GOMP_loop_guided_next => start_guided;
    "schedule(runtime)": GOMP_loop_runtime_start, GOMP_loop_runtime_next => start_runtime;
    "schedule(nonmonotonic: dynamic)":
        GOMP_loop_nonmonotonic_dynamic_start, GOMP_loop_nonmonotonic_dynamic_next => start_dynamic;
    "schedule(nonmonotonic: guided)":
        GOMP_loop_nonmonotonic_guided_start, GOMP_loop_nonmonotonic_guided_next => start_guided;
    "schedule(nonmonotonic: runtime)":
        GOMP_loop_nonmonotonic_runtime_start, GOMP_loop_nonmonotonic_runtime_next => start_runtime;
    "schedule(runtime), which may be nonmonotonic":
        GOMP_loop_maybe_nonmonotonic_runtime_start, GOMP_loop_maybe_nonmonotonic_runtime_next
            => start_runtime;
    "ordered schedule(static)":
        GOMP_loop_ordered_static_start, GOMP_loop_ordered_static_next => start_ordered_static;
    "ordered schedule(dynamic)":
        GOMP_loop_ordered_dynamic_start, GOMP_loop_ordered_dynamic_next => start_ordered_dynamic;
    "ordered schedule(guided)":
        GOMP_loop_ordered_guided_start, GOMP_loop_ordered_guided_next => start_ordered_guided;
    "ordered schedule(runtime)":
        GOMP_loop_ordered_runtime_start, GOMP_loop_ordered_runtime_next => start_ordered_runtime;
}
