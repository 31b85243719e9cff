//! Finds the construct that a call in gcc's code ends: a barrier, or the end of a loop or sections.
//! The callers are `inner.rs`, and `omphalos inspect` by [`Symbols`].

use std::rc::Rc;

use super::calls::Call;
use super::directives::Directive;
use super::inner::{Inner, makes, opens};
use super::{Symbols, enclosing};
use crate::entries::{self, Part};

impl Symbols {
    /// The line of the directive whose barrier is the call that returns to `after`, and the
    /// function around it.
    pub(super) fn directive_of_barrier(&self, after: u64) -> Option<(u32, Rc<str>)> {
        let callee = self.callee(after)?;
        match entries::part(&callee) {
            Some(Part::LoopEnd) => return self.begun(after, Inner::Loop),
            Some(Part::SectionsEnd) => return self.begun(after, Inner::Sections),
            _ => {}
        }
        let pc = after.checked_sub(1)?;
        // The call has a wrong line in two cases. A jump has the line of the function's end. A call
        // behind inlined code has the inlined code's line. So each function around the call is
        // searched, innermost first, for the last fitting directive up to that function's line.
        let (image, bias) = self.image(pc)?;
        let is_jump = || matches!(image.code_before(after.wrapping_sub(bias), 5), [0xe9, ..]);
        if opens(&callee) != Some(Inner::Barrier) || self.functions(pc).len() == 1 && !is_jump() {
            return None;
        }
        self.functions(pc).iter().find_map(|function| {
            let file = function.file.as_deref()?;
            // For an outlined function only its own lines count: other regions are in front of it.
            let own = function.start.and_then(|_| self.own_lines(pc));
            let is_own = |one: &&Directive| {
                let around = || enclosing::function(self, pc, file, one.line);
                own.is_none_or(|(first, last)| (first..=last).contains(&one.line))
                    && makes(one, &callee)
                    && around().is_some_and(|around| around == function.shown)
            };
            let all = self.directives(pc, file);
            let fits: Vec<&Directive> = all.iter().filter(is_own).collect();
            let before = fits.iter().rfind(|one| one.line <= function.line);
            let only = || fits.first().filter(|_| own.is_some() && fits.len() == 1);
            Some((before.or_else(only)?.line, function.shown.clone()))
        })
    }

    /// Returns the call that begins a construct, for the call that ends it and returns to `after`.
    /// Only constructs of `kinds` count. The code leads from that begin to the end past no other
    /// begin. If the code does not show this of any, it is the last begin in front of the end.
    /// Addresses alone would mislead: in a loop that gcc has rotated, the end of its last construct
    /// comes before the begins of all.
    pub(super) fn begin_of(&self, after: u64, kinds: &[Inner]) -> Option<Call> {
        let mut begins = self.calls_around(after.checked_sub(1)?);
        begins.retain(|call| opens(&call.callee).is_some_and(|kind| kinds.contains(&kind)));
        let all: Vec<u64> = begins.iter().map(|begin| begin.after).collect();
        let (before, behind) = begins.split_at(all.partition_point(|begin| *begin < after));
        for begin in before.iter().rev().chain(behind.iter().rev()) {
            match self.leads_to(begin.after, after, &all) {
                Some(true) => return Some(begin.clone()),
                Some(false) => {}
                None => break,
            }
        }
        before.last().cloned()
    }

    /// The directive of the construct of that kind that a call ends: from the call that begins it,
    /// or, if the region's own call begins it, the only such directive in the region.
    fn begun(&self, after: u64, kind: Inner) -> Option<(u32, Rc<str>)> {
        let (line, file) = match self.begin_of(after, &[kind]) {
            Some(begin) => {
                let site = self.inner(begin.after, 0, kind);
                (site.directive?.line, site.construct.file.clone()?)
            }
            None => {
                let file = self.functions(after - 1).last()?.file.clone()?;
                let is_it = |one: &&Directive| match kind {
                    Inner::Sections => one.has("sections"),
                    _ => one.is_loop(),
                };
                let within = self.directives_within(after - 1, &file);
                let mut fits = within.iter().filter(is_it);
                let only = fits.next().filter(|_| fits.next().is_none())?;
                (only.line, file)
            }
        };
        Some((line, enclosing::function(self, after - 1, &file, line)?))
    }
}
