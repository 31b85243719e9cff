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

/// A prepared loop needs an entry among the team's constructs, so even a static one is handed out
/// through it.
fn prepared(thread: &Thread, bounds: (i64, i64, i64), kind: Kind, chunk: i64) -> LoopSpec {
    signed(thread, bounds, kind, chunk, false)
}

/// The sections of a combined construct, as a loop over their numbers from 1.
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

macro_rules! run_with_chunk {
    ($($run:ident => $kind:expr;)*) => { $(
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $run<C: Call>(
            body: Outlined, data: *mut c_void, threads: c_uint,
            first: i64, end: i64, incr: i64, chunk: i64, flags: c_uint,
        ) {
            let call = C::here();
            let spec = prepared(call.thread(), (first, end, incr), $kind, chunk);
            // SAFETY: the caller's promise to libgomp's interface.
            unsafe { run((body, data, threads, flags), &spec, call) }
        }
    )* };
}

macro_rules! run_runtime {
    ($($run:ident => $kind:expr;)*) => { $(
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $run<C: Call>(
            body: Outlined, data: *mut c_void, threads: c_uint,
            first: i64, end: i64, incr: i64, flags: c_uint,
        ) {
            let call = C::here();
            let spec = prepared(call.thread(), (first, end, incr), $kind, 0);
            // SAFETY: the caller's promise to libgomp's interface.
            unsafe { run((body, data, threads, flags), &spec, call) }
        }
    )* };
}

macro_rules! start_with_chunk {
    ($($start:ident => $kind:expr;)*) => { $(
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $start(
            body: Outlined, data: *mut c_void, threads: c_uint,
            first: i64, end: i64, incr: i64, chunk: i64,
        ) {
            let caller = caller();
            let spec = prepared(Thread::current(), (first, end, incr), $kind, chunk);
            start((body, data, threads), &spec, caller);
        }
    )* };
}

run_with_chunk! {
    run_static => Kind::Static;
    run_dynamic => Kind::Dynamic;
    run_guided => Kind::Guided;
}
run_runtime! {
    run_runtime => Kind::Runtime;
}
start_with_chunk! {
    start_static => Kind::Static;
    start_dynamic => Kind::Dynamic;
    start_guided => Kind::Guided;
}

unsafe extern "C" fn start_runtime(
    body: Outlined,
    data: *mut c_void,
    threads: c_uint,
    first: i64,
    end: i64,
    incr: i64,
) {
    let caller = caller();
    let spec = prepared(Thread::current(), (first, end, incr), Kind::Runtime, 0);
    start((body, data, threads), &spec, caller);
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
