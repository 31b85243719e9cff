//! Two things must both happen, in any order, on any threads; who comes second goes on.
//!
//! Behind a detached task: its body ends, and its event is fulfilled. Each side says so with one
//! read-modify-write (acquire and release: the second sees what the first did before).

use crate::shim::{AtomicU32, Ordering};

/// The task's body has ended.
pub const BODY: u32 = 1;
/// The task's event was fulfilled.
pub const EVENT: u32 = 2;

/// Says that `part` happened. What had happened before: 0, the other part, or (a mistake of the
/// program) the same one.
#[inline]
pub fn happened(word: &AtomicU32, part: u32) -> u32 {
    word.fetch_or(part, Ordering::AcqRel)
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    #[test]
    fn exactly_one_side_goes_on_and_sees_both() {
        loom::model(|| {
            let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0)));
            let other = shared.clone();
            let fulfiller = thread::spawn(move || {
                other.1.store(1, Ordering::Relaxed);
                happened(&other.0, EVENT) == BODY
            });
            shared.2.store(1, Ordering::Relaxed);
            let here = happened(&shared.0, BODY) == EVENT;
            if here {
                assert_eq!(shared.1.load(Ordering::Relaxed), 1);
            }
            assert!(here ^ fulfiller.join().unwrap());
        });
    }
}
