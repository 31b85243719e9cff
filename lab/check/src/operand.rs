//! Recognises instructions whose only memory operand can be moved elsewhere, with another value in
//! the base register of the operand's address. `trace/aside.rs` uses it.

use iced_x86::{
    Decoder, DecoderOptions, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
    Register,
};
use libc::user_regs_struct;

use crate::access;

/// The size of the longest operand, bytes.
pub const LONGEST: u64 = 64;

/// An operand that can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    pub start: u64,
    pub bytes: u64,
    pub writes: bool,
    base: Register,
    /// The register that is still shifted by the same distance after the instruction.
    moves: Option<Register>,
}

impl Operand {
    /// Returns the registers with which the instruction uses the memory at a distance `by` from its
    /// own.
    pub fn moved(&self, registers: &user_regs_struct, by: u64) -> user_regs_struct {
        moved(registers, Some(self.base), by)
    }

    /// Undoes the shift in the registers after the instruction.
    pub fn back(&self, after: &user_regs_struct, by: u64) -> user_regs_struct {
        moved(after, self.moves, by.wrapping_neg())
    }
}

fn moved(registers: &user_regs_struct, which: Option<Register>, by: u64) -> user_regs_struct {
    let mut moved = *registers;
    if let Some(which) = which.and_then(|which| access::place(which, &mut moved)) {
        *which = which.wrapping_add(by);
    }
    moved
}

/// Returns the operand of the instruction with these bytes, which is about to be executed; `None`
/// if it cannot be moved.
pub fn of(code: &[u8], registers: &user_regs_struct) -> Option<Operand> {
    let instruction = Decoder::with_ip(64, code, registers.rip, DecoderOptions::NONE).decode();
    let is_plain = !instruction.is_invalid()
        && !instruction.has_lock_prefix()
        && instruction.op_mask() == Register::None
        && !is_special(instruction.mnemonic());
    let operands = (0..instruction.op_count()).filter(|at| is_memory(&instruction, *at)).count();
    let of_stack = of_stack(&instruction).filter(|_| operands == 0);
    if !is_plain || operands != 1 && of_stack.is_none() {
        return None;
    }
    let (base, index) = match of_stack {
        Some(base) => (base, Register::None),
        None => (instruction.memory_base(), instruction.memory_index()),
    };
    let is_far = matches!(instruction.memory_segment(), Register::FS | Register::GS);
    if !base.is_gpr64() || base == index || index.is_vector_register() || is_far {
        return None;
    }
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(&instruction);
    let [memory] = info.used_memory() else { return None };
    let bytes = memory.memory_size().size() as u64;
    if bytes == 0 || bytes > LONGEST {
        return None;
    }
    let writes = match memory.access() {
        OpAccess::Read => false,
        OpAccess::Write | OpAccess::ReadWrite => true,
        _ => return None,
    };
    // The instruction's other uses of the register: it may write a new value to it.
    let is_base = |register: Register| register.full_register() == base;
    let mut moves = Some(if of_stack.is_some() { Register::RSP } else { base });
    for at in (0..instruction.op_count()).filter(|at| is_register(&instruction, *at)) {
        let register = instruction.op_register(at);
        match info.op_access(at) {
            _ if !is_base(register) => {}
            OpAccess::Write if register.size() >= 4 && of_stack.is_none() => moves = None,
            _ => return None,
        }
    }
    let mut others = info.used_registers().iter().filter(|used| is_base(used.register()));
    let is_changed = others.any(|used| used.access() != OpAccess::Read);
    if moves.is_some() && is_changed && of_stack.is_none() {
        return None;
    }
    let start = memory.virtual_address(0, |register, _, _| access::value(register, registers))?;
    Some(Operand { start, bytes, writes, base, moves })
}

fn is_memory(instruction: &Instruction, at: u32) -> bool {
    instruction.op_kind(at) == OpKind::Memory
}

fn is_register(instruction: &Instruction, at: u32) -> bool {
    instruction.op_kind(at) == OpKind::Register
}

/// Returns the register with the stack's end, for an instruction that pushes or pops.
fn of_stack(instruction: &Instruction) -> Option<Register> {
    match instruction.mnemonic() {
        Mnemonic::Push | Mnemonic::Pop | Mnemonic::Call | Mnemonic::Ret => Some(Register::RSP),
        Mnemonic::Leave => Some(Register::RBP),
        _ => None,
    }
}

/// Whether an instruction reads registers that none of its operands names, or must not be split.
fn is_special(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{
        Cmpxchg, Cmpxchg8b, Cmpxchg16b, Div, Idiv, Imul, Mul, Mulx, Pcmpestri, Pcmpestrm,
        Vmaskmovpd, Vmaskmovps, Vpcmpestri, Vpcmpestrm, Vpmaskmovd, Vpmaskmovq, Xchg,
    };
    matches!(mnemonic, Cmpxchg | Cmpxchg8b | Cmpxchg16b | Div | Idiv | Imul | Mul | Mulx | Xchg)
        || matches!(mnemonic, Pcmpestri | Pcmpestrm | Vpcmpestri | Vpcmpestrm)
        || matches!(mnemonic, Vmaskmovps | Vmaskmovpd | Vpmaskmovd | Vpmaskmovq)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::tests::registers;

    #[test]
    fn what_can_be_had_elsewhere() {
        // mov edx, [rax + 4*rcx]
        let load = of(&[0x8b, 0x14, 0x88], &registers()).unwrap();
        assert_eq!((load.start, load.bytes, load.writes), (0x100c, 4, false));
        assert_eq!(load.moved(&registers(), 0x500).rax, 0x1500);
        assert_eq!(load.back(&load.moved(&registers(), 0x500), 0x500).rax, 0x1000);
        // mov rax, [rax]: what it loads stays
        let load = of(&[0x48, 0x8b, 0x00], &registers()).unwrap();
        assert_eq!(load.back(&registers(), 0x500).rax, 0x1000);
        // add qword ptr [rax], 1; movups [rax], xmm0
        assert!(of(&[0x48, 0x83, 0x00, 0x01], &registers()).unwrap().writes);
        assert_eq!(of(&[0x0f, 0x11, 0x00], &registers()).unwrap().bytes, 16);
    }

    #[test]
    fn what_stands_on_the_stack() {
        // push rax
        let push = of(&[0x50], &registers()).unwrap();
        assert_eq!((push.start, push.bytes, push.writes), (0x7ff8, 8, true));
        let moved = push.moved(&registers(), 0x500);
        assert_eq!(moved.rsp, 0x8500);
        let after = user_regs_struct { rsp: moved.rsp - 8, ..moved };
        assert_eq!(push.back(&after, 0x500).rsp, 0x7ff8);
        // leave, with 0x9000 in rbp
        let before = user_regs_struct { rbp: 0x9000, ..registers() };
        let leave = of(&[0xc9], &before).unwrap();
        assert_eq!((leave.start, leave.bytes, leave.writes), (0x9000, 8, false));
        let after = user_regs_struct { rsp: 0x9508, rbp: 7, ..before };
        let back = leave.back(&after, 0x500);
        assert_eq!((back.rsp, back.rbp), (0x9008, 7));
    }

    #[test]
    fn what_cannot() {
        let none: [&[u8]; 9] = [
            &[0x54],                         // push rsp
            &[0x48, 0x89, 0x00],             // mov [rax], rax
            &[0x8a, 0x00],                   // mov al, [rax]
            &[0xf0, 0x48, 0x83, 0x00, 0x01], // lock add qword ptr [rax], 1
            &[0xff, 0x30],                   // push qword ptr [rax]
            &[0x8b, 0x05, 0, 1, 0, 0],       // mov eax, [rip + 0x100]
            &[0xf3, 0xa4],                   // rep movsb
            &[0x48, 0xf7, 0x20],             // mul qword ptr [rax]
            &[0x8d, 0x10],                   // lea edx, [rax]
        ];
        for code in none {
            assert_eq!(of(code, &registers()), None, "{code:x?}");
        }
    }
}
