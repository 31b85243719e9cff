//! How many processors the process may use.
//!
//! The affinity mask costs one system call, made at once or by the first region with several
//! threads. The quota of the control groups is read from files, which takes as long as everything
//! else at start together. So it is read when something needs the number, or when a thread has
//! waited so long that it has nothing better to do.

use core::sync::atomic::Ordering::{Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize};
use omphalos_sys::control_group;
use omphalos_sys::cpus::{self, Mask};

/// The numbers of processors, as far as they are known.
pub struct Processors {
    /// The number of processors in the affinity mask, 0 = not asked for yet.
    mask: AtomicUsize,
    /// The mask cut by the quota, 0 = not read yet. Threads that read it at once find about the
    /// same.
    granted: AtomicUsize,
    /// The quota of the control groups, once it has been read; `usize::MAX`: none is known.
    quota: AtomicUsize,
    /// For debuggers: [`SEEN`], once it holds the affinity mask.
    seen: AtomicPtr<AtomicU64>,
}

omphalos_layout::describe!(Processors { mask, granted, seen });

/// The affinity mask that was seen first, with a bit for each processor.
static SEEN: [AtomicU64; Mask::WORDS] = [const { AtomicU64::new(0) }; Mask::WORDS];

impl Processors {
    /// Returns one processor, without a look at the system.
    pub const fn one() -> Processors {
        Processors::known_as(1, 1)
    }

    /// Returns the processors of the mask of the thread that asks first. Nothing is read yet.
    pub const fn later() -> Processors {
        Processors::known_as(0, 0)
    }

    const fn known_as(mask: usize, granted: usize) -> Processors {
        let quota = AtomicUsize::new(usize::MAX);
        let seen = AtomicPtr::new(core::ptr::null_mut());
        Processors { mask: AtomicUsize::new(mask), granted: AtomicUsize::new(granted), quota, seen }
    }

    /// Returns the processors of the calling thread's mask; the quota is not read yet.
    pub fn of_mask() -> Processors {
        let processors = Processors::later();
        processors.ask_kernel();
        processors
    }

    /// Returns `mask` processors. The quota is not read yet.
    pub fn of(mask: usize) -> Processors {
        Processors::known_as(mask, 0)
    }

    /// Returns the number of processors of the affinity mask, cut by the quota, at least 1.
    /// Async-signal-safe.
    pub fn count(&self) -> usize {
        match self.granted.load(Relaxed) {
            0 => self.find_out(),
            granted => granted,
        }
    }

    /// Returns the number of processors in the calling thread's mask at this moment, cut by the
    /// quota, at least 1.
    pub fn now(&self) -> usize {
        self.count();
        cpus::count().min(self.quota.load(Relaxed)).max(1)
    }

    /// Returns what [`Processors::count`] returns; until the quota has been read, the mask alone
    /// counts.
    #[inline(always)]
    pub fn known(&self) -> usize {
        match self.granted.load(Relaxed) {
            0 => self.of_mask_alone(),
            granted => granted,
        }
    }

    /// Whether there are certainly fewer processors than `threads`, without asking the system.
    pub fn fewer_known_than(&self, threads: usize) -> bool {
        let of_mask = self.mask.load(Relaxed);
        let granted = self.granted.load(Relaxed);
        of_mask != 0 && threads > if granted == 0 { of_mask } else { granted }
    }

    /// Notes the calling thread's mask, unless one is known. The caller has asked the system.
    pub fn note(&self, mask: &Mask) {
        if self.mask.load(Relaxed) == 0 {
            self.note_first(mask, mask.count());
        }
    }

    /// Notes that the mask has so many processors.
    fn note_first(&self, mask: &Mask, count: usize) {
        if self.mask.compare_exchange(0, count.max(1), Relaxed, Relaxed).is_ok() && count != 0 {
            SEEN.iter().zip(mask.words()).for_each(|(to, word)| to.store(*word, Relaxed));
            self.seen.store(SEEN.as_ptr().cast_mut(), Release);
        }
    }

    #[inline(always)]
    fn of_mask_alone(&self) -> usize {
        match self.mask.load(Relaxed) {
            0 => self.ask_kernel(),
            mask => mask,
        }
    }

    #[cold]
    fn ask_kernel(&self) -> usize {
        let mask = Mask::of_caller();
        let count = mask.count();
        if count == 0 {
            // The machine has more processors than such a mask.
            let _ = self.mask.compare_exchange(0, cpus::count(), Relaxed, Relaxed);
        }
        // Another thread that asks now may have another mask: one answer counts for all.
        self.note_first(&mask, count);
        self.mask.load(Relaxed)
    }

    #[cold]
    fn find_out(&self) -> usize {
        let mask = self.of_mask_alone();
        let quota = control_group::quota().unwrap_or(usize::MAX);
        self.quota.store(quota, Relaxed);
        let granted = quota.min(mask).max(1);
        self.granted.store(granted, Relaxed);
        granted
    }
}
