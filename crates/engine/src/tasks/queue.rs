//! What a member and a team keep of tasks: queues.
//!
//! A member's tasks are in its own deque; others steal from it. Two kinds go to a list of the team
//! instead, under a lock that is only taken if there are any: tasks with a priority, and tasks that
//! a thread outside the team made ready.
//!
//! What a member counts of them is `presence.rs`'s.

use super::task::{Task, Traits};
use super::{agents, presence};
use crate::team;
use crate::thread::Thread;
use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use omphalos_sync::deque::Deque;
use omphalos_sync::tally::Tally;
use omphalos_sync::word_lock;

/// A member's.
pub struct SlotTasks {
    /// Its ready tasks.
    pub(super) deque: Deque,
    /// Where its deque ended when the current task began: what is above, the task or its
    /// descendants queued.
    pub(super) mark: Cell<u64>,
    /// The member it stole from last.
    pub(super) victim: Cell<u32>,
    /// Worksharing constructs with a task reduction so far, as a number that all members agree on.
    shared: Cell<u64>,
    /// What it made and finished of the tasks that may outlive the call that made them
    /// (`presence.rs`).
    pub(super) tally: Tally,
}

impl SlotTasks {
    /// Empty.
    pub fn new() -> Self {
        SlotTasks {
            deque: Deque::new(),
            mark: Cell::new(0),
            victim: Cell::new(0),
            shared: Cell::new(0),
            tally: Tally::new(),
        }
    }
}

impl SlotTasks {
    /// Numbers the member's next worksharing construct with a task reduction.
    pub(super) fn next_shared(&self, thread: &Thread) -> u64 {
        let first = thread.slot().region.get() << team::REGION_SHIFT;
        self.shared.set(first.max(self.shared.get() + 1));
        self.shared.get()
    }
}

impl Default for SlotTasks {
    fn default() -> Self {
        Self::new()
    }
}

/// A team's.
pub struct TeamTasks {
    /// How many tasks the list holds.
    listed: AtomicU32,
    lock: AtomicU32,
    /// Ready tasks, the next one to take last.
    list: UnsafeCell<Vec<*const Task>>,
    /// Tables of task reductions that not every member has joined: number of the construct, the
    /// table, members that came.
    tables: UnsafeCell<Vec<(u64, *mut usize, u32)>>,
    /// Tasks finished by threads outside the team: the count in the low half, the low half
    /// of the region's number above.
    pub(super) outside: AtomicU64,
}

// SAFETY: the lists are only touched under the lock.
unsafe impl Sync for TeamTasks {}

impl TeamTasks {
    /// Empty.
    pub const fn new() -> Self {
        TeamTasks {
            listed: AtomicU32::new(0),
            lock: AtomicU32::new(0),
            list: UnsafeCell::new(Vec::new()),
            tables: UnsafeCell::new(Vec::new()),
            outside: AtomicU64::new(0),
        }
    }

    fn locked<R>(&self, f: impl FnOnce(&mut Vec<*const Task>) -> R) -> R {
        if !word_lock::try_acquire(&self.lock) {
            word_lock::acquire_contended(&self.lock, 2000);
        }
        // SAFETY: the lock is held.
        let result = f(unsafe { &mut *self.list.get() });
        word_lock::release(&self.lock);
        result
    }

    /// Calls `register` with the table of the first of `size` members that came to construct
    /// `number`, or with null for that first one, whose table is `table`.
    pub(super) fn share_table(
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

    /// Adds a task behind those of the same or a higher priority.
    fn insert(&self, task: &Task) {
        self.locked(|list| {
            let at = list.partition_point(|&other| {
                // SAFETY: records are never freed.
                unsafe { &*other }.priority.get() < task.priority.get()
            });
            list.insert(at, task);
            self.listed.store(list.len() as u32, Ordering::SeqCst);
        });
    }

    /// How many tasks there are to take.
    #[inline(always)]
    pub(super) fn listed(&self) -> u32 {
        self.listed.load(Ordering::Relaxed)
    }

    /// Whether there might be something to take.
    #[inline(always)]
    pub(super) fn has_listed(&self) -> bool {
        self.listed.load(Ordering::SeqCst) != 0
    }

    /// Takes the first task that `may` agrees to.
    pub(super) fn take(&self, may: impl Fn(&Task) -> bool) -> Option<&'static Task> {
        self.locked(|list| {
            // SAFETY: records are never freed.
            let at = list.iter().rposition(|&task| may(unsafe { &*task }))?;
            let task = list.remove(at);
            self.listed.store(list.len() as u32, Ordering::SeqCst);
            // SAFETY: as above.
            unsafe { task.as_ref() }
        })
    }

    /// Whether [`TeamTasks::take`] would give something.
    pub(super) fn could_take(&self, may: impl Fn(&Task) -> bool) -> bool {
        // SAFETY: records are never freed.
        self.has_listed() && self.locked(|list| list.iter().any(|&task| may(unsafe { &*task })))
    }
}

impl Default for TeamTasks {
    fn default() -> Self {
        Self::new()
    }
}

/// A ready task goes where the team finds it, and a sleeper, if any, wakes.
#[inline(always)]
pub(super) fn enqueue(thread: &Thread, task: &'static Task) {
    if !core::ptr::eq(task.team.get(), thread.team.get()) || task.priority.get() > 0 {
        return enlist(task);
    }
    let team = thread.team();
    thread.slot().tasks.deque.push(core::ptr::from_ref(task) as usize);
    if team.sleepers.load(Ordering::Relaxed) != 0 {
        team::wake_some(team);
    }
}

#[cold]
fn enlist(task: &'static Task) {
    // SAFETY: teams are never freed.
    let team = unsafe { &*task.team.get() };
    // Read before somebody can take it.
    let pool = task.has(Traits::POOL);
    presence::hold(team, task);
    team.tasks.insert(task);
    team::wake_some(team);
    if pool {
        agents::offer(team);
    }
}
