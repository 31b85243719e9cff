//! Matches the calls of a function with the directives in its lines.

use std::rc::Rc;

use super::construct::{ConstructKind, find_by_body};
use super::directives::Directive;
use super::inner::{Inner, Matched, has_own_barrier, makes, names, opens};
use super::{Role, Symbols};

/// The longest common order of calls and directives, near lines before far ones.
fn align(calls: &[(u64, String, u32)], wanted: &[(&Directive, bool)]) -> Matched {
    /// Longer lists are matched by line.
    const MOST: usize = 512;
    if calls.len() > MOST || wanted.len() > MOST {
        return Matched::new();
    }
    // The compiler may have made two calls of one, each in a copy of the code around it.
    let is_anothers = |line: u32, directive: &Directive| {
        line != directive.line && wanted.iter().any(|(d, _)| d.has("barrier") && d.line == line)
    };
    // Whether the directive is the last of those that a call of this name may stand for.
    let is_nearest = |line: u32, callee: &str, directive: &Directive| {
        let between = |other: &Directive| other.line > directive.line && other.line < line;
        !wanted.iter().any(|(other, _)| between(other) && makes(other, callee))
    };
    let score = |call: &(u64, String, u32), (directive, is_barrier): &(&Directive, bool)| {
        let (_, callee, line) = call;
        let fits =
            (opens(callee) == Some(Inner::Barrier)) == *is_barrier && makes(directive, callee);
        match (fits, line) {
            (false, _) => 0u32,
            // 18 is less than two other matches: a call may have the line of the directive in
            // front of its own.
            (true, line) if *line == directive.line => 18,
            (true, line) if *is_barrier && is_anothers(*line, directive) => 7,
            (true, line)
                if *line > directive.line
                    && *line < directive.line + 16
                    && is_nearest(*line, callee, directive) =>
            {
                12
            }
            _ => 10,
        }
    };
    let width = wanted.len() + 1;
    let mut best = vec![0u32; (calls.len() + 1) * width];
    for (i, call) in calls.iter().enumerate().rev() {
        for (k, directive) in wanted.iter().enumerate().rev() {
            let both = match score(call, directive) {
                0 => 0,
                score => score + best[(i + 1) * width + k + 1],
            };
            best[i * width + k] = both.max(best[(i + 1) * width + k]).max(best[i * width + k + 1]);
        }
    }
    let mut matched = Matched::new();
    let (mut i, mut k) = (0, 0);
    while i < calls.len() && k < wanted.len() {
        let here = best[i * width + k];
        let both = score(&calls[i], &wanted[k]);
        if both > 0 && here == both + best[(i + 1) * width + k + 1] {
            matched.insert(calls[i].0, wanted[k].0.clone());
            (i, k) = (i + 1, k + 1);
        } else if here == best[i * width + k + 1] {
            // If calls fit equally, take the first: the copies that the compiler makes of them for
            // threads without work come later.
            k += 1;
        } else {
            i += 1;
        }
    }
    matched
}

impl Symbols {
    /// The directive of a construct that gcc's code begins in a region, if both are one directive:
    /// no other construct of that kind can be in the region.
    pub(super) fn of_own_region(
        &self,
        pc: u64,
        callee: &str,
        all: &[Directive],
    ) -> Option<Directive> {
        if !matches!(opens(callee), Some(Inner::Loop | Inner::Sections)) {
            return None;
        }
        let (image, bias) = self.image_at(pc)?;
        let start = image.function_bounds(pc.wrapping_sub(bias))?.0.wrapping_add(bias);
        let own = self.functions(start).last().is_some_and(|own| own.role == Role::Outlined);
        let line = own.then(|| find_by_body(self, ConstructKind::Region, start).line)?;
        let fits = |d: &&Directive| d.line == line && d.is_region() && names(d, callee);
        all.iter().find(fits).cloned()
    }

    /// The calls of gcc's code in the function around `pc`, matched with the directives in its
    /// lines.
    pub(super) fn matched(&self, pc: u64) -> Rc<Matched> {
        let start = self.image_at(pc).and_then(|(image, bias)| {
            Some(image.function_bounds(pc.wrapping_sub(bias))?.0.wrapping_add(bias))
        });
        let Some(start) = start else { return Rc::default() };
        if let Some(known) = self.opened.borrow().matched.get(&start) {
            return known.clone();
        }
        let found = Rc::new(self.lay_beside(pc, start));
        self.opened.borrow_mut().matched.insert(start, found.clone());
        found
    }

    fn lay_beside(&self, pc: u64, start: u64) -> Matched {
        let own = self.functions(start);
        let file = own.last().and_then(|own| own.file.clone());
        let (Some(file), Some((first, last))) = (file, self.own_lines(start)) else {
            return Matched::new();
        };
        // Inlined code has lines of its own.
        let calls: Vec<(u64, String, u32)> = self
            .calls_around(pc)
            .into_iter()
            .filter(|call| opens(&call.callee).is_some())
            .filter_map(|call| {
                let functions = self.functions(call.after - 1);
                let line =
                    if functions[0].file.as_ref() == Some(&file) { functions[0].line } else { 0 };
                (functions.len() == 1).then_some((call.after, call.callee, line))
            })
            .collect();
        let all = self.directives(start, &file);
        // A construct and the barrier at its end are two calls.
        let mut wanted: Vec<(&Directive, bool)> = Vec::new();
        for directive in all.iter().filter(|directive| (first..=last).contains(&directive.line)) {
            if has_own_barrier(directive) && !directive.is_loop() {
                wanted.push((directive, false));
                wanted.push((directive, true));
            } else {
                wanted.push((directive, has_own_barrier(directive) || directive.has("barrier")));
            }
        }
        align(&calls, &wanted)
    }
}
