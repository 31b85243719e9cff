//! What OMPD has no word for: the whole program at one moment, and why nothing goes on. For
//! debuggers' extensions: these take the snapshot, have it filled by [`omphalos_look`], and ask.

use core::ffi::{CStr, c_char};
use std::ffi::CString;

use omphalos_abi::ompd::ompd_address_space_handle_t;
use omphalos_ompd_answers::Kind;
use omphalos_ompd_view::snapshot::Snapshot;
use serde::de::DeserializeOwned;

use crate::{DESK, look};

fn out(text: String) -> *mut c_char {
    CString::new(text).map_or(core::ptr::null_mut(), CString::into_raw)
}

/// The whole program at this moment as JSON (`omphalos_ompd_view::snapshot`), without stacks; null
/// on failure. To be given back with [`omphalos_free`].
#[unsafe(no_mangle)]
pub extern "C" fn omphalos_snapshot(handle: *mut ompd_address_space_handle_t) -> *mut c_char {
    let Ok(space) = DESK.held(Kind::Space, handle) else { return core::ptr::null_mut() };
    let snapshot = space.space.runtime().snapshot();
    serde_json::to_string(&snapshot).map_or(core::ptr::null_mut(), out)
}

/// # Safety
/// `text` is null or a C string.
unsafe fn parsed<T: DeserializeOwned>(text: *const c_char) -> Option<T> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    serde_json::from_slice(unsafe { CStr::from_ptr(text) }.to_bytes()).ok()
}

/// The snapshot with all that `omphalos inspect` adds to it: the threads' stacks, what they wait
/// for outside the runtime, names and places; null if a text is not what it should be. `seen`:
/// JSON, as docs/ompd.md has it. To be given back with [`omphalos_free`].
///
/// # Safety
/// `text` and `seen` are null or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_look(
    handle: *mut ompd_address_space_handle_t,
    text: *const c_char,
    seen: *const c_char,
) -> *mut c_char {
    let Ok(space) = DESK.held(Kind::Space, handle) else { return core::ptr::null_mut() };
    // SAFETY: the caller's promise.
    let (snapshot, seen) = unsafe { (parsed::<Snapshot>(text), parsed(seen)) };
    let (Some(mut snapshot), Some(seen)) = (snapshot, seen) else { return core::ptr::null_mut() };
    look::fill(space.space.target(), &mut snapshot, seen);
    serde_json::to_string(&snapshot).map_or(core::ptr::null_mut(), out)
}

/// Why nothing goes on, as a JSON list of findings; null if the text is no snapshot. `earlier`: the
/// same program a moment before, or null. To be given back with [`omphalos_free`].
///
/// # Safety
/// `text` and `earlier` are null or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_why(text: *const c_char, earlier: *const c_char) -> *mut c_char {
    // SAFETY: the caller's promise.
    let (now, before) = unsafe { (parsed::<Snapshot>(text), parsed(earlier)) };
    let Some(now) = now else { return core::ptr::null_mut() };
    let findings = omphalos_why::explain(&now, before.as_ref());
    serde_json::to_string(&findings).map_or(core::ptr::null_mut(), out)
}

/// Takes a text back.
///
/// # Safety
/// `text` is null or came from one of the functions above, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omphalos_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { CString::from_raw(text) });
    }
}
