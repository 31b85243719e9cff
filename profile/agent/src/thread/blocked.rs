//! Keeps how long a thread was off its processor in the program's own calls.

use super::Thread;
use super::cost::add;
use crate::accounting::Class;
use core::sync::atomic::Ordering::Relaxed;

impl Thread {
    /// Adds to the time off the processor in calls, ticks. Only the thread itself calls it.
    pub fn book_blocked(&self, in_region: bool, time: u64) {
        add(&self.blocked[usize::from(!in_region)], time);
    }

    /// Adds to the same time where only the watcher saw the call. The caller holds the thread's
    /// sampler.
    pub fn book_found(&self, in_region: bool, time: u64) {
        add(&self.found[usize::from(!in_region)], time);
    }

    /// Returns the time off the processor in calls up to `now`, in regions and outside: ticks. Any
    /// thread may call it.
    pub fn blocked_at(&self, now: u64) -> [u64; 2] {
        let mut sum =
            [0, 1].map(|at| self.blocked[at].load(Relaxed) + self.found[at].load(Relaxed));
        if self.mark.call().is_some_and(|call| call.only_waits) {
            let open = now.saturating_sub(self.mark.since());
            match self.account.class() {
                Class::Work => sum[0] += open,
                Class::Serial => sum[1] += open,
                _ => {}
            }
        }
        sum
    }
}
