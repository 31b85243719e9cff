//! What the program's code does, for those who look at a process from outside: jumps and bodies.

use super::Names;
use crate::symbols::{Jumps, jumps, outlined};

impl Names {
    /// The line of the directive whose barrier gcc's call that returns to `after` is, and the
    /// function that the directive stands in, where the line information may give that call
    /// another place: that of what is inlined before it, or of the end of a function that ends in
    /// a jump there.
    pub fn directive_of_barrier(&self, after: u64) -> Option<(u32, String)> {
        let (line, function) = self.symbols.directive_of_barrier(after)?;
        Some((line, function.to_string()))
    }

    /// The jumps that stand for calls of other files' functions, in the function that starts at
    /// `start`: what is called so leaves no frame of that function.
    pub fn jumps(&self, start: u64) -> Jumps {
        jumps::of_function(&self.symbols, start)
    }

    /// The ways of jumps from the function that starts at `start` to the one that starts at `to`,
    /// which is of the same file.
    pub fn jumps_to(&self, start: u64, to: u64) -> Jumps {
        jumps::to_function(&self.symbols, start, to)
    }

    /// The outlined function that the call of a runtime which returns to `after` hands over, where
    /// the code tells that.
    pub fn body_of_call(&self, after: u64) -> Option<u64> {
        outlined::site(&self.symbols, after).body
    }
}
