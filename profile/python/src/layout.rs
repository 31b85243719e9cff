//! The places where versions of CPython keep the facts about the Python code that a thread
//! executes.

use crate::offsets;

/// Offsets in bytes, within the structure that each field names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// `_PyRuntimeState`: the first interpreter.
    pub interpreters: u64,
    /// `PyInterpreterState`: the first thread.
    pub threads: u64,
    /// `PyThreadState`: the next one.
    pub next_thread: u64,
    /// The same: its `pthread_self()`.
    pub thread: u64,
    /// The same: the frame that it executes, or a pointer to that ([`Entered::Chain`]).
    pub current: u64,
    /// The way to find where C code began to execute frames.
    pub entered: Entered,
    /// `_PyInterpreterFrame`, before 3.11 `PyFrameObject`: its code.
    pub code: u64,
    /// The same: the frame that called this one.
    pub previous: u64,
    /// The same: the instruction.
    pub instruction: u64,
    /// The meaning of that word.
    pub counted: Counted,
    /// The same, from 3.11 on: its values, the variables first.
    pub values: u64,
    /// `PyCodeObject`: its file.
    pub file: u64,
    /// The same: its name, from 3.11 on with the names of the scopes around it.
    pub name: u64,
    /// The same: the table of its lines.
    pub lines: u64,
    /// The same: the line of its first instruction, 32 bits.
    pub first_line: u64,
    /// The same: its first instruction.
    pub first: u64,
    /// `PyObject`: its type.
    pub kind: u64,
    /// The size of an object of varying size: a string's letters, the bytes of a table.
    pub size: u64,
    /// The begin of such bytes.
    pub bytes: u64,
    /// A string: the form of its letters ([`Letters`](crate::Letters)), 32 bits.
    pub state: u64,
    /// The same: its letters, if all of them are ASCII.
    pub text: u64,
    /// The same: its letters, if not all of them are.
    pub wide_text: u64,
}

/// The way in which a version tells which frames one call of `_PyEval_EvalFrameDefault` executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// Each call executes one frame, whose address is on the call's part of the stack.
    Each,
    /// Each call has a record on the C stack, in a chain, innermost first.
    Chain {
        /// The record: the innermost frame of that call.
        frame: u64,
        /// The record of the call outside of it.
        outer: u64,
    },
    /// The frames of each call end, outwards, with one that lies on the C stack itself.
    Frame,
}

/// A frame's word for the instruction that it executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Its distance from the first one in bytes, 32 bits; below 0 where none began.
    Bytes,
    /// The same in code units of two bytes.
    Units,
    /// Its address.
    Address,
    /// Its address in one of several copies of the code: threads without the interpreter's lock
    /// have their own.
    Copies {
        /// The frame: the number of the copy, 32 bits.
        number: u64,
        /// The code: where the copies are.
        copies: u64,
    },
}

impl Layout {
    /// Bits of a pointer to a frame's code that are no part of it.
    pub const TAGS: u64 = 7;

    /// Whether the function that executes frames must be looked for ([`Entered::Each`]).
    pub fn wants_function(&self) -> bool {
        self.entered == Entered::Each
    }
}

const OF_9: Layout = Layout {
    interpreters: 32,
    threads: 8,
    next_thread: 8,
    thread: 176,
    current: 24,
    entered: Entered::Each,
    code: 32,
    previous: 24,
    instruction: 104,
    counted: Counted::Bytes,
    values: 0,
    file: 104,
    name: 112,
    lines: 120,
    first_line: 40,
    first: 0,
    kind: 8,
    size: 16,
    bytes: 32,
    state: 32,
    text: 48,
    wide_text: 72,
};

const OF_10: Layout = Layout { instruction: 96, counted: Counted::Units, ..OF_9 };

const OF_11: Layout = Layout {
    interpreters: 40,
    threads: 16,
    thread: 152,
    current: 56,
    entered: Entered::Chain { frame: 8, outer: 16 },
    code: 32,
    previous: 48,
    instruction: 56,
    counted: Counted::Address,
    values: 72,
    file: 112,
    name: 128,
    lines: 136,
    first_line: 72,
    first: 184,
    ..OF_9
};

const OF_12: Layout = Layout {
    threads: 72,
    thread: 136,
    entered: Entered::Chain { frame: 0, outer: 8 },
    code: 0,
    previous: 8,
    first_line: 68,
    first: 192,
    text: 40,
    wide_text: 56,
    ..OF_11
};

/// Returns the version of an interpreter that does not export `Py_Version`, as all do from 3.11 on;
/// 0 where it is unknown. `exports` says whether it exports a name.
pub fn old_version(exports: impl Fn(&'static core::ffi::CStr) -> bool) -> u32 {
    match (exports(c"PyFrame_GetCode"), exports(c"PyIter_Send")) {
        (true, true) => 0x030a_0000,
        (true, false) => 0x0309_0000,
        _ => 0,
    }
}

/// The layout of a version (`Py_Version`), if it is known. `offset` reads a word of `_PyRuntime`.
pub fn layout(version: u32, offset: impl Fn(u64) -> Option<u64>) -> Option<Layout> {
    match version >> 16 {
        0x309 => Some(OF_9),
        0x30a => Some(OF_10),
        0x30b => Some(OF_11),
        0x30c => Some(OF_12),
        _ => offsets::layout(version, offset),
    }
}
