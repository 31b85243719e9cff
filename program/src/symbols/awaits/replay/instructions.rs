//! The instructions that are replayed exactly: what each does to registers, flags and memory.

use iced_x86::{ConditionCode, FlowControl, Instruction, Mnemonic, OpKind, Register};

use super::super::value::cut;
use super::arithmetic;
use super::machine::{Machine, Place, Step, Value};

impl Machine<'_> {
    /// Follows one instruction: where it goes on, and what it did. `None` if it is none of those
    /// that are known exactly, or if it reads or writes where it may not.
    pub(super) fn step(&mut self, one: &Instruction) -> Option<(u64, Step)> {
        self.begin(one);
        if one.has_lock_prefix() || one.has_rep_prefix() && one.mnemonic() != Mnemonic::Ret {
            return None;
        }
        let next = match one.flow_control() {
            FlowControl::Next => self.plain(one).map(|()| one.next_ip())?,
            FlowControl::ConditionalBranch => {
                let code = one.is_jcc_short_or_near().then(|| one.condition_code())?;
                self.step.always.push(Place::Flags);
                match self.flags.holds(code)? {
                    true => one.near_branch_target(),
                    false => one.next_ip(),
                }
            }
            FlowControl::UnconditionalBranch => one.near_branch_target(),
            FlowControl::IndirectBranch => self.target(one)?,
            FlowControl::Call => {
                self.push(Value { number: one.next_ip(), from: 0 })?;
                one.near_branch_target()
            }
            FlowControl::IndirectCall => {
                let target = self.target(one)?;
                self.push(Value { number: one.next_ip(), from: 0 })?;
                target
            }
            FlowControl::Return if one.op_count() == 0 => {
                let to = self.pop()?.number;
                self.decide();
                to
            }
            _ => return None,
        };
        Some((next, self.end()))
    }

    /// What the step has read so far decides where the code goes on.
    fn decide(&mut self) {
        let reads = self.step.reads.clone();
        self.step.always.extend(reads);
        self.step.decides = true;
    }

    fn target(&mut self, one: &Instruction) -> Option<u64> {
        let to = self.operand(one, 0)?.number;
        self.decide();
        Some(to)
    }

    fn plain(&mut self, one: &Instruction) -> Option<()> {
        use Mnemonic::{
            Cdq, Cdqe, Cqo, Endbr64, Lea, Leave, Mov, Movsx, Movsxd, Movzx, Nop, Pause, Pop, Push,
        };
        let size = |at: u32| size_of(one, at);
        match one.mnemonic() {
            Nop | Endbr64 | Pause => Some(()),
            Mov | Movzx => {
                let value = self.operand(one, 1)?;
                self.put(one, value)
            }
            Movsx | Movsxd => {
                let value = self.operand(one, 1)?;
                self.put(one, Value { number: cut(value.number, size(1)?, true), ..value })
            }
            Lea => {
                let value = self.address(one)?;
                self.put(one, value)
            }
            Cdqe => {
                let value = self.register(Register::EAX)?;
                self.set(Register::RAX, Value { number: cut(value.number, 4, true), ..value })
            }
            Cdq | Cqo => {
                let is_long = one.mnemonic() == Cqo;
                let (from, to) = match is_long {
                    true => (Register::RAX, Register::RDX),
                    false => (Register::EAX, Register::EDX),
                };
                let value = self.register(from)?;
                let sign = cut(value.number, from.size(), true) as i64 >> 63;
                self.set(to, Value { number: sign as u64, ..value })
            }
            Push => {
                let value = self.operand(one, 0).filter(|_| one.stack_pointer_increment() == -8)?;
                self.push(value)
            }
            Pop => {
                let value = self.pop().filter(|_| one.stack_pointer_increment() == 8)?;
                self.put(one, value)
            }
            Leave => {
                let frame = self.register(Register::RBP)?;
                self.set(Register::RSP, frame)?;
                let value = self.pop()?;
                self.set(Register::RBP, value)
            }
            _ => self.computes(one),
        }
    }

    /// An instruction that computes, sets flags, or depends on them.
    fn computes(&mut self, one: &Instruction) -> Option<()> {
        let mnemonic = one.mnemonic();
        let size = size_of(one, 0)?;
        let code = one.condition_code();
        if code != ConditionCode::None {
            self.step.reads.push(Place::Flags);
            let holds = self.flags.holds(code)?;
            if one.op_count() == 1 {
                return self.put(one, Value { number: holds.into(), from: 0 });
            }
            let (old, new) = (self.operand(one, 0)?, self.operand(one, 1)?);
            return self.put(one, if holds { new } else { old });
        }
        if matches!(mnemonic, Mnemonic::Div | Mnemonic::Idiv) {
            let by = self.operand(one, 0)?.number;
            let (low, high) = match size {
                4 => (Register::EAX, Register::EDX),
                8 => (Register::RAX, Register::RDX),
                _ => return None,
            };
            let of = (self.register(high)?.number, self.register(low)?.number);
            let (quotient, rest) = arithmetic::divide(of, by, size, mnemonic == Mnemonic::Idiv)?;
            self.set(low, Value { number: quotient, from: 0 })?;
            self.set(high, Value { number: rest, from: 0 })?;
            self.forget_flags();
            return Some(());
        }
        let is_register = one.op0_kind() == OpKind::Register && one.op1_kind() == OpKind::Register;
        let is_same = is_register && one.op0_register() == one.op1_register();
        let is_zero = is_same && matches!(mnemonic, Mnemonic::Xor | Mnemonic::Sub);
        let (left, right) = match one.op_count() {
            _ if is_zero => Default::default(),
            // The products of this form have two registers.
            1 if mnemonic == Mnemonic::Imul => return None,
            1 => (self.operand(one, 0)?, Value::default()),
            2 => (self.operand(one, 0)?, self.operand(one, 1)?),
            3 => (self.operand(one, 1)?, self.operand(one, 2)?),
            _ => return None,
        };
        let found = arithmetic::of(mnemonic, left.number, right.number, size, self.flags)?;
        if found.keeps_flags {
            self.step.reads.push(Place::Flags);
        }
        if mnemonic != Mnemonic::Not {
            self.step.writes.push(Place::Flags);
            self.flags = found.flags;
        }
        let from = if left.from != 0 { left.from } else { right.from };
        match found.result {
            Some(number) => self.put(one, Value { number, from }),
            None => Some(()),
        }
    }

    fn operand(&mut self, one: &Instruction, at: u32) -> Option<Value> {
        match one.op_kind(at) {
            OpKind::Register => self.register(one.op_register(at)),
            OpKind::Memory => self.load(one),
            _ => Some(Value { number: one.try_immediate(at).ok()?, from: 0 }),
        }
    }

    fn put(&mut self, one: &Instruction, value: Value) -> Option<()> {
        match one.op0_kind() {
            OpKind::Register => self.set(one.op0_register(), value),
            OpKind::Memory => {
                let read = self.step.reads.len();
                let address = self.address(one)?.number;
                let parts = self.step.reads.split_off(read);
                self.step.always.extend(parts);
                self.store(address, one.memory_size().size(), value)
            }
            _ => None,
        }
    }
}

/// The bytes of an operand.
fn size_of(one: &Instruction, at: u32) -> Option<usize> {
    match one.op_kind(at) {
        OpKind::Register => Some(one.op_register(at).size()),
        OpKind::Memory => Some(one.memory_size().size()),
        _ => None,
    }
}
