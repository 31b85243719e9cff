//! The ICVs of a data environment.

use super::{Level, settings};

/// thread-limit-var when it was not set.
pub const NO_LIMIT: u32 = i32::MAX as u32;

/// The ICVs of a data environment. Compared at every fork, so kept small, and without gaps.
#[derive(Clone, Copy, Debug, Eq)]
#[repr(C)]
pub struct Icvs {
    /// nthreads-var at this level, at least 1.
    pub nthreads: u32,
    /// bind-var at this level: `omp_proc_bind_t`.
    pub bind: u32,
    /// nthreads-var below this level, if a `num_threads` clause gave a list.
    pub deeper: Option<&'static Level>,
    /// max-active-levels-var.
    pub max_active_levels: u32,
    /// thread-limit-var, from 1 to the largest `int`.
    pub thread_limit: u32,
    /// run-sched-var: `omp_sched_t` with the monotonic bit, and the chunk (0 = default).
    pub schedule: (u32, u32),
    /// default-device-var.
    pub default_device: i32,
    /// dyn-var.
    pub dynamic: bool,
    _no_gap: [u8; 3],
    /// def-allocator-var: an `omp_allocator_handle_t`.
    pub allocator: usize,
}

/// [`Icvs`] as words. To compare field by field takes thirty instructions, and to compare two
/// arrays takes a call of `memcmp`. To collect all differences in one word takes a dozen.
type Words = [u64; 6];
const _: () = assert!(size_of::<Icvs>() == size_of::<Words>());

impl PartialEq for Icvs {
    #[inline(always)]
    fn eq(&self, other: &Icvs) -> bool {
        // SAFETY: the fields fill the structure, as their sizes say: 7 times 4, 1 and 3, twice 8.
        // It is aligned like a word.
        let words = |icvs: &Icvs| unsafe { *core::ptr::from_ref(icvs).cast::<Words>() };
        let (one, other) = (words(self), words(other));
        let mut difference = 0;
        for at in 0..one.len() {
            difference |= one[at] ^ other[at];
        }
        difference == 0
    }
}

omphalos_layout::describe!(Icvs {
    nthreads,
    deeper,
    dynamic,
    max_active_levels,
    thread_limit,
    schedule.0,
    schedule.1,
    bind,
    default_device,
    allocator
});

impl Icvs {
    /// Returns the ICVs that hold before the settings are read.
    pub const fn initial() -> Icvs {
        Icvs {
            nthreads: 1,
            bind: 0,
            deeper: None,
            max_active_levels: 1,
            thread_limit: NO_LIMIT,
            schedule: (1, 0),
            default_device: 0,
            dynamic: false,
            _no_gap: [0; 3],
            allocator: 1,
        }
    }

    /// Whether the implicit tasks of a region at `level` inherit other ICVs
    /// ([`for_region`](Icvs::for_region)).
    #[inline(always)]
    pub fn depend_on(&self, level: u32) -> bool {
        let (settings, level) = (settings(), level as usize);
        self.deeper.is_some()
            || level < settings.deeper_nthreads.len()
            || level < settings.deeper_bind.len()
    }

    /// Returns the ICVs that the implicit tasks of a region at `level` inherit (OpenMP 5.2, section
    /// 2.4: the first elements of nthreads-var and bind-var are used up by the enclosing levels).
    #[inline(always)]
    pub fn for_region(&self, level: u32) -> Icvs {
        let mut icvs = *self;
        let settings = settings();
        if let Some(below) = self.deeper {
            icvs.nthreads = below.threads();
            icvs.deeper = Some(below.deeper());
        } else if let Some(&nthreads) = settings.deeper_nthreads.get(level as usize) {
            icvs.nthreads = nthreads;
        }
        if let Some(&bind) = settings.deeper_bind.get(level as usize) {
            icvs.bind = bind;
        }
        icvs
    }
}
