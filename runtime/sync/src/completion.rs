//! Joins two things that must both happen, in any order, on any threads. The thread on which the
//! second one happens continues with the steps that come after both.
//!
//! Who uses it: the engine, for a detached task, which is complete once its body has ended and its
//! event is fulfilled. Each side says so with one read-modify-write (acquire and release: the
//! second side sees the effects of the first).

use crate::shim::{AtomicU32, Ordering};

/// The task's body has ended.
pub const BODY: u32 = 1;
/// The task's event was fulfilled.
pub const EVENT: u32 = 2;
/// The task was discarded: it has no body that will end. Takes the place of [`BODY`]; the side that
/// comes second gives the record back.
pub const DISCARDED: u32 = 8;

/// Notes that `part` happened. Returns the parts that had happened before: 0, the other part, or
/// the same part (a mistake of the program).
#[inline]
pub fn happened(word: &AtomicU32, part: u32) -> u32 {
    word.fetch_or(part, Ordering::AcqRel)
}

/// One side tells tools of its step. The other side waits until that is done.
const TELLING: u32 = 4;

/// Does what [`happened`] does, for sides that tell tools of their steps. `tell` gets the parts
/// that happened before. The two `tell`s run one after the other. Afterwards the caller touches
/// nothing of the task, unless the other part had happened.
#[cold]
pub fn happened_and_told(word: &AtomicU32, part: u32, tell: impl FnOnce(u32)) -> u32 {
    let mut before = word.fetch_or(TELLING, Ordering::Acquire);
    while before & TELLING != 0 {
        give_way();
        before = word.fetch_or(TELLING, Ordering::Acquire);
    }
    tell(before);
    let mut now = word.load(Ordering::Relaxed);
    // One exchange says that the part happened and that it was told: the other side may continue at
    // once.
    while let Err(newer) =
        word.compare_exchange(now, (now | part) & !TELLING, Ordering::AcqRel, Ordering::Relaxed)
    {
        now = newer;
    }
    now & !TELLING
}

pub(crate) fn give_way() {
    #[cfg(not(loom))]
    omphalos_sys::thread::give_way();
    #[cfg(loom)]
    loom::thread::yield_now();
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    #[test]
    fn who_comes_second_is_told_second() {
        loom::model(|| {
            let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
            let other = shared.clone();
            let told = |shared: &(AtomicU32, AtomicU32), part: u32| {
                let mut order = 0;
                let before = happened_and_told(&shared.0, part, |before| {
                    // These are plain steps: the two sides must not be inside at the same time.
                    order = shared.1.load(Ordering::Relaxed) + 1;
                    shared.1.store(order, Ordering::Relaxed);
                    assert_eq!(before & (BODY | EVENT) != 0, order == 2);
                });
                assert_eq!(before != 0, order == 2);
                order
            };
            let fulfiller = thread::spawn(move || told(&other, EVENT));
            let here = told(&shared, BODY);
            assert_eq!(here + fulfiller.join().unwrap(), 3);
        });
    }

    #[test]
    fn exactly_one_side_goes_on_and_sees_both() {
        goes_on(BODY);
        goes_on(DISCARDED);
    }

    fn goes_on(part: u32) {
        loom::model(move || {
            let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0)));
            let other = shared.clone();
            let fulfiller = thread::spawn(move || {
                other.1.store(1, Ordering::Relaxed);
                happened(&other.0, EVENT) == part
            });
            shared.2.store(1, Ordering::Relaxed);
            let here = happened(&shared.0, part) == EVENT;
            if here {
                assert_eq!(shared.1.load(Ordering::Relaxed), 1);
            }
            assert!(here ^ fulfiller.join().unwrap());
        });
    }
}
