//! DWARF expressions, as far as call frame information uses them: addresses computed from registers
//! and words of the stack (PLT entries, aligned stacks, signal frames).
//!
//! `rules.rs` calls [`evaluate`], in the signal handler.
//!
//! What must hold: [`evaluate`] allocates nothing, reads only the stack's memory, and runs through
//! an expression once: it has no loops.

use super::{Registers, StackMemory};
use gimli::{EndianSlice, LittleEndian, Operation};

/// The most values on the expression's stack; [`evaluate`] refuses an expression that needs more.
const DEPTH: usize = 16;

/// Evaluates `expression`; `first` is on the stack at the start (the CFA for register rules).
/// Returns `None` for anything malformed, unknown or outside the stack's memory. Async-signal-safe.
pub fn evaluate(
    expression: EndianSlice<'_, LittleEndian>,
    encoding: gimli::Encoding,
    registers: &Registers,
    memory: &StackMemory,
    first: Option<u64>,
) -> Option<u64> {
    let mut stack = [0u64; DEPTH];
    let mut depth = 0;
    let push = |stack: &mut [u64; DEPTH], depth: &mut usize, value: u64| {
        *stack.get_mut(*depth)? = value;
        *depth += 1;
        Some(())
    };
    let pop = |stack: &[u64; DEPTH], depth: &mut usize| {
        *depth = depth.checked_sub(1)?;
        stack.get(*depth).copied()
    };
    if let Some(first) = first {
        push(&mut stack, &mut depth, first)?;
    }
    let mut rest = expression;
    while !rest.is_empty() {
        let value = match Operation::parse(&mut rest, encoding).ok()? {
            Operation::RegisterOffset { register, offset, .. } => {
                registers.get(register.0)?.wrapping_add(offset as u64)
            }
            Operation::UnsignedConstant { value } => value,
            Operation::SignedConstant { value } => value as u64,
            Operation::PlusConstant { value } => pop(&stack, &mut depth)?.wrapping_add(value),
            Operation::Deref { size: 8, space: false, .. } => {
                memory.read(pop(&stack, &mut depth)?)?
            }
            Operation::Nop => continue,
            operation => {
                let right = pop(&stack, &mut depth)?;
                let left = pop(&stack, &mut depth)?;
                match operation {
                    Operation::Plus => left.wrapping_add(right),
                    Operation::Minus => left.wrapping_sub(right),
                    Operation::And => left & right,
                    Operation::Shl => left.checked_shl(u32::try_from(right).ok()?).unwrap_or(0),
                    Operation::Ge => u64::from(left as i64 >= right as i64),
                    _ => return None,
                }
            }
        };
        push(&mut stack, &mut depth, value)?;
    }
    pop(&stack, &mut depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plts_expression() {
        // breg7 8; breg16 0; lit15; and; lit11; ge; lit3; shl; plus
        let bytes = [0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22];
        let encoding =
            gimli::Encoding { address_size: 8, format: gimli::Format::Dwarf32, version: 1 };
        let memory = StackMemory { low: 0, high: 0, shift: 0 };
        let cfa = |rip| {
            let mut registers = Registers::default();
            registers.0[7] = 0x1000;
            registers.0[16] = rip;
            let expression = EndianSlice::new(&bytes, LittleEndian);
            evaluate(expression, encoding, &registers, &memory, None)
        };
        assert_eq!(cfa(0x40_0016), Some(0x1008));
        assert_eq!(cfa(0x40_001b), Some(0x1010));
        let broken = EndianSlice::new(&bytes[..1], LittleEndian);
        let registers = Registers::default();
        assert_eq!(evaluate(broken, encoding, &registers, &memory, None), None);
    }
}
