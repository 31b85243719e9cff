//! Transparent tasks (OpenMP 6.0): their children and the siblings of the task itself order each
//! other.
//!
//! The way in: when the task is made, it gets a copy of its earlier siblings' dependences
//! (`Imports`). Its children look there as well as in their own parent's table. A transparent
//! parent passes its own imports on.
//!
//! The way out: the task has an exit (`exit.rs`). Later siblings with dependences wait there until
//! the body has ended; then the exit gives them the children's dependences. Some of these children
//! may be transparent, with exits of their own.
//!
//! What must hold: a task waits only for tasks that were made earlier in the order of the program,
//! and for descendants of such tasks. So there is no circle. Once there is a transparent task, no
//! wait in a task sleeps without a time limit ([`exist`]): README.md, "Who is told of it".

use super::children;
use super::exit::{Exit, Inside};
use super::node::Node;
use super::release::release;
use super::siblings::{Imports, Siblings};
use crate::records::{Owner, Task, Thread};
use crate::waiting;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// Whether this process ever made a transparent task.
static EXIST: AtomicBool = AtomicBool::new(false);

/// Whether there may be transparent tasks in this process.
pub(in super::super) fn exist() -> bool {
    EXIST.load(Ordering::Relaxed)
}

/// Prepares a transparent task that the current task makes. It has a node but is not in the table
/// yet. Returns its exit.
#[cold]
#[inline(never)]
pub(super) fn begin(
    thread: &Thread,
    parent: Owner<'_, Task>,
    task: Owner<'_, Task>,
) -> Arc<Exit<Siblings>> {
    EXIST.store(true, Ordering::Relaxed);
    let siblings = children::make(thread, parent);
    let further = siblings.around.as_ref().and_then(|around| around.imports.clone());
    let imports = Arc::new(Imports { siblings: siblings.snapshot(), further });
    let exit = Arc::new(Exit::new());
    let own = children::make(thread, task).around.get_or_insert_default();
    own.exit = Some(exit.clone());
    own.imports = Some(imports);
    exit
}

/// Adds the exit, after the table has entered the task's own dependences. Later siblings also wait
/// at the exit.
#[cold]
#[inline(never)]
pub(super) fn enter(thread: &Thread, parent: Owner<'_, Task>, exit: Arc<Exit<Siblings>>) {
    children::make(thread, parent).around.get_or_insert_default().push(exit);
}

/// Called when the body of the task with these children has ended, or will never be executed:
/// closes the task's exit.
#[cold]
#[inline(never)]
pub(super) fn end(thread: &'static Thread, mut siblings: Siblings) {
    let Some(around) = &mut siblings.around else { return };
    around.imports = None;
    if let Some(exit) = around.exit.take()
        && exit.close(siblings, |next| release(thread, next))
    {
        // A sleeping thread may need a task that lies in a queue now.
        waiting::wake_sleepers(thread.team());
    }
}

/// Whether something that the task imported is not complete. For the thread that executes the task.
pub(in super::super) fn has_imports(task: &Task) -> bool {
    let around = children::of(task).and_then(|siblings| siblings.around.as_ref());
    let mut imports = around.and_then(|around| around.imports.as_ref());
    while let Some(from) = imports {
        if !from.siblings.is_done() {
            return true;
        }
        imports = from.further.as_ref();
    }
    false
}

/// Returns the exit of the transparent task of `node`, if it is transparent.
///
/// # Safety
/// The task has not begun and does not begin meanwhile, or `node` is a wait's.
pub(super) unsafe fn exit_of(node: &Node) -> Option<&Exit<Siblings>> {
    // SAFETY: the caller's promise: the maker wrote it before others could see the node.
    unsafe { children::seen(node) }?.around.as_ref()?.exit()
}
