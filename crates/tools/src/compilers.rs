//! Whose code for OpenMP the process has: GCC's, Clang's, both.
//!
//! Each makes instructions of constructs that the other leaves to the runtime: GCC of static loops
//! first of all, Clang of target constructs where it knows no device; what a tool is promised
//! depends on it. Code is known by the functions that it calls: files refer to undefined names that
//! begin with `GOMP_` or with `__kmpc_`. What must hold: a file that cannot be read counts as
//! either's, so that nothing is promised that may not come. So does code of which nobody asked
//! before a fork, where the loader cannot be asked after it.

use crate::dynamic::Tables;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use omphalos_sync::process_lock::{in_loader, loader_may_be_stuck};
use omphalos_sys::library;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    Gcc,
    Clang,
}

impl Compiler {
    /// How the functions begin that its code calls.
    fn prefix(self) -> &'static [u8] {
        match self {
            Compiler::Gcc => b"GOMP_",
            Compiler::Clang => b"__kmpc_",
        }
    }

    /// Looks through all files that are loaded now. A few microseconds for each; only where a tool
    /// asks.
    pub fn is_here(self) -> bool {
        /// Of each: 0 not asked yet, 1 no, 2 yes.
        static LAST: [AtomicU8; 2] = [const { AtomicU8::new(0) }; 2];
        let last = &LAST[self as usize];
        if !loader_may_be_stuck() {
            last.store(1 + u8::from(self.is_seen()), Relaxed);
        }
        last.load(Relaxed) != 1
    }

    fn is_seen(self) -> bool {
        let mut found = false;
        let look = |info: &libc::dl_phdr_info| {
            // SAFETY: the file is loaded, and stays so while the linker goes through its list.
            let tables = unsafe { Tables::of(info) };
            found |= tables.is_some_and(|tables| tables.want(self.prefix()).unwrap_or(true));
            found
        };
        in_loader(|| library::each_file(look));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_no_compiler_for_openmp_has_none() {
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            assert!(!compiler.is_here(), "{compiler:?}");
        }
    }
}
