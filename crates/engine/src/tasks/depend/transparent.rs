//! Transparent tasks (OpenMP 6.0): their children and the siblings of the task itself order each
//! other.
//!
//! In: when the task is made, it gets a copy of what its earlier siblings depend on (`Imports`).
//! Its children look there as well as in their own parent's table. A transparent parent passes its
//! own imports on.
//!
//! Out: the task has an exit (`exit.rs`). Later siblings with dependences wait there until the body
//! has ended; then the exit tells them what the children depend on. Some of these may be
//! transparent, with exits of their own.
//!
//! What must hold: what a task waits for was made earlier in the order of the program, or descends
//! from such a task. So there is no circle. Once there is a transparent task, no wait in a task
//! sleeps without an end ([`exist`]): README.md, "Who hears of it".

use super::exit::{Exit, Waits};
use super::node::Node;
use super::table::Table;
use super::{Depend, make_table, release, table_of};
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

/// How many exits justify a look at which are done.
const FEWEST_EXITS_KEPT: usize = 8;

/// What transparent tasks add to a table: the exits of the children, and that of the parent itself.
#[derive(Default)]
pub(super) struct Around {
    /// Exits of children, and how many may come until the done ones are forgotten again.
    open: Vec<Arc<Exit>>,
    may_hold: usize,
    /// If the parent is transparent: its exit.
    exit: Option<Arc<Exit>>,
    imports: Option<Arc<Imports>>,
}

impl Around {
    /// Makes `who` wait for what came in and for transparent siblings. Returns how many edges that
    /// makes.
    pub(super) fn before(&self, who: &impl Waits, list: &[Depend]) -> u32 {
        let mut edges = self.open.iter().map(|exit| exit.before(who, list)).sum();
        let mut imports = self.imports.as_ref();
        while let Some(from) = imports {
            edges += from.siblings.before(who, list);
            imports = from.further.as_ref();
        }
        edges
    }

    /// A copy of the present state, for a transparent child.
    pub(super) fn siblings(&self) -> Around {
        let open = self.open.iter().filter(|exit| !exit.is_done()).cloned().collect();
        Around { open, ..Around::default() }
    }

    /// Adds a transparent child.
    fn push(&mut self, exit: Arc<Exit>) {
        if self.open.len() >= self.may_hold {
            self.open.retain(|exit| !exit.is_done());
            self.may_hold = FEWEST_EXITS_KEPT.max(2 * self.open.len());
        }
        self.open.push(exit);
    }

    /// A task for which later ones wait has waited for all open exits: forgets them.
    pub(super) fn pass(&mut self) {
        self.open.clear();
    }

    /// Whether nothing of the children is left to wait for.
    pub(super) fn is_done(&self) -> bool {
        self.open.iter().all(|exit| exit.is_done())
    }

    /// The parent's exit, if it is transparent.
    pub(super) fn exit(&self) -> Option<&Exit> {
        self.exit.as_deref()
    }
}

/// The current task makes a transparent one, which has a node but is not in the table yet. Returns
/// its exit.
#[cold]
#[inline(never)]
pub(super) fn begin(thread: &Thread, parent: Owner<'_, Task>, task: Owner<'_, Task>) -> Arc<Exit> {
    EXIST.store(true, Ordering::Relaxed);
    let siblings = make_table(thread, parent);
    let further = siblings.around.as_ref().and_then(|around| around.imports.clone());
    let imports = Arc::new(Imports { siblings: siblings.snapshot(), further });
    let exit = Arc::new(Exit::new());
    let own = make_table(thread, task).around.get_or_insert_default();
    own.exit = Some(exit.clone());
    own.imports = Some(imports);
    exit
}

/// Adds the exit, after the table has entered the task's own dependences. Later siblings also wait
/// for what is behind the exit.
#[cold]
#[inline(never)]
pub(super) fn enter(thread: &Thread, parent: Owner<'_, Task>, exit: Arc<Exit>) {
    make_table(thread, parent).around.get_or_insert_default().push(exit);
}

/// The body of the task with this table has ended, or will never be executed.
#[cold]
#[inline(never)]
pub(super) fn end(thread: &'static Thread, mut table: Table) {
    let Some(around) = &mut table.around else { return };
    around.imports = None;
    if let Some(exit) = around.exit.take()
        && exit.close(table, |next| release(thread, next))
    {
        // A thread that sleeps may need what lies in a queue now.
        waiting::wake_sleepers(thread.team());
    }
}

/// Whether something that the task imported is not complete. For the thread that executes the task.
pub(in super::super) fn has_imports(task: &Task) -> bool {
    let around = table_of(task).and_then(|table| table.around.as_ref());
    let mut imports = around.and_then(|around| around.imports.as_ref());
    while let Some(from) = imports {
        if !from.siblings.is_done() {
            return true;
        }
        imports = from.further.as_ref();
    }
    false
}

/// The exit of the transparent task of `node`.
///
/// # Safety
/// The task has not begun and does not begin meanwhile, or `node` is a wait's.
pub(super) unsafe fn exit_of(node: &Node) -> Option<&Exit> {
    // SAFETY: the caller's promise: the maker wrote it before others could see the node.
    unsafe { node.table_seen() }.as_ref()?.around.as_ref()?.exit()
}
