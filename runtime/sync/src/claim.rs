//! Chooses the member that sets a construct up: the first one that comes to it.
//!
//! Each entry has one word, in which numbers only grow:
//!
//! | word | meaning |
//! |---|---|
//! | `k * 2 + 1` | construct `k` is being set up |
//! | `k * 2 + 2` | construct `k` is ready (or over) |
//! | less | free: an older construct's, which all members are past |
//!
//! The first member makes the word odd (compare-exchange), writes the state that the construct
//! needs and publishes it (release). The others see that the construct is ready (acquire), and so
//! see everything that was written. What must hold: no member comes to construct `k` of an entry
//! before all members are done with the construct before it in that entry, and it knows this by an
//! acquire (`chain`).

use crate::shim::{AtomicU64, Ordering, const_but_for_loom};

/// The word of an entry.
#[derive(Debug)]
#[repr(transparent)]
pub struct Claim(AtomicU64);

/// The state in which a member finds the construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The construct is ready.
    Ready,
    /// A member is setting it up.
    Busy,
    /// The calling member is the first: it sets the construct up, then calls [`Claim::publish`].
    Mine,
}

impl Claim {
    const_but_for_loom! {
        /// Makes the word of an entry without a construct.
        #[allow(clippy::new_without_default)]
        pub fn new() -> Claim {
            Claim(AtomicU64::new(0))
        }
    }

    /// Claims construct `number` for the calling member, if it is the first to come to it.
    #[inline(always)]
    pub fn claim_number(&self, number: u64) -> Found {
        let ready = number * 2 + 2;
        let mut word = self.0.load(Ordering::Acquire);
        loop {
            if word == ready {
                return Found::Ready;
            }
            if word == ready - 1 {
                return Found::Busy;
            }
            // Acquire: the effects of members that came earlier come first.
            match self.0.compare_exchange(word, ready - 1, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Found::Mine,
                Err(newer) => word = newer,
            }
        }
    }

    /// Publishes construct `number`, which is set up. For the member that got [`Found::Mine`], or
    /// that comes before all others.
    #[inline(always)]
    pub fn publish(&self, number: u64) {
        self.0.store(number * 2 + 2, Ordering::Release);
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::shim::AtomicU32;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    /// One entry that every construct in turn uses, and how many constructs each member is done
    /// with.
    struct Team {
        claim: Claim,
        spec: UnsafeCell<u64>,
        next: AtomicU32,
        done: Vec<AtomicU64>,
    }

    // SAFETY: loom checks the cell.
    unsafe impl Sync for Team {}
    // SAFETY: as above.
    unsafe impl Send for Team {}

    fn construct(team: &Team, me: usize, number: u64) -> u32 {
        // As at the end of a chain: the entry is free once all are past the construct before.
        while !team.done.iter().all(|done| done.load(Ordering::Acquire) >= number - 1) {
            thread::yield_now();
        }
        loop {
            match team.claim.claim_number(number) {
                Found::Ready => break,
                Found::Busy => thread::yield_now(),
                Found::Mine => {
                    team.spec.with_mut(|spec| unsafe { *spec = number });
                    team.next.store(0, Ordering::Relaxed);
                    team.claim.publish(number);
                    break;
                }
            }
        }
        assert_eq!(team.spec.with(|spec| unsafe { *spec }), number);
        let chunk = team.next.fetch_add(1, Ordering::Relaxed);
        team.done[me].store(number, Ordering::Release);
        chunk
    }

    /// Members go through constructs that use the same entry; each sees the construct as it was set
    /// up, and every chunk goes to one of them.
    fn members(count: usize, constructs: u64) {
        let mut bounded = loom::model::Builder::new();
        bounded.preemption_bound = Some(3);
        bounded.check(move || {
            let team = Arc::new(Team {
                claim: Claim::new(),
                spec: UnsafeCell::new(0),
                next: AtomicU32::new(0),
                done: (0..count).map(|_| AtomicU64::new(0)).collect(),
            });
            let others: Vec<_> = (1..count)
                .map(|me| {
                    let team = team.clone();
                    thread::spawn(move || {
                        (1..=constructs).map(|k| construct(&team, me, k)).collect::<Vec<_>>()
                    })
                })
                .collect();
            let mut chunks: Vec<Vec<u32>> =
                vec![(1..=constructs).map(|k| construct(&team, 0, k)).collect()];
            chunks.extend(others.into_iter().map(|member| member.join().unwrap()));
            for construct in 0..constructs as usize {
                let mut taken: Vec<u32> = chunks.iter().map(|of| of[construct]).collect();
                taken.sort_unstable();
                assert!(taken.iter().enumerate().all(|(at, chunk)| at == *chunk as usize));
            }
        });
    }

    #[test]
    fn two_members_agree_on_constructs() {
        members(2, 3);
    }

    /// Three members come at once: one of them sets up, and one that finds it ready sees all of it.
    #[test]
    fn one_of_three_sets_up() {
        loom::model(|| {
            let shared = Arc::new((Claim::new(), AtomicU32::new(0)));
            let claim_seven = |shared: &(Claim, AtomicU32)| {
                let found = shared.0.claim_number(7);
                match found {
                    Found::Mine => {
                        shared.1.store(5, Ordering::Relaxed);
                        shared.0.publish(7);
                    }
                    Found::Ready => assert_eq!(shared.1.load(Ordering::Relaxed), 5),
                    Found::Busy => {}
                }
                usize::from(found == Found::Mine)
            };
            let others = [1, 2].map(|_| {
                let shared = shared.clone();
                thread::spawn(move || claim_seven(&shared))
            });
            let mine = claim_seven(&shared);
            let theirs: usize = others.into_iter().map(|other| other.join().unwrap()).sum();
            assert_eq!(mine + theirs, 1);
        });
    }
}
