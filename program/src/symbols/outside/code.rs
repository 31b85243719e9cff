//! Answers questions about a program's code for those who look at a process from outside: jumps and
//! bodies.

use super::Names;
use crate::symbols::{Jumps, jumps, outlined};

impl Names {
    /// The line of the directive whose barrier is gcc's call that returns to `after`, and the
    /// function around the directive. Only for calls to which the line information may give another
    /// place: that of code inlined in front of it, or of the end of a function that ends in a jump
    /// there.
    pub fn directive_of_barrier(&self, after: u64) -> Option<(u32, String)> {
        let (line, function) = self.symbols.directive_of_barrier(after)?;
        Some((line, function.to_string()))
    }

    /// The jumps that stand for calls of other files' functions, in the function that starts at
    /// `start`: such a call leaves no frame of that function.
    pub fn jumps(&self, start: u64) -> Jumps {
        jumps::of_function(&self.symbols, start)
    }

    /// The chains of jumps from the function that starts at `start` to the one of the same file
    /// that starts at `to`.
    pub fn jumps_to(&self, start: u64, to: u64) -> Jumps {
        jumps::to_function(&self.symbols, start, to)
    }

    /// The outlined function that the runtime call which returns to `after` passes, if the code
    /// shows it.
    pub fn body_of_call(&self, after: u64) -> Option<u64> {
        outlined::site(&self.symbols, after).body
    }
}
