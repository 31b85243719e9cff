//! Hands things back to their owner: other threads put chains of them in one word, and the owner
//! takes all at once.
//!
//! | who | step | order |
//! |---|---|---|
//! | another | links its chain's last thing to the first thing here, then puts the chain's first here (compare-exchange) | release: the owner sees the links and the writes to the things |
//! | the owner | takes all (swap) | acquire |
//!
//! No thread takes a single thing, so there is no ABA problem: if the compare-exchange succeeds,
//! the chain was linked to what is in the word.

use crate::shim::{AtomicPtr, Ordering, const_but_for_loom};

/// The word to which things come back.
#[repr(transparent)]
pub struct Returns<T>(AtomicPtr<T>);

impl<T> Returns<T> {
    const_but_for_loom! {
        /// Makes a word to which nothing has come.
        pub fn new() -> Returns<T> {
            Returns(AtomicPtr::new(core::ptr::null_mut()))
        }
    }

    /// Hands back a chain that begins with `first`. `link` makes the chain's last thing point to
    /// the address that it gets.
    #[inline]
    pub fn put(&self, first: *mut T, mut link: impl FnMut(*mut T)) {
        let mut head = self.0.load(Ordering::Relaxed);
        loop {
            link(head);
            match self.0.compare_exchange_weak(head, first, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    /// Takes all that came, newest first; returns null if nothing came. Only the owner calls it.
    #[inline]
    pub fn take(&self) -> *mut T {
        if self.0.load(Ordering::Relaxed).is_null() {
            return core::ptr::null_mut();
        }
        self.0.swap(core::ptr::null_mut(), Ordering::Acquire)
    }
}

#[cfg(not(loom))]
impl<T> Default for Returns<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    struct Record {
        next: AtomicPtr<Record>,
        used: UnsafeCell<u32>,
    }

    struct Home {
        returns: Returns<Record>,
        records: [Record; 4],
    }

    // SAFETY: loom checks the cells.
    unsafe impl Sync for Home {}
    // SAFETY: as above.
    unsafe impl Send for Home {}

    impl Home {
        fn record(&self, at: usize) -> *mut Record {
            core::ptr::from_ref(&self.records[at]).cast_mut()
        }

        /// Uses these records, makes a chain of them and sends it home.
        fn give_back(&self, records: [usize; 2]) {
            for at in records {
                self.records[at].used.with_mut(|used| unsafe { *used += 1 });
            }
            let (first, last) = (&self.records[records[0]], &self.records[records[1]]);
            first.next.store(self.record(records[1]), Ordering::Relaxed);
            self.returns.put(core::ptr::from_ref(first).cast_mut(), |head| {
                last.next.store(head, Ordering::Relaxed);
            });
        }
    }

    /// Two threads send chains home while the owner takes those that have come: each record comes
    /// once, unchanged. The owner uses the records that it took, and its own first chain comes back
    /// through the others.
    #[test]
    fn each_comes_home_once() {
        loom::model(|| {
            let records = core::array::from_fn(|_| Record {
                next: AtomicPtr::new(core::ptr::null_mut()),
                used: UnsafeCell::new(0),
            });
            let home = Arc::new(Home { returns: Returns::new(), records });
            let others = [[0, 1], [2, 3]].map(|records| {
                let home = home.clone();
                thread::spawn(move || home.give_back(records))
            });
            let mut came = 0;
            while came < 4 {
                let mut record = home.returns.take();
                if record.is_null() {
                    thread::yield_now();
                }
                // SAFETY: null or one of the records.
                while let Some(here) = unsafe { record.as_ref() } {
                    came += 1;
                    here.used.with_mut(|used| {
                        // SAFETY: the owner's alone now.
                        unsafe { assert_eq!(core::mem::replace(&mut *used, 9), 1, "came twice") };
                    });
                    record = here.next.load(Ordering::Relaxed);
                }
            }
            others.into_iter().for_each(|other| other.join().unwrap());
            assert!(home.returns.take().is_null());
        });
    }
}
