//! Where versions of CPython keep what tells which Python code a thread executes.

/// Offsets in bytes, within what each group names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// `_PyRuntimeState`: the first interpreter.
    pub interpreters: u64,
    /// `PyInterpreterState`: the first thread.
    pub threads: u64,
    /// `PyThreadState`: the next one.
    pub next_thread: u64,
    /// The same: what `pthread_self()` gave it.
    pub thread: u64,
    /// The same: the frame that it executes, or what points to that ([`Entered::Chain`]).
    pub current: u64,
    /// What tells where C code began to execute frames.
    pub entered: Entered,
    /// `_PyInterpreterFrame`: its code.
    pub code: u64,
    /// The same: the frame that called this one.
    pub previous: u64,
    /// The same: the instruction.
    pub instruction: u64,
    /// The same: its values, the variables first.
    pub values: u64,
    /// The same, since 3.14: what points behind the last value in use.
    pub values_end: Option<u64>,
    /// `PyCodeObject`: its file.
    pub file: u64,
    /// The same: its name, with those of what it stands in.
    pub name: u64,
    /// The same: the table of its lines.
    pub lines: u64,
    /// The same: the line of its first instruction, 32 bits.
    pub first_line: u64,
    /// The same: its first instruction.
    pub first: u64,
    /// A string: its letters, if all of them are ASCII.
    pub text: u64,
    /// The same: its letters, if not all of them are.
    pub wide_text: u64,
}

/// How a version tells which frames one call of `_PyEval_EvalFrameDefault` executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// Each call has a record on the C stack, in a chain, innermost first.
    Chain {
        /// The record: the innermost frame of that call.
        frame: u64,
        /// The record of the call outside of it.
        outer: u64,
    },
    /// Outside of the frames of each call comes one that lies on the C stack itself.
    Frame,
}

impl Layout {
    /// `PyObject`: its type.
    pub const KIND: u64 = 8;
    /// What varies in size has it there: a string's letters, the bytes of a table.
    pub const SIZE: u64 = 16;
    /// Such bytes: where they begin.
    pub const BYTES: u64 = 32;
    /// A string: what its letters are like ([`Letters`]), 32 bits.
    pub const STATE: u64 = 32;
    /// Bits of a pointer to a frame's code that are no part of it.
    pub const TAGS: u64 = 7;
}

/// How a string's letters lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters {
    /// Bytes of one: 1 (Latin-1), 2 or 4.
    pub width: u32,
    /// All are ASCII.
    pub ascii: bool,
}

impl Letters {
    /// By the word at [`Layout::STATE`]; `None` for what no code's names are.
    pub fn of(state: u32) -> Option<Letters> {
        let (width, compact, ascii) = (state >> 2 & 7, state >> 5 & 1, state >> 6 & 1);
        let is_whole = compact == 1 && matches!(width, 1 | 2 | 4);
        is_whole.then_some(Letters { width, ascii: ascii == 1 })
    }
}

const OF_11: Layout = Layout {
    interpreters: 40,
    threads: 16,
    next_thread: 8,
    thread: 152,
    current: 56,
    entered: Entered::Chain { frame: 8, outer: 16 },
    code: 32,
    previous: 48,
    instruction: 56,
    values: 72,
    values_end: None,
    file: 112,
    name: 128,
    lines: 136,
    first_line: 72,
    first: 184,
    text: 48,
    wide_text: 72,
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

/// From 3.13 on `_PyRuntime` begins with offsets: with this word, and behind it whether threads run
/// without a lock.
const COOKIE: u64 = u64::from_le_bytes(*b"xdebugpy");
const WITHOUT_LOCK: u64 = 16;

/// Where among them those stand that matter here.
struct Offsets {
    interpreters: u64,
    threads: u64,
    next_thread: u64,
    current: u64,
    thread: u64,
    previous: u64,
    code: u64,
    instruction: u64,
    values: u64,
    values_end: Option<u64>,
    file: u64,
    name: u64,
    lines: u64,
    first_line: u64,
    first: u64,
}

const AT_13: Offsets = Offsets {
    interpreters: 40,
    threads: 72,
    next_thread: 168,
    current: 184,
    thread: 192,
    previous: 232,
    code: 240,
    instruction: 248,
    values: 256,
    values_end: None,
    file: 280,
    name: 296,
    lines: 304,
    first_line: 312,
    first: 344,
};

const AT_14: Offsets = Offsets {
    interpreters: 40,
    threads: 72,
    next_thread: 192,
    current: 208,
    thread: 216,
    previous: 256,
    code: 264,
    instruction: 272,
    values: 280,
    values_end: Some(296),
    file: 320,
    name: 336,
    lines: 344,
    first_line: 352,
    first: 384,
};

/// The layout of a version (`Py_Version`), if it is known. `offset` reads a word of `_PyRuntime`.
pub fn layout(version: u64, offset: impl Fn(u64) -> Option<u64>) -> Option<Layout> {
    let at = match version >> 16 {
        0x30b => return Some(OF_11),
        0x30c => return Some(OF_12),
        0x30d => AT_13,
        0x30e => AT_14,
        _ => return None,
    };
    if offset(0)? != COOKIE || offset(WITHOUT_LOCK)? != 0 {
        return None;
    }
    Some(Layout {
        interpreters: offset(at.interpreters)?,
        threads: offset(at.threads)?,
        next_thread: offset(at.next_thread)?,
        thread: offset(at.thread)?,
        current: offset(at.current)?,
        entered: Entered::Frame,
        code: offset(at.code)?,
        previous: offset(at.previous)?,
        instruction: offset(at.instruction)?,
        values: offset(at.values)?,
        values_end: at.values_end.and_then(&offset),
        file: offset(at.file)?,
        name: offset(at.name)?,
        lines: offset(at.lines)?,
        first_line: offset(at.first_line)?,
        first: offset(at.first)?,
        ..OF_12
    })
}
