//! What a thread is in: a stack of implicit tasks, each with its region.
//!
//! A thread that encounters a nested region puts the inner implicit task on top of the outer one.
//! What must hold: only the thread's own callbacks touch this, never a signal handler.
//!
//! The time of a nested region counts as work of the outer one: for the outer region's balance it
//! does not matter whether its thread computes itself or lets an inner team compute.

use super::construct::Constructs;
use super::mutex::{Asking, Hold};
use super::region::{Region, Slot};
use super::sites::TaskTable;
use super::tasks::Tasks;
use super::{Account, Class, Counters};
use crate::clock;
use core::sync::atomic::Ordering::Relaxed;

/// Shares of open regions may be so old, ns: what was done since seems to be waiting.
const UNSTORED: u64 = 20_000;

/// One implicit (or initial) task on this thread.
pub struct Context {
    /// The instance, null for an initial task outside any region.
    pub region: *const Region,
    /// Its id when the task began.
    pub region_id: u64,
    /// The region's `codeptr_ra`.
    pub codeptr: u64,
    /// 1 = outermost region, 0 = none.
    pub level: u32,
    /// The thread's number in the team.
    pub number: u32,
    /// Kind of the implicit task, `ompt_task_flag_t`.
    pub flags: u32,
    /// The address of the task's data word, which names the task.
    pub task: usize,
    /// True between a barrier's begin and end.
    pub in_barrier: bool,
    /// True once the task came to a barrier that may be the region's own.
    pub had_barrier: bool,
    /// When its share was stored last as it came to a barrier, ticks.
    stored: u64,
    /// What it has begun inside of the region.
    pub constructs: Constructs,
    /// When the combining of a reduction began, ticks.
    pub reduces_since: u64,
    /// The counters where the task began, moved by what nested regions took.
    base: Counters,
    /// Ticks of nested regions.
    inner: u64,
}

impl Context {
    /// Room for a task.
    fn empty() -> Context {
        Context {
            region: core::ptr::null(),
            region_id: 0,
            codeptr: 0,
            level: 0,
            number: 0,
            flags: 0,
            task: 0,
            in_barrier: false,
            had_barrier: false,
            stored: 0,
            constructs: Constructs::default(),
            reduces_since: 0,
            base: Counters::default(),
            inner: 0,
        }
    }

    /// A task of no region begins with the counters of `account`.
    fn begin(&mut self, account: &Account) {
        self.region = core::ptr::null();
        self.region_id = 0;
        self.codeptr = 0;
        self.level = 0;
        self.number = 0;
        self.in_barrier = false;
        self.had_barrier = false;
        self.stored = 0;
        self.constructs.begin_task();
        self.base = account.counters();
        self.inner = 0;
    }

    /// The region, if the instance is still the one that the task began in.
    pub fn region(&self) -> Option<&Region> {
        // SAFETY: null or an instance, which is never freed.
        let region = unsafe { self.region.as_ref()? };
        (region.id.load(Relaxed) == self.region_id).then_some(region)
    }

    /// What the thread does here when it waits for nothing.
    #[inline]
    pub fn active(&self) -> Class {
        if self.region.is_null() { Class::Serial } else { Class::Work }
    }

    /// As [`Context::publish`], as the thread begins an untimed stretch in a barrier.
    pub fn publish_untimed(&self, account: &Account, tasks: &TaskTable) {
        if let Some(slot) = self.region().and_then(|region| region.slot(self.number as usize)) {
            self.store(slot, account, account.since());
            slot.estimate(account.untimed_shares(tasks));
        }
    }

    /// A task was created in an untimed stretch.
    pub fn created(&self, account: &Account) {
        if let Some(slot) = self.region().and_then(|region| region.slot(self.number as usize)) {
            let share = account.counters().since(&self.base);
            slot.publish_created(&share, account.counts.booked());
        }
    }

    /// The task comes to a barrier at `now`, where the account is settled. What it did up to its
    /// region's own barrier must be stored; before others only for whoever looks at a region that
    /// has not ended, or never will.
    #[inline]
    pub fn comes_to_barrier(&mut self, account: &Account, may_close: bool, now: u64) {
        self.in_barrier = true;
        self.had_barrier |= may_close;
        if may_close || now.saturating_sub(self.stored) > clock::in_ticks_fast(UNSTORED) {
            self.stored = now;
            self.publish(account, now);
        }
    }

    fn store(&self, slot: &Slot, account: &Account, at: u64) {
        let share = account.counters().since(&self.base);
        slot.publish(&share, self.inner, account.counts.booked(), at);
    }

    /// Stores the task's share in its slot. The account must be settled at `now`.
    pub fn publish(&self, account: &Account, now: u64) {
        if let Some(slot) = self.region().and_then(|region| region.slot(self.number as usize)) {
            self.store(slot, account, now);
        }
    }
}

/// A region that this thread encountered and that has not ended.
struct Encountered {
    region: *mut Region,
    /// Counters and class at parallel-begin; counters where an enclosing region needs them.
    base: Counters,
    class: Class,
}

/// The thread's own side of the accounting: see the module.
#[derive(Default)]
pub struct Stack {
    /// Those in use, and room that others have left: a task that begins copies nothing.
    contexts: Vec<Context>,
    /// How many are in use.
    depth: usize,
    encountered: Vec<Encountered>,
    /// The tasks on this thread.
    pub tasks: Tasks,
    /// Mutexes that the thread holds.
    pub holds: Vec<Hold>,
    /// The mutex that the thread waits for.
    pub asking: Option<Asking>,
    /// How long a tick has known the thread to wait for a mutex that no event told of, ticks.
    pub found_waiting: u64,
    /// The class that holds is a guess: the task went on, and it is not known what it did when it
    /// was put aside.
    pub guesses: bool,
    free: Vec<*mut Region>,
}

impl Stack {
    /// The innermost implicit task.
    #[inline]
    pub fn top(&self) -> Option<&Context> {
        self.contexts.get(self.depth.wrapping_sub(1))
    }

    /// The innermost implicit task.
    #[inline]
    pub fn top_mut(&mut self) -> Option<&mut Context> {
        self.contexts.get_mut(self.depth.wrapping_sub(1))
    }

    /// Enters an implicit task, of no region so far. The account must be settled.
    #[inline]
    pub fn push(&mut self, account: &Account) -> &mut Context {
        let at = self.depth;
        if at == self.contexts.len() {
            self.make_room();
        }
        self.depth = at + 1;
        let context = &mut self.contexts[at];
        context.begin(account);
        context
    }

    #[cold]
    fn make_room(&mut self) {
        self.contexts.push(Context::empty());
    }

    /// Leaves the implicit task named `task`, or the innermost one if it is not known.
    #[inline]
    pub fn pop(&mut self, task: usize) -> Option<&Context> {
        let last = self.depth.checked_sub(1)?;
        let known = self.contexts[..=last].iter().rposition(|context| context.task == task);
        self.depth = known.unwrap_or(last);
        self.contexts.get(self.depth)
    }

    /// The implicit task that was left last, until another one begins.
    #[inline]
    pub fn left(&self) -> Option<&Context> {
        self.contexts.get(self.depth)
    }

    /// What the thread does when it waits for nothing.
    #[inline]
    pub fn active(&self) -> Class {
        self.top().map_or(Class::Serial, Context::active)
    }

    /// What the current task did when it was put aside, where that is not known: it waited, most
    /// likely.
    pub fn guess(&mut self) -> Class {
        let in_barrier = self.top().is_some_and(|context| context.in_barrier);
        if in_barrier && self.tasks.is_implicit() {
            return Class::Barrier;
        }
        self.guesses = true;
        Class::TaskWait
    }

    /// An event that only comes from a task at work: a guess that it waits was wrong.
    #[inline]
    pub fn works(&mut self, account: &Account) {
        if self.guesses {
            self.guesses = false;
            account.correct(self.active());
        }
    }

    /// Notes that this thread encountered `region`; the account is settled and in `class`.
    #[inline]
    pub fn encounter(&mut self, region: *mut Region, account: &Account, class: Class) {
        let base = if self.is_in_region() { account.counters() } else { Counters::default() };
        self.encountered.push(Encountered { region, base, class });
    }

    /// The region ended: its time was work of the enclosing one. Says which class held at its
    /// begin; none for a region whose begin was not seen. The account must be settled.
    #[inline]
    pub fn leave(&mut self, region: *mut Region, account: &Account) -> Option<Class> {
        let at = self.encountered.iter().rposition(|known| known.region == region)?;
        let class = self.encountered[at].class;
        if self.is_in_region() {
            self.leave_inner(at, account);
        }
        self.encountered.truncate(at);
        Some(class)
    }

    fn leave_inner(&mut self, at: usize, account: &Account) {
        let inside = account.counters().since(&self.encountered[at].base);
        if let Some(outer) = self.top_mut() {
            outer.base.skip(&inside);
            outer.inner += inside.time();
        }
    }

    /// True where the innermost implicit task is one of a region: only its counters are anybody's
    /// share.
    #[inline]
    fn is_in_region(&self) -> bool {
        self.top().is_some_and(|outer| !outer.region.is_null())
    }

    /// True if this thread encountered `region` and it has not ended.
    #[inline]
    pub fn has_encountered(&self, region: *const Region) -> bool {
        self.encountered.iter().any(|known| core::ptr::eq(known.region, region))
    }

    /// An instance with room for `size` threads.
    #[inline]
    pub fn take_region(&mut self, size: usize) -> *mut Region {
        let fits = |region: &*mut Region| {
            // SAFETY: instances are never freed.
            unsafe { (**region).room() >= size }
        };
        match self.free.iter().rposition(fits) {
            Some(at) => self.free.swap_remove(at),
            None => new_region(size),
        }
    }

    /// Gives an instance back.
    pub fn give_region(&mut self, region: *mut Region) {
        self.free.push(region);
    }

    /// Forgets everything but the free instances: for a thread that begins anew.
    pub fn reset(&mut self) {
        self.depth = 0;
        self.encountered.clear();
        self.tasks.reset();
        self.holds.clear();
        self.asking = None;
        self.found_waiting = 0;
        self.guesses = false;
    }
}

#[cold]
fn new_region(size: usize) -> *mut Region {
    core::ptr::from_ref(Region::with_room(size.next_power_of_two())).cast_mut()
}
