//! The agent is brought into a process that runs already, records for a while, and leaves; it may
//! come again. Who brings it is the runtime's thread (`late_start`), which calls all of this but
//! [`first_region`] and [`end_in_child`].
//!
//! Nothing is recorded until a region begins outside of any: then each thread begins in a state
//! that is known, and of each region that is told its begin was told.
//!
//! What must hold when [`leave_process`] returns: no thread of the agent's, no timer, no handler,
//! no file; no thread writes to a record, so that all of them may begin anew. A callback that is
//! under way, or a handler, is waited for. Both sides of that are without a fence in the callback:
//!
//! | the callback | who ends the agent |
//! |---|---|
//! | `in_callback` = true | `alive` = false, of each record |
//! | reads `alive`: false, so it does nothing | a barrier in all threads (membarrier) |
//! | | reads `in_callback`: waits until it is false |
//!
//! The kernel's barrier comes between the two steps of the callback, before them or behind them: so
//! one of the two sees the other. A thread that makes its record is counted ([`threads::join`]). A
//! thread that stays in the agent for [`PATIENCE`] (it was stopped there) keeps the agent from
//! coming again; nothing else depends on it.

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

/// So long a thread in the agent is waited for, ns.
const PATIENCE: u64 = 5_000_000_000;
/// What the profile says of its end.
const NOTE: &str = "omphalos attach profiled a part of the run: the program ran before and after";

/// Where the agent that was brought is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits for the first region.
    Awaits,
    /// It records.
    Records,
    /// Its time is over, or it ends.
    Over,
    /// It has left, so that it may come again.
    Left,
}

/// Starts to wait for a region. False where the agent is here already, or cannot come again.
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
    // Where it is refused there are no samples, and the report says how many there are.
    let _ = signal::install();
    recording::set_real_period(recording::config().period.max(timer::tick()));
    super::watch_forks();
    part::prepare_late();
    recording::run();
    true
}

/// A region begins, and the agent waits for one: it records from here on, if the calling thread is
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

/// See [`State`].
pub fn state() -> State {
    match recording::is_running() {
        true if recording::awaits_region() => State::Awaits,
        true if !part::is_over() => State::Records,
        _ if recording::has_left() => State::Left,
        _ => State::Over,
    }
}

/// Ends the agent, and all that it does. The runtime tells it nothing any more.
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
    // One that was being made as the others ended.
    for thread in thread::all() {
        timer::stop(thread);
        thread.stop_summing();
    }
    signal::uninstall();
    recording::leave();
}

/// In a forked child, which is not recorded: its parent's helper is not there to end that.
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
