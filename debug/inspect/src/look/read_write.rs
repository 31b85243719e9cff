//! Reads read-write locks of the C library: the number of readers, and whether writers go first.

use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_ompd_view::target::half;

use crate::space::Space;

/// `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP`, and the offset of a lock's flags.
const WRITERS_FIRST: u32 = 2;
const FLAGS_AT: u64 = 48;
/// The lock's first half counts its readers, above bits of other meanings.
const READERS_SHIFT: u32 = 3;

/// Fills in both facts for each read-write lock of the snapshot.
pub fn find(space: &dyn Space, snapshot: &mut Snapshot) {
    let target = space.as_target();
    for lock in snapshot.locks.iter_mut().filter(|lock| lock.kind == "read-write lock") {
        lock.readers = half(target, lock.address).ok().map(|word| word >> READERS_SHIFT);
        let flags = half(target, lock.address.wrapping_add(FLAGS_AT));
        lock.writers_first = flags == Ok(WRITERS_FIRST);
    }
}
