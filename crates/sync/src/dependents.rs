//! Who waits for something to be done: a list that many may join until it is closed.
//!
//! | who | step | order |
//! |---|---|---|
//! | joiner | pushes its word, unless the list is closed | release: the closer sees what the joiner wrote |
//! | closer | swaps in "closed", gets all who joined | acquire and release: a joiner that finds it closed sees what was done |
//!
//! What must hold: one closer, once.

use crate::shim::{AtomicUsize, Ordering};

/// Marks a closed list; no node has this address.
const CLOSED: usize = 1;

struct Node {
    word: usize,
    next: usize,
}

/// See the module.
#[derive(Debug)]
pub struct Dependents {
    /// Address of the newest [`Node`], 0 for none, or [`CLOSED`].
    head: AtomicUsize,
}

impl Dependents {
    /// An open list of nobody.
    pub fn new() -> Dependents {
        Dependents { head: AtomicUsize::new(0) }
    }

    /// Whether the list is closed. Acquires what was done before.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.head.load(Ordering::Acquire) == CLOSED
    }

    /// Joins; false if the list is closed.
    pub fn join(&self, word: usize) -> bool {
        let mut head = self.head.load(Ordering::Acquire);
        if head == CLOSED {
            return false;
        }
        let node = Box::into_raw(Box::new(Node { word, next: head }));
        loop {
            match self.head.compare_exchange(
                head,
                node as usize,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => return true,
                Err(CLOSED) => {
                    // SAFETY: the node was made above and nobody else knows it.
                    drop(unsafe { Box::from_raw(node) });
                    return false;
                }
                Err(newer) => {
                    head = newer;
                    // SAFETY: the node is not published yet.
                    unsafe { (*node).next = newer };
                }
            }
        }
    }

    /// Closes the list and calls `each` for everybody who joined, newest first.
    pub fn close(&self, mut each: impl FnMut(usize)) {
        let mut head = self.head.swap(CLOSED, Ordering::AcqRel);
        while head > CLOSED {
            // SAFETY: a joined node's address; the swap made this thread its owner.
            let node = unsafe { Box::from_raw(head as *mut Node) };
            head = node.next;
            each(node.word);
        }
    }
}

impl Default for Dependents {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Dependents {
    fn drop(&mut self) {
        self.close(|_| {});
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn everybody_who_joined_is_called_once() {
        let list = Dependents::new();
        assert!(list.join(10));
        assert!(list.join(20));
        let mut seen = Vec::new();
        list.close(|word| seen.push(word));
        assert_eq!(seen, [20, 10]);
        assert!(list.is_closed());
        assert!(!list.join(30));
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::shim::AtomicU32;
    use loom::sync::Arc;
    use loom::thread;

    /// A task with two predecessors, which finish while it registers: it becomes ready once.
    #[test]
    fn the_last_predecessor_releases_the_task() {
        loom::model(|| {
            struct Shared {
                first: Dependents,
                second: Dependents,
                missing: AtomicU32,
                ready: AtomicU32,
                data: AtomicU32,
            }
            let shared = Arc::new(Shared {
                first: Dependents::new(),
                second: Dependents::new(),
                missing: AtomicU32::new(1),
                ready: AtomicU32::new(0),
                data: AtomicU32::new(0),
            });
            let met = |s: &Shared| {
                if s.missing.fetch_sub(1, Ordering::AcqRel) == 1 {
                    s.ready.fetch_add(1, Ordering::Relaxed);
                    assert_eq!(s.data.load(Ordering::Relaxed), 2);
                }
            };
            let one = shared.clone();
            let finisher = thread::spawn(move || {
                one.data.fetch_add(1, Ordering::Relaxed);
                one.first.close(|_| met(&one));
                one.data.fetch_add(1, Ordering::Relaxed);
                one.second.close(|_| met(&one));
            });
            for list in [&shared.first, &shared.second] {
                shared.missing.fetch_add(1, Ordering::Relaxed);
                if !list.join(1) {
                    shared.missing.fetch_sub(1, Ordering::Relaxed);
                }
            }
            met(&shared);
            finisher.join().unwrap();
            assert_eq!(shared.ready.load(Ordering::Relaxed), 1);
        });
    }
}
