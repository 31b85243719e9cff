//! GCC's list of dependences.
//!
//! Old form: the number of addresses (not 0); how many of them are out or inout; the addresses. New
//! form: 0; the number of addresses; how many are out or inout, mutexinoutset, in; the addresses in
//! that order; then addresses of `omp_depend_t` objects (address and kind).

use crate::shared::dependences::DependList;
use core::ffi::c_void;
use omphalos_engine::tasks::DependKind;

/// `GOMP_DEPEND_*` of an `omp_depend_t`.
const DEPEND_IN: usize = 1;
const DEPEND_MUTEXINOUTSET: usize = 4;
const DEPEND_INOUTSET: usize = 5;

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
}
