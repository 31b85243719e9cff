//! The thread-local words: the meaning and the place of each, and the thread that writes it.

use core::cell::UnsafeCell;
use core::mem::offset_of;
use core::sync::atomic::AtomicUsize;

/// The words of a thread. A class word is 1 where the address of the record is not known.
#[repr(C, align(64))]
pub struct Words {
    /// The address of the thread's record, 0 before the thread met OpenMP. Written by the thread.
    record: usize,
    /// The stack pointer at the latest entry: points at the return address. Written by entry stubs.
    stack_pointer: usize,
    /// The frame pointer register at the latest entry. Written by entry stubs.
    frame_pointer: usize,
    /// The words that other threads also write.
    pub(crate) watch: Watch,
}

/// The words that other threads write.
#[repr(C)]
pub struct Watch {
    /// The *unwatched* word: the address of the record while no tool is attached, else 0. Written
    /// by the thread and by the thread that attaches a tool.
    pub unwatched: AtomicUsize,
    /// 1 once the thread has given up, for good, the words that others write. Written by the
    /// thread.
    pub(crate) gave_up: UnsafeCell<usize>,
    /// A *class* word: the address of the record, and 1 more while a tool is told of mutexes.
    pub mutexes: AtomicUsize,
    /// The same for the events of worksharing.
    pub work: AtomicUsize,
    /// The same for chunks alone.
    pub chunks: AtomicUsize,
}

/// The offsets of the words, for entry stubs.
pub const RECORD: usize = offset_of!(Words, record);
#[doc(hidden)]
pub const STACK_POINTER: usize = offset_of!(Words, stack_pointer);
#[doc(hidden)]
pub const FRAME_POINTER: usize = offset_of!(Words, frame_pointer);
#[doc(hidden)]
pub const UNWATCHED: usize = offset_of!(Words, watch.unwatched);
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(crate) const GAVE_UP: usize = offset_of!(Words, watch.gave_up);
/// The offset of the class word of mutexes, for entry stubs.
pub const MUTEXES: usize = offset_of!(Words, watch.mutexes);
/// The offset of the class word of worksharing.
pub const WORK: usize = offset_of!(Words, watch.work);
/// The offset of the class word of chunks, behind [`WORK`].
pub const CHUNKS: usize = offset_of!(Words, watch.chunks);

// SAFETY: `gave_up` is the thread's own, which reaches it by `give_up_watch` and `gave_up_watch`
// alone.
unsafe impl Sync for Watch {}
