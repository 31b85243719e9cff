//! Shows a task's dependences as LLVM's own tests read them: nodes that begin with the list of
//! their successors, each entry a node and the next entry.
//!
//! What must hold: no thread completes the task meanwhile, because its end closes the list and the
//! entries are reused.

use super::node;
use crate::records::Task;
use core::ffi::c_void;

/// Returns the node of a task that was made with dependences; null if it has none (the team has one
/// thread, or the task is complete).
pub fn node_of(task: &Task) -> *const c_void {
    task.node.get().cast()
}

/// Returns the first entry of the list of tasks that wait for this one, newest first; null for
/// none.
pub fn successors_of(task: &Task) -> *const c_void {
    // SAFETY: a task keeps its node until it is complete.
    let node = unsafe { node::of(task).as_ref() };
    node.map_or(core::ptr::null(), |node| node.successors().cast())
}
