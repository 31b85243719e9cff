//! `declare target` variables, as GCC's compilers list them.
//!
//! The code for devices would come with a table of its own, but a compiler without one still puts
//! the host's into each file: the section `.gnu.offload_vars`, pairs of address and size. The
//! size's highest bit says `link`: such a variable is there only while it is mapped, as any other.

use super::{drivers, watch};
use core::sync::atomic::{AtomicU64, Ordering};
use omphalos_mapping::{Section, Table};
use omphalos_sys::sections;

const SECTION: &[u8] = b".gnu.offload_vars";
const LINK: usize = 1 << (usize::BITS - 1);

/// The variables as they were found last.
#[derive(Default)]
pub(super) struct Known {
    variables: Vec<Section>,
    /// How often they were found.
    version: u64,
}

/// The loader's count of files for which the variables are known, and 1.
static SEEN: AtomicU64 = AtomicU64::new(0);

/// The variables of all files, if files came or went. Not under a lock: it reads files.
pub(super) fn look() -> Option<Vec<Section>> {
    let now = sections::generation().wrapping_add(1);
    if SEEN.swap(now, Ordering::Relaxed) == now {
        return None;
    }
    let mut variables = Vec::new();
    for (address, bytes) in sections::loaded(SECTION) {
        let pairs = bytes / size_of::<(usize, usize)>();
        for pair in 0..pairs {
            // SAFETY: a section of a loaded file, which is aligned to 8 and has so many bytes.
            let (start, size) = unsafe { *(address as *const [usize; 2]).add(pair) }.into();
            if size & LINK == 0 && start != 0 {
                variables.push(Section::new(start, size));
            } else if start != 0 {
                watch::linked(start, size & !LINK);
            }
        }
    }
    Some(variables)
}

impl Known {
    pub(super) const fn new() -> Known {
        Known { variables: Vec::new(), version: 0 }
    }

    /// They are these now.
    pub(super) fn update(&mut self, found: Option<Vec<Section>>) {
        if let Some(found) = found {
            self.variables = found;
            self.version += 1;
        }
    }

    /// Lets a table know of them. `before`: what it knows.
    pub(super) fn declare(&self, before: &mut Known, table: &mut Table) {
        if before.version == self.version {
            return;
        }
        for gone in before.variables.iter().filter(|known| !self.variables.contains(known)) {
            table.withdraw(*gone);
        }
        for variable in &self.variables {
            table.declare(*variable, variable.start);
        }
        before.variables.clone_from(&self.variables);
        before.version = self.version;
    }
}

/// What a table knows of the variables that a driver brought.
#[derive(Default)]
pub(super) struct Brought {
    variables: Vec<Section>,
    version: u64,
}

impl Brought {
    /// Lets the table know of those that are there now.
    pub(super) fn follow(&mut self, now: &drivers::Variables, table: &mut Table) {
        if now.version <= self.version {
            return;
        }
        let is_there = |gone: &Section| now.list.iter().any(|(section, _)| section == gone);
        for gone in self.variables.iter().filter(|gone| !is_there(gone)) {
            table.withdraw(*gone);
        }
        for (section, at) in &now.list {
            table.declare(*section, *at);
        }
        self.variables = now.list.iter().map(|(section, _)| *section).collect();
        self.version = now.version;
    }
}
