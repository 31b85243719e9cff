//! A function of the program's that no other file sees, found by the symbol table of the program's
//! file, where `strip` left one. Async-signal-safe: system calls alone, no lock, no memory.
//!
//! What it costs a program without such a function: three readings of the file, of its header, its
//! sections and the names of its symbols, 4096 bytes of names at a time. The symbols themselves are
//! read only if one of the names is the one that is asked for.

use crate::mapped_file::{FUNCTION, Open, SYMBOLS};
use core::ffi::{CStr, c_void};
use core::mem::size_of;

/// Sections and symbols that are read at once.
const RECORDS: usize = 48;
/// Bytes of names that are read at once.
const NAMES: usize = 4096;

/// The program's function of this name, unless it is a `static` one. `None` also where the file was
/// stripped, and where the program is not the file that the system executed: the loader was told to
/// run it.
#[cold]
pub fn function(name: &CStr) -> Option<*mut c_void> {
    let program = Program::of_this_process()?;
    let file = Open::new(c"/proc/self/exe")?;
    let header: libc::Elf64_Ehdr = file.record(0)?;
    let is_elf = header.e_ident[..5] == *b"\x7fELF\x02";
    if !is_elf || program.base.wrapping_add(header.e_entry) != program.entry {
        return None;
    }
    let sections = u64::from(header.e_shnum) * size_of::<libc::Elf64_Shdr>() as u64;
    let (mut at, mut table) = (0, None);
    // Linkers put the names of the symbols behind the symbols.
    let names = file.records(header.e_shoff, sections, |section: &libc::Elf64_Shdr| {
        at += 1;
        match table {
            None if section.sh_type == SYMBOLS => table = Some(*section),
            Some(symbols) if symbols.sh_link == at - 1 => return Some(*section),
            _ => {}
        }
        None
    })?;
    let symbols = table?;
    let mut from = 0;
    loop {
        let (texts, rest) = (names.sh_offset.wrapping_add(from), names.sh_size.checked_sub(from)?);
        let place = from + place_of(&file, texts, rest, name)?;
        let is_it = |symbol: &libc::Elf64_Sym| {
            let is_function = symbol.st_info & 0xf == FUNCTION && symbol.st_info >> 4 != LOCAL;
            (u64::from(symbol.st_name) == place && symbol.st_shndx != 0 && is_function)
                .then_some(symbol.st_value)
        };
        if let Some(address) = file.records(symbols.sh_offset, symbols.sh_size, is_it) {
            return program.code(address);
        }
        // The end of a longer name.
        from = place + 1;
    }
}

/// `STB_LOCAL`.
const LOCAL: u8 = 0;

/// Where the first text that ends with this one stands.
fn place_of(file: &Open, from: u64, bytes: u64, text: &CStr) -> Option<u64> {
    let text = text.to_bytes_with_nul();
    let mut names = [0; NAMES];
    let mut at = 0;
    while at + text.len() as u64 <= bytes {
        let wanted = (NAMES as u64).min(bytes - at) as usize;
        let got = file.read(from.wrapping_add(at), &mut names[..wanted]);
        // SAFETY: both are valid for their lengths.
        let found =
            unsafe { libc::memmem(names.as_ptr().cast(), got, text.as_ptr().cast(), text.len()) };
        if !found.is_null() {
            return Some(at + (found as usize - names.as_ptr() as usize) as u64);
        }
        // What may begin in this piece and end in the next is looked at again.
        at += got.checked_sub(text.len() - 1).filter(|&step| step > 0)? as u64;
    }
    None
}

/// The program as the system has told the process of it.
struct Program {
    headers: &'static [libc::Elf64_Phdr],
    /// What is added to an address of the file.
    base: u64,
    entry: u64,
}

impl Program {
    fn of_this_process() -> Option<Program> {
        // SAFETY: reads what the system handed over.
        let told = |what| unsafe { libc::getauxval(what) };
        let (first, count) = (told(libc::AT_PHDR), told(libc::AT_PHNUM));
        if first == 0 || told(libc::AT_PHENT) != size_of::<libc::Elf64_Phdr>() as u64 {
            return None;
        }
        // SAFETY: the system's word for where the program's headers are, which stay.
        let headers = unsafe {
            core::slice::from_raw_parts(first as *const libc::Elf64_Phdr, count as usize)
        };
        let own = headers.iter().find(|header| header.p_type == libc::PT_PHDR);
        let base = own.map_or(0, |own| first.wrapping_sub(own.p_vaddr));
        Some(Program { headers, base, entry: told(libc::AT_ENTRY) })
    }

    /// The code at an address of the file, if there is code.
    fn code(&self, address: u64) -> Option<*mut c_void> {
        let is_here = |segment: &libc::Elf64_Phdr| {
            segment.p_type == libc::PT_LOAD
                && segment.p_flags & libc::PF_X != 0
                && address.wrapping_sub(segment.p_vaddr) < segment.p_filesz
        };
        let place = self.base.wrapping_add(address) as *mut c_void;
        self.headers.iter().any(is_here).then_some(place)
    }
}

impl Open {
    /// What `look` finds first among the plain records in these bytes of the file.
    fn records<T: Copy, R>(
        &self,
        from: u64,
        bytes: u64,
        mut look: impl FnMut(&T) -> Option<R>,
    ) -> Option<R> {
        let mut at = 0;
        while at < bytes {
            let mut block = [const { core::mem::MaybeUninit::<T>::zeroed() }; RECORDS];
            let wanted = (size_of_val(&block) as u64).min(bytes - at) as usize;
            // SAFETY: the block's own bytes.
            let room =
                unsafe { core::slice::from_raw_parts_mut(block.as_mut_ptr().cast::<u8>(), wanted) };
            let count = self.read(from.wrapping_add(at), room) / size_of::<T>();
            if count == 0 {
                return None;
            }
            // SAFETY: plain numbers, which were read.
            let read = unsafe { core::slice::from_raw_parts(block.as_ptr().cast::<T>(), count) };
            if let Some(found) = read.iter().find_map(&mut look) {
                return Some(found);
            }
            at += (count * size_of::<T>()) as u64;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[unsafe(no_mangle)]
    extern "C" fn omphalos_function_of_a_test() {}

    #[test]
    fn a_function_that_no_other_file_sees() {
        let here = omphalos_function_of_a_test as *const () as *mut c_void;
        assert_eq!(function(c"omphalos_function_of_a_test"), Some(here));
        for other in [c"function_of_a_test", c"omphalos_no_such_name", c"getpid"] {
            assert_eq!(function(other), None, "{other:?}");
        }
    }

    /// A name is found wherever it stands to the pieces in which the file is read.
    #[test]
    fn a_name_across_two_pieces() {
        let path = std::env::temp_dir().join(format!("omphalos-names-{}", std::process::id()));
        let text = c"ompt_tool";
        for place in [0, 1, NAMES - 10, NAMES - 9, NAMES - 5, NAMES - 1, NAMES, 3 * NAMES - 4] {
            let mut names = vec![b'x'; 3 * NAMES + 8];
            names[place..place + 10].copy_from_slice(text.to_bytes_with_nul());
            std::fs::write(&path, &names).unwrap();
            let name = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
            let file = Open::new(&name).unwrap();
            let found = |bytes| place_of(&file, 0, bytes, text);
            assert_eq!(found(names.len() as u64), Some(place as u64));
            assert_eq!(found(u64::MAX), Some(place as u64), "a file that is too short");
            assert_eq!(found(place as u64 + 9), None);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
