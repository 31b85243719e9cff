//! What a program has written to a stream of the C library's, and the stream has not sent.

/// What lies in a stream's buffer, and somebody sleeps in a call that would read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsent {
    /// The descriptor that the stream writes to.
    pub descriptor: i32,
    /// So many bytes.
    pub bytes: u64,
    /// Who would read them.
    pub reader: Reader,
}

/// Who sleeps in a call that reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A thread of the process, by its number in the kernel.
    Own(u32),
    /// Another process, and what it is called.
    Other(u32, Option<String>),
}
