//! The `error` directive at execution time: a message, and for `severity(fatal)` the end.

use core::ffi::{CStr, c_char, c_int, c_void};
use omphalos_engine::{Thread, caller};
use omphalos_events::{Event, Kind, Severity, dispatch, wants};
use omphalos_sys::{entry::Caller, stderr};
use std::ffi::CString;

/// Tells `text` (empty: the program gave none) to tools, and prints it to standard error. The line
/// has the form that the program's own runtime has, because scripts look for it: LLVM's with a
/// `place` (which may be empty), else GCC's.
pub(crate) fn report(text: &str, fatal: bool, place: Option<&str>, caller: Caller) {
    Thread::current();
    let severity = if fatal { Severity::Fatal } else { Severity::Warning };
    if wants(Kind::Error) {
        let text = CString::new(text).unwrap_or_default();
        dispatch(&Event::Error { severity, message: &text, codeptr: caller.address() });
    }
    let colon = if text.is_empty() { "" } else { ": " };
    let what = format!("directive encountered{colon}{text}");
    let line = match (place, fatal) {
        (None, false) => format!("\nlibgomp: error {what}\n"),
        (None, true) => format!("\nlibgomp: fatal error: error {what}\n"),
        (Some(place), false) => format!("OMP: Warning: {place}warning {what}\n"),
        (Some(place), true) => format!("OMP: Error: {place}error {what}\n"),
    };
    stderr::raw(line.as_bytes());
    if fatal {
        // As the directive asks: with the exit handlers.
        omphalos_sys::process::exit(1)
    }
}

/// # Safety
/// `text` must be null or valid for reads of `length` bytes; a length of `usize::MAX` means up to
/// the zero byte.
unsafe fn gomp_text(text: *const c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe {
        match length {
            usize::MAX => CStr::from_ptr(text).to_bytes(),
            length => core::slice::from_raw_parts(text.cast::<u8>(), length),
        }
    };
    String::from_utf8_lossy(bytes).into_owned()
}

unsafe extern "C" fn gomp_warning(text: *const c_char, length: usize) {
    let caller = caller();
    // SAFETY: GCC hands over the directive's message.
    report(&unsafe { gomp_text(text, length) }, false, None, caller);
}

unsafe extern "C" fn gomp_error(text: *const c_char, length: usize) {
    let caller = caller();
    // SAFETY: GCC hands over the directive's message.
    report(&unsafe { gomp_text(text, length) }, true, None, caller);
}

/// `file:line: ` of an `ident_t`, empty if it does not say.
///
/// # Safety
/// `location` must be null or a valid location of LLVM's code.
pub(crate) unsafe fn place(location: *const c_void) -> String {
    if location.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise; the text is null or a C string behind four 4-byte words.
    let source = unsafe { location.cast::<*const c_char>().add(2).read() };
    if source.is_null() {
        return String::new();
    }
    // SAFETY: as above.
    let source = unsafe { CStr::from_ptr(source) }.to_string_lossy();
    let mut parts = source.split(';').filter(|part| !part.is_empty());
    match (parts.next(), parts.next(), parts.next()) {
        (Some(file), Some(_), Some(line)) => format!("{file}:{line}: "),
        _ => String::new(),
    }
}

/// Returns a message, empty for null.
///
/// # Safety
/// `text` must be null or a C string.
pub(crate) unsafe fn text(text: *const c_char) -> String {
    // SAFETY: the caller's promise.
    unsafe { gomp_text(text, usize::MAX) }
}

/// `severity` 1 is a warning.
unsafe extern "C" fn kmpc_error(location: *const c_void, severity: c_int, message: *const c_char) {
    let caller = caller();
    // SAFETY: LLVM hands over a valid location, and null or a C string.
    let (place, text) = unsafe { (place(location), text(message)) };
    report(&text, severity != 1, Some(&place), caller);
}

omphalos_sys::entries! {
    /// GCC: `error` with `severity(warning)`.
    GOMP_warning => gomp_warning;
    /// GCC: `error`.
    GOMP_error => gomp_error;
    /// LLVM: `error`.
    __kmpc_error => kmpc_error;
}
