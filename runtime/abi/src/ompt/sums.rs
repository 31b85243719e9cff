//! Regions that the runtime times and sums, and does not tell: an extension of OMPT that only
//! Omphalos has.
//!
//! A tool may want to know the totals of very short regions, without an event for each of them. It
//! asks `omphalos_sums` for the calling thread's [`omphalos_sums_t`], enters the regions that it
//! knows in `sites`, and sets `on`. From then on the runtime sums their times there.
//!
//! The agent of `omphalos profile` is the tool that uses it (`accounting/summed.rs`,
//! `tool/summed.rs`). The runtime has the same memory as `omphalos_events::Sums`;
//! `omphalos-tools` hands it out and asserts that both have the same layout. Times are time-stamp
//! cycles.

use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize};

/// Sites that one thread adds up at a time: the length of `sites`.
pub const OMPHALOS_SUM_SITES: usize = 64;
/// Indices in `sites` at which one site may stand.
pub const OMPHALOS_SUM_WAYS: usize = 4;

/// Times of threads: in the program's code, in the wait at a region's end, and on the way into the
/// region.
#[repr(C)]
#[derive(Default)]
pub struct omphalos_times_t {
    /// In the program's code, without the work whose end the tool was told ([`omphalos_sums_t`]).
    pub work: AtomicU64,
    /// Behind that, until the primary thread was through the barrier at the region's end.
    pub wait: AtomicU64,
    /// From the fork to the begin of the work.
    pub overhead: AtomicU64,
}

/// A site of regions, and the totals of its summed regions.
#[repr(C)]
#[derive(Default)]
pub struct omphalos_sum_site_t {
    /// The address of the regions' outlined code, 0 = none. Written by the tool, last.
    pub function: AtomicU64,
    /// Their `codeptr_ra`. Written by the tool.
    pub codeptr_ra: AtomicU64,
    /// The answer of `omphalos_summed`. Written by the tool.
    pub word: AtomicU64,
    /// The number of regions that are summed before one is told. Written by the tool; the runtime
    /// counts it down.
    pub left: AtomicU64,
    /// Regions. The runtime writes this and the fields below, which never decrease.
    pub instances: AtomicU64,
    /// From fork to join.
    pub elapsed: AtomicU64,
    /// Threads of their teams.
    pub team: AtomicU64,
    /// Over all threads.
    pub times: omphalos_times_t,
    /// The excess of the longest-running thread over the mean of all, times the team's size.
    pub imbalance: AtomicU64,
    /// The sum of each region's excess divided by its team's size.
    pub gain: AtomicU64,
}

/// A thread's part in summed regions.
///
/// While `on` is not 0 and there is no other tool, no `parallel_begin`, `parallel_end`,
/// `implicit_task`, `sync_region` and `sync_region_wait` tell of outermost regions of the thread
/// at `sites`. A region is told on all its threads or on none. Events inside it are told as ever.
///
/// What must hold: only the thread itself and its signal handlers write here, the tool's code and
/// the runtime's alike. Other threads may read.
#[repr(C)]
#[derive(Default)]
pub struct omphalos_sums_t {
    /// Not 0: regions at `sites` are not told. Written by the tool.
    pub on: AtomicU32,
    /// Not 0: `ended` is called at the end of the work that the thread is in. Written by the tool.
    pub known: AtomicU32,
    /// Odd while the thread is at work in such a region. It never decreases.
    pub turns: AtomicU64,
    /// When that work began.
    pub since: AtomicU64,
    /// The word of its site.
    pub word: AtomicU64,
    /// The thread's number in the team.
    pub number: AtomicU64,
    /// `ended` is called for work that is longer than this, and a region that begins so long after
    /// the one before is told. Written by the tool.
    pub longest: AtomicU64,
    /// An [`omphalos_ended_t`], as an integer. Written by the tool.
    pub ended: AtomicUsize,
    /// The thread's totals as a worker; null if it was none.
    pub as_worker: AtomicPtr<omphalos_times_t>,
    /// The thread's totals in its own regions.
    pub own: omphalos_times_t,
    /// The begin of the thread's latest summed region.
    pub begun: AtomicU64,
    reserved: AtomicU64,
    /// The end of the latest one. Less than `begun` while the thread is in one.
    pub over: AtomicU64,
    /// The sites of regions that the thread begins: an array of `OMPHALOS_SUM_SITES` that stays;
    /// null: none. Written by the tool.
    pub sites: AtomicPtr<omphalos_sum_site_t>,
}

/// Called at the end of work in a summed region, with the begin and the end of the work. Returns
/// how long the thread ran in it. Time that is told in this way is not in `work` of the runtime's
/// sums. With 0 for both the thread leaves a region that had tasks.
pub type omphalos_ended_t = unsafe extern "C" fn(since: u64, until: u64) -> u64;

impl omphalos_sums_t {
    /// Returns the indices in `sites` at which a site may stand.
    pub fn places(function: u64) -> impl Iterator<Item = usize> {
        let first = (function.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
        (0..OMPHALOS_SUM_WAYS).map(move |way| (first ^ way) % OMPHALOS_SUM_SITES)
    }
}
