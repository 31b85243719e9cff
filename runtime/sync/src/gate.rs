//! One thread's sleeping place.
//!
//! A gate is a word that counts orders (in steps of 2); its bit 0 says whether the owner sleeps. A
//! worker waits at its gate for its next region, and any thread sleeps at its own gate when it
//! waits for something else (a barrier, a task). So a waker looks at one word for each thread.
//!
//! | done by | step | order |
//! |---|---|---|
//! | giver | writes the order's fields, then `seq` := next even value (swap) | release: the owner sees the fields |
//! | owner | sees `seq` changed (acquire) | reads the fields |
//! | owner | `seq` := seq + 1 (compare-exchange, SeqCst), then looks at its condition again, then sleeps | with the waker: one of the two sees the other |
//! | waker | makes the condition true (SeqCst), then looks at bit 0 (SeqCst); set: clears it and wakes | as above |
//!
//! The pair "store own flag, read the other's" needs sequential consistency on both sides. Suppose
//! that the owner's second look does not see the condition. Then the fence in front of that look
//! comes before the waker's write in the one order of all SeqCst operations, whether that write is
//! SeqCst itself or has a fence behind it. The owner's compare-exchange comes before its fence, and
//! the waker's look at bit 0 after its write. So the waker's look, which is SeqCst too, sees the
//! compare-exchange or what came after it. After a fence a relaxed look would suffice, but not
//! after a SeqCst write alone. (On x86-64 both are the same instruction.) An order and a wake may
//! race: both clear bit 0, and both wake.
//!
//! A signal handler of the program may interrupt the owner's sleep and wait at the same gate. It
//! finds the gate shut, and opens it: the interrupted sleep returns as soon as the handler does,
//! and its caller looks again. So the interrupted wait loses no wake-up that the handler's wait
//! used up.

use crate::shim::{
    AtomicU32, Ordering, const_but_for_loom, fence, futex_wait, futex_wait_for, futex_wake,
    load_seq_cst,
};
use core::time::Duration;

/// One thread's sleeping place.
#[derive(Debug)]
#[repr(C)]
pub struct Gate {
    /// The count of orders and bit 0. Written by givers of orders, by the owner (bit 0) and by
    /// wakers (bit 0).
    seq: AtomicU32,
}

#[cfg(not(loom))]
omphalos_layout::describe!(<> Gate as ("Gate") { seq });

impl Gate {
    const_but_for_loom! {
        /// Makes a gate whose owner is awake and has no order yet.
        pub fn new() -> Gate {
            Gate { seq: AtomicU32::new(0) }
        }
    }

    /// Returns the latest order's number. For the owner; pairs with [`Gate::order`].
    #[inline(always)]
    pub fn seen(&self) -> u32 {
        self.seq.load(Ordering::Acquire) & !1
    }

    /// Publishes an order whose fields were written before, and wakes the owner if it sleeps. Only
    /// one thread at a time gives orders.
    #[inline]
    pub fn order(&self) {
        let next = (self.seq.load(Ordering::Relaxed) & !1).wrapping_add(2);
        if self.seq.swap(next, Ordering::AcqRel) & 1 != 0 {
            futex_wake(&self.seq, 1);
        }
    }

    /// Whether the owner sleeps (or is about to). The caller has made true what the owner waits
    /// for, as for [`Gate::wake`]. It sees everything that the owner wrote before it shut the gate.
    #[inline]
    pub fn sleeps(&self) -> bool {
        load_seq_cst(&self.seq) & 1 != 0
    }

    /// Wakes the owner if it sleeps. The caller must have made true what the owner waits for, by a
    /// SeqCst operation or with a SeqCst fence after it. Returns true if the owner slept.
    pub fn wake(&self) -> bool {
        let seq = load_seq_cst(&self.seq);
        if seq & 1 == 0 {
            return false;
        }
        let cleared =
            self.seq.compare_exchange(seq, seq & !1, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        if cleared {
            futex_wake(&self.seq, 1);
        }
        cleared
    }

    /// Makes the owner sleep until it is woken or gets an order after number `last`, unless `ready`
    /// already holds. May return early; the caller checks again. Returns whether it really slept.
    pub fn sleep(&self, last: u32, ready: impl FnOnce() -> bool) -> bool {
        self.rest(last, None, ready)
    }

    /// Does what [`Gate::sleep`] does, for at most `time`.
    pub fn sleep_at_most(&self, time: Duration, last: u32, ready: impl FnOnce() -> bool) -> bool {
        self.rest(last, Some(time), ready)
    }

    fn rest(&self, last: u32, time: Option<Duration>, ready: impl FnOnce() -> bool) -> bool {
        if let Err(seen) =
            self.seq.compare_exchange(last, last | 1, Ordering::SeqCst, Ordering::Relaxed)
        {
            if seen == last | 1 {
                self.open(last);
            }
            return false;
        }
        fence(Ordering::SeqCst);
        let slept = !ready();
        if slept {
            while self.seq.load(Ordering::Acquire) == last | 1 {
                match time {
                    None => futex_wait(&self.seq, last | 1),
                    Some(time) => {
                        futex_wait_for(&self.seq, last | 1, time);
                        break;
                    }
                }
            }
        }
        self.open(last);
        slept
    }

    /// Clears bit 0, unless a waker or an order has.
    fn open(&self, last: u32) {
        let _ = self.seq.compare_exchange(last | 1, last, Ordering::AcqRel, Ordering::Relaxed);
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::shim::AtomicU32;
    use loom::sync::Arc;
    use loom::thread;

    /// A sleeper and a waker that makes the condition true: no lost wake-up.
    #[test]
    fn a_wake_is_never_lost() {
        loom::model(|| {
            let shared = Arc::new((Gate::new(), AtomicU32::new(0)));
            let other = shared.clone();
            let waker = thread::spawn(move || {
                other.1.store(1, Ordering::SeqCst);
                fence(Ordering::SeqCst);
                other.0.wake();
            });
            let (gate, ready) = (&shared.0, &shared.1);
            let last = gate.seen();
            while ready.load(Ordering::SeqCst) == 0 {
                gate.sleep(last, || ready.load(Ordering::SeqCst) != 0);
            }
            waker.join().unwrap();
        });
    }

    /// No wake-up is lost either if a SeqCst addition makes the condition true, without a fence,
    /// and the waker looks twice, as a thread does that goes through many gates.
    #[test]
    fn a_wake_behind_an_addition_is_never_lost() {
        loom::model(|| {
            let shared = Arc::new((Gate::new(), AtomicU32::new(0)));
            let other = shared.clone();
            let waker = thread::spawn(move || {
                other.1.fetch_add(1, Ordering::SeqCst);
                if other.0.sleeps() {
                    other.0.wake();
                }
            });
            let (gate, ready) = (&shared.0, &shared.1);
            let last = gate.seen();
            while ready.load(Ordering::SeqCst) == 0 {
                gate.sleep(last, || ready.load(Ordering::SeqCst) != 0);
            }
            waker.join().unwrap();
        });
    }

    /// A wake and an order at the same moment leave the owner awake, with its order.
    #[test]
    fn a_wake_and_an_order_do_not_undo_each_other() {
        let mut bounded = loom::model::Builder::new();
        bounded.preemption_bound = Some(2);
        bounded.check(|| {
            let shared = Arc::new((Gate::new(), AtomicU32::new(0)));
            let (first, second) = (shared.clone(), shared.clone());
            let waker = thread::spawn(move || {
                first.1.store(1, Ordering::SeqCst);
                first.0.wake();
            });
            let giver = thread::spawn(move || second.0.order());
            let (gate, ready) = (&shared.0, &shared.1);
            while gate.seen() == 0 {
                gate.sleep(0, || false);
            }
            while ready.load(Ordering::SeqCst) == 0 {
                gate.sleep(2, || ready.load(Ordering::SeqCst) != 0);
            }
            waker.join().unwrap();
            giver.join().unwrap();
        });
    }

    /// An order reaches an owner that goes to sleep at the same moment.
    #[test]
    fn an_order_is_never_lost() {
        loom::model(|| {
            let shared = Arc::new((Gate::new(), AtomicU32::new(0)));
            let other = shared.clone();
            let giver = thread::spawn(move || {
                other.1.store(7, Ordering::Relaxed);
                other.0.order();
            });
            let gate = &shared.0;
            while gate.seen() == 0 {
                gate.sleep(0, || false);
            }
            assert_eq!(shared.1.load(Ordering::Relaxed), 7);
            giver.join().unwrap();
        });
    }
}
