//! Puts the R functions that a thread is in on its stack, where the interpreter executes them.

use omphalos_ompd_view::snapshot::{Frame, Snapshot};
use omphalos_program::visible;
use omphalos_python::{Machine, r_calls};

use super::{MOST_BYTES, MOST_FRAMES, Words, pointers_of};
use crate::space::{Space, exported, modules};

/// The module of an R frame whose source file is unknown.
const MODULE: &str = "R";

/// Reads the memory in which [`add`] finds the frames.
pub fn read_ahead(space: &dyn Space) {
    let Some(globals) = globals(space) else { return };
    let stack = space.mappings().iter().find(|mapping| mapping.path == "[stack]");
    let stack = stack.map_or((0, 0), |mapping| (mapping.start, mapping.end));
    let machine = Machine { pointers: &[], stack, is_cut: true, executes: |_| false };
    r_calls::walk(&mut Words(space.as_target()), globals, &machine, |_| ());
}

/// The addresses of the interpreter's variables that lead to the frames.
fn globals(space: &dyn Space) -> Option<(u64, u64)> {
    let modules = modules(space.mappings());
    let mut all = modules.iter().map(|module| module.name()).filter(|name| is_r(name));
    all.find_map(|module| {
        let exported = |name: &str| exported(space, name, Some(module)).ok();
        Some((exported("R_GlobalContext")?, exported("R_Srcref")?))
    })
}

/// Adds the frames.
pub fn add(space: &dyn Space, snapshot: &mut Snapshot) {
    let Some(globals) = globals(space) else { return };
    let mut memory = Words(space.as_target());
    for thread in &mut snapshot.threads {
        let Some((pointers, stack)) = pointers_of(thread) else { continue };
        let is_cut = !thread.stack.last().is_some_and(|frame| is_r(&frame.module));
        let machine = Machine { pointers: &pointers, stack, is_cut, executes: |_| false };
        let mut found = Vec::new();
        r_calls::walk(&mut memory, globals, &machine, |call| {
            if found.len() < MOST_FRAMES {
                found.push(call);
            }
        });
        for call in found.into_iter().rev() {
            let frame = shown(space, call);
            thread.stack.insert(call.inside.min(thread.stack.len()), frame);
        }
    }
}

fn is_r(module: &str) -> bool {
    module == "R" || module.starts_with("libR.so")
}

fn shown(space: &dyn Space, call: r_calls::Call) -> Frame {
    let function = text(space, call.name).unwrap_or_else(|| "<anonymous>".to_owned());
    let file = text(space, call.place.file);
    let line = Some(call.place.line).filter(|line| *line > 0 && file.is_some());
    let name = file.as_ref().and_then(|file| file.rsplit('/').next()).unwrap_or(MODULE);
    Frame { function, module: name.to_owned(), file, line, ..Frame::default() }
}

fn text(space: &dyn Space, name: u64) -> Option<String> {
    let (at, length) = r_calls::text(&mut Words(space.as_target()), name)?;
    let mut bytes = vec![0; usize::try_from(length.min(MOST_BYTES)).ok()?];
    space.as_target().read(at, &mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let is_name = !text.is_empty() && !text.chars().any(char::is_control);
    is_name.then(|| visible(&text).into())
}
