//! Constructs inside regions: finds the directive of the source that a call of the runtime stands
//! for.
//!
//! clang's calls have the directive's line. gcc's calls often have the line of the code before
//! them. So the calls of a function, in the order of its code, are matched with the directives in
//! its lines, in the order of the source: as many as possible of the same kinds in the same order.
//! The rest is placed by line. Without the source a construct has the line of its call.

use std::collections::HashMap;
use std::rc::Rc;

use super::construct::{Construct, ConstructKind};
use super::directives::Directive;
use super::{Symbols, flang, nearest, source, target};
use crate::entries::{self, Part};
use crate::symbols::image::Image;

/// The construct that a call of the runtime begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Inner {
    /// A worksharing loop.
    Loop,
    /// `sections`.
    Sections,
    /// `single`.
    Single,
    /// `masked` or `master`.
    Masked,
    /// `barrier`.
    Barrier,
    /// The barrier at a construct's end, if nothing else shows the construct.
    End,
    /// `ordered`.
    Ordered,
    /// `critical`.
    Critical,
    /// The end of a reduction.
    Reduction,
    /// `atomic`, or the lock under which gcc's code reduces.
    Atomic,
    /// A region of `target`.
    Target,
    /// `target data` or `target enter data`.
    TargetBegin,
    /// The end of `target data`, or `target exit data`.
    TargetEnd,
    /// `target update`.
    TargetUpdate,
    /// None of these.
    Other,
}

/// A construct inside a region, as the code and the source show it.
#[derive(Clone, Debug)]
pub struct InnerSite {
    /// The construct.
    pub construct: Rc<Construct>,
    /// Whether gcc made the code: the calls have gcc's names.
    pub by_gcc: bool,
    /// The directive, if the source was read.
    pub directive: Option<Directive>,
}

/// The directives of a function, by the return addresses of the calls that stand for them.
pub(super) type Matched = HashMap<u64, Directive>;

/// The construct that a call of gcc's opens.
pub(super) fn opens(callee: &str) -> Option<Inner> {
    Some(match entries::part(callee).filter(|_| entries::is_gccs(callee))? {
        Part::Barrier => Inner::Barrier,
        Part::Single | Part::SingleCopy => Inner::Single,
        Part::Sections => Inner::Sections,
        Part::Ordered | Part::Sink => Inner::Ordered,
        Part::Critical => Inner::Critical,
        Part::Loop => Inner::Loop,
        Part::Target => Inner::Target,
        Part::TargetData | Part::TargetEnterExitData => Inner::TargetBegin,
        Part::TargetUpdate => Inner::TargetUpdate,
        _ => return None,
    })
}

/// Whether a directive makes a call of this name that opens a construct.
pub(super) fn makes(directive: &Directive, callee: &str) -> bool {
    target::makes(directive, callee)
        .unwrap_or_else(|| !directive.is_region() && names(directive, callee))
}

/// Whether a directive, which may also be a region's, names the construct that a call of gcc's
/// opens.
pub(super) fn names(directive: &Directive, callee: &str) -> bool {
    match opens(callee) {
        Some(Inner::Loop) => {
            let words = ["dynamic", "guided", "runtime"];
            directive.is_loop()
                && directive.has_clause("ordered")
                    == ["ordered", "doacross"].iter().any(|word| callee.contains(word))
                && match words.iter().find(|word| callee.contains(**word)) {
                    Some(word) => directive.has_clause(word),
                    None => directive.is_plain_static() == callee.contains("static_worksharing"),
                }
        }
        Some(Inner::Sections) => directive.has("sections"),
        Some(Inner::Single) => directive.has("single") || directive.has("workshare"),
        Some(Inner::Ordered) => {
            directive.has("ordered") && directive.has_clause("sink") == callee.contains("doacross")
        }
        Some(Inner::Critical) => directive.has("critical"),
        Some(Inner::Barrier) => directive.has("barrier") || has_own_barrier(directive),
        _ => false,
    }
}

/// Whether gcc's code calls `GOMP_barrier` at the construct's end.
pub fn has_own_barrier(directive: &Directive) -> bool {
    let waits = directive.is_plain_static()
        || ["single", "workshare", "scope"].iter().any(|word| directive.has(word));
    waits && !directive.is_region() && !directive.has_nowait()
}

/// Whether the construct is inside a region and has an implicit barrier at its end.
fn ends_in_barrier(directive: &Directive) -> bool {
    let words = ["sections", "single", "workshare", "scope"];
    let is_one = directive.is_loop() || words.iter().any(|word| directive.has(word));
    is_one && !directive.is_region() && !directive.has_nowait()
}

/// Whether a search by line may find the directive for a kind.
pub(super) fn is_of(directive: &Directive, inner: Inner, callee: &str) -> bool {
    if !callee.is_empty() && opens(callee).is_some() {
        return makes(directive, callee);
    }
    match inner {
        Inner::Loop => directive.is_loop(),
        Inner::Sections => directive.has("sections"),
        Inner::Single => directive.has("single") || directive.has("workshare"),
        Inner::Masked => directive.has("master") || directive.has("masked"),
        Inner::Barrier => directive.has("barrier"),
        Inner::End => ends_in_barrier(directive),
        Inner::Ordered => directive.has("ordered") && !directive.is_loop(),
        Inner::Critical => directive.has("critical"),
        Inner::Reduction => directive.has_clause("reduction"),
        Inner::Atomic => directive.has("atomic"),
        Inner::Target | Inner::TargetBegin | Inner::TargetEnd | Inner::TargetUpdate => {
            target::is_of(directive, inner)
        }
        Inner::Other => true,
    }
}

/// The directive of a construct that a call makes together with the region at `line`: the region's
/// own directive, or, if that names a region alone, the next directive, which is all that the
/// region contains.
fn combined(all: &[Directive], line: u32, inner: Inner) -> Option<&Directive> {
    let at = all.iter().position(|directive| directive.line == line)?;
    let fits = |directive: &&Directive| is_of(directive, inner, "");
    let alone = all.get(at + 1).filter(|next| fits(next) && !next.is_region());
    Some(&all[at]).filter(fits).or(alone).or(Some(&all[at]))
}

fn is_fortran(path: &str) -> bool {
    path.rsplit('.').next().is_some_and(|ending| ending.starts_with(['f', 'F']))
}

impl Symbols {
    /// The construct that the call in front of `codeptr_ra` begins, and the call in front of `end`
    /// (0 = unknown) ends.
    pub fn inner(&self, codeptr_ra: u64, end: u64, inner: Inner) -> InnerSite {
        let callee = self.callee(codeptr_ra).unwrap_or_default();
        let by_gcc = entries::is_gccs(&callee);
        if inner == Inner::TargetEnd
            && let Some(begin) = self.begin_of_data(codeptr_ra)
        {
            return self.inner(begin, 0, Inner::TargetBegin);
        }
        if callee.starts_with("__tgt_")
            && let Some(site) = self.target_by_llvm(codeptr_ra, inner)
        {
            return site;
        }
        if inner == Inner::End
            && matches!(entries::part(&callee), Some(Part::LoopEnd | Part::SectionsEnd))
            && let Some(begin) = self.begin_of(codeptr_ra, &[Inner::Loop, Inner::Sections])
            && let Some(kind) = opens(&begin.callee)
        {
            return self.inner(begin.after, codeptr_ra, kind);
        }
        let place = self.construct(codeptr_ra, ConstructKind::Place);
        let plain = InnerSite { construct: place.clone(), by_gcc, directive: None };
        // It is combined with its region; the region's call makes both.
        if callee.starts_with("GOMP_parallel") {
            let region = self.construct(codeptr_ra, ConstructKind::Region);
            let directive = region.file.as_deref().and_then(|path| {
                let all = self.directives(codeptr_ra, path);
                combined(&all, region.line, inner).cloned()
            });
            let construct = match &directive {
                Some(directive) if directive.line != region.line => {
                    Rc::new(region.at_line(directive.line))
                }
                _ => region,
            };
            return InnerSite { construct, by_gcc, directive };
        }
        let place = self.with_directives(codeptr_ra, place);
        let Some(path) = place.file.clone() else { return plain };
        let all = self.directives(codeptr_ra, &path);
        if all.is_empty() {
            return plain;
        }
        let by_order = by_gcc
            .then(|| self.of_own_region(codeptr_ra, &callee, &all))
            .flatten()
            .or_else(|| by_gcc.then(|| self.matched(codeptr_ra))?.get(&codeptr_ra).cloned());
        let ends = self.construct(end, ConstructKind::Place);
        let by_end = by_gcc && inner == Inner::Loop && end != 0 && ends.file == place.file;
        let is_flang = !by_gcc && is_fortran(&path);
        let (at, line) = match place.line {
            _ if by_end => (end, ends.line),
            line if is_flang => {
                let line = flang::line_of_call(self, codeptr_ra.wrapping_sub(1), &path, line);
                (codeptr_ra, line)
            }
            line => (codeptr_ra, line),
        };
        let near = |line| nearest::by_line(&all, line, inner, &callee, is_flang);
        let found = by_order.or_else(|| near(line)).map(|directive| (directive, place.clone()));
        let inlined = || by_gcc.then(|| self.around_inlined(at, &place, near)).flatten();
        let Some((directive, place)) = found.or_else(inlined) else { return plain };
        let construct = Rc::new(place.at_line(directive.line));
        InnerSite { construct, by_gcc, directive: Some(directive) }
    }

    pub(super) fn directives(&self, pc: u64, path: &str) -> Rc<[Directive]> {
        let modified = self.module(pc).and_then(|module| module.image.as_ref()?.modified);
        let opened = &mut *self.opened.borrow_mut();
        source::all_directives(&mut opened.sources, path, modified)
    }

    /// The line of the `ordered` directive around a line, or the next one.
    pub fn ordered_line(&self, pc: u64, path: &str, line: u32) -> Option<u32> {
        let all = self.directives(pc, path);
        let next = all.partition_point(|directive| directive.line <= line);
        let before = next.checked_sub(1).map(|at| &all[at]);
        let around = before.filter(|directive| line <= directive.last + 1);
        let is_ordered = |directive: &&Directive| directive.words == ["ordered"];
        let found = around.filter(is_ordered).or_else(|| all.get(next).filter(is_ordered))?;
        (found.line != line).then_some(found.line)
    }

    /// The directives of the region whose outlined function starts at `start`; among them
    /// constructs for which the program does not call the runtime.
    pub fn directives_within(&self, start: u64, path: &str) -> Vec<Directive> {
        let lines = self.own_lines(start);
        let Some((first, last)) = lines else { return Vec::new() };
        let all = self.directives(start, path);
        all.iter().filter(|directive| (first..=last).contains(&directive.line)).cloned().collect()
    }

    pub(super) fn image_at(&self, pc: u64) -> Option<(&Image, u64)> {
        let module = self.module(pc)?;
        Some((module.image.as_ref()?, module.bias))
    }

    /// The first and the last line of the function around `pc`, of the lines in its own file in the
    /// line table.
    pub(super) fn own_lines(&self, pc: u64) -> Option<(u32, u32)> {
        let (image, bias) = self.image_at(pc)?;
        let (start, end) = image.function_bounds(pc.wrapping_sub(bias))?;
        let file = self.functions(start.wrapping_add(bias)).last()?.file.clone()?;
        let lines = image.lines_in_file(start, end, &file);
        Some((*lines.first()?, *lines.last()?))
    }
}
