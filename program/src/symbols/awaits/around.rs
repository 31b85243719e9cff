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
    /// Its instructions, if none of them writes memory or calls a function, and each of its ends
    /// depends on data that each round reads from another place: the next node of a list, say. Else
    /// empty. (A loop that counts in a register comes to its end.)
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
        let mut is_silent = !members.iter().any(|at| self.all[*at].stores || self.all[*at].calls);
        for end in members.iter().filter(is_end) {
            let mut follows_data = false;
            for at in self.compared(*end) {
                let read = self.place(at, 0).map(|cell| (self.address(at), cell));
                follows_data |= read.is_none();
                reads.extend(read.filter(|read| !reads.contains(read)));
            }
            is_silent &= follows_data;
        }
        let silent = match is_silent {
            true => members.iter().map(|at| self.address(*at)).collect(),
            false => Vec::new(),
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
