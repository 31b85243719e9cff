//! Tasks that exclude each other without being ordered: `mutexinoutset`.
//!
//! Each address with such dependences has its turns (`omphalos_sync::turns`). A task whose
//! predecessors are complete takes the turns that it needs one by one, always in the order of their
//! addresses in memory, so that no two tasks wait for each other. If a turn is taken, the task
//! waits there, in no queue and on no thread. The thread that gives the turn up continues for the
//! waiting task.

use super::node::Node;
use core::cell::Cell;
use omphalos_sync::dependents::Link;
use omphalos_sync::turns::Turns;
use std::sync::Arc;

/// The turns that one task needs.
pub(super) struct Exclusion {
    /// In the order of taking. A link is in use while the task waits for that turn.
    all: Vec<(Arc<Turns>, Link)>,
    /// How many of them it has.
    taken: Cell<usize>,
}

impl Exclusion {
    /// None.
    pub(super) const fn none() -> Exclusion {
        Exclusion { all: Vec::new(), taken: Cell::new(0) }
    }

    /// Whether there is none.
    #[inline(always)]
    pub(super) fn is_none(&self) -> bool {
        self.all.is_empty()
    }

    /// One more. For the maker, before the task can run.
    pub(super) fn add(&mut self, turns: &Arc<Turns>) {
        let key = |turns: &Arc<Turns>| Arc::as_ptr(turns) as usize;
        if let Err(at) = self.all.binary_search_by_key(&key(turns), |one| key(&one.0)) {
            self.all.insert(at, (turns.clone(), Link::new()));
        }
    }

    /// Removes that one, if it is among them. For the maker, before the task can run.
    pub(super) fn remove(&mut self, turns: &Arc<Turns>) {
        self.all.retain(|one| !Arc::ptr_eq(&one.0, turns));
    }
}

impl Exclusion {
    /// Calls `each` with the nodes that wait for a turn which this one has, or waits for itself.
    ///
    /// # Safety
    /// The tasks that have these turns keep them meanwhile.
    pub(super) unsafe fn for_each_waiting(&self, mut each: impl FnMut(&'static Node)) {
        if self.taken.get() == 0 {
            // Its maker may be adding some.
            return;
        }
        for (turns, _) in self.all.iter().take(self.taken.get()) {
            // SAFETY: the caller's promise; a task that waits for a turn has its node.
            unsafe { turns.for_each_waiting(|word| each(&*(word as *const Node))) };
        }
    }
}

/// Takes the remaining turns that `node` needs. False if it waits for one: the thread that gives
/// that turn up continues for it.
pub(super) fn take_turns(node: &'static Node) -> bool {
    // SAFETY: the node's predecessors are complete, or it was just handed a turn: nobody else acts
    // for it until it waits.
    let exclusion: &Exclusion = unsafe { node.exclusive() };
    while let Some((turns, link)) = exclusion.all.get(exclusion.taken.get()) {
        // Counted before the attempt: once the node waits, another thread may continue for it at
        // any moment.
        exclusion.taken.set(exclusion.taken.get() + 1);
        // SAFETY: the links, and the turns, stand still from the first attempt to the task's end.
        if !unsafe { turns.take_or_wait(link, core::ptr::from_ref(node) as usize) } {
            return false;
        }
    }
    true
}

/// The task of `node` is complete: gives its turns up. Calls `ready` with each task that has all
/// its turns now.
pub(super) fn give_up_turns(node: &Node, mut ready: impl FnMut(&'static Node)) {
    // SAFETY: for the one who completes the task.
    let exclusion = unsafe { node.exclusive() };
    for (turns, _) in &exclusion.all {
        if let Some(next) = turns.give_up() {
            // SAFETY: a task that waits for a turn is not complete, so it has its node.
            let next: &'static Node = unsafe { &*(next as *const Node) };
            if take_turns(next) {
                ready(next);
            }
        }
    }
    // The vector keeps its memory, since the node is used again.
    exclusion.all.clear();
    exclusion.taken.set(0);
}
