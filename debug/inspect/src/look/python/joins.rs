//! For whose end a thread of Python's waits in `Thread.join`. Up to 3.12 that is a wait for a lock,
//! which the interpreter releases when the thread ends: the thread's record has a weak reference to
//! it.

use omphalos_ompd_view::snapshot::{Snapshot, Wait};

use super::Python;
use super::locks::wanted;

/// `PyWeakReference`: what it refers to. `lockobject`: the lock of the C library's.
const REFERS: u64 = 16;
const LOCK: u64 = 16;
/// How far into a `PyThreadState` the reference may be written, in bytes.
const STATE_BYTES: u64 = 1024;

impl Python<'_> {
    /// Says it of the threads that wait so; `states`: `pthread_self()` and record of each thread of
    /// Python's, `lwps`: the kernel's number by `pthread_self()`.
    pub(super) fn find_joined(
        &self,
        snapshot: &mut Snapshot,
        states: &[(u64, u64)],
        lwps: &[(u64, u32)],
    ) {
        for thread in &mut snapshot.threads {
            let Some(lock) = wanted(thread) else { continue };
            let joined = states.iter().find(|(_, state)| self.is_end(*state, lock));
            let lwp = joined.and_then(|(own, _)| lwps.iter().find(|(known, _)| known == own));
            if let Some(&(_, lwp)) = lwp {
                thread.waits = Some(Wait::Join { lwp: Some(lwp) });
            }
        }
    }

    /// Whether the end of the thread with this record releases the lock.
    fn is_end(&self, state: u64, lock: u64) -> bool {
        let refers = |at: u64| {
            let object = self.word(self.word(state, at)?, REFERS)?;
            Some(self.word(object, LOCK)? == lock)
        };
        (0..STATE_BYTES).step_by(8).any(|at| refers(at) == Some(true))
    }
}
