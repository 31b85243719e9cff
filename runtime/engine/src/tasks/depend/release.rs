//! Makes tasks ready when those that they wait for are complete.

use super::super::queue;
use super::node::Node;
use crate::records::Thread;

/// The task of `node` is complete: calls its successors.
#[inline(always)]
pub(super) fn release_successors(thread: &'static Thread, node: &Node) {
    node.complete(|next| release(thread, next));
}

/// A successor has nothing left to wait for.
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

/// All of a task's predecessors are complete.
#[inline(always)]
fn ready(thread: &'static Thread, node: &'static Node) {
    // SAFETY: the thread of its last predecessor acts for the task now.
    if unsafe { node.exclusive() }.is_none() || node.take_turns() {
        enqueue(thread, node);
    }
}

#[inline(always)]
pub(super) fn enqueue(thread: &'static Thread, node: &Node) {
    // SAFETY: the record of a task that waits for this moment.
    if let Some(task) = unsafe { node.task().as_ref::<'static>() } {
        thread.tasks.released.set(thread.as_owner(), true);
        queue::enqueue(thread, task);
    }
}
