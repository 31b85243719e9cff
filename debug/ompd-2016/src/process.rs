//! Start and end; processes and core files; settings of a process.

use core::ffi::{c_char, c_int, c_void};

use omphalos_abi::earlier::ompd2016::*;
use omphalos_ompd_answers::{Answer, Code, Held, Kind, Space, memory};

use crate::debugger::{self, Process};
use crate::{HANDLES, code, number};

/// The version of the interface: 2.001.
const VERSION: c_int = 2001;

/// The version of the interface, times 1000.
///
/// # Safety
/// `version` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_version(version: *mut c_int) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(unsafe { memory::put(version, VERSION) })
}

/// What this library is. The text is the library's.
///
/// # Safety
/// As [`ompd_get_version`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_version_string(string: *mut *const c_char) -> ompd_rc_t {
    const TEXT: &str = concat!("Omphalos ", env!("CARGO_PKG_VERSION"), ": OMPD of 2016, 2.001\0");
    // SAFETY: the caller's promise.
    code(unsafe { memory::put(string, TEXT.as_ptr().cast()) })
}

/// The debugger begins: its callbacks, which are copied.
///
/// # Safety
/// `callbacks` is null or points to a table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_initialize(callbacks: *const ompd_callbacks_t) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(debugger::take(unsafe { callbacks.as_ref() }))
}

/// The debugger is done: every handle is stale.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_finalize() -> ompd_rc_t {
    HANDLES.clear();
    code(debugger::forget())
}

/// A process or a core file; incompatible if its runtime is another one.
///
/// # Safety
/// `handle` is null or points to a place for the handle; `context` is one that the callbacks take.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_process_initialize(
    context: *mut ompd_address_space_context_t,
    handle: *mut *mut ompd_address_space_handle_t,
) -> ompd_rc_t {
    let open = || {
        let callbacks = debugger::callbacks().ok_or(Code::Error)?;
        if context.is_null() {
            return Err(Code::BadInput);
        }
        let process = Box::new(Process { callbacks, context });
        Ok(Held::space(Space::open(process, context as usize)?))
    };
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.hand_out_to(handle, open) })
}

/// Gives a process back, and all handles in it.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_release_address_space_handle(
    handle: *mut ompd_address_space_handle_t,
) -> ompd_rc_t {
    code(HANDLES.release(Kind::Space, handle as u64))
}

/// The settings of the process: a list of texts `NAME=VALUE` that ends with null.
///
/// # Safety
/// `control_var_values` is null or points to a place for the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_display_control_vars(
    handle: *mut ompd_address_space_handle_t,
    control_var_values: *mut *const *const c_char,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.control_variables(handle, control_var_values) })
}

/// Gives that list back.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_release_display_control_vars(
    control_var_values: *const *const c_char,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let callbacks = debugger::callbacks().ok_or(Code::Error)?;
        let free = callbacks.d_free_memory.ok_or(Code::CallbackError)?;
        HANDLES.take_back(control_var_values.cast())?;
        // SAFETY: it came from the debugger's allocation, and is given back once.
        match unsafe { free(control_var_values.cast_mut().cast()) } {
            ompd_rc_ok => Ok(()),
            _ => Err(Code::CallbackError),
        }
    };
    code(answer())
}

/// `omp_get_num_procs`.
///
/// # Safety
/// `val` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_num_procs(
    handle: *mut ompd_address_space_handle_t,
    val: *mut ompd_tword_t,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { number(Kind::Space, handle, val, |space| space.number("num-procs-var")) }
}

/// `omp_get_thread_limit`.
///
/// # Safety
/// As [`ompd_get_num_procs`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_limit(
    handle: *mut ompd_address_space_handle_t,
    val: *mut ompd_tword_t,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { number(Kind::Space, handle, val, |space| space.number("thread-limit-var")) }
}

/// Of the draft that followed: the ICV behind `current`. The name is the debugger's to free.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_enumerate_icvs(
    handle: *mut ompd_address_space_handle_t,
    current: u64,
    next_id: *mut u64,
    next_icv_name: *mut *const c_char,
    next_scope: *mut c_int,
    more: *mut c_int,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(unsafe {
        HANDLES.next_icv((handle, current), (next_id, next_icv_name), (next_scope, more))
    })
}

/// Of the draft that followed: an ICV as a number, `ompd-team-size-var` and its like.
///
/// # Safety
/// `icv_value` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_icv_from_scope(
    handle: *mut c_void,
    scope: c_int,
    icv_id: u64,
    icv_value: *mut ompd_tword_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let (held, known) = HANDLES.icv_in_scope(handle, scope, icv_id)?;
        memory::wanted(icv_value)?;
        let value = held.icv(&known)?.number.ok_or(Code::Incompatible)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(icv_value, value) }
    };
    code(answer())
}
