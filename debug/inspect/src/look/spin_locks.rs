//! Spin locks of POSIX's: nobody sleeps, and nothing in them says who holds one. The code of the
//! holder may.

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use super::Stack;
use super::locks::SPIN_LOCK;

/// Where a thread spins for such a lock, by what it calls, and the code on the stack of one thread
/// has taken that very lock and not given it back, it waits for that thread.
pub fn find(snapshot: &mut Snapshot, stacks: &[Stack]) {
    let spins = |stack: &Stack| {
        let thread = snapshot.threads.iter().find(|thread| thread.lwp == stack.lwp)?;
        let inner = thread.stack.first().filter(|frame| frame.function == SPIN_LOCK)?;
        let waits = thread.waits.is_some() || inner.runtime;
        // The function keeps its argument where it came.
        (!waits).then_some((stack.lwp, stack.registers.call[2]))
    };
    let all: Vec<(u32, u64)> = stacks.iter().filter_map(spins).collect();
    for (lwp, address) in all {
        // One that only tried for it need not have it.
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

/// Whether a function takes such a lock.
pub fn is_spin_lock(by: &str) -> bool {
    by.contains("pthread_spin_")
}
