//! The R functions that a thread is in, put among the frames of the machine code that executes
//! them. Addresses of such frames are like those of Python's: the code is a function with its file,
//! the unit is a line.

use super::chain::{Merge, New, Python, Whose};
use super::codes::{self, Head};
use super::{read, symbol};
use crate::unwind::modules::with_newest;
use core::sync::atomic::{
    AtomicPtr,
    Ordering::{Acquire, Release},
};
use omphalos_profile_format::{PythonCode, python};
use omphalos_python::{Machine, OF_R, r_calls};

/// An R in the process.
struct Interpreter {
    /// The range of R's program or library: its first address, and one past its last.
    place: (u64, u64),
    /// `R_GlobalContext` and `R_Srcref`.
    globals: (u64, u64),
}

static FOUND: AtomicPtr<Interpreter> = AtomicPtr::new(core::ptr::null_mut());

/// The record's `file_width` and `name_width`, for text in UTF-8.
const UTF_8: u32 = 0;

/// Looks for an R among the mapped objects, if none was found before. A signal handler must not
/// call it.
pub fn find() {
    if FOUND.load(Acquire).is_null()
        && let Some(interpreter) = look()
    {
        FOUND.store(Box::into_raw(Box::new(interpreter)), Release);
    }
}

fn look() -> Option<Interpreter> {
    let is_r = |path: &[u8]| {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        name == b"R" || name.starts_with(b"libR.so")
    };
    let places: Vec<((u64, u64), Vec<u8>)> = with_newest(|modules, _| {
        let all = modules.list.iter().filter(|module| is_r(&module.path));
        all.map(|module| ((module.start, module.end), module.path.clone())).collect()
    })?;
    places.into_iter().find_map(|(place, path)| {
        let inside = |at: &u64| (place.0..place.1).contains(at);
        let of_object = |name| symbol(&path, name).filter(inside);
        let globals = (of_object(c"R_GlobalContext")?, of_object(c"R_Srcref")?);
        Some(Interpreter { place, globals })
    })
}

/// Async-signal-safe.
fn found() -> Option<&'static Interpreter> {
    // SAFETY: null, or made by `find` and never freed.
    unsafe { FOUND.load(Acquire).as_ref() }
}

impl Python {
    /// Returns the stack with R's functions in it, if it has any. Async-signal-safe.
    pub(super) fn with_r(
        &mut self,
        whose: Whose,
        stack: &[u64],
        pointers: &[u64],
    ) -> Option<&[u64]> {
        let interpreter = found()?;
        let (low, high) = interpreter.place;
        let is_interpreter = |pc: &u64| (low..high).contains(pc);
        if !stack.iter().any(is_interpreter) {
            return None;
        }
        self.reader.begin(whose.os_tid, whose.memory);
        let is_cut = !stack.last().is_some_and(is_interpreter);
        let machine = Machine { pointers, stack: whose.stack, is_cut, executes: |_| false };
        let mut merge = Merge::of(stack);
        let Python { reader, frames, new, count_of_new, .. } = self;
        r_calls::walk(reader, interpreter.globals, &machine, |call| {
            let (name, file) = (call.name, call.place.file);
            let Some((number, is_new)) = codes::number([name, file, OF_R.into(), 0, 0]) else {
                return;
            };
            if is_new {
                let Some(place) = new.get_mut(*count_of_new) else { return };
                *place = New { number, head: Head { file, name, ..Head::default() }, is_r: true };
                *count_of_new += 1;
            }
            merge.go_to(call.inside, frames);
            merge.put(python::address(number, call.place.line.into()), frames);
        });
        if merge.told == 0 {
            return None;
        }
        merge.go_to(stack.len(), self.frames);
        self.frames.get(..merge.at)
    }

    /// Returns the record of an R function that has not been recorded yet. Async-signal-safe.
    pub(super) fn new_function<'a>(
        reader: &mut read::Reader,
        new: New,
        (file, name): (&'a mut [u8], &'a mut [u8]),
    ) -> Option<PythonCode<'a>> {
        let file = text(reader, new.head.file, file).unwrap_or(b"");
        let name = text(reader, new.head.name, name).unwrap_or(b"<anonymous>");
        Some(PythonCode {
            code: new.number,
            version: OF_R,
            first_line: 0,
            file_width: UTF_8,
            file,
            name_width: UTF_8,
            name,
            lines: &[],
        })
    }
}

fn text<'a>(reader: &mut read::Reader, name: u64, into: &'a mut [u8]) -> Option<&'a [u8]> {
    let (at, length) = r_calls::text(reader, name)?;
    let length = usize::try_from(length).ok()?.min(into.len());
    let into = into.get_mut(..length)?;
    let done = read::copy(reader.thread(), at, into);
    (done == length).then_some(into)
}
