//! The record file's descriptor, whose number the program may close or take at any time.
//!
//! What must hold: the agent writes to, and closes, only the file that it opened: device and inode
//! identify that file. Everything here except [`keep`] is async-signal-safe.

use crate::numbers;
use core::sync::atomic::{
    AtomicI32, AtomicPtr, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use std::ffi::CString;

/// The file's identity, as [`numbers::identity`] makes it.
static IDENTITY: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];
/// The file's path: null, or a box.
static PATH: AtomicPtr<CString> = AtomicPtr::new(core::ptr::null_mut());

/// The most bytes that other threads append between a look at the limit and a write.
const MARGIN: u64 = 1 << 20;

/// Notes which file `file` is, and its path. Allocates.
pub fn keep(file: i32, path: &[u8]) {
    if let Some(status) = numbers::status(file) {
        let identity = numbers::identity(&status);
        IDENTITY.iter().zip(identity).for_each(|(place, part)| place.store(part, Relaxed));
    }
    let path = Box::new(CString::new(path).unwrap_or_default());
    let before = PATH.swap(Box::into_raw(path), AcqRel);
    if !before.is_null() {
        // SAFETY: from an earlier call. No file is open, so no thread asks for its path.
        drop(unsafe { Box::from_raw(before) });
    }
}

/// Returns the system's facts about `file`, if it is the record file.
fn our_status(file: i32) -> Option<libc::stat> {
    let own = [&IDENTITY[0], &IDENTITY[1]].map(|part| part.load(Relaxed));
    numbers::status(file).filter(|status| numbers::identity(status) == own)
}

/// Returns a descriptor of the record file: `known`, or a new one if the program took that number;
/// `place` has the new one then. Returns `None` if the file cannot be opened again now.
pub fn ours(place: &AtomicI32, known: i32) -> Option<i32> {
    if our_status(known).is_some() {
        return Some(known);
    }
    // SAFETY: null or a box that stays as long as the file is open.
    let path = unsafe { PATH.load(Acquire).as_ref() }?;
    let flags = libc::O_WRONLY | libc::O_APPEND | libc::O_CLOEXEC | libc::O_NONBLOCK;
    // SAFETY: a C string.
    let new = unsafe { libc::open(path.as_ptr(), flags) };
    if new < 0 {
        return None;
    }
    let new = numbers::high(new);
    if our_status(new).is_none() {
        // SAFETY: opened above; it is another file of that name.
        unsafe { libc::close(new) };
        return None;
    }
    match place.compare_exchange(known, new, Release, Relaxed) {
        Ok(_) => Some(new),
        Err(other) => {
            close(new);
            (other >= 0).then_some(other)
        }
    }
}

/// Whether the process may write `more` bytes to the file: a write beyond the limit would end the
/// process.
pub fn has_room(file: i32, more: u64) -> bool {
    let limit = numbers::limit(libc::RLIMIT_FSIZE);
    let Some(limit) = limit.filter(|limit| limit.rlim_cur != libc::RLIM_INFINITY) else {
        return true;
    };
    let Some(status) = our_status(file) else { return false };
    let regular = status.st_mode & libc::S_IFMT == libc::S_IFREG;
    let size = status.st_size.unsigned_abs();
    !regular || size.saturating_add(more).saturating_add(MARGIN.min(size / 4)) < limit.rlim_cur
}

/// Closes the record file's descriptor, if it is still that file's.
pub fn close(file: i32) {
    if our_status(file).is_some() {
        // SAFETY: the descriptor is the agent's, and no thread writes to it any more.
        unsafe { libc::close(file) };
    }
}
