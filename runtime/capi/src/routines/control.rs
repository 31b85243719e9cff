//! `omp_control_tool`, and giving resources up.

use core::cell::Cell;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_engine::process;
use omphalos_engine::target::{devices::is_host, played};
use omphalos_engine::{Thread, caller};
use omphalos_events::{Event, Kind, dispatch, wants};
use omphalos_settings::{read_blocktime_again, settings};

/// `omp_control_tool_notool`.
const NO_TOOL: i32 = -2;
/// `omp_control_tool_nocallback`.
const NO_CALLBACK: i32 = -1;

/// Passes a command to the tool; returns the tool's answer.
extern "C" fn control_tool(command: i32, modifier: i32, arg: *mut c_void) -> i32 {
    let caller = caller();
    let thread = Thread::current();
    if !omphalos_events::active() || !omphalos_events::has_tool() {
        return NO_TOOL;
    }
    if !wants(Kind::Control) {
        return NO_CALLBACK;
    }
    let result = Cell::new(NO_CALLBACK);
    let frame = &thread.task().tool.frame.enter;
    let before = frame.swap(caller.border(), Ordering::Relaxed);
    dispatch(&Event::Control {
        command: command as u64,
        modifier: modifier as u64,
        arg,
        codeptr: caller.address(),
        result: &result,
    });
    frame.store(before, Ordering::Relaxed);
    result.get()
}

/// The Fortran name: the argument is an integer of a pointer's size.
extern "C" fn control_tool_fortran(
    command: *const i32,
    modifier: *const i32,
    arg: *mut c_void,
) -> i32 {
    // SAFETY: a Fortran program hands over the addresses of its arguments.
    control_tool(unsafe { *command }, unsafe { *modifier }, arg)
}

/// The Fortran name for 8-byte integers.
extern "C" fn control_tool_fortran_8(
    command: *const i64,
    modifier: *const i64,
    arg: *mut c_void,
) -> i32 {
    let narrow = super::names::narrow;
    // SAFETY: as above.
    control_tool(narrow(unsafe { *command }), narrow(unsafe { *modifier }), arg)
}

/// `ompt_control` of OMPT 2013 and 2016: as [`control_tool`], with wider numbers and no answer.
extern "C" fn control(command: u64, modifier: u64) {
    let caller = caller();
    let thread = Thread::current();
    if !wants(Kind::Control) {
        return;
    }
    let frame = &thread.task().tool.frame.enter;
    let before = frame.swap(caller.border(), Ordering::Relaxed);
    dispatch(&Event::Control {
        command,
        modifier,
        arg: core::ptr::null_mut(),
        codeptr: caller.address(),
        result: &Cell::new(NO_CALLBACK),
    });
    frame.store(before, Ordering::Relaxed);
}

/// The Fortran name: both arguments are `integer*8`.
extern "C" fn control_fortran(command: *const u64, modifier: *const u64) {
    // SAFETY: a Fortran program hands over the addresses of its arguments.
    control(unsafe { *command }, unsafe { *modifier });
}

omphalos_sys::entries! {
    /// Passes a command to the tool.
    omp_control_tool => control_tool;
    /// The Fortran name.
    omp_control_tool_ => control_tool_fortran;
    /// The Fortran name for 8-byte integers.
    omp_control_tool_8_ => control_tool_fortran_8;
    /// Passes a command to tools, as OMPT of 2013 and 2016 define it.
    ompt_control => control;
    /// The Fortran name.
    ompt_control_ => control_fortran;
}

/// `omp_pause_stop_tool` (6.0): for all devices only.
const STOP_TOOL: i32 = 3;

/// `omp_pause_hard`: LLVM's runtime begins anew with the next call.
const HARD: i32 = 2;

/// Whether `kind` is one of the kinds that give up resources. Inside a region it is an error.
fn may_pause(thread: &Thread, kind: i32) -> bool {
    (1..STOP_TOOL).contains(&kind) && thread.team().level.get() == 0
}

/// `omp_pause_soft` and `omp_pause_hard`.
fn pause(kind: i32) -> i32 {
    let thread = Thread::current();
    if !may_pause(thread, kind) {
        return -1;
    }
    process::end_workers(thread);
    if kind == HARD {
        read_blocktime_again(settings());
    }
    0
}

/// As [`pause`]; `omp_pause_stop_tool` ends the tools as the end of the program would.
fn pause_all(kind: i32) -> i32 {
    if kind != STOP_TOOL {
        return pause(kind);
    }
    if Thread::current().team().level.get() != 0 {
        return -1;
    }
    process::finish();
    0
}

omphalos_sys::exported_routines! {
    /// Gives up resources on a device: 0 if that went well. Other devices than the host keep
    /// theirs, as with GCC's runtime; LLVM's refuses. A program is told the same with devices and
    /// without.
    omp_pause_resource(kind: i32, device: i32) -> i32 = match is_host(device) {
        true => pause(kind),
        false if may_pause(Thread::current(), kind) && played::is_device(device) => 0,
        false => -1,
    };
    /// Gives up resources on all devices: 0 if that went well.
    omp_pause_resource_all(kind: i32) -> i32 = pause_all(kind);
    /// LLVM's name behind `omp_pause_resource`.
    __kmpc_pause_resource(kind: i32) -> i32 = pause(kind);
    /// The Fortran name.
    omp_pause_resource_(kind: *const i32, device: *const i32) -> i32
        = omp_pause_resource(*kind, *device);
    /// The Fortran name.
    omp_pause_resource_all_(kind: *const i32) -> i32 = omp_pause_resource_all(*kind);
}
