//! Operands of followed instructions: registers and memory, as far as they are known.

use iced_x86::{Instruction, OpKind, Register};

use super::Way;

impl Way<'_> {
    pub(super) fn operand(&self, one: &Instruction, number: u32) -> Option<u64> {
        if number >= one.op_count() {
            return None;
        }
        match one.op_kind(number) {
            OpKind::Register => {
                let register = one.op_register(number);
                let full = register.is_gpr().then(|| register.full_register().number())?;
                let value = self.registers[full]?;
                let value = if is_high(register) { value >> 8 } else { value };
                Some(cut(value, register.size()))
            }
            OpKind::Memory => self.load(self.address(one)?, one.memory_size().size()),
            _ => one.try_immediate(number).ok(),
        }
    }

    pub(super) fn address(&self, one: &Instruction) -> Option<u64> {
        if one.is_ip_rel_memory_operand() {
            return Some(one.ip_rel_memory_address().wrapping_add(self.bias));
        }
        if !matches!(one.segment_prefix(), Register::None) {
            return None;
        }
        let register = |register: Register| match register {
            Register::None => Some(0),
            _ if register.is_gpr64() => self.registers[register.number()],
            _ => None,
        };
        let base = register(one.memory_base())?;
        let index = register(one.memory_index())?;
        let scaled = index.wrapping_mul(u64::from(one.memory_index_scale()));
        Some(base.wrapping_add(scaled).wrapping_add(one.memory_displacement64()))
    }

    pub(super) fn set(&mut self, one: &Instruction, value: Option<u64>) {
        match one.op0_kind() {
            OpKind::Register if one.op0_register().is_gpr() => {
                let register = one.op0_register();
                let full = &mut self.registers[register.full_register().number()];
                *full = match register.size() {
                    8 => value,
                    4 => value.map(|value| cut(value, 4)),
                    // The other bytes stay as they were, so they must be known.
                    size if !is_high(register) => {
                        let mask = (1u64 << (8 * size)) - 1;
                        full.zip(value).map(|(old, value)| old & !mask | value & mask)
                    }
                    _ => None,
                };
            }
            OpKind::Memory => match self.address(one) {
                Some(at) => self.store(at, one.memory_size().size(), value),
                None => self.forget(one),
            },
            _ => self.forget(one),
        }
    }

    pub(super) fn load(&self, at: u64, length: usize) -> Option<u64> {
        let known = (self.standing.read)(at, length).filter(|_| length <= 8)?;
        let mut bytes = known.to_le_bytes();
        for (byte, at) in bytes[..length].iter_mut().zip(at..) {
            if let Some(written) = self.written.get(&at) {
                *byte = (*written)?;
            }
        }
        Some(u64::from_le_bytes(bytes))
    }

    pub(super) fn store(&mut self, at: u64, length: usize, value: Option<u64>) {
        let bytes = value.map(u64::to_le_bytes);
        for byte in 0..length {
            let value = bytes.and_then(|bytes| bytes.get(byte).copied());
            self.written.insert(at.wrapping_add(byte as u64), value);
        }
    }
}

fn is_high(register: Register) -> bool {
    [Register::AH, Register::BH, Register::CH, Register::DH].contains(&register)
}

pub(super) fn size_of(one: &Instruction, number: u32) -> usize {
    if number >= one.op_count() {
        return 8;
    }
    match one.op_kind(number) {
        OpKind::Register => one.op_register(number).size(),
        OpKind::Memory => one.memory_size().size(),
        _ => 8,
    }
}

pub(super) fn cut(value: u64, size: usize) -> u64 {
    if size >= 8 { value } else { value & ((1 << (8 * size)) - 1) }
}
