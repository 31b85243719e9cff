//! The agent is brought into a running process, records for a while, and leaves; it may come again.
//! A thread of the runtime brings it (`late_start`), and calls everything here except
//! [`first_region`] and [`end_in_child`].
//!
//! Nothing is recorded until an outermost region begins: then each thread begins in a known state,
//! and for each region that is reported to the agent, the begin is reported too.
//!
//! What must hold when [`leave_process`] returns: the agent has no thread, no timer, no handler and
//! no file. No thread writes to a record, so that all records may begin anew. [`leave_process`]
//! waits for a callback or handler that is under way. The callback has no fence for this:
//!
//! | the callback | the thread that ends the agent |
//! |---|---|
//! | `in_callback` = true | `alive` = false, of each record |
//! | reads `alive`: false, so it does nothing | a barrier in all threads (membarrier) |
//! | | reads `in_callback`: waits until it is false |
//!
//! The kernel's barrier comes between the two steps of the callback, or before them or after them:
//! so one of the two threads sees the other. A thread that makes its record is counted
//! ([`threads::join`]). If a thread stays in the agent for [`PATIENCE`], because it was stopped
//! there, the agent cannot come again; nothing else depends on it.

use super::threads;
use crate::clock::{self, moment, ticks};
use crate::config::Config;
use crate::sampling::{handler, part, signal, timer, watch};
use crate::thread::{self, Thread, asked};
use crate::{accounting, python, recording, sched, stream, totals, unwind};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::TaskFlags;
use omphalos_sync::process_lock;
use omphalos_sys::barrier;
use omphalos_sys::clock::nanoseconds;

/// The longest wait for a thread in the agent, ns.
const PATIENCE: u64 = 5_000_000_000;
/// The note in the profile about its end.
const NOTE: &str = "omphalos attach profiled a part of the run: the program ran before and after";

/// The stages of an agent that was brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The agent waits for the first region.
    Awaits,
    /// The agent records.
    Records,
    /// The agent's time is over, or it ends.
    Over,
    /// The agent has left, so that it may come again.
    Left,
}

/// Begins to wait for a region. Returns false if the agent is here already, or cannot come again.
pub fn start_late(config: Config) -> bool {
    if !recording::may_start_late() {
        return false;
    }
    recording::request(config);
    barrier::register();
    clock::start();
    let now = ticks();
    recording::set_started(moment(now));
    recording::note_process();
    recording::reset_used();
    sched::count_processors();
    thread::forget_earlier();
    accounting::region::forget_open();
    stream::begin_anew();
    unwind::modules::make();
    python::find();
    python::codes::forget();
    totals::start(now);
    // If the system refuses the handler there are no samples, and the report says how many there
    // are.
    let _ = signal::install();
    recording::set_real_period(recording::config().period.max(timer::tick()));
    super::watch_forks();
    part::prepare_late();
    recording::run();
    true
}

/// Begins to record, when a region begins while the agent waits for one, if the calling thread is
/// in no other region.
#[cold]
pub fn first_region() {
    let is_outermost =
        TaskFlags::from_bits_retain(asked::current_task().flags).contains(TaskFlags::INITIAL);
    if !is_outermost || !recording::is_running() {
        return;
    }
    let now = ticks();
    recording::set_started(moment(now));
    totals::begin_anew(now);
    part::begin_late(now);
    recording::meets_region();
}

/// Returns the agent's [`State`].
pub fn state() -> State {
    match recording::is_running() {
        true if recording::awaits_region() => State::Awaits,
        true if !part::is_over() => State::Records,
        _ if recording::has_left() => State::Left,
        _ => State::Over,
    }
}

/// Ends the agent, and everything that it does. The caller knows that the runtime reports nothing
/// to it any more.
pub fn leave_process() {
    super::stop(NOTE);
    watch::leave_for_good();
    if !barrier::of_all() {
        return signal::uninstall();
    }
    let is_busy = || {
        let in_callback = || thread::all().any(Thread::is_in_callback);
        super::is_ending() || threads::are_made() || handler::is_at_work() || in_callback()
    };
    let begin = nanoseconds();
    while is_busy() {
        if nanoseconds() - begin > PATIENCE {
            return;
        }
        omphalos_sys::thread::give_way();
    }
    // A record may have been in the making while the others ended.
    for thread in thread::all() {
        timer::stop(thread);
        thread.stop_summing();
    }
    signal::uninstall();
    recording::leave();
}

/// Ends the agent in a forked child, which is not recorded: the parent's helper is not there to end
/// it.
pub fn end_in_child() {
    process_lock::after_fork_in_child();
    recording::end_in_child();
    handler::reset_in_child();
    watch::reset_in_child();
    crate::numbers::reset_in_child();
    stream::reset_in_child();
    thread::close_in_child();
    unwind::modules::reset_in_child();
    threads::reset_in_child();
    super::ENDING.store(0, Relaxed);
    match Thread::current() {
        Some(thread) => thread.stop_in_child(),
        None => thread::forget_all(),
    }
    signal::uninstall();
}
