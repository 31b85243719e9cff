//! Handles functions of the program that a loop calls in each round and that only read, for
//! `pure.rs`. The result of such a function is decided in the same way as the loop's own reads.
//!
//! What must hold for such a function: it writes only its own part of the stack, and calls only
//! such functions and those that are known to be harmless. Everything that it reads for its result
//! is at a known place, which no round of the loop writes.

use std::cell::RefCell;
use std::collections::HashMap;

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpKind, Register};

use super::super::access;
use super::super::image::Image;
use super::super::rounds::Rounds;
use super::effects::{Effects, STACK_POINTER, from_dwarf};
use super::pure::Pure;
use super::{Called, Standing, waiting_rounds};

/// The depth of nested functions that are followed.
const DEEPEST: u32 = 6;
/// The instructions of one such function, at most.
const LONGEST: usize = 256;

/// The code around a loop, and the known facts about functions of other modules.
pub(super) struct Code<'a> {
    pub(super) image: &'a Image,
    pub(super) called: &'a dyn Fn(&str) -> Option<Called>,
    /// By a function's start address: whether the function only reads.
    known: RefCell<HashMap<u64, bool>>,
}

impl<'a> Code<'a> {
    pub(super) fn new(image: &'a Image, called: &'a dyn Fn(&str) -> Option<Called>) -> Code<'a> {
        Code { image, called, known: RefCell::default() }
    }

    /// Records the known effects of a call, or of a jump out of the function. `None` if the called
    /// function may change the program's memory.
    pub(super) fn mark(
        &self,
        one: &Instruction,
        effects: &mut Effects,
        meets: bool,
        depth: u32,
    ) -> Option<()> {
        let own = self.image.own_callee(one.next_ip());
        let name = self.image.ends_in(one.next_ip(), 0);
        let known = name.and_then(|name| (self.called)(&name));
        // A function of the program's that only calls such a function may write by itself.
        let known = known.filter(|_| own.is_none_or(|to| !self.writes_elsewhere(to, 0)));
        effects.asks = known == Some(Called::AsksOthers);
        effects.meets = known.is_none() && meets && own.is_some_and(|to| self.meets(to));
        if !effects.asks && !effects.meets {
            effects.gets = own.filter(|to| self.only_reads(*to, depth + 1));
        }
        (known.is_some() || effects.meets || effects.gets.is_some()).then_some(())
    }

    /// Whether a function, or one that it calls, writes more than its own part of the stack.
    fn writes_elsewhere(&self, start: u64, depth: u32) -> bool {
        let Some(rounds) = Rounds::with(self.image, start).filter(|_| depth <= DEEPEST) else {
            return true;
        };
        let has_frame = rounds.instructions.iter().any(sets_frame);
        let mut info = InstructionInfoFactory::new();
        rounds.instructions.iter().any(|one| {
            let is_out = !rounds.places.contains_key(&one.near_branch_target());
            let called = self.image.own_callee(one.next_ip()).filter(|_| is_out);
            Effects::of(&mut info, one).stores && !is_own(&mut info, one, has_frame)
                || called.is_some_and(|to| self.writes_elsewhere(to, depth + 1))
        })
    }

    fn meets(&self, start: u64) -> bool {
        waiting_rounds::only_meets(self.image, start)
    }

    fn only_reads(&self, start: u64, depth: u32) -> bool {
        if depth > DEEPEST {
            return false;
        }
        if let Some(known) = self.known.borrow().get(&start) {
            return *known;
        }
        // A function that calls itself counts as one that does more than read.
        self.known.borrow_mut().insert(start, false);
        let reads = self.function(start, depth).is_some();
        self.known.borrow_mut().insert(start, reads);
        reads
    }

    /// Returns the instructions of the function that starts at `start` and their effects. `None` if
    /// the function does more than read.
    fn function(&self, start: u64, depth: u32) -> Option<(Rounds, Vec<Effects>)> {
        let rounds = Rounds::with(self.image, start)?;
        if rounds.instructions.len() > LONGEST {
            return None;
        }
        let mut info = InstructionInfoFactory::new();
        let mut all = Vec::new();
        let has_frame = rounds.instructions.iter().any(sets_frame);
        for one in &rounds.instructions {
            let mut effects = Effects::of(&mut info, one);
            let is_out = !rounds.places.contains_key(&one.near_branch_target());
            match one.flow_control() {
                FlowControl::Next | FlowControl::Return => {}
                FlowControl::ConditionalBranch if !is_out => {}
                FlowControl::UnconditionalBranch if !is_out => {}
                FlowControl::Call if rounds.ends(one) => {}
                FlowControl::UnconditionalBranch | FlowControl::Call => {
                    self.mark(one, &mut effects, false, depth)?;
                }
                FlowControl::Exception | FlowControl::Interrupt => {}
                _ => return None,
            }
            // `Effects` does not count the return address that a call writes.
            if effects.stores && !is_own(&mut info, one, has_frame) {
                return None;
            }
            all.push(effects);
        }
        Some((rounds, all))
    }
}

/// Whether an instruction makes the frame pointer the stack pointer.
fn sets_frame(one: &Instruction) -> bool {
    one.mnemonic() == Mnemonic::Mov
        && (one.op0_register(), one.op1_register()) == (Register::RBP, Register::RSP)
}

/// Whether an instruction writes only the function's own part of the stack.
fn is_own(info: &mut InstructionInfoFactory, one: &Instruction, has_frame: bool) -> bool {
    let is_string = one
        .op_kinds()
        .any(|kind| matches!(kind, OpKind::MemoryESDI | OpKind::MemoryESEDI | OpKind::MemoryESRDI));
    let memory = info.info(one).used_memory().to_vec();
    let mut writes = memory.iter().filter(|at| access::writes(at.access()));
    !is_string
        && !one.has_lock_prefix()
        && writes.all(|at| at.base() == Register::RSP || has_frame && at.base() == Register::RBP)
}

impl Pure<'_> {
    /// Checks that the result of the function that instruction `at` calls is decided. `None` if
    /// not. `way`: as for `Pure::inputs`.
    pub(super) fn answer(&mut self, at: usize, way: &mut Vec<usize>) -> Option<()> {
        let (code, start) = (self.code, self.all[at].gets?);
        let is_call = self.one(at).flow_control() == FlowControl::Call;
        let (rounds, all) = code.function(start, self.depth + 1)?;
        let of = rounds.whole()?;
        let register = |number: usize| {
            let register = from_dwarf(number);
            let value = self.value(at, register, 0)?;
            let below = if is_call && register == STACK_POINTER { 8 } else { 0 };
            Some(value.wrapping_sub(below))
        };
        let standing = Standing { register: &register, read: self.standing.read };
        let mut inner = Pure::of(&rounds, &of, &all, &standing, self.bias, false, code);
        inner.depth = self.depth + 1;
        let (reads, entered) = inner.answers()?;
        // The place of the memory that the function reads must be known: the loop may write there.
        if self.depth > DEEPEST || reads.iter().any(|(_, cell)| cell.is_none()) {
            return None;
        }
        self.asks_at.get_or_insert(at);
        self.reads.extend(reads);
        for register in entered {
            self.input(at, register, way)?;
        }
        Some(())
    }
}
