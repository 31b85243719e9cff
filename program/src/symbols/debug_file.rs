//! Finds a module's debug information: in itself, beside it, or under `/usr/lib/debug`.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use memmap2::Mmap;
use object::Object;

use super::room::Room;

/// A file of program code, mapped.
pub(crate) fn map(path: &Path) -> Option<Mmap> {
    // The path may be anybody's: a pipe or a device is never opened.
    std::fs::metadata(path).ok().filter(|data| data.is_file())?;
    let file = File::open(path).ok()?;
    // SAFETY: private and read-only; as with every mapped input, truncation by another process
    // while it is read ends this program, which only reads.
    unsafe { Mmap::map(&file) }.ok()
}

/// Candidates for the separate debug file of the module at `path`, the likeliest first.
fn candidates(path: &Path, elf: &object::File<'_>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Ok(Some(id)) = elf.build_id() {
        found.extend(by_build_id(id));
    }
    if let Ok(Some((name, _crc))) = elf.gnu_debuglink()
        && let Some(folder) = path.parent()
    {
        let name = OsStr::from_bytes(name);
        found.push(folder.join(name));
        found.push(folder.join(".debug").join(name));
        if let Ok(inside) = folder.strip_prefix("/") {
            found.push(Path::new("/usr/lib/debug").join(inside).join(name));
        }
    }
    found
}

fn by_build_id(id: &[u8]) -> Option<PathBuf> {
    let (first, rest) = id.split_first()?;
    let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(PathBuf::from(format!("/usr/lib/debug/.build-id/{first:02x}/{rest}.debug")))
}

/// The separate debug file of a module, if one is there and belongs to it.
pub(crate) fn find(path: &Path, elf: &object::File<'_>) -> Option<Mmap> {
    let own_id = elf.build_id().ok().flatten();
    candidates(path, elf).into_iter().find_map(|candidate| {
        let map = map(&candidate)?;
        let debug = object::File::parse(&*map).ok()?;
        let id = debug.build_id().ok().flatten();
        let belongs = own_id.is_none() || id.is_none() || own_id == id;
        (belongs && debug.section_by_name(".debug_info").is_some()).then_some(map)
    })
}

/// The file that `.gnu_debugaltlink` names: parts of debug information that several files share.
pub(crate) fn find_supplementary(debug: &object::File<'_>) -> Option<Mmap> {
    let (_, id) = debug.gnu_debugaltlink().ok()??;
    map(&by_build_id(id)?)
}

/// The readers for all DWARF look-ups: sections are copied once, or decompressed.
pub(crate) type Section = gimli::EndianRcSlice<gimli::RunTimeEndian>;

/// A section's data; empty if there is none, or no room for it.
pub(super) fn section_named(elf: &object::File<'_>, name: &str, room: &Room) -> Section {
    let data = elf.section_by_name(name).and_then(|section| room.data(&section));
    let data = data.unwrap_or_default();
    let endian = if elf.is_little_endian() {
        gimli::RunTimeEndian::Little
    } else {
        gimli::RunTimeEndian::Big
    };
    Section::new(Rc::from(&*data), endian)
}

/// The line and function information of `debug`, if it has any.
pub(super) fn dwarf(debug: &object::File<'_>, room: &Room) -> Option<addr2line::Context<Section>> {
    debug.section_by_name(".debug_info")?;
    let load = |file: &object::File<'_>, room: &Room| {
        gimli::Dwarf::load(|id| Ok::<_, gimli::Error>(section_named(file, id.name(), room))).ok()
    };
    let mut dwarf = load(debug, room)?;
    if let Some(map) = find_supplementary(debug)
        && let Ok(supplementary) = object::File::parse(&*map)
        && let Some(supplementary) = load(&supplementary, &Room::of(map.len()))
    {
        dwarf.set_sup(supplementary);
    }
    addr2line::Context::from_dwarf(dwarf).ok()
}
