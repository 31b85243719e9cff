//! The layout that versions from 3.13 on describe themselves: `_PyRuntime` begins with offsets
//! (`_Py_DebugOffsets`), whose order differs between versions.

use crate::layout::{Counted, Entered, Layout};

/// Their first word.
const COOKIE: u64 = u64::from_le_bytes(*b"xdebugpy");
/// Offset of the word that says whether threads run without a lock.
const WITHOUT_LOCK: u64 = 16;

/// The places of the relevant offsets among them.
struct Places {
    next_thread: u64,
    current: u64,
    thread: u64,
    previous: u64,
    code: u64,
    instruction: u64,
    /// The number of the copy of its code, where threads have some.
    copy: Option<u64>,
    values: u64,
    file: u64,
    name: u64,
    lines: u64,
    first_line: u64,
    first: u64,
    copies: u64,
    kind: u64,
    size: u64,
    bytes: u64,
    state: u64,
    text: u64,
}

/// These are the same in all versions.
const INTERPRETERS: u64 = 40;
const THREADS: u64 = 72;

const AT_13: Places = Places {
    next_thread: 168,
    current: 184,
    thread: 192,
    previous: 232,
    code: 240,
    instruction: 248,
    copy: None,
    values: 256,
    file: 280,
    name: 296,
    lines: 304,
    first_line: 312,
    first: 344,
    copies: 0,
    kind: 360,
    size: 520,
    bytes: 528,
    state: 544,
    text: 560,
};

const AT_14: Places = Places {
    next_thread: 192,
    current: 208,
    thread: 216,
    previous: 256,
    code: 264,
    instruction: 272,
    copy: Some(304),
    values: 280,
    file: 320,
    name: 336,
    lines: 344,
    first_line: 352,
    first: 384,
    copies: 392,
    kind: 408,
    size: 600,
    bytes: 608,
    state: 624,
    text: 640,
};

/// A string that is not all ASCII has two words more before its letters.
const WIDE: u64 = 16;

/// Returns the layout of such a version.
pub(crate) fn layout(version: u32, offset: impl Fn(u64) -> Option<u64>) -> Option<Layout> {
    let at = match version >> 16 {
        0x30d => AT_13,
        0x30e => AT_14,
        _ => return None,
    };
    if offset(0)? != COOKIE {
        return None;
    }
    let counted = match at.copy {
        Some(copy) if offset(WITHOUT_LOCK)? != 0 => {
            Counted::Copies { number: offset(copy)?, copies: offset(at.copies)? }
        }
        _ => Counted::Address,
    };
    let text = offset(at.text)?;
    Some(Layout {
        interpreters: offset(INTERPRETERS)?,
        threads: offset(THREADS)?,
        next_thread: offset(at.next_thread)?,
        thread: offset(at.thread)?,
        current: offset(at.current)?,
        entered: Entered::Frame,
        code: offset(at.code)?,
        previous: offset(at.previous)?,
        instruction: offset(at.instruction)?,
        counted,
        values: offset(at.values)?,
        file: offset(at.file)?,
        name: offset(at.name)?,
        lines: offset(at.lines)?,
        first_line: offset(at.first_line)?,
        first: offset(at.first)?,
        kind: offset(at.kind)?,
        size: offset(at.size)?,
        bytes: offset(at.bytes)?,
        state: offset(at.state)?,
        text,
        wide_text: text.checked_add(WIDE)?,
    })
}
