//! The Collector API of 2007 as the agent's source: a runtime that knows no OMPT can be profiled
//! too.
//!
//! The agent stays what it is, an OMPT tool. This module stands in front of it as a small OMPT
//! runtime: `__omp_collector_api` tells it of forks, joins, idling and waits, and it tells the
//! agent in OMPT's terms ([`host`]). What the API of 2007 does not tell is missing from the
//! profile: tasks, team sizes in advance, the end of a mutex. It tells no return addresses either;
//! those are looked for on the stack ([`place`]).
//!
//! What must hold: the signal handler asks for the thread's state, so nothing that this question
//! runs locks or allocates.

mod api;
mod host;
mod level;
mod place;
mod regions;
mod threads;

use crate::stream::process;
use crate::{recording, tool};
use omphalos_abi::collector::*;

/// Starts a session and the agent's tool in front of it. Once, from the library's initialiser.
pub fn start() {
    tool::stand_aside();
    if !api::find() {
        process::warn(format_args!(
            "no {} in this process: its OpenMP runtime does not offer the Collector API, and only \
             samples are taken",
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
    for event in threads::EVENTS {
        let code = api::register(event, threads::on_event);
        // Only FORK is mandatory.
        if code != OMP_ERRCODE_OK {
            recording::say(format_args!(
                "the runtime does not report event {event} (error {code})"
            ));
        }
    }
}
