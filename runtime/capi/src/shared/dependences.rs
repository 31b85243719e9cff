//! A list of dependences for the engine.
//!
//! Who calls: `gomp` and `kmpc` turn their compilers' lists into this one. What must hold: a list
//! has no upper bound; the first [`DEPENDENCES_IN_PLACE`] entries need no allocation.

use core::mem::MaybeUninit;
use core::ops::Deref;
use omphalos_engine::tasks::{Depend, DependKind};

/// Lists up to this length need no allocation.
const DEPENDENCES_IN_PLACE: usize = 16;

/// A list of dependences as the engine takes it.
pub struct DependList {
    /// The entries, unless there are more than fit. Then `long` has all of them, these included.
    short: [MaybeUninit<Depend>; DEPENDENCES_IN_PLACE],
    count: usize,
    long: Vec<Depend>,
}

impl DependList {
    /// Makes an empty list.
    #[inline(always)]
    pub fn new() -> DependList {
        DependList {
            short: [const { MaybeUninit::uninit() }; DEPENDENCES_IN_PLACE],
            count: 0,
            long: Vec::new(),
        }
    }

    /// Adds an entry. Writing to address 0 stands for all memory.
    #[inline(always)]
    pub fn push(&mut self, address: usize, kind: DependKind) {
        let kind = match kind {
            DependKind::Out if address == 0 => DependKind::OutAll,
            DependKind::Inout if address == 0 => DependKind::InoutAll,
            kind => kind,
        };
        let depend = Depend { address, kind };
        match self.short.get_mut(self.count) {
            Some(place) => drop(place.write(depend)),
            None => self.push_long(depend),
        }
        self.count += 1;
    }

    #[cold]
    #[inline(never)]
    fn push_long(&mut self, depend: Depend) {
        if self.count == DEPENDENCES_IN_PLACE {
            // SAFETY: all of them were written.
            self.long.extend(self.short.iter().map(|place| unsafe { place.assume_init() }));
        }
        self.long.push(depend);
    }
}

impl Default for DependList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for DependList {
    type Target = [Depend];

    fn deref(&self) -> &[Depend] {
        match self.short.get(..self.count) {
            // SAFETY: the first `count` were written.
            Some(short) => unsafe { short.assume_init_ref() },
            None => &self.long,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_kept_whole() {
        let mut list = DependList::new();
        (1..=40).for_each(|address| list.push(address, DependKind::In));
        assert_eq!(list.len(), 40);
        assert!(list.iter().enumerate().all(|(at, depend)| depend.address == at + 1));
    }
}
