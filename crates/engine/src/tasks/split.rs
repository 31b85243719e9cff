//! A taskloop whose tasks are made when a thread has time for them.
//!
//! The shares of the loop (each is a task) are a range of numbers. The maker takes shares from the
//! front and executes them at once. A *ticket*, a record that stands in the queues as a task does,
//! leads other threads to the range. A thread that takes a ticket out of a queue takes the back
//! half of the range. It queues the ticket again while something is left, and then works on its
//! half as the maker does, with a ticket of its own, from the far end on: long iterations at either
//! end of a loop begin early. So no share waits for one that a thread executes, however long that
//! one takes, and a maker that nobody helps pays one locked instruction a share, on a line of its
//! own. Where its shares are tiny it takes several by one: it *leases* as many as it expects to
//! execute in a moment. If it is wrong, others take back what it has not begun.
//!
//! What must hold:
//!
//! - The construct waits for its tasks (it has a taskgroup), so what it uses on its stack outlives
//!   every share.
//! - A ticket is a child of the loop's task. It is counted there and in the group until no thread
//!   executes shares of its range and it is in no queue. Each thread that executes a share holds
//!   such a ticket. So the shares themselves, which are children of the same task, need not be
//!   counted; and that task has the trait `PARENT` all the time.
//! - No tool is attached and nothing can be cancelled. For tools and for `cancel` the thread that
//!   encounters the construct makes every task of the loop (`create.rs`).
//!
//! The protocol of shares and tickets is `omphalos_sync::shares`, which argues and models it.
//!
//! Cost of a share that another thread gets: its part of two lines, the range's and the record of
//! the ticket.

use super::complete::complete;
use super::define::{self, Spec};
use super::{prepared, queue, records};
use crate::records::{Task, Thread, Traits, plain};
use core::cell::Cell;
use core::ffi::c_void;
use omphalos_sync::ranges::{MOST_UNITS, Seen};
use omphalos_sync::shares::{Half, Order, Shares};

/// Executes shares on a thread that came to help. `construct`: the construct that made the loop.
pub type Help = unsafe fn(construct: *const c_void, thread: &'static Thread, shares: &Part);

/// A ticket's payload: shares, and the loop that they belong to.
pub struct Part {
    shares: Shares,
    construct: *const c_void,
    help: Help,
    /// The ticket itself.
    ticket: *const Task,
    /// For the thread that has the part: how many shares it leased last, and when.
    leased: Cell<u64>,
    since: Cell<u64>,
}

/// With this few shares left, an owner that keeps taking them is done before a helper could be.
const SHARES_LEFT_TO_OWNER: u64 = 4;
/// Time-stamp cycles after which an owner that took no share counts as not taking them.
const CYCLES_BEFORE_HELP: u64 = 600;

/// A thread that got through its lease in less than this many time-stamp cycles leases twice as
/// many shares next, else one.
const CYCLES_A_LEASE: u64 = 600;
/// Shares of the longest lease.
const LONGEST_LEASE: u64 = 32;

impl Part {
    /// The next share. For the thread that has the part.
    #[inline(always)]
    pub fn next(&self) -> Option<u64> {
        self.shares.next().or_else(|| self.lease())
    }

    #[inline(never)]
    fn lease(&self) -> Option<u64> {
        let now = omphalos_sys::ticks();
        let quick = now.wrapping_sub(self.since.replace(now)) < CYCLES_A_LEASE;
        // Nobody could take back more than one where threads cannot be made to pass a barrier.
        let most = if quick && plain::plainly() { self.leased.get() * 2 } else { 1 };
        self.leased.set(most.min(LONGEST_LEASE));
        self.shares.lease(self.leased.get())
    }

    /// Makes a record a task of the loop, which the part's thread executes at once.
    ///
    /// # Safety
    /// The thread has allocated the record, and it is no task at the moment.
    pub unsafe fn define(&self, task: &Task, spec: &Spec, data: *mut c_void) {
        // SAFETY: the caller's promise; a part's ticket is not complete while its shares are
        // executed.
        unsafe { define::define_beside(task.claim(), &*self.ticket, spec, data) };
    }
}

/// Whether a taskloop without further clauses may be dealt out this way: its construct has a
/// taskgroup, and other threads could help.
#[inline(always)]
pub fn may_split(thread: &Thread) -> bool {
    !define::is_alone(thread) && !thread.task().is_final() && prepared::may_prepare()
}

/// Whether the loop can have this many tasks.
#[inline(always)]
pub fn splits_into(shares: u64) -> bool {
    shares > 1 && shares <= MOST_UNITS
}

/// Deals out `shares` shares: `own` executes those that it takes from its part, others call `help`.
///
/// # Safety
/// `construct` is valid until the construct's taskgroup has ended, and `help` may be called with it
/// by any thread of the team; [`may_split`] and [`splits_into`] hold.
pub unsafe fn deal(
    thread: &'static Thread,
    shares: u64,
    construct: *const c_void,
    help: Help,
    own: impl FnOnce(&Part),
) {
    let ticket = records::take(thread, size_of::<Part>());
    let spec = Spec { code: core::ptr::null(), flags: 0, traits: Traits::TICKET, priority: 0 };
    // The loop is over before its task goes on, so all shares use that task's ICVs.
    define::define(thread, ticket, &spec, core::ptr::null_mut(), true);
    define::count(thread, ticket);
    let ticket = ticket.record();
    let part = issue(ticket, Shares::new(shares, Order::UP, 2), construct, help);
    queue::enqueue(thread, ticket);
    own(part);
    // An estimate: others may have helped.
    thread.tasks.count_at_once(shares as u32);
    put_down(thread, part, ticket);
}

/// The record becomes the ticket for the shares.
fn issue(
    ticket: &'static Task,
    shares: Shares,
    construct: *const c_void,
    help: Help,
) -> &'static Part {
    let place = ticket.payload().cast::<Part>();
    // SAFETY: the payload was asked for with this size; records are aligned to 64. The record is a
    // ticket until its last holder puts it down.
    unsafe {
        let (leased, since) = (Cell::new(0), Cell::new(0));
        place.write(Part { shares, construct, help, ticket, leased, since });
        &*place
    }
}

/// One thread fewer holds the ticket. The last one completes it.
fn put_down(thread: &'static Thread, part: &Part, ticket: &'static Task) {
    if part.shares.put_down() {
        complete(thread, ticket);
    }
}

/// A ticket that came out of a queue goes back there if its range has shares left.
fn pass_on(thread: &'static Thread, part: &Part, ticket: &'static Task) {
    if part.shares.is_spent() {
        put_down(thread, part, ticket);
    } else {
        queue::enqueue(thread, ticket);
    }
}

/// A ticket came out of a queue.
#[cold]
pub(super) fn help(thread: &'static Thread, ticket: &'static Task) {
    // SAFETY: a ticket's payload, which the caller holds.
    let part = unsafe { &*ticket.payload().cast::<Part>() };
    let mut seen = Seen::default();
    let mut half = part.shares.half(SHARES_LEFT_TO_OWNER, &mut seen);
    if half == Half::Few {
        let start = omphalos_sys::ticks();
        while omphalos_sys::ticks().wrapping_sub(start) < CYCLES_BEFORE_HELP {
            omphalos_sys::relax();
        }
        half = part.shares.half(SHARES_LEFT_TO_OWNER, &mut seen);
    }
    match half {
        Half::Of(count, order) => {
            let own = records::take(thread, size_of::<Part>());
            let spec =
                Spec { code: core::ptr::null(), flags: 0, traits: Traits::TICKET, priority: 0 };
            define::define_beside(own, ticket, &spec, core::ptr::null_mut());
            // Counted before this thread may put down the ticket that it holds.
            define::count_beside(thread, own);
            let own = own.record();
            let queued = count > 1;
            let shares = Shares::new(count, order, 1 + u32::from(queued));
            let own_part = issue(own, shares, part.construct, part.help);
            pass_on(thread, part, ticket);
            if queued {
                queue::enqueue(thread, own);
            }
            // SAFETY: who dealt the loop out promised it.
            unsafe { (own_part.help)(own_part.construct, thread, own_part) };
            thread.tasks.got.set(thread.own(), count as u32);
            put_down(thread, own_part, own);
        }
        Half::Few => thread.slot().tasks.deque.push(core::ptr::from_ref(ticket) as usize),
        Half::Nothing => put_down(thread, part, ticket),
    }
}
