//! Finds the calls of functions, as far as a search of their code byte by byte shows them.

use std::rc::Rc;

use super::Symbols;
use super::image::Image;

/// A call in the program's code, or a jump that stands for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The address behind it.
    pub after: u64,
    /// The name of the called function, if it is another file's; empty otherwise.
    pub callee: String,
    /// The start of the called function, if its code is known.
    pub start: Option<u64>,
}

/// Bytes at the end of a function that are searched, at most.
const LONGEST: u64 = 1 << 20;

/// Functions that are called when a call has failed, by parts of their names: they do not return,
/// or they report the failure.
const OF_FAILURE: [&str; 16] = [
    "abort", "exit", "__assert_fail", "__stack_chk_fail", "_Unwind_Resume", "__cxa_", "throw",
    "terminate", "system_error", "_category", "perror", "strerror", "__errno_location", "fprintf",
    "fwrite", "fputs",
];

impl Image {
    /// The addresses one past each place in the code from `start` to `end` that may be a call, or a
    /// jump (true).
    pub(super) fn ways_out(&self, start: u64, end: u64) -> impl Iterator<Item = (u64, bool)> {
        let code = self.code_before(end, (end - start).min(LONGEST));
        let first = end - code.len() as u64;
        (0..code.len()).filter_map(move |at| {
            let (size, is_jump) = match code[at..] {
                [0xe8, ..] => (5, false),
                [0xff, 0x15, ..] => (6, false),
                [0xe9, ..] => (5, true),
                [0xff, 0x25, ..] => (6, true),
                _ => return None,
            };
            let after = first + at as u64 + size;
            (after <= end).then_some((after, is_jump))
        })
    }

    /// The calls of other modules in the function around `address`, up to there, by their return
    /// addresses.
    fn calls_before(&self, address: u64) -> Vec<(u64, Rc<str>)> {
        let Some((start, _)) = self.function_bounds(address) else { return Vec::new() };
        let calls = self.ways_out(start, address).filter(|(_, is_jump)| !is_jump);
        calls.filter_map(|(after, _)| Some((after, self.imported(after)?))).collect()
    }

    /// The start of this module's function that the call or jump ending at `after` goes to.
    pub(super) fn own_callee(&self, after: u64) -> Option<u64> {
        let [0xe8 | 0xe9, distance @ ..] = self.code_before(after, 5) else { return None };
        let distance = i32::from_le_bytes(distance.try_into().ok()?);
        let target = after.wrapping_add_signed(i64::from(distance));
        let is_part =
            || self.function_symbol(target).is_some_and(|symbol| symbol.name.contains(".cold"));
        (self.starts_function(target) && !is_part()).then_some(target)
    }
}

impl Symbols {
    /// The calls of other modules' functions that the function around `pc` makes in front of it.
    pub(super) fn calls_before(&self, pc: u64) -> Vec<Call> {
        let Some((image, bias)) = self.image(pc) else { return Vec::new() };
        let calls = image.calls_before(pc.wrapping_sub(bias)).into_iter();
        let call = |(after, callee): (u64, Rc<str>)| Call {
            after: after.wrapping_add(bias),
            callee: (*callee).into(),
            start: None,
        };
        calls.map(call).collect()
    }

    /// The calls of other modules' functions in the whole function around `pc`.
    pub fn calls_around(&self, pc: u64) -> Vec<Call> {
        let last = self.image(pc).and_then(|(image, bias)| {
            let (_, end) = image.function_bounds(pc.wrapping_sub(bias))?;
            Some(end.wrapping_add(bias).wrapping_sub(1))
        });
        last.map_or_else(Vec::new, |last| self.calls_before(last))
    }

    /// All calls of the function around `pc`, also of functions of its own module: in the `whole`
    /// function, or up to `pc`.
    pub(super) fn all_calls(&self, pc: u64, whole: bool) -> Vec<Call> {
        let Some((image, bias)) = self.image(pc) else { return Vec::new() };
        let pc = pc.wrapping_sub(bias);
        let Some((start, end)) = image.function_bounds(pc) else { return Vec::new() };
        let end = if whole { end } else { pc };
        let calls = image.ways_out(start, end).filter_map(|(after, _)| {
            let process_after = after.wrapping_add(bias);
            if let Some(callee) = image.imported(after) {
                let start = self.defined(&callee);
                return Some(Call { after: process_after, callee: (*callee).into(), start });
            }
            let start = image.own_callee(after)?.wrapping_add(bias);
            Some(Call { after: process_after, callee: String::new(), start: Some(start) })
        });
        calls.collect()
    }

    /// The start of the user's function that the call ending at `after` names.
    pub fn called(&self, after: u64) -> Option<u64> {
        let (image, bias) = self.image(after)?;
        let address = after.wrapping_sub(bias);
        match image.imported(address) {
            Some(callee) => self.defined(&callee),
            None => image.own_callee(address).map(|start| start.wrapping_add(bias)),
        }
    }

    /// The start of the user's function with this name, for a call from another file of the
    /// program.
    fn defined(&self, name: &str) -> Option<u64> {
        let start =
            |(image, bias): (&Image, u64)| Some(image.function_named(name)?.wrapping_add(bias));
        self.program_files().find_map(start)
    }

    /// Whether a function makes only the call that returns to `after`, except for calls when
    /// something has failed. `level`: which of the functions that are inlined there.
    pub fn only_calls(&self, after: u64, level: usize) -> bool {
        let Some((image, bias)) = self.image(after) else { return false };
        let address = after.wrapping_sub(bias);
        let frames = image.frames(address - 1);
        // An inlined function has its own part of the code.
        let part = match frames.get(level) {
            Some(frame) if level + 1 < frames.len() => match frame.entry {
                Some(entry) => Some(entry),
                None => return false,
            },
            _ if level == 0 || level + 1 == frames.len() => None,
            _ => return false,
        };
        let is_inside = |address: u64| {
            let frames = || image.frames(address - 1);
            part.is_none() || frames().iter().any(|frame| frame.entry == part)
        };
        let Some((start, end)) = image.function_bounds(address - 1) else { return false };
        if end - start > LONGEST {
            return false;
        }
        let mut others = image.ways_out(start, end).filter(|(other, _)| {
            let own = || Some(image.function_symbol(image.own_callee(*other)?)?.name.clone());
            let is_call = *other != address;
            is_call && image.imported(*other).or_else(own).is_some_and(|name| !is_failure(&name))
        });
        !others.any(|(other, _)| is_inside(other))
    }
}

fn is_failure(name: &str) -> bool {
    OF_FAILURE.iter().any(|part| name.contains(part))
}
