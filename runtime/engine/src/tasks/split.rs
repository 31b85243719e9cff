//! Deals out a taskloop whose tasks are made when a thread has time for them.
//!
//! The shares of the loop (each is a task) are a range of numbers. The maker takes shares from the
//! front and executes them at once. A *ticket* leads other threads to the range: a record that
//! stands in the queues as a task does. A thread that takes a ticket out of a queue takes the back
//! half of the range. It queues the ticket again while something is left, and then works on its
//! half as the maker does, with a ticket of its own, from the far end on: long iterations at either
//! end of a loop begin early. So no share waits for another one that a thread executes, however
//! long that takes. A maker without a helper pays one locked instruction a share, on a line of its
//! own. If its shares are tiny it takes several by one instruction: it *leases* as many as it
//! expects to execute in a moment. If it is wrong, other threads take back the shares that it has
//! not begun. If the program does not say how many tasks a loop has, several tiny shares that
//! follow each other may be one task.
//!
//! What must hold:
//!
//! - The data that the shares use outlives them. A construct that waits for its tasks (it has a
//!   taskgroup) has the data on its stack; another one ([`Kept`]) in a record, which the last of
//!   its tickets gives back.
//! - A ticket is a child of the loop's task. It is counted there and in the group until no thread
//!   executes shares of its range and it is in no queue. Each thread that executes a share holds
//!   such a ticket. So the shares themselves, which are children of the same task, need not be
//!   counted; and that task has the trait `PARENT` all the time.
//! - Nothing can be cancelled, and no tool is told that the tasks are made. Otherwise the thread
//!   that encounters the construct makes every task of the loop (`create.rs`). A tool that counts
//!   tasks ([`Counted`]) is told of their begin and end by threads that are not quiet.
//!
//! The protocol of shares and tickets is `omphalos_sync::shares`, which argues and models it.
//!
//! Cost floor of a loop without a helper: the ticket's push and its way back, two locked
//! instructions each, and one for each lease. Cost of a share that another thread gets: its part of
//! the way of two cache lines, the range's and the ticket's.

use super::complete::complete_rarely;
use super::define::{self, Spec};
use super::taskloop::Deal;
use super::{hooks, prepared, queue, records};
use crate::records::{Task, Thread, Traits, plain};
use core::cell::Cell;
use core::ffi::c_void;
use core::num::NonZero;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_sync::ranges::{MOST_UNITS, Seen};
use omphalos_sync::shares::{Half, Order, Shares};
use omphalos_sys::entry::Caller;

/// Executes shares on a thread that came to help. `construct`: the construct that made the loop.
pub type Help = unsafe fn(construct: *const c_void, thread: &'static Thread, shares: &Part);

/// A loop for the threads that execute it.
#[derive(Clone, Copy)]
pub struct Dealt {
    /// The construct that made the loop, the argument of `help`.
    pub construct: *const c_void,
    /// Executes shares.
    pub help: Help,
    /// The program's code of a share. Debuggers show it as the code of the tickets.
    pub code: *const c_void,
    /// Null if the construct waits for its tasks.
    pub kept: *const Kept,
    /// `None` if no tool is attached.
    pub counted: Option<Counted>,
}

/// Says that a tool has counted the tasks that are dealt out. Each share is a task then.
#[derive(Clone, Copy)]
pub struct Counted {
    /// The data word of each task.
    word: NonZero<u64>,
}

impl Counted {
    /// Counts these tasks, which the caller then deals out. Returns `None` if a tool is to be told
    /// that each of them is made. [`may_split`] (or [`may_split_kept`]) holds.
    #[inline]
    pub fn count(thread: &Thread, deal: Deal, caller: Caller) -> Option<Counted> {
        let (tasks, _) = deal.rows(false);
        let word = match splits_into(tasks) {
            true => hooks::counts_dealt(thread, caller, tasks),
            false => None,
        };
        word.map(|word| Counted { word })
    }
}

/// The count of a loop whose construct does not wait for its tasks.
pub struct Kept {
    /// The number of tickets to the loop's shares that are not complete. A thread adds a ticket
    /// only while it holds another one.
    tickets: AtomicU32,
    /// Called when no share is left: gives back the data that the shares used.
    release: unsafe fn(construct: *const c_void, thread: &'static Thread),
}

impl Kept {
    /// Makes the count of a loop that is about to be dealt out.
    pub fn new(release: unsafe fn(*const c_void, &'static Thread)) -> Kept {
        Kept { tickets: AtomicU32::new(1), release }
    }
}

/// A ticket's payload: shares, and the loop that they belong to.
pub struct Part {
    shares: Shares,
    dealt: Dealt,
    /// The ticket itself, and the thread that has the part.
    ticket: *const Task,
    owner: &'static Thread,
    /// For the thread that has the part: the number of shares that it leased last, the time of
    /// that, and whether it was the first lease of the loop's maker.
    leased: Cell<u64>,
    since: Cell<u64>,
    is_first: Cell<bool>,
    /// The largest number of shares that may be one task, and the number that the thread makes one
    /// task at present.
    longest_row: u64,
    row: Cell<u64>,
}

omphalos_layout::describe!(Part { shares });

/// If so few shares are left, an owner that keeps taking them is done before a helper could be.
const SHARES_LEFT_TO_OWNER: u64 = 4;
/// The time-stamp cycles for which a helper watches such an owner. If it took no share in that
/// time, the helper takes shares.
const CYCLES_BEFORE_HELP: u64 = 600;

/// A thread that executed its last lease in fewer time-stamp cycles than this leases
/// [`TIMES_A_LEASE`] times as many shares next.
const CYCLES_A_LEASE: u64 = 600;
const TIMES_A_LEASE: u64 = 4;
/// A thread that needed fewer cycles than this leases the same number again; otherwise one share.
const LONGER_THAN_A_LEASE: u64 = CYCLES_A_LEASE * TIMES_A_LEASE;
/// The number of shares of the longest lease.
const LONGEST_LEASE: u64 = 64;
/// A maker begins a loop with the lease that was right when it began the same loop the last time,
/// but with no more than this part of the shares: so it finds out again how long they take.
const PART_OF_FIRST_LEASE: u64 = 4;
/// If a thread leases so many shares at once, they are tiny. Then several of them may be one task.
const SHARES_BEFORE_ROWS: u64 = 16;

impl Part {
    /// Takes the shares of the next task. Returns the lowest one, and how many shares from there
    /// on. For the thread that has the part.
    #[inline(always)]
    pub fn next(&self) -> Option<(u64, u64)> {
        let row = self.row.get();
        match self.shares.next(row) {
            Some(lowest) => Some((lowest, row)),
            None => self.lease(row),
        }
    }

    /// Does what [`Part::next`] does, for a share that the record of `task` goes on with. The code
    /// of `task` has returned. Returns `None` if something is left of that task, or if a tool is
    /// told of its end.
    #[inline(always)]
    pub fn next_of_row(&self, task: &Task) -> Option<(u64, u64)> {
        if task.leaves_something() {
            return None;
        }
        match self.dealt.counted {
            None => self.next(),
            Some(counted) => hooks::follows_dealt(self.owner, counted.word, || self.next()),
        }
    }

    /// Whether a tool has counted the tasks.
    #[inline(always)]
    pub(super) fn is_counted(&self) -> bool {
        self.dealt.counted.is_some()
    }

    #[inline(never)]
    fn lease(&self, row: u64) -> Option<(u64, u64)> {
        self.shares.lease(|| self.longest_lease(), row)
    }

    /// Returns the number of shares that the thread leases next. It has begun all shares of its
    /// last lease.
    #[inline(always)]
    fn longest_lease(&self) -> u64 {
        let now = omphalos_sys::ticks();
        let most = match now.wrapping_sub(self.since.replace(now)) {
            // Without a memory barrier of all threads, no other thread could take the rest of a
            // lease back.
            _ if !plain::plainly() => 1,
            0..CYCLES_A_LEASE => (self.leased.get() * TIMES_A_LEASE).clamp(1, LONGEST_LEASE),
            CYCLES_A_LEASE..LONGER_THAN_A_LEASE => self.leased.get(),
            _ => 1,
        };
        if self.is_first.replace(false) {
            self.owner.tasks.first_lease.set(self.owner.as_owner(), (self.dealt.code, most));
        }
        self.begin(most);
        most
    }

    /// Notes that the thread has leased so many shares.
    #[inline(always)]
    fn begin(&self, leased: u64) {
        self.leased.set(leased);
        // This is an estimate, for threads that decide whether help is worth while (`spare.rs`).
        self.owner.tasks.count_at_once(leased as u32);
        self.row.set(if leased >= SHARES_BEFORE_ROWS { self.longest_row } else { 1 });
    }

    /// Makes a record a task of the loop, which the thread of this part executes at once.
    ///
    /// # Safety
    /// The thread has allocated the record, and it is no task at the moment.
    pub unsafe fn define(&self, task: &Task, spec: &Spec, data: *mut c_void) {
        // SAFETY: the caller's promise; a part's ticket is not complete while its shares are
        // executed.
        unsafe { define::define_beside(task.claim(), &*self.ticket, spec, data) };
        if let Some(counted) = self.dealt.counted {
            hooks::names_dealt(self.owner, task, counted.word);
        }
    }
}

/// Whether a taskloop without further clauses may be dealt out in this way: nothing can be
/// cancelled, other threads could help, and the current task is not final. The construct has a
/// taskgroup.
#[inline(always)]
pub fn may_split(thread: &Thread) -> bool {
    !define::is_alone(thread) && !thread.task().is_final() && prepared::may_prepare()
}

/// Does what [`may_split`] does, for a construct that does not wait for its tasks. The current task
/// may change its ICVs before the tasks begin, so its ICVs must be the team's.
#[inline(always)]
pub fn may_split_kept(thread: &Thread) -> bool {
    may_split(thread) && core::ptr::eq(thread.task().icvs(), thread.team().icvs())
}

/// Whether the loop can have this many tasks.
#[inline(always)]
pub fn splits_into(shares: u64) -> bool {
    shares > 1 && shares <= MOST_UNITS
}

/// Deals out `shares` shares, up to `longest_row` of which may be one task. `own` executes those
/// that it takes from its part; other threads call `help`.
///
/// # Safety
/// `construct` is valid until the construct's taskgroup has ended, or until it is released, and
/// `help` may be called with it by any thread of the team; [`splits_into`] and [`may_split`] (or
/// [`may_split_kept`]) hold.
pub unsafe fn deal(
    thread: &'static Thread,
    (shares, longest_row): (u64, u64),
    dealt: Dealt,
    own: impl FnOnce(&Part),
) {
    let ticket = records::take(thread, size_of::<Part>());
    let spec = Spec { code: dealt.code, flags: 0, traits: Traits::TICKET, priority: 0 };
    // The loop is over before its task goes on, so all shares use that task's ICVs.
    define::define(thread, ticket, &spec, core::ptr::null_mut(), true);
    define::count(thread, ticket);
    let ticket = ticket.record();
    let first = match thread.tasks.first_lease.get() {
        (code, most) if code == dealt.code => most.min(shares / PART_OF_FIRST_LEASE).max(1),
        _ => 1,
    };
    let all = Shares::new((shares, first), Order::UP, 2);
    let part = issue(thread, ticket, all, dealt, longest_row);
    part.begin(first);
    part.is_first.set(true);
    queue::enqueue(thread, ticket);
    own(part);
    let queue = &thread.slot().tasks;
    if queue.deque.pop_newest_if(core::ptr::from_ref(ticket) as usize, queue.mark.get()) {
        // The thread has both holds of the ticket, its own and the queue's, so no other thread
        // holds it.
        end(thread, part, ticket);
    } else {
        put_down(thread, part, ticket);
    }
}

/// Makes the record the ticket for the shares.
fn issue(
    owner: &'static Thread,
    ticket: &'static Task,
    shares: Shares,
    dealt: Dealt,
    longest_row: u64,
) -> &'static Part {
    let place = ticket.payload().cast::<Part>();
    // SAFETY: the payload was asked for with this size; records are aligned to 64. The record is a
    // ticket until its last holder puts it down.
    unsafe {
        let (leased, since, row) = (Cell::new(1), Cell::new(omphalos_sys::ticks()), Cell::new(1));
        let is_first = Cell::new(false);
        let part = Part { shares, dealt, ticket, owner, leased, since, is_first, longest_row, row };
        place.write(part);
        &*place
    }
}

/// Gives up a hold of the ticket. The last holder completes it.
fn put_down(thread: &'static Thread, part: &Part, ticket: &'static Task) {
    if part.shares.put_down() {
        end(thread, part, ticket);
    }
}

/// Ends a part whose ticket no thread holds any more.
#[inline(always)]
fn end(thread: &'static Thread, part: &Part, ticket: &'static Task) {
    let Dealt { construct, kept, .. } = part.dealt;
    // SAFETY: null, or valid until the last ticket releases it.
    if let Some(kept) = unsafe { kept.as_ref() } {
        let release = kept.release;
        if kept.tickets.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: the caller of `deal` promised it, and no thread uses the construct any more.
            unsafe { release(construct, thread) };
        }
    }
    complete_rarely(thread, ticket);
}

/// Puts a ticket that came out of a queue back there if its range has shares left.
fn pass_on(thread: &'static Thread, part: &Part, ticket: &'static Task) {
    if part.shares.is_spent() {
        put_down(thread, part, ticket);
    } else {
        queue::enqueue(thread, ticket);
    }
}

/// Helps with the loop of a ticket that came out of a queue.
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
            let code = part.dealt.code;
            let spec = Spec { code, flags: 0, traits: Traits::TICKET, priority: 0 };
            define::define_beside(own, ticket, &spec, core::ptr::null_mut());
            // The new ticket is counted before this thread may put down the one that it holds.
            define::count_beside(thread, own);
            let own = own.record();
            let queued = count > 1;
            let shares = Shares::new((count, 1), order, 1 + u32::from(queued));
            // SAFETY: null, or valid as long as the ticket in hand.
            if let Some(kept) = unsafe { part.dealt.kept.as_ref() } {
                kept.tickets.fetch_add(1, Ordering::Relaxed);
            }
            let own_part = issue(thread, own, shares, part.dealt, part.longest_row);
            pass_on(thread, part, ticket);
            if queued {
                queue::enqueue(thread, own);
            }
            // SAFETY: the caller of `deal` promised it.
            unsafe { (own_part.dealt.help)(own_part.dealt.construct, thread, own_part) };
            thread.tasks.got.set(thread.as_owner(), count as u32);
            put_down(thread, own_part, own);
        }
        Half::Few => thread.slot().tasks.deque.push(core::ptr::from_ref(ticket) as usize),
        Half::Nothing => put_down(thread, part, ticket),
    }
}
