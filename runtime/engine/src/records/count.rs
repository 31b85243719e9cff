//! How many children of a task, or members of a group, are not complete: the count of
//! `omphalos_sync::count`, whose owner is a thread.

use super::Thread;
use omphalos_sync::count;

pub(crate) type Count = count::Count<Thread>;
pub(crate) type Last = count::Last<Thread>;
