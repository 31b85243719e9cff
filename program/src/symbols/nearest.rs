//! Finds the directive that a call of the runtime stands for, from lines alone.

use super::directives::Directive;
use super::inner::{Inner, is_of};
use crate::entries;

/// The greatest distance from a call up to its directive, in lines.
const REACH: u32 = 400;
/// The greatest distance from a call of gcc's, with the line of the code in front of it, down to
/// its directive, in lines.
const NEXT: u32 = 3;

/// The directive that a call at this line stands for, from lines alone.
pub(super) fn by_line(
    all: &[Directive],
    line: u32,
    inner: Inner,
    callee: &str,
    is_flang: bool,
) -> Option<Directive> {
    let by_gcc = entries::is_gccs(callee);
    if inner == Inner::Reduction {
        return reduction(all, line);
    }
    if inner == Inner::Atomic {
        return atomic(all, line, by_gcc);
    }
    // flang makes a loop from `sections`.
    let mut fits = all.iter().filter(|directive| {
        is_of(directive, inner, callee)
            || (is_flang && inner == Inner::Loop && directive.has("sections"))
    });
    if by_gcc && inner == Inner::Single {
        return fits.find(|d| d.line >= line && d.line <= line + REACH).cloned();
    }
    let before = fits.clone().take_while(|directive| directive.line <= line).last();
    let before = before.filter(|directive| directive.line + REACH >= line);
    let is_loose = by_gcc || is_flang;
    let mut after = || fits.find(|d| is_loose && d.line > line && d.line <= line + NEXT);
    match before {
        Some(before) if before.line < line && is_flang => after().or(Some(before)),
        Some(before) => Some(before),
        None => after(),
    }
    .cloned()
}

/// The directive whose reduction a call makes. clang reduces at the end of a region's code, and
/// gives the call the region's line.
fn reduction(all: &[Directive], line: u32) -> Option<Directive> {
    let mut fits = all.iter().filter(|directive| directive.has_clause("reduction"));
    let exact = fits.clone().find(|directive| directive.line == line);
    exact.or_else(|| fits.rfind(|d| d.line <= line && d.is_region())).cloned()
}

/// The directive for which a call takes the lock of `atomic`. Some calls of gcc's have the line of
/// the code in front of them. If no `atomic` is near, the call takes the lock for a reduction.
fn atomic(all: &[Directive], line: u32, by_gcc: bool) -> Option<Directive> {
    let mut own = all.iter().filter(|directive| directive.has("atomic"));
    let before = |d: &&Directive| (d.line..=d.line + 2).contains(&line);
    let after = |d: &&Directive| by_gcc && (line..=line + NEXT).contains(&d.line);
    let found = own.clone().rfind(before).or_else(|| own.find(after));
    found.cloned().or_else(|| reduction(all, line))
}
