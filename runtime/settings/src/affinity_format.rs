//! affinity-format-var: from the environment, or as a routine has set it.

use crate::settings;
use core::ffi::c_char;
use core::sync::atomic::{AtomicPtr, Ordering};
use omphalos_sync::process_lock::{ProcessLock, rank};
use std::ffi::{CStr, CString};

/// The format if none is set: LLVM's and Intel's, which scripts know.
pub const DEFAULT: &CStr = c"OMP: pid %P tid %i thread %n bound to OS proc set {%A}";

/// The format that a routine has set, null before. For debuggers.
pub static SHOWN: AtomicPtr<c_char> = AtomicPtr::new(core::ptr::null_mut());

/// affinity-format-var once a routine has set it.
static FORMAT: ProcessLock<Option<CString>, { rank::FORMAT }> = ProcessLock::new(None);

/// Sets affinity-format-var.
pub fn set(format: CString) {
    FORMAT.with(|var| {
        SHOWN.store(format.as_ptr().cast_mut(), Ordering::Release);
        *var = Some(format);
    });
}

/// Returns affinity-format-var.
pub fn get() -> String {
    let lossy = |format: &CString| format.to_string_lossy().into_owned();
    FORMAT
        .with(|var| var.as_ref().map(lossy))
        .or_else(|| settings().affinity_format.as_ref().map(lossy))
        .unwrap_or_else(|| DEFAULT.to_string_lossy().into_owned())
}
