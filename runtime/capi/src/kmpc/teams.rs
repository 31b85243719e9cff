//! `teams` in LLVM's interface.

use super::fork::fp_control;
use crate::shared::location::Ident;
use core::ffi::c_void;
use omphalos_engine::teams::{self, League};
use omphalos_engine::{Call, Caller, Thread, Unwatched, Work, icv};

omphalos_sys::variadic_entry! {
    /// A `teams` construct (`fork`).
    __kmpc_fork_teams => fork::<Unwatched>, fork::<Caller>;
}

unsafe extern "C" fn fork<C: Call>(
    _location: *const Ident,
    argc: i32,
    outlined: *const c_void,
    args: *const *mut c_void,
    call: C,
) {
    let thread = call.thread();
    let work = Work::microtask(outlined, argc.max(0) as usize, args);
    let (teams, thread_limit) = thread.noted_teams();
    let league = League { teams, thread_limit };
    // SAFETY: LLVM's code passes a function for exactly these arguments.
    unsafe { teams::run(thread, league, 1, call.caller(), fp_control(), work) };
}

omphalos_sys::exported_routines! {
    /// Notes `num_teams` and `thread_limit` for the next `teams` of the calling thread.
    __kmpc_push_num_teams(_location: *const Ident, _gtid: i32, teams: i32, threads: i32)
        = Thread::current().note_teams(teams.max(0) as u32, threads.max(0) as u32);
    /// As [`__kmpc_push_num_teams`], with a lower bound for the number of teams.
    __kmpc_push_num_teams_51(
        location: *const Ident, gtid: i32, lower: i32, upper: i32, threads: i32
    ) = __kmpc_push_num_teams(location, gtid, upper.max(lower), threads);
    /// `thread_limit` of a `target` construct that runs on the host.
    __kmpc_set_thread_limit(_location: *const Ident, _gtid: i32, limit: i32) = {
        if limit > 0 {
            icv::change(Thread::current(), |icvs| icvs.thread_limit = limit as u32);
        }
    };
}
