//! Loom's model of a loop's shares: two threads deal them out as the engine's `tasks/split.rs`
//! does. The queues are the real deques. A ticket is a cell that is emptied when the ticket is
//! complete, so that loom sees every later touch.

use super::*;
use crate::deque::{Deque, Steal};
use crate::shim::AtomicU64;
use crate::shim::AtomicUsize;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

const TICKETS: usize = 4;

struct Loop {
    tickets: [UnsafeCell<Option<Shares>>; TICKETS],
    issued: AtomicUsize,
    complete: AtomicU32,
    queues: [Deque; 2],
    /// For each share, four bits that count how often it was executed.
    executed: AtomicU64,
    /// The number of shares that an owner begins at once.
    row: u64,
    /// The number of shares that an owner leases at once.
    lease: u64,
}

// SAFETY: a thread that holds a ticket may look at it, and the last holder may empty its cell;
// loom's cells check both.
unsafe impl Sync for Loop {}
// SAFETY: as above.
unsafe impl Send for Loop {}

impl Loop {
    fn new(row: u64, lease: u64) -> Arc<Loop> {
        Arc::new(Loop {
            row,
            lease,
            tickets: core::array::from_fn(|_| UnsafeCell::new(None)),
            issued: AtomicUsize::new(0),
            complete: AtomicU32::new(0),
            queues: [Deque::new(), Deque::new()],
            executed: AtomicU64::new(0),
        })
    }

    fn shares<R>(&self, ticket: usize, then: impl FnOnce(&Shares) -> R) -> R {
        // SAFETY: the caller holds the ticket.
        self.tickets[ticket].with(|shares| then(unsafe { (*shares).as_ref() }.expect("complete")))
    }

    fn issue(&self, shares: Shares) -> usize {
        let ticket = self.issued.fetch_add(1, Ordering::Relaxed);
        // SAFETY: no thread has had this ticket so far.
        self.tickets[ticket].with_mut(|place| unsafe { *place = Some(shares) });
        ticket
    }

    fn enqueue(&self, me: usize, ticket: usize) {
        self.queues[me].push(ticket + 1);
    }

    fn put_down(&self, ticket: usize) {
        if self.shares(ticket, Shares::put_down) {
            self.complete(ticket);
        }
    }

    fn execute(&self, ticket: usize) {
        let next = |shares: &Shares| {
            let row = shares.next(self.row).map(|share| (share, self.row));
            row.or_else(|| shares.lease(|| self.lease, self.row))
        };
        while let Some((lowest, count)) = self.shares(ticket, next) {
            for share in lowest..lowest + count {
                self.executed.fetch_add(1 << (4 * share), Ordering::Relaxed);
            }
        }
    }

    fn execute_all(&self, ticket: usize) {
        self.execute(ticket);
        self.put_down(ticket);
    }

    /// Does what the end of `split::deal` does.
    fn deal(&self, me: usize, ticket: usize) {
        self.execute(ticket);
        if self.queues[me].pop_newest_if(ticket + 1, 0) {
            self.complete(ticket);
        } else {
            self.put_down(ticket);
        }
    }

    fn complete(&self, ticket: usize) {
        // SAFETY: the last holder.
        self.tickets[ticket].with_mut(|place| unsafe { *place = None });
        self.complete.fetch_add(1, Ordering::Relaxed);
    }

    /// Does what `split::help` does.
    fn help(&self, me: usize, ticket: usize) {
        let mut seen = Seen::default();
        let mut half = self.shares(ticket, |shares| shares.half(0, &mut seen));
        if half == Half::Few {
            half = self.shares(ticket, |shares| shares.half(0, &mut seen));
        }
        match half {
            Half::Of(count, order) => {
                let queued = count > 1;
                let own = self.issue(Shares::new((count, 1), order, 1 + u32::from(queued)));
                match self.shares(ticket, Shares::is_spent) {
                    true => self.put_down(ticket),
                    false => self.enqueue(me, ticket),
                }
                if queued {
                    self.enqueue(me, own);
                }
                self.execute_all(own);
            }
            Half::Few => self.enqueue(me, ticket),
            Half::Nothing => self.put_down(ticket),
        }
    }

    fn steal(&self, me: usize) {
        if let Steal::Value(word, _) = self.queues[1 - me].steal(|_| true) {
            self.help(me, word - 1);
        }
    }

    fn pop(&self, me: usize) {
        if let Some(word) = self.queues[me].pop() {
            self.help(me, word - 1);
        }
    }
}

/// Checks the orders in which two threads may execute, with two preemptions at most. `first`: the
/// number of shares that the loop's owner has leased from the beginning. `also_back`: the owner
/// also steals from the helper.
fn check((shares, first): (u64, u64), row: u64, lease: u64, also_back: bool) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let shared = Loop::new(row, lease);
        let other = shared.clone();
        let ticket = shared.issue(Shares::new((shares, first), Order::UP, 2));
        shared.enqueue(0, ticket);
        let helper = thread::spawn(move || {
            other.steal(1);
            other.pop(1);
        });
        shared.deal(0, ticket);
        shared.pop(0);
        if also_back {
            shared.steal(0);
        }
        helper.join().unwrap();
        // At the end of the loop's group, the engine executes the tickets that are still queued.
        for me in [0, 1] {
            while let Some(word) = shared.queues[me].pop() {
                shared.help(me, word - 1);
            }
        }
        let all = (0..shares).fold(0, |all, share| all | 1 << (4 * share));
        assert_eq!(shared.executed.load(Ordering::Relaxed), all);
        let issued = shared.issued.load(Ordering::Relaxed);
        assert_eq!(shared.complete.load(Ordering::Relaxed) as usize, issued);
    });
}

/// A helper takes the back half of a range that its owner works through, and the ticket goes back
/// to a queue.
#[test]
fn each_share_is_executed_once_and_each_ticket_completed_once() {
    check((3, 1), 1, 2, false);
}

/// The owner comes back and takes a half of the helper's shares.
#[test]
fn halves_of_halves() {
    check((4, 1), 1, 2, true);
}

/// Owners begin two shares at once and lease three at once.
#[test]
fn rows_of_shares() {
    check((4, 1), 2, 3, false);
}

/// A helper may take back shares that the owner has leased from the beginning.
#[test]
fn a_first_lease() {
    check((3, 2), 1, 1, false);
}
