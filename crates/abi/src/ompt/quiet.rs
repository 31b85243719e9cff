//! A thread's tasks, counted and not told: an extension of this runtime's.

use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Relaxed, Release},
    compiler_fence,
};

/// Places of constructs that one thread counts at a time.
pub const OMPHALOS_QUIET_SITES: usize = 16;
/// Places where a construct may stand.
pub const OMPHALOS_QUIET_WAYS: usize = 4;

/// Tasks that a thread made at one place.
#[repr(C)]
#[derive(Default)]
pub struct omphalos_quiet_site_t {
    /// `codeptr_ra` of the construct, 0 = none. Written by the tool.
    pub codeptr_ra: AtomicU64,
    /// Tasks that the thread made here, also at places that stood here before: it never goes back.
    /// Written by the runtime.
    pub count: AtomicU64,
    /// The same of tasks that the thread ended and another one made, as their `mark` tells.
    pub foreign: AtomicU64,
}

/// What a thread counts its tasks in while a tool wants to be told of none.
///
/// While `quiet` is not 0 and no other tool is told of them, the thread has no `task_schedule` and,
/// for taskwait and taskgroup, no `sync_region` and `sync_region_wait`. A task that is made by a
/// construct that stands in `sites`, at an index that [`omphalos_quiet_t::places`] says, has no
/// `task_create` either: it is counted there, and its data word gets the construct's address and
/// `mark`. The end of a task with another `mark` is counted if the address in its word stands in
/// `sites`, and told if not. What must hold: only the thread itself and its signal handlers write
/// here; others may read.
#[repr(C)]
#[derive(Default)]
pub struct omphalos_quiet_t {
    /// Not 0: see the type.
    pub quiet: AtomicU32,
    /// 0.
    pub reserved: AtomicU32,
    /// Goes into the data words of tasks that are counted only, beside the lower 48 bits of the
    /// address.
    pub mark: AtomicU64,
    /// Where they are counted.
    pub sites: [omphalos_quiet_site_t; OMPHALOS_QUIET_SITES],
}

impl omphalos_quiet_t {
    /// Where a place may stand: several, so that constructs whose numbers meet by chance need not
    /// drive each other out.
    pub fn places(codeptr: u64) -> impl Iterator<Item = usize> {
        let first = (codeptr.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize;
        (0..OMPHALOS_QUIET_WAYS).map(move |way| (first ^ way) % OMPHALOS_QUIET_SITES)
    }

    /// Tasks counted so far, at all places. For any thread.
    pub fn counted(&self) -> u64 {
        self.sites.iter().map(|site| site.count.load(Relaxed)).sum()
    }

    /// Begins or ends the time in which tasks are counted only. By the thread itself.
    #[inline]
    pub fn set_quiet(&self, quiet: bool) {
        // What a signal handler of the thread finds: the places first.
        compiler_fence(Release);
        self.quiet.store(u32::from(quiet), Relaxed);
    }
}
