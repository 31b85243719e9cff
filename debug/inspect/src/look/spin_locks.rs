//! Finds the holders of POSIX spin locks. A thread that waits for such a lock does not sleep, and
//! the lock does not name its holder. But the code on the holder's stack may show that it took the
//! lock.

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use super::Stack;
use super::locks::SPIN_LOCK;

/// Fills in the wait of each thread that spins for such a lock. It waits for the only thread whose
/// code took the same lock and has not given it back.
pub fn find(snapshot: &mut Snapshot, stacks: &[Stack]) {
    let spins = |stack: &Stack| {
        let thread = snapshot.threads.iter().find(|thread| thread.lwp == stack.lwp)?;
        let inner = thread.stack.first().filter(|frame| frame.function == SPIN_LOCK)?;
        let waits = thread.waits.is_some() || inner.runtime;
        // The function keeps its argument in the register in which it came.
        (!waits).then_some((stack.lwp, stack.registers.call[2]))
    };
    let all: Vec<(u32, u64)> = stacks.iter().filter_map(spins).collect();
    for (lwp, address) in all {
        // A thread that only tried for the lock need not have it.
        let takes = |thread: &&Thread| {
            let mut of_kind = thread.taken.iter().filter(|taken| taken.by.contains(SPIN_LOCK));
            of_kind.any(|taken| taken.lock == address && address != 0)
        };
        let mut holders = snapshot.threads.iter().filter(takes).map(|thread| thread.lwp);
        let (owner, more) = (holders.next(), holders.next());
        if owner.is_none() || more.is_some() {
            continue;
        }
        if let Some(thread) = snapshot.threads.iter_mut().find(|thread| thread.lwp == lwp) {
            thread.waits = Some(Wait::Mutex { mutex: address, owner, read_write: false });
        }
    }
}

/// Whether a function takes a POSIX spin lock, or tries to.
pub fn is_spin_lock(by: &str) -> bool {
    by.contains("pthread_spin_")
}
