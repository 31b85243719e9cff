//! Finds and makes the table of the dependences of a task's children. The task keeps it with its
//! own node.
//!
//! What must hold: only the thread that executes the task uses the table, and after the task's end
//! the thread that completes it, each with one reference at a time. So there is no lock.

use super::node::{self, Node};
use super::pool;
use super::siblings::Siblings;
use crate::records::{Owner, Task, Thread, Traits};

/// Returns the table of the children of `parent`, the current task, if there is one.
// The reference is to memory behind a word that only the executing thread uses.
#[allow(clippy::mut_from_ref)]
pub(super) fn of(parent: &Task) -> Option<&mut Siblings> {
    // SAFETY: null or the task's own node, which it keeps until it is complete.
    let node = unsafe { node::of(parent).as_ref() }?;
    // SAFETY: null or a box of `make`; for the executing thread, as the module says.
    unsafe { node.children().get().cast::<Siblings>().as_mut() }
}

/// Does what [`of`] does, but makes the table if there is none.
pub(super) fn make<'a>(thread: &Thread, task: Owner<'a, Task>) -> &'a mut Siblings {
    if task.node.get().is_null() {
        task.node.set(task, pool::for_task(thread, task.record()).cast());
        task.add_traits(Traits::NODE);
    }
    // SAFETY: not null now; the task keeps it until it is complete.
    let node = unsafe { &*node::of(&task) };
    // SAFETY: for the executing thread.
    let children = unsafe { node.children() };
    if children.get().is_null() {
        children.set(Box::into_raw(Box::<Siblings>::default()).cast());
    }
    // SAFETY: a box of this function; for the executing thread.
    unsafe { &mut *children.get().cast() }
}

/// Takes the table away from the node.
///
/// # Safety
/// The calling thread executed the task or completes it, and no thread makes children of it any
/// more.
pub(super) unsafe fn take(node: &Node) -> Option<Box<Siblings>> {
    // SAFETY: the caller's promise.
    let children = unsafe { node.children() }.replace(core::ptr::null_mut());
    // SAFETY: a box of `make`, which no other code has.
    (!children.is_null()).then(|| unsafe { Box::from_raw(children.cast()) })
}

/// Returns the table, to be read.
///
/// # Safety
/// No thread executes the task meanwhile.
pub(super) unsafe fn seen(node: &Node) -> Option<&Siblings> {
    // SAFETY: null or a box of `make`, which no thread writes (the caller's promise).
    unsafe { node.children().get().cast::<Siblings>().as_ref() }
}
