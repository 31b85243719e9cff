//! Finds the variable that an endless loop was meant to wait for; `Pure::holds` asks for it. A
//! compiler that may assume that nobody else writes a variable reads the variable only once, in
//! front of the loop: `while (!ready);` becomes `if (!ready) for (;;);`.

use iced_x86::{FlowControl, Mnemonic, Register};

use super::effects::{STACK_POINTER, number};
use super::pure::{Cell, Pure};

/// The number of instructions in front of the loop that are searched.
const NEAREST: usize = 12;

impl Pure<'_> {
    /// Returns the address of the instruction that last reads memory outside the stack, at or in
    /// front of the conditional jump into the loop. With it comes the memory that the instruction
    /// reads, if the code alone shows its address. `None` if several ways lead into the loop, or a
    /// call or too many instructions stand in between.
    pub(super) fn read_before(&self) -> Option<(u64, Option<Cell>)> {
        let mut at = self.of.head;
        let mut has_jumped = false;
        for _ in 0..NEAREST {
            // Padding (`nop`) in front of an instruction does not count as a way to it.
            let is_way = |from: &usize| {
                !self.is_inside(*from) && self.one(*from).mnemonic() != Mnemonic::Nop
            };
            let mut outside = self.of.back[at].iter().copied().filter(is_way);
            let from = outside.next().filter(|_| outside.next().is_none())?;
            let one = self.one(from);
            if self.all[from].calls {
                return None;
            }
            has_jumped |= one.flow_control() == FlowControl::ConditionalBranch;
            let base = one.memory_base();
            let is_own = base == Register::RBP || number(base) == Some(STACK_POINTER);
            if has_jumped && self.all[from].loads && !is_own {
                let is_fixed = one.is_ip_rel_memory_operand();
                let address = one.memory_displacement64().wrapping_add(self.bias);
                let cell = (address, one.memory_size().size());
                return Some((one.ip().wrapping_add(self.bias), is_fixed.then_some(cell)));
            }
            at = from;
        }
        None
    }
}
