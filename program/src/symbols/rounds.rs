//! Finds loops in a function's code, and the calls in each round of the loop around a call.

use std::collections::HashMap;
use std::rc::Rc;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};

use super::Symbols;
use super::flow::never_returns;
use super::image::Image;

/// Bytes of a function that is searched, at most.
const LONGEST: u64 = 1 << 16;

/// Instructions of a function whose loops are searched, at most.
const MOST_INSTRUCTIONS: usize = 4096;

/// Edges that may close a loop and are checked, the nearest ones.
const MOST_EDGES: usize = 64;

/// The depth to which functions in between are followed.
const DEEPEST: u32 = 4;
/// The function that tells how a call has ended.
const ERRNO: &str = "__errno_location";

/// Selects functions that a loop may call.
type Which<'a> = &'a dyn Fn(&str) -> bool;

impl Symbols {
    /// For a call that returns to `after` and is in a loop: if each round calls a function for
    /// which `wanted` is true, and otherwise only functions for which `also` is true, returns the
    /// address one past the first wanted call, and the function. A function of the same module that
    /// only calls one function counts as that one.
    pub fn each_round(
        &self,
        after: u64,
        wanted: Which<'_>,
        also: Which<'_>,
    ) -> Option<(u64, String)> {
        let (image, bias) = self.image(after)?;
        let rounds = Rounds::around(image, after.wrapping_sub(bias))?;
        let calls = rounds.calls()?;
        let named: Option<Vec<(usize, String)>> = calls
            .iter()
            .map(|at| Some((*at, image.ends_in(rounds.instructions[*at].next_ip(), 0)?)))
            .collect();
        let named = named?;
        if !named.iter().all(|(_, name)| wanted(name) || also(name) || name == ERRNO) {
            return None;
        }
        let tries: Vec<&(usize, String)> =
            named.iter().filter(|(at, name)| *at != rounds.call && wanted(name)).collect();
        let stops: Vec<usize> = tries.iter().map(|(at, _)| *at).collect();
        if rounds.reach(rounds.call, &stops)?[rounds.call] {
            return None;
        }
        let (at, name) = tries.first()?;
        Some((rounds.instructions[*at].next_ip().wrapping_add(bias), name.clone()))
    }

    /// The calls in the largest loop around the call that returns to `after`, or around a running
    /// thread's next instruction, that calls only functions for which `which` is true. A function
    /// of the same module that only calls one function counts as that one.
    pub fn calls_of_loop(&self, after: u64, which: Which<'_>) -> Vec<(u64, String)> {
        let Some((image, bias)) = self.image(after) else { return Vec::new() };
        let rounds = Rounds::around(image, after.wrapping_sub(bias));
        let Some(rounds) = rounds else { return Vec::new() };
        let calls = |of: &Loop| -> Option<Vec<(u64, String)>> {
            let inside = rounds.instructions.iter().zip(&of.inside).filter(|(_, is)| **is);
            let calls = inside.filter(|(one, _)| {
                matches!(one.flow_control(), FlowControl::Call | FlowControl::IndirectCall)
            });
            let named = calls.map(|(one, _)| {
                let name = image.ends_in(one.next_ip(), 0)?;
                (which(&name) || name == ERRNO).then(|| (one.next_ip().wrapping_add(bias), name))
            });
            named.collect()
        };
        rounds.loops().iter().map_while(calls).last().unwrap_or_default()
    }

    /// Whether the function's code has a way from the call that returns to `from` to the call that
    /// returns to `to`, without a call that returns to one of `without`. `None` if the code does
    /// not show that.
    pub fn leads_to(&self, from: u64, to: u64, without: &[u64]) -> Option<bool> {
        let (image, bias) = self.image(from)?;
        let rounds = Rounds::around(image, from.wrapping_sub(bias))?;
        let place = |after: u64| {
            let after = after.wrapping_sub(bias);
            rounds.instructions.iter().position(|at| at.next_ip() == after)
        };
        let stops: Vec<usize> = without.iter().filter_map(|after| place(*after)).collect();
        Some(rounds.reach(rounds.call, &stops)?[place(to)?])
    }
}

impl Image {
    /// The function of another module that a call goes to in the end. In between may be functions
    /// of this module that only call it.
    pub(super) fn ends_in(&self, after: u64, depth: u32) -> Option<String> {
        if let Some(name) = self.imported(after) {
            return Some(name.to_string());
        }
        let (start, end) = self.function_bounds(self.own_callee(after)?)?;
        if depth >= DEEPEST || end - start > LONGEST {
            return None;
        }
        let calls = self.ways_out(start, end);
        let calls = calls.filter(|(after, _)| {
            self.imported(*after).is_some() || self.own_callee(*after).is_some()
        });
        let names: Option<Vec<String>> =
            calls.map(|(after, _)| self.ends_in(after, depth + 1)).collect();
        let mut names = names?.into_iter().filter(|name| name != ERRNO);
        let name = names.next()?;
        names.all(|other| other == name).then_some(name)
    }
}

/// The code around one call.
pub(super) struct Rounds {
    pub(super) instructions: Vec<Instruction>,
    /// The index in `instructions` of each address.
    pub(super) places: HashMap<u64, usize>,
    call: usize,
    /// Calls that never return.
    ends: Vec<bool>,
}

/// A loop with one way in.
pub(super) struct Loop {
    pub(super) head: usize,
    count: usize,
    /// Whether each instruction is in the loop.
    pub(super) inside: Vec<bool>,
    /// The instructions that may come in front of each instruction.
    pub(super) back: Rc<Vec<Vec<usize>>>,
}

impl Loop {
    /// The rounds of the loop that stay within these instructions.
    pub(super) fn part(&self, inside: Vec<bool>) -> Loop {
        let count = inside.iter().filter(|is| **is).count();
        Loop { head: self.head, count, inside, back: Rc::clone(&self.back) }
    }
}

impl Rounds {
    pub(super) fn around(image: &Image, after: u64) -> Option<Rounds> {
        let mut rounds = Rounds::with(image, after.checked_sub(1)?)?;
        // For a running thread, the address is that of the next instruction.
        let instructions = &rounds.instructions;
        let call = instructions.iter().position(|at| at.next_ip() == after);
        let call = call.or_else(|| instructions.iter().position(|at| at.ip() == after));
        let within = || instructions.iter().position(|at| (at.ip()..at.next_ip()).contains(&after));
        rounds.call = call.or_else(within)?;
        Some(rounds)
    }

    /// The function around `address`, with the instruction there in the place of the call.
    pub(super) fn with(image: &Image, address: u64) -> Option<Rounds> {
        let (start, end) = image.function_bounds(address)?;
        let length = end.checked_sub(start).filter(|length| *length <= LONGEST)?;
        let code = image.code_before(end, length);
        let decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
        let instructions: Vec<Instruction> = decoder.into_iter().collect();
        let places = instructions.iter().enumerate().map(|(i, at)| (at.ip(), i)).collect();
        let call = instructions.iter().position(|at| at.next_ip() > address)?;
        let is_end = |at: &Instruction| {
            let is_call = at.flow_control() == FlowControl::Call;
            is_call && image.imported(at.next_ip()).is_some_and(|name| never_returns(&name))
        };
        let ends = instructions.iter().map(is_end).collect();
        Some(Rounds { instructions, places, call, ends })
    }

    /// The instruction that the search is about.
    pub(super) fn place(&self) -> usize {
        self.call
    }

    /// The calls of the loop around the call, this one included; `None` if there is no loop, or the
    /// code does not show all of it.
    fn calls(&self) -> Option<Vec<usize>> {
        let from = self.reach(self.call, &[])?;
        let is_call = |at: &usize| {
            let flow = self.instructions[*at].flow_control();
            from[*at] && matches!(flow, FlowControl::Call | FlowControl::IndirectCall)
        };
        let mut found = Vec::new();
        for at in (0..from.len()).filter(is_call) {
            if self.reach(at, &[])?[self.call] {
                found.push(at);
            }
        }
        (!found.is_empty() && from[self.call]).then_some(found)
    }

    /// Whether an instruction is a call that never returns.
    pub(super) fn ends(&self, one: &Instruction) -> bool {
        self.places.get(&one.ip()).is_some_and(|at| self.ends[*at])
    }

    /// The whole function, as if it were a loop that begins at its start.
    pub(super) fn whole(&self) -> Option<Loop> {
        let back = Rc::new(self.back()?);
        let count = back.len();
        Some(Loop { head: 0, count, inside: vec![true; count], back })
    }

    /// The instructions that may come in front of each instruction.
    fn back(&self) -> Option<Vec<Vec<usize>>> {
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); self.instructions.len()];
        let mut next = Vec::new();
        for at in 0..back.len() {
            self.follow(at, &mut next)?;
            for to in next.drain(..) {
                if let Some(known) = back.get_mut(to) {
                    known.push(at);
                }
            }
        }
        Some(back)
    }

    /// The loops around the call, smallest first; empty if the code does not show all of it.
    pub(super) fn loops(&self) -> Vec<Loop> {
        self.all_loops().unwrap_or_default()
    }

    fn all_loops(&self) -> Option<Vec<Loop>> {
        let forth = self.reach(self.call, &[])?;
        if !forth[self.call] || self.instructions.len() > MOST_INSTRUCTIONS {
            return None;
        }
        let back = Rc::new(self.back()?);
        let mut found: Vec<Loop> = Vec::new();
        // An edge that closes a loop goes back, or falls into a head behind the loop's body.
        let closes = |head: usize, from: usize| from >= head || back[head].len() > 1;
        let heads = (0..forth.len()).filter(|at| forth[*at]);
        let edges = heads.flat_map(|head| back[head].iter().map(move |from| (head, *from)));
        let edges = edges.filter(|(head, from)| forth[*from] && closes(*head, *from));
        let mut edges: Vec<(usize, usize)> = edges.collect();
        edges.sort_by_key(|(head, _)| head.abs_diff(self.call));
        edges.truncate(MOST_EDGES);
        let count = |inside: &[bool]| inside.iter().filter(|is| **is).count();
        for of_head in edges.chunk_by(|one, next| one.0 == next.0) {
            let head = of_head[0].0;
            let mut parts: Vec<Vec<bool>> = Vec::new();
            for (_, from) in of_head {
                parts.extend(self.natural(head, *from, &back)?);
            }
            // A round may come back in several ways: together they are a loop too.
            let whole = parts.iter().cloned().reduce(|one, other| {
                one.into_iter().zip(other).map(|(is, other)| is || other).collect()
            });
            parts.extend(whole.filter(|whole| !parts.contains(whole)));
            let around = parts.into_iter().filter(|inside| inside[self.call]);
            found.extend(around.map(|inside| {
                let (count, back) = (count(&inside), Rc::clone(&back));
                Loop { head, count, inside, back }
            }));
        }
        found.sort_by_key(|each| each.count);
        Some(found)
    }

    /// The loop that an edge back to `head` closes: the code that leads to the edge without passing
    /// `head`. The inner value is `None` if there is another way in.
    fn natural(&self, head: usize, from: usize, back: &[Vec<usize>]) -> Option<Option<Vec<bool>>> {
        let mut entered = vec![false; back.len()];
        let mut todo = vec![0];
        while let Some(at) = todo.pop() {
            if at != head && at < entered.len() && !std::mem::replace(&mut entered[at], true) {
                self.follow(at, &mut todo)?;
            }
        }
        if entered[from] {
            return Some(None);
        }
        let mut inside = vec![false; back.len()];
        inside[head] = true;
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut inside[at], true) {
                todo.extend(&back[at]);
            }
        }
        Some(Some(inside))
    }

    /// The instructions that may come behind `from`, if no way goes on behind `stops`.
    pub(super) fn reach(&self, from: usize, stops: &[usize]) -> Option<Vec<bool>> {
        let mut seen = vec![false; self.instructions.len()];
        let mut todo = Vec::new();
        self.follow(from, &mut todo)?;
        while let Some(at) = todo.pop() {
            if at < seen.len() && !std::mem::replace(&mut seen[at], true) && !stops.contains(&at) {
                self.follow(at, &mut todo)?;
            }
        }
        Some(seen)
    }

    /// Adds the instructions that may come after an instruction; `None` if the code does not show
    /// that.
    pub(super) fn follow(&self, at: usize, todo: &mut Vec<usize>) -> Option<()> {
        let instruction = &self.instructions[at];
        let target = || self.places.get(&instruction.near_branch_target()).copied();
        match instruction.flow_control() {
            FlowControl::Next | FlowControl::IndirectCall => todo.push(at + 1),
            FlowControl::Call if self.ends[at] => {}
            FlowControl::Call => todo.push(at + 1),
            FlowControl::ConditionalBranch | FlowControl::XbeginXabortXend => {
                todo.extend(target());
                todo.push(at + 1);
            }
            // The jump goes out of the function, or stays within it.
            FlowControl::UnconditionalBranch => todo.extend(target()),
            FlowControl::IndirectBranch => return None,
            FlowControl::Return | FlowControl::Interrupt | FlowControl::Exception => {}
        }
        Some(())
    }
}
