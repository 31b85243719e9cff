//! The limits of all rules of the diagnosis.

use std::ops::RangeInclusive;

/// A disease must cost at least this much of the elapsed time …
pub(super) const LEAST_SHARE: f64 = 0.05;
/// … and this long, ns: a run of a few milliseconds has no diseases.
pub(super) const LEAST_COST: u64 = 20_000_000;
/// The largest disease of a shorter run is named as a doubt, if it costs this much, ns …
pub(super) const LEAST_BRIEF_COST: u64 = 4_000_000;
/// … and this share of the elapsed time.
pub(super) const BRIEF_SHARE: f64 = 0.20;

/// Imbalance: the gain as a share of the region's own elapsed time.
pub(super) const IMBALANCE_SHARE: f64 = 0.10;
/// On a busy machine threads work unequally long because they are not let run. It shows where
/// threads have a CPU for less than this share of their work time …
pub(crate) const BUSY: f64 = 0.85;
/// … and imbalance must exceed its share by this part of the share of the time in which the threads
/// were kept from running.
pub(super) const BUSY_ALLOWANCE: f64 = 0.5;
/// Imbalance between barriers: the barrier wait as a share of all threads' time in the region.
pub(super) const BARRIER_SHARE: f64 = 0.25;
/// The same for those waits of which the region's other figures show no other cause.
pub(super) const PHASES_SHARE: f64 = 0.15;
/// A construct inside of the region is named if this share of the barrier wait is behind it.
pub(super) const AWAITED_SHARE: f64 = 0.60;
/// If none has that share, several are named that have at least this share each.
pub(super) const AWAITED_IN_PART: f64 = 0.25;
/// One thread does nearly all of the work where the others do no more than this share of it.
pub(super) const BY_OTHERS: f64 = 0.05;
/// A loop has few iterations below this number for each thread.
pub(super) const FEW_ITERATIONS: f64 = 2.0;
/// Mutexes: the wait as a share of all threads' lives.
pub(super) const MUTEX_SHARE: f64 = 0.08;
/// Serial time as a share of the elapsed time.
pub(super) const SERIAL_SHARE: f64 = 0.25;
/// Tasks are small below this mean work, ns …
pub(super) const SMALL_TASK: f64 = 10_000.0;
/// … matter from this number on …
pub(super) const MANY_TASKS: u64 = 1_000;
/// … and hurt when less than this share of the threads' time in the region is spent in them.
pub(super) const TASK_WORK_SHARE: f64 = 0.60;
/// The most that making and scheduling one task may cost in the estimate of the loss, ns.
pub(super) const TASK_COST: u64 = 5_000;
/// A task is long if it takes so many times the mean of its region's tasks.
pub(super) const LONG_TASK: f64 = 4.0;
/// Tasks of a construct run one at a time where they add up to this share of the region's elapsed
/// time.
pub(super) const ONE_AT_A_TIME: RangeInclusive<f64> = 0.8..=1.02;
/// Regions are tiny below this mean elapsed time, ns …
pub(super) const TINY_REGION: f64 = 100_000.0;
/// … or below this mean work of one thread, ns, however long it then waits …
pub(super) const TINY_WORK: f64 = 20_000.0;
/// (less than this, ns, is less than a team needs to meet, even where other programs have the CPUs)
pub(super) const SURELY_TINY_WORK: f64 = 2_000.0;
/// … matter from this number of instances on …
pub(super) const MANY_REGIONS: u64 = 1_000;
/// … and hurt when at least this share of the team's time is no work.
pub(super) const TINY_REGION_LOSS: f64 = 0.25;
/// Meeting inside a region hurts when it costs at least this share of the team's time, without the
/// cost of profiling, where no other program has the CPUs.
pub(super) const MEETING_LOSS: f64 = 0.10;
/// Waits for mutexes are the cause of unequal work where they are this share of a region's waits.
pub(super) const OF_MUTEX: f64 = 0.80;
/// Sleeping in calls as a share of all threads' time in a region, or of the elapsed time.
pub(super) const BLOCKED_SHARE: f64 = 0.10;
/// The runtime's own work as a share of all threads' time in the region.
pub(super) const OVERHEAD_SHARE: f64 = 0.25;
/// Handing out chunks takes this share of all threads' time in the region: larger chunks give it
/// back …
pub(super) const CHUNKS_SHARE: f64 = 0.10;
/// … where a thread gets so many of an instance or more.
pub(super) const MANY_CHUNKS: u64 = 16;
/// The most that a thread takes to enter and leave a region where it has a CPU, ns.
pub(super) const JOINING: u64 = 100_000;
/// Instructions that wait for cache lines, as a share of OpenMP Work.
pub(super) const SHARED_SHARE: f64 = 0.10;
/// First accesses to pages, as a share of OpenMP Work: every program has some of its memory for the
/// first time.
pub(super) const FAULTS_SHARE: f64 = 0.25;
/// Instructions that use memory of another NUMA node, as a share of OpenMP Work …
pub(super) const FAR_SHARE: f64 = 0.25;
/// … where this share of that memory lies on one node.
pub(super) const ONE_NODE: f64 = 0.75;
/// Calls of MPI as a share of the elapsed time.
pub(super) const MPI_SHARE: f64 = 0.05;
/// Nested or oversubscribed regions must take this share of the elapsed time.
pub(super) const NESTED_SHARE: f64 = 0.10;

/// Waking a thread, and giving its CPU to another one, takes a good part of this time, ns.
pub(super) const WORTH_WAKING: f64 = 100_000.0;
