//! Recognises calls that a compiler merged into one: where two branches end alike, their calls have
//! one instruction, which has the line of one of them, or none.
//!
//! The source shows which other lines call that function. What must hold: a line with a call of its
//! own, or with code elsewhere, is not named.

use std::collections::HashSet;
use std::rc::Rc;

use super::directives::Directive;
use super::image::Image;
use super::{Role, Symbols, enclosing, source};
use crate::entries::{self, Part};

/// Other functions that are searched for the code of a line.
const MOST_FUNCTIONS: usize = 1 << 12;
/// Lines that are named.
const MOST_LINES: usize = 4;

/// The lines, beside its own, that the call which returns to `after` may stand for.
pub(super) fn lines(symbols: &Symbols, after: u64) -> Option<Vec<u32>> {
    let callee = symbols.callee(after)?;
    let around = symbols.functions(after.wrapping_sub(1));
    let (own, outer) = around.split_first()?;
    // In a body of two halves, the inner one has the lines.
    let inlined = !outer.is_empty() && own.role != Role::Body;
    // The call need not be in an inlined function: clang's call for several has no line.
    let of_any = inlined || own.line == 0;
    let start = outer.last().unwrap_or(own).start?;
    let file = own.file.clone().or_else(|| symbols.functions(start).first()?.file.clone())?;
    let (image, bias) = symbols.image(after)?;
    let bounds = image.function_bounds(after.wrapping_sub(bias).wrapping_sub(1))?;
    let lines = image.lines_at_depth(bounds, &file, if of_any { usize::MAX } else { around.len() });
    let (first, last) = (*lines.first()?, *lines.last()?);
    let mut found: Vec<u32> = match directive(&callee) {
        Some(word) => {
            let all = symbols.directives(after - 1, &file);
            let is_it = |one: &&Directive| one.words == [word];
            all.iter().filter(is_it).map(|one| one.line).collect()
        }
        None => {
            let name = callee.trim_end_matches('_');
            source::lines_with(&file, |line| calls(line, name))
        }
    };
    // A call may have the line of its directive, or a line next to it.
    let near = if directive(&callee).is_some() { 1 } else { 0 };
    let is_own = |line: u32| line.abs_diff(own.line) <= near;
    found.retain(|line| (first..=last).contains(line) && !is_own(*line));
    if of_any {
        // The other line's function must be inlined there too.
        let name = |line: u32| enclosing::function(symbols, after - 1, &file, line);
        let there: HashSet<Rc<str>> = lines.iter().filter_map(|line| name(*line)).collect();
        found.retain(|line| name(*line).is_some_and(|name| there.contains(&name)));
    }
    if found.is_empty() {
        return None;
    }
    let mut others: HashSet<u32> = HashSet::new();
    for call in symbols.calls_around(after - 1) {
        if call.callee == callee && call.after != after {
            let line = symbols.functions(call.after - 1).first()?.line;
            others.extend(line.saturating_sub(near)..=line.saturating_add(near));
        }
    }
    found.retain(|line| !others.contains(line));
    if !found.is_empty() {
        let functions = image.functions().iter().filter(|other| bounds != **other);
        for (start, end) in functions.take(MOST_FUNCTIONS) {
            let there = image.lines_in_file(*start, *end, &file);
            found.retain(|line| !there.contains(line));
        }
    }
    found.truncate(MOST_LINES);
    Some(found)
}

impl Image {
    /// The lines of one file in the line information for the code within some bounds, in ascending
    /// order, for code of at most `depth` nested functions.
    fn lines_at_depth(&self, (start, end): (u64, u64), file: &str, depth: usize) -> Vec<u32> {
        let found = self.dwarf().and_then(|dwarf| dwarf.find_location_range(start, end).ok());
        let own = found.into_iter().flatten().filter(|(address, _, location)| {
            location.file == Some(file) && self.frames(*address).len() <= depth
        });
        let mut lines: Vec<u32> = own.filter_map(|(_, _, location)| location.line).collect();
        lines.retain(|line| *line > 0);
        lines.sort_unstable();
        lines
    }
}

/// The directive for which compilers call a function of a runtime.
fn directive(callee: &str) -> Option<&'static str> {
    match entries::part(callee)? {
        Part::Critical => Some("critical"),
        Part::Barrier => Some("barrier"),
        Part::Taskwait => Some("taskwait"),
        Part::Ordered => Some("ordered"),
        _ => None,
    }
}

/// Whether a line of the source calls a function. A comment does not count.
fn calls(line: &str, name: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line);
    let code = code.split('!').next().unwrap_or(code).to_ascii_lowercase();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    code.match_indices(name).any(|(at, _)| {
        let behind = code[at + name.len()..].trim_start();
        let before = code[..at].bytes().next_back();
        behind.starts_with('(') && !before.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_calls_a_function_is_told_from_one_that_names_it() {
        assert!(calls("    omp_set_lock (&a);", "omp_set_lock"));
        assert!(calls("  CALL OMP_SET_LOCK(a) ! waits", "omp_set_lock"));
        assert!(!calls("  my_omp_set_lock(&a);", "omp_set_lock"));
        assert!(!calls("  // omp_set_lock(&a);", "omp_set_lock"));
        assert!(!calls("  omp_set_lock_hint(&a);", "omp_set_lock"));
        assert!(!calls("  take = omp_set_lock;", "omp_set_lock"));
    }
}
