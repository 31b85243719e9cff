//! Sections of the loaded files, by name: data that a compiler leaves for a runtime without a
//! symbol.
//!
//! Only the file itself has the names of its sections. A file that is gone from where it was
//! loaded, or that has no table of sections, has none.

use crate::library;
use core::ffi::CStr;
use core::mem::size_of;
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;

/// Returns how often files were loaded and unloaded so far: while it is the same, so are the
/// sections.
///
/// This takes the linker's lock on its list of files. That lock is held while the list changes, but
/// not while a library's constructors run. So a constructor may wait for the calling thread.
pub fn generation() -> u64 {
    let mut generation = 0;
    library::each_file(|info| {
        generation = info.dlpi_adds.wrapping_add(info.dlpi_subs);
        true
    });
    generation
}

/// A loaded file: its path, where it was loaded, its code.
pub struct Loaded {
    path: Vec<u8>,
    base: usize,
    code: Option<libc::Elf64_Phdr>,
}

/// Returns the files that are loaded now. The caller is in the loader, as with [`generation`].
pub fn files() -> Vec<Loaded> {
    let mut files = Vec::new();
    library::each_file(|info| {
        // SAFETY: the linker's string, or null.
        let path = (!info.dlpi_name.is_null()).then(|| unsafe { CStr::from_ptr(info.dlpi_name) });
        let path = path.map_or(&b""[..], CStr::to_bytes);
        // The program itself comes first and has no name.
        let path = if files.is_empty() && path.is_empty() { b"/proc/self/exe" } else { path };
        let is_code = |header: &&libc::Elf64_Phdr| {
            header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0
        };
        let code = library::headers(info).iter().find(is_code).copied();
        files.push(Loaded { path: path.to_vec(), base: info.dlpi_addr as usize, code });
        false
    });
    files
}

/// Returns the sections of this name in memory: address and bytes of each, in the order in which
/// their files were loaded.
pub fn find(files: Vec<Loaded>, name: &[u8]) -> Vec<(usize, usize)> {
    files.into_iter().filter_map(|file| find_in(&file.path, file.base, name)).collect()
}

/// A loaded file's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The file.
    pub path: CString,
    /// The offset of the code in the file.
    pub offset: u64,
    /// The address that the file gives it.
    pub in_file: usize,
    /// How long it is.
    pub bytes: usize,
    /// The address at which it was loaded.
    pub at: usize,
}

/// Returns the code of each loaded file in which a section of this name is not empty.
pub fn code_beside(files: Vec<Loaded>, name: &[u8]) -> Vec<Code> {
    let of_file = |file: Loaded| {
        find_in(&file.path, file.base, name)?;
        let code = file.code?;
        let path = std::fs::canonicalize(OsStr::from_bytes(&file.path)).ok()?;
        Some(Code {
            path: CString::new(path.into_os_string().into_encoded_bytes()).ok()?,
            offset: code.p_offset,
            in_file: code.p_vaddr as usize,
            bytes: code.p_memsz as usize,
            at: file.base.wrapping_add(code.p_vaddr as usize),
        })
    };
    files.into_iter().filter_map(of_file).collect()
}

/// Returns the file that an address was loaded from, and the offset in it. The caller is in the
/// loader.
pub fn place_of(address: usize) -> Option<(CString, u64)> {
    let mut found = None;
    library::each_file(|info| {
        let at = address.wrapping_sub(info.dlpi_addr as usize) as u64;
        let headers = library::headers(info).iter();
        let is_in = |header: &&libc::Elf64_Phdr| {
            header.p_type == libc::PT_LOAD && at.wrapping_sub(header.p_vaddr) < header.p_filesz
        };
        found = headers.clone().find(is_in).map(|header| at - header.p_vaddr + header.p_offset);
        found.is_some()
    });
    let path = library::file_of(address as *const _)?;
    let path = std::fs::canonicalize(OsStr::from_bytes(path.to_bytes())).ok()?;
    Some((CString::new(path.into_os_string().into_encoded_bytes()).ok()?, found?))
}

fn find_in(path: &[u8], base: usize, name: &[u8]) -> Option<(usize, usize)> {
    if path.is_empty() {
        return None;
    }
    let file = File::open(OsStr::from_bytes(path)).ok()?;
    let header: libc::Elf64_Ehdr = read(&file, 0)?;
    if header.e_ident[..4] != *b"\x7fELF"
        || usize::from(header.e_shentsize) != size_of::<libc::Elf64_Shdr>()
    {
        return None;
    }
    let at = |index: u16| -> Option<libc::Elf64_Shdr> {
        read(&file, header.e_shoff.checked_add(u64::from(index) * u64::from(header.e_shentsize))?)
    };
    let names = at(header.e_shstrndx)?;
    let mut text = vec![0; usize::try_from(names.sh_size).ok().filter(|&size| size < 1 << 20)?];
    file.read_exact_at(&mut text, names.sh_offset).ok()?;
    (0..header.e_shnum).filter_map(at).find_map(|section| {
        let own = text.get(section.sh_name as usize..)?;
        let is_it = own.strip_prefix(name).is_some_and(|rest| rest.first() == Some(&0));
        (is_it && section.sh_addr != 0 && section.sh_size != 0)
            .then(|| (base.wrapping_add(section.sh_addr as usize), section.sh_size as usize))
    })
}

/// Returns a plain record of the file's.
fn read<T: Copy>(file: &File, offset: u64) -> Option<T> {
    let mut bytes = vec![0u8; size_of::<T>()];
    file.read_exact_at(&mut bytes, offset).ok()?;
    // SAFETY: the records read here are plain numbers; there are enough bytes.
    Some(unsafe { bytes.as_ptr().cast::<T>().read_unaligned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_own_sections_are_found() {
        let text = super::find(files(), b".text");
        let here = find_in as *const () as usize;
        assert!(text.iter().any(|&(address, bytes)| (address..address + bytes).contains(&here)));
        assert!(super::find(files(), b".no such section").is_empty());
        assert_eq!(generation(), generation());
        let code = code_beside(files(), b".text");
        assert!(code.iter().any(|code| (code.at..code.at + code.bytes).contains(&here)));
        let (path, offset) = place_of(here).unwrap();
        let own = code.iter().find(|code| code.path == path).unwrap();
        assert_eq!(offset - own.offset, (here - own.at) as u64);
    }
}
