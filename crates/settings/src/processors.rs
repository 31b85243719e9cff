//! How many processors the process may use.
//!
//! The affinity mask costs one system call, made at once or by the first region with several
//! threads. The quota of the control groups is read from files, which takes as long as everything
//! else at start together. So it is read when something needs the number, or when a thread has
//! waited so long that it has nothing better to do.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use omphalos_sys::cpus;

/// See the module.
pub struct Processors {
    /// Those of the affinity mask, 0 = not asked for yet.
    mask: AtomicUsize,
    /// The mask cut by the quota, 0 = not read yet. Threads that read it at once find about the
    /// same.
    granted: AtomicUsize,
    /// The quota, as long as it is read.
    quota: AtomicUsize,
}

omphalos_layout::describe!(Processors { mask, granted });

impl Processors {
    /// One processor, without a look at the system.
    pub const fn one() -> Processors {
        Processors::known_as(1, 1)
    }

    /// Those of the mask of the thread that first asks. Nothing is read yet.
    pub const fn later() -> Processors {
        Processors::known_as(0, 0)
    }

    const fn known_as(mask: usize, granted: usize) -> Processors {
        let quota = AtomicUsize::new(usize::MAX);
        Processors { mask: AtomicUsize::new(mask), granted: AtomicUsize::new(granted), quota }
    }

    /// Those of the calling thread's mask; the quota is not read yet.
    pub fn of_mask() -> Processors {
        Processors::of(cpus::count())
    }

    /// `mask` processors. The quota is not read yet.
    pub fn of(mask: usize) -> Processors {
        Processors::known_as(mask, 0)
    }

    /// The processors of the affinity mask, cut by the control groups' quota, at least 1.
    /// Async-signal-safe.
    pub fn count(&self) -> usize {
        match self.granted.load(Relaxed) {
            0 => self.find_out(),
            granted => granted,
        }
    }

    /// Those of the mask that the calling thread has at this moment, cut by the quota, at least 1.
    pub fn now(&self) -> usize {
        self.count();
        cpus::count().min(self.quota.load(Relaxed)).max(1)
    }

    /// As [`Processors::count`], by the mask alone until the quota has been read.
    #[inline(always)]
    pub fn known(&self) -> usize {
        match self.granted.load(Relaxed) {
            0 => self.of_mask_alone(),
            granted => granted,
        }
    }

    /// Whether there are certainly no more than `threads`, without asking the system.
    pub fn fewer_known_than(&self, threads: usize) -> bool {
        let of_mask = self.mask.load(Relaxed);
        let granted = self.granted.load(Relaxed);
        of_mask != 0 && threads > if granted == 0 { of_mask } else { granted }
    }

    /// Notes how many processors the calling thread's mask has, unless that is known. The caller
    /// has asked the system.
    pub fn note(&self, mask: usize) {
        let _ = self.mask.compare_exchange(0, mask.max(1), Relaxed, Relaxed);
    }

    #[inline(always)]
    fn of_mask_alone(&self) -> usize {
        match self.mask.load(Relaxed) {
            0 => self.ask(),
            mask => mask,
        }
    }

    #[cold]
    fn ask(&self) -> usize {
        let mask = cpus::count();
        // Another thread that asks now may have another mask: one answer counts for all.
        match self.mask.compare_exchange(0, mask, Relaxed, Relaxed) {
            Ok(_) => mask,
            Err(first) => first,
        }
    }

    #[cold]
    fn find_out(&self) -> usize {
        let mask = self.of_mask_alone();
        let quota = cpus::quota().unwrap_or(usize::MAX);
        self.quota.store(quota, Relaxed);
        let granted = quota.min(mask).max(1);
        self.granted.store(granted, Relaxed);
        granted
    }
}
