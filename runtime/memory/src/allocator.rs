//! Allocators. A predefined one is a small number, any other the address of its record.

use crate::played::{OF_DEFAULT_DEVICE, default_device};
use crate::{device, partition};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use omphalos_engine::{Thread, icv};
use omphalos_sync::settled::Settled;

/// `omp_allocator_handle_t`.
pub type Handle = usize;
/// `omp_null_allocator`.
pub const NULL: Handle = 0;
/// `omp_default_mem_alloc`.
pub const DEFAULT: Handle = 1;
/// Handles up to this one are no addresses (LLVM's target allocators are 100 to 102).
const LAST_NUMBER: Handle = 4095;

/// `omp_alloctrait_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Trait {
    key: i32,
    value: usize,
}

/// The allocator's fallback when memory runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// The default allocator (the default).
    Default,
    /// Null.
    Null,
    /// The program ends.
    Abort,
    /// Another allocator.
    Other(Handle),
}

/// An allocator with traits. A device library reads the first fields, which are those of LLVM's.
#[repr(C)]
pub struct Allocator {
    /// The memory space; 0 for the host's memory.
    pub space: Handle,
    /// Always null: in LLVM's record this names another library's kind of memory.
    kind: usize,
    /// The least alignment, a power of two.
    pub alignment: usize,
    /// The most bytes that may be in use at once.
    pub pool: usize,
    /// The number of bytes in use. Threads that allocate and free write it.
    pub used: AtomicUsize,
    /// The allocator's fallback when memory runs out.
    pub fallback: Fallback,
    /// Whether pages stay in memory.
    pub pinned: bool,
    /// The partitioner that divides an allocation into parts, if there is one.
    pub partitioned: Option<Partitioned>,
}

/// The arguments of an allocator's partitioner (`partition.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partitioned {
    partitioner: usize,
    /// The memory space that the program named.
    space: Handle,
    argument: usize,
}

impl Partitioned {
    /// Returns the alignment that the parts of an allocation need.
    pub fn alignment(self, size: usize) -> usize {
        partition::alignment(self.partitioner, self.space, size, self.argument)
    }
}

/// The traits of the predefined allocators.
static PLAIN: Allocator = plain(0);

/// Returns an allocator without traits, in this memory space.
const fn plain(space: Handle) -> Allocator {
    Allocator {
        space,
        kind: 0,
        alignment: 16,
        pool: usize::MAX,
        used: AtomicUsize::new(0),
        fallback: Fallback::Null,
        pinned: false,
        partitioned: None,
    }
}

/// LLVM's allocators of the default device's memory, and of memory that it shares with the host.
const OF_DEVICES: [Handle; 2] = [100, 102];

/// Returns the allocator of a device's memory: the host's memory where the runtime plays no
/// devices.
#[cold]
fn of_device() -> &'static Allocator {
    static OF_DEVICE: Allocator = plain(OF_DEFAULT_DEVICE);
    if default_device().is_some() { &OF_DEVICE } else { &PLAIN }
}

impl Allocator {
    /// Returns the allocator of a handle. The null handle means the calling task's default.
    pub fn of(handle: Handle) -> &'static Allocator {
        let handle = if handle == NULL { default() } else { handle };
        if handle == omphalos_settings::ENVIRONMENT_ALLOCATOR {
            return from_environment();
        }
        if handle <= LAST_NUMBER {
            return if OF_DEVICES.contains(&handle) { of_device() } else { &PLAIN };
        }
        // SAFETY: any other handle comes from `make`, and a program keeps an allocator until its
        // last use.
        unsafe { &*(handle as *const Allocator) }
    }

    /// Takes `bytes` from the pool. Returns false if they do not fit.
    pub fn take(&self, bytes: usize) -> bool {
        if self.pool == usize::MAX {
            return true;
        }
        let fits = |used: usize| used.checked_add(bytes).filter(|&sum| sum <= self.pool);
        self.used.try_update(Relaxed, Relaxed, fits).is_ok()
    }

    /// Takes back `bytes` that were given back for a moment, even if they do not fit any more.
    pub fn take_back(&self, bytes: usize) {
        if self.pool != usize::MAX {
            self.used.fetch_add(bytes, Relaxed);
        }
    }

    /// Gives `bytes` back to the pool.
    pub fn give_back(&self, bytes: usize) {
        if self.pool != usize::MAX {
            self.used.fetch_sub(bytes, Relaxed);
        }
    }
}

/// Returns the allocator that `OMP_ALLOCATOR` describes by a memory space and traits.
#[cold]
fn from_environment() -> &'static Allocator {
    static MADE: Settled<Option<Allocator>> = Settled::new();
    let make = || {
        let traits = &omphalos_settings::settings().allocator_traits;
        let traits: Vec<Trait> = traits.iter().map(|&(key, value)| Trait { key, value }).collect();
        read(&traits)
    };
    MADE.get_or(make).as_ref().unwrap_or(&PLAIN)
}

/// Makes an allocator for a memory space. Returns null if a trait is not valid.
pub fn make(space: Handle, traits: &[Trait]) -> Handle {
    match read(traits) {
        Some(mut allocator) => {
            if device::is_space(space) {
                allocator.space = space;
            }
            if let Some(partitioned) = &mut allocator.partitioned {
                partitioned.space = space;
            }
            Box::into_raw(Box::new(allocator)) as Handle
        }
        None => NULL,
    }
}

/// Frees an allocator that `make` made; predefined ones stay.
///
/// # Safety
/// No block of it may be in use.
pub unsafe fn destroy(handle: Handle) {
    if handle > LAST_NUMBER {
        // SAFETY: such handles come from `make`.
        drop(unsafe { Box::from_raw(handle as *mut Allocator) });
    }
}

/// Returns def-allocator-var of the calling task.
pub fn default() -> Handle {
    Thread::current().task().icvs().allocator
}

/// Sets def-allocator-var of the calling task.
pub fn set_default(handle: Handle) {
    let handle = if handle == NULL { DEFAULT } else { handle };
    icv::change(Thread::current(), |icvs| icvs.allocator = handle);
}

/// Reads traits (OpenMP 5.2, table 6.2; OpenMP 6.0, table 8.2).
fn read(traits: &[Trait]) -> Option<Allocator> {
    let mut allocator = Allocator {
        space: 0,
        kind: 0,
        alignment: 16,
        pool: usize::MAX,
        used: AtomicUsize::new(0),
        fallback: Fallback::Default,
        pinned: false,
        partitioned: None,
    };
    let mut data = NULL;
    let (mut asks, mut partitioner, mut argument) = (false, 0, 0);
    for &Trait { key, value } in traits {
        // `omp_atv_default`.
        if value == usize::MAX {
            continue;
        }
        match (key, value) {
            // Synchronisation hints and access: every allocator serves all threads.
            (1, 3..=6) | (3, 7..=10 | 19 | 22) => {}
            (2, _) if value.is_power_of_two() => allocator.alignment = value.max(16),
            (4, 1..) => allocator.pool = value,
            (5, 11) => allocator.fallback = Fallback::Default,
            (5, 12) => allocator.fallback = Fallback::Null,
            (5, 13) => allocator.fallback = Fallback::Abort,
            (5, 14) => allocator.fallback = Fallback::Other(NULL),
            (6, _) => data = value,
            (7, 0 | 1) => allocator.pinned = value == 1,
            // Partition: the system places pages.
            (8, 15..=18) => {}
            (8, 23) => asks = true,
            (15, _) => partitioner = value,
            (16, _) => argument = value,
            // OpenMP 6.0: devices, who has access, scope of atomic operations, size of parts. There
            // is only the host's memory, and every thread reaches it.
            (9..=14, _) => {}
            _ => return None,
        }
    }
    if asks {
        let partitioner = Some(partitioner).filter(|&word| word != 0)?;
        allocator.partitioned = Some(Partitioned { partitioner, space: 0, argument });
    }
    if let Fallback::Other(_) = allocator.fallback {
        allocator.fallback = Fallback::Other(Some(data).filter(|&data| data != NULL)?);
    }
    Some(allocator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits() {
        let it = |key, value| Trait { key, value };
        let allocator = read(&[it(2, 256), it(4, 1024), it(5, 12), it(7, 1)]).unwrap();
        assert_eq!((allocator.alignment, allocator.pool), (256, 1024));
        assert_eq!((allocator.fallback, allocator.pinned), (Fallback::Null, true));
        assert!(allocator.take(1000) && !allocator.take(100));
        allocator.give_back(1000);
        assert!(allocator.take(1024));
        for bad in [it(2, 3), it(99, 1), it(5, 10), it(5, 14), it(4, 0), it(8, 23)] {
            assert!(read(&[bad]).is_none(), "{} {}", bad.key, bad.value);
        }
        assert!(read(&[it(2, usize::MAX)]).is_some());
        assert_eq!(read(&[it(5, 14), it(6, 1)]).unwrap().fallback, Fallback::Other(1));
    }
}
