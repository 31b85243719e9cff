//! Text that a program has written to a stream of the C library and that is still in its buffer.

/// Text in a stream's buffer, while another thread sleeps in the call that would read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsent {
    /// The descriptor that the stream writes to.
    pub descriptor: i32,
    /// The number of bytes in the buffer.
    pub bytes: u64,
    /// The thread that would read the text.
    pub reader: Reader,
}

/// A thread that sleeps in a call that reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A thread of the process, by its number in the kernel.
    Own(u32),
    /// Another process, and its name.
    Other(u32, Option<String>),
}
