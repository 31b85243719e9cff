//! Whether the process has code that GCC compiled for OpenMP.
//!
//! GCC makes instructions of constructs that other compilers leave to the runtime, static loops first of
//! all; what a tool is promised depends on it. Its code is known by the functions that it calls: files
//! refer to undefined names that begin with `GOMP_`. What must hold: a file that cannot be read counts as
//! GCC's, so that nothing is promised that may not come.

use core::ffi::{CStr, c_char, c_int, c_void};

/// Looks through all files that are loaded now. A few microseconds for each; only where a tool asks.
pub fn is_here() -> bool {
    unsafe extern "C" fn look(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        found: *mut c_void,
    ) -> c_int {
        // SAFETY: the linker's description of a loaded file, and the answer that was handed over.
        let (info, found) = unsafe { (&*info, &mut *found.cast::<bool>()) };
        // SAFETY: the file is loaded, and stays so while the linker goes through its list.
        *found |= unsafe { calls_gomp(info) }.unwrap_or(true);
        c_int::from(*found)
    }
    let mut found = false;
    // SAFETY: `look` gets the answer that it expects and calls nothing of the linker's.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut found).cast()) };
    found
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

/// Whether a file refers to a name of GCC's that it does not define. `None` if it does not say which
/// names it refers to.
///
/// # Safety
/// The description of a loaded file.
unsafe fn calls_gomp(info: &libc::dl_phdr_info) -> Option<bool> {
    if info.dlpi_phdr.is_null() {
        return Some(false);
    }
    // SAFETY: the caller's promise: program headers, and the sections that they describe, are in memory.
    unsafe {
        let headers = core::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
        let Some(dynamic) = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC) else {
            // A static file: what it calls is its own.
            return Some(false);
        };
        // Most files' entries are addresses by now, but not those of files that are never written to.
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
        // The newer table has the defined names alone, which come last, and says nothing if there are
        // none; the older one has all. Without either the names end where their texts begin at the latest.
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
                name.to_bytes().starts_with(b"GOMP_")
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_no_compiler_for_openmp_has_none() {
        assert!(!is_here());
    }
}
