//! Threads begin and end; the program speaks to the tool; the runtime reports an error.

use crate::accounting::{Class, totals};
use crate::clock::{moment, ticks};
use crate::sampling::timer;
use crate::thread::Thread;
use crate::tool::stretch;
use crate::{life, tool};
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use omphalos_ompt::{Severity, ThreadKind};
use omphalos_profile_format::{ThreadBegin, ThreadEnd};

/// A refused timer was reported.
static REFUSED: AtomicBool = AtomicBool::new(false);
/// Chunk buffer of a worker, bytes.
const BUFFER: usize = 1 << 16;

/// A thread is about to work for the runtime.
pub fn began(kind: ThreadKind) {
    if !life::is_running() {
        return;
    }
    let now = ticks();
    let class = if kind == ThreadKind::Worker { Class::Idle } else { Class::Serial };
    match Thread::current() {
        // The initial thread was sampled since the process began.
        Some(thread) => announce(thread, kind),
        None => {
            begin(class, kind, now, BUFFER);
        }
    }
    totals::make_room();
}

/// A record for a thread whose begin was not reported: it met the runtime while the tool was being
/// started by another one.
#[cold]
pub fn late() -> Option<&'static Thread> {
    if !life::is_running() || Thread::has_ended() {
        return None;
    }
    Some(begin(Class::Serial, ThreadKind::Unknown, ticks(), BUFFER))
}

/// Gives the calling thread a record and starts sampling it.
pub fn begin(class: Class, kind: ThreadKind, now: u64, buffer: usize) -> &'static Thread {
    let thread = Thread::adopt(class, now, buffer);
    restart(thread, kind);
    thread
}

/// Announces the calling thread, which may be the only one of a forked child, and starts its timer.
pub fn restart(thread: &Thread, kind: ThreadKind) {
    announce(thread, kind);
    if let Err(error) = timer::start(thread, life::period())
        && !REFUSED.swap(true, Relaxed)
    {
        life::warn(format_args!(
            "thread {}: no sampling timer (errno {error}): its samples, and those of other threads \
             that get none, are missing; the figures from events are not. ulimit -i may help",
            thread.os_tid.load(Relaxed)
        ));
    }
}

fn announce(thread: &Thread, kind: ThreadKind) {
    let record = ThreadBegin {
        thread: thread.index.load(Relaxed),
        os_tid: thread.os_tid.load(Relaxed) as u32,
        thread_kind: kind.number() as u32,
        time: moment(thread.account.begun()),
    };
    thread.await_sampler(|sampler| sampler.push(thread, record.into()));
}

/// The calling thread ends.
pub fn ended() {
    if let Some(thread) = Thread::current()
        && thread.alive.load(Relaxed)
    {
        stretch::end_here(thread);
        end(thread, ticks());
        thread.release();
    }
}

/// Stops sampling of a thread, settles its account and writes what it still has. Its own thread
/// calls this, or the one that ends the process.
pub fn end(thread: &Thread, now: u64) {
    timer::stop(thread);
    stretch::end(thread, now);
    thread.account.settle(now);
    thread.ended.store(now, Relaxed);
    thread.alive.store(false, Relaxed);
    let total = totals::total_of(thread, now);
    thread.await_sampler(|sampler| {
        sampler.close(thread, now);
        let record = ThreadEnd { thread: total.thread, time: total.time };
        sampler.push(thread, total.into());
        if let Some(scheduling) = totals::scheduling_of(thread, now) {
            sampler.push(thread, scheduling.into());
        }
        if let Some(record) = totals::sampling_of(thread) {
            sampler.push(thread, record.into());
        }
        sampler.push(thread, record.into());
        sampler.flush(thread);
    });
}

/// `omp_control_tool`: flush writes what there is, end stops recording; the rest is left alone.
/// The answer is what the program gets.
pub fn control_tool(command: u64) -> c_int {
    match command {
        3 => {
            let now = ticks();
            if let Some(thread) = Thread::current() {
                thread.await_sampler(|sampler| sampler.flush(thread));
            }
            totals::write_all(now);
            0
        }
        4 => {
            life::finish("omp_control_tool asked for the end");
            0
        }
        _ => 1,
    }
}

/// The `error` construct: a fatal one ends the process without any further event.
pub fn error(severity: Severity) {
    tool::on_thread(|thread, now| {
        if severity == Severity::Fatal {
            thread.await_sampler(|sampler| sampler.flush(thread));
            totals::write(now);
        }
    });
}
