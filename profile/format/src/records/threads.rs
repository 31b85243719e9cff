//! Totals of threads: the classes of a thread's time.

use super::fields::fields;

fields! {
    /// One thread's time, split into classes that do not overlap and add up to `alive`.
    ThreadTotal {
        /// The agent's index of the thread.
        thread: u32,
        /// When this was written.
        time: u64,
        /// The time from the thread's begin to `time` or to the thread's end, ns.
        alive: u64,
        /// The time in a parallel region and in no wait, ns.
        work: u64,
        /// The time of waits for a region, ns.
        idle: u64,
        /// The time in explicit and implicit barriers, ns.
        barrier_wait: u64,
        /// The time of waits for critical, lock, ordered and atomic, ns.
        mutex_wait: u64,
        /// The time in taskwait and taskgroup, ns.
        task_wait: u64,
        /// The time in the runtime and in no wait, ns.
        overhead: u64,
        /// The time outside any region, ns.
        serial_work: u64,
        /// Samples that were taken of the thread.
        samples: u64,
        /// Periods in which no sample could be taken.
        missed: u64,
        /// The time in the agent itself, ns; it is part of the classes above.
        agent: u64,
    }

    /// Accompanies a thread total: the part of the thread's time that is split among its classes by
    /// estimate. Key: `thread`.
    ThreadSampling {
        /// As in the total.
        thread: u32,
        /// The time in which events were only counted, and not timed, ns.
        untimed: u64,
    }

    /// Accompanies a thread total: the system's times of the thread, and the parts of its work in
    /// which it was blocked. Key: `thread`.
    ThreadScheduling {
        /// As in the total.
        thread: u32,
        /// The time on a processor, ns.
        running: u64,
        /// The time in which the thread could run but had no processor, ns. In the rest of `alive`
        /// it was blocked.
        runnable: u64,
        /// The part of the total's `work` in which the thread was blocked in calls, ns.
        blocked_work: u64,
        /// The part of the total's `serial_work` in which the thread was blocked in calls, ns.
        blocked_serial: u64,
    }

    /// Accompanies a thread total: the parts of its work without a processor. Key: `thread`.
    ThreadQueued {
        /// As in the total.
        thread: u32,
        /// The part of the total's `work` in which the thread could run but had no processor, ns.
        work: u64,
        /// The same part of the total's `serial_work`, ns.
        serial: u64,
    }
}
