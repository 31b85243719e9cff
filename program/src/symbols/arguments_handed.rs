//! Finds the arguments of a call, from variables of the calling frame that have not changed since.

use std::cell::RefCell;

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpKind, Register};

use super::awaits::{Standing, dwarf};
use super::rounds::Rounds;
use super::{Symbols, access};

/// Registers that a function keeps for its caller, whatever it calls.
pub(super) const KEPT: [Register; 7] = [
    Register::RBX,
    Register::RSP,
    Register::RBP,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
];
/// The number of FS's base in DWARF: the address of a thread's own storage.
pub const FS_BASE: usize = 58;
/// Instructions that are followed for one value.
pub(super) const MOST_STEPS: usize = 32;

/// The place of a variable.
#[derive(Clone, Copy, PartialEq)]
enum Root {
    Register(Register),
    /// On the stack, at this distance from the address in that register.
    Slot(Register, u64),
}

/// The straight code in front of an instruction, and the frame that it is in.
pub(super) struct Values<'a> {
    pub(super) before: &'a [Instruction],
    pub(super) bias: u64,
    pub(super) standing: &'a Standing<'a>,
    /// Whether numbers of 32 bits, and constants, count too.
    pub(super) numbers: bool,
    /// Whether a register has kept its value since the straight code, if the frame has left that
    /// code.
    kept: Option<&'a dyn Fn(Register) -> bool>,
    /// The variables that values came from.
    roots: RefCell<Vec<Root>>,
}

impl Symbols {
    /// The first two arguments of the call that returns to `after`, from variables of the frame
    /// that calls; this frame goes on at `now`. `None` for an argument that the straight code in
    /// front of the call does not make of such variables, or if a way from the call to `now`
    /// writes one of them.
    pub(super) fn arguments_handed(
        &self,
        after: u64,
        now: u64,
        standing: &Standing<'_>,
    ) -> [Option<u64>; 2] {
        let of = [Register::RDI, Register::RSI];
        self.given_by_frame(after, now, standing, (of, false)).unwrap_or_default()
    }

    /// The first six arguments of the call in which the frame is now, and which returns to
    /// `after`.
    pub(super) fn numbers_handed(&self, after: u64, standing: &Standing<'_>) -> [Option<u64>; 6] {
        self.numbers_of_round(after, after, standing)
    }

    /// The first six arguments that the call which returns to `after` gets in a round of the loop
    /// in which the frame is now.
    pub(super) fn numbers_of_round(
        &self,
        after: u64,
        now: u64,
        standing: &Standing<'_>,
    ) -> [Option<u64>; 6] {
        use Register::{R8, R9, RCX, RDI, RDX, RSI};
        let of = ([RDI, RSI, RDX, RCX, R8, R9], true);
        self.given_by_frame(after, now, standing, of).unwrap_or_default()
    }

    fn given_by_frame<const N: usize>(
        &self,
        after: u64,
        now: u64,
        standing: &Standing<'_>,
        (registers, numbers): ([Register; N], bool),
    ) -> Option<[Option<u64>; N]> {
        let (image, bias) = self.image(after)?;
        let address = after.wrapping_sub(bias);
        let rounds = Rounds::with(image, address.wrapping_sub(1))?;
        let behind = |after: u64| rounds.instructions.iter().position(|at| at.next_ip() == after);
        let call = behind(address)?;
        let now = now.wrapping_sub(bias);
        // For a running thread, `now` is the next instruction.
        let next = || rounds.instructions.iter().position(|at| at.ip() == now);
        let stands = behind(now).or_else(next)?;
        let is_straight = |one: &&Instruction| one.flow_control() == FlowControl::Next;
        let straight = rounds.instructions[..call].iter().rev().take_while(is_straight).count();
        let before = &rounds.instructions[call - straight..call];
        let value = |register: Register| {
            let values = Values::new((before, bias), standing, numbers, None);
            let value = values.of(register, before.len(), MOST_STEPS)?;
            values.stay(&rounds, call, stands).then_some(value)
        };
        Some(registers.map(value))
    }
}

/// Whether no way from the instruction `from` to `stands` writes the register.
pub(super) fn keeps(rounds: &Rounds, register: Register, from: usize, stands: usize) -> bool {
    stays(rounds, Root::Register(register), from, stands) == Some(true)
}

/// Whether no way from the instruction `call` to `stands` writes the variable.
fn stays(rounds: &Rounds, root: Root, call: usize, stands: usize) -> Option<bool> {
    if call == stands {
        return Some(true);
    }
    let mut info = InstructionInfoFactory::new();
    let between = rounds.reach(call, &[call, stands])?;
    for at in (0..between.len()).filter(|at| between[*at]) {
        let one = &rounds.instructions[at];
        if writes(&mut info, one, root) && rounds.reach(at, &[call])?[stands] {
            return Some(false);
        }
    }
    Some(true)
}

fn writes(info: &mut InstructionInfoFactory, one: &Instruction, root: Root) -> bool {
    // A call takes its return address off the stack again.
    if matches!(one.flow_control(), FlowControl::Call | FlowControl::IndirectCall) {
        return matches!(root, Root::Register(register) if !KEPT.contains(&register));
    }
    let used = info.info(one);
    match root {
        Root::Register(register) => used
            .used_registers()
            .iter()
            .any(|it| access::writes(it.access()) && it.register().full_register() == register),
        Root::Slot(base, at) => used.used_memory().iter().any(|it| {
            let is_it = it.base() == base && it.displacement() == at;
            access::writes(it.access())
                && (is_it || it.index() != Register::None && it.base() == base)
        }),
    }
}

impl<'a> Values<'a> {
    /// `code`: the straight code, and the distance of its addresses from those of the process.
    pub(super) fn new(
        (before, bias): (&'a [Instruction], u64),
        standing: &'a Standing<'a>,
        numbers: bool,
        kept: Option<&'a dyn Fn(Register) -> bool>,
    ) -> Values<'a> {
        Values { before, bias, standing, numbers, kept, roots: RefCell::default() }
    }

    /// Whether no way from the instruction `from` to `stands` writes a variable that a value came
    /// from.
    pub(super) fn stay(&self, rounds: &Rounds, from: usize, stands: usize) -> bool {
        let stays = |root: &Root| stays(rounds, *root, from, stands) == Some(true);
        self.roots.borrow().iter().all(stays)
    }

    /// The value of a register in front of the instruction `at`.
    fn of(&self, register: Register, at: usize, left: usize) -> Option<u64> {
        let left = left.checked_sub(1)?;
        let mut info = InstructionInfoFactory::new();
        let mut is_written = |one: &Instruction| writes(&mut info, one, Root::Register(register));
        if self.kept.is_some_and(|kept| kept(register))
            && !self.before[at..].iter().any(&mut is_written)
        {
            return (self.standing.register)(dwarf(register.number()));
        }
        let written = self.before[..at].iter().rposition(&mut is_written);
        // The frame's pointers keep the values that the function's first instructions give them.
        let is_frames = |at: usize| {
            let one = &self.before[at];
            let is_base = one.mnemonic() == Mnemonic::Mov && one.op1_register() == Register::RSP;
            register == Register::RSP || register == Register::RBP && is_base
        };
        let Some(at) = written.filter(|at| !is_frames(*at)) else {
            if !KEPT.contains(&register) {
                return None;
            }
            self.roots.borrow_mut().push(Root::Register(register));
            let value = (self.standing.register)(dwarf(register.number()))?;
            return match register {
                Register::RSP => Some(value.wrapping_add(self.lowered(at)?)),
                _ => Some(value),
            };
        };
        let one = &self.before[at];
        if self.numbers && one.op0_register().full_register() == register {
            return self.number(one, at, left);
        }
        if one.op0_register() != register {
            return None;
        }
        match (one.mnemonic(), one.op1_kind()) {
            (Mnemonic::Mov, OpKind::Register) => {
                let from = one.op1_register();
                if from.is_gpr64() { self.of(from, at, left) } else { None }
            }
            (Mnemonic::Mov, OpKind::Memory) => self.slot(one, at, left),
            (Mnemonic::Lea, _) => self.place(one, at, left),
            (Mnemonic::Add, OpKind::Immediate8to64 | OpKind::Immediate32to64) => {
                Some(self.of(register, at, left)?.wrapping_add(one.immediate(1)))
            }
            (Mnemonic::Add, OpKind::Register) => {
                let more = self.of(one.op1_register(), at, left)?;
                Some(self.of(register, at, left)?.wrapping_add(more))
            }
            _ => None,
        }
    }

    /// The value of a register behind an instruction that sets all of it.
    fn number(&self, one: &Instruction, at: usize, left: usize) -> Option<u64> {
        let to = one.op0_register();
        let value = match (one.mnemonic(), one.op1_kind()) {
            (Mnemonic::Mov, OpKind::Register) => {
                let from = one.op1_register();
                from.is_gpr().then(|| self.of(from.full_register(), at, left))??
            }
            (Mnemonic::Mov, OpKind::Memory) => self.slot(one, at, left)?,
            (Mnemonic::Mov, _) => one.try_immediate(1).ok()?,
            (Mnemonic::Xor, _) if one.op1_register() == to => 0,
            (Mnemonic::Lea, _) => self.place(one, at, left)?,
            _ => return None,
        };
        match to.size() {
            8 => Some(value),
            4 => Some(value & u64::from(u32::MAX)),
            _ => None,
        }
    }

    /// By how much the code from the instruction `at` to the call lowers the stack pointer, for
    /// arguments on the stack. `None` if the code does not show that.
    fn lowered(&self, at: usize) -> Option<u64> {
        let mut info = InstructionInfoFactory::new();
        let mut lowered = 0u64;
        for one in &self.before[at..] {
            if !writes(&mut info, one, Root::Register(Register::RSP)) {
                continue;
            }
            let by = match one.mnemonic() {
                Mnemonic::Push => 8,
                Mnemonic::Sub => one.try_immediate(1).ok()?,
                Mnemonic::Add => one.try_immediate(1).ok()?.wrapping_neg(),
                _ => return None,
            };
            lowered = lowered.wrapping_add(by);
        }
        Some(lowered)
    }

    /// The value of a variable on the stack. Memory elsewhere counts only for numbers, since other
    /// threads may have written it.
    fn slot(&self, one: &Instruction, at: usize, left: usize) -> Option<u64> {
        // The storage that FS points to begins with its own address.
        let is_first = one.memory_base() == Register::None && one.memory_displacement64() == 0;
        if one.segment_prefix() == Register::FS && is_first {
            return (self.standing.register)(FS_BASE);
        }
        let base = one.memory_base();
        let is_own = [Register::RBP, Register::RSP].contains(&base);
        let address = self.place(one, at, left).filter(|_| is_own || self.numbers)?;
        if one.memory_index() != Register::None {
            return None;
        }
        if !is_own {
            return (self.standing.read)(address, 8);
        }
        self.roots.borrow_mut().push(Root::Slot(base, one.memory_displacement64()));
        (self.standing.read)(address, 8)
    }

    /// The address of the operand in memory of the instruction `at`.
    pub(super) fn operand(&self, at: usize) -> Option<u64> {
        self.place(&self.before[at], at, MOST_STEPS)
    }

    /// The address of the instruction's operand in memory.
    pub(super) fn place(&self, one: &Instruction, at: usize, left: usize) -> Option<u64> {
        if one.is_ip_rel_memory_operand() {
            return Some(one.ip_rel_memory_address().wrapping_add(self.bias));
        }
        if one.segment_prefix() != Register::None {
            return None;
        }
        let part = |register: Register| match register {
            Register::None => Some(0),
            register => self.of(register, at, left),
        };
        let scale = u64::from(one.memory_index_scale());
        let index = part(one.memory_index())?.wrapping_mul(scale);
        let base = part(one.memory_base())?;
        Some(base.wrapping_add(index).wrapping_add(one.memory_displacement64()))
    }
}
