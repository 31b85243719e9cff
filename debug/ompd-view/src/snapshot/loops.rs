//! The worksharing construct that a thread is in.

use serde::{Deserialize, Serialize};

/// A loop, or `sections`, that the runtime hands out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Loop {
    /// "loop", "sections" or "distribute".
    pub construct: String,
    /// "static", "dynamic" or "guided".
    pub schedule: String,
    /// The program left the schedule to the start of the loop: `schedule(runtime)` or
    /// `schedule(auto)`.
    pub chosen: bool,
    /// Iterations of a chunk; for a guided loop, of the smallest. `None`: one even share for each
    /// member.
    pub chunk: Option<u64>,
    /// There is an `ordered` region in it.
    pub ordered: bool,
    /// A member need not get its chunks in ascending order.
    pub nonmonotonic: bool,
    /// The number of iterations, of all loops that `collapse` joins together.
    pub iterations: u64,
    /// The first value of the loop variable as the compiler passes it: gcc the program's, clang 0.
    pub first: i64,
    /// The step of the loop variable, likewise.
    pub step: i64,
    /// A number that differs from one construct of the team to the next; `None` if the members
    /// share nothing.
    pub number: Option<u64>,
    /// Iterations that no member has taken yet, if that is known.
    pub left: Option<u64>,
    /// Iterations that the thread executes, if known: the number of the first one, counted from 0,
    /// and how many.
    pub own: Option<(u64, u64)>,
}
