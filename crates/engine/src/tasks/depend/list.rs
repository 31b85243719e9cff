//! A task's dependences as its construct lists them, and as tools are told them.
//!
//! Who calls: `capi` makes the lists. `mod.rs` enters them in a table.

use super::super::hooks;
use crate::records::Task;
use core::mem::offset_of;
use omphalos_events::{Dependence, Kind};

/// A kind of dependence: the numbers of `ompt_dependence_type_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DependKind {
    In = 1,
    Out = 2,
    Inout = 3,
    MutexInoutset = 4,
    Inoutset = 7,
    OutAll = 34,
    InoutAll = 35,
}

impl DependKind {
    /// Whether tasks with this kind of dependence on one address leave each other unordered.
    pub(super) fn is_shared(self) -> bool {
        matches!(self, DependKind::In | DependKind::Inoutset | DependKind::MutexInoutset)
    }

    /// On all memory (`omp_all_memory`).
    pub(super) fn is_all(self) -> bool {
        matches!(self, DependKind::OutAll | DependKind::InoutAll)
    }
}

/// One dependence of a task. It has the layout of a [`Dependence`], which tools get.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Depend {
    /// Address of the list item.
    pub address: usize,
    /// See [`DependKind`].
    pub kind: DependKind,
}

/// Tells tools what the program wrote.
#[inline(always)]
pub(in super::super) fn tell(task: &Task, list: &[Depend]) {
    if !list.is_empty() && omphalos_events::wants(Kind::Dependences) {
        hooks::dependences(task, as_written(list));
    }
}

/// The list as tools read it.
fn as_written(list: &[Depend]) -> &[Dependence] {
    const _: () = {
        assert!(size_of::<Depend>() == size_of::<Dependence>());
        assert!(align_of::<Depend>() == align_of::<Dependence>());
        assert!(offset_of!(Depend, address) == offset_of!(Dependence, variable));
        assert!(offset_of!(Depend, kind) == offset_of!(Dependence, kind));
    };
    // SAFETY: an address and a kind's number each, of the same size at the same place.
    unsafe { core::slice::from_raw_parts(list.as_ptr().cast(), list.len()) }
}
