//! Hands a member's partial result to its partner in a tree.
//!
//! | done by | step | order |
//! |---|---|---|
//! | the member | writes its data's address, then `given` := number | SeqCst: a thread that sees it sees the data; a partner that goes to sleep sees it, or is woken |
//! | its partner | sees `given`, combines, then `taken` := number | SeqCst: the member sees it, and may then let its data go |
//!
//! Numbers only grow, so nothing is reset between reductions. The member gives one partial result
//! at a time: it waits until its data is taken before it goes on.

use crate::shim::{AtomicPtr, AtomicU64, Cell, Ordering, const_but_for_loom};

/// A member's place for its partial results.
pub struct Partial<T> {
    /// The member's data. Written by it before `given`, read by its partner.
    data: AtomicPtr<T>,
    /// The latest reduction for which the member's data is complete. Written by the member.
    given: AtomicU64,
    /// The latest reduction whose data its partner has taken. Written by the partner.
    taken: AtomicU64,
    /// The latest reduction in which the member took part. Only the member uses it.
    number: Cell<u64>,
}

impl<T> Partial<T> {
    const_but_for_loom! {
        /// Makes the place of a member that has taken part in no reduction.
        pub fn new() -> Partial<T> {
            Partial {
                data: AtomicPtr::new(core::ptr::null_mut()),
                given: AtomicU64::new(0),
                taken: AtomicU64::new(0),
                number: Cell::new(0),
            }
        }
    }

    /// Begins the member's next reduction, and returns its number. `after` gives the number that
    /// follows the latest one.
    pub fn next(&self, after: impl FnOnce(u64) -> u64) -> u64 {
        let number = after(self.number.get());
        self.number.set(number);
        number
    }

    /// Makes the place as new: the next reduction may have a lower number. No member combines with
    /// this one.
    pub fn forget(&self) {
        self.given.store(0, Ordering::Relaxed);
        self.taken.store(0, Ordering::Relaxed);
        self.number.set(0);
    }

    /// Publishes the member's data, which is complete for this reduction. It belongs to the partner
    /// until it is taken.
    pub fn give(&self, number: u64, data: *mut T) {
        self.data.store(data, Ordering::Relaxed);
        self.given.store(number, Ordering::SeqCst);
    }

    /// Whether the partner has taken the data of this reduction.
    pub fn is_taken(&self, number: u64) -> bool {
        self.taken.load(Ordering::SeqCst) >= number
    }

    /// Whether the member's data for this reduction is complete. For the partner.
    pub fn is_given(&self, number: u64) -> bool {
        self.given.load(Ordering::SeqCst) >= number
    }

    /// Gives the data of this reduction to `combine`, if it is complete, and returns whether it is.
    /// The member may let the data go afterwards. For the partner.
    pub fn take(&self, number: u64, combine: impl FnOnce(*mut T)) -> bool {
        let given = self.is_given(number);
        if given {
            combine(self.data.load(Ordering::Relaxed));
            self.taken.store(number, Ordering::SeqCst);
        }
        given
    }
}

#[cfg(not(loom))]
impl<T> Default for Partial<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::gate::Gate;
    use crate::shim::fence;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    type Data = UnsafeCell<u32>;
    struct Team(Vec<Partial<Data>>, Vec<Gate>);

    impl Team {
        /// Member `num` sleeps until it is woken, as in a wait of its team.
        fn wait(&self, num: usize, ready: impl Fn() -> bool) {
            let gate = &self.1[num];
            while !ready() {
                gate.sleep(gate.seen(), &ready);
            }
        }

        fn wake_sleepers(&self) {
            fence(Ordering::SeqCst);
            self.1.iter().for_each(|gate| drop(gate.wake()));
        }
    }

    // SAFETY: each member's plain number is its own, which loom's cell checks.
    unsafe impl Sync for Team {}
    // SAFETY: as above.
    unsafe impl Send for Team {}

    /// Does what the engine's `by_tree` does. Each member's data lives until its call returns.
    fn reduce(team: &Team, num: usize, value: u32) -> Option<u32> {
        let mine = &team.0[num];
        let number = mine.next(|latest| latest + 1);
        let mut data = UnsafeCell::new(value);
        let mut step = 1;
        while step < team.0.len() {
            if num & step != 0 {
                mine.give(number, &raw mut data);
                team.wake_sleepers();
                team.wait(num, || mine.is_taken(number));
                // The data goes: loom finds a partner that still reads it.
                data.with_mut(|data| unsafe { *data = u32::MAX });
                return None;
            }
            if num + step < team.0.len() {
                let other = &team.0[num + step];
                team.wait(num, || other.is_given(number));
                let all = other.take(number, |theirs| {
                    // SAFETY: given, and not yet taken.
                    let theirs = unsafe { (*theirs).with(|theirs| *theirs) };
                    data.with_mut(|data| unsafe { *data += theirs });
                });
                assert!(all);
                team.wake_sleepers();
            }
            step *= 2;
        }
        Some(data.with(|data| unsafe { *data }))
    }

    /// Reductions one after the other, without a barrier between.
    fn rounds(members: usize, rounds: &'static [u32]) {
        let mut bounded = loom::model::Builder::new();
        bounded.preemption_bound = Some(2);
        bounded.check(move || {
            let partials = (0..members).map(|_| Partial::new()).collect();
            let team = Arc::new(Team(partials, (0..members).map(|_| Gate::new()).collect()));
            let others: Vec<_> = (1..members)
                .map(|num| {
                    let team = team.clone();
                    thread::spawn(move || {
                        for &round in rounds {
                            assert_eq!(reduce(&team, num, round << num), None);
                        }
                    })
                })
                .collect();
            for &round in rounds {
                let all = (0..members).map(|num| round << num).sum::<u32>();
                assert_eq!(reduce(&team, 0, round), Some(all));
            }
            others.into_iter().for_each(|member| member.join().unwrap());
        });
    }

    #[test]
    fn two_members_lose_nothing() {
        rounds(2, &[1, 10]);
    }

    #[test]
    fn three_members_lose_nothing() {
        rounds(3, &[1]);
    }
}
