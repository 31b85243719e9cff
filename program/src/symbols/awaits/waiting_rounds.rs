//! Recognises loops in whose rounds threads wait for each other: each round repeats the last one,
//! except for inner loops that wait until a number has grown.
//!
//! An inner loop of this kind writes nothing: each round of the outer loop writes the same numbers
//! to the same places in the same order, however long a thread waits inside. A called function of
//! the program counts as an inner loop if it only counts and waits.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic,
};
use iced_x86::{OpKind, Register};

use super::super::access;
use super::super::image::Image;
use super::effects::number;
use super::pure::Pure;
use super::value::{cut, immediate};

/// The bytes of a function that only counts and waits, at most.
const LONGEST: u64 = 512;

impl Pure<'_> {
    /// Whether a jump only decides how long an inner loop goes on, and that loop writes nothing.
    pub(super) fn only_waits(&self, jump: usize) -> bool {
        let mut next = Vec::new();
        if self.rounds.follow(jump, &mut next).is_none() {
            return false;
        }
        let forth = self.reached(next, &|at, todo| _ = self.rounds.follow(at, todo));
        let back = self.reached(self.before(jump), &|at, todo| todo.extend(self.before(at)));
        let round = (0..self.all.len()).filter(|at| forth[*at] && back[*at]);
        let round: Vec<usize> = round.collect();
        let writes = |at: &usize| self.all[*at].stores || self.all[*at].meets;
        round.contains(&jump) && !round.iter().any(writes)
    }

    /// The instructions that are reached within the loop without a new round.
    fn reached(&self, from: Vec<usize>, step: &dyn Fn(usize, &mut Vec<usize>)) -> Vec<bool> {
        let mut seen = vec![false; self.all.len()];
        let mut todo = from;
        while let Some(at) = todo.pop() {
            if self.is_inside(at) && at != self.of.head && !std::mem::replace(&mut seen[at], true) {
                step(at, &mut todo);
            }
        }
        seen
    }

    /// The number that an instruction writes into memory, if the number is the same in every round.
    pub(super) fn number(&self, at: usize) -> Option<u64> {
        let one = self.one(at);
        if !matches!(one.mnemonic(), Mnemonic::Mov | Mnemonic::Xchg) {
            return None;
        }
        let register = [one.op0_register(), one.op1_register()].into_iter().find_map(number);
        let value = match register {
            None => immediate(one)?,
            Some(register) => self.value(at, register, 0)?,
        };
        Some(cut(value, one.memory_size().size(), false))
    }
}

/// Whether the function that starts there only counts and waits: it calls nothing, and it writes
/// only its own part of the stack, or adds to a number in one instruction.
pub(super) fn only_meets(image: &Image, start: u64) -> bool {
    let Some((start, end)) = image.function_bounds(start) else { return false };
    let Some(length) = end.checked_sub(start).filter(|length| *length <= LONGEST) else {
        return false;
    };
    let code = image.code_before(end, length);
    let decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
    let instructions: Vec<Instruction> = decoder.into_iter().collect();
    let mut info = InstructionInfoFactory::new();
    let has_frame = instructions.iter().any(|one| {
        one.mnemonic() == Mnemonic::Mov
            && (one.op0_register(), one.op1_register()) == (Register::RBP, Register::RSP)
    });
    let is_inside = |one: &Instruction| (start..end).contains(&one.near_branch_target());
    let is_harmless = |one: &Instruction| {
        let flow = match one.flow_control() {
            FlowControl::Next | FlowControl::Return => true,
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => is_inside(one),
            _ => false,
        };
        let counts = one.has_lock_prefix()
            && matches!(one.mnemonic(), Mnemonic::Add | Mnemonic::Inc | Mnemonic::Xadd);
        let memory = info.info(one).used_memory().to_vec();
        let writes = memory.iter().filter(|at| access::writes(at.access()));
        let is_own = |base: Register| base == Register::RSP || has_frame && base == Register::RBP;
        let is_string = one.op_kinds().any(|kind| {
            matches!(kind, OpKind::MemoryESDI | OpKind::MemoryESEDI | OpKind::MemoryESRDI)
        });
        flow && !is_string && (counts || writes.into_iter().all(|at| is_own(at.base())))
    };
    !instructions.is_empty() && instructions.iter().all(is_harmless)
}
