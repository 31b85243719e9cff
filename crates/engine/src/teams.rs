//! `teams` on the host: a league whose teams run one after the other.
//!
//! Teams of a league must not wait for each other, so their order is free. Each one runs on the
//! calling thread as an initial team of its own: level 0, its own number, and as many threads for
//! its regions as the thread limit grants.

use crate::icv;
use crate::thread::Thread;

/// How large a league and its teams are: what a construct's clauses ask for, 0 = nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct League {
    /// `num_teams`, upper bound.
    pub teams: u32,
    /// `thread_limit`.
    pub thread_limit: u32,
}

/// Runs `team(number)` for each team of the league; `default_teams` where neither the clause nor
/// nteams-var says how many.
pub fn run(thread: &'static Thread, league: League, default_teams: u32, mut team: impl FnMut(u32)) {
    let (teams_var, limit_var) = icv::teams();
    let count = [league.teams, teams_var, default_teams].into_iter().find(|&n| n != 0).unwrap_or(1);
    let limit = if league.thread_limit != 0 { league.thread_limit } else { limit_var };
    let place = &thread.team().league;
    let before = place.get();
    let icvs = *thread.task().icvs();
    if limit != 0 {
        icv::change(thread, |icvs| icvs.thread_limit = icvs.thread_limit.min(limit));
    }
    for number in 0..count {
        place.set((count, number));
        team(number);
    }
    place.set(before);
    icv::change(thread, |now| *now = icvs);
}

/// The league that the calling thread works in: number of teams, number of its own.
pub fn position(thread: &Thread) -> (u32, u32) {
    thread.team().league.get()
}
