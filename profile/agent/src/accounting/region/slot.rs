//! The share of one implicit task in an instance of a region.
//!
//! The task's own thread writes it, by way of its `Context`. `sum.rs` reads it, for the primary
//! when the region has ended, and for the code that adds up a region that is still open.
//!
//! What must hold: only the implicit task's thread writes here. All accesses are relaxed: at the
//! region's end the runtime's barrier orders the writes before the primary's reads (see the module
//! above). A thread that reads earlier may see a part of the writes, and reads again later.

use super::open::Open;
use crate::accounting::ledger::Ledger;
use crate::accounting::{CREATED, Class, Counters, EXECUTED, IMPLEMENTATION_BARRIERS, TASK_WORK};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering::Relaxed};

/// The share of one implicit task, in four cache lines of 64 bytes. The first has the figures that
/// change in every instance. The second and third have those that seldom change, and are written
/// only if they do; the fourth has what is open. Nothing is cleared between two instances: the
/// stamp says which instance the figures belong to.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Slot {
    /// The instance's id.
    pub(super) stamp: AtomicU64,
    /// When the implicit task began, in ticks.
    pub(super) begin: AtomicU64,
    /// The time up to which the fields below are right, in ticks. The task spends the time after
    /// that waiting in a barrier, except for the parts in `shares`, unless `has_left` is true. 0 =
    /// nothing was stored in this instance.
    pub(super) at: AtomicU64,
    pub(super) work: AtomicU64,
    pub(super) barrier: AtomicU64,
    pub(super) mutex: AtomicU64,
    pub(super) task_wait: AtomicU64,
    pub(super) overhead: AtomicU64,
    created: AtomicU64,
    /// How many tasks of the runtime's count the agent had booked when `created` was stored. Tasks
    /// that the runtime counts beyond that are added to `created`.
    counted: AtomicU64,
    pub(super) executed: AtomicU64,
    pub(super) task_work: AtomicU64,
    pub(super) implementation_barriers: AtomicU64,
    /// The part of `work` without a processor, also in nested regions.
    pub(super) queued: AtomicU64,
    /// The thread's ticks without a processor when the task began.
    queued_before: AtomicU64,
    /// False where the other figures of this line and the next are all 0 (except `counted` and the
    /// `queued` ones): then no code needs to read or write them.
    pub(super) has_tasks: AtomicBool,
    /// Whether the task had left the barrier at `at`: it does not wait there after that.
    has_left: AtomicBool,
    /// The parts of the time after `at` that are work, tasks' work and waiting for tasks, in this
    /// order; 2^32 stands for all of it. They are 0 unless the thread leaves events untimed. The
    /// rest is waiting in the barrier.
    shares: [AtomicU64; 3],
    /// The ledger of the task's thread. The primary writes to its account when the region ends.
    thread: AtomicPtr<Ledger>,
    /// The construct or barrier that the task has begun and not ended.
    open: Open,
}

const _: () = assert!(size_of::<Slot>() == 4 * 64);

/// Stores a value that most often stands there already. Then nothing is written, and the cache line
/// stays with the processor that read it last.
#[inline]
fn renew(place: &AtomicU64, value: u64) {
    if place.load(Relaxed) != value {
        place.store(value, Relaxed);
    }
}

impl Slot {
    /// Begins the share of an implicit task that begins at `now` on a thread, in the instance with
    /// this id.
    #[inline]
    pub fn begin(&self, id: u64, thread: &'static Ledger, now: u64) {
        self.begin.store(now, Relaxed);
        self.at.store(0, Relaxed);
        renew(&self.queued_before, thread.account.queued());
        let thread = core::ptr::from_ref(thread).cast_mut();
        if self.thread.load(Relaxed) != thread {
            self.thread.store(thread, Relaxed);
        }
        self.stamp.store(id, Relaxed);
    }

    /// Whether it is the share in the instance with this id.
    #[inline]
    pub fn is_of(&self, id: u64) -> bool {
        self.stamp.load(Relaxed) == id
    }

    /// Returns what the task has begun and not ended.
    #[inline]
    pub fn open(&self) -> &Open {
        &self.open
    }

    /// Whether figures of this instance stand here.
    pub fn is_stored(&self) -> bool {
        self.at.load(Relaxed) != 0
    }

    /// Stores the task's figures up to `at`. `inner` is the time of nested regions, `counted` the
    /// number of tasks that the runtime had counted at `at`.
    #[inline(always)]
    pub fn publish(&self, share: &Counters, inner: u64, counted: u64, at: u64) {
        let work = share.class(Class::Work) + share.class(Class::Serial) + inner;
        self.work.store(work, Relaxed);
        self.barrier.store(share.class(Class::Barrier), Relaxed);
        self.mutex.store(share.class(Class::Mutex), Relaxed);
        self.task_wait.store(share.class(Class::TaskWait), Relaxed);
        let overhead = share.class(Class::Overhead) + share.class(Class::Idle);
        self.overhead.store(overhead, Relaxed);
        renew(&self.counted, counted);
        let seldom = [CREATED, EXECUTED, TASK_WORK, IMPLEMENTATION_BARRIERS].map(|at| share.0[at]);
        if seldom != [0; 4] || self.has_tasks.load(Relaxed) {
            self.publish_tasks(seldom);
        }
        renew(&self.queued, share.queued());
        if self.has_left.load(Relaxed) {
            self.has_left.store(false, Relaxed);
        }
        self.at.store(at, Relaxed);
    }

    /// Notes that the task had left the barrier at `at`.
    pub fn leave_barrier(&self) {
        self.has_left.store(true, Relaxed);
    }

    /// Whether the time after `at` is no wait in the barrier where the share was stored.
    pub(super) fn has_left(&self) -> bool {
        self.has_left.load(Relaxed)
    }

    #[cold]
    fn publish_tasks(&self, [created, executed, work, barriers]: [u64; 4]) {
        renew(&self.created, created);
        renew(&self.executed, executed);
        renew(&self.task_work, work);
        renew(&self.implementation_barriers, barriers);
        self.shares.iter().for_each(|share| renew(share, 0));
        self.has_tasks.store(created | executed | work | barriers != 0, Relaxed);
    }

    /// Stores which parts of the time after [`Slot::publish`] are work, tasks' work and waiting for
    /// tasks, of 2^32.
    pub fn estimate(&self, shares: [u64; 3]) {
        self.has_tasks.store(true, Relaxed);
        self.shares.iter().zip(shares).for_each(|(place, share)| place.store(share, Relaxed));
    }

    /// Stores only how many tasks were created.
    pub fn publish_created(&self, share: &Counters, counted: u64) {
        self.has_tasks.store(true, Relaxed);
        self.created.store(share.0[CREATED], Relaxed);
        renew(&self.counted, counted);
    }

    /// Returns the task's ticks without a processor up to now, by its thread's account.
    pub(super) fn queued_so_far(&self) -> u64 {
        let account = self.thread().map(|thread| &thread.account);
        let queued = account.map_or(0, |of| of.queued() + of.pending.load(Relaxed));
        queued.saturating_sub(self.queued_before.load(Relaxed))
    }

    /// Returns the ledger of the thread whose implicit task it is.
    pub(super) fn thread(&self) -> Option<&'static Ledger> {
        // SAFETY: null, or what [`Slot::begin`] was given.
        unsafe { self.thread.load(Relaxed).as_ref() }
    }

    /// Returns the number of tasks that the implicit task's thread made: those that were stored,
    /// and those that the runtime has counted since.
    pub(super) fn created(&self) -> u64 {
        let counted = self.thread().map_or(0, |thread| thread.account.counts.counted());
        self.created.load(Relaxed) + counted.saturating_sub(self.counted.load(Relaxed))
    }

    /// Returns when the thread left the closing barrier that it was in from `at` on; the region was
    /// over at `over`. A worker may leave before the end is reported to the primary, and idles
    /// then.
    pub(super) fn left_by(&self, at: u64, over: u64) -> u64 {
        let idle_from = self.thread().map_or(over, |thread| thread.account.idle_from());
        if (at..over).contains(&idle_from) { idle_from } else { over.max(at) }
    }

    /// Returns the parts of `time` by the estimate: work, tasks' work and waiting for tasks.
    pub(super) fn estimated(&self, time: u64) -> [u64; 3] {
        let part = |share: &AtomicU64| (u128::from(time) * u128::from(share.load(Relaxed))) >> 32;
        core::array::from_fn(|at| part(&self.shares[at]) as u64)
    }
}
