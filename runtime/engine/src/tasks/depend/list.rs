//! Tells tools of a task's dependences.
//!
//! Who calls: the files that make tasks with dependences and wait for some. `capi` makes the lists.

use super::super::hooks;
use crate::records::{Depend, Task};
use core::mem::offset_of;
use omphalos_events::{Dependence, Kind};

/// Tells tools the dependences that the program wrote.
#[inline(always)]
pub(in super::super) fn tell_dependences(task: &Task, list: &[Depend]) {
    if !list.is_empty() && omphalos_events::wants(Kind::Dependences) {
        hooks::dependences(task, as_written(list));
    }
}

/// Returns the list as tools read it.
pub(in super::super) fn as_written(list: &[Depend]) -> &[Dependence] {
    const _: () = {
        assert!(size_of::<Depend>() == size_of::<Dependence>());
        assert!(align_of::<Depend>() == align_of::<Dependence>());
        assert!(offset_of!(Depend, address) == offset_of!(Dependence, variable));
        assert!(offset_of!(Depend, kind) == offset_of!(Dependence, kind));
    };
    // SAFETY: an entry of either type is an address and a kind's number, of the same sizes at the
    // same places.
    unsafe { core::slice::from_raw_parts(list.as_ptr().cast(), list.len()) }
}
