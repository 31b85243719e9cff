//! A thread's frames of Python code, from the interpreter's records, put among those of the machine
//! code that executes them.
//!
//! Each call of `_PyEval_EvalFrameDefault` executes some frames, and leaves a record of its own on
//! the C stack, by whose address it is told which machine frame that call is: no name of the
//! interpreter's functions is needed.

use super::read::{self, Reader};
use super::{Interpreter, codes, found};
use crate::unwind::{MAX_FRAMES, StackMemory};
use omphalos_profile_format::{PythonCode, python};
use omphalos_python::{Entered, Layout, Letters};

/// Python frames of a stack that are told, and that are gone through.
const MOST_TOLD: usize = 512;
const MOST_FRAMES: usize = 4096;
/// Calls that execute frames, of one stack.
const MOST_CALLS: usize = 128;
/// Threads of the interpreter that are gone through.
const MOST_THREADS: usize = 1024;
/// A thread that the interpreter does not know is looked for again after so many stacks.
const PAUSE: u32 = 64;
/// New code of one stack that is told of.
const MOST_NEW: usize = 64;
/// Bytes of a file's name, of a name and of a table of lines that are told.
const LONGEST_FILE: usize = 1024;
const LONGEST_NAME: usize = 512;
const LONGEST_LINES: usize = 40_000;

/// Whose frames are asked for.
#[derive(Clone, Copy)]
pub struct Whose {
    /// What `pthread_self()` gives the thread.
    pub own: u64,
    /// The kernel's number of it.
    pub os_tid: i32,
    /// Its stack: lowest address, one past the highest.
    pub stack: (u64, u64),
    /// What may be read of it as it is.
    pub memory: StackMemory,
}

/// Code that no record tells of yet.
#[derive(Clone, Copy, Default)]
struct New {
    number: u32,
    head: codes::Head,
}

/// What a thread needs to read its frames.
pub struct Python {
    reader: Reader,
    /// The interpreter's record of the thread, as it was last; 0 = not known.
    state: u64,
    /// Stacks until it is looked for again.
    pause: u32,
    frames: &'static mut [u64],
    /// The code and the instruction of each frame of Python's.
    found: &'static mut [(u64, u64)],
    heads: codes::Heads,
    new: [New; MOST_NEW],
    count_of_new: usize,
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

    /// Another thread has it.
    pub fn reset(&mut self) {
        (self.state, self.pause, self.count_of_new) = (0, 0, 0);
    }

    /// The stack with the frames of Python code in it, if it has any: `frames` are the program
    /// counters, innermost first, `pointers` their stack pointers. Async-signal-safe.
    pub fn merged(&mut self, whose: Whose, frames: &[u64], pointers: &[u64]) -> Option<&[u64]> {
        let interpreter = found()?;
        let (low, high) = interpreter.place;
        if !frames.iter().any(|pc| (low..high).contains(pc)) {
            return None;
        }
        self.reader.begin(whose.os_tid, whose.memory);
        self.count_of_new = 0;
        let known = self.state;
        let mut merge = Merge { frames, pointers, from: 0, at: 0, told: 0 };
        if let Some(state) = self.state_of(interpreter, whose.own) {
            self.state = state;
            self.walk(interpreter, whose, state, &mut merge);
        }
        if merge.told == 0 && known != 0 {
            // The record was another one's meanwhile, or the thread has a new one.
            (self.state, self.pause) = (0, 0);
            self.state = self.state_of(interpreter, whose.own)?;
            self.walk(interpreter, whose, self.state, &mut merge);
        }
        if merge.told == 0 {
            return None;
        }
        merge.go_to(frames.len(), self.frames);
        let count = self.number(interpreter, merge.at, merge.told);
        self.frames.get(..count)
    }

    /// Puts the frames' addresses where their places among those that were found stand; frames
    /// whose code is none go: the interpreter has such frames of its own. Says how many are left.
    fn number(&mut self, interpreter: &Interpreter, count: usize, told: usize) -> usize {
        let (layout, thread) = (&interpreter.layout, self.reader.thread());
        for batch in self.found.get_mut(..told).unwrap_or_default().chunks_mut(codes::BATCH) {
            self.heads.read(thread, batch.iter().map(|(code, _)| *code));
            for (place, (code, instruction)) in batch.iter_mut().enumerate() {
                let head = self.heads.get(place, layout, interpreter.code_kind);
                let known = head.and_then(|head| {
                    let words = [*code, head.file, head.name, head.lines, head.first_line.into()];
                    let (number, is_new) = codes::number(words)?;
                    if is_new {
                        *self.new.get_mut(self.count_of_new)? = New { number, head };
                        self.count_of_new += 1;
                    }
                    let first = code.checked_add(layout.first)?;
                    Some(python::address(number, instruction.saturating_sub(first) / 2))
                });
                *instruction = known.unwrap_or(0);
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

    /// So many frames of the stack that was merged last.
    pub fn latest(&self, length: usize) -> &[u64] {
        self.frames.get(..length).unwrap_or(&[])
    }

    /// How much code the last stack has that no record tells of.
    pub fn count_of_new(&self) -> usize {
        self.count_of_new
    }

    /// What there is to tell of one of these. Async-signal-safe.
    pub fn new_code(&mut self, place: usize) -> Option<PythonCode<'_>> {
        let (interpreter, new) = (found()?, *self.new.get(place)?);
        let (file, rest) = self.text.split_at_mut_checked(LONGEST_FILE)?;
        let (name, lines) = rest.split_at_mut_checked(LONGEST_NAME)?;
        let reader = &mut self.reader;
        let layout = &interpreter.layout;
        let (file_width, file) = string(reader, layout, new.head.file, file)?;
        let (name_width, name) = string(reader, layout, new.head.name, name)?;
        let lines = bytes(reader, new.head.lines, Layout::BYTES, 1, lines)?;
        let (code, first_line) = (new.number, new.head.first_line);
        let version = interpreter.version;
        Some(PythonCode { code, version, first_line, file_width, file, name_width, name, lines })
    }

    /// The interpreter's record of a thread.
    fn state_of(&mut self, interpreter: &Interpreter, own: u64) -> Option<u64> {
        let Interpreter { runtime, layout, .. } = interpreter;
        let reader = &mut self.reader;
        let is_own = |reader: &mut Reader, state: u64| {
            reader.word(state.checked_add(layout.thread)?).filter(|thread| *thread == own)
        };
        if self.state != 0 && is_own(reader, self.state).is_some() {
            return Some(self.state);
        }
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        let first = reader.word(runtime.checked_add(layout.interpreters)?)?;
        let mut next = reader.word(first.checked_add(layout.threads)?)?;
        for _ in 0..MOST_THREADS {
            if next == 0 {
                break;
            }
            if is_own(reader, next).is_some() {
                return Some(next);
            }
            next = reader.word(next.checked_add(layout.next_thread)?)?;
        }
        self.pause = PAUSE;
        None
    }

    /// Puts the thread's frames among the others; `None` where something cannot be read, behind
    /// which nothing more is known.
    fn walk(
        &mut self,
        interpreter: &Interpreter,
        whose: Whose,
        state: u64,
        merge: &mut Merge<'_>,
    ) -> Option<()> {
        let layout = &interpreter.layout;
        let is_on_stack = |at: u64| (whose.stack.0..whose.stack.1).contains(&at);
        let current = self.reader.word(state.checked_add(layout.current)?)?;
        let (mut frames, mut calls) = (0, 0);
        match layout.entered {
            Entered::Chain { frame: innermost, outer } => {
                let mut call = current;
                while is_on_stack(call) && calls < MOST_CALLS {
                    calls += 1;
                    let mut frame = self.reader.word(call.checked_add(innermost)?)?;
                    let next = self.reader.word(call.checked_add(outer)?)?;
                    let end = self.reader.word(next.checked_add(innermost)?)?;
                    merge.go_into(call, self.frames);
                    while frame != end && frame != 0 && frames < MOST_FRAMES {
                        frames += 1;
                        // From 3.12 on the call has a frame of its own there.
                        if !is_on_stack(frame) {
                            self.frame(layout, frame, merge);
                        }
                        frame = self.reader.word(frame.checked_add(layout.previous)?)?;
                    }
                    call = next;
                }
            }
            Entered::Frame => {
                let mut frame = current;
                while frame != 0 && calls < MOST_CALLS {
                    // Where the call is comes last.
                    let begin = merge.begin_call();
                    while frame != 0 && !is_on_stack(frame) && frames < MOST_FRAMES {
                        frames += 1;
                        self.frame(layout, frame, merge);
                        frame = self.reader.word(frame.checked_add(layout.previous)?)?;
                    }
                    calls += 1;
                    if !is_on_stack(frame) {
                        // Nobody knows between which machine frames they belong.
                        merge.at = begin;
                        break;
                    }
                    merge.end_call(begin, frame, self.frames);
                    frame = self.reader.word(frame.checked_add(layout.previous)?)?;
                }
            }
        }
        Some(())
    }

    /// One frame.
    fn frame(&mut self, layout: &Layout, frame: u64, merge: &mut Merge<'_>) -> Option<()> {
        let code = self.reader.word(frame.checked_add(layout.code)?)? & !Layout::TAGS;
        let instruction = self.reader.word(frame.checked_add(layout.instruction)?)?;
        // The interpreter has frames without code, too.
        if code < 4096 {
            return None;
        }
        let place = self.found.get_mut(merge.told)?;
        let into = self.frames.get_mut(merge.at)?;
        // Until all are found.
        (*place, *into) = ((code, instruction), python::address(0, merge.told as u64));
        merge.told += 1;
        merge.at += 1;
        Some(())
    }
}

/// Two stacks become one, innermost first.
struct Merge<'a> {
    frames: &'a [u64],
    pointers: &'a [u64],
    /// How many of these are in the other one, and how many that has.
    from: usize,
    at: usize,
    /// Frames of Python code in it.
    told: usize,
}

impl Merge<'_> {
    /// The machine frames inside of this one come first.
    fn go_to(&mut self, end: usize, into: &mut [u64]) {
        while self.from < end
            && let (Some(frame), Some(place)) = (self.frames.get(self.from), into.get_mut(self.at))
        {
            *place = *frame;
            self.from += 1;
            self.at += 1;
        }
    }

    /// Goes up to the machine frame that the address on the stack belongs to.
    fn go_into(&mut self, address: u64, into: &mut [u64]) {
        self.go_to(self.inside_of(address), into);
    }

    /// How many machine frames are inside of the one that an address on the stack belongs to.
    fn inside_of(&self, address: u64) -> usize {
        let outside = self.pointers.iter().take_while(|pointer| **pointer <= address).count();
        outside.saturating_sub(1).max(self.from)
    }

    fn begin_call(&self) -> usize {
        self.at
    }

    /// The frames from `begin` on belong to the call with this address on the stack: the machine
    /// frames inside of it come before them.
    fn end_call(&mut self, begin: usize, address: u64, into: &mut [u64]) {
        let inside = self.inside_of(address);
        let (own, count) = (self.at - begin, inside.saturating_sub(self.from));
        let Some(room) = into.get_mut(begin..begin + own + count) else { return };
        room.rotate_right(count.min(room.len()));
        for place in room.iter_mut().take(count) {
            *place = self.frames.get(self.from).copied().unwrap_or(0);
            self.from += 1;
        }
        self.at = begin + own + count;
    }
}

/// A string's letters, and how many bytes each has.
fn string<'a>(
    reader: &mut Reader,
    layout: &Layout,
    at: u64,
    into: &'a mut [u8],
) -> Option<(u32, &'a [u8])> {
    let letters = Letters::of(reader.half(at.checked_add(Layout::STATE)?)?)?;
    let begin = if letters.ascii { layout.text } else { layout.wide_text };
    Some((letters.width, bytes(reader, at, begin, letters.width, into)?))
}

/// What varies in size, as much of it as there is room for.
fn bytes<'a>(
    reader: &mut Reader,
    at: u64,
    begin: u64,
    width: u32,
    into: &'a mut [u8],
) -> Option<&'a [u8]> {
    let length = reader.word(at.checked_add(Layout::SIZE)?)?.checked_mul(u64::from(width))?;
    let length = usize::try_from(length).ok()?.min(into.len());
    let into = into.get_mut(..length)?;
    let done = read::copy(reader.thread(), at.checked_add(begin)?, into);
    (done == length).then_some(into)
}
