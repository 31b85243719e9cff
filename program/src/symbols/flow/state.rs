//! The known values of the registers and spill slots at one place of the code.

use std::collections::BTreeMap;

use iced_x86::{Instruction, Register};

/// The known value of a register or a spill slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Value {
    Unknown,
    Constant(u64),
    /// A place in the function's frame: its origin, and the distance from it.
    Frame(u64, i64),
    /// The value of one of the function's own arguments, and the distance from it.
    Argument(usize, i64),
    /// A task that LLVM's runtime allocated for the outlined function at this address.
    Task(u64),
}

pub(super) const STACK_POINTER: usize = 4;
pub(super) const FRAME_POINTER: usize = 5;

/// The known values at one place of the code.
#[derive(Clone, PartialEq)]
pub(super) struct State {
    pub(super) registers: [Value; 16],
    /// Spill slots by origin and distance; slots that are missing are unknown.
    pub(super) slots: BTreeMap<(u64, i64), Value>,
}

impl State {
    /// A state in which nothing is known.
    pub(super) fn unknown() -> State {
        State { registers: [Value::Unknown; 16], slots: BTreeMap::new() }
    }

    /// Keeps the values on which both agree. Returns true if anything was lost.
    pub(super) fn meet(&mut self, other: &State) -> bool {
        let mut lost = false;
        for (mine, theirs) in self.registers.iter_mut().zip(&other.registers) {
            if *mine != Value::Unknown && mine != theirs {
                *mine = Value::Unknown;
                lost = true;
            }
        }
        let before = self.slots.len();
        self.slots.retain(|slot, value| other.slots.get(slot) == Some(value));
        lost || self.slots.len() != before
    }

    /// Records the stored value, and forgets the slots that it overwrites.
    pub(super) fn store(&mut self, slot: (u64, i64), size: i64, value: Value) {
        let (origin, at) = slot;
        let hit: Vec<_> = self
            .slots
            .range((origin, at.saturating_sub(7))..(origin, at.saturating_add(size.max(1))))
            .map(|(k, _)| *k)
            .collect();
        for slot in hit {
            self.slots.remove(&slot);
        }
        if value != Value::Unknown {
            self.slots.insert(slot, value);
        }
    }
}

/// The number of a 64-bit register.
pub(super) fn whole(register: Register) -> Option<usize> {
    register.is_gpr64().then(|| register.number())
}

/// A place or a number, moved by a distance.
pub(super) fn moved(value: Value, by: i64) -> Value {
    match value {
        Value::Frame(origin, at) => Value::Frame(origin, at.wrapping_add(by)),
        Value::Constant(constant) => Value::Constant(constant.wrapping_add_signed(by)),
        Value::Argument(number, at) => Value::Argument(number, at.wrapping_add(by)),
        Value::Unknown | Value::Task(_) => Value::Unknown,
    }
}

/// The value in memory at a place.
pub(super) fn load(state: &State, from: Value) -> Value {
    match from {
        Value::Frame(origin, at) => {
            state.slots.get(&(origin, at)).copied().unwrap_or(Value::Unknown)
        }
        _ => Value::Unknown,
    }
}

/// The address of an instruction's operand in memory, if it is a place and a distance.
pub(super) fn address(instruction: &Instruction, state: &State) -> Value {
    if instruction.memory_index() != Register::None {
        return Value::Unknown;
    }
    match whole(instruction.memory_base()) {
        Some(base) => moved(state.registers[base], instruction.memory_displacement64() as i64),
        None => Value::Unknown,
    }
}
