//! Finds the loops around a place, whatever they do, and the memory that their exits compare. A
//! loop that does more than wait may end by itself, so this memory only says what the loop looks
//! at.

use iced_x86::{FlowControl, InstructionInfoFactory};

use super::super::Symbols;
use super::super::rounds::Rounds;
use super::Standing;
use super::effects::Effects;
use super::getters::Code;
use super::pure::{Cell, Pure};

/// A loop around a place in the code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopAround {
    /// Its first instruction.
    pub head: u64,
    /// The instructions that read memory for a condition by which the loop ends, and this memory.
    pub reads: Vec<(u64, Cell)>,
    /// Its instructions, if none of them writes memory or calls a function; else empty.
    pub silent: Vec<u64>,
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
            let loop_around = Pure::of(&rounds, of, &all, standing, bias, false, &code).around();
            found.retain(|known| known.head != loop_around.head);
            found.push(loop_around);
        }
        found
    }
}

impl Pure<'_> {
    fn around(&self) -> LoopAround {
        let members: Vec<usize> = (0..self.all.len()).filter(|at| self.is_inside(*at)).collect();
        let is_end = |at: &&usize| {
            self.one(**at).flow_control() == FlowControl::ConditionalBranch && self.is_exit(**at)
        };
        let mut reads: Vec<(u64, Cell)> = Vec::new();
        for at in members.iter().filter(is_end).flat_map(|at| self.compared(*at)) {
            let read = self.place(at, 0).map(|cell| (self.address(at), cell));
            reads.extend(read.filter(|read| !reads.contains(read)));
        }
        let acts = |at: &usize| self.all[*at].stores || self.all[*at].calls;
        let silent = match members.iter().any(acts) {
            true => Vec::new(),
            false => members.iter().map(|at| self.address(*at)).collect(),
        };
        LoopAround { head: self.address(self.of.head), reads, silent }
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
