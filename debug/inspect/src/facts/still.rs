//! Finds threads that are in no known wait and yet do not go on: their tracer has stopped them, or
//! they are in a loop that changes nothing.

use std::hash::{DefaultHasher, Hash, Hasher};

use omphalos_ompd_view::Registers;
use omphalos_ompd_view::snapshot::{Thread, Wait};
use omphalos_program::Owner;

use crate::names::Named;
use crate::space::Space;
use crate::unwind::{SAVED, Unwinder};

/// The part of the stack that [`print()`] hashes: `BYTES` bytes, of which `BELOW` are below the
/// stack's top, where functions may use them. The others have the innermost functions' variables.
const BELOW: u64 = 128;
const BYTES: usize = 1024;

/// Fills in the known facts about such a thread.
pub fn fill(space: &dyn Space, registers: &Registers, thread: &mut Thread) {
    if thread.os.as_ref().is_some_and(|os| os.state == "t") {
        let what =
            space.tracer(thread.lwp).map(|who| format!("{who}, which traces it, to let it go on"));
        thread.waits = what.map(|what| Wait::Unknown { what });
        return;
    }
    thread.print = print(space, thread.lwp, registers).unwrap_or(0);
}

/// Returns a hash of a running thread's registers and stack. It is the same at two looks if the
/// thread changes nothing.
pub fn print(space: &dyn Space, lwp: u32, registers: &Registers) -> Option<u64> {
    let mut stack = [0; BYTES];
    let from = registers.rsp.wrapping_sub(BELOW);
    // A thread that has less stack than this has hardly begun.
    space.read(from, &mut stack).ok()?;
    let mut all = DefaultHasher::new();
    (space.print(lwp)?, stack).hash(&mut all);
    Some(all.finish())
}

/// Returns a hash of the state of the program's innermost function. It is the same at two looks if
/// the function does not go on.
pub fn caller(
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    named: &Named<'_>,
    registers: &Registers,
) -> u64 {
    let mut found = 0;
    unwinder.walk_with(registers, |raw, all| {
        if named.names().owner(raw.lookup) != Owner::User {
            return true;
        }
        let saved: Vec<Option<u64>> = SAVED.iter().map(|number| all[*number]).collect();
        let from = raw.cfa.saturating_sub(BYTES as u64);
        let mut frame = vec![0; BYTES];
        let own = all[RSP].map_or(0, |rsp| rsp.saturating_sub(from).min(BYTES as u64));
        if space.read(from, &mut frame).is_ok() {
            let mut all = DefaultHasher::new();
            (raw.address, raw.cfa, saved, &frame[own as usize..]).hash(&mut all);
            found = all.finish().max(1);
        }
        false
    });
    found
}

/// The number of the stack pointer in DWARF.
const RSP: usize = 7;
