//! The properties of a task that the engine itself must know: bits of its record.

/// Bits of `Task::traits`.
pub struct Traits;

impl Traits {
    /// The code is LLVM's task entry, `code(gtid, task)`; otherwise GCC's, `code(data)`.
    pub const ENTRY: u32 = 1;
    /// The task has an event: it is complete when the body has ended and the event was fulfilled.
    pub const DETACHABLE: u32 = 2;
    /// LLVM's task with destructors of its private data.
    pub const DESTRUCTORS: u32 = 4;
    /// The task runs in parts: its body enqueues its own continuation (LLVM's untied tasks).
    pub const PARTS: u32 = 8;
    /// The task is counted in its parent, its group and the team: it may outlive the call that made
    /// it.
    pub const COUNTED: u32 = 16;
    /// The task has ICVs of its own on the heap.
    pub const OWN_ICVS: u32 = 32;
    /// The task went to its end because its taskgroup was cancelled.
    pub const CANCELLED: u32 = 64;
    /// The task's `children` count may be in use: the task made tasks that may outlive the call
    /// that made them, or holds the record of such a task.
    pub const PARENT: u32 = 128;
    /// The task has a node: it depends on siblings, or made tasks that depend on each other.
    pub const NODE: u32 = 256;
    /// GCC's task whose private data the program copied. It is executed even if it was cancelled
    /// before it began, because only its own code ends the life of the copies.
    pub const COPIED: u32 = 1024;
    /// A transparent task: its children and its siblings order each other.
    pub const TRANSPARENT: u32 = 8192;
    /// Free-agent threads may execute it (`agents.rs`).
    pub const POOL: u32 = 2048;
    /// Only hidden helper threads execute it (`helpers.rs`).
    pub const HIDDEN: u32 = 16384;
    /// The task's body has ended, or is about to. The event alone completes the task then, or has
    /// come already.
    pub const OPEN: u32 = 4096;
    /// Not a task: a ticket to a taskloop's shares (`split.rs`).
    pub const TICKET: u32 = 32768;
    /// A task of a taskloop, with its iterations noted for tools at the end of its payload.
    pub const CHUNK: u32 = 512;
}
