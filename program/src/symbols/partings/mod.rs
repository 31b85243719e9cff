//! Finds the branches at which the ways through a function part. On one side of such a branch the
//! ways still come to certain calls (that give a lock back, say, or come to a barrier). On the
//! other side they never do. `look/bypasses` of `inspect` asks for these branches.
//!
//! What must hold: a side is named only if no way through the code leads from this side to such a
//! call, and some way leads from it out of the function, or back to where the ways began. Functions
//! whose code does not show all ways (tables of a `switch`) are left out.

mod leaves;
mod sides;

use iced_x86::{Code, FlowControl, Instruction, Mnemonic, OpKind, Register};

use super::Symbols;
use super::image::Image;
use super::rounds::Rounds;
pub use leaves::Leaving;

/// A branch at which ways part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parting {
    /// The branch's address.
    pub branch: u64,
    /// The instructions that only the side that never comes to the calls leads to.
    pub side: Vec<u64>,
}

/// The ways that are considered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ways<'a> {
    /// The ways begin behind the call that returns here. `None`: they begin at the function's
    /// start, and behind each of the calls `to`.
    pub from: Option<u64>,
    /// Return addresses of the calls that the ways should come to.
    pub to: &'a [u64],
    /// Return addresses of calls at which a way ends.
    pub ends: &'a [u64],
    /// Ways out of the function do not count, only those to the ends.
    pub only_to_ends: bool,
    /// The result of the call `from` if that call has failed. Ways with this result do not count.
    pub failed: Option<Answer>,
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// 0.
    Zero,
    /// Another number.
    Other,
}

/// The depth to which functions that never return are followed.
const DEEPEST: u32 = 3;
/// Instructions behind a call in which its result is checked.
const NEAREST: usize = 6;

/// The ways of one function.
pub(super) struct Graph<'a> {
    rounds: &'a Rounds,
    next: Vec<Vec<usize>>,
    is_out: Vec<bool>,
}

impl Symbols {
    /// The places where the ways part in the function around `address`.
    pub fn partings(&self, address: u64, ways: &Ways<'_>) -> Vec<Parting> {
        self.parted(address, ways, false).unwrap_or_default()
    }

    /// The places where the ways part within one round of the loops around the calls. On one side
    /// the round comes to the calls; on the other side the next round begins, or the loop ends,
    /// without them.
    pub fn partings_of_rounds(&self, address: u64, ways: &Ways<'_>) -> Vec<Parting> {
        self.parted(address, ways, true).unwrap_or_default()
    }

    fn parted(&self, address: u64, ways: &Ways<'_>, by_rounds: bool) -> Option<Vec<Parting>> {
        let (image, bias) = self.image(address)?;
        let rounds = Rounds::with(image, address.wrapping_sub(bias))?;
        let place = |after: &u64| {
            let after = after.wrapping_sub(bias);
            // The address may be the end of inlined code, within an instruction.
            rounds.instructions.iter().position(|at| at.ip() < after && at.next_ip() >= after)
        };
        let to: Vec<usize> = ways.to.iter().filter_map(place).collect();
        let ends: Vec<usize> = ways.ends.iter().filter_map(place).collect();
        let mut graph = Graph::of(image, &rounds)?;
        let mut found = Vec::new();
        if by_rounds {
            for at in &to {
                let after = rounds.instructions[*at].next_ip();
                for head in Rounds::around(image, after)?.loops().iter().map(|one| one.head) {
                    found.extend(sides::find(&graph, &[head], &to, &[&ends[..], &[head]].concat()));
                }
            }
        } else {
            let from = match &ways.from {
                Some(after) => place(after)?,
                None => 0,
            };
            if let Some(answer) = ways.failed {
                graph.cut_failed(from, answer);
            }
            let mut starts = vec![from];
            match ways.from {
                Some(_) => starts = graph.next[from].clone(),
                None => starts.extend(to.iter().flat_map(|at| graph.next[*at].iter())),
            }
            if ways.only_to_ends {
                graph.is_out.fill(false);
            }
            found = sides::find(&graph, &starts, &to, &ends);
        }
        let address = |at: usize| rounds.instructions[at].ip().wrapping_add(bias);
        let parting = |(branch, side): (usize, Vec<usize>)| Parting {
            branch: address(branch),
            side: side.into_iter().map(address).collect(),
        };
        let mut found: Vec<Parting> = found.into_iter().map(parting).collect();
        found.sort_by_key(|parting| parting.branch);
        found.dedup();
        Some(found)
    }
}

impl<'a> Graph<'a> {
    fn of(image: &Image, rounds: &'a Rounds) -> Option<Graph<'a>> {
        let count = rounds.instructions.len();
        let (mut next, mut is_out) = (vec![Vec::new(); count], vec![false; count]);
        for at in 0..count {
            let one = &rounds.instructions[at];
            let calls_end = one.flow_control() == FlowControl::Call
                && image.own_callee(one.next_ip()).is_some_and(|to| never_ends(image, to, 0));
            if calls_end {
                continue;
            }
            rounds.follow(at, &mut next[at])?;
            next[at].retain(|to| *to < count);
            is_out[at] = match one.flow_control() {
                FlowControl::Return => true,
                // A jump to another function stands for its call.
                FlowControl::UnconditionalBranch => next[at].is_empty() && !is_part(image, one),
                _ => false,
            };
        }
        Some(Graph { rounds, next, is_out })
    }

    /// Leaves out the way on which the call has failed, if the code checks the call's result right
    /// behind the call.
    fn cut_failed(&mut self, call: usize, failed: Answer) {
        let mut stored: Option<Instruction> = None;
        let is_answer = |register: Register| register.full_register() == Register::RAX;
        let mut asked = false;
        for at in (call + 1..self.next.len()).take(NEAREST) {
            let one = self.rounds.instructions[at];
            let is_kept = |kept: &Instruction| {
                one.op0_kind() == OpKind::Memory
                    && one.memory_base() == kept.memory_base()
                    && one.memory_displacement64() == kept.memory_displacement64()
            };
            match one.flow_control() {
                FlowControl::Next => match one.mnemonic() {
                    Mnemonic::Test if is_answer(one.op0_register()) => asked = true,
                    Mnemonic::Cmp => {
                        let is_it =
                            is_answer(one.op0_register()) || stored.as_ref().is_some_and(is_kept);
                        asked = is_it && matches!(one.try_immediate(1), Ok(0));
                    }
                    Mnemonic::Mov if is_answer(one.op1_register()) => stored = Some(one),
                    _ => {}
                },
                FlowControl::ConditionalBranch if asked => {
                    let target = self.rounds.places.get(&one.near_branch_target()).copied();
                    let on_zero = match one.mnemonic() {
                        Mnemonic::Je => target,
                        Mnemonic::Jne => Some(at + 1),
                        _ => return,
                    };
                    let keeps = |to: &usize| (Some(*to) == on_zero) == (failed == Answer::Other);
                    self.next[at].retain(keeps);
                    return;
                }
                _ => return,
            }
        }
    }
}

/// Whether a jump leads to the cold part of a function, which the compiler has put elsewhere.
fn is_part(image: &Image, one: &Instruction) -> bool {
    let to = one.near_branch_target();
    one.code() != Code::INVALID
        && image.function_symbol(to).is_some_and(|symbol| symbol.name.contains(".cold"))
}

/// Whether the function that starts there never returns.
fn never_ends(image: &Image, start: u64, depth: u32) -> bool {
    let Some(rounds) = Rounds::with(image, start) else { return false };
    let mut seen = vec![false; rounds.instructions.len()];
    let mut todo = vec![0];
    while let Some(at) = todo.pop() {
        if at >= seen.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let one = &rounds.instructions[at];
        let callee = || image.own_callee(one.next_ip()).filter(|_| depth < DEEPEST);
        match one.flow_control() {
            FlowControl::Return => return false,
            FlowControl::Call if callee().is_some_and(|to| never_ends(image, to, depth + 1)) => {
                continue;
            }
            _ => {}
        }
        let before = todo.len();
        if rounds.follow(at, &mut todo).is_none() {
            return false;
        }
        if one.flow_control() == FlowControl::UnconditionalBranch && todo.len() == before {
            return false;
        }
    }
    true
}
