//! Puts the Python code that threads execute, and R's functions (`r_frames`), on their stacks at
//! the interpreter's frames, with the names that a debugger of Python would show.
//!
//! What must hold: the process may be damaged. The process's words lead to reads of its memory
//! only, and an unknown version gets no frames.

mod imports;
mod joins;
mod locks;
mod r_frames;
mod releases;

use omphalos_ompd_view::Target;
use omphalos_ompd_view::snapshot::{Frame, Snapshot, Thread};
use omphalos_ompd_view::target::{half, word};
use omphalos_program::{python_text, visible};
use omphalos_python::{Layout, Letters, Machine, Memory, layout, line, old_version, threads, walk};

use super::place_of;
use crate::space::{Mapping, Space, exported, modules};

/// Frames of one thread, and bytes of a string or a table that are read.
const MOST_FRAMES: usize = 64;
const MOST_BYTES: u64 = 1 << 16;
/// The interpreter's function that executes Python code.
const EXECUTES: &str = "_PyEval_EvalFrameDefault";
/// The first version whose records of threads have the kernel's number.
const FIRST_WITH_NUMBER: u32 = 0x30b;
/// The greatest size of the innermost machine frame, in bytes.
const INNERMOST_BYTES: u64 = 1 << 14;

/// Adds the frames and the holders of the locks that Python's threads wait for; and R's functions.
pub fn add_frames(space: &dyn Space, snapshot: &mut Snapshot) {
    r_frames::add(space, snapshot);
    let Some(python) = Python::of(space) else { return };
    let (mut held, mut owned, mut imports) = (Vec::new(), Vec::new(), Vec::new());
    let states = python.states();
    let threads = &mut snapshot.threads;
    python.find_selves(&states, threads);
    let lwp_of = |own: u64| threads.iter().find(|thread| thread.pthread == own).map(|it| it.lwp);
    let records = states.clone();
    let lwps: Vec<(u64, u32)> =
        states.iter().filter_map(|(own, _)| Some((*own, lwp_of(*own)?))).collect();
    for (own, state) in states {
        let mut all = threads.iter_mut();
        let Some(thread) = all.find(|thread| thread.pthread == own) else { continue };
        let frames = python.frames(state, thread);
        for found in &frames {
            let place = found.shown.as_ref().and_then(place_of).unwrap_or_default();
            held.extend(python.held(found.frame, thread.lwp, &place));
            owned.extend(python.owned(found.frame, &lwps));
        }
        imports.extend(python.imports(&frames, thread.lwp));
        for found in frames.into_iter().rev() {
            if let Some(frame) = found.shown {
                thread.stack.insert(found.frame.inside.min(thread.stack.len()), frame);
            }
        }
    }
    python.find_joined(snapshot, &records, &lwps);
    imports::find(snapshot, &imports);
    locks::find(snapshot, &held, &owned);
    releases::find(snapshot);
}

/// Reads the memory in which [`add_frames`] finds the threads' frames, so that a look keeps it from
/// the moment at which the threads stand still.
pub fn read_ahead(space: &dyn Space) {
    r_frames::read_ahead(space);
    let first = space.pid().map(|pid| space.numbers().map_or(pid, |numbers| numbers.seen(pid)));
    let Some(python) = Python::of(space) else { return };
    for (own, state) in python.states() {
        let is_first = first.is_some() && python.kernel_number(state) == first;
        let is_stack = |mapping: &&Mapping| match is_first {
            true => mapping.path == "[stack]",
            false => (mapping.start..mapping.end).contains(&own),
        };
        let stack = space.mappings().iter().find(is_stack);
        let stack = stack.map_or((0, 0), |mapping| (mapping.start, mapping.end));
        let machine = Machine { pointers: &[], stack, is_cut: true, executes: |_| false };
        walk(&python.layout, &mut Words(python.target), state, &machine, |_| ());
    }
}

struct Python<'a> {
    target: &'a dyn Target,
    runtime: u64,
    version: u32,
    layout: Layout,
}

/// A frame of the interpreter.
struct Found {
    frame: omphalos_python::Frame,
    /// The frame as shown on a stack; `None` for a frame that is not shown.
    shown: Option<Frame>,
}

fn is_python(module: &str) -> bool {
    ["python", "libpython"].iter().any(|begin| module.starts_with(begin))
}

/// The stack pointer in each of a thread's frames, innermost first, and the range of its stack.
fn pointers_of(thread: &Thread) -> Option<(Vec<u64>, (u64, u64))> {
    let first = thread.stack.first().filter(|frame| frame.cfa != 0)?;
    // Each frame begins where the frame inside it ends. Inlined functions are at the frame that
    // contains them.
    let (mut inside, mut own) = (first.cfa.saturating_sub(INNERMOST_BYTES), first.cfa);
    let mut pointers = Vec::with_capacity(thread.stack.len());
    for frame in &thread.stack {
        if frame.cfa > own {
            (inside, own) = (own, frame.cfa);
        } else if frame.cfa == 0 {
            inside = own;
        }
        pointers.push(inside);
    }
    Some((pointers, (first.cfa.saturating_sub(INNERMOST_BYTES), own)))
}

struct Words<'a>(&'a dyn Target);

impl Memory for Words<'_> {
    fn word(&mut self, at: u64) -> Option<u64> {
        word(self.0, at).ok()
    }

    fn half(&mut self, at: u64) -> Option<u32> {
        half(self.0, at).ok()
    }
}

impl<'a> Python<'a> {
    fn of(space: &'a dyn Space) -> Option<Python<'a>> {
        let modules = modules(space.mappings());
        let mut pythons = modules.iter().filter(|module| is_python(module.name()));
        pythons.find_map(|module| {
            let exported = |name: &str| exported(space, name, Some(module.name())).ok();
            let target = space.as_target();
            let runtime = exported("_PyRuntime")?;
            let version = match exported("Py_Version") {
                Some(at) => half(target, at).ok()?,
                None => {
                    old_version(|name| name.to_str().is_ok_and(|name| exported(name).is_some()))
                }
            };
            let offset = |at: u64| word(target, runtime.wrapping_add(at)).ok();
            Some(Python { target, runtime, version, layout: layout(version, offset)? })
        })
    }

    fn word(&self, at: u64, offset: u64) -> Option<u64> {
        word(self.target, at.checked_add(offset)?).ok()
    }

    /// The threads of the first interpreter: `pthread_self()` of each, and its record.
    fn states(&self) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        threads(&self.layout, &mut Words(self.target), self.runtime, |state, own| {
            found.push((own, state));
            false
        });
        found
    }

    /// Fills in `pthread_self()` for threads in calls that a look does not interrupt: their
    /// registers are not known.
    fn find_selves(&self, states: &[(u64, u64)], threads: &mut [Thread]) {
        for (own, state) in states {
            if threads.iter().any(|thread| thread.pthread == *own) {
                continue;
            }
            let number = self.kernel_number(*state);
            let is_it = |thread: &&mut Thread| thread.pthread == 0 && Some(thread.lwp) == number;
            if let Some(thread) = threads.iter_mut().find(is_it) {
                thread.pthread = *own;
            }
        }
    }

    /// The kernel's number of the thread with this record: the word behind `pthread_self()`.
    fn kernel_number(&self, state: u64) -> Option<u32> {
        let is_there = self.version >> 16 >= FIRST_WITH_NUMBER;
        self.word(state.checked_add(self.layout.thread).filter(|_| is_there)?, 8)?.try_into().ok()
    }

    /// The Python frames that a thread executes, innermost first.
    fn frames(&self, state: u64, thread: &Thread) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let Some((pointers, stack)) = pointers_of(thread) else { return found };
        let executes =
            |at: usize| thread.stack.get(at).is_some_and(|frame| frame.function == EXECUTES);
        let is_cut = !thread.stack.last().is_some_and(|frame| is_python(&frame.module));
        let machine = Machine { pointers: &pointers, stack, is_cut, executes };
        walk(&self.layout, &mut Words(self.target), state, &machine, |frame| {
            if found.len() < MOST_FRAMES {
                found.push(Found { frame, shown: self.shown(frame) });
            }
        });
        found
    }

    /// The frame as shown; `None` for a frame that the interpreter puts between its own functions
    /// and Python's.
    fn shown(&self, frame: omphalos_python::Frame) -> Option<Frame> {
        let (layout, code) = (&self.layout, frame.code);
        let file = self.text(self.word(code, layout.file)?)?;
        let function = self.text(self.word(code, layout.name)?)?;
        if file == "<shim>" || file.starts_with("<frozen") {
            return None;
        }
        let table = self.table(code, layout.lines)?;
        let first = half(self.target, code.checked_add(layout.first_line)?).ok()?;
        let module = file.rsplit('/').next().unwrap_or(&file).to_owned();
        let line = line(self.version, &table, first, frame.unit);
        let address = code.checked_add(layout.first)?.checked_add(frame.unit.checked_mul(2)?)?;
        Some(Frame { address, function, file: Some(file), line, module, ..Frame::default() })
    }

    /// A table of a code object.
    fn table(&self, code: u64, offset: u64) -> Option<Vec<u8>> {
        let table = self.word(code, offset)?;
        let begin = table.checked_add(self.layout.bytes)?;
        self.bytes(begin, self.word(table, self.layout.size)?)
    }

    fn text(&self, at: u64) -> Option<String> {
        let letters = Letters::of(half(self.target, at.checked_add(self.layout.state)?).ok()?)?;
        let begin = if letters.ascii { self.layout.text } else { self.layout.wide_text };
        let length = self.word(at, self.layout.size)?.checked_mul(letters.width.into())?;
        let bytes = self.bytes(at.checked_add(begin)?, length)?;
        let text = python_text(&bytes, letters.width);
        let is_name = !text.is_empty() && !text.chars().any(char::is_control);
        is_name.then(|| visible(&text).into())
    }

    fn bytes(&self, at: u64, length: u64) -> Option<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(length.min(MOST_BYTES)).ok()?];
        self.target.read(at, &mut bytes).ok()?;
        (length <= MOST_BYTES).then_some(bytes)
    }
}
