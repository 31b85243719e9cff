//! Ways through the code that leave out an operation that others wait for.

use serde::{Deserialize, Serialize};

/// A way through the code that leaves a lock taken, or leaves out a barrier, a signal or a post.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bypass {
    /// The function.
    pub function: String,
    /// The place where the way branches off: "file.c:12".
    pub at: String,
    /// The place where the lock is taken, or of the operation that the way leaves out.
    pub of: String,
    /// Why the way leaves it out:
    /// - "side": behind a condition;
    /// - "loop": where a loop ends;
    /// - "kept": behind a condition, with a spin lock of the program's own;
    /// - "turn": behind a condition, and the next one's turn does not come;
    /// - "exception": a function that is called there throws one;
    /// - "jump": a function that is called there leaves by `longjmp`;
    /// - "handler": an exception leads there;
    /// - "raises": an exception of Python's between `at` and `of` leaves the function;
    /// - "never": no way gives the lock back;
    /// - "destroyed": `at` destroys it.
    pub how: String,
    /// The place where the exception is thrown, or of the `longjmp`.
    pub thrown: Option<String>,
}

/// A comparison that decides whether a thread comes to an operation that ends the waits of others:
/// a number that each thread counts, and the number at which it does the operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The function.
    pub function: String,
    /// The place of the comparison: "file.c:12".
    pub at: String,
    /// The place of the operation.
    pub of: String,
    /// The counted number: "'meet.arrived' (now 3)".
    pub counter: String,
    /// The number that it must reach: "'meet.size' (now 4)", or "4".
    pub limit: String,
    /// The place where the variable with that number is declared.
    pub made_at: Option<String>,
}
