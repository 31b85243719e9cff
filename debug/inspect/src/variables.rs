//! Finds the variables of a library in another process, by name, also those that it does not
//! export: through the symbol table of its file, or of the debug file that belongs to it. A
//! thread-local variable exists once for each thread.
//!
//! A runtime's `libompd.so` asks for these when `inspect` (`foreign`) or `conform` plays its
//! debugger. What must hold: the process's data (its lists, the counts in them) may be damaged, and
//! lead to reads of its memory only.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use object::{Object, ObjectSegment, ObjectSymbol, SymbolKind};
use omphalos_ompd_client::Subject;
use omphalos_ompd_view::{Fault, Registers, Target};

use crate::space::{Space, word};

/// The relocation that gives a library its number among those with thread-local variables.
const R_X86_64_DTPMOD64: u32 = 16;
/// The greatest number of a library: no process has so many, so a greater number is damaged.
const LIBRARIES_OF_A_PROCESS: u64 = 1 << 16;

/// The variables of one file.
#[derive(Default)]
pub struct Variables {
    /// The number to add to an address of the file.
    bias: u64,
    /// The address of each name in the file, or within a thread's block if it is thread-local
    /// (true).
    known: HashMap<String, (u64, bool)>,
    /// The address, in the file, of the library's number among those with thread-local variables.
    number_at: Option<u64>,
}

impl Variables {
    /// Reads the tables of the file that is mapped at `base`, for the names that are `wanted`.
    pub fn read(path: &Path, base: u64, wanted: impl Fn(&str) -> bool) -> Variables {
        let mut all = Variables::default();
        let Some(bytes) = map(path) else { return all };
        let Ok(file) = object::File::parse(&*bytes) else { return all };
        let lowest = file.segments().map(|segment| segment.address()).min().unwrap_or(0);
        all.bias = base.wrapping_sub(lowest & !0xfff);
        all.take(&file, &wanted);
        if let Some(beside) = debug_file(&file, path).and_then(|path| map(&path))
            && let Ok(file) = object::File::parse(&*beside)
        {
            all.take(&file, &wanted);
        }
        let mut numbers = file.dynamic_relocations().into_iter().flatten();
        all.number_at = numbers.find_map(|(at, relocation)| {
            let is_it = matches!(
                relocation.flags(),
                object::RelocationFlags::Elf { r_type, .. } if r_type.0 == R_X86_64_DTPMOD64
            );
            is_it.then_some(at)
        });
        all
    }

    fn take(&mut self, file: &object::File<'_>, wanted: &impl Fn(&str) -> bool) {
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            if !symbol.is_definition() && symbol.kind() != SymbolKind::Tls {
                continue;
            }
            if let Ok(name) = symbol.name()
                && wanted(name)
            {
                let is_own = symbol.kind() == SymbolKind::Tls;
                self.known.entry(name.to_owned()).or_insert((symbol.address(), is_own));
            }
        }
    }

    /// The address of the variable in the target.
    pub fn find(&self, space: &dyn Space, name: &str, lwp: Option<u32>) -> Result<u64, Fault> {
        let not = || Fault::Unknown(format!("symbol {name}"));
        let (address, is_own) = *self.known.get(name).ok_or_else(not)?;
        if !is_own {
            return Ok(self.bias.wrapping_add(address));
        }
        let target = space.as_target();
        let block = self.own_block(target, lwp.ok_or_else(not)?)?;
        Ok(block.wrapping_add(address))
    }

    /// The start of a thread's variables of this library. The thread's list of such blocks (glibc's
    /// `dtv`) is at the second word of its thread control block: two words for each library, with
    /// their count in the entry in front of the first.
    fn own_block(&self, target: &dyn Target, lwp: u32) -> Result<u64, Fault> {
        let not = || Fault::Unknown(format!("variables of thread {lwp}"));
        let number = word(target, self.bias.wrapping_add(self.number_at.ok_or_else(not)?))?;
        let list = word(target, target.registers(lwp)?.fs_base.wrapping_add(8))?;
        let count = word(target, list.wrapping_sub(16))?;
        if number == 0 || number > LIBRARIES_OF_A_PROCESS || number > count {
            return Err(not());
        }
        let block = word(target, list.wrapping_add(number * 16))?;
        // Blocks that no code of the thread has asked for do not exist yet.
        if block == 0 || block == u64::MAX { Err(not()) } else { Ok(block) }
    }
}

/// A target with the variables of its runtime.
pub struct Known<'a> {
    /// The target.
    pub space: &'a dyn Space,
    variables: &'a Variables,
}

impl<'a> Known<'a> {
    /// Makes one, for a debugger's side of OMPD.
    pub fn new(space: &'a dyn Space, variables: &'a Variables) -> Known<'a> {
        Known { space, variables }
    }
}

impl Target for Known<'_> {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        self.space.read(address, into)
    }

    fn symbol(&self, name: &str, library: Option<&str>) -> Result<u64, Fault> {
        self.space.symbol(name, library)
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        self.space.threads()
    }

    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        self.space.registers(lwp)
    }
}

impl Subject for Known<'_> {
    fn variable(&self, name: &str, lwp: Option<u32>) -> Result<u64, Fault> {
        self.variables.find(self.space, name, lwp)
    }
}

/// The debug file: found by build id, or beside the file.
fn debug_file(file: &object::File<'_>, path: &Path) -> Option<PathBuf> {
    if let Ok(Some(id)) = file.build_id()
        && id.len() > 2
    {
        let digits: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let (first, rest) = digits.split_at(2);
        for folder in ["/usr/lib/debug", "/usr/local/lib/debug"] {
            let place = PathBuf::from(format!("{folder}/.build-id/{first}/{rest}.debug"));
            if place.is_file() {
                return Some(place);
            }
        }
    }
    let (name, _) = file.gnu_debuglink().ok()??;
    let name = std::str::from_utf8(name).ok().filter(|name| !name.contains('/'))?;
    let folder = path.parent()?;
    [folder.join(".debug").join(name), folder.join(name)].into_iter().find(|place| place.is_file())
}

fn map(path: &Path) -> Option<Mmap> {
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|it| it.is_file()))?;
    // SAFETY: private and read-only. If another process shortens the file while it is read, this
    // program ends; it only reads.
    unsafe { Mmap::map(&file) }.ok()
}
