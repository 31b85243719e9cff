//! `teams` on the host: a league whose teams run one after the other.
//!
//! Teams of a league must not wait for each other, so their order is free. Each one runs on the
//! calling thread as an initial team of its own: level 0, its own number, and as many threads for
//! its regions as the thread limit grants.
//!
//! With a tool a league is a region of its own, each team an initial task in it, and what the team's
//! initial thread does is the implicit task of a region of one thread that the runtime starts: so
//! LLVM's runtime shows it, and tools know it from there.

use crate::affinity;
use crate::hooks;
use crate::icv::{self, Icvs};
use crate::team::{self, Team};
use crate::thread::Thread;
use core::cell::Cell;
use core::sync::atomic::Ordering;
use omphalos_events::Endpoint;
use omphalos_sys::entry::Caller;

/// How large a league and its teams are: what a construct's clauses ask for, 0 = nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct League {
    /// `num_teams`, upper bound.
    pub teams: u32,
    /// `thread_limit`.
    pub thread_limit: u32,
}

/// A league under way.
#[must_use]
pub struct Running {
    count: u32,
    /// The position of the team around it, and the ICVs of the encountering task.
    before: ((u32, u32), Icvs),
    /// The program's call, if tools hear of the league.
    shown: Option<Caller>,
    /// Where the encountering thread was, if the teams get places of their own.
    home: Cell<Option<affinity::Before>>,
}

/// Begins a league; `default_teams` where neither the clause nor nteams-var says how many.
pub fn begin(
    thread: &'static Thread,
    league: League,
    default_teams: u32,
    caller: Caller,
) -> Running {
    let (teams_var, limit_var) = icv::teams();
    let count = [league.teams, teams_var, default_teams].into_iter().find(|&n| n != 0).unwrap_or(1);
    let limit = if league.thread_limit != 0 { league.thread_limit } else { limit_var };
    let before = (thread.team().league.get(), *thread.task().icvs());
    if limit != 0 {
        icv::change(thread, |icvs| icvs.thread_limit = icvs.thread_limit.min(limit));
    }
    let shown = omphalos_events::active().then_some(caller);
    if shown.is_some() {
        hooks::league_begin(thread, Team::next(thread), count, caller);
    }
    Running { count, before, shown, home: Cell::new(None) }
}

impl Running {
    /// How many teams it has.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether tools hear of it.
    pub fn is_shown(&self) -> bool {
        self.shown.is_some()
    }

    /// The calling thread begins team `number`.
    pub fn enter(&self, thread: &'static Thread, number: u32) {
        thread.team().league.set((self.count, number));
        self.home.set(affinity::league_place(thread, number, self.count, self.home.get()));
        if let Some(caller) = self.shown {
            let initial = team::enter_alone(thread, caller.address, false);
            hooks::league_task(thread, Endpoint::Begin, self.count, number);
            let inner = team::enter_alone(thread, caller.address, true);
            hooks::inner_begin(thread, initial, inner, caller);
        }
    }

    /// It ends it.
    pub fn leave(&self, thread: &'static Thread, number: u32) {
        if self.shown.is_some() {
            team::finish_alone(thread);
            let inner = thread.team();
            hooks::implicit_task(thread, Endpoint::End);
            team::leave_alone(thread);
            hooks::inner_end(thread, inner);
            hooks::league_task(thread, Endpoint::End, self.count, number);
            team::leave_alone(thread);
        }
    }

    /// Ends the league.
    pub fn end(self, thread: &'static Thread) {
        if let Some(caller) = self.shown {
            hooks::league_end(thread, Team::next(thread), caller);
        }
        if let Some(home) = self.home.get() {
            affinity::leave_league(thread, home);
        }
        thread.team().league.set(self.before.0);
        icv::change(thread, |now| *now = self.before.1);
    }
}

/// Runs `team(number, exit_frame)` for each team of a league; the team leaves for user code at the
/// frame that it notes at that address.
pub fn run(
    thread: &'static Thread,
    league: League,
    default_teams: u32,
    caller: Caller,
    mut team: impl FnMut(u32, *mut u64),
) {
    let league = begin(thread, league, default_teams, caller);
    for number in 0..league.count() {
        league.enter(thread, number);
        let exit = &thread.task().tool.frame.exit;
        // An initial task that runs on has left the runtime nowhere: keep what is there.
        let before = exit.load(Ordering::Relaxed);
        team(number, exit.as_ptr());
        exit.store(before, Ordering::Relaxed);
        league.leave(thread, number);
    }
    league.end(thread);
}

/// The league that the calling thread works in: number of teams, number of its own.
pub fn position(thread: &Thread) -> (u32, u32) {
    thread.team().league.get()
}
