//! Makes the records of one thread's figures.

use crate::accounting::{Class, Counters, QUEUED, QUEUED_SERIAL};
use crate::clock::{self, ns};
use crate::sched;
use crate::thread::Thread;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_profile_format::{
    MpiOpen, MpiThread, ThreadQueued, ThreadSampling, ThreadScheduling, ThreadTotal,
};

/// Returns one thread's total. Async-signal-safe.
pub fn total_of(thread: &Thread, now: u64) -> ThreadTotal {
    let last = thread.last_moment(now);
    let counters: Counters = thread.account.counters_at(last);
    let untimed = thread.account.untimed();
    let of = |class| ns(counters.class(class));
    let classes = [
        of(Class::Work),
        of(Class::Idle),
        of(Class::Barrier),
        of(Class::Mutex),
        of(Class::TaskWait),
        of(Class::Overhead),
        of(Class::Serial),
    ];
    let [work, idle, barrier_wait, mutex_wait, task_wait, overhead, serial_work] = classes;
    ThreadTotal {
        thread: thread.index.load(Relaxed),
        time: clock::moment(last),
        alive: classes.iter().sum(),
        work,
        idle,
        barrier_wait,
        mutex_wait,
        task_wait,
        overhead,
        serial_work,
        samples: thread.samples.load(Relaxed),
        missed: thread.missed.load(Relaxed),
        agent: thread.cost.total()
            + thread.cost.of_counted(untimed, thread.account.is_counted_for())
            + thread.cost.of_summed(thread.account.summed().turns()),
    }
}

/// Returns how much of a thread's time is not timed event by event. Async-signal-safe.
pub fn sampling_of(thread: &Thread) -> Option<ThreadSampling> {
    let untimed = ns(thread.account.untimed()[0]);
    (untimed > 0).then(|| ThreadSampling { thread: thread.index.load(Relaxed), untimed })
}

/// Returns the record of the part of a thread's work that had no processor. Async-signal-safe.
pub fn queued_of(thread: &Thread) -> Option<ThreadQueued> {
    let account = &thread.account;
    let (counters, pending) = (account.counters(), account.pending.load(Relaxed));
    let is_serial = account.class() == Class::Serial;
    let [work, serial] = [(QUEUED, !is_serial), (QUEUED_SERIAL, is_serial)]
        .map(|(at, is_it)| ns(counters.0[at] + if is_it { pending } else { 0 }));
    (work + serial > 0).then(|| ThreadQueued { thread: thread.index.load(Relaxed), work, serial })
}

/// Returns the record of a thread's time in calls of MPI. Async-signal-safe.
pub fn mpi_of(thread: &Thread, now: u64) -> Option<MpiThread> {
    let last = thread.last_moment(now);
    let blocked = thread.blocked_at(last).iter().sum();
    let [elapsed, asleep, queued] = thread.mpi.until(last, thread.account.class(), blocked);
    let calls = thread.mpi.count.load(Relaxed);
    (calls > 0 || elapsed != [0, 0]).then(|| MpiThread {
        thread: thread.index.load(Relaxed),
        calls,
        work: ns(elapsed[0]),
        serial: ns(elapsed[1]),
        blocked_work: ns(asleep[0]),
        blocked_serial: ns(asleep[1]),
        queued_work: ns(queued[0]),
        queued_serial: ns(queued[1]),
    })
}

/// Returns the record of the call of MPI that a thread is in. Async-signal-safe.
pub fn open_mpi_of(thread: &Thread, now: u64) -> Option<MpiOpen> {
    let open = thread.mpi.open().filter(|_| thread.alive.load(Relaxed))?;
    let is_inside = thread.place.region.load(Relaxed) != 0;
    Some(MpiOpen {
        thread: thread.index.load(Relaxed),
        call: open.number,
        codeptr_ra: open.place,
        region_codeptr: if is_inside { thread.place.codeptr.load(Relaxed) } else { 0 },
        elapsed: ns(thread.last_moment(now).saturating_sub(open.since)),
    })
}

/// Returns the system's figures of a thread that has not ended, zeros where it does not say (in a
/// sandbox); and how long the thread was blocked. Async-signal-safe.
pub fn scheduling_of(thread: &Thread, now: u64) -> ThreadScheduling {
    let times = sched::of_thread(thread.os_tid.load(Relaxed)).unwrap_or_default();
    let since = |at: usize| times[at].saturating_sub(thread.scheduled[at].load(Relaxed));
    let [work, serial] = thread.blocked_at(now).map(ns);
    ThreadScheduling {
        thread: thread.index.load(Relaxed),
        running: since(0),
        runnable: since(1),
        blocked_work: work,
        blocked_serial: serial,
    }
}
