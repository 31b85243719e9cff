//! `KMP_SCHEDULE`: how loops are dealt that say only `static` or `guided`, in code of LLVM's and
//! Intel's compilers. `KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE`: the order of chunks, if loops say
//! `dynamic`.
//!
//! Shares of a static loop are as even as possible. With `static,greedy` all have the same size
//! except the last ones. Guided chunks come from one formula whatever the variable says: no
//! standard promises their sizes.

use super::take::take;
use super::values::boolean;
use super::variables::Variables;
use omphalos_sys::warning;

/// The choice of the two variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopKinds {
    /// Static: every share but the last ones is the trip count by the team's size, rounded up.
    pub greedy: bool,
    /// Dynamic: each thread's chunks ascend, whatever the modifier.
    pub monotonic: bool,
    /// Guided: for display only.
    analytical: bool,
}

impl LoopKinds {
    /// The default.
    pub const USUAL: LoopKinds = LoopKinds { greedy: false, monotonic: false, analytical: false };

    /// Returns the choice in the words of `KMP_SCHEDULE`.
    pub fn shown(self) -> String {
        let even = if self.greedy { "static,greedy" } else { "static,balanced" };
        let guided = if self.analytical { "guided,analytical" } else { "guided,iterative" };
        format!("{even};{guided}")
    }
}

/// Reads the variables. Prints the fault of each clause that is ignored.
pub fn loop_kinds(from: &Variables) -> LoopKinds {
    const NAME: &str = "KMP_SCHEDULE";
    const ORDER: &str = "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE";
    let mut kinds = LoopKinds::USUAL;
    kinds.monotonic = take(from, ORDER, boolean, "using false").unwrap_or(false);
    let Some(text) = from.get(NAME) else { return kinds };
    for clause in text.split(';') {
        if !choose(&mut kinds, clause) && from.fault() {
            let clause = clause.trim();
            warning!(
                "{NAME}={text:?}: the clause {clause:?} is ignored; it should be static,greedy, \
                 static,balanced, guided,iterative or guided,analytical, and a semicolon \
                 between two"
            );
        }
    }
    kinds
}

/// Applies a clause; the last one of its kind counts. False if it is no clause.
fn choose(kinds: &mut LoopKinds, clause: &str) -> bool {
    let clause = clause.to_ascii_lowercase();
    let Some((kind, how)) = clause.split_once(',') else { return false };
    match (kind.trim(), how.trim()) {
        ("static", "greedy") => kinds.greedy = true,
        ("static", "balanced") => kinds.greedy = false,
        ("guided", "iterative") => kinds.analytical = false,
        ("guided", "analytical") => kinds.analytical = true,
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_clause_of_a_kind_counts() {
        let mut kinds = LoopKinds::USUAL;
        assert_eq!(kinds.shown(), "static,balanced;guided,iterative");
        for clause in ["static,balanced", " Guided , Analytical ", "STATIC,greedy"] {
            assert!(choose(&mut kinds, clause), "{clause}");
        }
        assert_eq!(kinds.shown(), "static,greedy;guided,analytical");
    }

    #[test]
    fn half_a_clause_is_none() {
        let mut kinds = LoopKinds::USUAL;
        for clause in
            ["", " ", "static", "greedy", "static,", "static,iterative", "guided,greedy,2"]
        {
            assert!(!choose(&mut kinds, clause), "{clause}");
        }
        assert_eq!(kinds, LoopKinds::USUAL);
    }
}
