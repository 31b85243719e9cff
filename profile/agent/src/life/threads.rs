//! A thread begins to be recorded, or ends.

use crate::accounting::Class;
use crate::clock::moment;
use crate::recording;
use crate::sampling::{timer, waits};
use crate::stream::process;
use crate::thread::{Thread, stretch};
use crate::totals;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use omphalos_ompt::ThreadKind;
use omphalos_profile_format::{ThreadBegin, ThreadEnd};

/// A refused timer was reported.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Gives the calling thread a record and starts sampling it.
pub fn begin(class: Class, kind: ThreadKind, now: u64, buffer: usize) -> &'static Thread {
    let thread = Thread::adopt(class, now, buffer);
    restart(thread, kind);
    thread
}

/// Announces the calling thread, which may be the only one of a forked child, and starts its timer.
pub fn restart(thread: &Thread, kind: ThreadKind) {
    announce(thread, kind);
    if let Err(error) = timer::start(thread, recording::period())
        && !REFUSED.swap(true, Relaxed)
    {
        process::warn(format_args!(
            "thread {}: no sampling timer (errno {error}): its samples, and those of other threads \
             that get none, are missing; the figures from events are not. ulimit -i may help",
            thread.os_tid.load(Relaxed)
        ));
    }
}

/// Writes that a thread began.
pub fn announce(thread: &Thread, kind: ThreadKind) {
    let record = ThreadBegin {
        thread: thread.index.load(Relaxed),
        os_tid: thread.os_tid.load(Relaxed) as u32,
        thread_kind: kind.number() as u32,
        time: moment(thread.account.begun()),
    };
    thread.await_sampler(|sampler| sampler.push(record.into()));
}

/// Stops sampling of a thread, settles its account and writes what it still has. Its own thread
/// calls this, or the one that ends the process.
pub fn end(thread: &Thread, now: u64) {
    timer::stop(thread);
    stretch::end(thread, now);
    thread.ended.store(now, Relaxed);
    thread.alive.store(false, Relaxed);
    let total = totals::total_of(thread, now);
    thread.await_sampler(|sampler| {
        waits::close(sampler, thread, now);
        let record = ThreadEnd { thread: total.thread, time: total.time };
        sampler.push(total.into());
        sampler.push(totals::scheduling_of(thread, now).into());
        if let Some(record) = totals::sampling_of(thread) {
            sampler.push(record.into());
        }
        if let Some(record) = totals::queued_of(thread) {
            sampler.push(record.into());
        }
        sampler.push(record.into());
        sampler.flush();
        sampler.close();
    });
}
