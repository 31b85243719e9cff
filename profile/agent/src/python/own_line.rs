//! The line of Python code from which the calling thread has come to a module's C code. A script
//! may come there millions of times, so that the interpreter's memory is read as it is, without the
//! system's help.
//!
//! What must hold: the thread is in a call that Python code has made. The thread's record, its
//! frames and their code stay until that call returns. The interpreter itself gives the record, and
//! none where the thread has none or the interpreter has ended.

use super::chain::Whose;
use super::{Interpreter, Python, codes, found};
use omphalos_profile_format::python;
use omphalos_python::{Frame, Memory, is_of, walk_innermost};

/// The most frames among which the one that imports a module is looked for.
const MOST_FRAMES: usize = 64;
/// The begin of the names of the files with the interpreter's own code that imports modules, as
/// words.
const IMPORTS: [u64; 2] = [u64::from_le_bytes(*b"<frozen "), u64::from_le_bytes(*b"importli")];

/// The memory of the process.
struct OwnMemory;

impl Memory for OwnMemory {
    fn word(&mut self, at: u64) -> Option<u64> {
        // SAFETY: a part of an object that stays: see above.
        is_place(at, 8).then(|| unsafe { (at as *const u64).read_volatile() })
    }

    fn half(&mut self, at: u64) -> Option<u32> {
        // SAFETY: as above.
        is_place(at, 4).then(|| unsafe { (at as *const u32).read_volatile() })
    }
}

fn is_place(at: u64, size: u64) -> bool {
    at >= 4096 && at.is_multiple_of(size)
}

/// A line of Python code.
pub struct OwnLine {
    /// The address that stands for it in a stack.
    pub address: u64,
    /// The number and the identity of its code, if that is not yet in a record.
    new: Option<(u32, codes::Head)>,
}

impl OwnLine {
    /// Whether its code is not yet in a record.
    pub fn is_new(&self) -> bool {
        self.new.is_some()
    }
}

/// Returns the line that has called the C code in which the calling thread is. The interpreter's
/// own code that imports modules is left out if `past_imports`.
pub fn own_line(past_imports: bool) -> Option<OwnLine> {
    let interpreter = found()?;
    if interpreter.own_record == 0 {
        return None;
    }
    // SAFETY: the interpreter's function `PyGILState_GetThisThreadState`, which any thread may call
    // at any time.
    let own_record: extern "C" fn() -> u64 =
        unsafe { core::mem::transmute(interpreter.own_record as *const ()) };
    let record = own_record();
    // SAFETY: no condition.
    let own = unsafe { libc::pthread_self() };
    if record == 0 || !is_of(&interpreter.layout, &mut OwnMemory, record, own) {
        return None;
    }
    let (mut line, mut left) = (None, MOST_FRAMES);
    walk_innermost(&interpreter.layout, &mut OwnMemory, record, |frame| {
        line = line_of(interpreter, frame, past_imports);
        left -= 1;
        line.is_none() && left > 0
    });
    line
}

/// Returns a frame's line; `None` for a frame of the interpreter's own.
fn line_of(interpreter: &Interpreter, frame: Frame, past_imports: bool) -> Option<OwnLine> {
    let layout = &interpreter.layout;
    let word = |offset: u64| OwnMemory.word(frame.code.checked_add(offset)?);
    if word(layout.kind)? != interpreter.code_kind {
        return None;
    }
    let (file, name, lines) = (word(layout.file)?, word(layout.name)?, word(layout.lines)?);
    let first_line = OwnMemory.half(frame.code.checked_add(layout.first_line)?)?;
    if past_imports && is_of_imports(interpreter, file) {
        return None;
    }
    let (number, is_new) = codes::number([frame.code, file, name, lines, first_line.into()])?;
    let new = is_new.then_some((number, codes::Head { file, name, lines, first_line }));
    Some(OwnLine { address: python::address(number, frame.unit), new })
}

fn is_of_imports(interpreter: &Interpreter, file: u64) -> bool {
    let layout = &interpreter.layout;
    let word = |offset: u64| OwnMemory.word(file.checked_add(offset)?);
    let is_long = word(layout.size).is_some_and(|length| length >= 16);
    is_long && [word(layout.text), word(layout.text + 8)] == IMPORTS.map(Some)
}

impl Python {
    /// Notes that the code of this line, of the calling thread, is not yet in a record.
    pub fn note_line(&mut self, whose: Whose, line: &OwnLine) {
        if let Some((number, head)) = line.new {
            self.note_new(whose, number, head);
        }
    }
}
