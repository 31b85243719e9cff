//! Target constructs: the calls that stand for them, and the directives.

use std::rc::Rc;

use super::directives::Directive;
use super::inner::{Inner, InnerSite};
use super::{Call, Construct, Symbols};

/// The kind of target construct that a call of gcc's code makes.
pub(super) fn opens(callee: &str) -> Option<Inner> {
    Some(match callee {
        "GOMP_target" | "GOMP_target_ext" => Inner::Target,
        "GOMP_target_data" | "GOMP_target_data_ext" => Inner::TargetBegin,
        "GOMP_target_update" | "GOMP_target_update_ext" => Inner::TargetUpdate,
        "GOMP_target_enter_exit_data" => Inner::TargetBegin,
        _ => return None,
    })
}

/// Whether a directive makes a call of this name (see [`opens`]).
pub(super) fn makes(directive: &Directive, callee: &str) -> bool {
    match callee {
        "GOMP_target_enter_exit_data" => directive.has("enter") || directive.has("exit"),
        _ => match opens(callee) {
            Some(Inner::TargetBegin) => is_structured_data(directive),
            Some(inner) => is_of(directive, inner),
            None => false,
        },
    }
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

const BEGINS: [&str; 2] = ["GOMP_target_data", "GOMP_target_data_ext"];
const ENDS: &str = "GOMP_target_end_data";

impl Symbols {
    /// Whether a call is one of the two of `target data`, as far as its name tells.
    pub fn is_target_data(&self, codeptr_ra: u64) -> bool {
        self.callee(codeptr_ra).is_some_and(|callee| callee == ENDS || BEGINS.contains(&&*callee))
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
        if BEGINS.contains(&&*call.callee) {
            open.push(call.after);
        } else if call.callee == ENDS {
            let begin = open.pop();
            if call.after == end {
                return begin;
            }
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
            all.iter().filter(|one| makes(one, callee)).map(|one| one.line).collect()
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
            call(1, BEGINS[1]),
            call(2, BEGINS[1]),
            call(3, "GOMP_target_ext"),
            call(4, ENDS),
            call(5, ENDS),
            call(6, ENDS),
        ];
        let begin = |end| innermost_begin(&calls, end);
        assert_eq!([begin(4), begin(5), begin(6), begin(3)], [Some(2), Some(1), None, None]);
    }
}
