//! `GOMP_parallel` and the older start/end pair.

use crate::shared::region::{BY_PROGRAM, BY_RUNTIME};
use core::ffi::{c_uint, c_void};
use omphalos_engine::team::{self, Region};
use omphalos_engine::worksharing::LoopSpec;
use omphalos_engine::{Call, Caller, Thread, Unwatched, Work, caller, hooks};
use omphalos_sys::fp_control::FpControl;

/// An outlined function of GCC.
pub type Outlined = Option<unsafe extern "C" fn(*mut c_void)>;

/// Returns the region that GCC's arguments describe. `threads`: 0 = no clause, 1 = also a false
/// `if` clause. The low three bits of `flags` are the `proc_bind` clause, 0 = none.
pub fn region<'a, C>(
    body: Outlined,
    data: *mut c_void,
    threads: c_uint,
    flags: c_uint,
    caller: C,
    prepare: Option<&'a LoopSpec>,
) -> Region<'a, C> {
    let code = body.map_or(core::ptr::null(), |f| f as *const c_void);
    let bind = if flags & 7 == 0 { -1 } else { (flags & 7) as i32 };
    Region {
        work: Work::with_data(code, data),
        threads,
        serial: threads == 1,
        bind,
        caller,
        fp_control: FpControl::NONE,
        flags: BY_RUNTIME,
        prepare,
    }
}

unsafe extern "C" fn parallel<C: Call>(
    body: Outlined,
    data: *mut c_void,
    threads: c_uint,
    flags: c_uint,
    call: C,
) {
    // SAFETY: GCC's code passes a function that every thread of the team may call with `data`.
    unsafe { team::run(call.thread(), &region(body, data, threads, flags, call, None)) };
}

unsafe extern "C" fn parallel_start(body: Outlined, data: *mut c_void, threads: c_uint) {
    let caller = caller();
    let thread = Thread::current();
    let mut region = region(body, data, threads, 0, caller, None);
    region.flags = BY_PROGRAM;
    let outer = thread.task();
    team::begin(thread, &region);
    // The program itself executes the primary's part: user code begins in the frame that called.
    hooks::runs_in_line(&outer.tool, &thread.task().tool, caller);
}

unsafe extern "C" fn parallel_end() {
    let thread = Thread::current();
    hooks::ran_region_in_line(thread);
    team::end(thread, BY_PROGRAM, Caller::NONE);
}

omphalos_sys::quick_entries! {
    /// Runs a parallel region (libgomp, since GOMP_4.0).
    GOMP_parallel(body, data, threads, flags) => parallel::<Unwatched>, parallel::<Caller>;
}

omphalos_sys::entries! {
    /// Forks; the caller runs its share itself and calls `GOMP_parallel_end` (GOMP_1.0).
    GOMP_parallel_start => parallel_start;
    /// Joins the region that `GOMP_parallel_start` forked (GOMP_1.0).
    GOMP_parallel_end => parallel_end;
}
