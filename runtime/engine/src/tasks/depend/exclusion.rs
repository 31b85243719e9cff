//! Makes tasks exclude each other without an order: `mutexinoutset`.
//!
//! Each address with such dependences has its turns (`omphalos_sync::turns`). A task whose
//! predecessors are complete takes the turns that it needs one by one, always in the order of their
//! addresses in memory, so that no two tasks wait for each other. If a turn is taken, the task
//! waits there, in no queue and on no thread. The thread that gives the turn up continues for the
//! waiting task.
//!
//! In this file a word stands for a task. `node/turns.rs`, which calls these functions, knows that
//! the word is a node's address.

use core::cell::Cell;
use omphalos_sync::dependents::Link;
use omphalos_sync::turns::Turns;
use std::sync::Arc;

/// The turns that one task needs.
pub(super) struct Exclusion {
    /// The turns in the order of taking, each with a link. The link is in use while the task waits
    /// for the turn.
    all: Vec<(Arc<Turns>, Link)>,
    /// The number of turns that the task has: the first ones of `all`.
    taken: Cell<usize>,
}

impl Exclusion {
    /// Returns the turns of a task that needs none.
    pub(super) const fn none() -> Exclusion {
        Exclusion { all: Vec::new(), taken: Cell::new(0) }
    }

    /// Whether the task needs no turn.
    #[inline(always)]
    pub(super) fn is_none(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds one turn. For the maker, before the task can run.
    pub(super) fn add(&mut self, turns: &Arc<Turns>) {
        let key = |turns: &Arc<Turns>| Arc::as_ptr(turns) as usize;
        if let Err(at) = self.all.binary_search_by_key(&key(turns), |one| key(&one.0)) {
            self.all.insert(at, (turns.clone(), Link::new()));
        }
    }

    /// Removes this turn, if the task needs it. For the maker, before the task can run.
    pub(super) fn remove(&mut self, turns: &Arc<Turns>) {
        self.all.retain(|one| !Arc::ptr_eq(&one.0, turns));
    }

    /// Calls `each` with the words of the tasks that wait for a turn that this task has, or for the
    /// turn that this task waits for.
    ///
    /// # Safety
    /// The tasks that have these turns keep them meanwhile.
    pub(super) unsafe fn for_each_waiting(&self, mut each: impl FnMut(usize)) {
        if self.taken.get() == 0 {
            // The task's maker may be adding turns to `all`.
            return;
        }
        for (turns, _) in self.all.iter().take(self.taken.get()) {
            // SAFETY: the caller's promise.
            unsafe { turns.for_each_waiting(&mut each) };
        }
    }

    /// Takes the remaining turns for the task that `word` stands for. Returns false if the task now
    /// waits for a turn: the thread that gives that turn up continues for the task. For the thread
    /// that acts for the task.
    pub(super) fn take(&self, word: usize) -> bool {
        while let Some((turns, link)) = self.all.get(self.taken.get()) {
            // The turn is counted before the attempt: once the task waits, another thread may
            // continue for it at any moment.
            self.taken.set(self.taken.get() + 1);
            // SAFETY: the links, and the turns, stand still from the first attempt to the task's
            // end.
            if !unsafe { turns.take_or_wait(link, word) } {
                return false;
            }
        }
        true
    }

    /// Gives all turns up. Calls `next` with the word of each task that gets one of them.
    pub(super) fn give_up(&mut self, next: impl FnMut(usize)) {
        self.all.iter().filter_map(|(turns, _)| turns.give_up()).for_each(next);
        // The vector keeps its memory, since the node is used again.
        self.all.clear();
        self.taken.set(0);
    }
}
