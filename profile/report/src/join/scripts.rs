//! The frames of Python or R code on a recorded stack. They stand for the interpreter's own frames,
//! which are left out of a stack that has any of them.

use std::rc::Rc;

use super::steps::Frame;
use crate::symbols::{Owner, PythonPlace, Symbols};

/// The state of a pass over a stack's Python frames, outermost frame first.
pub(super) struct Scripts {
    /// Whether the stack's code is R's; `None` if the stack has no frames of such code.
    of_r: Option<bool>,
    /// The place of the innermost such frame that calls only the interpreter's own code.
    own: Option<usize>,
    /// True after the frames that find and load a module, before the module's own frame.
    imports: bool,
}

impl Scripts {
    pub(super) fn of(symbols: &Symbols, stack: &[(u64, Owner)]) -> Scripts {
        let last = stack.iter().rposition(|(pc, _)| symbols.python(*pc).is_some());
        let of_r = last.and_then(|last| symbols.python(stack[last].0)).map(|place| place.is_r);
        let is_r = of_r.unwrap_or(false);
        let is_seen = |pc: u64, kind: Owner| kind != Owner::Tool && !symbols.is_of_python(pc, is_r);
        let own =
            last.filter(|last| !stack[last + 1..].iter().any(|(pc, kind)| is_seen(*pc, *kind)));
        Scripts { of_r, own, imports: false }
    }

    /// Returns `None` for a frame that is not Python's; for a Python frame, the frame to show, if
    /// any. `at` is its place on the stack.
    pub(super) fn take(&mut self, symbols: &Symbols, at: usize, pc: u64) -> Option<Option<Frame>> {
        let is_r = self.of_r?;
        let Some(place) = symbols.python(pc) else {
            return symbols.is_of_python(pc, is_r).then_some(None);
        };
        if place.is_of_imports() {
            self.imports = true;
            return Some(None);
        }
        if place.is_of_start() {
            return Some(None);
        }
        let imported = std::mem::take(&mut self.imports).then(|| place.module()).flatten();
        let shown = match imported {
            Some(module) => format!("import {module}"),
            None if self.own == Some(at) => place.name.to_string(),
            None => place.call(),
        };
        Some(Some(frame(&shown, place)))
    }

    /// Returns the frame of an import whose module has no Python code.
    pub(super) fn pending(&mut self) -> Option<Frame> {
        std::mem::take(&mut self.imports).then(|| Frame::named("import"))
    }
}

fn frame(shown: &str, place: PythonPlace) -> Frame {
    let is_file = |file: &Rc<str>| !file.is_empty() && !file.starts_with('<');
    let file: Option<Rc<str>> = Some(place.file).filter(is_file);
    Frame { name: Some(place.name), file, line: place.line, ..Frame::named(shown) }
}
