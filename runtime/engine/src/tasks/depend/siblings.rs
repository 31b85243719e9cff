//! The dependences of one task's children: the table of addresses, and the exits and imports of
//! transparent tasks.
//!
//! Who calls: `mod.rs` enters each new child; `transparent.rs` makes exits and imports. A program
//! without transparent tasks uses the table alone.

use super::exit::{Exit, Inside};
use super::node::{Node, Waits};
use super::table::Table;
use crate::records::Depend;
use std::sync::Arc;

/// The dependences of one task's children.
#[derive(Default)]
pub(super) struct Siblings {
    table: Table,
    /// The exits and imports of transparent tasks, if there are any.
    pub(super) around: Option<Box<Around>>,
}

impl Siblings {
    /// Makes `node` wait for the siblings that the dependences in `list` name. Returns the number
    /// of edges that this makes. `record`: later siblings are to wait for the node.
    #[inline]
    pub(super) fn enter(&mut self, node: &Node, list: &[Depend], record: bool) -> u32 {
        let mut edges = 0;
        if let Some(around) = &mut self.around {
            edges = around.before(node, list);
            if record && list.iter().any(|depend| depend.kind.is_all()) {
                around.pass();
            }
        }
        edges + self.table.enter(node, list, record)
    }

    /// Returns a copy of the parts that are not complete, for other threads to read.
    pub(super) fn snapshot(&self) -> Siblings {
        let around = self.around.as_ref().map(|around| Box::new(around.siblings()));
        Siblings { table: self.table.snapshot(), around }
    }
}

/// Does what [`Siblings::enter`] does without recording, once no thread changes the siblings any
/// more.
impl Inside for Siblings {
    fn before(&self, who: &impl Waits, list: &[Depend]) -> u32 {
        let edges = self.table.before(who, list);
        edges + self.around.as_ref().map_or(0, |around| around.before(who, list))
    }

    fn is_done(&self) -> bool {
        self.table.is_done() && self.around.as_ref().is_none_or(|around| around.is_done())
    }
}

/// The tasks that a transparent task's children may have to wait for besides their siblings.
pub(super) struct Imports {
    /// The dependences of the siblings that were made before the task.
    pub(super) siblings: Siblings,
    /// The imports of the task's parent.
    pub(super) further: Option<Arc<Imports>>,
}

// SAFETY: never written after it was made; references to nodes may be used and dropped anywhere.
unsafe impl Send for Imports {}
// SAFETY: as above.
unsafe impl Sync for Imports {}

/// The fewest exits that the list holds before those that are done are removed from it.
const FEWEST_EXITS_KEPT: usize = 8;

/// The parts that transparent tasks add to a table: the exits of the children, and the parent's own
/// exit and imports.
#[derive(Default)]
pub(super) struct Around {
    /// The exits of children, and the length of this list at which those that are done are removed.
    open: Vec<Arc<Exit<Siblings>>>,
    may_hold: usize,
    /// The parent's exit, if the parent is transparent.
    pub(super) exit: Option<Arc<Exit<Siblings>>>,
    pub(super) imports: Option<Arc<Imports>>,
}

impl Around {
    /// Makes `who` wait for the imports and for transparent siblings. Returns the number of edges
    /// that this makes.
    fn before(&self, who: &impl Waits, list: &[Depend]) -> u32 {
        let mut edges = self.open.iter().map(|exit| exit.before(who, list)).sum();
        let mut imports = self.imports.as_ref();
        while let Some(from) = imports {
            edges += from.siblings.before(who, list);
            imports = from.further.as_ref();
        }
        edges
    }

    /// Returns a copy of the open exits, for a transparent child.
    fn siblings(&self) -> Around {
        let open = self.open.iter().filter(|exit| !exit.is_done()).cloned().collect();
        Around { open, ..Around::default() }
    }

    /// Adds a transparent child.
    pub(super) fn push(&mut self, exit: Arc<Exit<Siblings>>) {
        if self.open.len() >= self.may_hold {
            self.open.retain(|exit| !exit.is_done());
            self.may_hold = FEWEST_EXITS_KEPT.max(2 * self.open.len());
        }
        self.open.push(exit);
    }

    /// Forgets all open exits: a task waits for them, and all later tasks wait for that task.
    fn pass(&mut self) {
        self.open.clear();
    }

    /// Whether all exits are done.
    fn is_done(&self) -> bool {
        self.open.iter().all(|exit| exit.is_done())
    }

    /// Returns the parent's exit, if the parent is transparent.
    pub(super) fn exit(&self) -> Option<&Exit<Siblings>> {
        self.exit.as_deref()
    }
}
