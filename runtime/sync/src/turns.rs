//! A turn that several parties want, which do not sleep for it. When the turn is given up, the next
//! party is named.
//!
//! For `mutexinoutset`: tasks that exclude each other but are not ordered. A task without the turn
//! does not begin. The thread that gives the turn up gets the name of the next task and makes it go
//! on.
//!
//! | `holder` | meaning |
//! |---|---|
//! | 0 | no party has the turn |
//! | 1 | a party has it, none waits |
//! | address | a party has it; the newest waiter's [`Link`] |
//!
//! | step | by | order |
//! |---|---|---|
//! | 0 to 1, or push a link | a party that wants the turn | acquire: sees the effects of the last holder; release: the link |
//! | 1 to 0, or pop the newest link | the holder alone, so there is no ABA | release; acquire: the link |
//!
//! What must hold: a link that waits does not move until it was popped.

use crate::dependents::Link;
use crate::shim::{AtomicUsize, Ordering};

const HELD: usize = 1;

/// The word of a turn.
#[derive(Debug)]
pub struct Turns {
    holder: AtomicUsize,
}

impl Turns {
    /// Makes a turn that no party has.
    pub fn new() -> Turns {
        Turns { holder: AtomicUsize::new(0) }
    }

    /// Takes the turn, or waits for it as `word` in `link`. Returns true if it took the turn.
    ///
    /// # Safety
    /// If it waits, `link` stays valid and is used for nothing else until `word` was told.
    pub unsafe fn take_or_wait(&self, link: &Link, word: usize) -> bool {
        link.set_word(word);
        let mut now = self.holder.load(Ordering::Relaxed);
        loop {
            let next = if now == 0 { HELD } else { core::ptr::from_ref(link) as usize };
            link.set_next(now);
            match self.holder.compare_exchange(now, next, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return now == 0,
                Err(newer) => now = newer,
            }
        }
    }

    /// Calls `each` with the word of each thread that waits for the turn.
    ///
    /// # Safety
    /// The holder keeps the turn meanwhile.
    pub unsafe fn for_each_waiting(&self, mut each: impl FnMut(usize)) {
        let mut now = self.holder.load(Ordering::Acquire);
        while now > HELD {
            // SAFETY: a waiting link is valid until it is popped, and only the holder pops.
            let link = unsafe { &*(now as *const Link) };
            each(link.word());
            now = link.next();
        }
    }

    /// Gives the turn up. Returns the word of the party that has it now, if one waited. Only the
    /// holder calls it.
    pub fn give_up(&self) -> Option<usize> {
        let mut now = self.holder.load(Ordering::Acquire);
        loop {
            let (next, word) = if now == HELD {
                (0, None)
            } else {
                // SAFETY: a waiting link is valid until it is popped, and only the holder pops.
                let link = unsafe { &*(now as *const Link) };
                (link.next(), Some(link.word()))
            };
            match self.holder.compare_exchange(now, next, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return word,
                Err(newer) => now = newer,
            }
        }
    }
}

impl Default for Turns {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn everybody_gets_one_turn() {
        let (turns, links) = (Turns::new(), [Link::new(), Link::new(), Link::new()]);
        // SAFETY: the links live to the end.
        let take = |at: usize| unsafe { turns.take_or_wait(&links[at], at + 1) };
        assert!(take(0));
        assert!(!take(1));
        assert!(!take(2));
        assert_eq!(turns.give_up(), Some(3));
        assert_eq!(turns.give_up(), Some(2));
        assert_eq!(turns.give_up(), None);
        assert!(take(1));
        assert_eq!(turns.give_up(), None);
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::shim::AtomicU32;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    /// Three parties on two threads want the turn: each has it once, never two at a time, none is
    /// forgotten.
    #[test]
    fn turns_exclude_and_none_is_lost() {
        struct Shared {
            turns: Turns,
            links: [Link; 3],
            data: UnsafeCell<u32>,
            done: AtomicU32,
        }
        // SAFETY: the turns protect the cell.
        unsafe impl Sync for Shared {}
        // SAFETY: as above.
        unsafe impl Send for Shared {}
        fn run(shared: &Shared) {
            loop {
                // SAFETY: this party has the turn; loom checks that no other one does.
                shared.data.with_mut(|data| unsafe { *data += 1 });
                shared.done.fetch_add(1, Ordering::Relaxed);
                // The party whose turn it is goes on here.
                if shared.turns.give_up().is_none() {
                    return;
                }
            }
        }
        loom::model(|| {
            let shared = Arc::new(Shared {
                turns: Turns::new(),
                links: [Link::new(), Link::new(), Link::new()],
                data: UnsafeCell::new(0),
                done: AtomicU32::new(0),
            });
            let party = |at: usize| {
                let shared = shared.clone();
                move || {
                    // SAFETY: the links live until all have ended.
                    if unsafe { shared.turns.take_or_wait(&shared.links[at], at + 1) } {
                        run(&shared);
                    }
                }
            };
            let other = thread::spawn(party(0));
            party(1)();
            party(2)();
            other.join().unwrap();
            assert_eq!(shared.done.load(Ordering::Relaxed), 3);
        });
    }
}
