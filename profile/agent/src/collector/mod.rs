//! The Collector API of 2007 as the agent's source: a runtime that knows no OMPT can be profiled
//! too.
//!
//! The agent stays an OMPT tool. This module stands in front of it as a small OMPT runtime:
//! `__omp_collector_api` reports forks, joins, idling and waits to it, and it reports them to the
//! agent in OMPT's terms ([`host`]). The profile lacks everything that the API of 2007 does not
//! report: tasks, team sizes in advance, the end of a mutex. The API gives no return addresses
//! either; the agent looks for those on the stack ([`place`]).
//!
//! What must hold: the signal handler asks for the thread's state, so nothing on the way to the
//! answer locks or allocates.

mod api;
mod host;
mod level;
mod place;
mod regions;
mod room;
mod threads;

use crate::stream::process;
use crate::tool;
use core::ops::RangeInclusive;
use omphalos_abi::collector::*;

/// Starts a session, and the agent's tool on top of it. The library's initialiser calls it once.
pub fn start() {
    tool::stand_aside();
    if !api::find() {
        process::warn(format_args!(
            "no {} in this process: its OpenMP runtime does not offer the Collector API, and \
             nothing is recorded",
            OMP_COLLECTOR_API.to_string_lossy()
        ));
        return;
    }
    place::find(api::address());
    if !host::start_tool() {
        return;
    }
    let code = api::simple(OMP_REQ_START);
    if code != OMP_ERRCODE_OK {
        process::warn(format_args!("the Collector API answers START with error {code}"));
        return;
    }
    threads::initial();
    // Only FORK is mandatory.
    let refused = |event: &Event| api::register(*event, threads::on_event) != OMP_ERRCODE_OK;
    if OF_REGIONS.filter(refused).count() > 0 {
        OF_REGIONS.for_each(api::unregister);
        process::warn(format_args!(
            "this OpenMP runtime does not tell where regions end and who works in them: nothing is \
             recorded"
        ));
        return;
    }
    for (events, what) in OTHERS {
        if events.filter(refused).count() > 0 {
            process::warn(format_args!("this OpenMP runtime does not report {what}"));
        }
    }
}

/// The events without which regions, their threads and their times are unknown.
const OF_REGIONS: RangeInclusive<Event> = OMP_EVENT_FORK..=OMP_EVENT_THR_END_IDLE;

/// The other events, and what is missing without them.
const OTHERS: [(RangeInclusive<Event>, &str); 5] = [
    (OMP_EVENT_THR_BEGIN_IBAR..=OMP_EVENT_THR_END_EBAR, "barriers: waiting there counts as Work"),
    (OMP_EVENT_THR_BEGIN_LKWT..=OMP_EVENT_THR_END_ODWT, MUTEXES),
    (OMP_EVENT_THR_BEGIN_MASTER..=OMP_EVENT_THR_END_SINGLE, "master and single"),
    (OMP_EVENT_THR_BEGIN_ORDERED..=OMP_EVENT_THR_END_ORDERED, "ordered regions"),
    (OMP_EVENT_THR_BEGIN_ATWT..=OMP_EVENT_THR_END_ATWT, MUTEXES),
];

const MUTEXES: &str = "all waits for locks and critical, atomic and ordered regions: others count \
                       as Work";
