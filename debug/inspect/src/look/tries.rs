//! Finds threads that try for a lock again and again. Only the lock's holder can end such a loop,
//! so the thread waits for the holder as much as a thread that sleeps.

use omphalos_ompd_view::Runtime;
use omphalos_ompd_view::snapshot::{Address, Lock, Snapshot, Thread, Wait};

use super::spin_locks::is_spin_lock;
use crate::space::{Space, half};

/// Fills in the wait of each thread whose loop only tries for one lock in each round, if the lock's
/// holder is known. The snapshot knows each such lock.
pub fn find(space: &dyn Space, snapshot: &mut Snapshot) {
    // A place where the thread only tries has not taken the lock.
    for thread in &mut snapshot.threads {
        let awaits = thread.awaits.as_ref().filter(|awaits| awaits.tries.is_some());
        if let Some(place) = awaits.and_then(|awaits| awaits.place.as_ref()) {
            thread.taken.retain(|taken| taken.place != *place);
        }
    }
    for at in 0..snapshot.threads.len() {
        let Some((by, lock)) = tried(&snapshot.threads[at]).cloned() else { continue };
        let Some(kind) = kind(&by) else { continue };
        let owner = match kind {
            "pthread mutex" => half(space.as_target(), lock.wrapping_add(8)).ok(),
            "lock" => of_runtime(space, snapshot, lock).or_else(|| by_code(snapshot, lock)),
            _ => by_code(snapshot, lock),
        };
        if snapshot.locks.iter().all(|known| known.address != lock) {
            let (address, kind) = (lock, kind.to_owned());
            snapshot.locks.push(Lock { address, kind, ..Lock::default() });
        }
        let Some(owner) = owner.filter(|owner| *owner != 0) else { continue };
        let thread = &mut snapshot.threads[at];
        thread.waits = Some(Wait::Mutex { mutex: lock, owner: Some(owner), read_write: false });
        // The thread's short sleeps end by themselves, but its wait does not.
        if let Some(os) = &mut thread.os {
            (os.timed, os.at_most) = (false, None);
        }
    }
}

fn tried(thread: &Thread) -> Option<&(String, Address)> {
    thread.awaits.as_ref()?.tries.as_ref()
}

/// Returns the kind of lock that a function tries for. `None` if the lock names no thread as its
/// holder: the readers of a read-write lock are unknown, and a nest lock belongs to a task.
fn kind(by: &str) -> Option<&'static str> {
    match by {
        _ if by.contains("nest") || by.contains("rwlock") => None,
        _ if by.contains("omp_test_lock") => Some("lock"),
        _ if is_spin_lock(by) => Some("spin lock"),
        _ => Some("pthread mutex"),
    }
}

fn of_runtime(space: &dyn Space, snapshot: &Snapshot, lock: Address) -> Option<u32> {
    let runtime = Runtime::find(space.as_target()).ok().filter(|_| snapshot.tells())?;
    runtime.lock_owner(snapshot, lock)
}

/// Returns the only thread whose code has taken this lock. Threads that only try for the lock do
/// not count.
fn by_code(snapshot: &Snapshot, lock: Address) -> Option<u32> {
    let tries = |thread: &Thread| tried(thread).is_some_and(|(_, other)| *other == lock);
    let takes =
        |thread: &&Thread| !tries(thread) && thread.taken.iter().any(|taken| taken.lock == lock);
    let mut holders = snapshot.threads.iter().filter(takes);
    let (holder, more) = (holders.next(), holders.next());
    holder.filter(|_| more.is_none()).map(|thread| thread.lwp)
}
