//! A member's ready tasks with a priority: one list for each priority, under one lock.
//! `tasks/ranked.rs` says when threads look there.

use super::Task;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, Ordering};
use crossbeam_utils::CachePadded;
use omphalos_sync::word_lock;
use std::collections::VecDeque;

/// The lists of a member.
pub struct Ranked {
    lock: AtomicU32,
    /// The highest priority of a task here; 0: there is none. Other threads look at it for each
    /// task that they take, so it has a line of its own. It changes only when a priority gets its
    /// first task or loses its last.
    top: CachePadded<AtomicU32>,
    /// The number of tasks. It changes under the lock, so a load and a store suffice.
    len: AtomicU32,
    /// The lists, by rising priority. Lists stay when they are empty.
    lists: UnsafeCell<Vec<List>>,
}

omphalos_layout::describe!(Ranked { len, top });

struct List {
    priority: u32,
    /// The oldest one first.
    tasks: VecDeque<*const Task>,
}

// SAFETY: the lists are only touched under the lock.
unsafe impl Sync for Ranked {}

/// How often a thief tries another member's lock: its holder may have lost its processor.
const TRIES_AT_A_LOCK: u32 = 64;

impl Ranked {
    /// Makes an empty list.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Ranked {
        Ranked {
            lock: AtomicU32::new(0),
            top: CachePadded::new(AtomicU32::new(0)),
            len: AtomicU32::new(0),
            lists: UnsafeCell::new(Vec::new()),
        }
    }

    /// Returns the number of tasks.
    #[inline(always)]
    pub(crate) fn len(&self) -> u32 {
        self.len.load(Ordering::Relaxed)
    }

    /// Returns the highest priority of a task here, or 0.
    #[inline(always)]
    pub(crate) fn top(&self) -> u32 {
        self.top.load(Ordering::SeqCst)
    }

    /// Repairs the lists in a forked child, as `TeamTasks::after_fork_in_child` does.
    pub(crate) fn after_fork_in_child(&self) {
        if self.lock.load(Ordering::Relaxed) != 0 {
            // SAFETY: the calling thread is the only one. The old lists are not touched.
            unsafe { self.lists.get().write(Vec::new()) };
            self.len.store(0, Ordering::Relaxed);
            self.top.store(0, Ordering::Relaxed);
            self.lock.store(0, Ordering::Relaxed);
        }
    }

    fn locked<R>(&self, f: impl FnOnce(&mut Vec<List>) -> R) -> R {
        if !word_lock::try_acquire(&self.lock) {
            word_lock::acquire_contended(&self.lock, 2000);
        }
        self.with_lock(f)
    }

    /// Runs `f` with the lists. The caller holds the lock; this gives it back.
    fn with_lock<R>(&self, f: impl FnOnce(&mut Vec<List>) -> R) -> R {
        // SAFETY: the lock is held.
        let lists = unsafe { &mut *self.lists.get() };
        let result = f(lists);
        let top = lists.iter().rfind(|list| !list.tasks.is_empty()).map_or(0, |list| list.priority);
        if self.top.load(Ordering::Relaxed) != top {
            self.top.store(top, Ordering::SeqCst);
        }
        word_lock::release(&self.lock);
        result
    }

    /// Adds a task behind those of the same priority. For the member.
    pub(crate) fn insert(&self, task: &Task) {
        let priority = task.priority.get().max(1).unsigned_abs();
        self.locked(|lists| {
            let at = lists.partition_point(|list| list.priority < priority);
            if lists.get(at).is_none_or(|list| list.priority != priority) {
                lists.insert(at, List { priority, tasks: VecDeque::new() });
            }
            lists[at].tasks.push_back(task);
            self.len.store(self.len() + 1, Ordering::Relaxed);
        });
    }

    /// Takes the first task, by priority, that `may` agrees to. Returns `None`, too, if others keep
    /// the lock for long.
    pub(crate) fn take(&self, may: impl Fn(&Task) -> bool) -> Option<&'static Task> {
        let mut tries = TRIES_AT_A_LOCK;
        while !word_lock::try_acquire(&self.lock) {
            tries -= 1;
            if tries == 0 || self.top() == 0 {
                return None;
            }
            omphalos_sys::relax();
        }
        self.with_lock(|lists| {
            let task = lists.iter_mut().rev().find_map(|list| {
                // SAFETY: records are never freed.
                let at = list.tasks.iter().position(|&task| may(unsafe { &*task }))?;
                list.tasks.remove(at)
            })?;
            self.len.store(self.len() - 1, Ordering::Relaxed);
            // SAFETY: as above.
            unsafe { task.as_ref() }
        })
    }

    /// Whether [`Ranked::take`] would find a task.
    pub(crate) fn could_take(&self, may: impl Fn(&Task) -> bool) -> bool {
        // SAFETY: records are never freed.
        let may = |&task: &*const Task| may(unsafe { &*task });
        self.top() != 0 && self.locked(|lists| lists.iter().any(|l| l.tasks.iter().any(may)))
    }
}
