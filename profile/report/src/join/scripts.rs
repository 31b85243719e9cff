//! The frames of Python code on a recorded stack. They stand for the interpreter's own frames,
//! which are left out of a stack that has any.

use std::rc::Rc;

use super::steps::Frame;
use crate::symbols::{Owner, PythonPlace, Symbols};

/// What is met of Python's code while a stack is gone through, outermost frame first.
pub(super) struct Scripts {
    /// The stack has frames of Python code.
    has_any: bool,
    /// Where the innermost one is that calls nothing but the interpreter's own code.
    own: Option<usize>,
    /// The frames that find and load a module are passed, and the module's own frame is to come.
    imports: bool,
}

impl Scripts {
    pub(super) fn of(symbols: &Symbols, stack: &[(u64, Owner)]) -> Scripts {
        let is_python = |pc: u64| symbols.python(pc).is_some();
        let last = stack.iter().rposition(|(pc, _)| is_python(*pc));
        let is_seen = |pc: u64, kind: Owner| kind != Owner::Tool && !symbols.is_of_python(pc);
        let own =
            last.filter(|last| !stack[last + 1..].iter().any(|(pc, kind)| is_seen(*pc, *kind)));
        Scripts { has_any: last.is_some(), own, imports: false }
    }

    /// `None` for a frame that is none of Python's; of those that are, the one that is shown, if
    /// any. `at` is its place on the stack.
    pub(super) fn take(&mut self, symbols: &Symbols, at: usize, pc: u64) -> Option<Option<Frame>> {
        if !self.has_any {
            return None;
        }
        let Some(place) = symbols.python(pc) else {
            return symbols.is_of_python(pc).then_some(None);
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

    /// The frame of an import whose module has no code of Python's.
    pub(super) fn pending(&mut self) -> Option<Frame> {
        std::mem::take(&mut self.imports).then(|| Frame::named("import"))
    }
}

fn frame(shown: &str, place: PythonPlace) -> Frame {
    let file: Option<Rc<str>> = Some(place.file).filter(|file| !file.starts_with('<'));
    Frame { name: Some(place.name), file, line: place.line, ..Frame::named(shown) }
}
