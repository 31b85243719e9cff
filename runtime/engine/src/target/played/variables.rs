//! Finds `declare target` variables, as GCC's compilers list them.
//!
//! A compiler that makes no code for devices still puts the host's table of these variables into
//! each file: the section `.gnu.offload_vars`, pairs of address and size. The size's highest bit
//! says `link`: a device has such a variable only while it is mapped, as any other variable.

use super::{STATE, drivers, watch};
use core::sync::atomic::{AtomicU64, Ordering};
use omphalos_mapping::{Section, Table};
use omphalos_sync::process_lock::{in_loader, loader_is_stuck};
use omphalos_sys::sections;

const SECTION: &[u8] = b".gnu.offload_vars";
const LINK: usize = 1 << (usize::BITS - 1);

/// The variables that a look found.
#[derive(Default)]
pub(super) struct Known {
    variables: Vec<Section>,
    /// The number of looks so far that found a change.
    version: u64,
}

/// The loader's count of changes to the process's files at the latest look, plus 1. Written under
/// the lock.
static SEEN: AtomicU64 = AtomicU64::new(0);
/// The version of the variables in [`STATE`]. Written under the lock.
static VERSION: AtomicU64 = AtomicU64::new(0);

/// Looks for the variables of all files, if files came or went. Returns whether they did. The
/// caller holds no lock, because this reads files. A forked child that cannot ask the loader keeps
/// its parent's variables.
pub(super) fn look() -> bool {
    let seen = SEEN.load(Ordering::Acquire);
    if seen != 0 && loader_is_stuck() {
        return false;
    }
    let now = in_loader(sections::generation) + 1;
    if seen == now {
        return false;
    }
    let found = find();
    STATE.with(|state| {
        // Another thread may have looked since.
        if SEEN.load(Ordering::Relaxed) < now {
            state.variables = Known { variables: found, version: state.variables.version + 1 };
            VERSION.store(state.variables.version, Ordering::Release);
            SEEN.store(now, Ordering::Release);
        }
    });
    true
}

fn find() -> Vec<Section> {
    let mut variables = Vec::new();
    for (address, bytes) in sections::find(in_loader(sections::files), SECTION) {
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
    variables
}

impl Known {
    pub(super) const fn new() -> Known {
        Known { variables: Vec::new(), version: 0 }
    }

    /// Puts the variables of the latest look into a table, in place of those of an earlier look.
    #[inline]
    pub(super) fn follow(&mut self, table: &mut Table) {
        if self.version != VERSION.load(Ordering::Acquire) {
            STATE.with(|state| self.change(&state.variables, table));
        }
    }

    #[cold]
    fn change(&mut self, now: &Known, table: &mut Table) {
        for gone in self.variables.iter().filter(|known| !now.variables.contains(known)) {
            table.withdraw(*gone);
        }
        for variable in &now.variables {
            table.declare(*variable, variable.start);
        }
        self.variables.clone_from(&now.variables);
        self.version = now.version;
    }
}

/// The variables of a driver, as a table knows them.
#[derive(Default)]
pub(super) struct Brought {
    variables: Vec<Section>,
    version: u64,
}

impl Brought {
    /// Puts the driver's present variables into the table, in place of its earlier ones.
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
