//! Follows the effect of a function's instructions on the stack, from the first one on.

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};

use super::register;
use super::rules::{Rule, SAME};

/// The number of jump targets that are kept with their depth.
const TARGETS: usize = 64;
/// The number at whose multiples compilers begin functions.
pub(super) const ALIGNED: u64 = 16;

/// The effect of a function's instructions on the stack so far.
pub(super) struct Sweep {
    start: u64,
    /// The number of bytes below the return address.
    depth: i64,
    /// The depth of the function's own body, where the last call or branch was: code that stands
    /// behind a return has that depth again.
    body: i64,
    saved: [i16; 6],
    called: bool,
    /// Whether the frame pointer holds the address below the return address.
    framed: bool,
    /// Whether the depth is not known: then only the frame pointer gives it.
    unknown: bool,
    targets: [(u64, i64); TARGETS],
    next: usize,
}

impl Sweep {
    pub(super) fn new(start: u64) -> Sweep {
        Sweep {
            start,
            depth: 0,
            body: 0,
            saved: [SAME; 6],
            called: false,
            framed: false,
            unknown: false,
            targets: [(0, 0); TARGETS],
            next: 0,
        }
    }

    /// Runs up to the instruction at `address`. Returns `None` if the function ends before.
    pub(super) fn run(mut self, code: &[u8], address: u64, left: &mut usize) -> Option<Rule> {
        let mut decoder = Decoder::with_ip(64, code, self.start, DecoderOptions::NONE);
        let mut instruction = Instruction::default();
        // Whether the last instruction was a return, and whether only padding has come since.
        let (mut returned, mut filled) = (false, false);
        while *left > 0 && decoder.can_decode() {
            *left -= 1;
            decoder.decode_out(&mut instruction);
            if instruction.is_invalid() {
                return None;
            }
            let known = self.targets.iter().find(|(at, _)| *at == instruction.ip());
            if returned && instruction.mnemonic() == Mnemonic::Nop {
                filled = true;
                continue;
            }
            if let Some((_, depth)) = known.filter(|(at, _)| *at != 0) {
                self.depth = *depth;
            } else if returned && filled && instruction.ip() % ALIGNED == 0 {
                return None;
            }
            (returned, filled) = (instruction.mnemonic() == Mnemonic::Ret, false);
            if (instruction.ip()..instruction.next_ip()).contains(&address) {
                return self.rule();
            }
            self.step(&instruction)?;
        }
        None
    }

    fn rule(&self) -> Option<Rule> {
        let (register, offset) = match (self.unknown, self.framed) {
            (false, _) if self.depth >= 0 => (register::RSP, self.depth + 8),
            (true, true) => (register::RBP, 16),
            _ => return None,
        };
        let (register, offset) = (u8::try_from(register).ok()?, i32::try_from(offset).ok()?);
        Some(Rule::Plain { register, offset, saved: self.saved })
    }

    fn step(&mut self, at: &Instruction) -> Option<()> {
        let of_stack = at.op_count() > 0
            && at.op0_kind() == OpKind::Register
            && at.op0_register() == Register::RSP;
        match at.mnemonic() {
            Mnemonic::Push => self.push(at),
            Mnemonic::Pop => self.depth -= 8,
            Mnemonic::Leave if self.framed => (self.depth, self.unknown) = (0, false),
            Mnemonic::Sub | Mnemonic::Add if of_stack => match constant(at) {
                Some(bytes) if at.mnemonic() == Mnemonic::Sub => self.depth += bytes,
                Some(bytes) => self.depth -= bytes,
                None => self.unknown = true,
            },
            Mnemonic::And if of_stack => self.unknown = true,
            Mnemonic::Lea if of_stack => self.lea(at)?,
            Mnemonic::Mov if of_stack => match at.op1_register() {
                Register::RBP if self.framed => (self.depth, self.unknown) = (8, false),
                _ => return None,
            },
            Mnemonic::Mov if is_frame(at) && self.depth == 8 => self.framed = true,
            Mnemonic::Mov if is_store(at) => {
                let below = self.depth + 8 - at.memory_displacement64() as i64;
                self.saves(at.op1_register(), below);
            }
            Mnemonic::Cmp | Mnemonic::Test => {}
            _ if of_stack => return None,
            _ => {}
        }
        match at.flow_control() {
            FlowControl::Call | FlowControl::IndirectCall => {
                (self.body, self.called) = (self.depth, true);
            }
            FlowControl::ConditionalBranch => {
                self.body = self.depth;
                self.leads(at);
            }
            FlowControl::UnconditionalBranch => {
                self.leads(at);
                self.depth = self.body;
            }
            FlowControl::Return | FlowControl::IndirectBranch => self.depth = self.body,
            _ => {}
        }
        Some(())
    }

    fn push(&mut self, at: &Instruction) {
        if at.op0_kind() == OpKind::Register {
            self.saves(at.op0_register(), self.depth + 16);
        }
        self.depth += 8;
    }

    /// Notes that a register is saved, this many bytes below the frame's address: its first save
    /// stores the caller's value.
    fn saves(&mut self, register: Register, below: i64) {
        const SAVED: [Register; 6] = [
            Register::RBX,
            Register::RBP,
            Register::R12,
            Register::R13,
            Register::R14,
            Register::R15,
        ];
        let number = SAVED.iter().position(|saved| *saved == register);
        if let Some(place) = number.and_then(|number| self.saved.get_mut(number))
            && *place == SAME
            && !self.called
            && below % 8 == 0
        {
            *place = i16::try_from(-below / 8).unwrap_or(SAME);
        }
    }

    fn lea(&mut self, at: &Instruction) -> Option<()> {
        let by = at.memory_displacement64() as i64;
        match (at.memory_base(), at.memory_index()) {
            (Register::RSP, Register::None) => self.depth -= by,
            (Register::RBP, Register::None) if self.framed => {
                (self.depth, self.unknown) = (8 - by, false);
            }
            _ => return None,
        }
        Some(())
    }

    /// Notes a forward jump from here.
    fn leads(&mut self, at: &Instruction) {
        let target = at.near_branch_target();
        if target > at.ip() && !self.targets.iter().any(|(known, _)| *known == target) {
            self.targets[self.next % TARGETS] = (target, self.depth);
            self.next += 1;
        }
    }
}

/// Whether code is only padding.
pub(super) fn is_padding(code: &[u8]) -> bool {
    let mut decoder = Decoder::with_ip(64, code, 0, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        if !matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Int3) {
            return false;
        }
    }
    true
}

/// Whether the instruction is `mov [rsp + N], register`.
fn is_store(at: &Instruction) -> bool {
    at.op_count() == 2
        && at.op0_kind() == OpKind::Memory
        && at.op1_kind() == OpKind::Register
        && (at.memory_base(), at.memory_index()) == (Register::RSP, Register::None)
}

/// Whether the instruction is `mov rbp, rsp`.
fn is_frame(at: &Instruction) -> bool {
    at.op_count() == 2
        && at.op0_kind() == OpKind::Register
        && at.op1_kind() == OpKind::Register
        && (at.op0_register(), at.op1_register()) == (Register::RBP, Register::RSP)
}

/// Returns the constant operand.
fn constant(at: &Instruction) -> Option<i64> {
    at.try_immediate(1).ok().map(|value| value as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(code: &[u8], address: u64) -> Option<(u8, i32, [i16; 6])> {
        let found = Sweep::new(0).run(code, address, &mut 100)?;
        let Rule::Plain { register, offset, saved } = found else { return None };
        Some((register, offset, saved))
    }

    #[test]
    fn each_instruction_has_its_depth() {
        // push rbp; push rbx; sub rsp, 0x28; call; test; je +7; add rsp, 0x28; pop rbx; pop rbp;
        // ret; (from the jump:) call
        let code = [
            0x55, 0x53, 0x48, 0x83, 0xec, 0x28, 0xe8, 0, 0, 0, 0, 0x85, 0xc0, 0x74, 0x07, 0x48,
            0x83, 0xc4, 0x28, 0x5b, 0x5d, 0xc3, 0xe8, 0, 0, 0, 0,
        ];
        let sp = register::RSP as u8;
        let offset = |at| rule(&code, at).map(|(register, offset, _)| (register, offset));
        assert_eq!([0, 1, 2, 6].map(offset), [8, 16, 24, 64].map(|depth| Some((sp, depth))));
        assert_eq!([19, 20, 21].map(offset), [24, 16, 8].map(|depth| Some((sp, depth))));
        assert_eq!(rule(&code, 22), Some((sp, 64, [-3, -2, SAME, SAME, SAME, SAME])));
    }

    #[test]
    fn a_frame_of_unknown_size_hangs_on_the_frame_pointer() {
        // push rbp; mov rbp, rsp; sub rsp, rax; nop; leave; ret
        let code = [0x55, 0x48, 0x89, 0xe5, 0x48, 0x29, 0xc4, 0x90, 0xc9, 0xc3];
        let found = rule(&code, 7).map(|(register, offset, _)| (usize::from(register), offset));
        assert_eq!(found, Some((register::RBP, 16)));
    }

    #[test]
    fn a_function_ends_where_the_next_begins() {
        // sub rsp, 8; add rsp, 8; ret; nops up to 16; push rbx; nop
        let mut code = vec![0x48, 0x83, 0xec, 0x08, 0x48, 0x83, 0xc4, 0x08, 0xc3];
        code.resize(16, 0x90);
        code.extend([0x53, 0x90]);
        assert_eq!(rule(&code, 17), None);
        assert!(rule(&code, 4).is_some() && is_padding(&code[9..16]));
    }
}
