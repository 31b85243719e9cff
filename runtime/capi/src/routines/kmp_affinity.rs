//! `kmp_*_affinity*`: masks of processors, which a program builds and to which it binds threads.

use core::ffi::{c_int, c_void};
use omphalos_engine::{Thread, affinity};
use omphalos_sys::cpus;

/// Processors that fit a mask.
const PROCESSORS_IN_A_MASK: usize = 8192;

/// The processors of a `kmp_affinity_mask_t`, which is a pointer to this.
struct Mask {
    words: [u64; PROCESSORS_IN_A_MASK / 64],
}

impl Mask {
    fn cpus(&self) -> Vec<usize> {
        (0..PROCESSORS_IN_A_MASK)
            .filter(|&cpu| self.words[cpu / 64] >> (cpu % 64) & 1 == 1)
            .collect()
    }
}

/// # Safety
/// `mask` must be null or point to a mask that `kmp_create_affinity_mask` made and that no other
/// thread uses now.
unsafe fn at<'a>(mask: *mut *mut c_void) -> Option<&'a mut Mask> {
    if mask.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    unsafe { (*mask).cast::<Mask>().as_mut() }
}

fn max_proc() -> c_int {
    omphalos_sys::cpus::configured().clamp(1, PROCESSORS_IN_A_MASK) as c_int
}

omphalos_sys::exported_routines! {
    /// One more than the highest processor number.
    kmp_get_affinity_max_proc() -> c_int = max_proc();
    /// The Fortran name.
    kmp_get_affinity_max_proc_() -> c_int = max_proc();
    /// Makes an empty mask.
    kmp_create_affinity_mask(mask: *mut *mut c_void) = {
        let fresh = Box::new(Mask { words: [0; PROCESSORS_IN_A_MASK / 64] });
        mask.write(Box::into_raw(fresh).cast());
    };
    /// Frees a mask.
    kmp_destroy_affinity_mask(mask: *mut *mut c_void) = {
        if at(mask).is_some() {
            drop(Box::from_raw((*mask).cast::<Mask>()));
            mask.write(core::ptr::null_mut());
        }
    };
}

/// Binds the calling thread; 0 if that went well. The thread then has no place of the place list.
///
/// # Safety
/// `mask` must point to a mask that `kmp_create_affinity_mask` made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_set_affinity(mask: *mut *mut c_void) -> c_int {
    // SAFETY: the caller's promise.
    let Some(mask) = (unsafe { at(mask) }) else { return -1 };
    let cpus = mask.cpus();
    if cpus.is_empty() || !cpus::bind(0, &cpus) {
        return -1;
    }
    affinity::forget_place(Thread::current());
    0
}

/// Binds the calling thread to the processors of all places that threads are bound to, or without
/// places to those of the process's first thread. 0 if that went well, -1 for a thread that OpenMP
/// does not know.
#[unsafe(no_mangle)]
pub extern "C" fn kmp_set_thread_affinity_mask_initial() -> c_int {
    let Some(thread) = Thread::known() else { return -1 };
    let all = match omphalos_settings::settings().places.as_ref() {
        Some(places) => (0..places.count() as i32).flat_map(|p| places.cpus(p)).copied().collect(),
        None => cpus::affinity_of(std::process::id() as i32),
    };
    if all.is_empty() || !cpus::bind(0, &all) {
        return -1;
    }
    affinity::forget_place(thread);
    0
}

/// Fills the mask with the processors that the calling thread is bound to; 0 if that went well.
///
/// # Safety
/// `mask` must point to a mask that `kmp_create_affinity_mask` made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_get_affinity(mask: *mut *mut c_void) -> c_int {
    // SAFETY: the caller's promise.
    let Some(mask) = (unsafe { at(mask) }) else { return -1 };
    mask.words = [0; PROCESSORS_IN_A_MASK / 64];
    for cpu in cpus::affinity().into_iter().filter(|&cpu| cpu < PROCESSORS_IN_A_MASK) {
        mask.words[cpu / 64] |= 1 << (cpu % 64);
    }
    0
}

/// Returns the mask and a processor's place in it.
///
/// # Safety
/// As for `at`.
unsafe fn bit<'a>(cpu: c_int, mask: *mut *mut c_void) -> Option<(&'a mut u64, u64)> {
    let cpu = usize::try_from(cpu).ok().filter(|&cpu| cpu < max_proc() as usize)?;
    // SAFETY: the caller's promise.
    let mask = unsafe { at(mask) }?;
    Some((&mut mask.words[cpu / 64], 1 << (cpu % 64)))
}

// A mask is an integer of a pointer's size in Fortran, so Fortran passes the same address as C.
omphalos_sys::exported_routines! {
    /// The Fortran name.
    kmp_create_affinity_mask_(mask: *mut *mut c_void) = kmp_create_affinity_mask(mask);
    /// The Fortran name.
    kmp_destroy_affinity_mask_(mask: *mut *mut c_void) = kmp_destroy_affinity_mask(mask);
    /// The Fortran name.
    kmp_set_affinity_(mask: *mut *mut c_void) -> c_int = kmp_set_affinity(mask);
    /// The Fortran name.
    kmp_get_affinity_(mask: *mut *mut c_void) -> c_int = kmp_get_affinity(mask);
    /// Adds a processor; 0, or -1 if there is no such processor.
    kmp_set_affinity_mask_proc(cpu: c_int, mask: *mut *mut c_void) -> c_int
        = bit(cpu, mask).map_or(-1, |(word, bit)| {
            *word |= bit;
            0
        });
    /// Takes a processor out; 0, or -1 if there is no such processor.
    kmp_unset_affinity_mask_proc(cpu: c_int, mask: *mut *mut c_void) -> c_int
        = bit(cpu, mask).map_or(-1, |(word, bit)| {
            *word &= !bit;
            0
        });
    /// Whether a processor is in the mask; -1 if there is no such processor.
    kmp_get_affinity_mask_proc(cpu: c_int, mask: *mut *mut c_void) -> c_int
        = bit(cpu, mask).map_or(-1, |(word, bit)| c_int::from(*word & bit != 0));
    /// The second C name.
    kmpc_set_affinity_mask_proc(cpu: c_int, mask: *mut *mut c_void) -> c_int
        = kmp_set_affinity_mask_proc(cpu, mask);
    /// The Fortran name.
    kmp_set_affinity_mask_proc_(cpu: *const c_int, mask: *mut *mut c_void) -> c_int
        = kmp_set_affinity_mask_proc(*cpu, mask);
    /// The second C name.
    kmpc_unset_affinity_mask_proc(cpu: c_int, mask: *mut *mut c_void) -> c_int
        = kmp_unset_affinity_mask_proc(cpu, mask);
    /// The Fortran name.
    kmp_unset_affinity_mask_proc_(cpu: *const c_int, mask: *mut *mut c_void) -> c_int
        = kmp_unset_affinity_mask_proc(*cpu, mask);
    /// The second C name.
    kmpc_get_affinity_mask_proc(cpu: c_int, mask: *mut *mut c_void) -> c_int
        = kmp_get_affinity_mask_proc(cpu, mask);
    /// The Fortran name.
    kmp_get_affinity_mask_proc_(cpu: *const c_int, mask: *mut *mut c_void) -> c_int
        = kmp_get_affinity_mask_proc(*cpu, mask);
}
