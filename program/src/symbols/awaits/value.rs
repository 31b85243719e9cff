//! Finds the memory that a loop's instructions read and write, for `pure.rs`. It computes addresses
//! from the registers of the thread that is in the loop.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::super::arguments_handed::FS_BASE;
use super::effects::{STACK_POINTER, dwarf, number};
use super::pure::{ANSWERS, Cell, DEEPEST, Pure};

impl Pure<'_> {
    /// The memory that an instruction reads or writes, if the registers show it.
    pub(super) fn place(&self, at: usize, depth: usize) -> Option<Cell> {
        let one = self.one(at);
        let length = one.memory_size().size();
        // A push writes below the stack pointer.
        if one.mnemonic() == Mnemonic::Push {
            return Some((self.value(at, STACK_POINTER, depth + 1)?.wrapping_sub(8), 8));
        }
        // String instructions have no operand that names an address.
        if !one.op_kinds().any(|kind| kind == OpKind::Memory) {
            return None;
        }
        if one.is_ip_rel_memory_operand() {
            return Some((one.ip_rel_memory_address().wrapping_add(self.bias), length));
        }
        let storage = match one.segment_prefix() {
            Register::None => 0,
            Register::FS => (self.standing.register)(FS_BASE)?,
            _ => return None,
        };
        let part = |register: Register| match register {
            Register::None => Some(0),
            register => self.value(at, number(register)?, depth + 1),
        };
        let base = part(one.memory_base())?;
        let index = part(one.memory_index())?.wrapping_mul(one.memory_index_scale().into());
        let address = base.wrapping_add(index).wrapping_add(one.memory_displacement64());
        Some((storage.wrapping_add(address), length))
    }

    /// The value of a register in front of an instruction, if it is the same in every round.
    pub(super) fn value(&self, at: usize, register: usize, depth: usize) -> Option<u64> {
        self.values_left.set(self.values_left.get().checked_sub(1)?);
        let found = self.written(at, register);
        let from = match found.from[..] {
            [] => return (self.standing.register)(dwarf(register)),
            [from] if depth < DEEPEST && !found.merge => from,
            _ => return None,
        };
        let one = self.one(from);
        let operand = |register: Register| self.value(from, number(register)?, depth + 1);
        match one.mnemonic() {
            Mnemonic::Push => Some(self.value(from, STACK_POINTER, depth + 1)?.wrapping_sub(8)),
            Mnemonic::Pop if register == STACK_POINTER => {
                Some(self.value(from, STACK_POINTER, depth + 1)?.wrapping_add(8))
            }
            Mnemonic::Mov | Mnemonic::Movsxd | Mnemonic::Movsx | Mnemonic::Movzx => {
                let (value, length) = match self.all[from].loads {
                    true => (self.loaded(from, depth + 1)?, one.memory_size().size()),
                    false if one.op1_register() == Register::None => return immediate(one),
                    false => (operand(one.op1_register())?, one.op1_register().size()),
                };
                let signed = matches!(one.mnemonic(), Mnemonic::Movsxd | Mnemonic::Movsx);
                Some(cut(value, length, signed))
            }
            Mnemonic::Xor if one.op0_register() == one.op1_register() => Some(0),
            Mnemonic::Lea => Some(self.place(from, depth + 1)?.0),
            Mnemonic::Cdqe => Some(cut(self.value(from, 0, depth + 1)?, 4, true)),
            Mnemonic::Shl => {
                let shifted = operand(one.op0_register())?.checked_shl(immediate(one)? as u32)?;
                Some(cut(shifted, one.op0_register().size(), false))
            }
            Mnemonic::Add | Mnemonic::Sub => {
                let left = operand(one.op0_register())?;
                let right = match one.op1_register() {
                    _ if self.all[from].loads => self.loaded(from, depth + 1)?,
                    Register::None => immediate(one)?,
                    register => operand(register)?,
                };
                let sum = match one.mnemonic() {
                    Mnemonic::Add => left.wrapping_add(right),
                    _ => left.wrapping_sub(right),
                };
                Some(cut(sum, one.op0_register().size(), false))
            }
            _ => None,
        }
    }

    /// The value that an instruction loads, if it is the same in every round.
    fn loaded(&self, at: usize, depth: usize) -> Option<u64> {
        let cell = self.place(at, depth)?;
        let found = self.stored(at, cell)?;
        let from = match found.from[..] {
            [] => return (self.standing.read)(cell.0, cell.1),
            [from] if depth < DEEPEST && !found.merge => from,
            _ => return None,
        };
        let one = self.one(from);
        match (one.mnemonic(), one.op1_register()) {
            (Mnemonic::Mov, Register::None) => immediate(one),
            (Mnemonic::Mov, register) => self.value(from, number(register)?, depth + 1),
            _ => None,
        }
    }

    /// Whether an instruction that writes only tries: it writes either the value that memory has
    /// already, or one that ends the loop (an exchange whose result is checked). `None` if the code
    /// does not show the value.
    pub(super) fn tries(&self, at: usize) -> Option<bool> {
        let one = self.one(at);
        match one.mnemonic() {
            Mnemonic::Cmpxchg if self.is_constant(at, ANSWERS[0]) => Some(true),
            // Where threads meet, each round must write the same known numbers.
            Mnemonic::Cmpxchg => (!self.meets).then_some(false),
            Mnemonic::Xchg => {
                let register = number(one.op1_register()).or_else(|| number(one.op0_register()))?;
                Some(self.is_used(at, register) && self.is_constant(at, register))
            }
            // Adding zero is a way to read.
            Mnemonic::Xadd => {
                let register = number(one.op1_register())?;
                Some(self.value(at, register, 0) == Some(0))
            }
            Mnemonic::Or | Mnemonic::Add => Some(immediate(one) == Some(0)),
            _ => Some(false),
        }
    }

    /// Whether the loop reads the value that an instruction leaves in a register.
    fn is_used(&self, at: usize, register: usize) -> bool {
        let readers = (0..self.all.len()).filter(|reader| self.is_inside(*reader));
        readers
            .filter(|reader| *reader != at && self.all[*reader].reads.contains(&register))
            .any(|reader| self.written(reader, register).from.contains(&at))
    }

    /// Whether the register's value in front of an instruction is a constant of the code, set in
    /// the loop or in front of the loop.
    fn is_constant(&self, at: usize, register: usize) -> bool {
        let stays = |from: &usize| self.all[*from].reads.iter().all(|of| !self.is_changed(*of));
        let found = self.written(at, register);
        found.from.iter().all(|from| stays(from) && !self.all[*from].loads)
    }
}

pub(super) fn immediate(one: &Instruction) -> Option<u64> {
    one.try_immediate(1).ok()
}

/// The lowest bytes of a value.
pub(super) fn cut(value: u64, length: usize, signed: bool) -> u64 {
    let spare = 64 - 8 * length.clamp(1, 8) as u32;
    match signed {
        true => ((value << spare) as i64 >> spare) as u64,
        false => value << spare >> spare,
    }
}
