//! GCC's list of dependences.
//!
//! Old form: number of addresses (not 0), number of them that are out or inout, the addresses. New
//! form: 0, number of addresses, how many are out or inout, mutexinoutset, in; the addresses in that
//! order; then addresses of `omp_depend_t` objects (address and kind).

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ops::Deref;
use omphalos_engine::tasks::{Depend, DependKind};

/// `GOMP_DEPEND_*` of an `omp_depend_t`.
const DEPEND_IN: usize = 1;
const DEPEND_MUTEXINOUTSET: usize = 4;
const DEPEND_INOUTSET: usize = 5;

/// Lists up to this length need no allocation.
const SHORT: usize = 16;

/// A list of dependences as the engine takes it.
pub struct DependList {
    /// The first `count`, unless there are more than fit: then all are in `long`.
    short: [MaybeUninit<Depend>; SHORT],
    count: usize,
    long: Vec<Depend>,
}

impl DependList {
    /// Reads GCC's list.
    ///
    /// # Safety
    /// `words` is such a list.
    #[inline(always)]
    pub unsafe fn read(words: *const *mut c_void) -> DependList {
        let mut list = DependList::new();
        // SAFETY: the caller's promise.
        unsafe { list.add_all(words) };
        list
    }

    /// Adds all of GCC's list.
    ///
    /// # Safety
    /// As [`DependList::read`].
    #[inline(always)]
    pub unsafe fn add_all(&mut self, words: *const *mut c_void) {
        let list = self;
        // SAFETY: the caller's promise: every index is within the list.
        let word = |at: usize| unsafe { *words.add(at) } as usize;
        if word(0) != 0 {
            for at in 0..word(0) {
                let kind = if at < word(1) { DependKind::Inout } else { DependKind::In };
                list.push(word(2 + at), kind);
            }
            return;
        }
        let (total, out, mutex, input) = (word(1), word(2), word(3), word(4));
        for at in 0..total {
            let address = word(5 + at);
            if at >= out + mutex + input {
                // SAFETY: an initialised `omp_depend_t`.
                let (address, kind) = unsafe { *(address as *const (usize, usize)) };
                list.push(address, kind_of(kind));
            } else if at < out {
                list.push(address, DependKind::Inout);
            } else if at < out + mutex {
                list.push(address, DependKind::MutexInoutset);
            } else {
                list.push(address, DependKind::In);
            }
        }
    }

    /// An empty list.
    #[inline(always)]
    pub fn new() -> DependList {
        DependList { short: [const { MaybeUninit::uninit() }; SHORT], count: 0, long: Vec::new() }
    }

    /// Adds one; writing to address 0 means all memory.
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
        if self.count == SHORT {
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

fn kind_of(gcc: usize) -> DependKind {
    match gcc {
        DEPEND_IN => DependKind::In,
        DEPEND_MUTEXINOUTSET => DependKind::MutexInoutset,
        DEPEND_INOUTSET => DependKind::Inoutset,
        _ => DependKind::Inout,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(words: &[usize]) -> Vec<(usize, DependKind)> {
        // SAFETY: the tests give whole lists.
        let list = unsafe { DependList::read(words.as_ptr().cast()) };
        list.iter().map(|depend| (depend.address, depend.kind)).collect()
    }

    #[test]
    fn both_forms_are_read() {
        use DependKind::{In, Inout, InoutAll, Inoutset, MutexInoutset};
        assert_eq!(kinds(&[3, 1, 8, 16, 24]), [(8, Inout), (16, In), (24, In)]);
        let object = [40, DEPEND_INOUTSET];
        let words = [0, 4, 1, 1, 1, 8, 16, 24, object.as_ptr() as usize];
        assert_eq!(kinds(&words), [(8, Inout), (16, MutexInoutset), (24, In), (40, Inoutset)]);
        assert_eq!(kinds(&[1, 1, 0]), [(0, InoutAll)]);
    }

    #[test]
    fn long_lists_are_kept_whole() {
        let words: Vec<usize> = [40, 0].into_iter().chain(1..=40).collect();
        let read = kinds(&words);
        assert_eq!(read.len(), 40);
        assert!(read.iter().enumerate().all(|(at, depend)| depend.0 == at + 1));
    }
}
