//! The library itself, settings of the process, breakpoints, and tool support on and off.

use core::ffi::{CStr, c_char, c_int};

use omphalos_abi::earlier::ompd2013::*;
use omphalos_ompd_answers::{Answer, Held, memory};

use crate::{code, debugger};

/// What this library is. The text is the library's.
///
/// # Safety
/// `string` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_version_string(string: *mut *const c_char) -> ompd_rc_t {
    const TEXT: &str = concat!("Omphalos ", env!("CARGO_PKG_VERSION"), ": OMPD of April 2013\0");
    // SAFETY: the caller's promise.
    code(unsafe { memory::put(string, TEXT.as_ptr().cast()) })
}

/// The revision of the text: 1.
///
/// # Safety
/// `val` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_version_compatibility(val: *mut c_int) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    code(unsafe { memory::put(val, 1) })
}

/// A return code in words. The text is the library's.
///
/// # Safety
/// `string` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_error_string(
    errcode: c_int,
    string: *mut *const c_char,
) -> ompd_rc_t {
    let text: &CStr = match errcode {
        ompd_rc_ok => c"success",
        ompd_rc_unavailable => c"not available here",
        ompd_rc_stale_handle => c"the handle is no longer valid",
        ompt_rc_bad_input => c"bad input",
        ompt_rc_error => c"error",
        ompt_rc_unsupported => c"not supported",
        ompd_rc_needs_state_tracking => c"needs state tracking",
        _ => return ompt_rc_bad_input,
    };
    // SAFETY: the caller's promise.
    code(unsafe { memory::put(string, text.as_ptr()) })
}

/// Where to put breakpoints: each is passed once for a region or task.
///
/// # Safety
/// `bkpt_locations` is null or points to a place for them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_breakpoints(
    context: *mut ompd_context_t,
    bkpt_locations: *mut ompd_breakpoints_t,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        let space = debugger::process(context)?;
        memory::wanted(bkpt_locations)?;
        let at = |name: &CStr| space.debugger().symbol(name, None);
        let found = ompd_breakpoints_t {
            parallel_pre_execute: at(c"ompd_bp_parallel_begin")?,
            parallel_post_execute: at(c"ompd_bp_parallel_end")?,
            task_pre_execute: at(c"ompd_bp_task_begin")?,
            task_post_execute: at(c"ompd_bp_task_end")?,
        };
        // SAFETY: the caller's promise.
        unsafe { memory::put(bkpt_locations, found) }
    };
    code(answer())
}

/// The settings of the process that was named last: lines `name=value`. The text is the debugger's
/// to free.
///
/// # Safety
/// `control_var_values` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_display_control_vars(
    control_var_values: *mut *const c_char,
) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        memory::wanted(control_var_values)?;
        let space = Held::space(debugger::latest()?);
        let lines: Vec<String> = space.control_variables()?;
        let lines: String = lines.iter().map(|line| line.replace('\n', " ") + "\n").collect();
        let text = memory::text(space.space.debugger(), &lines)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(control_var_values, text) }
    };
    code(answer())
}

/// `omp_get_num_procs` of the process that was named last.
///
/// # Safety
/// `val` is null or points to a place for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_num_procs(val: *mut ompd_tword_t) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { number("num-procs-var", val) }
}

/// `omp_get_thread_limit` of the process that was named last.
///
/// # Safety
/// As [`ompd_get_num_procs`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_thread_limit(val: *mut ompd_tword_t) -> ompd_rc_t {
    // SAFETY: the caller's promise.
    unsafe { number("thread-limit-var", val) }
}

/// # Safety
/// `val` is null or points to a place for it.
unsafe fn number(name: &str, val: *mut ompd_tword_t) -> ompd_rc_t {
    let answer = || -> Answer<()> {
        memory::wanted(val)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(val, Held::space(debugger::latest()?).number(name)?) }
    };
    code(answer())
}

/// Switches tool support of the process that was named last on or off. A tool ends at the next
/// clean point, which is the beginning of an outermost region, and the process passes
/// `ompt_enable_complete` there. A core cannot be switched.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_enable(setting: ompd_enable_setting_t) -> c_int {
    code(debugger::switch_tracking(setting))
}
