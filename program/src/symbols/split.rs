//! Reads debug information that the compiler left beside its object files (`-gsplit-dwarf`): a
//! `.dwo` file for each unit, or all of them in a package, the module's `.dwp`. The module itself
//! has the lines, and says where the rest is.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use addr2line::{LookupContinuation, LookupResult, SplitDwarfLoad};

use super::debug_file::{self, Section};
use super::room::Room;

type Package = gimli::DwarfPackage<Section>;

/// Finds the units of one module.
pub(super) struct Split {
    module: PathBuf,
    package: OnceCell<Option<Package>>,
    /// The room for all of the units' own files.
    room: Room,
}

impl Split {
    /// Makes it for the module at `path`.
    pub(super) fn of(path: &Path) -> Split {
        Split { module: path.to_owned(), package: OnceCell::new(), room: Room::of(0) }
    }

    /// The result of a look-up, with all units that it needs and that exist.
    pub(super) fn complete<L>(&self, mut lookup: LookupResult<L>) -> L::Output
    where
        L: LookupContinuation<Buf = Section>,
    {
        loop {
            lookup = match lookup {
                LookupResult::Output(found) => return found,
                LookupResult::Load { load, continuation } => continuation.resume(self.load(&load)),
            };
        }
    }

    fn load(&self, wanted: &SplitDwarfLoad<Section>) -> Option<Arc<gimli::Dwarf<Section>>> {
        let found = self.own_file(wanted).or_else(|| {
            let package = self.package.get_or_init(|| self.open_package()).as_ref()?;
            package.find_cu(wanted.dwo_id, &wanted.parent).ok()?
        });
        // Only the look-ups share it.
        #[allow(clippy::arc_with_non_send_sync)]
        found.map(Arc::new)
    }

    /// The unit's own file, if it is of that build: at the compiler's place, or beside the module.
    fn own_file(&self, wanted: &SplitDwarfLoad<Section>) -> Option<gimli::Dwarf<Section>> {
        let path = |bytes: &Section| Path::new(OsStr::from_bytes(bytes)).to_owned();
        let name = path(wanted.path.as_ref()?);
        let written = match &wanted.comp_dir {
            Some(folder) => path(folder).join(&name),
            None => name.clone(),
        };
        let beside = self.module.parent().zip(name.file_name()).map(|(at, name)| at.join(name));
        [Some(written), beside].into_iter().flatten().find_map(|path| {
            let map = debug_file::map(&path)?;
            let elf = object::File::parse(&*map).ok()?;
            self.room.grow(map.len());
            let section = |id: gimli::SectionId| of_unit(&elf, id, &self.room);
            let mut dwarf = gimli::Dwarf::load(section).ok()?;
            dwarf.make_dwo(&wanted.parent);
            let header = dwarf.units().next().ok()??;
            let id = dwarf.unit(header).ok()?.dwo_id;
            (id == Some(wanted.dwo_id)).then_some(dwarf)
        })
    }

    fn open_package(&self) -> Option<Package> {
        let mut path = self.module.clone().into_os_string();
        path.push(".dwp");
        let map = debug_file::map(Path::new(&path))?;
        let elf = object::File::parse(&*map).ok()?;
        let empty = Section::new(Rc::from([]), gimli::RunTimeEndian::Little);
        let room = Room::of(map.len());
        Package::load(|id| of_unit(&elf, id, &room), empty).ok()
    }
}

/// A section of a `.dwo` or `.dwp` file; empty for a section that such files lack.
fn of_unit(
    elf: &object::File<'_>,
    id: gimli::SectionId,
    room: &Room,
) -> Result<Section, gimli::Error> {
    Ok(debug_file::section_named(elf, id.dwo_name().unwrap_or_default(), room))
}
