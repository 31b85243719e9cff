//! Ways of the code that pass by what others wait for.

use serde::{Deserialize, Serialize};

/// A way of the code that leaves a lock taken, or passes by a barrier, a signal, a post.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bypass {
    /// The function.
    pub function: String,
    /// Where the way leaves those that do not: "file.c:12".
    pub at: String,
    /// Where the lock is taken, or what the way passes by stands.
    pub of: String,
    /// "side": behind a condition; "loop": where a loop is over; "kept": behind a condition, with a
    /// spin lock of the program's own; "exception": what is called there throws one; "never": no
    /// way gives it back; "destroyed": `at` destroys it.
    pub how: String,
    /// Where that is thrown.
    pub thrown: Option<String>,
}
