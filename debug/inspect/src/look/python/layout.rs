//! Where versions of CPython keep what tells which Python code a thread executes.

use omphalos_ompd_view::Target;
use omphalos_ompd_view::target::word;

/// Offsets in bytes.
#[derive(Clone, Copy)]
pub struct Layout {
    /// `_PyRuntimeState`: the first interpreter.
    pub interpreters: u64,
    /// `PyInterpreterState`: the first thread.
    pub threads: u64,
    /// `PyThreadState`: what `pthread_self()` gave it.
    pub thread: u64,
    /// The same: the frame that it executes, or what points to that.
    pub current: u64,
    /// Of what points to it: the frame.
    pub within: Option<u64>,
    /// `_PyInterpreterFrame`: the code, the frame that called this one, the instruction.
    pub code: u64,
    pub previous: u64,
    pub instruction: u64,
    /// `PyCodeObject`: the line of its first instruction, and that instruction.
    pub first_line: u64,
    pub first: u64,
    /// A string: its bytes, if all of them are ASCII.
    pub text: u64,
}

/// `PyThreadState`, of all: the next one.
pub const NEXT_THREAD: u64 = 8;
/// `PyCodeObject`, of all: file, name and lines.
pub const FILE: u64 = 112;
pub const NAME: u64 = 128;
pub const LINES: u64 = 136;
/// What varies in size has it there, and its bytes behind.
pub const SIZE: u64 = 16;
pub const BYTES: u64 = 32;

const OF_11: Layout = Layout {
    interpreters: 40,
    threads: 16,
    thread: 152,
    current: 56,
    within: Some(8),
    code: 32,
    previous: 48,
    instruction: 56,
    first_line: 72,
    first: 184,
    text: 48,
};

const OF_12: Layout = Layout {
    threads: 72,
    thread: 136,
    within: Some(0),
    code: 0,
    previous: 8,
    first_line: 68,
    first: 192,
    text: 40,
    ..OF_11
};

const OF_13: Layout = Layout { thread: 152, current: 72, within: None, first: 200, ..OF_12 };

/// From 3.13 on `_PyRuntime` begins with offsets: with this word, and behind it whether threads run
/// without a lock, the interpreters' and the threads' place.
const COOKIE: u64 = u64::from_le_bytes(*b"xdebugpy");
const WITHOUT_LOCK: u64 = 16;
const INTERPRETERS: u64 = 40;
const THREADS: u64 = 72;

/// The layout of a version (`Py_Version`), if it is known.
pub fn layout(target: &dyn Target, runtime: u64, version: u64) -> Option<Layout> {
    let offset = |at: u64| word(target, runtime.wrapping_add(at)).ok();
    match version >> 16 {
        0x30b => Some(OF_11),
        0x30c => Some(OF_12),
        0x30d if offset(0)? == COOKIE && offset(WITHOUT_LOCK)? == 0 => {
            let (interpreters, threads) = (offset(INTERPRETERS)?, offset(THREADS)?);
            Some(Layout { interpreters, threads, ..OF_13 })
        }
        _ => None,
    }
}
