//! The effect of one instruction on the known values.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::super::access;
use super::Flow;
use super::state::{FRAME_POINTER, STACK_POINTER, State, Value, address, load, moved, whole};

impl Flow<'_> {
    /// Applies an instruction that is no jump and no call to the state.
    pub(super) fn step(&mut self, instruction: &Instruction, state: &mut State) {
        let value = self.result(instruction, state);
        match instruction.mnemonic() {
            Mnemonic::Push => {
                let moved = moved(state.registers[STACK_POINTER], -8);
                state.registers[STACK_POINTER] = moved;
                if let Value::Frame(origin, at) = moved {
                    state.store((origin, at), 8, value.unwrap_or(Value::Unknown));
                }
                return;
            }
            Mnemonic::Pop => {
                let top = state.registers[STACK_POINTER];
                state.registers[STACK_POINTER] = moved(top, 8);
                if let Some(register) = whole(instruction.op0_register()) {
                    state.registers[register] = value.unwrap_or(Value::Unknown);
                }
                return;
            }
            Mnemonic::Leave => {
                let frame = state.registers[FRAME_POINTER];
                state.registers[FRAME_POINTER] = load(state, frame);
                state.registers[STACK_POINTER] = moved(frame, 8);
                return;
            }
            _ => {}
        }
        if let Some(value) = value {
            if instruction.op0_kind() == OpKind::Register {
                if let Some(register) = whole(instruction.op0_register().full_register()) {
                    state.registers[register] = value;
                    return;
                }
            } else if let Value::Frame(origin, at) = address(instruction, state) {
                state.store((origin, at), 8, value);
                return;
            }
        }
        // Any other instruction: the values that it writes are unknown.
        let details = self.details.info(instruction);
        let written: Vec<usize> = details
            .used_registers()
            .iter()
            .filter(|used| access::writes(used.access()))
            .filter_map(|used| whole(used.register().full_register()))
            .collect();
        let to_memory = details.used_memory().iter().find(|used| access::writes(used.access()));
        if let Some(used) = to_memory
            && used.index() == Register::None
            && let Some(base) = whole(used.base())
            && let Value::Frame(origin, at) =
                moved(state.registers[base], used.displacement() as i64)
        {
            state.store((origin, at), used.memory_size().size() as i64, Value::Unknown);
        }
        for register in written {
            state.registers[register] = Value::Unknown;
        }
    }

    /// The 64-bit result of an instruction of a known kind.
    fn result(&self, instruction: &Instruction, state: &State) -> Option<Value> {
        let register = |register: Register| whole(register).map(|at| state.registers[at]);
        match instruction.mnemonic() {
            Mnemonic::Mov => match instruction.op1_kind() {
                OpKind::Register => register(instruction.op1_register()),
                OpKind::Immediate64 | OpKind::Immediate32to64 => {
                    Some(Value::Constant(instruction.immediate(1)))
                }
                // A write to the lower half clears the upper one.
                OpKind::Immediate32 if instruction.op0_register().is_gpr32() => {
                    Some(Value::Constant(u64::from(instruction.immediate32())))
                }
                OpKind::Memory
                    if instruction.op0_register().is_gpr64()
                        && instruction.memory_index() == Register::None =>
                {
                    Some(load(state, address(instruction, state)))
                }
                _ => None,
            },
            Mnemonic::Lea if instruction.op0_register().is_gpr64() => {
                if instruction.is_ip_rel_memory_operand() {
                    return Some(Value::Constant(instruction.ip_rel_memory_address()));
                }
                Some(address(instruction, state))
            }
            Mnemonic::Add | Mnemonic::Sub
                if instruction.op0_kind() == OpKind::Register
                    && matches!(
                        instruction.op1_kind(),
                        OpKind::Immediate8to64 | OpKind::Immediate32to64
                    ) =>
            {
                let by = instruction.immediate(1) as i64;
                let by =
                    if instruction.mnemonic() == Mnemonic::Add { by } else { by.wrapping_neg() };
                Some(moved(register(instruction.op0_register())?, by))
            }
            // A frame with coarser alignment: places in it are counted from here.
            Mnemonic::And if instruction.op0_register() == Register::RSP => {
                Some(Value::Frame(instruction.ip(), 0))
            }
            Mnemonic::Push => match instruction.op0_kind() {
                OpKind::Register => register(instruction.op0_register()),
                _ => None,
            },
            Mnemonic::Pop => Some(load(state, state.registers[STACK_POINTER])),
            _ => None,
        }
    }
}
