//! Runs the leagues of `teams` constructs on the host.
//!
//! Each team of a league is an initial team of its own: level 0, its own number, and as many
//! threads for its regions as the thread limit grants. At the same time as many teams run as there
//! are processors for their initial threads, or a few more ([`run`]): member m of the league's
//! region runs the teams m, m + members, and so on. On one processor, inside a region, or where
//! GCC's code runs the teams in line, the encountering thread runs them one after the other. Teams
//! must not wait for each other, so a program cannot see the difference.
//!
//! With a tool, a league is a region of its own, and each team is an initial task in it. The team's
//! initial thread works in the implicit task of a region of one thread, which the runtime starts:
//! LLVM's runtime shows it so, and tools expect it. Each initial task ends with the league's
//! barrier (`barrier.rs`).

mod barrier;

use crate::records::{RunningLeague, Team, Thread, Whereabouts, Work};
use crate::{affinity, hooks, icv, team};
use core::cell::Cell;
use core::ffi::c_void;
use core::sync::atomic::Ordering::{self, Relaxed};
use omphalos_events::Endpoint;
use omphalos_settings::settings;
use omphalos_sys::entry::Caller;
use omphalos_sys::fp_control::FpControl;

/// The sizes of a league and its teams that a construct's clauses ask for, 0 = no clause.
#[derive(Clone, Copy, Debug, Default)]
pub struct League {
    /// `num_teams`, upper bound.
    pub teams: u32,
    /// `thread_limit`.
    pub thread_limit: u32,
}

/// Begins a league. `default_teams`: the number of teams if neither the clause nor nteams-var gives
/// one.
pub fn begin(
    thread: &'static Thread,
    league: League,
    default_teams: u32,
    caller: Caller,
) -> RunningLeague {
    let device = if settings().of_devices.is_empty() { None } else { thread.device() };
    let (teams_var, limit_var) = settings().teams_vars(device);
    let (teams_var, limit_var) = (teams_var.load(Relaxed), limit_var.load(Relaxed));
    let (teams, limit) =
        (team::threads_asked_for(league.teams), team::threads_asked_for(league.thread_limit));
    let count = [teams, teams_var, default_teams].into_iter().find(|&n| n != 0).unwrap_or(1);
    let limit = if limit != 0 { limit } else { limit_var };
    let before = (thread.team().league.get(), *thread.task().icvs());
    if limit != 0 {
        icv::change(thread, |icvs| icvs.thread_limit = icvs.thread_limit.min(limit));
    }
    let shown = omphalos_events::active();
    if shown {
        hooks::league_begin(thread, Team::next(thread), count, caller);
    }
    crate::enable::pass(omphalos_sys::debugger::teams_begin);
    let inside = *thread.task().icvs();
    let origin = affinity::league_origin(thread);
    RunningLeague::new(count, before, inside, shown, origin)
}

impl RunningLeague {
    /// Returns the number of the league's teams.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether tools are told of the league.
    pub fn is_shown(&self) -> bool {
        self.shown
    }

    /// Begins team `number` on the calling thread.
    pub fn enter(&self, thread: &'static Thread, number: u32, caller: Caller) {
        let team = thread.team().as_owner();
        team.league.set(team, (self.count, number));
        icv::change(thread, |now| *now = self.inside);
        if let Some(origin) = self.origin {
            let before = self.home();
            let before = affinity::league_place(thread, number, self.count, origin, before);
            self.goes_from(before);
        }
        if self.shown {
            team::enter_alone(thread, caller.address(), false);
            hooks::league_task(thread, Endpoint::Begin, self.count, number);
            hooks::inner_begin(thread, Team::next(thread), caller);
            team::enter_alone(thread, caller.address(), true);
            hooks::implicit_task_begins(thread);
        }
    }

    /// Ends team `number` on the calling thread.
    pub fn leave(&self, thread: &'static Thread, number: u32, caller: Caller) {
        if self.shown {
            end_inner(thread);
            barrier::pass(thread, caller.address(), None);
            hooks::league_task(thread, Endpoint::End, self.count, number);
            team::leave_alone(thread);
        }
    }

    /// Ends the league.
    pub fn end(self, thread: &'static Thread, caller: Caller) {
        crate::enable::pass(omphalos_sys::debugger::teams_end);
        if self.shown {
            hooks::league_end(thread, Team::next(thread), caller);
        }
        if let Some(home) = self.home() {
            affinity::leave_league(thread, home);
        }
        let team = thread.team().as_owner();
        team.league.set(team, self.before.0);
        icv::change(thread, |now| *now = self.before.1);
    }
}

/// Runs `work` for each team of a league. Each team begins with the floating-point control words
/// `fp_control`, and the calling thread goes on with these.
///
/// # Safety
/// The work must be callable by every team at once.
pub unsafe fn run(
    thread: &'static Thread,
    league: League,
    default_teams: u32,
    caller: Caller,
    fp_control: FpControl,
    work: Work,
) {
    let most = most_at_once(thread);
    let league = begin(thread, league, default_teams, caller);
    let members = most.min(league.count());
    if members > 1 {
        let (count, shown, origin) = (league.count, league.is_shown(), league.origin);
        let meeting = barrier::Meeting::new();
        let shared = Shared { count, caller, shown, origin, fp_control, work, meeting };
        let data = (&raw const shared).cast_mut().cast();
        let code: unsafe extern "C" fn(*const Shared) = member;
        // SAFETY: the caller's promise; the shared data lives until the last member is done.
        unsafe { team::run_league(thread, members, Work::with_data(code as *const c_void, data)) };
    } else {
        for number in 0..league.count() {
            league.enter(thread, number, caller);
            let exit = &thread.task().tool.frame.exit;
            // The initial task goes on after the region, and gets its earlier exit frame back.
            let before = exit.load(Ordering::Relaxed);
            fp_control.resume();
            // SAFETY: the caller's promise.
            unsafe { work.run(thread.gtid, 0, exit.as_ptr()) };
            exit.store(before, Ordering::Relaxed);
            league.leave(thread, number, caller);
        }
    }
    fp_control.resume();
    league.end(thread, caller);
}

/// The least number of teams that run at once on more than one processor: if one of them waits for
/// something, the others go on.
const TEAMS_AT_ONCE: u32 = 4;

/// Returns how many teams of the calling thread's league may run at once: one for each processor,
/// or a few more, within the encountering task's thread limit. Inside a region: one.
fn most_at_once(thread: &Thread) -> u32 {
    let team = thread.team();
    if team.level.get() != 0 || team.size.get() != 1 || thread.task().is_explicit() {
        return 1;
    }
    let processors = settings().processors.count() as u32;
    let most = if processors > 1 { processors.max(TEAMS_AT_ONCE) } else { 1 };
    most.min(thread.task().icvs().thread_limit)
}

/// The data that the members of a league's region share.
struct Shared {
    count: u32,
    caller: Caller,
    /// Whether tools are told of the league.
    shown: bool,
    /// The place from which the teams get their places.
    origin: Option<Whereabouts>,
    fp_control: FpControl,
    work: Work,
    /// The meeting of the members at the end, if tools are told of the league.
    meeting: barrier::Meeting,
}

/// Runs the teams of one member of a league's region.
unsafe extern "C" fn member(shared: *const Shared) {
    // SAFETY: `run` passes its own variable and waits for the members.
    let shared = unsafe { &*shared };
    let thread = Thread::current();
    let league = thread.team();
    let (num, members) = (thread.num.get(), league.size.get());
    // Only the primary came by a call of the program: on the others this frame is the runtime's
    // own.
    let here = Cell::new(shared.caller.address());
    let own = Caller::noted(&here);
    let caller = if num == 0 { shared.caller } else { own };
    if num == 0 {
        // Debuggers are shown the program's code in place of the runtime's, which the region
        // executes.
        league.function.set(league.as_owner(), shared.work.code());
    }
    let mut home = None;
    for number in (num..shared.count).step_by(members as usize) {
        team::enter_team(thread, caller.address(), (shared.count, number));
        if let Some(origin) = shared.origin {
            home = Some(affinity::league_place(thread, number, shared.count, origin, home));
        }
        if shared.shown {
            hooks::league_task(thread, Endpoint::Begin, shared.count, number);
            hooks::inner_begin(thread, Team::next(thread), caller);
            team::enter_alone(thread, caller.address(), true);
            hooks::implicit_task_begins(thread);
        }
        let exit = thread.task().tool.frame.exit.as_ptr();
        shared.fp_control.resume();
        // SAFETY: the promise that `run` was given.
        unsafe { shared.work.run(thread.gtid, 0, exit) };
        if shared.shown {
            end_inner(thread);
            let last = shared.count - number <= members;
            let codeptr = if num == 0 { caller.address() } else { 0 };
            let meeting = last.then_some((&shared.meeting, league));
            barrier::pass(thread, codeptr, meeting);
            hooks::league_task(thread, Endpoint::End, shared.count, number);
        }
        team::leave_team(thread);
    }
    if let Some(home) = home {
        affinity::leave_league(thread, home);
    }
}

/// Leaves the region of one thread that tools see in a team's initial task.
fn end_inner(thread: &'static Thread) {
    team::finish_alone(thread);
    let inner = thread.team();
    hooks::implicit_task_ends(thread);
    team::leave_alone(thread);
    hooks::inner_end(thread, inner);
}

/// Returns how many threads may combine their parts of a reduction with the calling thread: its
/// team's size. In a league, outside any region of its teams, the answer is 2, which only means
/// several: all teams combine.
#[inline]
pub fn reducing(thread: &Thread) -> u32 {
    let team = thread.team();
    let in_league = team.level.get() == 0 && team.league.get().0 > 1;
    if in_league { 2 } else { team.size.get() }
}

/// Makes the calling thread's initial team a league of one, for `teams` as GCC's older code has it:
/// the body follows in line.
pub fn begin_alone(thread: &Thread) {
    let team = thread.team().as_owner();
    team.league.set(team, (1, 0));
}

/// Returns the number of teams of the calling thread's league, and the number of the thread's own
/// team.
pub fn position(thread: &Thread) -> (u32, u32) {
    thread.team().league.get()
}
