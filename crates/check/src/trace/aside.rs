//! Instructions that use what is kept from the process, executed on a copy of it: so the page stays
//! closed for all other threads.
//!
//! The copy stands below the thread's stack, where a handler's frame would be. What the instruction
//! writes there is written to its place when it has been executed.

use libc::{pid_t, user_regs_struct};

use super::process::Process;
use super::tracee::{How, registers, resume, set_registers};
use super::{Thread, Trace};
use crate::operand::{self, Operand};
use crate::ranges::{PAGE, Ranges};

/// So many pages below the stack's one are tried.
const TRIED: u64 = 4;

/// An instruction that is executed so.
#[derive(Clone, Copy)]
pub struct Aside {
    operand: Operand,
    copy: u64,
}

impl Aside {
    fn by(&self) -> u64 {
        self.copy.wrapping_sub(self.operand.start)
    }
}

impl Process {
    /// Puts a copy of an instruction's operand there, if that can be.
    fn put_aside(&self, code: &[u8], registers: &user_regs_struct) -> Option<Aside> {
        let operand = operand::of(code, registers)?;
        let bytes = self.memory.bytes(operand.start, operand.bytes)?;
        let is_open = |at: &u64| {
            self.pages.closed.around(*at).is_none()
                && self.pages.closed.around(at + operand.bytes).is_none()
        };
        // As well aligned as the operand.
        let room = |page: u64| {
            (registers.rsp.wrapping_sub(page * PAGE) & !(operand::LONGEST - 1))
                + operand.start % operand::LONGEST
        };
        let copy = (1..=TRIED).map(room).find(is_open)?;
        self.memory.write(copy, &bytes).then_some(Aside { operand, copy })
    }
}

impl Trace<'_> {
    /// Has a thread execute its next instruction so. False: that cannot be.
    pub(super) fn steps_aside(
        &mut self,
        thread: pid_t,
        code: &[u8],
        registers: &user_regs_struct,
    ) -> bool {
        let Some(known) = self.threads.get_mut(&thread) else { return false };
        let Some(process) = self.processes.get(&known.process) else { return false };
        let Some(aside) = process.put_aside(code, registers) else { return false };
        if !set_registers(thread, &aside.operand.moved(registers, aside.by())) {
            return false;
        }
        (known.aside, known.steps) = (Some(aside), true);
        resume(thread, How::OneInstruction, 0);
        true
    }

    /// It has executed it. What is kept from the process for no reason any more is opened.
    pub(super) fn stepped_aside(&mut self, thread: pid_t, in_region: bool) {
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(aside) = known.aside.take() else { return };
        let Some(process) = self.processes.get_mut(&known.process) else { return };
        let Operand { start, bytes, writes, .. } = aside.operand;
        if writes && let Some(now) = process.memory.bytes(aside.copy, bytes) {
            process.memory.write(start, &now);
        }
        if let Some(after) = registers(thread) {
            set_registers(thread, &aside.operand.back(&after, aside.by()));
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
    /// It could not execute it: the registers as they were before.
    pub(super) fn gives_up_aside(&mut self, registers: &user_regs_struct) -> user_regs_struct {
        match self.aside.take() {
            Some(aside) => aside.operand.moved(registers, aside.by().wrapping_neg()),
            None => *registers,
        }
    }
}
