//! Transparent tasks (OpenMP 6.0): their children and the siblings of the task itself order each other.
//!
//! In: when the task is made, what its siblings before it depend on is copied (`Imports`); its children
//! look there besides in their parent's own table. A transparent parent's imports are handed on.
//!
//! Out: the task has an exit, a node that is complete when the task is and all its dependent children
//! are, those of its transparent children included. Later siblings with dependences wait for it: which
//! addresses the children will name is not known before the body has ended.
//!
//! | field of an exit | written by |
//! |---|---|
//! | `missing` | open for the task itself; the thread that executes the task adds 1 for each child before that can be complete, and each of them subtracts it; 0: the exit closes |
//! | `around` | the maker: the exit of the transparent task that made this one |
//!
//! What must hold: whatever is waited for was made earlier in the order of the program, or is a
//! descendant of such a task; so there is no circle.

use super::super::task::Task;
use super::few::Few;
use super::node::{Node, NodeRef};
use super::table::Table;
use super::{Depend, make_table, release_successors};
use crate::thread::Thread;
use std::sync::Arc;

/// What a transparent task's children may have to wait for besides their siblings.
pub(super) struct Imports {
    /// What the siblings before the task depend on.
    siblings: Table,
    /// What the task's parent imports itself.
    further: Option<Arc<Imports>>,
}

// SAFETY: never written after it was made; references to nodes may be used and dropped anywhere.
unsafe impl Send for Imports {}
// SAFETY: as above.
unsafe impl Sync for Imports {}

/// What transparent tasks add to a table: those among the children, and that of the parent itself.
#[derive(Default)]
pub(super) struct Around {
    /// Exits of children that are not complete.
    open: Few,
    /// If the parent is transparent: its exit, which its own completion gives up.
    exit: Option<&'static Node>,
    imports: Option<Arc<Imports>>,
}

impl Around {
    /// Makes `node` wait for what came in and for transparent siblings; how many edges that makes.
    pub(super) fn before(&mut self, node: &Node, list: &[Depend]) -> u32 {
        self.open.forget_done();
        let mut edges = self.open.before(node);
        let mut imports = self.imports.as_ref();
        while let Some(from) = imports {
            edges += from.siblings.before(node, list);
            imports = from.further.as_ref();
        }
        edges
    }

    /// As it is now, for a transparent child.
    pub(super) fn siblings(&self) -> Around {
        Around { open: self.open.clone(), ..Around::default() }
    }

    /// All that is open is waited for by a task that later ones wait for.
    pub(super) fn pass(&mut self) {
        self.open = Few::default();
    }

    /// The parent's exit, if it is transparent, waits for this child too.
    pub(super) fn holds(&self, child: &Node) {
        if let Some(exit) = self.exit {
            exit.hold_open();
            child.around.set(exit);
        }
    }

    /// Opens: the exits of children that are not complete.
    pub(super) fn open_ones(&self) -> &Few {
        &self.open
    }
}

/// The current task makes a transparent one, which has a node but is not entered in the table yet.
#[cold]
#[inline(never)]
pub(super) fn begin(thread: &Thread, parent: &Task, task: &Task) {
    let siblings = make_table(thread, parent);
    let further = siblings.around.as_ref().and_then(|around| around.imports.clone());
    let imports = Arc::new(Imports { siblings: siblings.snapshot(), further });
    let exit = Node::for_task(thread, core::ptr::null());
    // SAFETY: nodes from a pool are never freed.
    let exit: &'static Node = unsafe { &*exit };
    let own = make_table(thread, task).around.get_or_insert_default();
    own.exit = Some(exit);
    own.imports = Some(imports);
}

/// The table knows what the task itself depends on: its later siblings wait for the exit too.
#[cold]
#[inline(never)]
pub(super) fn enter(thread: &Thread, parent: &Task, task: &Task) {
    let exit = make_table(thread, task).around.as_ref().and_then(|around| around.exit);
    if let Some(exit) = exit {
        let around = make_table(thread, parent).around.get_or_insert_default();
        around.holds(exit);
        around.open.push(NodeRef::recorded(exit));
    }
}

/// A transparent task with this table is complete.
#[cold]
#[inline(never)]
pub(super) fn end(thread: &'static Thread, around: &Around) {
    if let Some(exit) = around.exit
        && exit.settle(0)
    {
        close(thread, exit);
    }
}

/// A child that `exit` waited for is complete.
#[cold]
#[inline(never)]
pub(super) fn let_go(thread: &'static Thread, exit: &'static Node) {
    if exit.no_longer_held_open() {
        close(thread, exit);
    }
}

/// Everything behind the exit is complete.
#[cold]
#[inline(never)]
fn close(thread: &'static Thread, exit: &'static Node) {
    let around = exit.take_around();
    release_successors(thread, exit);
    // SAFETY: the reference of the task, which is complete.
    unsafe { Node::release(exit) };
    if let Some(around) = around {
        let_go(thread, around);
    }
}
