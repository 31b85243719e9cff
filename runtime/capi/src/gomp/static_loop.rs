//! `GOMP_loop_static_worksharing*` and `GOMP_distribute_static_worksharing*`: GCC 17's static
//! loops.
//!
//! The compiler's code computes its own chunks, as it always has. One call gives it the number of
//! threads (or teams) and the number of the calling one. Code built with `-fopenmp-ompt` calls the
//! `_start` form instead, of which tools are told; then `_dispatch` for each chunk if that was
//! asked for, and `_end`.

use omphalos_engine::worksharing::hooks;
use omphalos_engine::{Caller, Thread};
use omphalos_events::{DispatchKind, Endpoint, Kind, WorkKind, tell_tools, wants};

/// A `_Complex int`, which the ABI returns in one register: its real part is the count, its
/// imaginary part the number.
type Pair = u64;

#[inline(always)]
fn pair(count: u32, number: u32) -> Pair {
    u64::from(count) | u64::from(number) << 32
}

#[inline(always)]
fn of_loop(thread: &Thread) -> Pair {
    pair(thread.team().size.get(), thread.num.get())
}

#[inline(always)]
fn of_distribute(thread: &Thread) -> Pair {
    let (teams, number) = thread.team().league.get();
    pair(teams, number)
}

fn begin(thread: &'static Thread, kind: WorkKind, iterations: u64, caller: Caller) {
    if wants(Kind::Work) {
        thread.note_static(kind, iterations);
        hooks::work_event(thread, kind, Endpoint::Begin, iterations, caller);
    }
}

fn end(kind: WorkKind, caller: Caller) {
    if wants(Kind::Work) {
        let thread = Thread::current();
        let (_, iterations) = thread.noted_static();
        hooks::work_event(thread, kind, Endpoint::End, iterations, caller);
    }
}

fn chunk(kind: DispatchKind, first: u64, count: u64) {
    if wants(Kind::Dispatch) {
        let thread = Thread::current();
        let (region, task) = (&thread.team().identity, &thread.task().tool);
        tell_tools::share(kind, region, task, first, count);
    }
}

/// Threads of the team, and which of them this is, for a static loop of `iterations` (GOMP_6.0.2).
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_loop_static_worksharing(_iterations: u64) -> Pair {
    of_loop(Thread::current())
}

/// Teams of the league, and which of them this is (GOMP_6.0.2).
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_distribute_static_worksharing(_iterations: u64) -> Pair {
    of_distribute(Thread::current())
}

unsafe extern "C" fn loop_start(iterations: u64, caller: Caller) -> Pair {
    let thread = Thread::current();
    begin(thread, WorkKind::LoopStatic, iterations, caller);
    of_loop(thread)
}

unsafe extern "C" fn loop_dispatch(first: u64, count: u64) {
    chunk(DispatchKind::LoopChunk, first, count);
}

unsafe extern "C" fn loop_end(caller: Caller) {
    end(WorkKind::LoopStatic, caller);
}

unsafe extern "C" fn distribute_start(iterations: u64, caller: Caller) -> Pair {
    let thread = Thread::current();
    begin(thread, WorkKind::Distribute, iterations, caller);
    of_distribute(thread)
}

unsafe extern "C" fn distribute_dispatch(first: u64, count: u64) {
    chunk(DispatchKind::DistributeChunk, first, count);
}

unsafe extern "C" fn distribute_end(caller: Caller) {
    end(WorkKind::Distribute, caller);
}

omphalos_sys::told_entries! {
    /// As `GOMP_loop_static_worksharing`, and tools are told of it (GOMP_6.0.2).
    GOMP_loop_static_worksharing_start(iterations) => loop_start;
    /// Tools are told that the loop ends (GOMP_6.0.2).
    GOMP_loop_static_worksharing_end() => loop_end;
    /// As `GOMP_distribute_static_worksharing`, and tools are told of it (GOMP_6.0.2).
    GOMP_distribute_static_worksharing_start(iterations) => distribute_start;
    /// Tools are told that the loop ends (GOMP_6.0.2).
    GOMP_distribute_static_worksharing_end() => distribute_end;
}

omphalos_sys::entries! {
    /// Tools are told of a chunk: its first logical iteration and their number (GOMP_6.0.2).
    GOMP_loop_static_worksharing_dispatch => loop_dispatch;
    /// Tools are told of a chunk: its first logical iteration and their number (GOMP_6.0.2).
    GOMP_distribute_static_worksharing_dispatch => distribute_dispatch;
}
