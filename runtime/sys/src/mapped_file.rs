//! Finds the name of an address of the program's code, by the kernel's list of mapped files and the
//! symbols of the file. Async-signal-safe: system calls alone, no lock, no memory.

use crate::memory::PAGE;
use core::ffi::{CStr, c_int};
use core::mem::size_of;

const PATH_BYTES: usize = 512;
/// The longest line of the kernel's list: numbers, and a path.
const LINE_BYTES: usize = PATH_BYTES + 128;
const SYMBOLS_AT_ONCE: usize = 32;

/// Room for the contents of files. Zeros will do.
pub struct Memory {
    line: [u8; LINE_BYTES],
    path: [u8; PATH_BYTES],
    function: [u8; 128],
}

/// A place in a file's code.
pub struct Found<'a> {
    /// The file's path.
    pub path: &'a str,
    /// The address as the file counts, in the form that `addr2line` takes.
    pub address: usize,
    /// The function's name as the linker knows it; empty if there is none.
    pub function: &'a str,
}

/// A file that is open.
pub(crate) struct Open(c_int);

impl Open {
    pub(crate) fn new(path: &CStr) -> Option<Open> {
        // SAFETY: the path ends with a zero.
        let file = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        (file >= 0).then_some(Open(file))
    }

    /// Reads bytes from `at` on. Returns how many came.
    #[cold]
    pub(crate) fn read(&self, at: u64, into: &mut [u8]) -> usize {
        // SAFETY: valid for writes of its length.
        let got =
            unsafe { libc::pread(self.0, into.as_mut_ptr().cast(), into.len(), at as libc::off_t) };
        usize::try_from(got).unwrap_or(0)
    }

    /// Reads a plain record.
    pub(crate) fn record<T: Copy>(&self, at: u64) -> Option<T> {
        let mut record = core::mem::MaybeUninit::<T>::uninit();
        // SAFETY: room for the record, whose fields are plain numbers.
        unsafe {
            let room = core::slice::from_raw_parts_mut(record.as_mut_ptr().cast(), size_of::<T>());
            (self.read(at, room) == size_of::<T>()).then(|| record.assume_init())
        }
    }

    /// Shows these bytes of the file without a copy; `None` if the file does not have them all, or
    /// none are asked for.
    #[cold]
    pub(crate) fn view(&self, at: u64, length: u64) -> Option<View> {
        let mut status = core::mem::MaybeUninit::<libc::stat>::uninit();
        // SAFETY: room for the answer, which is there if the call says so.
        let file = unsafe {
            (libc::fstat(self.0, status.as_mut_ptr()) == 0).then(|| status.assume_init())
        }?;
        at.checked_add(length).filter(|&end| length != 0 && end <= file.st_size as u64)?;
        let skipped = at as usize % PAGE;
        let mapped = skipped + length as usize;
        // SAFETY: new pages, where the kernel likes.
        let first = unsafe {
            let (rights, kind) = (libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_POPULATE);
            let from = (at - skipped as u64) as libc::off_t;
            libc::mmap(core::ptr::null_mut(), mapped, rights, kind, self.0, from)
        };
        (first != libc::MAP_FAILED).then_some(View { first: first.cast(), mapped, skipped })
    }
}

/// Bytes of a file. No process shortens the file meanwhile: it is one that the system executes.
pub(crate) struct View {
    first: *const u8,
    mapped: usize,
    skipped: usize,
}

impl View {
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: mapped as long as this lives.
        unsafe {
            core::slice::from_raw_parts(self.first.add(self.skipped), self.mapped - self.skipped)
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: no code has the slice that `bytes` gave any more.
        unsafe { libc::munmap(self.first.cast_mut().cast(), self.mapped) };
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // SAFETY: it is open.
        unsafe { libc::close(self.0) };
    }
}

impl Memory {
    /// Returns the file that an address of this process comes from, and the place in it.
    #[cold]
    pub fn find(&mut self, address: usize) -> Option<Found<'_>> {
        let base = self.mapped(address)?;
        let path = CStr::from_bytes_until_nul(&self.path).ok()?;
        let mut length = 0;
        let mut within = address - base;
        if let Some(file) = Open::new(path) {
            let header: Option<libc::Elf64_Ehdr> = file.record(0);
            if let Some(header) = header.filter(|it| it.e_ident[..4] == *b"\x7fELF") {
                if header.e_type == libc::ET_EXEC {
                    within = address;
                }
                length = symbol(&file, &header, within, &mut self.function).unwrap_or(0);
            }
        }
        let function = core::str::from_utf8(&self.function[..length]).unwrap_or("");
        Some(Found { path: path.to_str().ok()?, address: within, function })
    }

    /// Returns the begin of the file that is mapped at an address. Writes its path to `path`.
    #[cold]
    fn mapped(&mut self, address: usize) -> Option<usize> {
        let list = Open::new(c"/proc/self/maps")?;
        let (mut base, mut length) = (0, 0);
        loop {
            // SAFETY: valid for writes of its length.
            let got = unsafe {
                let rest = &mut self.line[length..];
                libc::read(list.0, rest.as_mut_ptr().cast(), rest.len())
            };
            length += usize::try_from(got).ok().filter(|&got| got != 0)?;
            let mut done = 0;
            while let Some(end) = self.line[done..length].iter().position(|&byte| byte == b'\n') {
                let line = &self.line[done..done + end];
                done += end + 1;
                let Some(mapping) = Mapping::of(line) else { continue };
                if mapping.offset == 0 {
                    base = mapping.start;
                }
                if (mapping.start..mapping.end).contains(&address) {
                    let path = mapping.path;
                    self.path.get_mut(..path.len())?.copy_from_slice(path);
                    *self.path.get_mut(path.len())? = 0;
                    return Some(base);
                }
            }
            self.line.copy_within(done..length, 0);
            length -= done;
            if length == LINE_BYTES {
                // A path that is too long.
                length = 0;
            }
        }
    }
}

/// A line of the kernel's list that names a file.
struct Mapping<'a> {
    start: usize,
    end: usize,
    offset: usize,
    path: &'a [u8],
}

impl Mapping<'_> {
    /// `start-end rights offset device inode path`, the first three numbers in base 16.
    #[cold]
    fn of(line: &[u8]) -> Option<Mapping<'_>> {
        let path = &line[line.iter().position(|&byte| byte == b'/')?..];
        let mut words = line.split(|byte| b" -".contains(byte)).map(number);
        let (start, end) = (words.next()?, words.next()?);
        let rights = line.iter().position(|&byte| byte == b' ')?;
        let offset = number(line.get(rights + RIGHTS_BYTES..)?);
        Some(Mapping { start, end, offset, path })
    }
}

/// The rights, with a space before them and one behind.
const RIGHTS_BYTES: usize = 6;

/// Returns the number that a text begins with, in base 16.
#[cold]
fn number(text: &[u8]) -> usize {
    let digits = text.iter().map_while(|&byte| char::from(byte).to_digit(16));
    digits.fold(0, |number, digit| number << 4 | digit as usize)
}

/// Writes the name of the function that an address is in. Returns its length.
#[cold]
fn symbol(
    file: &Open,
    header: &libc::Elf64_Ehdr,
    address: usize,
    name: &mut [u8],
) -> Option<usize> {
    let section = |index: u64| -> Option<libc::Elf64_Shdr> {
        file.record(header.e_shoff + index * u64::from(header.e_shentsize))
    };
    let kind = |kind: u32| {
        let mut all = (0..u64::from(header.e_shnum)).filter_map(section);
        all.find(|section| section.sh_type == kind)
    };
    let table = kind(SYMBOLS).or_else(|| kind(DYNAMIC_SYMBOLS))?;
    let names = section(u64::from(table.sh_link))?;
    type Block = [libc::Elf64_Sym; SYMBOLS_AT_ONCE];
    // SAFETY: plain numbers.
    let mut block: Block = unsafe { core::mem::zeroed() };
    for at in (0..table.sh_size).step_by(size_of::<Block>()) {
        let bytes = size_of::<Block>().min((table.sh_size - at) as usize);
        // SAFETY: the block's own bytes.
        let room =
            unsafe { core::slice::from_raw_parts_mut(block.as_mut_ptr().cast::<u8>(), bytes) };
        let count = file.read(table.sh_offset + at, room) / size_of::<libc::Elf64_Sym>();
        let is_it = |symbol: &&libc::Elf64_Sym| {
            symbol.st_info & 0xf == FUNCTION
                && (address as u64).wrapping_sub(symbol.st_value) < symbol.st_size
        };
        if let Some(symbol) = block[..count].iter().find(is_it) {
            let got = file.read(names.sh_offset + u64::from(symbol.st_name), name);
            return name[..got].iter().position(|&byte| byte == 0);
        }
    }
    None
}

/// `SHT_SYMTAB`, which `strip` takes away.
pub(crate) const SYMBOLS: u32 = 2;
/// `SHT_DYNSYM`.
const DYNAMIC_SYMBOLS: u32 = 11;
/// `STT_FUNC`.
pub(crate) const FUNCTION: u8 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_this_file_has_its_name() {
        // SAFETY: plain bytes.
        let mut memory: Memory = unsafe { core::mem::zeroed() };
        let here = symbol as *const () as usize;
        let found = memory.find(here + 1).unwrap();
        assert!(found.function.contains("mapped_file"), "{}", found.function);
        assert_eq!(found.path, std::env::current_exe().unwrap().to_str().unwrap());
        assert!(memory.find(16).is_none());
        // The file of the C library is mapped behind, with a base of its own.
        let other = memory.find(libc::getpid as *const () as usize).unwrap();
        assert!(other.path.contains("libc") && other.function.contains("getpid"));
    }
}
