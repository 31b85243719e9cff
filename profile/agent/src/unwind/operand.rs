//! The memory that an interrupted thread's instruction reads or writes, computed from its
//! registers.
//!
//! A timer's signal meets a thread near the instruction that waits, for a cache line from another
//! processor for example: before it, or, where the processor lets it end first, after it. So both
//! instructions are looked at. Instructions have different lengths, so the one before is found by
//! decoding from several earlier places: most of these ways soon lead to the same instruction.
//!
//! What must hold: the functions here read only mapped code of known objects, around the program
//! counter; the decoder's tables are there ([`super::depth::is_ready`]).

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

use super::modules::{self, Modules};
use super::{Registers, depth};
use omphalos_profile_format::module_flag;

/// The longest instruction of the processor, bytes.
const LONGEST: u64 = 15;
/// The number of bytes of code before the program counter that are decoded, and the number of
/// places to decode from.
const BEFORE: u64 = 48;
const WAYS: u64 = 4;

/// The memory that an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The number of bytes before the program counter at which the instruction begins.
    pub behind: u32,
    /// The first byte of the memory.
    pub address: u64,
}

/// Whether [`find`] can find operands. Async-signal-safe.
pub fn is_ready() -> bool {
    depth::is_ready()
}

/// Returns the operands of the program's own code at these registers: of the instruction there, and
/// of the one before. Async-signal-safe once [`is_ready`].
pub fn find(registers: &Registers) -> [Option<Operand>; 2] {
    let code = modules::with_newest(|modules, _| Code::around(modules, registers.pc())).flatten();
    code.map_or([None; 2], |code| [code.here(registers), code.before(registers)])
}

/// The code around a program counter.
struct Code {
    pc: u64,
    bytes: [u8; (BEFORE + LONGEST) as usize],
    /// The number of bytes before the program counter, and after it.
    before: u64,
    after: u64,
}

impl Code {
    fn around(modules: &Modules, pc: u64) -> Option<Code> {
        const OURS: u32 = module_flag::RUNTIME | module_flag::AGENT;
        let module = modules.find(pc).filter(|module| module.flags & OURS == 0)?;
        let (from, to) = module.code.iter().find(|(from, to)| (*from..*to).contains(&pc))?;
        let (before, after) = (BEFORE.min(pc - from), LONGEST.min(to - pc));
        let mut bytes = [0; (BEFORE + LONGEST) as usize];
        for (place, address) in bytes.iter_mut().zip(pc - before..pc + after) {
            // SAFETY: inside the module's mapped code.
            *place = unsafe { (address as *const u8).read_volatile() };
        }
        Some(Code { pc, bytes, before, after })
    }

    /// Returns a decoder that begins this many bytes before the program counter.
    fn decoder(&self, behind: u64) -> Option<Decoder<'_>> {
        let from = (self.before - behind) as usize;
        let code = self.bytes.get(from..(self.before + self.after) as usize)?;
        Some(Decoder::with_ip(64, code, self.pc - behind, DecoderOptions::NONE))
    }

    fn here(&self, registers: &Registers) -> Option<Operand> {
        let instruction = self.decoder(0)?.decode();
        Some(Operand { behind: 0, address: memory(&instruction, registers)? })
    }

    fn before(&self, registers: &Registers) -> Option<Operand> {
        let mut seen: [Option<Instruction>; WAYS as usize] = [None; WAYS as usize];
        for (way, last) in seen.iter_mut().enumerate() {
            *last = self.last_from(self.before.checked_sub(way as u64)?);
        }
        let length = |one: &Option<Instruction>| one.as_ref().map(Instruction::len);
        let agree = |one: &&Option<Instruction>| {
            let like = seen.iter().filter(|other| length(other) == length(one));
            one.is_some() && like.count() * 2 > seen.len()
        };
        let instruction = (*seen.iter().find(agree)?)?;
        // The instruction has overwritten the register that held its address.
        let written = instruction.op0_register().full_register();
        let bases = [instruction.memory_base(), instruction.memory_index()];
        if written != Register::None && bases.contains(&written) {
            return None;
        }
        let address = memory(&instruction, registers)?;
        Some(Operand { behind: instruction.len() as u32, address })
    }

    /// Returns the instruction that ends at the program counter, by decoding from this many bytes
    /// before it on.
    fn last_from(&self, behind: u64) -> Option<Instruction> {
        let mut decoder = self.decoder(behind)?;
        while decoder.ip() < self.pc {
            let instruction = decoder.decode();
            if instruction.next_ip() == self.pc {
                return Some(instruction).filter(|one| !one.is_invalid());
            }
        }
        None
    }
}

/// Returns the address of an instruction's operand in memory; `None` for thread-local storage,
/// whose base is in no general register.
fn memory(instruction: &Instruction, registers: &Registers) -> Option<u64> {
    let is_none =
        instruction.is_invalid() || matches!(instruction.mnemonic(), Mnemonic::Lea | Mnemonic::Nop);
    if is_none {
        return None;
    }
    let operand = (0..instruction.op_count())
        .find(|operand| instruction.op_kind(*operand) == OpKind::Memory)?;
    let value = |register: Register, _, _| match register {
        Register::ES | Register::CS | Register::SS | Register::DS => Some(0),
        register => registers.get(number(register)?),
    };
    instruction.virtual_address(operand, 0, value)
}

/// Returns DWARF's number of a general register.
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

    /// Returns the operands at byte `pc` of `code`, which follows bytes of `filler`.
    fn at(filler: u8, code: &[u8], pc: usize) -> [Option<Operand>; 2] {
        let mut bytes = [filler; (BEFORE + LONGEST) as usize];
        let first = BEFORE as usize - pc;
        bytes[first..first + code.len()].copy_from_slice(code);
        let code = Code { pc: 0x1000, bytes, before: BEFORE, after: (code.len() - pc) as u64 };
        let registers = core::array::from_fn(|register| 0x10_0000 * (register as u64 + 1));
        let registers = Registers(registers);
        [code.here(&registers), code.before(&registers)]
    }

    #[test]
    fn the_memory_of_an_instruction_is_found() {
        for filler in [0x90, 0xcc] {
            let here = |code: &[u8]| at(filler, code, 0)[0];
            let before = |code: &[u8], pc: usize| at(filler, code, pc)[1];
            // add qword [rdi + rax * 8 + 16], 1
            let found = here(&[0x48, 0x83, 0x44, 0xc7, 0x10, 0x01]);
            assert_eq!(found, Some(Operand { behind: 0, address: 0x60_0000 + 0x80_0000 + 16 }));
            // add dword [rip + 0x20], eax
            let found = here(&[0x01, 0x05, 0x20, 0, 0, 0]);
            assert_eq!(found, Some(Operand { behind: 0, address: 0x1026 }));
            // lock add dword [rdx], 1; ret
            let found = before(&[0xf0, 0x83, 0x02, 0x01, 0xc3], 4);
            assert_eq!(found, Some(Operand { behind: 4, address: 0x20_0000 }));
            // mov rsi, [rcx]; mov rdx, rax
            let found = before(&[0x48, 0x8b, 0x31, 0x48, 0x89, 0xc2], 3);
            assert_eq!(found, Some(Operand { behind: 3, address: 0x30_0000 }));
        }
    }

    #[test]
    fn an_instruction_without_memory_has_none() {
        // lea rax, [rdi + 8]; add rax, rdx; mov rax, fs:[0x10]
        assert_eq!(at(0x90, &[0x48, 0x8d, 0x47, 0x08], 0), [None; 2]);
        assert_eq!(at(0x90, &[0x48, 0x01, 0xd0], 0), [None; 2]);
        assert_eq!(at(0x90, &[0x64, 0x48, 0x8b, 0x04, 0x25, 0x10, 0, 0, 0], 0), [None; 2]);
        assert_eq!(at(0x90, &[0xf0], 0), [None; 2]);
        // mov rax, [rax]; nop: the address that it read from is gone.
        assert_eq!(at(0x90, &[0x48, 0x8b, 0x00, 0x90], 3), [None; 2]);
    }
}
