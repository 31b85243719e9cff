//! Target constructs: the calls that stand for them, and the directives.

use std::rc::Rc;

use super::directives::Directive;
use super::inner::{Inner, InnerSite};
use super::{Call, Construct, Symbols};
use crate::entries::{self, Part};

/// Whether a directive makes a call of gcc's; `None` if the call makes no target construct.
pub(super) fn makes(directive: &Directive, callee: &str) -> Option<bool> {
    Some(match entries::part(callee)? {
        Part::TargetEnterExitData => directive.has("enter") || directive.has("exit"),
        Part::TargetData => is_structured_data(directive),
        Part::Target => is_of(directive, Inner::Target),
        Part::TargetUpdate => is_of(directive, Inner::TargetUpdate),
        _ => return None,
    })
}

/// Whether a search by line may find the directive for the kind.
pub(super) fn is_of(directive: &Directive, inner: Inner) -> bool {
    let is_region = !["data", "update"].iter().any(|word| directive.has(word));
    directive.has("target")
        && match inner {
            Inner::Target => is_region,
            Inner::TargetUpdate => directive.has("update"),
            Inner::TargetBegin => directive.has("data") && !directive.has("exit"),
            Inner::TargetEnd => directive.has("data") && !directive.has("enter"),
            _ => false,
        }
}

fn is_structured_data(directive: &Directive) -> bool {
    directive.has("target")
        && directive.has("data")
        && !directive.has("enter")
        && !directive.has("exit")
}

impl Symbols {
    /// Whether a call is one of the two of `target data`, as far as its name tells.
    pub fn is_target_data(&self, codeptr_ra: u64) -> bool {
        let part = self.callee(codeptr_ra).and_then(|callee| entries::part(&callee));
        matches!(part, Some(Part::TargetData | Part::TargetDataEnd))
    }

    /// A target construct of LLVM's code, which itself contains its place.
    pub(super) fn target_by_llvm(&self, codeptr_ra: u64, inner: Inner) -> Option<InnerSite> {
        let location = self.location(codeptr_ra)?;
        let file = self.file_of(codeptr_ra, &location);
        let all = self.directives(codeptr_ra, &file);
        let here = |one: &&Directive| one.line == location.line && is_of(one, inner);
        let directive = all.iter().find(here).cloned();
        let construct = Construct::at(file, location.line, location.function.as_str().into());
        Some(InnerSite { construct: Rc::new(construct), by_gcc: false, directive })
    }

    /// The call that begins the `target data` region that the call in front of `codeptr_ra` ends,
    /// in gcc's code: the calls nest as the regions do.
    pub(super) fn begin_of_data(&self, codeptr_ra: u64) -> Option<u64> {
        innermost_begin(&self.calls_around(codeptr_ra.wrapping_sub(1)), codeptr_ra)
    }
}

fn innermost_begin(calls: &[Call], end: u64) -> Option<u64> {
    let mut open = Vec::new();
    for call in calls {
        match entries::part(&call.callee) {
            Some(Part::TargetData) => open.push(call.after),
            Some(Part::TargetDataEnd) => {
                let begin = open.pop();
                if call.after == end {
                    return begin;
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::directives;
    use super::*;

    #[test]
    fn calls_belong_to_their_directives() {
        let text = "\
#pragma omp target teams distribute parallel for map(to: a)
#pragma omp target data map(a)
#pragma omp target enter data map(to: a)
#pragma omp target exit data map(from: a)
!$omp target update to(a)
#pragma omp parallel for
";
        let all = directives::read(text);
        let lines = |callee: &str| -> Vec<u32> {
            all.iter().filter(|one| makes(one, callee) == Some(true)).map(|one| one.line).collect()
        };
        assert_eq!(lines("GOMP_target_ext"), [1]);
        assert_eq!(lines("GOMP_target_data_ext"), [2]);
        assert_eq!(lines("GOMP_target_enter_exit_data"), [3, 4]);
        assert_eq!(lines("GOMP_target_update_ext"), [5]);
        let of = |inner| all.iter().filter(|one| is_of(one, inner)).count();
        let all = [Inner::Target, Inner::TargetBegin, Inner::TargetEnd, Inner::TargetUpdate];
        assert_eq!(all.map(of), [1, 2, 2, 1]);
    }

    #[test]
    fn the_ends_of_data_regions_nest() {
        let call = |after, callee: &str| Call { after, callee: callee.to_owned(), start: None };
        let calls = [
            call(1, "GOMP_target_data_ext"),
            call(2, "GOMP_target_data_ext"),
            call(3, "GOMP_target_ext"),
            call(4, "GOMP_target_end_data"),
            call(5, "GOMP_target_end_data"),
            call(6, "GOMP_target_end_data"),
        ];
        let begin = |end| innermost_begin(&calls, end);
        assert_eq!([begin(4), begin(5), begin(6), begin(3)], [Some(2), Some(1), None, None]);
    }
}
