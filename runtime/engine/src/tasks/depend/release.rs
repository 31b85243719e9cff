//! Makes tasks ready when those that they wait for are complete.

use super::super::queue;
use super::node::Node;
use crate::records::Thread;

/// Lets the successors of `node` go on, because its task is complete.
#[inline(always)]
pub(super) fn release_successors(thread: &'static Thread, node: &Node) {
    node.complete(|next| release(thread, next));
}

/// Makes a successor that has nothing left to wait for ready, or wakes its waiter.
#[inline(always)]
pub(super) fn release(thread: &'static Thread, next: Result<&'static Node, *const Thread>) {
    match next {
        Ok(next) => ready(thread, next),
        Err(waiter) => {
            // SAFETY: threads' records are never freed.
            unsafe { &*waiter }.line.gate.wake();
        }
    }
}

/// Makes a task ready whose predecessors are all complete, unless it has to wait for a turn.
#[inline(always)]
fn ready(thread: &'static Thread, node: &'static Node) {
    // SAFETY: the calling thread completed the last predecessor, and acts for the task now.
    if unsafe { node.exclusive() }.is_none() || node.take_turns() {
        enqueue(thread, node);
    }
}

#[inline(always)]
pub(super) fn enqueue(thread: &'static Thread, node: &Node) {
    // SAFETY: null, or the record of a task that has not begun.
    if let Some(task) = unsafe { node.task().as_ref::<'static>() } {
        thread.tasks.released.set(thread.as_owner(), true);
        queue::enqueue(thread, task);
    }
}
