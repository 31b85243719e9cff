//! Identities with their data words, and frames: the state that tools have about threads, regions
//! and tasks.
//!
//! An identity belongs to one thread, one parallel region or one task. Its words belong to tools:
//! one word for each attached tool, which only that tool reads or writes. The runtime passes the
//! word's address and never looks inside. The generations without data words (Collector API 2007,
//! OMPT 2013 regions, 2016-ids) name the object by the unique id.

use crate::describe;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicI32, AtomicU64, Ordering};

/// How many tools can be attached at once, each with its own data word on every identity.
pub const SLOTS: usize = 4;

/// The tool-visible identity of a thread, a region or a task.
#[repr(C)]
pub struct Identity {
    /// One `ompt_data_t` for each attached tool. They stand first, so that the address of an
    /// identity is the address of the first one.
    pub words: [UnsafeCell<u64>; SLOTS],
    /// Unique over the whole run, never 0 once assigned. Written by the owner before the first
    /// event that shows this identity, read by tools (also from signal handlers).
    pub id: AtomicU64,
}

describe!(Identity { words, id });

const _: () = assert!(core::mem::offset_of!(Identity, words) == 0);

// SAFETY: the runtime only hands out the addresses of the words; the tool that owns a word orders
// its own accesses, as the OMPT specification demands of it.
unsafe impl Sync for Identity {}
// SAFETY: as above; an identity has no tie to the thread that made it.
unsafe impl Send for Identity {}

impl Identity {
    /// In the id of a region: no parallel region, but the one around the initial task.
    pub const INITIAL_REGION: u64 = 1 << 63;

    /// Returns the id for generations that have no region around the initial task: 0 for that
    /// region and for one that no tool has seen. Async-signal-safe.
    #[inline]
    pub fn region_id(&self) -> u64 {
        match self.id.load(Ordering::Relaxed) {
            id if id & Self::INITIAL_REGION != 0 => 0,
            id => id,
        }
    }

    /// Whether this is the region around an initial task, which no construct began.
    /// Async-signal-safe.
    #[inline]
    pub fn is_initial_region(&self) -> bool {
        self.id.load(Ordering::Relaxed) & Self::INITIAL_REGION != 0
    }

    /// Makes an identity that no tool has seen: id 0 and empty words.
    pub const fn new() -> Self {
        Identity { words: [const { UnsafeCell::new(0) }; SLOTS], id: AtomicU64::new(0) }
    }

    /// Gives the identity a new life: a new id, empty words.
    ///
    /// Must not run while a tool may still hold on to the previous life.
    #[inline]
    pub fn renew(&self, id: u64) {
        self.id.store(id, Ordering::Relaxed);
        self.clear_words();
    }

    /// Empties the words: the life that tools knew is over. The same must hold as for
    /// [`Identity::renew`].
    #[inline]
    pub fn clear_words(&self) {
        for word in &self.words {
            // SAFETY: the previous life is over and the new one not yet shown to any tool.
            unsafe { *word.get() = 0 };
        }
    }

    /// Returns the address of the word of the tool in `slot`, an `ompt_data_t *`.
    #[inline]
    pub fn word(&self, slot: usize) -> *mut u64 {
        self.words[slot % SLOTS].get()
    }
}

impl Default for Identity {
    fn default() -> Self {
        Self::new()
    }
}

/// `ompt_frame_t` (OpenMP 6.0, `omp-tools.h`); its first two words are also the frame structure
/// of OMPT 2013 and 2016.
#[repr(C)]
pub struct Frame {
    /// The frame in which the runtime called user code, 0 if the task has not started or is the
    /// initial one.
    pub exit: AtomicU64,
    /// The frame in which user code of this task entered the runtime, 0 while it runs user code:
    /// the word of the return address. Tools look for the first frame whose stack pointer is at
    /// least that (those of OpenMP 5.0 and later) or above it (earlier ones): both find the user's.
    pub enter: AtomicU64,
    /// `ompt_frame_flag_t` of `exit`.
    pub exit_flags: AtomicI32,
    /// `ompt_frame_flag_t` of `enter`.
    pub enter_flags: i32,
}

describe!(Frame { exit, enter, exit_flags, enter_flags });

impl Frame {
    /// `ompt_frame_cfa | ompt_frame_runtime`: the value is the address of the runtime's frame, as
    /// `__builtin_frame_address` gives it in C; the other OMPT runtimes flag that so.
    pub const CFA_RUNTIME: i32 = 0x10;

    /// `ompt_frame_cfa | ompt_frame_application`: the value is an address in the program's frame,
    /// whose own code goes on as the task's.
    pub const CFA_APPLICATION: i32 = 0x11;

    /// Makes the frame of a task that has not run.
    pub const fn new() -> Self {
        Frame {
            exit: AtomicU64::new(0),
            enter: AtomicU64::new(0),
            exit_flags: AtomicI32::new(Self::CFA_RUNTIME),
            enter_flags: Self::CFA_RUNTIME,
        }
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self::new()
    }
}

/// The part of a task that tools see.
#[repr(C)]
pub struct TaskTool {
    /// Id and data words.
    pub identity: Identity,
    /// The task's frames.
    pub frame: Frame,
}

describe!(TaskTool { identity, frame });

const _: () = assert!(core::mem::offset_of!(TaskTool, identity) == 0);

impl TaskTool {
    /// Makes the part of a task that no tool has seen.
    pub const fn new() -> Self {
        TaskTool { identity: Identity::new(), frame: Frame::new() }
    }
}

impl Default for TaskTool {
    fn default() -> Self {
        Self::new()
    }
}

const _: () = assert!(core::mem::size_of::<Frame>() == 24);
