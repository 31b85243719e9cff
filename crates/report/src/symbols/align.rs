//! Lays the calls of a function beside the directives in its lines.

use super::directives::Directive;
use super::inner::{Inner, Matched, makes, opens};

/// The longest common order of calls and directives, near lines before far ones.
pub(super) fn align(calls: &[(u64, String, u32)], wanted: &[(&Directive, bool)]) -> Matched {
    /// More are placed by line.
    const MOST: usize = 512;
    if calls.len() > MOST || wanted.len() > MOST {
        return Matched::new();
    }
    let score = |call: &(u64, String, u32), (directive, is_barrier): &(&Directive, bool)| {
        let (_, callee, line) = call;
        let fits =
            (opens(callee) == Some(Inner::Barrier)) == *is_barrier && makes(directive, callee);
        match (fits, line) {
            (false, _) => 0u32,
            // Less than two others: a call may have the line of a directive before its own.
            (true, line) if *line == directive.line => 18,
            (true, line) if *line > directive.line && *line < directive.line + 16 => 12,
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
        } else if here == best[(i + 1) * width + k] {
            i += 1;
        } else {
            k += 1;
        }
    }
    matched
}
