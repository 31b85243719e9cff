//! Totals of threads: where one's time went.

use super::fields::fields;

fields! {
    /// One thread's time, split into classes that do not overlap and add up to `alive`.
    ThreadTotal {
        /// The agent's index of the thread.
        thread: u32,
        /// When this was written.
        time: u64,
        /// From thread begin to `time` or to the thread's end, ns.
        alive: u64,
        /// In a parallel region and in no wait, ns.
        work: u64,
        /// Waiting for a region, ns.
        idle: u64,
        /// In explicit and implicit barriers, ns.
        barrier_wait: u64,
        /// Waiting for critical, lock, ordered, atomic, ns.
        mutex_wait: u64,
        /// In taskwait and taskgroup, ns.
        task_wait: u64,
        /// In the runtime and in no wait, ns.
        overhead: u64,
        /// Outside any region, ns.
        serial_work: u64,
        /// Samples that were taken of the thread.
        samples: u64,
        /// Periods in which no sample could be taken.
        missed: u64,
        /// In the agent itself, ns; already part of the classes above.
        agent: u64,
    }

    /// Beside a thread total: how much of the thread's time is split among its classes by estimate.
    /// Key: `thread`.
    ThreadSampling {
        /// As in the total.
        thread: u32,
        /// In stretches in which events were counted only, ns.
        untimed: u64,
    }

    /// Beside a thread total: what the system knows of the thread, and how much of its work was
    /// none. Key: `thread`.
    ThreadScheduling {
        /// As in the total.
        thread: u32,
        /// On a processor, ns.
        running: u64,
        /// Able to run, but without a processor, ns. The rest of `alive` the thread was blocked.
        runnable: u64,
        /// Part of the total's `work`: blocked in calls, ns.
        blocked_work: u64,
        /// Part of the total's `serial_work`: blocked in calls, ns.
        blocked_serial: u64,
    }

    /// Beside a thread total: what of its work had no processor. Key: `thread`.
    ThreadQueued {
        /// As in the total.
        thread: u32,
        /// Part of the total's `work`: able to run, without a processor, ns.
        work: u64,
        /// Part of the total's `serial_work`, likewise.
        serial: u64,
    }
}
