//! The model of a chain of blocks (`mod.rs`): two members go over it, each at its own pace.

use super::*;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// One thing in each block: the thread that comes first sets it up, the other may look at it.
struct Thing {
    tag: AtomicU64,
    number: UnsafeCell<u64>,
}

struct Group {
    chain: Chain<Thing>,
    /// The number of the thing that each member begins next.
    done: [AtomicU64; 2],
    /// The block of each thing: the checker's own words, which loom need not see.
    found: [core::sync::atomic::AtomicUsize; 8],
}

// SAFETY: the thread that claimed a thing writes it; loom checks that no other thread reads it
// meanwhile.
unsafe impl Sync for Group {}
// SAFETY: as above.
unsafe impl Send for Group {}

fn make() -> Thing {
    Thing { tag: AtomicU64::new(0), number: UnsafeCell::new(0) }
}

impl Group {
    fn new() -> Arc<Group> {
        Arc::new(Group {
            chain: Chain::new(),
            done: [AtomicU64::new(0), AtomicU64::new(0)],
            found: Default::default(),
        })
    }

    /// Takes a member through `count` things, numbered from `base`.
    fn work(&self, me: usize, base: u64, count: u64) {
        let mut here = self.chain.first(make);
        for number in base..base + count {
            if number > base {
                let past =
                    |window| self.done.iter().all(|done| done.load(Ordering::Acquire) > window + 1);
                here = self.chain.go_on(here, number - 1, past, make);
            }
            let address = core::ptr::from_ref(here) as usize;
            let found = &self.found[number as usize % 8];
            let set = found.compare_exchange(0, address, Ordering::Relaxed, Ordering::Relaxed);
            assert!(set.is_ok() || set == Err(address), "two blocks for one thing");
            self.use_thing(&here.content, number);
            self.done[me].store(number + 1, Ordering::Release);
        }
    }

    fn use_thing(&self, thing: &Thing, number: u64) {
        let (claimed, ready) = (number * 2 + 1, number * 2 + 2);
        let tag = thing.tag.load(Ordering::Acquire);
        if tag < claimed
            && thing.tag.compare_exchange(tag, claimed, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        {
            // SAFETY: claimed.
            thing.number.with_mut(|to| unsafe { *to = number });
            thing.tag.store(ready, Ordering::Release);
        } else if tag == ready {
            // SAFETY: ready, and not claimed for another thing before this member is past.
            assert_eq!(thing.number.with(|from| unsafe { *from }), number);
        }
    }
}

fn check(count: u64, regions: u64, bound: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(bound);
    model.check(move || {
        let group = Group::new();
        for region in 0..regions {
            group.found.iter().for_each(|found| found.store(0, Ordering::Relaxed));
            let base = region * 16 + region;
            group.done.iter().for_each(|done| done.store(base, Ordering::Relaxed));
            let other = group.clone();
            let thread = thread::spawn(move || other.work(1, base, count));
            group.work(0, base, count);
            thread.join().unwrap();
        }
    });
}

/// Each member goes at its own pace through more blocks than there are at first; the oldest blocks
/// come again.
#[test]
fn all_find_the_same_blocks_and_nobody_loses_one() {
    check(3, 1, 2);
}

/// A second region begins with the first one's chain as it is.
#[test]
fn a_later_region_goes_over_the_same_chain() {
    check(2, 2, 2);
}
