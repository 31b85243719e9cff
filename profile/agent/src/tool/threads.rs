//! The begin and end of threads; the program's commands to the tool; errors that the runtime
//! reports.

use crate::accounting::Class;
use crate::clock::ticks;
use crate::life::threads::{announce, begin, join};
use crate::sampling::part;
use crate::thread::Thread;
use crate::tool::summed;
use crate::{life, recording, tool, totals};
use core::ffi::c_int;
use omphalos_ompt::{Severity, ThreadKind};

/// The size of a worker's chunk buffer, bytes.
const BUFFER: usize = 1 << 16;

/// Begins the record of a thread that is about to work for the runtime.
pub fn began(kind: ThreadKind) {
    if !recording::is_running() || Thread::is_being_made() {
        return;
    }
    let now = ticks();
    let serves = matches!(kind, ThreadKind::Worker | ThreadKind::Other);
    let class = if serves { Class::Idle } else { Class::Serial };
    if recording::is_late() {
        if join(class, kind).is_some() {
            tool::untimely(|owner| {
                owner.stack().serves = serves;
                summed::follow(owner);
            });
        }
        return;
    }
    match Thread::current() {
        // The initial thread has been sampled since the process began.
        Some(thread) => announce(thread, kind),
        None => {
            recording::paying(|| begin(class, kind, now, BUFFER));
        }
    }
    tool::untimely(|owner| {
        owner.stack().serves = serves;
        summed::follow(owner);
    });
}

/// Makes the record of a thread whose begin was not reported to the tool: the thread came to the
/// runtime while another one was starting the tool.
#[cold]
pub fn late() -> Option<&'static Thread> {
    if !recording::is_running() || Thread::has_none() {
        return None;
    }
    if recording::is_late() {
        return join(Class::Serial, ThreadKind::Unknown);
    }
    Some(recording::paying(|| begin(Class::Serial, ThreadKind::Unknown, ticks(), BUFFER)))
}

/// Begins anew the record of a thread that had one when the agent was here before.
#[cold]
pub fn begin_again(thread: &'static Thread) -> Option<&'static Thread> {
    let may = recording::is_late() && thread.is_earlier();
    if may { join(Class::Serial, ThreadKind::Unknown) } else { None }
}

/// Begins the record of a worker at its first event since the agent was brought: no event reported
/// its begin.
#[cold]
pub fn meet_worker() {
    if Thread::current().is_none_or(Thread::is_earlier) {
        began(ThreadKind::Worker);
    }
}

/// Does what `omp_control_tool` asks for: start and pause choose the part of the run that is
/// measured, flush writes what was recorded, end stops recording; other commands do nothing.
/// Returns the program's result.
pub fn control_tool(command: u64) -> c_int {
    match command {
        1 | 2 => {
            part::measure(command == 1);
            0
        }
        3 => {
            let now = ticks();
            if let Some(thread) = Thread::current() {
                thread.await_sampler(|sampler| sampler.flush());
            }
            totals::write_all(now);
            0
        }
        4 => {
            life::stop("the profile ends where omp_control_tool asked for it");
            0
        }
        _ => 1,
    }
}

/// Records the `error` construct. A fatal one ends the process without any further event, so the
/// thread's samples and totals are written here.
pub fn error(severity: Severity) {
    tool::on_thread(|owner, now| {
        if severity == Severity::Fatal {
            owner.await_sampler(|sampler| sampler.flush());
            totals::write(now);
        }
    });
}
