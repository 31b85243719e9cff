//! ICVs, control variables and the tools' data (OpenMP 6.0, section 41.8).

use core::ffi::{c_char, c_int, c_void};

use omphalos_abi::ompd::*;
use omphalos_ompd_answers::memory::{self, Places};
use omphalos_ompd_answers::{Answer, Code, Kind};

use crate::debugger::{self, at};
use crate::{HANDLES, code, held};

omphalos_ompd_answers::answered! {
    /// The settings of the process: a list of texts `NAME=VALUE` that ends with null.
    ompd_get_display_control_vars(
        [Space] address_space_handle: *mut ompd_address_space_handle_t;
        control_vars: *const *const c_char
    ) = HANDLES.control_variables(&address_space_handle);
    /// The ICV after `current`; the first one after 0. The debugger frees the name.
    ompd_enumerate_icvs(
        [Space] handle: *mut ompd_address_space_handle_t, current: ompd_icv_id_t;
        next_id: ompd_icv_id_t, next_icv_name: *const c_char, next_scope: ompd_scope_t, more: c_int
    ) = HANDLES.next_icv(&handle, current);
    /// An ICV as a text. The debugger frees it.
    ompd_get_icv_string_from_scope(
        handle: *mut c_void, scope: ompd_scope_t, icv_id: ompd_icv_id_t; icv_string: *const c_char
    ) = {
        let (held, known) = HANDLES.icv_in_scope(handle, scope, icv_id)?;
        memory::text(held.space.debugger(), &held.icv(&known)?.text)
    };
    /// The tool's data of a thread, a region or a task, as a value and as a pointer: `ompt_data_t`
    /// is a union, so both are the same word. Unavailable without a tool.
    ompd_get_tool_data(
        handle: *mut c_void, scope: ompd_scope_t; value: ompd_word_t, ptr: ompd_address_t
    ) = {
        let held = HANDLES.any(handle as u64)?;
        held.in_scope(u64::try_from(scope).map_err(|_| Code::BadInput)?)?;
        if held.kind == Kind::Space {
            return Err(Code::Unsupported);
        }
        held.tool_data().map(|(word, _)| (word as ompd_word_t, at(word)))
    };
}

/// Gives the list of settings back.
///
/// # Safety
/// `control_vars` is null or points to the variable that [`ompd_get_display_control_vars`] wrote.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_rel_display_control_vars(
    control_vars: *mut *const *const c_char,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        control_vars.wanted()?;
        // SAFETY: the caller's promise; the list goes back once.
        unsafe {
            debugger::take_back(&HANDLES, control_vars.read_unaligned().cast())?;
            control_vars.put(core::ptr::null())
        }
    };
    code(answer())
}

/// An ICV as a number: incomplete if it is the first of a list, incompatible if the value is no
/// number.
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
        icv_value.wanted()?;
        let value = held.icv(&known)?;
        let number = value.number.ok_or(Code::Incompatible)?;
        // SAFETY: the caller's promise.
        unsafe { icv_value.put(number) }?;
        // A debugger of an earlier version expects a list only for the ICVs that were lists then.
        let was_list = matches!(known.name, "nthreads-var" | "bind-var");
        if value.whole || !was_list && debugger::api_version() < 202_411 {
            Ok(())
        } else {
            Err(Code::Incomplete)
        }
    };
    code(answer())
}
