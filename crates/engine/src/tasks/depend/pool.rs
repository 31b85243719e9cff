//! Where nodes come from and return to.
//!
//! As with the records of tasks (`records.rs`), a node belongs to the thread that made it. Other
//! threads push it onto that thread's list of returns, and the owner takes the whole list when its
//! own is empty. Others never pop single nodes, so there is no ABA.
//!
//! | list | written by | order |
//! |---|---|---|
//! | `unused` | the owner | - |
//! | `returned` | pushed (compare-exchange, release) by others, taken whole (swap, acquire) by the owner | |

use super::node::Node;
use crate::records::Thread;
use core::sync::atomic::Ordering;

/// An unused node of the calling thread, if it has one.
#[inline]
pub(super) fn take(thread: &Thread) -> Option<&'static Node> {
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
    pool.unused.set(thread.own(), node.next.load(Ordering::Relaxed));
    Some(node)
}

/// Gives back a node to which no reference is left.
#[inline]
pub(super) fn give(node: &'static Node) {
    // SAFETY: a node of a task has a home; threads' records are never freed.
    let Some(home) = (unsafe { node.home().as_ref() }) else { return };
    let pool = &home.tasks.nodes;
    if Thread::known().is_some_and(|me| core::ptr::eq(me, home)) {
        node.next.store(pool.unused.get().cast_mut(), Ordering::Relaxed);
        pool.unused.set(home.own(), core::ptr::from_ref(node).cast());
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
