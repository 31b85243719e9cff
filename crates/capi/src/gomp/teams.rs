//! `teams` in GCC's interface.

use super::parallel::Outlined;
use core::ffi::{c_uint, c_void};
use omphalos_engine::Thread;
use omphalos_engine::teams::{self, League};

/// What libgomp takes for a league that nobody sized.
const DEFAULT_TEAMS: u32 = 3;

/// A host `teams` construct (GOMP_5.0).
///
/// # Safety
/// GCC's code passes a function that may be called with `data` once for each team.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_teams_reg(
    body: Outlined,
    data: *mut c_void,
    teams: c_uint,
    thread_limit: c_uint,
    _flags: c_uint,
) {
    let Some(body) = body else { return };
    let league = League { teams, thread_limit };
    // SAFETY: the caller's promise.
    teams::run(Thread::current(), league, DEFAULT_TEAMS, |_| unsafe { body(data) });
}

/// `teams` inside a `target` region that runs on the host, before GCC 12: the body follows in line
/// and runs once, as a league of one (GOMP_4.0).
///
/// # Safety
/// Part of GCC's interface; no memory involved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_teams(_teams: c_uint, _thread_limit: c_uint) {
    Thread::current().team().league.set((1, 0));
}

/// `teams` inside a `target` region that runs on the host (GOMP_5.1): GCC's code repeats the body
/// while this returns true; `first` on the first call.
///
/// # Safety
/// Part of GCC's interface; no memory involved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_teams4(
    low: c_uint,
    high: c_uint,
    _thread_limit: c_uint,
    first: bool,
) -> bool {
    let league = &Thread::current().team().league;
    if first {
        let (var, _) = omphalos_engine::icv::teams();
        let count = [high, low, var].into_iter().find(|&n| n != 0).unwrap_or(DEFAULT_TEAMS);
        league.set((count, 0));
        return true;
    }
    let (count, number) = league.get();
    if number + 1 < count {
        league.set((count, number + 1));
        true
    } else {
        league.set((1, 0));
        false
    }
}
