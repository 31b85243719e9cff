//! The things that a thread is in: a stack of implicit tasks, the tasks on them, and mutexes.
//!
//! A thread that encounters a nested region puts the inner implicit task on top of the outer one.
//! What must hold: only the owner of the thread's ledger touches this (`thread::Owner`).

use super::context::Context;
use super::mutex::{Asking, Hold};
use super::region::Region;
use super::target::Targets;
use super::tasks::Tasks;
use super::{Account, Books, Class, Counters};
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A region that this thread encountered and that has not ended.
struct Encountered {
    region: *mut Region,
    /// The thread's class at parallel-begin.
    class: Class,
}

/// The thread's own side of the accounting.
#[derive(Default)]
pub struct Stack {
    /// The contexts in use, then those that were left: a task that begins uses one of those again,
    /// and copies nothing.
    contexts: Vec<Context>,
    /// The number of contexts in use.
    depth: usize,
    encountered: Vec<Encountered>,
    /// For regions encountered inside other regions: the counters at parallel-begin, in the order
    /// of `encountered`.
    bases: Vec<Counters>,
    /// The tasks on this thread.
    pub tasks: Tasks,
    /// The target constructs that it executes.
    pub targets: Targets,
    /// Mutexes that the thread holds.
    pub holds: Vec<Hold>,
    /// The mutex that the thread waits for.
    pub asking: Option<Asking>,
    /// The time for which a tick has known that the thread waits for a mutex that no event
    /// reported, ticks.
    pub found_waiting: u64,
    /// Whether the class is a guess: the task went on, and its class when it was put aside is not
    /// known.
    pub guesses: bool,
    /// True for a thread of the runtime that executes tasks of others while it has no region.
    pub serves: bool,
    free: Vec<*mut Region>,
    /// Ids that the thread has reserved for its next regions.
    ids: Range<u64>,
}

/// The first of the ids that no thread has reserved yet.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);
/// The number of ids that a thread reserves at once. A locked operation in each fork would wait
/// until the thread's earlier stores are done, and a store to a line that the team shares takes a
/// transfer.
const IDS: u64 = 1024;

impl Stack {
    /// Returns the innermost implicit task.
    #[inline]
    pub fn top(&self) -> Option<&Context> {
        self.contexts.get(self.depth.wrapping_sub(1))
    }

    /// Returns the innermost implicit task.
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

    /// Whether another implicit task can be entered without an allocation.
    pub fn has_room(&self) -> bool {
        self.depth < self.contexts.len() && self.tasks.has_room()
    }

    /// Leaves the implicit task named `task`, or the innermost one if it is not known.
    #[inline]
    pub fn pop(&mut self, task: usize) -> Option<&Context> {
        let last = self.depth.checked_sub(1)?;
        let known = self.contexts[..=last].iter().rposition(|context| context.task == task);
        self.depth = known.unwrap_or(last);
        self.contexts.get(self.depth)
    }

    /// Returns the implicit task that was left last, until another one begins.
    #[inline]
    pub fn left(&self) -> Option<&Context> {
        self.contexts.get(self.depth)
    }

    /// Fetches the line of a region's record for a task that is about to begin: most often the
    /// region is that of the task before, and another thread has written the line.
    #[inline]
    pub fn will_begin(&self) {
        if let Some(before) = self.left() {
            omphalos_sys::will_read(before.region);
        }
    }

    /// Returns the class of the thread when it does not wait.
    #[inline]
    pub fn active(&self) -> Class {
        match self.top().map_or(Class::Serial, Context::active) {
            Class::Serial => self.outside(),
            active => active,
        }
    }

    /// Returns the class of the thread in a task of no region: work where the thread serves others,
    /// or came to the task from a region (`target` in `parallel`).
    pub fn outside(&self) -> Class {
        let mut enclosing = self.contexts.iter().take(self.depth);
        let works = self.serves || enclosing.any(|context| !context.region.is_null());
        if works { Class::Work } else { Class::Serial }
    }

    /// Returns the class of the thread after a task of no region has ended.
    pub fn after_outside(&self) -> Class {
        if self.serves && self.top().is_none() { Class::Idle } else { self.active() }
    }

    /// Guesses the class of the current task when it was put aside, where that is not known: most
    /// likely it waited.
    pub fn guess(&mut self) -> Class {
        let in_barrier = self.top().is_some_and(|context| context.in_barrier);
        if in_barrier && self.tasks.is_implicit() {
            return Class::Barrier;
        }
        self.guesses = true;
        Class::TaskWait
    }

    /// Corrects a guess that the task waits, at an event that only a task at work causes.
    #[inline]
    pub fn works(&mut self, account: &Books) {
        if self.guesses {
            self.guesses = false;
            account.correct(self.active());
        }
    }

    /// Notes that this thread encountered `region`, in `class`. The account must be settled.
    #[inline]
    pub fn encounter(&mut self, region: *mut Region, account: &Account, class: Class) {
        if self.is_in_region() {
            self.note_base(account);
        }
        self.encountered.push(Encountered { region, class });
    }

    #[cold]
    fn note_base(&mut self, account: &Account) {
        self.bases.resize(self.encountered.len() + 1, Counters::default());
        self.bases[self.encountered.len()] = account.counters();
    }

    /// Notes that the region ended: its time was work of the enclosing one. Returns the thread's
    /// class at its begin; `None` for a region whose begin was not seen. The account must be
    /// settled.
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
        let Some(base) = self.bases.get(at) else { return };
        let inside = account.counters().since(base);
        if let Some(outer) = self.top_mut() {
            outer.base.skip(&inside);
            outer.inner += inside.time();
            outer.inner_waits += inside.class(Class::Barrier);
        }
    }

    /// Stores anew, at a tick, the shares of the tasks that have left a barrier, for readers of a
    /// region that is still open.
    pub fn publish_open(&self, account: &Account) {
        let now = account.counters();
        let (mut counters, mut inside) = (now, 0);
        for context in self.contexts.iter().take(self.depth).rev() {
            if context.region.is_null() {
                break;
            }
            context.publish_open(account, &counters, inside);
            let is_own = |known: &Encountered| core::ptr::eq(known.region, context.region);
            let at = self.encountered.iter().rposition(is_own);
            // The time since the inner region began is work of the enclosing one.
            let Some(base) = at.and_then(|at| self.bases.get(at)) else { break };
            (counters, inside) = (*base, now.since(base).time());
        }
    }

    /// Whether the innermost implicit task is one of a region: only then are its counters a share.
    #[inline]
    fn is_in_region(&self) -> bool {
        self.top().is_some_and(|outer| !outer.region.is_null())
    }

    /// Whether this thread encountered `region` and the region has not ended.
    #[inline]
    pub fn has_encountered(&self, region: *const Region) -> bool {
        self.encountered.iter().any(|known| core::ptr::eq(known.region, region))
    }

    /// Returns an instance with room for `size` threads.
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

    /// Returns the id of the thread's next region. Unique in the process, never 0.
    #[inline]
    pub fn next_region_id(&mut self) -> u64 {
        self.ids.next().unwrap_or_else(|| {
            let first = NEXT_ID.fetch_add(IDS, Relaxed);
            self.ids = first + 1..first + IDS;
            first
        })
    }

    /// Gives an instance back.
    pub fn give_region(&mut self, region: *mut Region) {
        self.free.push(region);
    }

    /// Forgets everything but the free instances. A thread that begins anew calls it.
    pub fn reset(&mut self) {
        self.depth = 0;
        // The regions still in `encountered` are those whose end was not reported.
        self.free.extend(self.encountered.drain(..).map(|known| known.region));
        self.tasks.reset();
        self.targets.reset();
        self.holds.clear();
        self.asking = None;
        self.found_waiting = 0;
        self.guesses = false;
        self.serves = false;
    }
}

#[cold]
fn new_region(size: usize) -> *mut Region {
    core::ptr::from_ref(Region::with_room(size.next_power_of_two())).cast_mut()
}
