//! The directive that a call of the runtime stands for, by lines alone.

use super::directives::Directive;
use super::inner::{Inner, is_of};

/// How far above a call its directive may stand.
const REACH: u32 = 400;
/// How far below a call of gcc's, where it has the line of what comes before.
const NEXT: u32 = 3;

/// The directive that a call at this line stands for, by the lines alone.
pub(super) fn by_line(
    all: &[Directive],
    line: u32,
    inner: Inner,
    callee: &str,
    is_flang: bool,
) -> Option<Directive> {
    let by_gcc = callee.starts_with("GOMP_");
    if inner == Inner::Reduction {
        return reduction(all, line);
    }
    if inner == Inner::Atomic {
        return atomic(all, line, by_gcc);
    }
    // flang makes a loop of sections.
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

/// clang reduces at the end of what a region makes, whose line that is.
fn reduction(all: &[Directive], line: u32) -> Option<Directive> {
    let mut fits = all.iter().filter(|directive| directive.has_clause("reduction"));
    let exact = fits.clone().find(|directive| directive.line == line);
    exact.or_else(|| fits.rfind(|d| d.line <= line && d.is_region())).cloned()
}

/// Of gcc's calls some have the line of the code before. Where no directive is near, it is the lock
/// of a reduction.
fn atomic(all: &[Directive], line: u32, by_gcc: bool) -> Option<Directive> {
    let mut own = all.iter().filter(|directive| directive.has("atomic"));
    let before = |d: &&Directive| (d.line..=d.line + 2).contains(&line);
    let after = |d: &&Directive| by_gcc && (line..=line + NEXT).contains(&d.line);
    let found = own.clone().rfind(before).or_else(|| own.find(after));
    found.cloned().or_else(|| reduction(all, line))
}
