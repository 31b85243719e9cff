//! What a library keeps from call to call: the handles, and the memory that it will be handed back.
//!
//! The lock is held for a look at the table alone, never while the debugger's callbacks run: one of
//! these may call the library.

use core::ffi::c_void;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::table::{Kind, Table};
use crate::{Answer, Code, Held, Space};

#[derive(Default)]
struct Kept {
    table: Table<Held>,
    lists: HashSet<usize>,
}

/// See the module. One in each library.
#[derive(Default)]
pub struct Desk(Mutex<Option<Kept>>);

impl Desk {
    /// Nothing is open.
    pub const fn new() -> Desk {
        Desk(Mutex::new(None))
    }

    fn with<T>(&self, look: impl FnOnce(&mut Kept) -> Answer<T>) -> Answer<T> {
        let mut kept: MutexGuard<'_, _> = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look(kept.get_or_insert_default())
    }

    /// A handle that the debugger gives back.
    pub fn hand_out(&self, held: Held) -> Answer<u64> {
        self.with(|kept| kept.table.hand_out(held.kind, held))
    }

    /// A handle that nobody gives back, the same for the same thing.
    pub fn constant(&self, held: Held) -> Answer<u64> {
        self.with(|kept| kept.table.constant(held.kind, held))
    }

    /// What a handle names.
    pub fn get(&self, kind: Kind, handle: u64) -> Answer<Held> {
        self.with(|kept| kept.table.get(kind, handle))
    }

    /// What a handle of any kind names.
    pub fn any(&self, handle: u64) -> Answer<Held> {
        self.with(|kept| kept.table.get(kept.table.kind(handle)?, handle))
    }

    /// The debugger gives a handle back. With a space go all handles in it.
    pub fn release(&self, kind: Kind, handle: u64) -> Answer<()> {
        let held = self.get(kind, handle)?;
        let forgotten = self.with(|kept| {
            kept.table.release(kind, handle)?;
            if held.is_whole() {
                kept.table.forget(|other| Arc::ptr_eq(&other.space, &held.space));
            }
            Ok(())
        });
        // The last reference to a space goes here, outside of the lock.
        drop(held);
        forgotten
    }

    /// Every handle is stale from now on.
    pub fn clear(&self) {
        let _ = self.with(|kept| {
            kept.table.forget(|_| true);
            kept.lists.clear();
            Ok(())
        });
    }

    /// Notes a list that the debugger will hand back.
    pub fn note(&self, list: *const c_void) {
        let _ = self.with(|kept| {
            kept.lists.insert(list as usize);
            Ok(())
        });
    }

    /// It does so: bad input for any other address.
    pub fn take_back(&self, list: *const c_void) -> Answer<()> {
        self.with(|kept| match kept.lists.remove(&(list as usize)) {
            true => Ok(()),
            false => Err(Code::BadInput),
        })
    }
}

impl Desk {
    /// The space of a debugger's context, if it was opened: for generations that name it so.
    pub fn opened(&self, context: usize) -> Option<Arc<Space>> {
        self.with(|kept| {
            Ok(kept.table.find(|held| held.kind == Kind::Space && held.space.context == context))
        })
        .ok()
        .flatten()
        .map(|held| held.space)
    }
}
