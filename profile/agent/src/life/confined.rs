//! Programs that forbid themselves system calls (seccomp). Where a forbidden call that the agent
//! makes would end the program, the agent stops first: the record is complete up to there, and says
//! why it ends.
//!
//! What must hold: [`before`] ends the agent's thread if the filter would end the program. Then no
//! code of the agent makes a system call in this process, or in a program that it executes. A
//! filter that makes a call fail does not matter: the agent does without that call.

use crate::filter::{self, Instruction, READS_MEMORY, forbids, needed};
use crate::sampling::{handler, watch};
use crate::{clock, config, counting, python, recording, stream, thread};
use core::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed},
};
use omphalos_sys::clock::nanoseconds;

/// The confinement that the program asks for.
pub enum Asked<'a> {
    /// Only `read`, `write` and `exit` stay allowed.
    Strict,
    /// A filter, which answers to each call.
    Filter(&'a [Instruction]),
}

/// True once a confinement has ended recording before OpenMP was used, and a message would do no
/// harm.
static UNSAID: AtomicBool = AtomicBool::new(false);

const NOTHING: &[u8] =
    b"omphalos: nothing is recorded: before it used OpenMP, the program forbade \
    itself by seccomp what the profiler needs, on pain of its end\n";

/// Stops the agent if need be, before the program asks for a confinement.
pub fn before(asked: &Asked<'_>) {
    if !recording::is_running() || !recording::is_own_process() {
        return;
    }
    // The address of the call, as closely as it can be known.
    let from = libc::syscall as *const () as u64;
    let (call, may_say) = match asked {
        Asked::Strict => (Some("all but read, write and exit"), false),
        Asked::Filter(filter) => {
            if forbids(filter, &[READS_MEMORY], from).is_some() {
                watch::copy_nothing();
                python::read::stop();
            }
            if counting::is_on() && forbids(filter, &filter::counting(), from).is_some() {
                counting::stop();
            }
            let calls = needed(stream::number(), !watch::runs());
            let messages = filter::messages();
            (forbids(filter, &calls, from), forbids(filter, &messages, from).is_none())
        }
    };
    let Some(call) = call else { return };
    omphalos_sys::errno::keep(|| stop(call, may_say));
}

/// Ends the recording, and everything that the agent does.
fn stop(call: &str, may_say: bool) {
    config::decline(may_say);
    let passed = clock::moment(clock::ticks()).saturating_sub(recording::started());
    let text = format!(
        "the profile ends {:.3} s after the program's start: from there on the program forbids \
         itself by seccomp what the profiler needs ({call}), on pain of its end",
        passed as f64 / 1e9
    );
    if stream::is_open() {
        omphalos_sys::stderr::message(format_args!("{text}"));
    } else if recording::knows_runtime() {
        omphalos_sys::stderr::raw(NOTHING);
    } else {
        UNSAID.store(may_say, Relaxed);
    }
    super::stop(&text);
    watch::leave();
    // Waits until other threads have left the agent: one may have to wait for a processor.
    let is_busy = || handler::is_at_work() || thread::all().any(|thread| thread.is_in_callback());
    let begin = nanoseconds();
    while is_busy() && nanoseconds() - begin < PATIENCE {
        omphalos_sys::thread::give_way();
    }
}

/// The longest wait for other threads, ns.
const PATIENCE: u64 = 1_000_000_000;

/// Reports, when the program uses OpenMP, that nothing is recorded any more.
pub fn is_late() {
    if UNSAID.swap(false, Acquire) || config::may_say() {
        omphalos_sys::stderr::raw(NOTHING);
    }
}
