//! A taskgroup region under way. `tasks/group.rs` works on it.

use super::{Count, Owner, OwnerWord, Thread};
use core::sync::atomic::AtomicBool;

/// The reductions of a group. Only `tasks/reduction.rs` reads their fields.
pub struct Reductions {
    _opaque: [u8; 0],
}

/// A taskgroup region under way. Records are reused by threads and never freed.
pub struct Group {
    /// Counts the group's tasks that are not complete.
    pub(crate) count: Count,
    /// The group around this one; in an unused record, the next unused one.
    pub(crate) outer: OwnerWord<*const Group, Group>,
    /// Whether the group only carries the reductions of a worksharing construct or region. `cancel`
    /// ignores such a group.
    pub(crate) carrier: OwnerWord<bool, Group>,
    /// Whether tasks that have not begun are to be discarded. A canceller writes it, all read it.
    pub(crate) cancelled: AtomicBool,
    /// Reductions of LLVM's interface, innermost first. Owned by the group.
    pub(crate) reductions: OwnerWord<*mut Reductions, Group>,
    /// Reductions of GCC's interface: the program's table.
    pub(crate) gomp_reductions: OwnerWord<*mut usize, Group>,
}

omphalos_layout::describe!(Group { count, outer, carrier, cancelled });

// SAFETY: only the thread that begins and ends the group writes an `OwnerWord`, while no task of it
// exists or (reductions) before the tasks that use them are made; the rest are atomics.
unsafe impl Sync for Group {}

impl Group {
    /// Makes a new record, of a group that the calling thread is about to begin.
    pub(crate) fn make() -> Owner<'static, Group> {
        Owner::of(Box::leak(Box::new(Group {
            count: Count::new(),
            outer: OwnerWord::new(core::ptr::null()),
            carrier: OwnerWord::new(false),
            cancelled: AtomicBool::new(false),
            reductions: OwnerWord::new(core::ptr::null_mut()),
            gomp_reductions: OwnerWord::new(core::ptr::null_mut()),
        })))
    }
}

impl Owner<'_, Thread> {
    /// Returns the innermost group of the current task, which that task began.
    #[inline(always)]
    pub(crate) fn group(self) -> Option<Owner<'static, Group>> {
        // SAFETY: null or a group that the current task is in; records are never freed.
        unsafe { self.record().task().group.get().as_ref() }.map(Owner::of)
    }

    /// Takes an unused record of the thread's, if it has one.
    #[inline(always)]
    pub(crate) fn take_group(self) -> Option<Owner<'static, Group>> {
        let list = &self.tasks.groups;
        // SAFETY: null or an unused record; records are never freed.
        let group = unsafe { list.get().as_ref() }?;
        list.set(self, group.outer.get().cast_mut());
        Some(Owner::of(group))
    }

    /// Marks the record of a group that has ended unused. Returns the group that was around it.
    #[inline(always)]
    pub(crate) fn give_group(self, group: Owner<'static, Group>) -> *const Group {
        let outer = group.outer.replace(group, self.tasks.groups.get());
        self.tasks.groups.set(self, core::ptr::from_ref(group.record()).cast_mut());
        outer
    }
}
