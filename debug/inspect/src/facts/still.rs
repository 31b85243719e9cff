//! Threads that are in no known wait, and yet get nowhere: their tracer has stopped them, or they
//! are in a loop that changes nothing.

use std::hash::{DefaultHasher, Hash, Hasher};

use omphalos_ompd_view::Registers;
use omphalos_ompd_view::snapshot::{Thread, Wait};

use crate::space::Space;

/// How much of the stack belongs to the print: what functions may use below its top, and the
/// variables of the innermost functions above.
const BELOW: u64 = 128;
const BYTES: usize = 1024;

/// Says what is known of such a thread.
pub fn fill(space: &dyn Space, registers: &Registers, thread: &mut Thread) {
    if thread.os.as_ref().is_some_and(|os| os.state == "t") {
        let what =
            space.tracer(thread.lwp).map(|who| format!("{who}, which traces it, to let it go on"));
        thread.waits = what.map(|what| Wait::Unknown { what });
        return;
    }
    thread.print = print(space, thread.lwp, registers).unwrap_or(0);
}

/// A print of what a running thread has: the same while it changes nothing.
pub fn print(space: &dyn Space, lwp: u32, registers: &Registers) -> Option<u64> {
    let mut stack = [0; BYTES];
    let from = registers.rsp.wrapping_sub(BELOW);
    // A thread that has less stack than this has hardly begun.
    space.read(from, &mut stack).ok()?;
    let mut all = DefaultHasher::new();
    (space.print(lwp)?, stack).hash(&mut all);
    Some(all.finish())
}
