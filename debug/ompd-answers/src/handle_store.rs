//! Keeps the state of an OMPD library between calls: the handles that it gave the debugger, and the
//! addresses of the lists that the debugger will hand back.
//!
//! The callers are the entry points of the three OMPD libraries (`ompd`, `ompd-2013`, `ompd-2016`),
//! each with one static `HANDLES`, and the macros that they share (`entries.rs`). The rules for
//! handles are in `table.rs`.
//!
//! What must hold: the lock is held only while the table is used, never while the debugger's
//! callbacks run: a callback may call the library.

use core::ffi::c_void;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::table::{Kind, Table};
use crate::{Answer, Code, Held, Space};

#[derive(Default)]
struct Kept {
    table: Table<Held>,
    /// The number of constant handles above which the store forgets those whose things are over.
    room: usize,
    /// Addresses of the lists that the debugger will hand back.
    lists: HashSet<usize>,
}

/// The least such number, whatever `room` says.
const FEWEST_CONSTANTS: usize = 1 << 16;

/// See the module. `None` inside: nothing is kept yet.
#[derive(Default)]
pub struct HandleStore(Mutex<Option<Kept>>);

impl HandleStore {
    /// Makes an empty store.
    pub const fn new() -> HandleStore {
        HandleStore(Mutex::new(None))
    }

    /// Runs `look` under the lock.
    fn with<T>(&self, look: impl FnOnce(&mut Kept) -> Answer<T>) -> Answer<T> {
        let mut kept: MutexGuard<'_, _> = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look(kept.get_or_insert_default())
    }

    /// Makes a new handle, which the debugger will give back ([`HandleStore::release`]).
    pub fn hand_out(&self, held: Held) -> Answer<u64> {
        self.with(|kept| kept.table.hand_out(held.kind, held))
    }

    /// Makes a handle that nobody gives back, or finds the one that the same thing already has. It
    /// lasts as long as the thing.
    pub fn constant(&self, held: Held) -> Answer<u64> {
        let (handle, all) = self.with(|kept| {
            let handle = kept.table.constant(held.kind, held)?;
            let is_full = kept.table.constants().len() > kept.room.max(FEWEST_CONSTANTS);
            let all: Vec<Held> =
                if is_full { kept.table.constants().cloned().collect() } else { Vec::new() };
            Ok((handle, all))
        })?;
        if !all.is_empty() {
            let over: Vec<Held> = all.into_iter().filter(Held::is_over).collect();
            let _ = self.with(|kept| {
                kept.table.forget_constants(&over);
                kept.room = 2 * kept.table.constants().len();
                Ok(())
            });
        }
        Ok(handle)
    }

    /// The record that a handle names.
    pub fn get(&self, kind: Kind, handle: u64) -> Answer<Held> {
        self.with(|kept| kept.table.get(kind, handle))
    }

    /// The record that a handle of any kind names.
    pub fn any(&self, handle: u64) -> Answer<Held> {
        self.with(|kept| kept.table.get(kept.table.kind(handle)?, handle))
    }

    /// The debugger gives a handle back. With the handle of a whole space, all handles in that
    /// space become stale.
    pub fn release(&self, kind: Kind, handle: u64) -> Answer<()> {
        let held = self.get(kind, handle)?;
        let forgotten = self.with(|kept| {
            kept.table.release(kind, handle)?;
            if held.is_whole() {
                kept.table.forget(|other| Arc::ptr_eq(&other.space, &held.space));
            }
            Ok(())
        });
        // The last reference to a space may be dropped here, outside the lock.
        drop(held);
        forgotten
    }

    /// Makes every handle stale, and expects no list back.
    pub fn clear(&self) {
        let _ = self.with(|kept| {
            kept.table.forget(|_| true);
            kept.lists.clear();
            Ok(())
        });
    }

    /// Records a list that the debugger will hand back.
    pub fn note(&self, list: *const c_void) {
        let _ = self.with(|kept| {
            kept.lists.insert(list as usize);
            Ok(())
        });
    }

    /// The debugger hands a list back: bad input for an address that was not recorded.
    pub fn take_back(&self, list: *const c_void) -> Answer<()> {
        self.with(|kept| match kept.lists.remove(&(list as usize)) {
            true => Ok(()),
            false => Err(Code::BadInput),
        })
    }

    /// The space of a debugger's context, if it was opened. In OMPD of 2013 a context takes the
    /// place of a handle of a space.
    pub fn opened(&self, context: usize) -> Option<Arc<Space>> {
        self.with(|kept| {
            Ok(kept.table.find(|held| held.kind == Kind::Space && held.space.context == context))
        })
        .ok()
        .flatten()
        .map(|held| held.space)
    }
}
