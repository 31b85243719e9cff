//! A taskloop whose tasks are made when somebody has time for them.
//!
//! The shares of the loop (each is a task) are a range of numbers. Its maker takes them from the front and
//! executes them at once. A *ticket*, a record that stands in the queues as a task does, leads the others to the
//! range: who takes a ticket out of a queue takes the back half of the range, queues the ticket again while there is
//! something left, and executes its half as the maker does, with a ticket of its own, from the far end on: long
//! iterations at either end of a loop are begun first. So no share is ever
//! behind one that somebody executes, however long that one takes, and a maker that nobody helps pays one locked
//! instruction a share, on a line of its own.
//!
//! What must hold:
//! - The construct waits for its tasks (it has a taskgroup), so what it stands on outlives every share.
//! - A ticket is a child of the loop's task, counted in it and in the group until nobody executes shares of its
//!   range and it is in no queue. Whoever executes a share holds such a ticket. So the shares themselves, which are
//!   children of the same task, need not be counted; and the task has the trait `PARENT` all the time.
//! - Nobody listens and nothing can be cancelled: for tools and for `cancel` every task of the loop is made by
//!   the thread that encounters the construct (`create.rs`).
//!
//! Cost of a share that another thread gets: its part of two lines, the range's and the record of the ticket.

use super::create::{self, Spec};
use super::task::{Task, Traits};
use super::{execute, find, queue, records, unseen};
use crate::call::Unwatched;
use crate::thread::Thread;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_sync::ranges::{Found, MOST_UNITS, Range, Seen};

/// What executes shares for a thread that came to help: with the construct that made the loop.
pub type Help = unsafe fn(construct: *const c_void, thread: &'static Thread, shares: &Part);

/// A ticket's payload: a range of shares and whose they are.
pub struct Part {
    /// The shares in the order in which they are executed, from 0 on.
    range: Range,
    order: Order,
    construct: *const c_void,
    help: Help,
    /// The ticket itself.
    ticket: *const Task,
}

/// So few shares are left to an owner that keeps taking them: it is through sooner than a helper.
const FEW: u64 = 4;
/// Time-stamp cycles after which an owner that took nothing meanwhile does not keep taking them.
const LOOK: u64 = 600;

/// Which share is the first of a part, and whether those behind it go down from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    first: u64,
    down: bool,
}

impl Order {
    /// Share number `number` of the part.
    #[inline(always)]
    fn at(self, number: u64) -> u64 {
        if self.down { self.first - number } else { self.first + number }
    }

    /// Of a part that consists of what this one's has before number `end`: from there on backwards.
    fn back_from(self, end: u64) -> Order {
        Order { first: self.at(end - 1), down: !self.down }
    }
}

impl Part {
    /// The next share. For the thread whose part it is.
    #[inline(always)]
    pub fn next(&self) -> Option<u64> {
        self.range.take().map(|number| self.order.at(number))
    }

    /// Makes a record a task like the others of the loop, to be executed at once by the part's thread.
    pub fn define(&self, task: &Task, spec: &Spec, data: *mut c_void) {
        // SAFETY: a part's ticket is not complete while its shares are executed.
        create::define_beside(task, unsafe { &*self.ticket }, spec, data);
    }

    /// Executes a task that [`Part::define`] made.
    ///
    /// # Safety
    /// The code may be called once with the data.
    pub unsafe fn execute(&self, thread: &'static Thread, task: &'static Task) {
        execute::run(thread, task, Unwatched(thread));
    }
}

/// Whether the tasks of a taskloop that asks for nothing more may be dealt out this way: somebody could help. Its
/// construct has a taskgroup.
#[inline(always)]
pub fn may_split(thread: &Thread) -> bool {
    !create::is_alone(thread) && !thread.task().is_final() && unseen::may_prepare()
}

/// Whether so many tasks can be.
#[inline(always)]
pub fn splits_into(shares: u64) -> bool {
    shares > 1 && shares <= MOST_UNITS
}

/// Deals out `shares` shares: `own` executes those that it takes from its part, others call `help`.
///
/// # Safety
/// `construct` is valid until the construct's taskgroup has ended, and `help` may be called with it by any
/// thread of the team; [`may_split`] and [`splits_into`] hold.
pub unsafe fn deal(
    thread: &'static Thread,
    shares: u64,
    construct: *const c_void,
    help: Help,
    own: impl FnOnce(&Part),
) {
    let ticket = records::take(thread, size_of::<Part>());
    let spec = Spec { code: core::ptr::null(), flags: 0, traits: Traits::TICKET, priority: 0 };
    // The loop is over before its task goes on, so that one's ICVs serve all.
    create::define(thread, ticket, &spec, core::ptr::null_mut(), true);
    create::count(thread, ticket);
    let order = Order { first: 0, down: false };
    let part = issue(ticket, shares, order, (construct, help), 2);
    queue::enqueue(thread, ticket);
    own(part);
    // About so many: others may have helped.
    thread.tasks.count_at_once(shares as u32);
    put_down(thread, ticket);
}

/// The record is a ticket for so many shares that so many hold: who executes them, and a queue.
fn issue(
    ticket: &'static Task,
    shares: u64,
    order: Order,
    (construct, help): (*const c_void, Help),
    holders: u32,
) -> &'static Part {
    let range = Range::new();
    range.set(0, 0, shares);
    ticket.parts.store(holders, Ordering::Relaxed);
    let place = ticket.payload().cast::<Part>();
    // SAFETY: the payload was asked for with this size; records are aligned to 64. The record is a ticket until
    // its last holder puts it down.
    unsafe {
        place.write(Part { range, order, construct, help, ticket });
        &*place
    }
}

/// One holder less. The last one completes it.
fn put_down(thread: &'static Thread, ticket: &'static Task) {
    if ticket.parts.fetch_sub(1, Ordering::AcqRel) == 1 {
        execute::complete(thread, ticket);
    }
}

/// A ticket that came out of a queue goes back there if its range has something left.
fn pass_on(thread: &'static Thread, part: &Part, ticket: &'static Task) {
    if part.range.is_spent() {
        put_down(thread, ticket);
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
    let mut found = part.range.steal(0, FEW, &mut seen);
    if found == Found::Few {
        let start = find::now();
        while find::now().wrapping_sub(start) < LOOK {
            omphalos_sys::relax();
        }
        found = part.range.steal(0, FEW, &mut seen);
    }
    match found {
        Found::Units(first, end) => {
            let own = records::take(thread, size_of::<Part>());
            let spec =
                Spec { code: core::ptr::null(), flags: 0, traits: Traits::TICKET, priority: 0 };
            create::define_beside(own, ticket, &spec, core::ptr::null_mut());
            // Counted before the ticket in hand may be put down.
            create::count_beside(thread, own);
            let (count, order) = (end - first, part.order.back_from(end));
            let queued = count > 1;
            let holders = 1 + u32::from(queued);
            let shares = issue(own, count, order, (part.construct, part.help), holders);
            pass_on(thread, part, ticket);
            if queued {
                queue::enqueue(thread, own);
            }
            // SAFETY: who dealt the loop out promised it.
            unsafe { (shares.help)(shares.construct, thread, shares) };
            thread.tasks.got.set(count as u32);
            put_down(thread, own);
        }
        Found::Few => thread.slot().tasks.deque.push(core::ptr::from_ref(ticket) as usize),
        _ => put_down(thread, ticket),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(order: Order, count: u64) -> Vec<u64> {
        (0..count).map(|number| order.at(number)).collect()
    }

    #[test]
    fn helpers_begin_at_the_far_end() {
        let maker = Order { first: 0, down: false };
        assert_eq!(shares(maker, 4), [0, 1, 2, 3]);
        // The back half of eight, and the back half of that.
        let helper = maker.back_from(8);
        assert_eq!(shares(helper, 4), [7, 6, 5, 4]);
        let second = helper.back_from(4);
        assert_eq!(shares(second, 2), [4, 5]);
    }
}
