//! A taskgroup region under way. `tasks/group.rs` works on it.

use super::Count;
use core::cell::Cell;
use core::sync::atomic::AtomicBool;

/// The reductions of a group, which only `tasks/reduction.rs` looks into.
pub struct Reductions {
    _opaque: [u8; 0],
}

/// A taskgroup region under way. Records are reused by threads and never freed.
pub struct Group {
    /// Its tasks that are not complete.
    pub(crate) count: Count,
    /// The group around it; in an unused record the next unused one.
    pub(crate) outer: Cell<*const Group>,
    /// The group only carries the reductions of a worksharing construct or region. `cancel` ignores
    /// it.
    pub(crate) carrier: Cell<bool>,
    /// Tasks that have not begun are to be discarded. Written by whoever cancels, read by all.
    pub(crate) cancelled: AtomicBool,
    /// Reductions of LLVM's interface, innermost first. Owned by the group.
    pub(crate) reductions: Cell<*mut Reductions>,
    /// Reductions of GCC's interface: the program's table.
    pub(crate) gomp_reductions: Cell<*mut usize>,
}

omphalos_layout::describe!(Group { count, outer, carrier, cancelled });

// SAFETY: cells are written by the thread that begins and ends the group, while no task of it
// exists or (reductions) before the tasks that use them are made; the rest are atomics.
unsafe impl Sync for Group {}
