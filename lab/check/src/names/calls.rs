//! Finds the call whose variable is at a place on a stack, and whether that call is running.

use libc::{pid_t, user_regs_struct};
use omphalos_inspect::Unwinder;

use super::Namer;
use crate::model::Call;
use crate::trace::tracee::{Memory, for_unwinder};

/// The number of frames that are read.
const MOST_FRAMES: usize = 256;

impl Namer {
    /// Finds the call whose variable is at an address of the thread's stack. It looks at the
    /// call that `code` returns to, and at those around it.
    pub fn call_around(
        &mut self,
        address: u64,
        thread: pid_t,
        registers: &user_regs_struct,
        code: u64,
        memory: &Memory,
    ) -> Option<Call> {
        let frames = self.frames(registers, code, memory);
        let own = frames.iter().find(|frame| address < frame.cfa)?;
        Some(Call { thread, frame: own.cfa, function: self.function(own.lookup)? })
    }

    /// Whether a call is running on the thread with these registers; false if that cannot be
    /// determined.
    pub fn is_under_way(
        &mut self,
        call: &Call,
        registers: &user_regs_struct,
        memory: &Memory,
    ) -> bool {
        self.refresh();
        let mut found = None;
        let mut count = 0;
        Unwinder::new(memory, &self.modules).walk_with(&for_unwinder(registers), |raw, _| {
            count += 1;
            if raw.cfa == call.frame {
                found = Some(raw.lookup);
            }
            raw.cfa < call.frame && count < MOST_FRAMES
        });
        found.and_then(|lookup| self.function(lookup)).is_some_and(|name| name == call.function)
    }

    /// Returns the outermost function at an address: the one that is not inlined.
    fn function(&mut self, lookup: u64) -> Option<String> {
        let functions = self.names_at(lookup)?.functions(lookup);
        functions.last().map(|function| function.name.clone())
    }
}
