//! A thread's frames of Python code, and their places between the frames of the machine.
//!
//! Each call of `_PyEval_EvalFrameDefault` executes some frames, and leaves a mark on the C stack
//! that tells which: the mark's address tells which machine frame is that call. Only before 3.11
//! the function itself has to be known ([`Entered::Each`]).

use crate::layout::{Counted, Entered, Layout};
use crate::{Machine, Memory};

/// The most Python frames of a stack that are gone through.
const MOST_FRAMES: usize = 4096;
/// The most calls that execute frames, of one stack, if they execute several.
const MOST_CALLS: usize = 128;
/// The most words of a machine frame that are searched.
const MOST_WORDS: u64 = 512;

/// A frame of Python code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// How many machine frames are inside it.
    pub inside: usize,
    /// Its address.
    pub at: u64,
    /// Its code, or the interpreter's own word at that place in frames of its own.
    pub code: u64,
    /// Its instruction, counted from the code's first in units of two bytes.
    pub unit: u64,
}

/// Gives `each` the frames of the thread with this record, innermost first; `None` where something
/// cannot be read: nothing is known beyond that. Async-signal-safe.
pub fn walk<E: Fn(usize) -> bool>(
    layout: &Layout,
    memory: &mut impl Memory,
    record: u64,
    machine: &Machine<'_, E>,
    each: impl FnMut(Frame),
) -> Option<()> {
    let current = memory.word(record.checked_add(layout.current)?)?;
    let mut walk = Walk { layout, memory, machine, inside: 0, left: MOST_FRAMES, each };
    match layout.entered {
        Entered::Each => walk.one_each(current),
        Entered::Chain { frame, outer } => walk.by_records(current, frame, outer),
        Entered::Frame => walk.by_frames(current),
    }
}

struct Walk<'a, M, E: Fn(usize) -> bool, F> {
    layout: &'a Layout,
    memory: &'a mut M,
    machine: &'a Machine<'a, E>,
    /// How many machine frames are inside the next frame.
    inside: usize,
    /// How many more frames are gone through.
    left: usize,
    each: F,
}

impl<M: Memory, E: Fn(usize) -> bool, F: FnMut(Frame)> Walk<'_, M, E, F> {
    fn one_each(&mut self, mut frame: u64) -> Option<()> {
        let (machine, mut from) = (self.machine, 0);
        while self.goes_on(frame) {
            let calls = || (from..machine.pointers.len()).filter(|at| (machine.executes)(*at));
            let own = calls().find(|at| self.has(*at, frame));
            // The call of the others is cut off, or in an unknown part of the function.
            self.inside = match calls().next() {
                Some(_) => own.unwrap_or(from),
                None => machine.pointers.len(),
            };
            from = own.map_or(from, |own| own + 1);
            self.tell(frame);
            frame = self.previous(frame)?;
        }
        Some(())
    }

    fn by_records(&mut self, mut call: u64, innermost: u64, outer: u64) -> Option<()> {
        for _ in 0..MOST_CALLS {
            if !self.is_on_stack(call) {
                break;
            }
            let mut frame = self.memory.word(call.checked_add(innermost)?)?;
            let next = self.memory.word(call.checked_add(outer)?)?;
            let end = self.memory.word(next.checked_add(innermost)?)?;
            self.go_into(call);
            while frame != end && self.goes_on(frame) {
                // From 3.12 on, the call has a frame of its own there.
                if !self.is_on_stack(frame) {
                    self.tell(frame);
                }
                frame = self.previous(frame)?;
            }
            call = next;
        }
        Some(())
    }

    fn by_frames(&mut self, mut frame: u64) -> Option<()> {
        for _ in 0..MOST_CALLS {
            // The place of the call follows its frames.
            let (mut end, mut count) = (frame, 0);
            while end != 0 && !self.is_on_stack(end) && count < self.left {
                count += 1;
                end = self.previous(end)?;
            }
            if !self.is_on_stack(end) {
                break;
            }
            self.go_into(end);
            while frame != end && self.goes_on(frame) {
                self.tell(frame);
                frame = self.previous(frame)?;
            }
            frame = self.previous(end)?;
        }
        Some(())
    }

    fn goes_on(&mut self, frame: u64) -> bool {
        let goes_on = frame != 0 && self.left > 0;
        self.left -= usize::from(goes_on);
        goes_on
    }

    fn previous(&mut self, frame: u64) -> Option<u64> {
        self.memory.word(frame.checked_add(self.layout.previous)?)
    }

    fn is_on_stack(&self, at: u64) -> bool {
        self.machine.has_on_stack(at)
    }

    /// Goes up to the machine frame that an address on the stack belongs to.
    fn go_into(&mut self, address: u64) {
        self.inside = self.machine.inside_of(address).max(self.inside);
    }

    /// Whether a machine frame contains the word.
    fn has(&mut self, at: usize, word: u64) -> bool {
        let Some(&from) = self.machine.pointers.get(at) else { return false };
        let end = self.machine.pointers.get(at + 1).copied().unwrap_or(self.machine.stack.1);
        let words = (from..end).step_by(8).take(MOST_WORDS as usize);
        words.into_iter().any(|at| self.memory.word(at) == Some(word))
    }

    fn tell(&mut self, frame: u64) {
        if let Some(found) = read_frame(self.layout, self.memory, frame) {
            (self.each)(Frame { inside: self.inside, ..found });
        }
    }
}

/// Gives `each` the innermost frames of the thread with this record, until it returns false; their
/// places between the frames of the machine are not looked for. Async-signal-safe.
pub fn walk_innermost(
    layout: &Layout,
    memory: &mut impl Memory,
    record: u64,
    mut each: impl FnMut(Frame) -> bool,
) -> Option<()> {
    let current = memory.word(record.checked_add(layout.current)?)?;
    let mut frame = match layout.entered {
        Entered::Chain { frame, .. } => memory.word(current.checked_add(frame)?)?,
        Entered::Each | Entered::Frame => current,
    };
    for _ in 0..MOST_FRAMES {
        if frame == 0 || read_frame(layout, memory, frame).is_some_and(|found| !each(found)) {
            break;
        }
        frame = memory.word(frame.checked_add(layout.previous)?)?;
    }
    Some(())
}

fn read_frame(layout: &Layout, memory: &mut impl Memory, at: u64) -> Option<Frame> {
    let code = memory.word(at.checked_add(layout.code)?)? & !Layout::TAGS;
    let place = at.checked_add(layout.instruction)?;
    let unit = match layout.counted {
        Counted::Bytes => memory.half(place)? as i32 / 2,
        Counted::Units => memory.half(place)? as i32,
        Counted::Address | Counted::Copies { .. } => {
            let first = first_instruction(layout, memory, at, code)?;
            let behind = memory.word(place)?.saturating_sub(first);
            i32::try_from(behind / 2).unwrap_or(i32::MAX)
        }
    };
    Some(Frame { inside: 0, at, code, unit: unit.max(0) as u64 })
}

/// Returns the address of the first instruction in the copy of the code that a frame executes.
fn first_instruction(
    layout: &Layout,
    memory: &mut impl Memory,
    frame: u64,
    code: u64,
) -> Option<u64> {
    if let Counted::Copies { number, copies } = layout.counted {
        let number = memory.half(frame.checked_add(number)?)?;
        if number != 0 {
            // Their number stands before them.
            let all = memory.word(code.checked_add(copies)?)?;
            let offset = u64::from(number).checked_add(1)?.checked_mul(8)?;
            return memory.word(all.checked_add(offset)?);
        }
    }
    code.checked_add(layout.first)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::{layout, words::Words};
    use std::vec::Vec;

    const RECORD: u64 = 0x10_0000;
    const STACK: (u64, u64) = (0x7000, 0x8000);
    const POINTERS: [u64; 6] = [0x7000, 0x7100, 0x7200, 0x7300, 0x7400, 0x7500];

    fn walked(layout: &Layout, memory: &mut Words, of_code: &[usize]) -> Vec<(usize, u64, u64)> {
        walked_of(&POINTERS, layout, memory, of_code)
    }

    fn walked_of(
        pointers: &[u64],
        layout: &Layout,
        memory: &mut Words,
        of_code: &[usize],
    ) -> Vec<(usize, u64, u64)> {
        let executes = |at: usize| of_code.contains(&at);
        let machine = Machine { pointers, stack: STACK, is_cut: true, executes };
        let mut found = Vec::new();
        walk(layout, memory, RECORD, &machine, |it| found.push((it.inside, it.code, it.unit)));
        found
    }

    /// Makes frames at 0x2000, 0x3000, ...: the code of each, and its word for the instruction.
    fn frames(layout: &Layout, all: &[(u64, u64)]) -> Words {
        let mut words = Words::default();
        words.0.insert(RECORD + layout.current, 0x2000);
        for (place, (code, instruction)) in all.iter().enumerate() {
            let at = 0x2000 + 0x1000 * place as u64;
            let next = if place + 1 < all.len() { at + 0x1000 } else { 0 };
            words.0.insert(at + layout.code, *code);
            words.0.insert(at + layout.previous, next);
            words.0.insert(at + layout.instruction, *instruction);
        }
        words
    }

    #[test]
    fn a_call_of_old_versions_has_the_frame_that_is_among_its_words() {
        let of_9 = layout(0x0309_0000, |_| None).expect("known");
        let mut memory = frames(&of_9, &[(0x9000, 8), (0x9100, u64::from(u32::MAX)), (0x9200, 6)]);
        // The call at 1 has begun no frame, and the one at 4 is not known to be a call.
        for (at, frame) in [(0x7208, 0x2000), (0x7010, 0x3000), (0x73f8, 0x3000), (0x7500, 0x4000)]
        {
            memory.0.insert(at, frame);
        }
        let found = walked(&of_9, &mut memory, &[1, 2, 3, 5]);
        assert_eq!(found, [(2, 0x9000, 4), (3, 0x9100, 0), (5, 0x9200, 3)]);
        // A frame whose call is cut off, or not known, comes after those that are known.
        assert_eq!(walked(&of_9, &mut memory, &[2])[2], (6, 0x9200, 3));
        let of_10 = layout(0x030a_0000, |_| None).expect("known");
        let mut memory = frames(&of_10, &[(0x9000, 8)]);
        memory.0.insert(0x7100, 0x2000);
        assert_eq!(walked(&of_10, &mut memory, &[1]), [(1, 0x9000, 8)]);
    }

    #[test]
    fn calls_are_found_by_what_they_have_on_the_stack() {
        let of_12 = layout(0x030c_0000, |_| None).expect("known");
        let mut memory = frames(&of_12, &[(0x9000, 0x90c8), (0x9100, 0x91c0), (0x9200, 0x92c2)]);
        // Two calls with records: the inner one has the first two frames.
        memory.0.insert(RECORD + of_12.current, 0x7110);
        for (at, word) in [(0x7110, 0x2000), (0x7118, 0x7410), (0x7410, 0x4000), (0x7418, 0)] {
            memory.0.insert(at, word);
        }
        memory.0.insert(0, 0);
        let found = walked(&of_12, &mut memory, &[]);
        assert_eq!(found, [(1, 0x9000, 4), (1, 0x9100, 0), (4, 0x9200, 1)]);
        let mut innermost = Vec::new();
        walk_innermost(&of_12, &mut memory, RECORD, |it| {
            innermost.push((it.code, it.unit));
            innermost.len() < 2
        });
        assert_eq!(innermost, [(0x9000, 4), (0x9100, 0)]);
        // The outer call is not among the machine's frames.
        let found = walked_of(&POINTERS[..3], &of_12, &mut memory, &[]);
        assert_eq!(found, [(1, 0x9000, 4), (1, 0x9100, 0), (3, 0x9200, 1)]);
    }

    #[test]
    fn threads_without_the_lock_have_copies_of_code() {
        let counted = Counted::Copies { number: 72, copies: 160 };
        let of_12 = layout(0x030c_0000, |_| None).expect("known");
        let layout = Layout { entered: Entered::Frame, counted, ..of_12 };
        let mut memory = frames(&layout, &[(0x9001, 0xa010), (0x9101, 0x91c6), (0, 0)]);
        for (at, word) in [(0x2048, 1), (0x3048, 0), (0x90a0, 0xb000), (0xb010, 0xa000)] {
            memory.0.insert(at, word);
        }
        // The third lies on the stack.
        for (offset, word) in [(layout.code, 0), (layout.previous, 0)] {
            memory.0.insert(0x7220 + offset, word);
        }
        memory.0.insert(0x3000 + layout.previous, 0x7220);
        let found = walked(&layout, &mut memory, &[]);
        assert_eq!(found, [(2, 0x9000, 8), (2, 0x9100, 3)]);
        // Frames of an unknown call do not stand between known ones.
        memory.0.insert(0x3000 + layout.previous, 0);
        assert_eq!(walked(&layout, &mut memory, &[]), []);
    }
}
