//! The stage of a thread's record: it has ended, ends at this moment, or was used.

use super::Thread;
use core::sync::atomic::Ordering::{Acquire, Relaxed};

impl Thread {
    /// Returns the thread's last moment so far: its end, or `now`.
    pub fn last_moment(&self, now: u64) -> u64 {
        match self.ended.load(Relaxed) {
            0 => now,
            ended => ended,
        }
    }

    /// Whether the record's thread ends by itself, and writes what it has recorded.
    pub fn is_ending(&self) -> bool {
        let has_ended = self.ended.load(Relaxed) != 0 && !self.alive.load(Acquire);
        has_ended && self.taken.load(Acquire)
    }

    /// Whether the record belongs to a thread, or holds the totals of the last one.
    pub fn was_used(&self) -> bool {
        self.account.begun() != 0 && !self.is_earlier()
    }
}
