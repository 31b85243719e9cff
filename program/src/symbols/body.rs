//! Finds the line of an outlined function: the first line that belongs to the function it was made
//! of.

use std::rc::Rc;

use super::{Function, Role, Symbols, enclosing};

/// The line information about an outlined function.
pub(super) struct BodyLine {
    pub(super) role: Role,
    pub(super) file: Option<Rc<str>>,
    /// The first line of its own in the line information; 0 = none.
    pub(super) line: u32,
}

pub(super) fn body_line(symbols: &Symbols, start: u64) -> BodyLine {
    let mut first = BodyLine { role: Role::Outlined, file: None, line: 0 };
    let mut strange: Vec<u32> = Vec::new();
    // flang opens a body with lines that the line information does not name.
    for pc in start..start + 512 {
        let functions = symbols.functions(pc);
        let Some(own) = functions.last().filter(|own| own.start == Some(start)) else { break };
        if first.line == 0 {
            first = BodyLine { role: own.role, file: own.file.clone(), line: own.line };
        }
        if own.line == 0 || strange.contains(&own.line) {
            continue;
        }
        let line = BodyLine { role: own.role, file: own.file.clone(), line: own.line };
        if is_of_function(symbols, pc, own, line.file.as_deref()) {
            return line;
        }
        // gcc moves code of a function that is inlined there to the front, under that function's
        // line.
        strange.push(own.line);
        if strange.len() == MOST_STRANGE {
            break;
        }
    }
    first
}

/// Lines at the front of a body that may belong to other functions.
const MOST_STRANGE: usize = 8;

/// Whether the line of an outlined function belongs to the function that it is named after, as far
/// as that can be determined.
fn is_of_function(symbols: &Symbols, pc: u64, own: &Function, file: Option<&str>) -> bool {
    let around = || enclosing::function(symbols, pc, file?, own.line);
    own.role != Role::Outlined
        || own.shown.is_empty()
        || around().is_none_or(|name| name.contains(&*own.shown) || own.shown.contains(&*name))
}
