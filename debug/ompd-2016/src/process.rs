//! Start and end; processes and core files; settings of a process.

use core::ffi::{c_char, c_int, c_void};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::{Code, Kind};

use crate::{HANDLES, code, debugger, held};

/// The version of the interface: 2.001.
const VERSION: c_int = 2001;
/// The name of this library.
const TEXT: &str = concat!("Omphalos ", env!("CARGO_PKG_VERSION"), ": OMPD of 2016, 2.001\0");

/// The debugger begins. The library copies its callbacks.
///
/// # Safety
/// `callbacks` is null or points to a table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_initialize(callbacks: *const ompd_callbacks_t) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(debugger::keep(VERSION.into(), unsafe { callbacks.as_ref() }))
}

/// The debugger is done: every handle becomes stale.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_finalize() -> ompd_rc_t {
    HANDLES.clear();
    code(debugger::forget())
}

/// Gives a process back, and all handles in it.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_release_address_space_handle(
    handle: *mut ompd_address_space_handle_t,
) -> ompd_rc_t {
    code(HANDLES.release(Kind::Space, handle as u64))
}

/// Gives the list of settings back.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_release_display_control_vars(
    control_var_values: *const *const c_char,
) -> ompd_rc_t {
    // SAFETY: the list goes back once.
    code(unsafe { debugger::take_back(&HANDLES, control_var_values.cast()) })
}

omphalos_ompd_answers::answered! {
    /// The version of the interface, times 1000.
    ompd_get_version(; version: c_int) = Ok(VERSION);
    /// The name of this library. The text belongs to the library.
    ompd_get_version_string(; string: *const c_char) = Ok(TEXT.as_ptr().cast());
    /// Opens a process or a core file; incompatible if its runtime is another one. `context` is a
    /// context for the callbacks.
    ompd_process_initialize(
        context: *mut ompd_address_space_context_t; handle: *mut ompd_address_space_handle_t
    ) = HANDLES.handle(debugger::open(context));
    /// The settings of the process: a list of texts `NAME=VALUE` that ends with null.
    ompd_get_display_control_vars(
        [Space] handle: *mut ompd_address_space_handle_t; control_var_values: *const *const c_char
    ) = HANDLES.control_variables(&handle);
    /// `omp_get_num_procs`.
    ompd_get_num_procs([Space] handle: *mut ompd_address_space_handle_t; val: ompd_tword_t)
        = handle.number("num-procs-var");
    /// `omp_get_thread_limit`.
    ompd_get_thread_limit([Space] handle: *mut ompd_address_space_handle_t; val: ompd_tword_t)
        = handle.number("thread-limit-var");
    /// From the draft that followed: the ICV after `current`. The debugger frees the name.
    ompd_enumerate_icvs(
        [Space] handle: *mut ompd_address_space_handle_t, current: u64;
        next_id: u64, next_icv_name: *const c_char, next_scope: c_int, more: c_int
    ) = HANDLES.next_icv(&handle, current);
    /// From the draft that followed: an ICV as a number, `ompd-team-size-var` and its like.
    ompd_get_icv_from_scope(
        handle: *mut c_void, scope: c_int, icv_id: u64; icv_value: ompd_tword_t
    ) = {
        let (held, known) = HANDLES.icv_in_scope(handle, scope, icv_id)?;
        held.icv(&known)?.number.ok_or(Code::Incompatible)
    };
}
