//! Who frees host memory: a trap stands in place of the first instruction of the C library's
//! `free`, from when something is mapped on.
//!
//! A thread that comes there executes that instruction alone, while the trap is away; what another
//! thread frees in that moment is not seen.

use libc::{pid_t, user_regs_struct};

use super::process::Process;
use super::tracee::{How, Memory, resume, set_registers};
use super::{Doing, Trace};
use crate::ranges::Ranges;

const TRAP: u8 = 0xcc;
/// After so many the trap stays away.
const MOST: u32 = 100_000;
/// Flags in the low bits of a block's size, ahead of the block.
const FLAGS: u64 = 7;

/// The trap of one process.
pub struct Frees {
    pub at: u64,
    /// What stands there else.
    byte: u8,
    left: u32,
}

impl Process {
    /// From now on something is mapped.
    pub fn watch_free(&mut self) {
        if !self.looked_for_free {
            self.looked_for_free = true;
            let at = self.names.of_library("free");
            let byte = |at: u64| self.memory.some(at, 1).first().copied();
            self.frees = at.and_then(|at| Some(Frees { at, byte: byte(at)?, left: MOST }));
        }
        if let Some(frees) = self.frees.as_ref().filter(|it| it.left > 0) {
            self.memory.write(frees.at, TRAP);
        }
    }

    /// A child that uses this process's memory has opened all of it, and is not watched.
    pub fn opened_by_child(&mut self) {
        self.pages.closed = Ranges::default();
        if let Some(frees) = &self.frees {
            self.memory.write(frees.at, frees.byte);
        }
    }
}

impl Trace<'_> {
    /// Whether a thread stopped at the trap, and what it does then.
    pub(super) fn frees(&mut self, thread: pid_t, registers: &user_regs_struct) -> bool {
        let at = registers.rip - 1;
        // A child has its parent's memory, or a copy.
        let known =
            self.processes.values().find_map(|it| it.frees.as_ref().filter(|it| it.at == at));
        let Some(byte) = known.map(|it| it.byte) else { return false };
        let Some(known) = self.threads.get_mut(&thread) else { return false };
        let Some(process) = self.processes.get_mut(&known.process) else { return false };
        let registers = user_regs_struct { rip: at, ..*registers };
        let by_runtime = matches!(known.doing.last(), Some(Doing::Runtime(_)));
        if let Some(frees) = &mut process.frees {
            frees.left = frees.left.saturating_sub(1);
            known.frees = frees.left > 0 && process.model.keeps_account();
            if !by_runtime {
                let (start, end) = block(registers.rdi, &process.memory);
                for problem in process.model.host_frees(start, end) {
                    let memory = process.memory.clone();
                    let place = process.names.programs_own(&registers, &memory);
                    let place = place.map(|at| process.names.place(at));
                    process.say(problem, place, self.found);
                }
            }
        }
        process.memory.write(at, byte);
        known.steps = true;
        set_registers(thread, &registers);
        resume(thread, How::OneInstruction, 0);
        true
    }
}

/// The block of the C library's that a pointer is for.
fn block(start: u64, memory: &Memory) -> (u64, u64) {
    let size = memory.word(start.wrapping_sub(8)).unwrap_or(0) & !FLAGS;
    let size = if (32..1 << 46).contains(&size) { size - 8 } else { 0 };
    (start, start.saturating_add(size))
}
