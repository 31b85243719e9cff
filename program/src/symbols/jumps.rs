//! Finds jumps that replace calls: a function may leave for another module by a jump, directly or
//! through functions of its module that it jumps to. Such a function is on no stack.

use iced_x86::{Decoder, DecoderOptions, FlowControl, OpKind};

use super::Symbols;
use super::image::Image;

/// A chain of jumps that leads from a function to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jump {
    /// The addresses one past each jump on the way, the last one first.
    pub after: Vec<u64>,
    /// The name of the function at its end, if that is another file's; empty otherwise.
    pub callee: String,
}

/// The chains of jumps from one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Jumps {
    /// The chains that the code shows.
    pub found: Vec<Jump>,
    /// Whether there may be more: the code jumps through a register, or there are too many.
    pub has_unknown: bool,
}

/// The most functions that are searched for the chains of one, and the longest chain.
const MOST_FUNCTIONS: usize = 64;
const DEEPEST: usize = 8;
/// Bytes of a function that is searched, at most.
const LONGEST: u64 = 1 << 16;

/// The jumps out of the function that starts at `start`.
pub(super) fn of_function(symbols: &Symbols, start: u64) -> Jumps {
    search(symbols, start, None)
}

/// The chains of jumps from the function that starts at `start` to the one of the same file that
/// starts at `to`.
pub(super) fn to_function(symbols: &Symbols, start: u64, to: u64) -> Jumps {
    search(symbols, start, Some(to))
}

fn search(symbols: &Symbols, start: u64, to: Option<u64>) -> Jumps {
    let mut jumps = Jumps::default();
    let Some(module) = symbols.module(start) else { return jumps };
    let Some(image) = &module.image else { return jumps };
    let mut search = Search {
        image,
        to: to.map(|to| to.wrapping_sub(module.bias)),
        way: Vec::new(),
        parts: Vec::new(),
        left: MOST_FUNCTIONS,
        jumps: &mut jumps,
    };
    search.function(start.wrapping_sub(module.bias));
    for jump in &mut jumps.found {
        for after in &mut jump.after {
            *after = after.wrapping_add(module.bias);
        }
    }
    jumps
}

struct Search<'a> {
    image: &'a Image,
    /// The function to find, if it is one of this file.
    to: Option<u64>,
    /// The addresses one past each jump that led here.
    way: Vec<u64>,
    /// The code that is searched, of each function on the way.
    parts: Vec<(u64, u64)>,
    left: usize,
    jumps: &'a mut Jumps,
}

impl Search<'_> {
    fn function(&mut self, start: u64) {
        let bounds = self.image.function_bounds(start).filter(|(from, end)| end - from < LONGEST);
        let (Some((from, end)), Some(left)) = (bounds, self.left.checked_sub(1)) else {
            self.jumps.has_unknown = true;
            return;
        };
        self.left = left;
        self.parts.push((from, end));
        let code = self.image.code_before(end, end - from);
        for instruction in Decoder::with_ip(64, code, from, DecoderOptions::NONE).iter() {
            let after = instruction.next_ip();
            match instruction.flow_control() {
                FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch
                    if instruction.op0_kind() == OpKind::NearBranch64 =>
                {
                    let target = instruction.near_branch_target();
                    if !(from..end).contains(&target) {
                        self.leave(after, target);
                    }
                }
                FlowControl::IndirectBranch => match self.image.imported(after) {
                    Some(callee) => self.end(after, &callee),
                    None => self.jumps.has_unknown = true,
                },
                _ => {}
            }
        }
        self.parts.pop();
    }

    /// Handles a jump to another function, or to or from a part of this one that lies elsewhere.
    fn leave(&mut self, after: u64, target: u64) {
        if self.to == Some(target) {
            self.record(after, "");
        } else if self.image.is_linkage(target) {
            match self.image.stub_target(target) {
                Some(callee) => self.end(after, &callee),
                None => self.jumps.has_unknown = true,
            }
        } else if self.parts.iter().any(|&(from, end)| from < target && target < end) {
            // The jump leads back into the function from a part that lies elsewhere.
        } else if self.way.len() >= DEEPEST || self.parts.iter().any(|part| part.0 == target) {
            self.jumps.has_unknown = true;
        } else if self.image.function_symbol(target).is_some_and(|it| it.name.contains(".cold")) {
            self.function(target);
        } else {
            self.way.push(after);
            self.function(target);
            self.way.pop();
        }
    }

    fn end(&mut self, after: u64, callee: &str) {
        if self.to.is_none() {
            self.record(after, callee);
        }
    }

    fn record(&mut self, after: u64, callee: &str) {
        let way = std::iter::once(after).chain(self.way.iter().rev().copied()).collect();
        self.jumps.found.push(Jump { after: way, callee: callee.to_owned() });
    }
}
