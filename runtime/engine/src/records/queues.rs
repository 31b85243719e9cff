//! The queues of ready tasks that a member and a team keep. `tasks/queue.rs` says how tasks go in
//! and come out.

use super::{Owner, OwnerWord, Ranked, Slot, Task};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use crossbeam_utils::CachePadded;
use omphalos_sync::deque::Deque;
use omphalos_sync::tally::Tally;
use omphalos_sync::word_lock;
use std::collections::VecDeque;

/// The queues of a member.
pub struct SlotTasks {
    /// The member's ready tasks without a priority.
    pub(crate) deque: Deque,
    /// The end of the member's deque when the current task began. All tasks above this end were
    /// queued by the current task and its descendants.
    pub(crate) mark: OwnerWord<u64, Slot>,
    /// The member's ready tasks with a priority.
    pub(crate) ranked: CachePadded<Ranked>,
    /// The member from which this member stole last.
    pub(crate) victim: OwnerWord<u32, Slot>,
    /// The number of the latest worksharing construct with a task reduction. All members give a
    /// construct the same number.
    pub(crate) shared: OwnerWord<u64, Slot>,
    /// Counts of the tasks that the member made and finished. Only tasks that may outlive the call
    /// that made them are counted (`presence.rs`). Threads that search for tasks read these counts
    /// again and again. So `mark`, which the member writes for each task that it executes at once,
    /// must not be in the same cache line.
    pub(crate) tally: CachePadded<Tally>,
}

omphalos_layout::describe!(SlotTasks { deque, ranked });

impl SlotTasks {
    /// Makes the queues of a member without tasks.
    pub fn new() -> Self {
        SlotTasks {
            deque: Deque::new(),
            mark: OwnerWord::new(0),
            ranked: CachePadded::new(Ranked::new()),
            victim: OwnerWord::new(0),
            shared: OwnerWord::new(0),
            tally: CachePadded::new(Tally::new()),
        }
    }
}

impl Owner<'_, Slot> {
    /// Numbers the member's next worksharing construct with a task reduction.
    pub(crate) fn next_shared(self) -> u64 {
        let number = self.number_after(self.tasks.shared.get());
        self.tasks.shared.set(self, number);
        number
    }
}

impl SlotTasks {
    /// Called when the member joins another team, whose region numbers have nothing to do with
    /// those before. The member has no task.
    pub(crate) fn forget_region(&self, by: Owner<'_, Slot>) {
        self.shared.set(by, 0);
        self.tally.end();
    }

    /// Whether the member has ready tasks. A task that another thread has taken does not count, so
    /// only the member itself can rely on the answer.
    pub(crate) fn has_any(&self) -> bool {
        !self.deque.looks_empty() || self.ranked.top() != 0
    }
}

impl Default for SlotTasks {
    fn default() -> Self {
        Self::new()
    }
}

/// The queues of a team.
pub struct TeamTasks {
    /// The number of tasks in the list.
    pub(crate) listed: AtomicU32,
    /// The latest region in which a task had a priority.
    pub(crate) ranked_region: AtomicU64,
    pub(crate) lock: AtomicU32,
    /// Ready tasks, the oldest one first.
    list: UnsafeCell<VecDeque<*const Task>>,
    /// Tables of task reductions that not every member has joined: the construct's number, the
    /// table, the number of members that have joined.
    tables: UnsafeCell<Vec<(u64, *mut usize, u32)>>,
    /// The count of the tasks that threads outside the team finished. The bits above it have the
    /// low bits of the region's number (`presence.rs`). The word is cleared before these low bits
    /// come again.
    pub(crate) outside: AtomicU64,
    /// The number of detached tasks whose body has ended and that are not complete, and of
    /// undeferred tasks that wait for their event.
    pub(crate) open: AtomicU32,
    /// In a forked child, the region that has lost tasks there (`tasks/lost.rs`), else
    /// [`NO_REGION`].
    pub(crate) lost_in: AtomicU64,
}

/// A number that no region has.
const NO_REGION: u64 = u64::MAX;

omphalos_layout::describe!(TeamTasks { listed });

// SAFETY: the lists are only touched under the lock.
unsafe impl Sync for TeamTasks {}

impl TeamTasks {
    /// Makes empty queues.
    pub const fn new() -> Self {
        TeamTasks {
            listed: AtomicU32::new(0),
            ranked_region: AtomicU64::new(0),
            lock: AtomicU32::new(0),
            list: UnsafeCell::new(VecDeque::new()),
            tables: UnsafeCell::new(Vec::new()),
            outside: AtomicU64::new(0),
            open: AtomicU32::new(0),
            lost_in: AtomicU64::new(NO_REGION),
        }
    }

    /// Repairs the queues in a forked child. Another thread may have held the lock at the fork.
    /// Then the list is half changed, so the child replaces it by an empty one, and loses the tasks
    /// in it.
    pub(crate) fn after_fork_in_child(&self) {
        if self.lock.load(Ordering::Relaxed) != 0 {
            // SAFETY: the calling thread is the only one. The old list is not touched.
            unsafe { self.list.get().write(VecDeque::new()) };
            self.listed.store(0, Ordering::Relaxed);
            self.lock.store(0, Ordering::Relaxed);
        }
    }

    /// Clears `outside`, because region numbers have outgrown the bits that it holds of them. No
    /// thread is in a region of the team.
    #[cold]
    pub(crate) fn forget_outside(&self) {
        self.outside.store(0, Ordering::Relaxed);
    }

    fn locked<R>(&self, f: impl FnOnce(&mut VecDeque<*const Task>) -> R) -> R {
        if !word_lock::try_acquire(&self.lock) {
            word_lock::acquire_contended(&self.lock, 2000);
        }
        // SAFETY: the lock is held.
        let result = f(unsafe { &mut *self.list.get() });
        word_lock::release(&self.lock);
        result
    }

    /// Calls `register` with the table of the member that came first to construct `number`. The
    /// first member gets null instead, and its `table` is kept for the others. `size` members come
    /// in all.
    pub(crate) fn share_table(
        &self,
        number: u64,
        table: *mut usize,
        size: u32,
        register: impl FnOnce(*mut usize),
    ) {
        self.locked(|_| {
            // SAFETY: the lock is held.
            let tables = unsafe { &mut *self.tables.get() };
            let at = tables.iter().position(|entry| entry.0 == number);
            register(at.map_or(core::ptr::null_mut(), |at| tables[at].1));
            let at = at.unwrap_or_else(|| {
                tables.push((number, table, 0));
                tables.len() - 1
            });
            tables[at].2 += 1;
            if tables[at].2 == size {
                tables.swap_remove(at);
            }
        });
    }

    /// Adds a task.
    pub(crate) fn insert(&self, task: &Task) {
        self.locked(|list| {
            list.push_back(task);
            self.listed.store(list.len() as u32, Ordering::SeqCst);
        });
    }

    /// Returns the number of tasks that there are to take.
    #[inline(always)]
    pub(crate) fn listed(&self) -> u32 {
        self.listed.load(Ordering::Relaxed)
    }

    /// Whether there may be a task to take. The answer may be wrong a moment later.
    #[inline(always)]
    pub(crate) fn has_listed(&self) -> bool {
        self.listed.load(Ordering::SeqCst) != 0
    }

    /// Whether this is the latest region in which a task had a priority.
    #[inline(always)]
    pub(crate) fn has_ranked(&self, region: u64) -> bool {
        self.ranked_region.load(Ordering::SeqCst) == region
    }

    /// Takes the first task that `may` agrees to.
    pub(crate) fn take(&self, may: impl Fn(&Task) -> bool) -> Option<&'static Task> {
        self.locked(|list| {
            // SAFETY: records are never freed.
            let at = list.iter().position(|&task| may(unsafe { &*task }))?;
            let task = list.remove(at)?;
            self.listed.store(list.len() as u32, Ordering::SeqCst);
            // SAFETY: as above.
            unsafe { task.as_ref() }
        })
    }

    /// Whether [`TeamTasks::take`] would find a task.
    pub(crate) fn could_take(&self, may: impl Fn(&Task) -> bool) -> bool {
        // SAFETY: records are never freed.
        self.has_listed() && self.locked(|list| list.iter().any(|&task| may(unsafe { &*task })))
    }
}

impl Default for TeamTasks {
    fn default() -> Self {
        Self::new()
    }
}
