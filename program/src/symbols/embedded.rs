//! Opens code for devices. LLVM's compilers put it into the program's file: whole object files in
//! its data. The process copies such an object file into memory and loads it from a descriptor,
//! whose name leads nowhere when the report is made. `Symbols` calls this module for such a name.

use std::os::unix::ffi::OsStrExt;

use memmap2::MmapOptions;
use object::{Object, ObjectSegment};

use super::ModuleInfo;
use super::debug_file;
use super::image::Image;

/// Whether a module was loaded from memory: its path is one of the process's own descriptors.
pub(super) fn is_in_memory(module: &ModuleInfo) -> bool {
    let path = module.path.as_os_str().as_bytes();
    let slashes = path.iter().take_while(|byte| **byte == b'/').count();
    slashes > 0 && path[slashes..].starts_with(b"proc/self/fd/")
}

/// Opens such a module, from the program or library that contains it.
pub(super) fn open(module: &ModuleInfo, all: &[ModuleInfo]) -> Option<Image> {
    all.iter().filter(|other| other.path.is_absolute() && !is_in_memory(other)).find_map(|other| {
        let whole = debug_file::map(&other.path)?;
        let (at, size) = inside(&whole, module.end.checked_sub(module.base)?)?;
        let file = std::fs::File::open(&other.path).ok()?;
        // SAFETY: as in `debug_file::map`.
        let part = unsafe { MmapOptions::new().offset(at).len(size).map(&file) }.ok()?;
        Image::of(part, &other.path, &module.build_id).ok()
    })
}

/// Finds an object file inside another file: the first one that takes `span` bytes of memory when
/// it is loaded. Returns where it begins, and its size.
fn inside(file: &[u8], span: u64) -> Option<(u64, usize)> {
    const MAGIC: &[u8] = b"\x7fELF\x02\x01\x01";
    /// The most candidates that are checked.
    const MOST: usize = 64;
    let starts = places_of(file, MAGIC).filter(|at| *at > 0).take(MOST);
    let mut fitting = starts.filter_map(|at| {
        let rest = file.get(at..)?;
        let size = size_of(rest)?;
        let elf = object::File::parse(rest.get(..size)?).ok()?;
        (span_of(&elf) == span).then_some((at as u64, size))
    });
    fitting.next()
}

fn places_of<'a>(file: &'a [u8], magic: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    file.windows(magic.len()).enumerate().filter(move |(_, at)| *at == magic).map(|(at, _)| at)
}

/// The size of an object file: its table of sections is at its end.
fn size_of(file: &[u8]) -> Option<usize> {
    let word = |at: usize| Some(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?));
    let half = |at: usize| Some(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?));
    let (table, each, count) = (word(0x28)?, half(0x3a)?, half(0x3c)?);
    let size = table.checked_add(u64::from(each) * u64::from(count))?;
    usize::try_from(size).ok().filter(|size| table > 0 && *size <= file.len())
}

/// Returns the bytes of memory from the page of the first segment to the end of the last one. The
/// agent records the same range.
fn span_of(elf: &object::File<'_>) -> u64 {
    const PAGE: u64 = 4096;
    let ends = elf.segments().map(|segment| segment.address().saturating_add(segment.size()));
    let starts = elf.segments().map(|segment| segment.address());
    ends.max().unwrap_or(0).saturating_sub(starts.min().unwrap_or(0) & !(PAGE - 1))
}
