//! Executes an instruction on a copy of its operand, where the operand's page is closed.
//!
//! `omphalos check` closes pages to see their uses (`pages.rs`). A page that is opened for one
//! instruction would be open for all threads of the process. So the tracer makes a copy of the
//! operand elsewhere, moves the register with the base of the operand's address (`operand.rs`), and
//! lets the thread execute this one instruction.
//!
//! 1. [`Trace::steps_aside`] makes the copy and starts the thread. `accesses.rs` calls it at a
//!    fault, and opens the page instead if it says false.
//! 2. [`Trace::stepped_aside`] writes the copy back to the operand's place if the instruction
//!    writes there, and moves the register back. `stops.rs` calls it when the thread stops behind
//!    the instruction.
//! 3. [`Thread::gives_up_aside`] undoes step 1. `accesses.rs` calls it if the instruction faults
//!    all the same.
//!
//! The copy is below the thread's stack, where the kernel would put a handler's frame: at least one
//! page below the stack pointer, so the red zone stays as it is.
//!
//! What must hold: the thread is stopped whenever this code reads or sets its registers. The copy
//! touches no closed page.

use libc::{pid_t, user_regs_struct};

use super::process::Process;
use super::tracee::{How, registers, resume, set_registers};
use super::{Thread, Trace};
use crate::operand::{self, Operand};
use crate::ranges::{PAGE, Ranges};

/// The greatest distance from the stack pointer down to the copy, in pages.
const PAGES_BELOW_STACK: u64 = 4;

/// The instruction that a thread executes on a copy.
#[derive(Clone, Copy)]
pub struct Aside {
    /// The operand that it would use without the copy.
    operand: Operand,
    /// The start of the copy.
    copy: u64,
}

impl Aside {
    /// The distance from the operand to the copy; it wraps.
    fn distance(&self) -> u64 {
        self.copy.wrapping_sub(self.operand.start)
    }
}

impl Process {
    /// Copies an instruction's operand to a place below the stack. `None` if the operand cannot be
    /// moved, every page that is tried is closed, or the memory cannot be read or written.
    fn put_aside(&self, code: &[u8], registers: &user_regs_struct) -> Option<Aside> {
        let operand = operand::of(code, registers)?;
        let bytes = self.memory.bytes(operand.start, operand.bytes)?;
        let is_open = |at: &u64| {
            self.pages.closed.around(*at).is_none()
                && self.pages.closed.around(at + operand.bytes).is_none()
        };
        // The copy has the same alignment as the operand.
        let room = |page: u64| {
            (registers.rsp.wrapping_sub(page * PAGE) & !(operand::LONGEST - 1))
                + operand.start % operand::LONGEST
        };
        let copy = (1..=PAGES_BELOW_STACK).map(room).find(is_open)?;
        self.memory.write(copy, &bytes).then_some(Aside { operand, copy })
    }
}

impl Trace<'_> {
    /// Makes a stopped thread execute its next instruction on a copy. Returns false if that is
    /// impossible: then the thread is still stopped, with its own registers.
    pub(super) fn steps_aside(
        &mut self,
        thread: pid_t,
        code: &[u8],
        registers: &user_regs_struct,
    ) -> bool {
        let Some(known) = self.threads.get_mut(&thread) else { return false };
        let Some(process) = self.processes.get(&known.process) else { return false };
        let Some(aside) = process.put_aside(code, registers) else { return false };
        if !set_registers(thread, &aside.operand.moved(registers, aside.distance())) {
            return false;
        }
        (known.aside, known.steps) = (Some(aside), true);
        resume(thread, How::OneInstruction, 0);
        true
    }

    /// Finishes the instruction that the thread has executed. Opens those pages of the operand that
    /// need not stay closed. Does nothing if the thread used no copy.
    pub(super) fn stepped_aside(&mut self, thread: pid_t, in_region: bool) {
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(aside) = known.aside.take() else { return };
        let Some(process) = self.processes.get_mut(&known.process) else { return };
        let Operand { start, bytes, writes, .. } = aside.operand;
        if writes && let Some(now) = process.memory.bytes(aside.copy, bytes) {
            process.memory.write(start, &now);
        }
        if let Some(after) = registers(thread) {
            set_registers(thread, &aside.operand.back(&after, aside.distance()));
        }
        let mut open = Ranges::default();
        let first = start & !(PAGE - 1);
        for page in (first..start + bytes).step_by(PAGE as usize) {
            if !process.model.is_kept(page, in_region) {
                open.add(page, page + PAGE);
            }
        }
        process.pages.open(thread, &open, &mut known.held);
    }
}

impl Thread {
    /// Gives up the copy, on which the thread could not execute the instruction. Returns its
    /// original registers, which the caller sets.
    pub(super) fn gives_up_aside(&mut self, registers: &user_regs_struct) -> user_regs_struct {
        match self.aside.take() {
            Some(aside) => aside.operand.moved(registers, aside.distance().wrapping_neg()),
            None => *registers,
        }
    }
}
