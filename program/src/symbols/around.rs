//! Finds the places of gcc's calls that have the line of code that was inlined in front of them.

use std::rc::Rc;

use super::Symbols;
use super::construct::{self, Construct};
use super::directives::Directive;
use super::functions::Function;

impl Symbols {
    /// For a call of gcc's that has the line of code inlined in front of it: its directive and its
    /// place, from the line at which that code was called.
    pub(super) fn around_inlined(
        &self,
        after: u64,
        place: &Rc<Construct>,
        near: impl Fn(u32) -> Option<Directive>,
    ) -> Option<(Directive, Rc<Construct>)> {
        let pc = after.wrapping_sub(1);
        let around = self.functions(pc);
        let mut outer = around.iter().skip(1).filter(|outer| outer.file == place.file);
        let found = |outer: &Function| Some((near(outer.line)?, self.in_outer(pc, outer, place)?));
        outer.find_map(found)
    }

    /// A place in the outer function into which the function at `place` is inlined.
    fn in_outer(&self, pc: u64, outer: &Function, place: &Construct) -> Option<Rc<Construct>> {
        let file = outer.file.clone()?;
        let function = match outer.shown.is_empty() {
            true => construct::around(self, pc, Some(&file), outer.line),
            false => Some(outer.shown.clone()),
        };
        let function = function.unwrap_or_else(|| place.function.clone());
        let tail_called = place.tail_called;
        Some(Rc::new(Construct { tail_called, ..Construct::at(file, outer.line, function) }))
    }

    /// The place of a call, in the innermost function there whose file has directives. gcc gives a
    /// call the line of code that was inlined in front of it, for example of a container's size
    /// that bounds a loop. If gcc does not say that anything is inlined, the call is in its
    /// function's own file, if a directive there fits.
    pub(super) fn with_directives(&self, codeptr_ra: u64, place: Rc<Construct>) -> Rc<Construct> {
        let pc = codeptr_ra.wrapping_sub(1);
        let has = |path: &str| !self.directives(pc, path).is_empty();
        if place.file.as_deref().is_none_or(has) {
            return place;
        }
        let around = self.functions(pc);
        let outer = around.iter().skip(1).find(|outer| outer.file.as_deref().is_some_and(has));
        let outer = outer.and_then(|outer| self.in_outer(pc, outer, &place));
        outer.or_else(|| self.in_own_file(codeptr_ra, &place)).unwrap_or(place)
    }

    fn in_own_file(&self, codeptr_ra: u64, place: &Construct) -> Option<Rc<Construct>> {
        self.matched(codeptr_ra).get(&codeptr_ra)?;
        let pc = codeptr_ra.wrapping_sub(1);
        let (image, bias) = self.image_at(pc)?;
        let start = image.function_bounds(pc.wrapping_sub(bias))?.0;
        self.in_outer(pc, self.functions(start.wrapping_add(bias)).last()?, place)
    }
}
