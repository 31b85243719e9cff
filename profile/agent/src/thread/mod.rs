//! The record of one thread: what its callbacks book, what its signal handler needs; and the list
//! of all records.
//!
//! What must hold:
//! - A record is never freed, so a late signal or a late store of another thread finds memory. Once
//!   its thread has ended, a later thread may use it again.
//! - One [`Owner`] at a time writes the figures of events, and the stack of tasks.
//! - `Thread::sampler` belongs to the user that `Thread::user` names (`borrow`): the handler takes
//!   it for the length of a sample, callbacks for the length of a capture, the watcher for the
//!   length of a look. A handler that finds it taken leaves the moment to the next sample.
//! - The thread finds its record through one initial-exec TLS word, so the handler needs no
//!   `__tls_get_addr`.

pub mod asked;
mod blocked;
mod borrow;
mod constructs;
pub mod cost;
mod owner;
pub mod queued;
mod span;
pub mod stretch;
pub mod summed;

use crate::accounting::ledger::Ledger;
use crate::accounting::stack::Stack;
use crate::accounting::{Books, Class};
use crate::mark::Mark;
use crate::sampler::{Sampled, Sampler, bounds};
use crate::{memory, recording};
use core::cell::UnsafeCell;
use core::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering::Acquire,
    Ordering::Relaxed, Ordering::Release,
};
use cost::Cost;
use omphalos_sys::tls;
pub use owner::Owner;
use queued::Look;

/// One thread.
pub struct Thread {
    /// The agent's index.
    pub index: AtomicU32,
    /// The kernel's number.
    pub os_tid: AtomicI32,
    /// [`recording::session`] when the record began.
    session: AtomicU32,
    /// True from thread-begin to thread-end.
    pub alive: AtomicBool,
    /// When the thread ended, ticks; 0 = it has not.
    pub ended: AtomicU64,
    /// The figures that events book.
    ledger: Ledger,
    /// The number of samples taken, when the sampler was last given back.
    pub samples: AtomicU64,
    /// The number of these samples that could not be written.
    pub missed: AtomicU64,
    /// When the next moment comes that a sample stands for, ticks.
    pub next_point: AtomicU64,
    /// The last look at how much of its work had a processor.
    pub look: Look,
    /// Whether a callback is at work: then that callback alone has the ledger and the stack.
    in_callback: AtomicBool,
    /// Whether a tick came while a callback was at work.
    tick_waits: AtomicBool,
    /// The call of the C library that the thread is in.
    pub mark: Mark,
    /// Ticks off its processor in calls: in regions, and outside.
    blocked: [AtomicU64; 2],
    /// The ticks off its processor in calls that only the watcher saw: in regions, and outside. The
    /// thread that writes them holds the sampler.
    found: [AtomicU64; 2],
    /// The system's figures when the record began: how long the thread had run and waited for a
    /// processor, ns.
    pub scheduled: [AtomicU64; 2],
    /// The agent's cost on this thread.
    pub cost: Cost,
    /// When a fork is worth a record again, ticks.
    pub next_capture: AtomicU64,
    /// The address where its handler's own stack begins, downwards.
    pub handler_stack: usize,
    /// The timer's id, -1 = none.
    pub timer: AtomicI32,
    /// The user of `sampler`.
    user: AtomicU8,
    sampler: UnsafeCell<Sampler>,
    stack: UnsafeCell<Stack>,
    /// Whether the record belongs to a thread.
    taken: AtomicBool,
    next: AtomicPtr<Thread>,
}

// SAFETY: the cells are guarded as the module says; everything else is atomic.
unsafe impl Sync for Thread {}

/// Gives the thread its account, place and sites as if they were its own fields.
impl core::ops::Deref for Thread {
    type Target = Ledger;

    #[inline(always)]
    fn deref(&self) -> &Ledger {
        &self.ledger
    }
}

static HEAD: AtomicPtr<Thread> = AtomicPtr::new(core::ptr::null_mut());
/// The mark in place of a record that says that the thread's end was reported.
const ENDED: usize = 1;
/// The mark that says that the record is being made. Meanwhile the C library calls the program's
/// `malloc`, which may call OpenMP.
const BEGINS: usize = 2;
static NEXT_INDEX: AtomicU32 = AtomicU32::new(0);

impl Thread {
    fn new(buffer: usize) -> Thread {
        Thread {
            index: AtomicU32::new(0),
            os_tid: AtomicI32::new(0),
            session: AtomicU32::new(0),
            alive: AtomicBool::new(false),
            ended: AtomicU64::new(0),
            ledger: Ledger::default(),
            samples: AtomicU64::new(0),
            missed: AtomicU64::new(0),
            next_point: AtomicU64::new(0),
            look: Look::default(),
            in_callback: AtomicBool::new(false),
            tick_waits: AtomicBool::new(false),
            mark: Mark::default(),
            blocked: Default::default(),
            found: Default::default(),
            scheduled: Default::default(),
            cost: Cost::default(),
            next_capture: AtomicU64::new(0),
            handler_stack: handler_stack(),
            timer: AtomicI32::new(-1),
            user: AtomicU8::new(borrow::NOBODY),
            sampler: UnsafeCell::new(Sampler::new(buffer)),
            stack: UnsafeCell::new(Stack::default()),
            taken: AtomicBool::new(true),
            next: AtomicPtr::new(core::ptr::null_mut()),
        }
    }

    /// Returns the calling thread's record, if it has one. Async-signal-safe.
    #[inline]
    pub fn current() -> Option<&'static Thread> {
        let word = tls::record();
        if matches!(word.addr(), ENDED | BEGINS) {
            return None;
        }
        // SAFETY: null or a record, which is never freed.
        unsafe { word.cast::<Thread>().as_ref() }
    }

    /// True on a thread whose events are not accounted for: its end was reported, or its record is
    /// being made.
    pub fn has_none() -> bool {
        Thread::is_being_made() || tls::record().addr() == ENDED
    }

    /// True on a thread whose record is being made.
    pub fn is_being_made() -> bool {
        tls::record().addr() == BEGINS
    }

    /// Gives the calling thread a record that begins at `now` in `class`. `buffer` is the size of
    /// its chunk buffer in bytes. Allocates.
    pub fn adopt(class: Class, now: u64, buffer: usize) -> &'static Thread {
        let thread = all()
            .find(|thread| thread.taken.compare_exchange(false, true, Acquire, Relaxed).is_ok());
        let thread = thread.unwrap_or_else(|| {
            let new: &'static Thread = Box::leak(Box::new(Thread::new(buffer)));
            let mut head = HEAD.load(Relaxed);
            loop {
                new.next.store(head, Relaxed);
                let pointer = core::ptr::from_ref(new).cast_mut();
                match HEAD.compare_exchange_weak(head, pointer, Release, Relaxed) {
                    Ok(_) => break,
                    Err(other) => head = other,
                }
            }
            new
        });
        // SAFETY: `current` knows the mark.
        unsafe { tls::set_record(core::ptr::without_provenance_mut(BEGINS)) };
        thread.begin(class, now);
        // SAFETY: the record lives for ever.
        unsafe { tls::set_record(core::ptr::from_ref(thread).cast_mut().cast()) };
        thread
    }

    fn begin(&'static self, class: Class, now: u64) {
        // SAFETY: the calling thread's own record, which is not alive, or has no timer.
        let mut owner = unsafe { Owner::outside(self) };
        self.index.store(NEXT_INDEX.fetch_add(1, Relaxed), Relaxed);
        self.os_tid.store(omphalos_sys::thread::id(), Relaxed);
        self.session.store(recording::session(), Relaxed);
        self.ended.store(0, Relaxed);
        stretch::begin(&owner);
        owner.books().begin(class, now);
        self.samples.store(0, Relaxed);
        self.missed.store(0, Relaxed);
        self.cost.begin();
        self.mpi.clear();
        self.next_capture.store(0, Relaxed);
        let more = [&self.blocked, &self.found];
        more.into_iter().flatten().for_each(|counter| counter.store(0, Relaxed));
        self.in_callback.store(false, Relaxed);
        self.tick_waits.store(false, Relaxed);
        self.mark.end();
        self.place.enter(core::ptr::null(), 0, 0, 0);
        self.place.set_task(0, 0);
        owner.stack().reset();
        let (index, os_tid) = (self.index.load(Relaxed), self.os_tid.load(Relaxed));
        let stack = bounds::of_caller();
        // SAFETY: no memory involved.
        let own = unsafe { libc::pthread_self() };
        let whose = Sampled { index, os_tid, stack, own, ..Sampled::default() };
        // The watcher may still look at the thread that had the record before.
        self.await_sampler(|sampler| {
            sampler.reset(whose, now);
            let so_far = self.scheduled.iter().zip(sampler.scheduled());
            so_far.for_each(|(place, time)| place.store(time, Relaxed));
            self.look.begin(now, self.scheduled[1].load(Relaxed));
            self.next_point.store(sampler.points.next(now), Relaxed);
        });
        self.alive.store(true, Release);
    }

    /// Whether the record belongs to an earlier stay of the agent in the process.
    pub fn is_earlier(&self) -> bool {
        self.session.load(Relaxed) != recording::session()
    }

    /// Starts the calling thread's record anew, which belongs to an earlier stay. Allocates.
    pub fn begin_anew(&'static self, class: Class, now: u64) {
        // SAFETY: `current` knows the mark.
        unsafe { tls::set_record(core::ptr::without_provenance_mut(BEGINS)) };
        // SAFETY: the calling thread's own, which is not alive.
        unsafe { Books::of(&self.account) }.counts().end();
        self.begin(class, now);
        // SAFETY: the record lives for ever.
        unsafe { tls::set_record(core::ptr::from_ref(self).cast_mut().cast()) };
    }

    /// Stops, in a forked child that is not recorded, the record of the child's only thread.
    pub fn stop_in_child(&'static self) {
        HEAD.store(core::ptr::from_ref(self).cast_mut(), Relaxed);
        self.next.store(core::ptr::null_mut(), Relaxed);
        self.user.store(borrow::NOBODY, Relaxed);
        self.timer.store(-1, Relaxed);
        self.in_callback.store(false, Relaxed);
        self.alive.store(false, Relaxed);
        self.stop_summing();
    }

    /// Lets the runtime count and add up nothing more for the thread. The caller has ended the
    /// thread's record.
    pub fn stop_summing(&self) {
        // SAFETY: the record has ended, and no code writes it.
        unsafe { Books::of(&self.account) }.counts().end();
        self.account.summed().end(&self.regions);
    }

    /// Starts the calling thread's record anew in a forked child; no other thread exists there.
    pub fn restart_in_child(&'static self, class: Class, now: u64) {
        HEAD.store(core::ptr::from_ref(self).cast_mut(), Relaxed);
        self.next.store(core::ptr::null_mut(), Relaxed);
        NEXT_INDEX.store(0, Relaxed);
        self.user.store(borrow::NOBODY, Relaxed);
        self.timer.store(-1, Relaxed);
        self.ledger.clear();
        self.begin(class, now);
    }

    /// Gives the record back; the calling thread has none from here on.
    pub fn release(&self) {
        // SAFETY: `current` knows the mark.
        unsafe { tls::set_record(core::ptr::without_provenance_mut(ENDED)) };
        self.taken.store(false, Release);
    }

    /// Whether a callback of the thread is at work. Async-signal-safe.
    #[inline]
    pub fn is_in_callback(&self) -> bool {
        self.in_callback.load(Relaxed)
    }

    /// Whether calls of the C library are followed: the thread executes the program's code, outside
    /// any callback. Async-signal-safe.
    #[inline]
    pub fn is_followed(&self) -> bool {
        let is_free = self.alive.load(Relaxed) && !self.is_in_callback();
        is_free && (self.account.is_at_work() || self.account.summed().is_new())
    }
}

/// The size of a handler's stack, bytes. A handler takes about 6000; pages that it does not reach
/// cost nothing.
const HANDLER_STACK: usize = 1 << 16;

/// Returns the end of a new stack, aligned as a stack is where a function is called.
fn handler_stack() -> usize {
    // SAFETY: bytes.
    let memory = unsafe { memory::zeroed::<u8>(HANDLER_STACK) };
    memory.as_ptr_range().end.addr() & !15
}

/// Returns all records. Async-signal-safe.
pub fn all() -> impl Iterator<Item = &'static Thread> {
    // SAFETY: the list holds records only, which are never freed.
    let mut at = unsafe { HEAD.load(Acquire).as_ref() };
    core::iter::from_fn(move || {
        let thread = at?;
        // SAFETY: as above.
        at = unsafe { thread.next.load(Acquire).as_ref() };
        Some(thread)
    })
}

/// Forgets the figures of earlier records when the agent comes again. No thread records then.
pub fn forget_earlier() {
    NEXT_INDEX.store(0, Relaxed);
    all().for_each(|thread| thread.ledger.clear());
}

/// Closes, in a forked child, which has no other thread, the files that its parent had open for its
/// threads.
pub fn close_in_child() {
    for thread in all() {
        thread.user.store(borrow::NOBODY, Relaxed);
        thread.with_sampler(|sampler| sampler.close());
    }
}

/// Forgets all records in a forked child whose thread has no record: it has no other thread either.
pub fn forget_all() {
    HEAD.store(core::ptr::null_mut(), Relaxed);
}
