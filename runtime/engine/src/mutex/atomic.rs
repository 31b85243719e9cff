//! The locks behind atomic operations that the processor has no instruction for.

use crate::records::Thread;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;
use crossbeam_utils::CachePadded;
use omphalos_sync::word_lock;

/// The number of locks, a power of two: enough that threads seldom meet by accident.
const STRIPE_LOCKS: usize = 64;

static BY_ADDRESS: [CachePadded<AtomicU32>; STRIPE_LOCKS] =
    [const { CachePadded::new(AtomicU32::new(0)) }; STRIPE_LOCKS];
static OF_ALL: CachePadded<AtomicU32> = CachePadded::new(AtomicU32::new(0));

/// Returns the lock for the variable at `address`. Every operation on one variable takes the same
/// lock.
#[inline]
pub fn atomic_lock(address: usize) -> &'static AtomicU32 {
    // Variables are at least 8 bytes and mostly 16 or 32; neighbours get different locks.
    let mixed = (address >> 3) ^ (address >> 9) ^ (address >> 15);
    &BY_ADDRESS[mixed % STRIPE_LOCKS]
}

/// Returns the lock of atomic constructs for which a compiler calls the runtime at begin and end,
/// without naming a variable, and of the operations in `atomics/any_size.rs`.
#[inline]
pub fn lock_of_all_atomics() -> &'static AtomicU32 {
    &OF_ALL
}

fn all() -> impl Iterator<Item = &'static AtomicU32> {
    BY_ADDRESS.iter().chain([&OF_ALL]).map(|lock| &**lock)
}

/// Whether the calling thread is in the construct of this lock: the lock's word holds the number of
/// its owner.
fn is_own(lock: &AtomicU32) -> bool {
    let owner = word_lock::owner_of(lock.load(Relaxed));
    owner.is_some() && owner == Thread::known().map(|thread| thread.gtid)
}

/// Takes all of these locks before `fork`, except those that the calling thread holds. The other
/// holders give them back after a few instructions. So the child finds each variable whole.
pub(crate) fn before_fork() {
    for lock in all() {
        while !is_own(lock) && !word_lock::try_acquire(lock) {
            omphalos_sys::thread::give_way();
        }
    }
}

/// Gives back the locks that [`before_fork`] took.
pub(crate) fn after_fork() {
    for lock in all().filter(|lock| !is_own(lock)) {
        word_lock::release(lock);
    }
}
