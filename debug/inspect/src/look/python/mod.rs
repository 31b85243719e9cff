//! The Python code that threads execute: put on their stacks where the interpreter executes it, as
//! a debugger of Python would name it.
//!
//! What must hold: the process may be damaged. Only reads of its memory follow from what it says,
//! and a version that is not known gets no frames.

mod locks;
mod releases;

use omphalos_ompd_view::Target;
use omphalos_ompd_view::snapshot::{Frame, Snapshot, Thread};
use omphalos_ompd_view::target::{half, word};
use omphalos_python::{Entered, Layout, layout, line};

use crate::space::{Space, exported, modules};

/// Interpreters' threads, frames of one, and bytes of a string or a table that are read.
const MOST_THREADS: usize = 4096;
const MOST_FRAMES: usize = 64;
const MOST_BYTES: u64 = 1 << 16;
/// The function of the interpreter's that executes Python's code.
const EXECUTES: &str = "_PyEval_EvalFrameDefault";

/// Adds the frames, and who holds the locks that Python's threads wait for.
pub fn add_frames(space: &dyn Space, snapshot: &mut Snapshot) {
    let executes = |thread: &Thread| thread.stack.iter().any(|frame| frame.function == EXECUTES);
    let threads = &mut snapshot.threads;
    if !threads.iter().any(executes) {
        return;
    }
    let target = space.as_target();
    let Some(python) = Python::of(space) else { return };
    let (mut held, mut owned) = (Vec::new(), Vec::new());
    let states = python.states();
    let lwp_of = |own: u64| threads.iter().find(|thread| thread.pthread == own).map(|it| it.lwp);
    let lwps: Vec<(u64, u32)> =
        states.iter().filter_map(|(own, _)| Some((*own, lwp_of(*own)?))).collect();
    for (own, state) in states {
        let Some(thread) = threads.iter_mut().find(|thread| thread.pthread == own) else {
            continue;
        };
        let of_c = thread.stack.iter().position(|frame| frame.function == EXECUTES);
        let Some(at) = of_c else { continue };
        let frames = Python { target, ..python }.frames(state);
        for (frame, at) in &frames {
            let place = at.as_ref().and_then(super::place_of).unwrap_or_default();
            held.extend(python.held(*frame, thread.lwp, &place));
            owned.extend(python.owned(*frame, &lwps));
        }
        thread.stack.splice(at..at, frames.into_iter().filter_map(|(_, at)| at));
    }
    locks::find(snapshot, &held, &owned);
    releases::find(snapshot);
}

#[derive(Clone, Copy)]
struct Python<'a> {
    target: &'a dyn Target,
    runtime: u64,
    layout: Layout,
}

impl<'a> Python<'a> {
    fn of(space: &'a dyn Space) -> Option<Python<'a>> {
        let modules = modules(space.mappings());
        let is_python =
            |name: &str| ["python", "libpython"].iter().any(|begin| name.starts_with(begin));
        let module = modules.iter().find(|module| {
            is_python(module.name()) && exported(space, "_PyRuntime", Some(module.name())).is_ok()
        })?;
        let target = space.as_target();
        let runtime = exported(space, "_PyRuntime", Some(module.name())).ok()?;
        let version = exported(space, "Py_Version", Some(module.name())).ok()?;
        let offset = |at: u64| word(target, runtime.wrapping_add(at)).ok();
        let layout = layout(word(target, version).ok()?, offset)?;
        Some(Python { target, runtime, layout })
    }

    fn word(&self, at: u64, offset: u64) -> Option<u64> {
        word(self.target, at.checked_add(offset)?).ok()
    }

    /// The threads of the first interpreter: `pthread_self()` of each, and its record.
    fn states(&self) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        let first = self.word(self.runtime, self.layout.interpreters);
        let mut next = first.and_then(|first| self.word(first, self.layout.threads));
        while let Some(state) = next.filter(|state| *state != 0 && found.len() < MOST_THREADS) {
            let Some(own) = self.word(state, self.layout.thread) else { break };
            found.push((own, state));
            next = self.word(state, self.layout.next_thread);
        }
        found
    }

    /// What a thread executes, innermost first: the interpreter's frames, with what is shown of
    /// them.
    fn frames(&self, state: u64) -> Vec<(u64, Option<Frame>)> {
        let mut found = Vec::new();
        let current = self.word(state, self.layout.current);
        let mut next = match self.layout.entered {
            Entered::Chain { frame, .. } => current.and_then(|of_c| self.word(of_c, frame)),
            Entered::Frame => current,
        };
        for _ in 0..MOST_FRAMES {
            let Some(frame) = next.filter(|frame| *frame != 0) else { break };
            found.push((frame, self.frame(frame)));
            next = self.word(frame, self.layout.previous);
        }
        found
    }

    /// One frame; `None` for what the interpreter puts between its own functions and Python's.
    fn frame(&self, frame: u64) -> Option<Frame> {
        let code = self.word(frame, self.layout.code)? & !Layout::TAGS;
        let file = self.text(self.word(code, self.layout.file)?)?;
        let function = self.text(self.word(code, self.layout.name)?)?;
        if file == "<shim>" || file.starts_with("<frozen") {
            return None;
        }
        let table = self.word(code, self.layout.lines)?;
        let table =
            self.bytes(table.checked_add(Layout::BYTES)?, self.word(table, Layout::SIZE)?)?;
        let first = half(self.target, code.checked_add(self.layout.first_line)?).ok()?;
        let at = self.word(frame, self.layout.instruction)?;
        let unit = at.checked_sub(code.checked_add(self.layout.first)?)? / 2;
        let module = file.rsplit('/').next().unwrap_or(&file).to_owned();
        let line = line(&table, first, unit);
        Some(Frame { address: at, function, file: Some(file), line, module, ..Frame::default() })
    }

    fn text(&self, at: u64) -> Option<String> {
        let length = self.word(at, Layout::SIZE)?;
        let bytes = self.bytes(at.checked_add(self.layout.text)?, length)?;
        let is_text = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
        let is_name = !bytes.is_empty() && bytes.iter().all(is_text);
        is_name.then(|| String::from_utf8(bytes).ok())?
    }

    fn bytes(&self, at: u64, length: u64) -> Option<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(length.min(MOST_BYTES)).ok()?];
        self.target.read(at, &mut bytes).ok()?;
        (length <= MOST_BYTES).then_some(bytes)
    }
}
