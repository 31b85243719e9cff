//! Handles locks in memory that processes share: a holder's number there may be from another
//! process.

use omphalos_ompd_view::snapshot::{Lock, Snapshot, Wait};

use crate::space::Space;

/// Marks the locks in shared memory, and names the other process that holds such a lock, if the
/// holder's number in the lock tells it.
pub fn find(space: &dyn Space, snapshot: &mut Snapshot) {
    let Snapshot { threads, locks, .. } = snapshot;
    let is_shared = |lock: &Lock| {
        let mut mappings = space.mappings().iter();
        let around = mappings.find(|each| (each.start..each.end).contains(&lock.address));
        around.is_some_and(|mapping| mapping.is_shared())
    };
    for lock in locks.iter_mut().filter(|lock| is_shared(lock)) {
        lock.shared = true;
        // A mutex has the kernel's number of its holder, which is unique among all processes.
        let owner = threads.iter().find_map(|thread| match thread.waits {
            Some(Wait::Mutex { mutex, owner, .. }) if mutex == lock.address => owner,
            _ => None,
        });
        let other = owner.filter(|owner| threads.iter().all(|thread| thread.lwp != *owner));
        lock.elsewhere = other.and_then(|lwp| {
            let pid = space.kernel().process_of(lwp)?;
            Some(match space.kernel().process_name(pid) {
                Some(name) => format!("process {pid} ('{name}')"),
                None => format!("process {pid}"),
            })
        });
    }
}
