//! Regions combined with a loop or sections. The primary prepares the construct before the fork,
//! and each thread's outlined function begins by asking for its next chunk.

use super::parallel::{Outlined, region};
use super::schedule::signed;
use crate::shared::region::BY_PROGRAM;
use crate::shared::schedule::Kind;
use core::ffi::{c_uint, c_void};
use omphalos_engine::team;
use omphalos_engine::worksharing::{LoopSpec, Schedule};
use omphalos_engine::{Call, Caller, Thread, Unwatched, caller};
use omphalos_events::WorkKind;

/// Prepares a loop. It needs an entry among the team's constructs, and even a static loop is handed
/// out through that entry.
fn prepared(thread: &Thread, bounds: (i64, i64, i64), kind: Kind, chunk: i64) -> LoopSpec {
    signed(thread, bounds, kind, chunk, false)
}

/// Returns the sections of a combined construct, as a loop over their numbers from 1.
pub fn sections(count: c_uint) -> LoopSpec {
    LoopSpec {
        trip: u64::from(count),
        chunk: 1,
        schedule: Schedule::Dynamic,
        kind: WorkKind::Sections,
        start: 1,
        ..LoopSpec::NONE
    }
}

unsafe fn run(
    (body, data, threads, flags): (Outlined, *mut c_void, c_uint, c_uint),
    spec: &LoopSpec,
    call: impl Call,
) {
    // SAFETY: GCC's code passes a function that every thread of the team may call with `data`.
    unsafe {
        team::run(call.thread(), &region(body, data, threads, flags, call, Some(spec)));
    }
}

fn start((body, data, threads): (Outlined, *mut c_void, c_uint), spec: &LoopSpec, caller: Caller) {
    let mut region = region(body, data, threads, 0, caller, Some(spec));
    region.flags = BY_PROGRAM;
    team::begin(Thread::current(), &region);
}

/// The functions behind the entries of a schedule: one runs the whole region, the other only begins
/// it. In parentheses: the parameters that this schedule adds, and the chunk.
macro_rules! regions {
    ($($run:ident, $begin:ident => $kind:expr, ($($more:tt)*), $chunk:expr;)*) => { $(
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $run<C: Call>(
            body: Outlined, data: *mut c_void, threads: c_uint,
            first: i64, end: i64, incr: i64, $($more)* flags: c_uint,
        ) {
            let call = C::here();
            let spec = prepared(call.thread(), (first, end, incr), $kind, $chunk);
            // SAFETY: the caller's promise to libgomp's interface.
            unsafe { run((body, data, threads, flags), &spec, call) }
        }

        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $begin(
            body: Outlined, data: *mut c_void, threads: c_uint,
            first: i64, end: i64, incr: i64, $($more)*
        ) {
            let caller = caller();
            let spec = prepared(Thread::current(), (first, end, incr), $kind, $chunk);
            start((body, data, threads), &spec, caller);
        }
    )* };
}

regions! {
    run_static, start_static => Kind::Static, (chunk: i64,), chunk;
    run_dynamic, start_dynamic => Kind::Dynamic, (chunk: i64,), chunk;
    run_guided, start_guided => Kind::Guided, (chunk: i64,), chunk;
    run_runtime, start_runtime => Kind::Runtime, (), 0;
}

unsafe extern "C" fn run_sections<C: Call>(
    body: Outlined,
    data: *mut c_void,
    threads: c_uint,
    count: c_uint,
    flags: c_uint,
) {
    // SAFETY: the caller's promise to libgomp's interface.
    unsafe { run((body, data, threads, flags), &sections(count), C::here()) }
}

unsafe extern "C" fn start_sections(
    body: Outlined,
    data: *mut c_void,
    threads: c_uint,
    count: c_uint,
) {
    let caller = caller();
    start((body, data, threads), &sections(count), caller);
}

omphalos_sys::quick_noted_entries! {
    /// `parallel for schedule(static)` (GOMP_4.0).
    GOMP_parallel_loop_static => run_static::<Unwatched>, run_static::<Caller>;
    /// `parallel for schedule(dynamic)` (GOMP_4.0).
    GOMP_parallel_loop_dynamic => run_dynamic::<Unwatched>, run_dynamic::<Caller>;
    /// `parallel for schedule(guided)` (GOMP_4.0).
    GOMP_parallel_loop_guided => run_guided::<Unwatched>, run_guided::<Caller>;
    /// `parallel for schedule(runtime)` (GOMP_4.0).
    GOMP_parallel_loop_runtime => run_runtime::<Unwatched>, run_runtime::<Caller>;
    /// `parallel for schedule(nonmonotonic: dynamic)` (GOMP_4.5).
    GOMP_parallel_loop_nonmonotonic_dynamic =>
        run_dynamic::<Unwatched>, run_dynamic::<Caller>;
    /// `parallel for schedule(nonmonotonic: guided)` (GOMP_4.5).
    GOMP_parallel_loop_nonmonotonic_guided => run_guided::<Unwatched>, run_guided::<Caller>;
    /// `parallel for schedule(nonmonotonic: runtime)` (GOMP_5.0).
    GOMP_parallel_loop_nonmonotonic_runtime =>
        run_runtime::<Unwatched>, run_runtime::<Caller>;
    /// `parallel for schedule(runtime)` without a modifier (GOMP_5.0).
    GOMP_parallel_loop_maybe_nonmonotonic_runtime =>
        run_runtime::<Unwatched>, run_runtime::<Caller>;
    /// `parallel sections` (GOMP_4.0).
    GOMP_parallel_sections => run_sections::<Unwatched>, run_sections::<Caller>;
}

omphalos_sys::entries! {
    /// As `GOMP_parallel_loop_static`, the caller runs its share (GOMP_1.0).
    GOMP_parallel_loop_static_start => start_static;
    /// As `GOMP_parallel_loop_dynamic`, the caller runs its share (GOMP_1.0).
    GOMP_parallel_loop_dynamic_start => start_dynamic;
    /// As `GOMP_parallel_loop_guided`, the caller runs its share (GOMP_1.0).
    GOMP_parallel_loop_guided_start => start_guided;
    /// As `GOMP_parallel_loop_runtime`, the caller runs its share (GOMP_1.0).
    GOMP_parallel_loop_runtime_start => start_runtime;
    /// As `GOMP_parallel_sections`, the caller runs its share (GOMP_1.0).
    GOMP_parallel_sections_start => start_sections;
}
