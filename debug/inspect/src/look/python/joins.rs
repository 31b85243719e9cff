//! Finds the thread whose end a Python thread waits for in `Thread.join`. Up to Python 3.12, `join`
//! waits for a lock that the interpreter releases when the joined thread ends. The joined thread's
//! record has a weak reference to that lock. From 3.13 on, `join` waits for an event in the joined
//! thread's handle.

use omphalos_ompd_view::snapshot::{Snapshot, Wait};

use super::Python;
use super::locks::wanted;

/// `PyObject`: the type. `PyTypeObject`: the name, which begins so for a weak reference.
const TYPE: u64 = 8;
const TYPE_NAME: u64 = 24;
const WEAK: &[u8] = b"weakref";
/// `PyWeakReference`: the object that it refers to. `lockobject`: the lock of the C library.
const REFERS: u64 = 16;
const LOCK: u64 = 16;
/// Bytes of a `PyThreadState` in which the reference is searched.
const STATE_BYTES: u64 = 1024;
/// `ThreadHandle`: `pthread_self()` stands twice, then come two `int`, a byte, and the event.
const SELF_TO_EVENT: u64 = 25;

impl Python<'_> {
    /// Fills in the waits of threads in `join`. `states`: `pthread_self()` and record of each
    /// Python thread. `lwps`: `pthread_self()` and kernel number of each.
    pub(super) fn find_joined(
        &self,
        snapshot: &mut Snapshot,
        states: &[(u64, u64)],
        lwps: &[(u64, u32)],
    ) {
        for thread in &mut snapshot.threads {
            let Some(lock) = wanted(thread) else { continue };
            let by_record = states.iter().find(|(_, state)| self.is_end(*state, lock));
            let joined = by_record.map(|(own, _)| *own).or_else(|| self.in_handle(lock));
            if let Some(&(_, lwp)) = lwps.iter().find(|(known, _)| Some(*known) == joined) {
                thread.waits = Some(Wait::Join { lwp: Some(lwp) });
            }
        }
    }

    /// Whether the lock is released at the end of the thread with this record.
    fn is_end(&self, state: u64, lock: u64) -> bool {
        let refers = |at: u64| {
            let reference = self.word(state, at)?;
            let is_lock = self.word(self.word(reference, REFERS)?, LOCK)? == lock;
            Some(is_lock && self.is_weak(reference)?)
        };
        (0..STATE_BYTES).step_by(8).any(|at| refers(at) == Some(true))
    }

    fn is_weak(&self, object: u64) -> Option<bool> {
        let name = self.word(self.word(object, TYPE)?, TYPE_NAME)?;
        Some(self.bytes(name, WEAK.len() as u64)? == WEAK)
    }

    /// The `pthread_self()` of the thread in whose handle the event stands.
    fn in_handle(&self, event: u64) -> Option<u64> {
        let at = event.checked_sub(SELF_TO_EVENT).filter(|at| at.is_multiple_of(8))?;
        let own = self.word(at, 0)?;
        (self.word(at, 8)? == own).then_some(own)
    }
}
