//! Finds the variable that an endless loop was meant to wait for; `Pure::holds` asks for it. A
//! compiler that may assume that nobody else writes a variable reads the variable only once, in
//! front of the loop: `while (!ready);` becomes `if (!ready) for (;;);`, or a loop that compares
//! the same registers in each round.

use iced_x86::{FlowControl, Mnemonic, Register};

use super::effects::{STACK_POINTER, number};
use super::pure::{Cell, Pure};

/// The number of instructions in front of the loop that are searched.
const NEAREST: usize = 12;

impl Pure<'_> {
    /// Returns the address of the instruction that last reads memory outside the stack, at or in
    /// front of the conditional jump into the loop. `compares`: the loop has such a jump itself,
    /// which compares what was read. With the address comes the memory that the instruction reads,
    /// if the code alone shows its address. `None` if several ways lead into the loop, or a call or
    /// too many instructions stand in between.
    pub(super) fn read_before(&self, compares: bool) -> Option<(u64, Option<Cell>)> {
        let mut at = self.of.head;
        let mut has_jumped = compares;
        let mut found: Option<(usize, u64)> = None;
        for _ in 0..NEAREST {
            let [from] = self.ways_from_outside(at)[..] else { break };
            let one = self.one(from);
            if self.all[from].calls {
                break;
            }
            has_jumped |= one.flow_control() == FlowControl::ConditionalBranch;
            let base = one.memory_base();
            let is_own = base == Register::RBP || number(base) == Some(STACK_POINTER);
            let is_fixed = one.is_ip_rel_memory_operand();
            let at_known = || {
                let address = one.memory_displacement64().wrapping_add(self.bias);
                Some((address, one.memory_size().size()))
            };
            let ip = one.ip().wrapping_add(self.bias);
            match found {
                None if has_jumped && self.all[from].loads && !is_own => {
                    if is_fixed {
                        return Some((ip, at_known()));
                    }
                    found = Some((from, ip));
                }
                // The jump compares what it read with what another instruction has read.
                Some((first, _)) if self.feeds(from, first) => {
                    if self.all[from].loads && is_fixed {
                        return Some((ip, at_known()));
                    }
                    break;
                }
                _ => {}
            }
            at = from;
        }
        found.map(|(_, ip)| (ip, None))
    }

    /// The instructions outside the loop that may come in front of one. Padding (`nop`) stands for
    /// those in front of it, if there are some.
    fn ways_from_outside(&self, at: usize) -> Vec<usize> {
        let (mut found, mut todo) = (Vec::new(), vec![at]);
        while let Some(at) = todo.pop() {
            for from in self.of.back[at].iter().copied().filter(|from| !self.is_inside(*from)) {
                match self.one(from).mnemonic() {
                    Mnemonic::Nop => todo.push(from),
                    _ => found.push(from),
                }
            }
        }
        found
    }

    /// Whether an instruction writes a register that another one reads as an operand.
    fn feeds(&self, from: usize, to: usize) -> bool {
        let one = self.one(to);
        let read = [one.op0_register(), one.op1_register()].into_iter().filter_map(number);
        read.into_iter().any(|register| self.all[from].writes.contains(&register))
    }
}
