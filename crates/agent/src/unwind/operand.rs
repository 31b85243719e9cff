//! The memory that the instruction of an interrupted thread reads or writes, by its registers.
//!
//! A timer's signal meets a thread before the instruction that it waits for, as where a cache line
//! comes from another processor. An instruction with a `lock` prefix has waited before it ends, so
//! the signal meets the thread behind it.
//!
//! What must hold: nothing is read but mapped code of known objects, and no more than the longest
//! instruction; the decoder's tables are there ([`super::depth::is_ready`]).

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

use super::modules::{self, Modules};
use super::{Registers, depth};
use omphalos_profile_format::module_flag;

/// The longest instruction of the processor, bytes.
const LONGEST: u64 = 15;
/// Lengths of instructions with a `lock` prefix, which is their first byte.
const LOCKED: core::ops::RangeInclusive<u64> = 3..=12;
const LOCK: u8 = 0xf0;

/// What an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// How many bytes before the program counter the instruction begins.
    pub behind: u32,
    /// The first byte of the memory.
    pub address: u64,
}

/// Whether [`find`] can tell. Async-signal-safe.
pub fn is_ready() -> bool {
    depth::is_ready()
}

/// That of the program's own code at these registers. Async-signal-safe once [`is_ready`].
pub fn find(registers: &Registers) -> Option<Operand> {
    modules::with_newest(|modules, _| {
        let code = Code::around(modules, registers.pc())?;
        code.locked_before(registers).or_else(|| code.here(registers))
    })?
}

/// The code around a program counter, as far as an instruction may reach.
struct Code {
    pc: u64,
    bytes: [u8; 2 * LONGEST as usize],
    /// Bytes before the program counter, and after it.
    before: u64,
    after: u64,
}

impl Code {
    fn around(modules: &Modules, pc: u64) -> Option<Code> {
        const OURS: u32 = module_flag::RUNTIME | module_flag::AGENT;
        let module = modules.find(pc).filter(|module| module.flags & OURS == 0)?;
        let (from, to) = module.code.iter().find(|(from, to)| (*from..*to).contains(&pc))?;
        let (before, after) = (LONGEST.min(pc - from), LONGEST.min(to - pc));
        let mut bytes = [0; 2 * LONGEST as usize];
        for (place, address) in bytes.iter_mut().zip(pc - before..pc + after) {
            // SAFETY: inside the module's mapped code.
            *place = unsafe { (address as *const u8).read_volatile() };
        }
        Some(Code { pc, bytes, before, after })
    }

    fn decode(&self, behind: u64) -> Option<Instruction> {
        let from = (self.before - behind) as usize;
        let code = self.bytes.get(from..(self.before + self.after) as usize)?;
        let mut decoder = Decoder::with_ip(64, code, self.pc - behind, DecoderOptions::NONE);
        Some(decoder.decode()).filter(|instruction| !instruction.is_invalid())
    }

    fn locked_before(&self, registers: &Registers) -> Option<Operand> {
        LOCKED.take_while(|behind| *behind <= self.before).find_map(|behind| {
            let first = self.bytes.get((self.before - behind) as usize)?;
            let instruction = (*first == LOCK).then(|| self.decode(behind))??;
            let is_it = instruction.has_lock_prefix() && instruction.next_ip() == self.pc;
            let address = is_it.then(|| memory(&instruction, registers))??;
            Some(Operand { behind: behind as u32, address })
        })
    }

    fn here(&self, registers: &Registers) -> Option<Operand> {
        let instruction = self.decode(0)?;
        let is_address_alone = matches!(instruction.mnemonic(), Mnemonic::Lea | Mnemonic::Nop);
        let address = (!is_address_alone).then(|| memory(&instruction, registers))??;
        Some(Operand { behind: 0, address })
    }
}

/// The address of an instruction's operand in memory; none of a thread's own storage, whose base is
/// in no register.
fn memory(instruction: &Instruction, registers: &Registers) -> Option<u64> {
    let operand = (0..instruction.op_count())
        .find(|operand| instruction.op_kind(*operand) == OpKind::Memory)?;
    let value = |register: Register, _, _| match register {
        Register::ES | Register::CS | Register::SS | Register::DS => Some(0),
        register => registers.get(number(register)?),
    };
    instruction.virtual_address(operand, 0, value)
}

/// DWARF's number of a general register.
fn number(register: Register) -> Option<u16> {
    const ORDER: [Register; 16] = [
        Register::RAX,
        Register::RDX,
        Register::RCX,
        Register::RBX,
        Register::RSI,
        Register::RDI,
        Register::RBP,
        Register::RSP,
        Register::R8,
        Register::R9,
        Register::R10,
        Register::R11,
        Register::R12,
        Register::R13,
        Register::R14,
        Register::R15,
    ];
    ORDER.iter().position(|one| *one == register).map(|at| at as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(code: &[u8], pc: usize) -> Option<Operand> {
        let mut bytes = [0; 2 * LONGEST as usize];
        bytes[..code.len()].copy_from_slice(code);
        let (before, after) = (pc as u64, (code.len() - pc) as u64);
        let code = Code { pc: 0x1000, bytes, before, after };
        let registers = core::array::from_fn(|register| 0x10_0000 * (register as u64 + 1));
        let registers = Registers(registers);
        code.locked_before(&registers).or_else(|| code.here(&registers))
    }

    #[test]
    fn the_memory_of_an_instruction_is_found() {
        // add qword [rdi + rax * 8 + 16], 1
        let found = at(&[0x48, 0x83, 0x44, 0xc7, 0x10, 0x01], 0);
        assert_eq!(found, Some(Operand { behind: 0, address: 0x60_0000 + 0x80_0000 + 16 }));
        // add dword [rip + 0x20], eax
        let found = at(&[0x01, 0x05, 0x20, 0, 0, 0], 0);
        assert_eq!(found, Some(Operand { behind: 0, address: 0x1026 }));
        // lock add dword [rdx], 1; ret
        let found = at(&[0xf0, 0x83, 0x02, 0x01, 0xc3], 4);
        assert_eq!(found, Some(Operand { behind: 4, address: 0x20_0000 }));
    }

    #[test]
    fn an_instruction_without_memory_has_none() {
        // lea rax, [rdi + 8]; add rax, rdx; mov rax, fs:[0x10]
        assert_eq!(at(&[0x48, 0x8d, 0x47, 0x08], 0), None);
        assert_eq!(at(&[0x48, 0x01, 0xd0], 0), None);
        assert_eq!(at(&[0x64, 0x48, 0x8b, 0x04, 0x25, 0x10, 0, 0, 0], 0), None);
        // A byte that looks like the prefix is none: mov eax, [rdi - 16], then nop.
        assert_eq!(at(&[0x8b, 0x47, 0xf0, 0x90], 3), None);
        assert_eq!(at(&[0xf0], 0), None);
    }
}
