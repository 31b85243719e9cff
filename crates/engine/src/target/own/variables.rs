//! `declare target` variables, as GCC's compilers list them.
//!
//! The code for devices would come with a table of its own, but a compiler without one still puts
//! the host's into each file: the section `.gnu.offload_vars`, pairs of address and size. The
//! size's highest bit says `link`: such a variable is there only while it is mapped, as any other.

use core::sync::atomic::{AtomicU64, Ordering};
use omphalos_mapping::{Section, Table};
use omphalos_sys::sections;

const SECTION: &[u8] = b".gnu.offload_vars";
const LINK: usize = 1 << (usize::BITS - 1);

/// What the tables know of.
#[derive(Default)]
pub(super) struct Known {
    variables: Vec<Section>,
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
            }
        }
    }
    Some(variables)
}

impl Known {
    pub(super) const fn new() -> Known {
        Known { variables: Vec::new() }
    }

    pub(super) fn update(&mut self, found: Option<Vec<Section>>, tables: &mut [Table]) {
        let Some(found) = found else { return };
        for table in tables {
            for gone in self.variables.iter().filter(|known| !found.contains(known)) {
                table.withdraw(*gone);
            }
            for variable in &found {
                table.declare(*variable, variable.start);
            }
        }
        self.variables = found;
    }
}
