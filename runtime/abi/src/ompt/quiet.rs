//! A thread's tasks, counted and not told: an extension of OMPT that only Omphalos has.
//!
//! A tool may want to know how many small tasks there are, without an event for each of them. It
//! asks `omphalos_quiet_counts` for the calling thread's [`omphalos_quiet_t`], enters the
//! constructs that it knows in `sites`, and sets `quiet`. From then on the runtime counts there.
//!
//! Who uses it: the agent of `omphalos profile` (`accounting/counts.rs`) is the tool. The runtime
//! has the same memory as `omphalos_events::QuietTasks`; `omphalos-tools` hands it out and asserts
//! that both have the same layout.
//!
//! What must hold: both sides look for a construct at the same indices
//! ([`omphalos_quiet_t::places`] here, `QuietTasks::place` there).

use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Relaxed, Release},
    compiler_fence,
};

/// Constructs whose tasks one thread counts at a time: the length of `sites`.
pub const OMPHALOS_QUIET_SITES: usize = 16;
/// Indices in `sites` at which one construct may stand.
pub const OMPHALOS_QUIET_WAYS: usize = 4;

/// A construct, and how many of its tasks a thread counted.
#[repr(C)]
#[derive(Default)]
pub struct omphalos_quiet_site_t {
    /// `codeptr_ra` of the construct, 0 = none. Written by the tool.
    pub codeptr_ra: AtomicU64,
    /// Tasks that the thread made at this construct, and at those that stood here before it: the
    /// number never decreases. Written by the runtime.
    pub count: AtomicU64,
    /// Tasks that the thread ended and another thread made: their data words have another `mark`.
    /// Else as `count`.
    pub foreign: AtomicU64,
}

/// A thread's counts of tasks, for a tool that wants to be told of none.
///
/// While `quiet` is not 0 and no other tool wants these events, the thread's tools are told of
/// less:
///
/// - no `task_schedule` but the last one below, and no `sync_region` and `sync_region_wait` of
///   taskwait and taskgroup;
/// - no `task_create` of a task whose construct stands in `sites`. The task is counted there, and
///   its data word gets the construct's address and `mark`;
/// - the end of a task with another `mark` only if the address in its data word does not stand in
///   `sites`. Otherwise the task is counted in `foreign`.
///
/// What must hold: only the thread itself and its signal handlers write here, the tool's code and
/// the runtime's alike. Other threads may read.
#[repr(C)]
#[derive(Default)]
pub struct omphalos_quiet_t {
    /// Not 0: the thread is quiet, as the type says. Written by the tool.
    pub quiet: AtomicU32,
    /// Not 0: without a tool, the task that was counted last would have taken a much shorter way
    /// through the runtime. Written by the runtime.
    pub is_longer: AtomicU32,
    /// A mark for the data words of tasks that are only counted. It stands above the lower 48 bits,
    /// which have the construct's address. Each thread has another mark. Written by the tool.
    pub mark: AtomicU64,
    /// The counts of the constructs.
    pub sites: [omphalos_quiet_site_t; OMPHALOS_QUIET_SITES],
}

impl omphalos_quiet_t {
    /// Returns the indices in `sites` at which a construct may stand. There are several, so that
    /// constructs with the same hash need not drive each other out.
    pub fn places(codeptr: u64) -> impl Iterator<Item = usize> {
        let first = (codeptr.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize;
        (0..OMPHALOS_QUIET_WAYS).map(move |way| (first ^ way) % OMPHALOS_QUIET_SITES)
    }

    /// Tasks counted so far in `count`, at all sites. Any thread may call it.
    pub fn counted(&self) -> u64 {
        self.sites.iter().map(|site| site.count.load(Relaxed)).sum()
    }

    /// Begins or ends the time in which tasks are counted only. The thread itself calls it.
    #[inline]
    pub fn set_quiet(&self, quiet: bool) {
        // A signal handler of the thread that finds `quiet` set finds the sites, too.
        compiler_fence(Release);
        self.quiet.store(u32::from(quiet), Relaxed);
    }
}
