//! Keeps the unused nodes of tasks, takes them and gives them back.
//!
//! As with the records of tasks (`records.rs`), a node belongs to the thread that made it. Other
//! threads push it onto that thread's list of returns, and the owner takes the whole list when its
//! own is empty. Other threads never pop single nodes, so there is no ABA.
//!
//! | list | written by | order |
//! |---|---|---|
//! | `unused` | the owner | - |
//! | `returned` | pushed (compare-exchange, release) by others, taken whole (swap, acquire) by the owner | |

use super::node::Node;
use crate::records::{Task, Thread};
use core::sync::atomic::Ordering;

/// Returns a node for a task, which holds one reference, from the pool of `thread`, the calling
/// thread.
pub(super) fn for_task(thread: &Thread, task: *const Task) -> *const Node {
    let node = take(thread).unwrap_or_else(|| {
        let node = Box::leak(Box::new(Node::new(core::ptr::null(), core::ptr::null())));
        node.settle_at(thread);
        node
    });
    node.stand_for(task);
    node
}

/// Gives one reference up.
///
/// # Safety
/// `node` came from [`for_task`], and the caller owns a reference.
#[inline]
pub(super) unsafe fn release(node: *const Node) {
    // SAFETY: the caller's promise; nodes of tasks are never freed.
    let node: &'static Node = unsafe { &*node };
    // The last owner needs no exchange: no other thread can change the count.
    if node.refs.load(Ordering::Acquire) == 1 || node.refs.fetch_sub(1, Ordering::AcqRel) == 1 {
        node.reset();
        give(node);
    }
}

/// Takes an unused node of the calling thread, if it has one.
#[inline]
fn take(thread: &Thread) -> Option<&'static Node> {
    let pool = &thread.tasks.nodes;
    let mut first = pool.unused.get();
    if first.is_null() {
        if pool.returned.load(Ordering::Relaxed).is_null() {
            return None;
        }
        first = pool.returned.swap(core::ptr::null_mut(), Ordering::Acquire);
    }
    // SAFETY: lists hold nodes, which are never freed.
    let node = unsafe { first.cast::<Node>().as_ref() }?;
    pool.unused.set(thread.as_owner(), node.next.load(Ordering::Relaxed));
    Some(node)
}

/// Gives back a node to which no reference is left.
#[inline]
fn give(node: &'static Node) {
    // SAFETY: a node of a task has a home; threads' records are never freed.
    let Some(home) = (unsafe { node.home().as_ref() }) else { return };
    let pool = &home.tasks.nodes;
    if Thread::known().is_some_and(|me| core::ptr::eq(me, home)) {
        node.next.store(pool.unused.get().cast_mut(), Ordering::Relaxed);
        pool.unused.set(home.as_owner(), core::ptr::from_ref(node).cast());
        return;
    }
    let list = &pool.returned;
    let mut head = list.load(Ordering::Relaxed);
    loop {
        node.next.store(head, Ordering::Relaxed);
        let new = core::ptr::from_ref(node).cast_mut().cast();
        match list.compare_exchange_weak(head, new, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => head = now,
        }
    }
}
