//! The thread-local words. Their places are those of `words.rs`; how to reach them is missing.

use super::missing;
pub use crate::words::{
    CHUNKS, FRAME_POINTER, MUTEXES, RECORD, STACK_POINTER, UNWATCHED, WORK, Watch,
};

/// See `x86_64/tls.rs`.
pub fn thread_pointer() -> usize {
    crate::thread::own_pthread()
}

/// See `x86_64/tls.rs`.
pub fn record() -> *mut u8 {
    missing()
}

/// # Safety
/// See `x86_64/tls.rs`.
pub unsafe fn set_record(_record: *mut u8) {
    missing()
}

/// # Safety
/// See `x86_64/tls.rs`.
pub unsafe fn replace_record(_record: *mut u8) -> *mut u8 {
    missing()
}

/// See `x86_64/tls.rs`.
pub fn watch() -> *const Watch {
    missing()
}

/// See `x86_64/tls.rs`.
pub fn gave_up_watch() -> bool {
    missing()
}

/// See `x86_64/tls.rs`.
pub fn give_up_watch() {
    missing()
}

pub(crate) fn entry_stack_pointer() -> u64 {
    missing()
}

pub(crate) fn entry_frame_pointer() -> u64 {
    missing()
}
