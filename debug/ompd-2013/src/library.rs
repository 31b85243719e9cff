//! The library itself, settings of the process, breakpoints, and tool support on and off.

use core::ffi::{CStr, c_char, c_int};

use omphalos_abi::earlier::ompd2013::*;
use omphalos_ompd_answers::{Code, Held, memory};

use crate::{code, debugger};

/// The name of this library.
const TEXT: &str = concat!("Omphalos ", env!("CARGO_PKG_VERSION"), ": OMPD of April 2013\0");

omphalos_ompd_answers::answered! {
    /// The name of this library. The text belongs to the library.
    ompd_get_version_string(; string: *const c_char) = Ok(TEXT.as_ptr().cast());
    /// The revision of the text: 1.
    ompd_get_version_compatibility(; val: c_int) = Ok(1);
    /// A return code in words. The text belongs to the library.
    ompd_get_error_string(errcode: c_int; string: *const c_char) = {
        let text: &CStr = match errcode {
            ompd_rc_ok => c"success",
            ompd_rc_unavailable => c"not available here",
            ompd_rc_stale_handle => c"the handle is no longer valid",
            ompt_rc_bad_input => c"bad input",
            ompt_rc_error => c"error",
            ompt_rc_unsupported => c"not supported",
            ompd_rc_needs_state_tracking => c"needs state tracking",
            _ => return Err(Code::BadInput),
        };
        Ok(text.as_ptr())
    };
    /// The places for breakpoints. A thread passes each once for a region or task.
    ompd_get_breakpoints(context: *mut ompd_context_t; bkpt_locations: ompd_breakpoints_t) = {
        let space = debugger::process(context)?;
        let at = |name: &CStr| space.debugger().symbol(name, None);
        Ok(ompd_breakpoints_t {
            parallel_pre_execute: at(c"ompd_bp_parallel_begin")?,
            parallel_post_execute: at(c"ompd_bp_parallel_end")?,
            task_pre_execute: at(c"ompd_bp_task_begin")?,
            task_post_execute: at(c"ompd_bp_task_end")?,
        })
    };
    /// The settings of the process that was named last: lines `name=value`. The debugger frees the
    /// text.
    ompd_display_control_vars(; control_var_values: *const c_char) = {
        let space = Held::space(debugger::latest()?);
        let lines: Vec<String> = space.control_variables()?;
        let lines: String = lines.iter().map(|line| line.replace('\n', " ") + "\n").collect();
        memory::text(space.space.debugger(), &lines)
    };
    /// `omp_get_num_procs` of the process that was named last.
    ompd_get_num_procs(; val: ompd_tword_t)
        = Held::space(debugger::latest()?).number("num-procs-var");
    /// `omp_get_thread_limit` of the process that was named last.
    ompd_get_thread_limit(; val: ompd_tword_t)
        = Held::space(debugger::latest()?).number("thread-limit-var");
}

/// Switches tool support of the process that was named last on or off. A tool ends at the next
/// clean point, which is the beginning of an outermost region, and the process passes
/// `ompt_enable_complete` there. A core cannot be switched.
#[unsafe(no_mangle)]
pub extern "C" fn ompd_enable(setting: ompd_enable_setting_t) -> c_int {
    code(debugger::switch_tracking(setting))
}
