//! How many children of a task, or members of a group, are not complete: the count of `omphalos_sync::count`, whose
//! owner is a thread.

use crate::thread::Thread;
use omphalos_sync::count;

pub(super) type Count = count::Count<Thread>;
pub(super) type Last = count::Last<Thread>;
