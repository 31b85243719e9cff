//! `teams` in GCC's interface.

use super::parallel::Outlined;
use core::ffi::{c_uint, c_void};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_engine::records::RunningLeague;
use omphalos_engine::target::played;
use omphalos_engine::teams::{self, League};
use omphalos_engine::{Caller, Thread, Work, caller};
use omphalos_sys::fp_control::FpControl;

/// How many teams a host league has in libgomp if no clause says.
const DEFAULT_TEAMS: u32 = 3;

/// The same within a `target` region.
const DEFAULT_TARGET_TEAMS: u32 = 1;

unsafe extern "C" fn teams_reg(
    body: Outlined,
    data: *mut c_void,
    teams: c_uint,
    thread_limit: c_uint,
    _flags: c_uint,
) {
    let caller = caller();
    let Some(body) = body else { return };
    let thread = Thread::current();
    let work = Work::with_data(body as *const c_void, data);
    let league = League { teams, thread_limit };
    // SAFETY: GCC's code passes a function that may be called with `data` once for each team.
    unsafe { teams::run(thread, league, DEFAULT_TEAMS, caller, FpControl::NONE, work) };
}

/// `teams` inside a `target` region that runs on the host, before GCC 12: the body follows in line
/// and runs once, as a league of one (GOMP_4.0).
///
/// # Safety
/// Part of GCC's interface; no memory involved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_teams(_teams: c_uint, _thread_limit: c_uint) {
    teams::begin_alone(Thread::current());
}

unsafe extern "C" fn teams4(low: c_uint, high: c_uint, thread_limit: c_uint, first: bool) -> bool {
    let caller = caller();
    let thread = Thread::current();
    let (league, number) = if first {
        let teams = match (if high != 0 { high } else { low }, played::current(thread)) {
            // On the host, libgomp asks nteams-var for `teams` alone.
            (0, None) => DEFAULT_TARGET_TEAMS,
            (teams, _) => teams,
        };
        let league = League { teams, thread_limit };
        (teams::begin(thread, league, DEFAULT_TARGET_TEAMS, caller), 0)
    } else {
        let Some(league) = thread.kept_league() else { return false };
        let number = teams::position(thread).1;
        league.leave(thread, number, caller);
        (league, number + 1)
    };
    if number == league.count() {
        league.end(thread, caller);
        return false;
    }
    enter(thread, &league, number, caller);
    thread.keep_league(league);
    true
}

/// The program itself executes the team: user code begins in the frame that called. That frame is
/// also the one from which the tasks around it entered.
fn enter(thread: &'static Thread, league: &RunningLeague, number: u32, caller: Caller) {
    league.enter(thread, number, caller);
    if league.is_shown() {
        thread.task().tool.frame.exit.store(caller.border(), Relaxed);
    }
}

omphalos_sys::entries! {
    /// A host `teams` construct (GOMP_5.0).
    GOMP_teams_reg => teams_reg;
    /// `teams` inside a `target` region that runs on the host (GOMP_5.1): GCC's code repeats the
    /// body while this returns true; `first` on the first call.
    GOMP_teams4 => teams4;
}
