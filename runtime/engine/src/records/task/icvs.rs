//! A task's ICVs: the team's, the parent's, or a copy of its own.
//!
//! What must hold: the ICVs that the word points to outlive the task. The team's outlive the
//! region. A parent's copy is shared only by a child that is over before the parent goes on. An
//! explicit task's own copy is freed with the task.

use super::{Owner, Task, Team, Traits};
use omphalos_settings::Icvs;

impl Task {
    /// Returns the task's ICVs.
    #[inline(always)]
    pub fn icvs(&self) -> &Icvs {
        // SAFETY: points to the team's, which outlive the region, or to a copy that outlives the
        // task.
        unsafe { &*self.icvs.get() }
    }
}

impl Owner<'_, Task> {
    /// Points the task at its own copy of the ICVs: an implicit task's stands in its slot, an
    /// explicit one's comes from `Box::into_raw` and is freed with the task.
    pub(crate) fn set_icvs(self, icvs: *const Icvs) {
        if self.is_explicit() {
            self.drop_own_icvs();
            self.add_traits(Traits::OWN_ICVS);
        }
        self.icvs.set(self, icvs);
    }

    /// Gives the task the ICVs of its parent. The task shares them if they are the team's, or if it
    /// is over before its parent goes on (`within`). Otherwise it gets a copy.
    #[inline(always)]
    pub(crate) fn inherit_icvs(self, parent: &Task, team: &Team, within: bool) {
        let icvs = parent.icvs.get();
        if within || core::ptr::eq(icvs, team.icvs()) {
            self.icvs.put(self, icvs);
        } else {
            self.copy_icvs(parent);
        }
    }

    /// Gives the task the ICVs of `sibling`, which are their parent's or the team's.
    pub(crate) fn share_icvs(self, sibling: &Task) {
        self.icvs.set(self, sibling.icvs.get());
    }

    #[cold]
    #[inline(never)]
    fn copy_icvs(self, parent: &Task) {
        self.set_icvs(Box::into_raw(Box::new(*parent.icvs())));
    }

    /// Frees the task's own ICVs, if it has any.
    pub(crate) fn drop_own_icvs(self) {
        if self.has(Traits::OWN_ICVS) {
            self.remove_traits(Traits::OWN_ICVS);
            let icvs = self.icvs.replace(self, core::ptr::null());
            // SAFETY: an explicit task's own copy came from `Box::into_raw`, and the task is over
            // or gets another one.
            drop(unsafe { Box::from_raw(icvs.cast_mut()) });
        }
    }
}
