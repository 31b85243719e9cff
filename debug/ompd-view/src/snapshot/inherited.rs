//! Ends of pipes that processes have without having opened them.

/// The end at which a pipe is written to, in a child process that got it by the fork.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InheritedEnd {
    /// The process that reads from the pipe until nobody can write to it any more.
    pub reader: String,
    /// The child that has the end.
    pub keeper: String,
    /// The child's descriptor.
    pub descriptor: i32,
    /// Whether the child has executed another program since the fork.
    pub executes: bool,
    /// The places where the program's code makes pipes.
    pub made_at: Vec<String>,
}
