//! The names that a loaded file defines and refers to, read from its dynamic section.
//!
//! The dynamic linker could answer too, but only behind its lock. A thread that loads a library
//! holds that lock while the library's constructors run, and these may wait for the very thread
//! that asks.

use crate::library;
use core::ffi::{CStr, c_char, c_void};
use libc::{Elf64_Rela, Elf64_Sym};

/// An entry of a file's dynamic section.
#[repr(C)]
struct Entry {
    tag: i64,
    value: u64,
}

const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_RELA: i64 = 7;
const DT_RELASZ: i64 = 8;
const DT_STRSZ: i64 = 10;
const DT_HASH: i64 = 4;
const DT_GNU_HASH: i64 = 0x6fff_fef5;
/// The relocations of a word that holds a name's address.
const R_X86_64_64: u64 = 1;
const R_X86_64_GLOB_DAT: u64 = 6;
const STB_WEAK: u8 = 2;

/// Addresses of a file's tables; 0 for a table that it does not have.
#[derive(Default)]
pub struct Tables {
    texts: u64,
    length: u64,
    symbols: u64,
    relocations: u64,
    /// The size of the relocations, bytes.
    size: u64,
    hash: u64,
    gnu_hash: u64,
}

/// Whether no loaded file other than this library defines any of these names, so that no search
/// would find one. Asks the dynamic linker only for the list of files, as [`library::each_file`]
/// does.
pub fn nobody_else_defines(names: &[&CStr]) -> bool {
    let mut somebody = false;
    library::each_file(|info| {
        // SAFETY: the file is loaded, and stays so while the linker goes through its list.
        let tables = unsafe { Tables::of(info) };
        somebody = !library::extent(info).contains(&(nobody_else_defines as *const () as usize))
            && tables
                .is_some_and(|tables| names.iter().any(|name| tables.define(name).unwrap_or(true)));
        somebody
    });
    !somebody
}

/// Whether the file that `address` was loaded from defines `name`. Asks the dynamic linker only for
/// the list of files, as [`library::each_file`] does.
pub fn is_defined_beside(address: *const c_void, name: &CStr) -> bool {
    let mut is_defined = false;
    library::each_file(|info| {
        let is_here = library::extent(info).contains(&(address as usize));
        if is_here {
            // SAFETY: as above.
            let tables = unsafe { Tables::of(info) };
            is_defined = tables.is_some_and(|tables| tables.define(name) == Some(true));
        }
        is_here
    });
    is_defined
}

impl Tables {
    /// Returns a file's tables. `None` if it has no dynamic section (a static file, or one without
    /// headers): then no other file sees its names.
    ///
    /// # Safety
    /// `info` describes a loaded file, which stays loaded as long as the tables are used.
    pub unsafe fn of(info: &libc::dl_phdr_info) -> Option<Tables> {
        let headers = library::headers(info);
        let dynamic = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC)?;
        // The linker has turned the entries of most files into addresses, but not where the section
        // cannot be written.
        let place =
            |value: u64| if value < info.dlpi_addr { value + info.dlpi_addr } else { value };
        let mut tables = Tables::default();
        let mut at = (info.dlpi_addr + dynamic.p_vaddr) as *const Entry;
        // SAFETY: the caller's promise: the section is in memory, and ends with a zero.
        while let Entry { tag: tag @ 1.., value } = *unsafe { &*at } {
            match tag {
                DT_STRTAB => tables.texts = place(value),
                DT_STRSZ => tables.length = value,
                DT_SYMTAB => tables.symbols = place(value),
                DT_RELA => tables.relocations = place(value),
                DT_RELASZ => tables.size = value,
                DT_HASH => tables.hash = place(value),
                DT_GNU_HASH => tables.gnu_hash = place(value),
                _ => {}
            }
            // SAFETY: another entry stands behind each but the last.
            at = unsafe { at.add(1) };
        }
        Some(tables)
    }

    /// Whether the file refers to a name with this beginning that it does not define. `None` if its
    /// tables do not say.
    pub fn want(&self, prefix: &[u8]) -> Option<bool> {
        if self.texts == 0 || self.symbols == 0 {
            return None;
        }
        // The newer table has only the defined names, which come last, and tells nothing if there
        // are none. The older one has all. Without either, the names end at the latest where their
        // texts begin.
        let count = match (second(self.gnu_hash), second(self.hash)) {
            (0 | 1, 0) if self.texts > self.symbols => {
                (self.texts - self.symbols) as usize / size_of::<Elf64_Sym>()
            }
            (0 | 1, 0) => return None,
            (0 | 1, all) => all as usize,
            (undefined, _) => undefined as usize,
        };
        Some(self.first(count).iter().any(|symbol| {
            symbol.st_shndx == 0
                && self.text(symbol).is_some_and(|name| name.to_bytes().starts_with(prefix))
        }))
    }

    /// Tells `found` each word of the file that holds the address of a name which the file declares
    /// weak and does not define, with the name. `base`: the file's address. Such a word may hold
    /// null.
    pub fn each_weak(&self, base: u64, mut found: impl FnMut(*mut usize, &CStr)) {
        if self.texts == 0 || self.symbols == 0 || self.relocations == 0 {
            return;
        }
        let count = self.size as usize / size_of::<Elf64_Rela>();
        // SAFETY: the file's own table.
        let all =
            unsafe { core::slice::from_raw_parts(self.relocations as *const Elf64_Rela, count) };
        for one in all {
            let (kind, symbol) = (one.r_info & 0xffff_ffff, one.r_info >> 32);
            if !matches!(kind, R_X86_64_64 | R_X86_64_GLOB_DAT) || symbol == 0 {
                continue;
            }
            // SAFETY: relocations name symbols of the file's table.
            let symbol = unsafe { &*(self.symbols as *const Elf64_Sym).add(symbol as usize) };
            let is_weak = symbol.st_shndx == 0 && symbol.st_info >> 4 == STB_WEAK;
            if let Some(name) = self.text(symbol).filter(|_| is_weak) {
                found((base + one.r_offset) as *mut usize, name);
            }
        }
    }

    /// Whether the file defines `name`. `None` if its tables do not say.
    pub fn define(&self, name: &CStr) -> Option<bool> {
        if self.texts == 0 || self.symbols == 0 {
            return None;
        }
        let is_it = |symbol: &Elf64_Sym| symbol.st_shndx != 0 && self.text(symbol) == Some(name);
        if self.gnu_hash != 0 {
            return Some(self.in_gnu_table(name, is_it));
        }
        // Few files have only the older table: all names are compared.
        (self.hash != 0).then(|| self.first(second(self.hash) as usize).iter().any(is_it))
    }

    /// The newer table: four numbers, a filter, the beginnings of chains, and for each defined name
    /// the hash, whose lowest bit ends a chain.
    fn in_gnu_table(&self, name: &CStr, is_it: impl Fn(&Elf64_Sym) -> bool) -> bool {
        let table = self.gnu_hash as *const u32;
        // SAFETY: the file's own table, as its linker wrote it.
        let word = |at: usize| unsafe { *table.add(at) };
        let [chains, first, filter] = [word(0), word(1), word(2)].map(|word| word as usize);
        if chains == 0 {
            return false;
        }
        let hash = gnu_hash(name.to_bytes());
        let begins = 4 + 2 * filter;
        let mut at = word(begins + hash as usize % chains) as usize;
        if at < first {
            return false;
        }
        loop {
            let known = word(begins + chains + at - first);
            // SAFETY: the table is of names that the file has.
            let symbol = unsafe { &*(self.symbols as *const Elf64_Sym).add(at) };
            if known | 1 == hash | 1 && is_it(symbol) {
                return true;
            }
            if known & 1 == 1 {
                return false;
            }
            at += 1;
        }
    }

    fn first(&self, count: usize) -> &[Elf64_Sym] {
        // SAFETY: so many entries are in memory; there are tables, which the callers looked at.
        unsafe { core::slice::from_raw_parts(self.symbols as *const Elf64_Sym, count) }
    }

    fn text(&self, symbol: &Elf64_Sym) -> Option<&CStr> {
        let at = u64::from(symbol.st_name);
        // SAFETY: a place in the file's texts, each of which ends with a zero.
        (at < self.length).then(|| unsafe { CStr::from_ptr((self.texts + at) as *const c_char) })
    }
}

/// Returns the second word of a table of hashes, 0 where there is none.
fn second(table: u64) -> u32 {
    // SAFETY: both kinds begin with two words at least.
    if table == 0 { 0 } else { unsafe { *(table as *const u32).add(1) } }
}

fn gnu_hash(name: &[u8]) -> u32 {
    name.iter().fold(5381, |hash: u32, &byte| hash.wrapping_mul(33).wrapping_add(u32::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_c_library_alone_defines_its_names() {
        let (mut here, mut elsewhere) = (0, 0);
        library::each_file(|info| {
            // SAFETY: the linker's description of a loaded file.
            let Some(tables) = (unsafe { Tables::of(info) }) else { return false };
            here += u32::from(tables.define(c"getenv") == Some(true));
            elsewhere += u32::from(tables.define(c"omphalos_no_such_name") != Some(false));
            false
        });
        assert_eq!((here, elsewhere), (1, 0));
        let place = libc::getpid as *const c_void;
        assert!(is_defined_beside(place, c"getenv"));
        assert!(!is_defined_beside(place, c"omphalos_no_such_name"));
        assert!(!is_defined_beside((&raw const here).cast(), c"getenv"), "no file");
    }
}
