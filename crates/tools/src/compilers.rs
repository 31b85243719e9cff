//! Whose code for OpenMP the process has: GCC's, Clang's, both.
//!
//! Each makes instructions of constructs that the other leaves to the runtime: GCC of static loops
//! first of all, Clang of target constructs where it knows no device; what a tool is promised
//! depends on it. Code is known by the functions that it calls: files refer to undefined names that
//! begin with `GOMP_` or with `__kmpc_`. What must hold: a file that cannot be read counts as
//! either's, so that nothing is promised that may not come. So does code of which nobody asked
//! before a fork, where the loader cannot be asked after it.

use core::ffi::{CStr, c_char};
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
            found |= unsafe { calls(info, self.prefix()) }.unwrap_or(true);
            found
        };
        in_loader(|| library::each_file(look));
        found
    }
}

/// An entry of a file's dynamic section.
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: u64,
}

const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_STRSZ: i64 = 10;
const DT_HASH: i64 = 4;
const DT_GNU_HASH: i64 = 0x6fff_fef5;

/// Whether a file refers to a name with this beginning that it does not define. `None` if it does
/// not say which names it refers to.
///
/// # Safety
/// The description of a loaded file.
unsafe fn calls(info: &libc::dl_phdr_info, prefix: &[u8]) -> Option<bool> {
    let headers = library::headers(info);
    // SAFETY: the caller's promise: program headers, and the sections that they describe, are in
    // memory.
    unsafe {
        let Some(dynamic) = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC) else {
            // A static file, or one without headers: what it calls is its own.
            return Some(false);
        };
        // Most files' entries are addresses by now, but not those of files that are never written
        // to.
        let place =
            |value: u64| if value < info.dlpi_addr { value + info.dlpi_addr } else { value };
        let mut entry = (info.dlpi_addr + dynamic.p_vaddr) as *const Dynamic;
        let (mut names, mut length, mut symbols, mut hash, mut gnu_hash) = (0, 0, 0, 0, 0);
        while (*entry).tag != 0 {
            match (*entry).tag {
                DT_STRTAB => names = place((*entry).value),
                DT_STRSZ => length = (*entry).value,
                DT_SYMTAB => symbols = place((*entry).value),
                DT_HASH => hash = place((*entry).value),
                DT_GNU_HASH => gnu_hash = place((*entry).value),
                _ => {}
            }
            entry = entry.add(1);
        }
        if names == 0 || symbols == 0 {
            return None;
        }
        // The newer table has the defined names alone, which come last, and says nothing if there
        // are none; the older one has all. Without either the names end where their texts begin at
        // the latest.
        let second = |table: u64| if table == 0 { 0 } else { *(table as *const u32).add(1) };
        let count = match (second(gnu_hash), second(hash)) {
            (0 | 1, 0) if names > symbols => {
                (names - symbols) as usize / size_of::<libc::Elf64_Sym>()
            }
            (0 | 1, 0) => return None,
            (0 | 1, all) => all as usize,
            (undefined, _) => undefined as usize,
        };
        let symbols = core::slice::from_raw_parts(symbols as *const libc::Elf64_Sym, count);
        Some(symbols.iter().any(|symbol| {
            symbol.st_shndx == 0 && u64::from(symbol.st_name) < length && {
                let name = CStr::from_ptr((names + u64::from(symbol.st_name)) as *const c_char);
                name.to_bytes().starts_with(prefix)
            }
        }))
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
