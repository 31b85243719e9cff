//! Adds up the threads' figures at a moment when none of them changes. The figures of a part of a
//! run are the difference of two such sums.
//!
//! The moment must be still, because a thread's open wait and its ended waits are read one after
//! the other. A wait that ended between the two reads would be in neither of them.

use super::work::Work;
use crate::clock::{in_ticks, ticks};
use crate::thread::{self, Thread, queued};
use core::sync::atomic::Ordering::Relaxed;

/// The longest wait for such a moment, ns. Where events come so fast that there is none, waits are
/// short, and little is lost between the reads.
const PATIENCE: u64 = 2_000_000;

/// Adds up, and returns the time of the sums.
pub(super) fn sum(work: &mut Work) -> u64 {
    let since = ticks();
    loop {
        let begin = ticks();
        thread::all().for_each(|thread| queued::settle(thread, begin));
        let (before, now) = (changes(), ticks());
        work.sum(now);
        let is_still = before.is_some() && changes() == before;
        if is_still || now.saturating_sub(since) > in_ticks(PATIENCE) {
            return now;
        }
        omphalos_sys::thread::give_way();
    }
}

/// Returns a number that differs where other threads' accounts have changed; `None` while one of
/// their callbacks is at work.
fn changes() -> Option<u64> {
    let own = Thread::current();
    let is_other = |thread: &&Thread| !own.is_some_and(|own| core::ptr::eq(own, *thread));
    let others = thread::all().filter(|thread| thread.alive.load(Relaxed)).filter(is_other);
    others.map(changes_of).try_fold(0u64, |all, one| {
        Some((all.rotate_left(7) ^ one?).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    })
}

fn changes_of(thread: &Thread) -> Option<u64> {
    let account = &thread.account;
    (!thread.is_in_callback()).then(|| account.since().rotate_left(3) ^ account.class() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::Class;
    use crate::thread::Owner;

    #[test]
    fn an_event_is_a_change() {
        let thread = Thread::adopt(Class::Work, 1000, 1 << 12);
        let at_first = changes_of(thread);
        assert_eq!(changes_of(thread), at_first);
        // SAFETY: no callback of this record is at work; no other code has it.
        let owner = unsafe { Owner::enter(thread) };
        assert!(changes_of(thread).is_none());
        owner.books().switch(Class::Barrier, 2000);
        assert!(owner.leave().is_none());
        let in_barrier = changes_of(thread);
        assert!(at_first.is_some() && in_barrier.is_some() && in_barrier != at_first);
        thread.release();
    }
}
