//! ICVs, control variables and the tools' data (OpenMP 6.0, section 41.8).

use core::ffi::{c_char, c_int, c_void};

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::{Answer, Code, Kind, memory};

use crate::debugger::{self, at};
use crate::{HANDLES, code};

/// The settings of the process: a list of texts `NAME=VALUE` that ends with null.
///
/// # Safety
/// `control_vars` is null or points to a place for the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_display_control_vars(
    address_space_handle: *mut ompd_address_space_handle_t,
    control_vars: *mut *const *const c_char,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(unsafe { HANDLES.control_variables(address_space_handle, control_vars) })
}

/// Gives that list back.
///
/// # Safety
/// `control_vars` is null or points to the variable that [`ompd_get_display_control_vars`] wrote.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_rel_display_control_vars(
    control_vars: *mut *const *const c_char,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        memory::wanted(control_vars)?;
        let callbacks = debugger::callbacks().ok_or(Code::Error)?;
        let free = callbacks.free_memory.ok_or(Code::CallbackError)?;
        // SAFETY: the caller's promise.
        let list = unsafe { control_vars.read_unaligned() };
        HANDLES.take_back(list.cast())?;
        // SAFETY: it came from the debugger's allocation, and is given back once.
        match unsafe { free(list.cast_mut().cast()) } {
            ompd_rc_ok => {}
            _ => return Err(Code::CallbackError),
        }
        // SAFETY: the caller's promise.
        unsafe { memory::put(control_vars, core::ptr::null()) }
    };
    code(answer())
}

/// The ICV behind `current`; the first behind 0. The name is the debugger's to free.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_enumerate_icvs(
    handle: *mut ompd_address_space_handle_t,
    current: ompd_icv_id_t,
    next_id: *mut ompd_icv_id_t,
    next_icv_name: *mut *const c_char,
    next_scope: *mut ompd_scope_t,
    more: *mut c_int,
) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(unsafe {
        HANDLES.next_icv((handle, current), (next_id, next_icv_name), (next_scope, more))
    })
}

/// An ICV as a number: incomplete if it is the first of a list, incompatible if it is none.
///
/// # Safety
/// `icv_value` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_icv_from_scope(
    handle: *mut c_void,
    scope: ompd_scope_t,
    icv_id: ompd_icv_id_t,
    icv_value: *mut ompd_word_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let (held, known) = HANDLES.icv_in_scope(handle, scope, icv_id)?;
        memory::wanted(icv_value)?;
        let value = held.icv(&known)?;
        let number = value.number.ok_or(Code::Incompatible)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(icv_value, number) }?;
        // A debugger of an earlier version asks for a list only of what was one then.
        let was_list = matches!(known.name, "nthreads-var" | "bind-var");
        if value.whole || !was_list && debugger::api_version() < 202_411 {
            Ok(())
        } else {
            Err(Code::Incomplete)
        }
    };
    code(answer())
}

/// An ICV as a text, which is the debugger's to free.
///
/// # Safety
/// `icv_string` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_icv_string_from_scope(
    handle: *mut c_void,
    scope: ompd_scope_t,
    icv_id: ompd_icv_id_t,
    icv_string: *mut *const c_char,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let (held, known) = HANDLES.icv_in_scope(handle, scope, icv_id)?;
        memory::wanted(icv_string)?;
        let value = held.icv(&known)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(icv_string, memory::text(held.space.debugger(), &value.text)?) }
    };
    code(answer())
}

/// The tool's data of a thread, a region or a task: its value and where it stands. Unavailable
/// without a tool.
///
/// # Safety
/// Each pointer is null or points to a place for its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_tool_data(
    handle: *mut c_void,
    scope: ompd_scope_t,
    value: *mut ompd_word_t,
    ptr: *mut ompd_address_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let held = HANDLES.any(handle as u64)?;
        held.in_scope(u64::try_from(scope).map_err(|_| Code::BadInput)?)?;
        memory::wanted(value)?;
        memory::wanted(ptr)?;
        if held.kind == Kind::Space {
            return Err(Code::Unsupported);
        }
        let (word, _) = held.tool_data()?;
        // SAFETY: the caller's promise. `ompt_data_t` is a union: the word read as a pointer.
        unsafe {
            memory::put(value, word as ompd_word_t)?;
            memory::put(ptr, at(word))
        }
    };
    code(answer())
}
