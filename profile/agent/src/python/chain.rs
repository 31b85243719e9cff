//! A thread's frames of Python code, from the interpreter's records, put among the frames of the
//! machine code that executes them.

use super::read::{self, Reader};
use super::{Interpreter, codes, found};
use crate::unwind::{MAX_FRAMES, StackMemory};
use omphalos_profile_format::{PythonCode, python};
use omphalos_python::{Frame, Layout, Letters, Machine, Memory, is_of, threads, walk};

/// The most Python frames of a stack that are recorded.
const MOST_TOLD: usize = 512;
/// The number of stacks after which a thread that the interpreter does not know is looked for
/// again.
const PAUSE: u32 = 8;
/// The most new code of one stack that is recorded.
const MOST_NEW: usize = 64;
/// The most bytes of a file's name, of a name and of a table of lines that are recorded.
const LONGEST_FILE: usize = 1024;
const LONGEST_NAME: usize = 512;
const LONGEST_LINES: usize = 40_000;

/// The thread whose frames are asked for.
#[derive(Clone, Copy)]
pub struct Whose {
    /// Its `pthread_self()`.
    pub own: u64,
    /// Its number in the kernel.
    pub os_tid: i32,
    /// Its stack: lowest address, one past the highest.
    pub stack: (u64, u64),
    /// The part of its stack that may be read without a copy.
    pub memory: StackMemory,
}

/// Code that is not yet in a record.
#[derive(Clone, Copy, Default)]
pub(super) struct New {
    pub number: u32,
    pub head: codes::Head,
    /// True for a function of R's: the head has its names.
    pub is_r: bool,
}

/// The state that a thread needs to read its frames.
pub struct Python {
    pub(super) reader: Reader,
    /// The interpreter's last known record of the thread; 0 = not known.
    state: u64,
    /// The number of stacks until the interpreter's record is looked for again.
    pause: u32,
    pub(super) frames: &'static mut [u64],
    /// The code and the unit of each Python frame.
    found: &'static mut [(u64, u64)],
    heads: codes::Heads,
    pub(super) new: [New; MOST_NEW],
    pub(super) count_of_new: usize,
    text: &'static mut [u8],
}

impl Python {
    /// Allocates.
    pub fn new() -> Python {
        // SAFETY: integers.
        let (frames, found, text) = unsafe {
            (
                crate::memory::zeroed(MAX_FRAMES + MOST_TOLD),
                crate::memory::zeroed(MOST_TOLD),
                crate::memory::zeroed(LONGEST_FILE + LONGEST_NAME + LONGEST_LINES),
            )
        };
        Python {
            reader: Reader::new(),
            state: 0,
            pause: 0,
            frames,
            found,
            heads: codes::Heads::new(),
            new: [New::default(); MOST_NEW],
            count_of_new: 0,
            text,
        }
    }

    /// Resets the state for another thread.
    pub fn reset(&mut self) {
        (self.state, self.pause, self.count_of_new) = (0, 0, 0);
    }

    /// Returns the stack with the frames of Python code, or R's functions, in it, if it has any:
    /// `frames` are the program counters, innermost first, `pointers` their stack pointers.
    /// Async-signal-safe.
    pub fn merged(&mut self, whose: Whose, frames: &[u64], pointers: &[u64]) -> Option<&[u64]> {
        self.count_of_new = 0;
        match self.with_python(whose, frames, pointers) {
            Some(count) => self.frames.get(..count),
            None => self.with_r(whose, frames, pointers),
        }
    }

    /// Returns the length of the stack with Python's frames.
    fn with_python(&mut self, whose: Whose, frames: &[u64], pointers: &[u64]) -> Option<usize> {
        let interpreter = found()?;
        let (low, high) = interpreter.place;
        let is_interpreter = |pc: &u64| (low..high).contains(pc);
        let has_any = frames.iter().any(is_interpreter);
        if !has_any && self.state == 0 {
            return None;
        }
        self.reader.begin(whose.os_tid, whose.memory);
        // The walk may end at code that was made at run time, before it reaches the interpreter.
        if !has_any && !is_of(&interpreter.layout, &mut self.reader, self.state, whose.own) {
            return None;
        }
        let known = self.state;
        let executes = |at: usize| {
            let (start, end) = interpreter.function;
            frames.get(at).is_some_and(|pc| start < *pc && *pc <= end)
        };
        let is_cut = !frames.last().is_some_and(is_interpreter);
        let machine = Machine { pointers, stack: whose.stack, is_cut, executes };
        let mut merge = Merge::of(frames);
        if let Some(state) = self.state_of(interpreter, whose.own) {
            self.state = state;
            self.walk(interpreter, &machine, &mut merge);
        }
        if merge.told == 0 && known != 0 && has_any {
            // The record belongs to another thread by now, or the thread has a new one.
            (self.state, self.pause) = (0, 0);
            self.state = self.state_of(interpreter, whose.own)?;
            self.walk(interpreter, &machine, &mut merge);
        }
        if merge.told == 0 {
            return None;
        }
        merge.go_to(frames.len(), self.frames);
        Some(self.number(interpreter, merge.at, merge.told))
    }

    /// Replaces, in the merged stack, the place in `found` of each Python frame by the frame's
    /// address. Drops frames without code: the interpreter has such frames of its own. Returns the
    /// number of frames that are left.
    fn number(&mut self, interpreter: &Interpreter, count: usize, told: usize) -> usize {
        let (layout, thread) = (&interpreter.layout, self.reader.thread());
        for batch in self.found.get_mut(..told).unwrap_or_default().chunks_mut(codes::BATCH) {
            self.heads.read(thread, batch.iter().map(|(code, _)| *code));
            for (place, (code, unit)) in batch.iter_mut().enumerate() {
                let head = self.heads.get(place, layout, interpreter.code_kind);
                let known = head.and_then(|head| {
                    let words = [*code, head.file, head.name, head.lines, head.first_line.into()];
                    let (number, is_new) = codes::number(words)?;
                    if is_new {
                        *self.new.get_mut(self.count_of_new)? = New { number, head, is_r: false };
                        self.count_of_new += 1;
                    }
                    Some(python::address(number, *unit))
                });
                *unit = known.unwrap_or(0);
            }
        }
        let mut left = 0;
        for from in 0..count {
            let frame = self.frames.get(from).copied().unwrap_or(0);
            let frame = match python::parts(frame) {
                Some((_, place)) => self.found.get(place as usize).map_or(0, |found| found.1),
                None => frame,
            };
            if frame != 0
                && let Some(place) = self.frames.get_mut(left)
            {
                *place = frame;
                left += 1;
            }
        }
        left
    }

    /// Notes that this code is not yet in a record.
    pub(super) fn note_new(&mut self, whose: Whose, number: u32, head: codes::Head) {
        self.reader.begin(whose.os_tid, whose.memory);
        self.new[0] = New { number, head, is_r: false };
        self.count_of_new = 1;
    }

    /// Returns the first `length` frames of the last merged stack.
    pub fn latest(&self, length: usize) -> &[u64] {
        self.frames.get(..length).unwrap_or(&[])
    }

    /// Returns the number of codes in the last stack that are not yet in a record.
    pub fn count_of_new(&self) -> usize {
        self.count_of_new
    }

    /// Returns the record of one of those codes, by its number from 0. Async-signal-safe.
    pub fn new_code(&mut self, place: usize) -> Option<PythonCode<'_>> {
        let new = *self.new.get(place)?;
        let (file, rest) = self.text.split_at_mut_checked(LONGEST_FILE)?;
        let (name, lines) = rest.split_at_mut_checked(LONGEST_NAME)?;
        let reader = &mut self.reader;
        if new.is_r {
            return Self::new_function(reader, new, (file, name));
        }
        let interpreter = found()?;
        let layout = &interpreter.layout;
        let (file_width, file) = string(reader, layout, new.head.file, file)?;
        let (name_width, name) = string(reader, layout, new.head.name, name)?;
        let lines = bytes(reader, layout, (new.head.lines, layout.bytes), 1, lines)?;
        let (code, first_line) = (new.number, new.head.first_line);
        let version = interpreter.version;
        Some(PythonCode { code, version, first_line, file_width, file, name_width, name, lines })
    }

    /// Returns the interpreter's record of a thread.
    fn state_of(&mut self, interpreter: &Interpreter, own: u64) -> Option<u64> {
        let Interpreter { runtime, layout, .. } = interpreter;
        if self.state != 0 && is_of(layout, &mut self.reader, self.state, own) {
            return Some(self.state);
        }
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        let found = threads(layout, &mut self.reader, *runtime, |_, thread| thread == own);
        if found.is_none() {
            self.pause = PAUSE;
        }
        found
    }

    /// Puts the thread's frames among the others.
    fn walk<E: Fn(usize) -> bool>(
        &mut self,
        interpreter: &Interpreter,
        machine: &Machine<'_, E>,
        merge: &mut Merge<'_>,
    ) {
        let Python { reader, frames, found, .. } = self;
        walk(&interpreter.layout, reader, self.state, machine, |frame| {
            merge.go_to(frame.inside, frames);
            merge.take(frame, frames, found);
        });
    }
}

/// Merges two stacks into one, innermost first.
pub(super) struct Merge<'a> {
    frames: &'a [u64],
    /// How many of `frames` are in the merged stack.
    from: usize,
    /// The length of the merged stack.
    pub at: usize,
    /// The number of frames of Python code, or R's functions, in it.
    pub told: usize,
}

impl<'a> Merge<'a> {
    pub fn of(frames: &'a [u64]) -> Merge<'a> {
        Merge { frames, from: 0, at: 0, told: 0 }
    }

    /// Copies the machine frames up to `end`, which are inside the frame that comes next.
    pub fn go_to(&mut self, end: usize, into: &mut [u64]) {
        while self.from < end
            && let (Some(frame), Some(place)) = (self.frames.get(self.from), into.get_mut(self.at))
        {
            *place = *frame;
            self.from += 1;
            self.at += 1;
        }
    }

    fn take(&mut self, frame: Frame, into: &mut [u64], found: &mut [(u64, u64)]) {
        // The interpreter has frames without code, too.
        if frame.code >= 4096
            && let Some(known) = found.get_mut(self.told)
        {
            *known = (frame.code, frame.unit);
            // The place in `found` stands for the frame until `number` has its address.
            self.put(python::address(0, self.told as u64), into);
        }
    }

    pub fn put(&mut self, address: u64, into: &mut [u64]) {
        if let Some(place) = into.get_mut(self.at)
            && self.told < MOST_TOLD
        {
            *place = address;
            self.told += 1;
            self.at += 1;
        }
    }
}

/// Returns a string's letters, and the number of bytes of each.
fn string<'a>(
    reader: &mut Reader,
    layout: &Layout,
    at: u64,
    into: &'a mut [u8],
) -> Option<(u32, &'a [u8])> {
    let letters = Letters::of(reader.half(at.checked_add(layout.state)?)?)?;
    let begin = if letters.ascii { layout.text } else { layout.wide_text };
    Some((letters.width, bytes(reader, layout, (at, begin), letters.width, into)?))
}

/// Reads as much of an object of varying size as there is room for: `at` is its address, `begin`
/// where its contents begin.
fn bytes<'a>(
    reader: &mut Reader,
    layout: &Layout,
    (at, begin): (u64, u64),
    width: u32,
    into: &'a mut [u8],
) -> Option<&'a [u8]> {
    let length = reader.word(at.checked_add(layout.size)?)?.checked_mul(u64::from(width))?;
    let length = usize::try_from(length).ok()?.min(into.len());
    let into = into.get_mut(..length)?;
    let done = read::copy(reader.thread(), at.checked_add(begin)?, into);
    (done == length).then_some(into)
}
