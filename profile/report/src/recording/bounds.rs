//! Limits the figures of a damaged file, so that no sum over a report can overflow.

use omphalos_profile_format::{
    ConstructTotal, CounterDifference, MpiCallTotal, MpiOpen, MpiThread, MutexSiteSampling,
    MutexSiteTotal, ProcessCounters, RegionSiteTotal, TargetEvent, TargetSiteTotal,
    TaskSiteSampling, TaskSiteTotal, ThreadTotal,
};

use super::{CallSums, Scheduling};

/// No figure of a real run is larger: two years in ns.
pub(super) const LARGEST: u64 = 1 << 56;
/// The most periods that one sample may stand for.
pub(super) const LONGEST_GAP: u32 = 1 << 20;

/// A record with figures that may be added up.
pub(super) trait Bounded: Copy {
    /// The same record with no figure above [`LARGEST`].
    fn bounded(&self) -> Self;
    /// Returns the growth of each figure since the record was `before`.
    fn since(&self, before: &Self) -> Self;
    /// Returns the sum with the figures of another part of the run.
    fn and(&self, other: &Self) -> Self;
    /// Whether all figures are 0.
    fn is_nothing(&self) -> bool;
}

macro_rules! bounded {
    ($($record:ident: $($figure:ident),+;)+) => {$(
        impl Bounded for $record {
            fn bounded(&self) -> $record {
                let mut bounded = *self;
                $(bounded.$figure = self.$figure.min(LARGEST);)+
                bounded
            }

            fn since(&self, before: &$record) -> $record {
                let mut since = *self;
                $(since.$figure = self.$figure.saturating_sub(before.$figure);)+
                since
            }

            fn and(&self, other: &$record) -> $record {
                let mut both = *self;
                $(both.$figure = self.$figure.saturating_add(other.$figure).min(LARGEST);)+
                both
            }

            fn is_nothing(&self) -> bool {
                $(self.$figure == 0)&&+
            }
        }
    )+};
}

bounded! {
    RegionSiteTotal: instances, elapsed, team_size_sum, work, barrier_wait, mutex_wait, task_wait,
        overhead, imbalance, gain, tasks_created, tasks_executed, task_work,
        implementation_barriers;
    MutexSiteTotal: acquisitions, contended, wait, longest_wait, hold;
    MutexSiteSampling: timed;
    TaskSiteTotal: created, executed, stolen, work, shortest, longest;
    TaskSiteSampling: seen, deviation;
    ConstructTotal: instances, entered, time, chunks, iterations, counted_iterations, barrier_wait,
        open_time, open_barrier_wait, open_instances;
    TargetSiteTotal: executions, elapsed, kernels, kernel_time, to_device, to_device_bytes,
        to_device_time, from_device, from_device_bytes, from_device_time, within, within_bytes,
        within_time, allocations, allocated_bytes, memory_time, host_wait, overlap;
    TargetEvent: duration, bytes;
    ThreadTotal: alive, work, idle, barrier_wait, mutex_wait, task_wait, overhead, serial_work,
        samples, missed, agent;
    CallSums: count, blocked;
    MpiThread: calls, work, serial, blocked_work, blocked_serial, queued_work, queued_serial;
    MpiCallTotal: count, elapsed, longest;
    MpiOpen: elapsed;
    CounterDifference: running, minor_faults, major_faults, left, taken, enabled, counting, cycles,
        instructions, cache_misses, stalls_frontend, stalls_backend, slots, retiring,
        bad_speculation, frontend_bound, backend_bound;
    ProcessCounters: minor_faults, major_faults, left, taken;
    Scheduling: running, runnable, blocked_work, blocked_serial;
}
