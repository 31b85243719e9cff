//! Handles. A handle is the number of a row in a table, never an address of ours. So the library
//! recognises every bad handle: one that was given back, that names another kind of thing, or that
//! was never given out.
//!
//! The number has the row, the row's life (a row that is used again has another one) and the kind,
//! so that a number of one kind never is one of another kind.
//!
//! The caller is `handle_store.rs`.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use crate::{Answer, Code};

/// The kind of thing that a handle names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A process, a core file or a device.
    Space = 1,
    /// A thread.
    Thread = 2,
    /// A parallel region.
    Parallel = 3,
    /// A task.
    Task = 4,
}

const KIND_BITS: u32 = 3;
const ROW_BITS: u32 = 32;
const LIFE_BITS: u32 = 64 - ROW_BITS - KIND_BITS;

struct Row<T> {
    life: u32,
    kind: Kind,
    held: Option<T>,
}

/// The table of a library. `T`: the thing that a handle names; equal values are the same thing.
pub struct Table<T> {
    rows: Vec<Row<T>>,
    free: VecDeque<u32>,
    /// For handles that nobody gives back: the handle of each thing.
    known: HashMap<T, u64>,
}

impl<T: Clone + Eq + Hash> Default for Table<T> {
    fn default() -> Self {
        Table { rows: Vec::new(), free: VecDeque::new(), known: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    /// Makes a new handle, which [`Table::release`] gives back.
    pub fn hand_out(&mut self, kind: Kind, held: T) -> Answer<u64> {
        // Take the row that was free for longest, so that a stale handle is recognised for as long
        // as possible.
        let row = match self.free.pop_front() {
            Some(row) => row,
            None => {
                let row = u32::try_from(self.rows.len()).map_err(|_| Code::NoMemory)?;
                self.rows.push(Row { life: 1, kind, held: None });
                row
            }
        };
        let at = self.rows.get_mut(row as usize).ok_or(Code::Error)?;
        (at.kind, at.held) = (kind, Some(held));
        Ok(u64::from(at.life) << (ROW_BITS + KIND_BITS) | u64::from(row) << KIND_BITS | kind as u64)
    }

    /// The handle of a thing, always the same. Nobody gives it back.
    pub fn constant(&mut self, kind: Kind, held: T) -> Answer<u64> {
        if let Some(handle) = self.known.get(&held) {
            return Ok(*handle);
        }
        let handle = self.hand_out(kind, held.clone())?;
        self.known.insert(held, handle);
        Ok(handle)
    }

    /// The things that have such handles.
    pub fn constants(&self) -> impl ExactSizeIterator<Item = &T> {
        self.known.keys()
    }

    /// Makes the handles of these things stale.
    pub fn forget_constants(&mut self, over: &[T]) {
        for held in over {
            if let Some(handle) = self.known.get(held).copied() {
                let _ = self.take(handle);
            }
        }
    }

    fn row(&self, handle: u64) -> Answer<usize> {
        let row = (handle >> KIND_BITS) as u32 as usize;
        let life = (handle >> (ROW_BITS + KIND_BITS)) as u32;
        match self.rows.get(row) {
            Some(found) if found.life == life && found.held.is_some() => Ok(row),
            _ => Err(Code::StaleHandle),
        }
    }

    /// The kind of thing that a handle names.
    pub fn kind(&self, handle: u64) -> Answer<Kind> {
        let kind = self.rows.get(self.row(handle)?).ok_or(Code::StaleHandle)?.kind;
        if handle & ((1 << KIND_BITS) - 1) == kind as u64 {
            Ok(kind)
        } else {
            Err(Code::StaleHandle)
        }
    }

    /// The thing that a handle names: stale if it names nothing, bad input if it names another kind
    /// of thing.
    pub fn get(&self, kind: Kind, handle: u64) -> Answer<T> {
        if self.kind(handle)? != kind {
            return Err(Code::BadInput);
        }
        let held = self.rows.get(self.row(handle)?).and_then(|row| row.held.clone());
        held.ok_or(Code::StaleHandle)
    }

    fn take(&mut self, handle: u64) -> Answer<()> {
        let row = self.row(handle)?;
        let at = self.rows.get_mut(row).ok_or(Code::StaleHandle)?;
        let held = at.held.take();
        at.life = (at.life + 1) & ((1 << LIFE_BITS) - 1);
        if let Some(held) = held {
            self.known.remove(&held);
        }
        // A row whose lives are used up stays empty for good.
        if at.life != 0 {
            self.free.push_back(row as u32);
        }
        Ok(())
    }

    /// The debugger gives a handle back.
    pub fn release(&mut self, kind: Kind, handle: u64) -> Answer<()> {
        if self.kind(handle)? != kind {
            return Err(Code::BadInput);
        }
        self.take(handle)
    }

    /// Makes stale every handle of such a thing.
    pub fn forget(&mut self, of: impl Fn(&T) -> bool) {
        let handles: Vec<u64> = (0u64..)
            .zip(&self.rows)
            .filter(|(_, row)| row.held.as_ref().is_some_and(&of))
            .map(|(at, row)| {
                u64::from(row.life) << (ROW_BITS + KIND_BITS) | at << KIND_BITS | row.kind as u64
            })
            .collect();
        for handle in handles {
            let _ = self.take(handle);
        }
    }

    /// Finds a thing that has a handle and fits `is_it`.
    pub fn find(&self, is_it: impl Fn(&T) -> bool) -> Option<T> {
        self.rows.iter().filter_map(|row| row.held.as_ref()).find(|held| is_it(held)).cloned()
    }

    /// The number of handles that the debugger holds, and of rows whose lives are used up.
    pub fn len(&self) -> usize {
        self.rows.len() - self.free.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_names_its_thing_until_it_is_given_back() {
        let mut table = Table::default();
        let (a, b) =
            (table.hand_out(Kind::Thread, 1).unwrap(), table.hand_out(Kind::Task, 1).unwrap());
        assert_ne!(a, b);
        assert_eq!(table.get(Kind::Thread, a), Ok(1));
        assert_eq!(table.get(Kind::Task, a), Err(Code::BadInput));
        assert_eq!(table.release(Kind::Task, a), Err(Code::BadInput));
        assert_eq!(table.release(Kind::Thread, a), Ok(()));
        assert_eq!(table.get(Kind::Thread, a), Err(Code::StaleHandle));
        assert_eq!(table.release(Kind::Thread, a), Err(Code::StaleHandle));
        let c = table.hand_out(Kind::Thread, 2).unwrap();
        assert_eq!(table.get(Kind::Thread, a), Err(Code::StaleHandle));
        assert_eq!(table.get(Kind::Thread, c), Ok(2));
        table.forget(|held| *held == 2);
        assert_eq!(table.get(Kind::Thread, c), Err(Code::StaleHandle));
        assert_eq!(table.len(), 1);
    }

    #[test]
    fn a_thing_has_one_constant_handle() {
        let mut table = Table::default();
        let a = table.constant(Kind::Task, 7).unwrap();
        assert_eq!(table.constant(Kind::Task, 7), Ok(a));
        assert_ne!(table.constant(Kind::Task, 8), Ok(a));
        assert_eq!(table.constants().len(), 2);
        table.forget_constants(&[8, 9]);
        assert_eq!(table.get(Kind::Task, a), Ok(7));
        assert_eq!(table.len(), 1);
    }

    #[test]
    fn any_number_is_refused_or_names_something() {
        let mut table = Table::default();
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        let mut held = Vec::new();
        for turn in 0..10_000u64 {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            let kind = [Kind::Space, Kind::Thread, Kind::Parallel, Kind::Task][word as usize % 4];
            match word >> 8 & 3 {
                0 => held.push(table.hand_out(kind, turn).unwrap()),
                1 => assert!(table.get(kind, word).is_err()),
                2 if !held.is_empty() => {
                    let handle = held[word as usize % held.len()];
                    let _ = table.release(kind, handle);
                }
                _ if !held.is_empty() => {
                    let handle = held[word as usize % held.len()];
                    let _ = table.get(kind, handle ^ (1 << (word >> 20 & 63)));
                }
                _ => {}
            }
        }
    }
}
