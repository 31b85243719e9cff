//! A function of the program's that no other file sees, found by the symbol table of the program's
//! file, if `strip` left one. Async-signal-safe: system calls alone, no lock, no memory.
//!
//! The cost for a program without such a function: two readings of the file, of its header and its
//! sections, and a look through the names of its symbols, as fast as memory is read. The symbols
//! themselves are read only if one of the names is the one that is asked for.

use crate::mapped_file::{FUNCTION, Open, SYMBOLS};
use crate::texts;
use core::ffi::{CStr, c_void};
use core::mem::size_of;

/// Sections and symbols that are read at once.
const RECORDS: usize = 48;

/// Returns the program's function of this name, unless it is a `static` one. `None` also if the
/// file was stripped, and if the program is not the file that the system executed: the loader was
/// told to run it.
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
    let names = file.view(names.sh_offset, names.sh_size)?;
    let mut from = 0;
    loop {
        let place = from + texts::find(&names.bytes()[from..], name.to_bytes_with_nul())?;
        let is_it = |symbol: &libc::Elf64_Sym| {
            let is_function = symbol.st_info & 0xf == FUNCTION && symbol.st_info >> 4 != LOCAL;
            (symbol.st_name as usize == place && symbol.st_shndx != 0 && is_function)
                .then_some(symbol.st_value)
        };
        if let Some(address) = file.records(symbols.sh_offset, symbols.sh_size, is_it) {
            return program.code(address);
        }
        // This place is the end of a longer name.
        from = place + 1;
    }
}

/// `STB_LOCAL`.
const LOCAL: u8 = 0;

/// The program in memory, by the words that the system gave the process at its start.
struct Program {
    headers: &'static [libc::Elf64_Phdr],
    /// The difference between an address in memory and the same one in the file.
    base: u64,
    entry: u64,
}

impl Program {
    fn of_this_process() -> Option<Program> {
        // SAFETY: reads a word that the system handed over.
        let told = |what| unsafe { libc::getauxval(what) };
        let (first, count) = (told(libc::AT_PHDR), told(libc::AT_PHNUM));
        if first == 0 || told(libc::AT_PHENT) != size_of::<libc::Elf64_Phdr>() as u64 {
            return None;
        }
        // SAFETY: the system says where the program's headers are, and they stay there.
        let headers = unsafe {
            core::slice::from_raw_parts(first as *const libc::Elf64_Phdr, count as usize)
        };
        let own = headers.iter().find(|header| header.p_type == libc::PT_PHDR);
        let base = own.map_or(0, |own| first.wrapping_sub(own.p_vaddr));
        Some(Program { headers, base, entry: told(libc::AT_ENTRY) })
    }

    /// Returns the code at an address of the file, if there is code.
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
    /// Returns the first result of `look` among the plain records in these bytes of the file.
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

    /// A name is found wherever it stands in the blocks in which names are looked at, and only
    /// inside the file.
    #[test]
    fn a_name_anywhere_in_a_file() {
        let path = std::env::temp_dir().join(format!("omphalos-names-{}", std::process::id()));
        let name = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
        let text = c"ompt_tool".to_bytes_with_nul();
        for from in [0, 1, 4095, 5000] {
            for place in (0..80).chain(120..150) {
                let mut names = vec![b'l'; from + 210];
                names[from + place..][..text.len()].copy_from_slice(text);
                // The same end at other places.
                names[from + 208..].copy_from_slice(b"l\0");
                std::fs::write(&path, &names).unwrap();
                let file = Open::new(&name).unwrap();
                let found =
                    |bytes| texts::find(file.view(from as u64, bytes).unwrap().bytes(), text);
                assert_eq!(found(210), Some(place), "from {from}");
                assert_eq!(found(place as u64 + 9), None, "from {from}");
                assert!(file.view(from as u64, 211).is_none(), "a file that is too short");
            }
        }
        let file = Open::new(&name).unwrap();
        assert!(file.view(u64::MAX, 2).is_none() && file.view(0, 0).is_none());
        std::fs::remove_file(&path).unwrap();
    }
}
