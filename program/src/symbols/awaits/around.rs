//! Finds the loops around a place, whatever they do, and the memory that their exits compare. A
//! loop that does more than wait may end by itself, so this memory only says what the loop looks
//! at.

use iced_x86::{FlowControl, InstructionInfoFactory};

use super::super::Symbols;
use super::super::rounds::{Loop, Rounds};
use super::Standing;
use super::effects::{Effects, dwarf};
use super::getters::Code;
use super::pure::{Cell, Pure};

/// A loop around a place in the code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopAround {
    /// Its first instruction.
    pub head: u64,
    /// The instructions that read memory for a condition by which the loop ends, and this memory.
    pub reads: Vec<(u64, Cell)>,
    /// No instruction leads out of it: it has no end, and calls nothing that could end it.
    pub endless: bool,
    /// Its silent rounds, if the place is in them.
    pub silent: Option<SilentRounds>,
}

/// The rounds of a loop that write no memory and call nothing, if each way out of them depends on
/// data that each round reads from another place: the next node of a list, say. (A loop that counts
/// in a register comes to its end.)
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SilentRounds {
    /// Their instructions.
    pub code: Vec<u64>,
    /// The instructions that read the data on which the ways out depend.
    pub compared: Vec<u64>,
    /// Registers that stay as they are, by DWARF's numbers.
    pub kept: Vec<usize>,
}

impl Symbols {
    /// The loops around a place in the code, smallest first, one for each head.
    pub fn loops_around(&self, address: u64, standing: &Standing<'_>) -> Vec<LoopAround> {
        let Some((image, bias)) = self.image(address) else { return Vec::new() };
        let Some(rounds) = Rounds::with(image, address.wrapping_sub(bias)) else {
            return Vec::new();
        };
        let loops = rounds.loops();
        let mut info = InstructionInfoFactory::new();
        let all = rounds.instructions.iter().map(|one| Effects::of(&mut info, one));
        let all: Vec<Effects> = all.collect();
        let code = Code::new(image, &|_| None);
        let mut found: Vec<LoopAround> = Vec::new();
        for of in &loops {
            let whole = Pure::of(&rounds, of, &all, standing, bias, false, &code);
            let mut loop_around = whole.around();
            let quiet = whole.quiet(rounds.place());
            let quiet = quiet.map(|of| {
                Pure::of(&rounds, &of, &all, standing, bias, false, &code).silent_rounds()
            });
            loop_around.silent = quiet.flatten();
            found.retain(|known| known.head != loop_around.head);
            found.push(loop_around);
        }
        found
    }
}

impl Pure<'_> {
    fn around(&self) -> LoopAround {
        let mut reads: Vec<(u64, Cell)> = Vec::new();
        for at in self.ends().flat_map(|end| self.compared(end)) {
            let read = self.place(at, 0).map(|cell| (self.address(at), cell));
            reads.extend(read.filter(|read| !reads.contains(read)));
        }
        let endless = self.is_endless();
        LoopAround { head: self.address(self.of.head), reads, endless, silent: None }
    }

    fn is_endless(&self) -> bool {
        let stays = |at: usize| {
            let mut next = Vec::new();
            let ways = match self.one(at).flow_control() {
                FlowControl::ConditionalBranch | FlowControl::XbeginXabortXend => 2,
                _ => 1,
            };
            self.rounds.follow(at, &mut next).is_some()
                && next.len() == ways
                && next.iter().all(|to| self.is_inside(*to))
        };
        self.members().all(|at| !self.all[at].calls && stays(at))
    }

    /// The conditional jumps by which the loop may end.
    fn ends(&self) -> impl Iterator<Item = usize> {
        let is_jump = |at: &usize| self.one(*at).flow_control() == FlowControl::ConditionalBranch;
        self.members().filter(move |at| is_jump(at) && self.is_exit(*at))
    }

    fn members(&self) -> impl Iterator<Item = usize> {
        (0..self.all.len()).filter(|at| self.is_inside(*at))
    }

    /// The part of the loop in which rounds write no memory and call nothing, if the instruction
    /// `place` is in it.
    fn quiet(&self, place: usize) -> Option<Loop> {
        let acts = |at: usize| self.all[at].stores || self.all[at].calls;
        let is_quiet = |at: usize| self.is_inside(at) && !acts(at);
        // Each round begins with the head.
        if acts(self.of.head) {
            return None;
        }
        // From the head back to the head: what is behind the head, and in front of it.
        let reached = |next: &dyn Fn(usize) -> Vec<usize>| {
            let mut seen = vec![false; self.all.len()];
            let mut todo = vec![self.of.head];
            while let Some(at) = todo.pop() {
                for to in next(at).into_iter().filter(|to| is_quiet(*to)) {
                    if !std::mem::replace(&mut seen[to], true) {
                        todo.push(to);
                    }
                }
            }
            seen
        };
        let forth = reached(&|at| {
            let mut next = Vec::new();
            self.rounds.follow(at, &mut next).map_or_else(Vec::new, |()| next)
        });
        let back = reached(&|at| self.of.back[at].clone());
        let inside: Vec<bool> = forth.into_iter().zip(back).map(|(one, two)| one && two).collect();
        inside[place].then(|| self.of.part(inside))
    }

    fn silent_rounds(&self) -> Option<SilentRounds> {
        let mut compared: Vec<u64> = Vec::new();
        for end in self.ends() {
            let all = self.compared(end).into_iter();
            let moves: Vec<usize> = all.filter(|at| self.place(*at, 0).is_none()).collect();
            if moves.is_empty() {
                return None;
            }
            compared.extend(moves.into_iter().map(|at| self.address(at)));
        }
        // Rounds that nothing leads out of read nothing that could end them.
        if compared.is_empty() {
            return None;
        }
        compared.sort_unstable();
        compared.dedup();
        let code = self.members().map(|at| self.address(at)).collect();
        let kept = (0..16).filter(|register| !self.is_changed(*register)).map(dwarf).collect();
        Some(SilentRounds { code, compared, kept })
    }

    fn address(&self, at: usize) -> u64 {
        self.one(at).ip().wrapping_add(self.bias)
    }

    /// The instructions that load what a jump's condition compares.
    fn compared(&self, jump: usize) -> Vec<usize> {
        let wanted = self.one(jump).rflags_read();
        let sets = |at: usize| self.one(at).rflags_modified() & wanted != 0 || self.all[at].calls;
        let mut found = Vec::new();
        for from in self.behind(jump, &sets).from {
            if self.all[from].loads {
                found.push(from);
                continue;
            }
            for register in &self.all[from].reads {
                let sources = self.written(from, *register).from.into_iter();
                found.extend(sources.filter(|at| self.all[*at].loads));
            }
        }
        found
    }
}
