//! The replayed thread: its registers, its flags, and what the replay has written. One step follows
//! one instruction, and says what the instruction read and wrote.

use std::collections::HashMap;
use std::ops::Range;

use iced_x86::{Instruction, Register};

use super::super::super::arguments_handed::FS_BASE;
use super::super::Standing;
use super::super::effects::{STACK_POINTER, dwarf, number};
use super::super::pure::Cell;
use super::super::value::cut;
use super::arithmetic::Flags;

/// Something that an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A register, in the numbering of instructions.
    Register(usize),
    /// The flags.
    Flags,
    /// Bytes in memory: their address and their number.
    Memory(u64, usize),
}

impl Place {
    /// The place, byte for byte.
    pub(super) fn parts(self) -> impl Iterator<Item = Place> {
        let count = if let Place::Memory(_, length) = self { length } else { 1 };
        (0..count as u64).map(move |at| match self {
            Place::Memory(address, _) => Place::Memory(address.wrapping_add(at), 1),
            other => other,
        })
    }
}

/// What one instruction did.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) ip: u64,
    /// What its results come from.
    pub(super) reads: Vec<Place>,
    /// What decides where it goes on, or where it writes.
    pub(super) always: Vec<Place>,
    pub(super) writes: Vec<Place>,
    /// Whether what it reads in memory decides where it goes on.
    pub(super) decides: bool,
    /// The memory that it read, if the replay has not written there.
    pub(super) load: Option<Load>,
}

/// A read.
#[derive(Debug)]
pub(super) struct Load {
    pub(super) cell: Cell,
    pub(super) number: u64,
    /// Its address comes from what the same instruction read before.
    pub(super) linked: bool,
}

/// A number, and the instruction that loaded the data which it comes from (0: none).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Value {
    pub(super) number: u64,
    pub(super) from: u64,
}

pub(super) struct Machine<'a> {
    standing: &'a Standing<'a>,
    own: Range<u64>,
    begun: ([Option<u64>; 16], Flags),
    registers: [Value; 16],
    pub(super) flags: Flags,
    /// The bytes that the replay has written.
    written: HashMap<u64, (u8, u64)>,
    /// It has written memory that other threads may read.
    pub(super) shares: bool,
    pub(super) step: Step,
}

impl<'a> Machine<'a> {
    /// Makes one. Registers and flags may be unknown.
    pub(super) fn new(standing: &'a Standing<'a>, flags: Option<u64>, own: Range<u64>) -> Self {
        let mut known = [None; 16];
        for (register, number) in known.iter_mut().enumerate() {
            *number = (standing.register)(dwarf(register));
        }
        let registers = known.map(|number| Value { number: number.unwrap_or(0), from: 0 });
        let flags = flags.map(Flags::of).unwrap_or_default();
        let (begun, written, step) = ((known, flags), HashMap::new(), Step::default());
        Machine { standing, own, begun, registers, flags, written, shares: false, step }
    }

    pub(super) fn stack_pointer(&self) -> u64 {
        self.registers[STACK_POINTER].number
    }

    /// Whether a place has what it had where the replay began.
    pub(super) fn is_as_begun(&self, place: Place) -> bool {
        match place {
            Place::Register(at) => Some(self.registers[at].number) == self.begun.0[at],
            Place::Flags => self.flags == self.begun.1,
            Place::Memory(address, _) => self
                .written
                .get(&address)
                .is_none_or(|(byte, _)| (self.standing.read)(address, 1) == Some(u64::from(*byte))),
        }
    }

    pub(super) fn begin(&mut self, one: &Instruction) {
        self.step = Step { ip: one.ip(), ..Step::default() };
    }

    pub(super) fn end(&mut self) -> Step {
        std::mem::take(&mut self.step)
    }

    /// The instruction sets the flags, and it is not known how.
    pub(super) fn forget_flags(&mut self) {
        self.step.writes.push(Place::Flags);
        self.flags = Flags::default();
    }

    pub(super) fn register(&mut self, register: Register) -> Option<Value> {
        let whole = general(register)?;
        self.step.reads.push(Place::Register(whole));
        let value = self.registers[whole];
        Some(Value { number: cut(value.number, register.size(), false), ..value })
    }

    pub(super) fn set(&mut self, register: Register, value: Value) -> Option<()> {
        let whole = general(register)?;
        let old = self.registers[whole].number;
        let number = match register.size() {
            8 => value.number,
            4 => cut(value.number, 4, false),
            size => {
                self.step.reads.push(Place::Register(whole));
                let low = cut(u64::MAX, size, false);
                old & !low | value.number & low
            }
        };
        self.registers[whole] = Value { number, ..value };
        self.step.writes.push(Place::Register(whole));
        Some(())
    }

    /// The address of the operand in memory.
    pub(super) fn address(&mut self, one: &Instruction) -> Option<Value> {
        if one.is_ip_rel_memory_operand() {
            return Some(Value { number: one.ip_rel_memory_address(), from: 0 });
        }
        let storage = match one.segment_prefix() {
            Register::FS => (self.standing.register)(FS_BASE)?,
            Register::None | Register::DS | Register::SS => 0,
            _ => return None,
        };
        let mut part = |register: Register| match register {
            Register::None => Some(Value::default()),
            register if register.size() == 8 => self.register(register),
            _ => None,
        };
        let (base, index) = (part(one.memory_base())?, part(one.memory_index())?);
        let scaled = index.number.wrapping_mul(one.memory_index_scale().into());
        let number = base.number.wrapping_add(scaled).wrapping_add(one.memory_displacement64());
        let from = if index.from != 0 { index.from } else { base.from };
        Some(Value { number: number.wrapping_add(storage), from })
    }

    pub(super) fn load(&mut self, one: &Instruction) -> Option<Value> {
        let address = self.address(one)?;
        let cell = (address.number, one.memory_size().size());
        let (value, is_own) = self.bytes(cell)?;
        if is_own {
            return Some(value);
        }
        let linked = address.from == one.ip();
        self.step.load = Some(Load { cell, number: value.number, linked });
        Some(Value { from: one.ip(), ..value })
    }

    /// What is in memory, and whether it is what the code has put into a variable of its own.
    pub(super) fn bytes(&mut self, (address, length): Cell) -> Option<(Value, bool)> {
        if !(1..=8).contains(&length) {
            return None;
        }
        self.step.reads.push(Place::Memory(address, length));
        let mut value = Value { number: (self.standing.read)(address, length)?, from: 0 };
        let mut is_own = self.own.contains(&address);
        for at in 0..length {
            if let Some((byte, from)) = self.written.get(&address.wrapping_add(at as u64)) {
                value.number &= !(0xff << (8 * at));
                value.number |= u64::from(*byte) << (8 * at);
                (value.from, is_own) = (*from, true);
            }
        }
        Some((value, is_own))
    }

    pub(super) fn store(&mut self, address: u64, length: usize, value: Value) -> Option<()> {
        let end = address.checked_add(length as u64)?;
        if !(1..=8).contains(&length) {
            return None;
        }
        self.shares |= address < self.own.start || end > self.own.end;
        for (at, byte) in (address..end).zip(value.number.to_le_bytes()) {
            self.written.insert(at, (byte, value.from));
        }
        self.step.writes.push(Place::Memory(address, length));
        Some(())
    }

    pub(super) fn push(&mut self, value: Value) -> Option<()> {
        let top = self.stack_pointer().wrapping_sub(8);
        self.step.always.push(Place::Register(STACK_POINTER));
        self.set(Register::RSP, Value { number: top, from: 0 })?;
        self.store(top, 8, value)
    }

    pub(super) fn pop(&mut self) -> Option<Value> {
        let top = self.register(Register::RSP)?.number;
        let (value, _) = self.bytes((top, 8))?;
        self.set(Register::RSP, Value { number: top.wrapping_add(8), from: 0 })?;
        Some(value)
    }
}

/// The number of a general register; `None` for others, and for the second byte of one.
fn general(register: Register) -> Option<usize> {
    let is_second = matches!(register, Register::AH | Register::BH | Register::CH | Register::DH);
    number(register).filter(|number| *number < 16 && !is_second)
}
