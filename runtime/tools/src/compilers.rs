//! Finds out which compilers' OpenMP code the process has: GCC's, Clang's, or both.
//!
//! Each compiler emits instructions for constructs that the other leaves to the runtime: GCC mainly
//! for static loops, Clang for target constructs without a device. So the events that a tool may
//! expect depend on the compiler. Code is recognised by the functions that it calls: its file
//! refers to undefined names that begin with `GOMP_` or `__kmpc_`. What must hold: a file that
//! cannot be read counts as both compilers', so that nothing is promised that may not come. After a
//! fork in which the loader cannot be asked, the latest answer holds, or "both" if there is none.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use omphalos_sync::process_lock::{in_loader, loader_may_be_stuck};
use omphalos_sys::dynamic::Tables;
use omphalos_sys::library;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    Gcc,
    Clang,
}

impl Compiler {
    /// Returns the prefix of the functions that the compiler's code calls.
    fn prefix(self) -> &'static [u8] {
        match self {
            Compiler::Gcc => b"GOMP_",
            Compiler::Clang => b"__kmpc_",
        }
    }

    /// Whether the process has code of this compiler. Searches all files that are loaded, a few
    /// microseconds for each. It runs only if a tool asks.
    pub fn is_here(self) -> bool {
        /// For each compiler: 0 not asked yet, 1 no, 2 yes.
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
