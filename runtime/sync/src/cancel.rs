//! Marks cancelled constructs in a way that resets no word that members may still read.
//!
//! [`Mark`] names a team's latest cancelled worksharing construct. A loop or `sections` that can be
//! cancelled ends with a barrier. All members know the number of that barrier, so it names the
//! construct. Once the members have passed the barrier, the number names no construct any more.
//!
//! | step | done by | order |
//! |---|---|---|
//! | [`Mark::set`] | any member in the construct | release |
//! | [`Mark::is`] | members in the construct | acquire: everything before the cancellation is seen |
//!
//! A member that lags in an earlier construct cannot overwrite a later construct's mark: no member
//! passes the barrier between the two before the lagging one has arrived there, after its own
//! store.
//!
//! The models below also check the engine's part for regions and taskgroups. In a region, a bit is
//! set before all sleepers are woken, and members leave by arriving everywhere. In a taskgroup,
//! tasks that have not begun read a flag, and each task leaves the count, executed or not.

use crate::shim::{AtomicU64, Ordering, const_but_for_loom};

/// The mark of a team's latest cancelled worksharing construct.
#[derive(Debug)]
pub struct Mark(AtomicU64);

#[inline(always)]
const fn mark(barrier: u64, kind: u32) -> u64 {
    barrier << 3 | kind as u64
}

impl Mark {
    const_but_for_loom! {
        /// Makes a mark without a cancellation.
        #[allow(clippy::new_without_default)]
        pub fn new() -> Mark {
            Mark(AtomicU64::new(0))
        }
    }

    /// Cancels the construct of this kind (below 8) before barrier number `barrier`.
    #[inline]
    pub fn set(&self, barrier: u64, kind: u32) {
        self.0.store(mark(barrier, kind), Ordering::Release);
    }

    /// Whether that construct was cancelled.
    #[inline(always)]
    pub fn is(&self, barrier: u64, kind: u32) -> bool {
        self.0.load(Ordering::Acquire) == mark(barrier, kind)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_mark_names_one_construct() {
        let marks = Mark::new();
        marks.set(7, 2);
        assert!(marks.is(7, 2));
        assert!(!marks.is(7, 4));
        assert!(!marks.is(8, 2));
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::gate::Gate;
    use crate::shim::{AtomicU32, fence};
    use loom::sync::Arc;
    use loom::thread;

    const LAST: u64 = 100;
    const LOOP: u32 = 2;

    struct Team {
        cancelled: AtomicU32,
        mark: Mark,
        arrived: [AtomicU64; 3],
        gates: [Gate; 3],
        /// Tasks of the group that are not done, and those that ran.
        left: AtomicU32,
        ran: AtomicU32,
    }

    impl Team {
        fn wake_all(&self) {
            fence(Ordering::SeqCst);
            self.gates.iter().for_each(|gate| {
                gate.wake();
            });
        }

        fn is_cancelled(&self) -> bool {
            self.cancelled.load(Ordering::SeqCst) != 0
        }

        fn wait(&self, me: usize, ready: impl Fn() -> bool) {
            while !ready() {
                self.gates[me].sleep(0, &ready);
            }
        }

        /// Passes a flat barrier. Returns false if it gave up because the region was cancelled.
        fn barrier(&self, me: usize, members: usize, epoch: u64, cancellable: bool) -> bool {
            self.arrived[me].swap(epoch, Ordering::SeqCst);
            self.wake_all();
            let gone = || cancellable && self.is_cancelled();
            for other in &self.arrived[..members] {
                self.wait(me, || other.load(Ordering::SeqCst) >= epoch || gone());
                if gone() {
                    return false;
                }
            }
            true
        }

        /// Leaves a cancelled region: the member counts as arrived everywhere.
        fn leave(&self, me: usize) {
            self.arrived[me].swap(LAST, Ordering::SeqCst);
            self.wake_all();
        }

        fn cancel_region(&self) {
            self.cancelled.fetch_or(1, Ordering::SeqCst);
            self.wake_all();
        }
    }

    fn run(
        members: usize,
        bound: usize,
        member: impl Fn(&Team, usize) + Copy + Send + Sync + 'static,
    ) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(bound);
        model.check(move || {
            let team = Arc::new(Team {
                cancelled: AtomicU32::new(0),
                mark: Mark::new(),
                arrived: core::array::from_fn(|_| AtomicU64::new(0)),
                gates: core::array::from_fn(|_| Gate::new()),
                left: AtomicU32::new(2),
                ran: AtomicU32::new(0),
            });
            let others: Vec<_> = (1..members)
                .map(|me| {
                    let team = team.clone();
                    thread::spawn(move || member(&team, me))
                })
                .collect();
            member(&team, 0);
            others.into_iter().for_each(|other| other.join().unwrap());
        });
    }

    /// One member cancels and leaves. Another one waits in a barrier that can be cancelled, and
    /// leaves too. The third waits in one that cannot be cancelled, which ends because both others
    /// left.
    #[test]
    fn nobody_stays_in_a_barrier_of_a_cancelled_region() {
        run(3, 2, |team, me| match me {
            0 => {
                team.cancel_region();
                team.leave(0);
            }
            1 => {
                team.barrier(1, 3, 1, true);
                team.leave(1);
            }
            _ => assert!(team.barrier(2, 3, 1, false)),
        });
    }

    /// A member that slept before the region was cancelled finds out, without the arrival of
    /// another one.
    #[test]
    fn a_sleeper_is_told_of_the_cancellation() {
        run(2, 3, |team, me| match me {
            0 => team.cancel_region(),
            _ => assert!(!team.barrier(1, 2, 1, true)),
        });
    }

    /// The loop before barrier 1 is cancelled, by one member or both. The loop before barrier 2 is
    /// not cancelled until some member cancels it, and then stays so, whatever a lagging member
    /// did.
    #[test]
    fn a_mark_does_not_outlive_its_loop_nor_replace_a_later_one() {
        run(2, 3, |team, me| {
            if me == 0 || team.mark.is(1, LOOP) {
                team.mark.set(1, LOOP);
            }
            assert!(team.barrier(me, 2, 1, false));
            if me == 0 {
                assert!(!team.mark.is(2, LOOP));
                team.mark.set(2, LOOP);
            }
            assert!(team.barrier(me, 2, 2, false));
            assert!(team.mark.is(2, LOOP) && !team.mark.is(1, LOOP));
        });
    }

    /// One of a group's two tasks cancels the group: its waiter goes on once both have left the
    /// count, whether the other ran or was discarded.
    #[test]
    fn the_end_of_a_cancelled_group_waits_for_all_its_tasks() {
        run(3, 2, |team, me| {
            if me == 0 {
                team.wait(0, || team.left.load(Ordering::SeqCst) == 0);
                let ran = team.ran.load(Ordering::Relaxed);
                assert!(ran == 1 || ran == 2);
                return;
            }
            let begins = me == 1 || team.cancelled.load(Ordering::Acquire) == 0;
            if me == 1 {
                team.cancelled.fetch_or(2, Ordering::AcqRel);
            }
            if begins {
                team.ran.fetch_add(1, Ordering::Relaxed);
            }
            if team.left.fetch_sub(1, Ordering::SeqCst) == 1 {
                fence(Ordering::SeqCst);
                team.gates[0].wake();
            }
        });
    }
}
