//! The machine's frames of a thread, among which those of an interpreter have their places.

/// The machine's frames of the thread.
pub struct Machine<'a, E: Fn(usize) -> bool> {
    /// The stack pointer in each, innermost first.
    pub pointers: &'a [u64],
    /// The stack: lowest address, one past the highest.
    pub stack: (u64, u64),
    /// True where the outermost of them is not the interpreter's: calls beyond it are outside.
    pub is_cut: bool,
    /// Whether one of them is a call of `_PyEval_EvalFrameDefault`; asked only for a version
    /// whose layout [wants it](crate::Layout::wants_function).
    pub executes: E,
}

impl<E: Fn(usize) -> bool> Machine<'_, E> {
    pub(crate) fn has_on_stack(&self, at: u64) -> bool {
        (self.stack.0..self.stack.1).contains(&at)
    }

    /// Returns how many frames are inside the one that an address on the stack belongs to.
    pub(crate) fn inside_of(&self, address: u64) -> usize {
        let pointers = self.pointers.iter();
        let all = pointers.take_while(|pointer| **pointer <= address).count();
        let is_beyond = self.is_cut && all == self.pointers.len();
        all.saturating_sub(usize::from(!is_beyond))
    }
}
