//! Finds the line of the program's own sources for an access.

use libc::user_regs_struct;
use omphalos_inspect::Unwinder;
use omphalos_program::{NamedFunction, Owner};

use super::{Namer, place};
use crate::finding::Place;
use crate::trace::tracee::{Memory, for_unwinder};

/// The number of frames that are searched.
const FRAMES: usize = 64;

/// Folders of the system's sources, which belong to no program: the headers of C++ and of
/// libraries.
const SYSTEMS: [&str; 2] = ["/usr/include/", "/usr/lib/"];

impl Namer {
    /// Returns the place in the program for the instruction at `at`. The reader of a finding needs
    /// a line of their own source. So for code in a library without lines, or in a header of the
    /// system's, it is the line that calls that code.
    pub fn place_of_use(
        &mut self,
        at: u64,
        registers: &user_regs_struct,
        memory: &Memory,
    ) -> Place {
        let inner = self.place(at);
        if is_programs(inner.file.as_deref(), inner.line) {
            return inner;
        }
        let Some(names) = self.names.as_ref() else { return inner };
        let (mut found, mut count) = (None, 0);
        Unwinder::new(memory, &self.modules).walk_with(&for_unwinder(registers), |raw, _| {
            count += 1;
            let functions = match names.owner(raw.lookup) {
                Owner::System => Vec::new(),
                Owner::User => names.functions(raw.lookup),
                Owner::Runtime | Owner::Tool => return false,
            };
            let is_own = |it: &NamedFunction| is_programs(it.file.as_deref(), it.line);
            found = functions.into_iter().find(is_own);
            found.is_none() && count < FRAMES
        });
        let Some(found) = found else { return inner };
        let own = place(found.file.as_deref(), found.line, &found.name);
        Place { text: format!("{}, by {}", own.text, inner.function), ..own }
    }
}

fn is_programs(file: Option<&str>, line: u32) -> bool {
    line > 0 && file.is_some_and(|file| !SYSTEMS.iter().any(|folder| file.starts_with(folder)))
}
