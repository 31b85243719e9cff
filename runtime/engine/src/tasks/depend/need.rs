//! Finds out whether a wait needs a task: whether the thing that it waits for depends on that task.
//!
//! The search goes from the task to the nodes that wait for it, and on from these. The caller holds
//! the task: it has taken the task out of a queue, or holds the lock of the list that the task is
//! in. So no thread begins the task, everything that waits for it goes on waiting, and the lists on
//! the way only grow: nothing that the search reads goes away.

use super::node::{self, Node};
use super::transparent;
use crate::records::{Task, Wanted};
use omphalos_index::Numbers;

fn is_wanted(node: &Node, wanted: Wanted) -> bool {
    // SAFETY: a task that waits for another one is not complete.
    let Some(task) = (unsafe { node.task().as_ref() }) else {
        return core::ptr::eq(core::ptr::from_ref(node).cast(), wanted);
    };
    // SAFETY: a task's parent and its group last longer than the task.
    let (parent, group) = unsafe { (task.parent.get().as_ref(), task.group.get().as_ref()) };
    parent.is_some_and(|parent| core::ptr::eq((&raw const parent.children).cast(), wanted))
        || group.is_some_and(|group| core::ptr::eq((&raw const group.count).cast(), wanted))
}

/// Whether `wanted` depends on `task`, a ready task that no other thread can begin meanwhile.
#[cold]
pub(in super::super) fn needs(wanted: Wanted, task: &Task) -> bool {
    // SAFETY: null or the task's own node, which it keeps until it is complete.
    let Some(first) = (unsafe { node::of(task).as_ref::<'static>() }) else { return false };
    // The nodes that were seen, by address. A `HashSet` would bring 6 kB of code for this use
    // alone.
    let mut seen = Numbers::new();
    let mut left = vec![first];
    while let Some(node) = left.pop() {
        if is_wanted(node, wanted) {
            return true;
        }
        let mut visit = |next: &'static Node| {
            if seen.insert(core::ptr::from_ref(next) as usize, 0).is_none() {
                left.push(next);
            }
        };
        // SAFETY: the task of `node` is `task` or waits for it, so it does not begin.
        unsafe {
            node.for_each_successor(&mut visit);
            node.for_each_behind_a_turn(&mut visit);
            if let Some(exit) = transparent::exit_of(node) {
                exit.for_each_waiting(&mut visit);
            }
        }
    }
    false
}
