//! `__kmpc_fork_call` and what belongs to it.

use super::ident::Ident;
use crate::gomp::parallel::{BY_PROGRAM, BY_RUNTIME};
use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_engine::team::{self, Region};
use omphalos_engine::{Caller, Thread, Work, caller};

super::variadic::entry! {
    /// A parallel region (`fork`).
    __kmpc_fork_call => fork;
}

unsafe extern "C" fn fork(
    _location: *const Ident,
    argc: i32,
    outlined: *const c_void,
    args: *const *mut c_void,
) {
    let caller = caller();
    let work = Work::microtask(outlined, argc.max(0) as usize, args);
    // SAFETY: LLVM's code passes a function for exactly these arguments.
    unsafe { team::run(Thread::current(), &region(work, false, caller)) };
}

fn region(work: Work, serial: bool, caller: Caller) -> Region<'static> {
    let bind = Thread::current().pushed_bind.get();
    Region { work, threads: 0, serial, bind, caller, flags: BY_RUNTIME, prepare: None }
}

unsafe extern "C" fn fork_if(
    _location: *const Ident,
    argc: i32,
    outlined: *const c_void,
    condition: i32,
    argument: *mut c_void,
) {
    let caller = caller();
    let args = [argument];
    let argc = (argc.max(0) as usize).min(args.len());
    let work = Work::microtask(outlined, argc, args.as_ptr());
    // SAFETY: LLVM's code passes a function for exactly this argument.
    unsafe { team::run(Thread::current(), &region(work, condition == 0, caller)) };
}

unsafe extern "C" fn serialized_parallel(_location: *const Ident, _gtid: i32) {
    let caller = caller();
    let mut region = region(Work::NONE, true, caller);
    region.flags = BY_PROGRAM;
    let thread = Thread::current();
    team::begin(thread, &region);
    // The program runs the region itself: user code begins where it called us.
    thread.task().tool.frame.exit.store(caller.frame(), Relaxed);
}

unsafe extern "C" fn end_serialized_parallel(_location: *const Ident, _gtid: i32) {
    let thread = Thread::current();
    thread.task().tool.frame.exit.store(0, Relaxed);
    team::end(thread, BY_PROGRAM);
}

omphalos_sys::entries! {
    /// `parallel if(condition)`; the outlined function takes `argument` if `argc` is not 0.
    __kmpc_fork_call_if => fork_if;
    /// Begins a region of one thread; the caller runs it itself.
    __kmpc_serialized_parallel => serialized_parallel;
    /// Ends what `__kmpc_serialized_parallel` began.
    __kmpc_end_serialized_parallel => end_serialized_parallel;
}

/// Notes the `num_threads` clause for the next region of the calling thread.
///
/// # Safety
/// Part of LLVM's interface: `location` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_push_num_threads(
    _location: *const Ident,
    _gtid: i32,
    threads: i32,
) {
    if threads > 0 {
        Thread::current().pushed_threads.set(threads as u32);
    }
}

/// As [`__kmpc_push_num_threads`], with the `strict` modifier (LLVM 21). A team that comes out
/// smaller is told of at `severity` by the runtime's general warning.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_push_num_threads_strict(
    location: *const Ident,
    gtid: i32,
    threads: i32,
    _severity: i32,
    _message: *const core::ffi::c_char,
) {
    // SAFETY: as above.
    unsafe { __kmpc_push_num_threads(location, gtid, threads) };
}

/// Nothing to do: a region uses its own clause up.
///
/// # Safety
/// Part of LLVM's interface: `location` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_pop_num_threads(_location: *const Ident, _gtid: i32) {}

/// Notes the `proc_bind` clause for the next region of the calling thread.
///
/// # Safety
/// Part of LLVM's interface: `location` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_push_proc_bind(_location: *const Ident, _gtid: i32, bind: i32) {
    Thread::current().pushed_bind.set(bind);
}

/// Whether a region may be forked here: always.
///
/// # Safety
/// Part of LLVM's interface: `location` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_ok_to_fork(_location: *const Ident) -> i32 {
    1
}
