//! Executes constructs and regions on a device that the host plays.

use super::{faults, watch};
use crate::records::{Construct, Site, Thread};
use crate::target::Ends;
use crate::target::construct::{shown_construct, shown_data_op};
use crate::{hooks, team};
use core::ffi::c_void;
use omphalos_events::{Endpoint, State, TargetKind, TargetOp};
use omphalos_settings::settings;
use omphalos_sys::entry::Caller;
use omphalos_sys::invoke;

/// Executes a construct on a device, as [`crate::target::construct()`] executes one on the host.
pub fn construct<R>(
    thread: &'static Thread,
    kind: TargetKind,
    device: i32,
    caller: Caller,
    body: impl FnOnce(Option<&Construct>) -> R,
) -> R {
    watch::construct(kind, device, caller, || {
        if !omphalos_events::active() {
            return body(None);
        }
        super::begin();
        shown_construct(thread, kind, device, caller, body)
    })
}

/// Runs a region on a device, on the calling thread, in an initial task of the device's.
/// `thread_limit`: the number in its clause, 0 = no clause.
pub fn run(
    thread: &'static Thread,
    device: i32,
    thread_limit: u32,
    (caller, site): (Caller, Option<&Site>),
    region: impl FnOnce(),
) {
    faults::will_be_told();
    let icvs = settings().initial_on(device);
    let serves = thread.as_owner().serve(device);
    team::enter_target(thread, caller.address(), thread_limit, icvs);
    let own = thread.team().as_owner();
    own.on_device.set(own, device as u8 + 1);
    own.on_construct.set(own, thread.target.get());
    own.on_site.set(own, site.map_or(core::ptr::null(), core::ptr::from_ref));
    let state = thread.replace_state(State::WORK_SERIAL);
    let shown = omphalos_events::active();
    if shown {
        hooks::target_task(thread, Endpoint::Begin);
    }
    crate::enable::pass(omphalos_sys::debugger::target_begin);
    watch::kernel(device, region);
    // The tasks that the region left are executed on the device, too.
    team::finish_alone(thread);
    crate::enable::pass(omphalos_sys::debugger::target_end);
    if shown {
        hooks::target_task(thread, Endpoint::End);
    }
    own.on_device.set(own, 0);
    own.on_construct.set(own, core::ptr::null());
    own.on_site.set(own, core::ptr::null());
    team::leave_target(thread);
    if serves {
        thread.as_owner().serve_host();
    }
    thread.set_state(state);
}

/// Calls a kernel, a function of pointers, in a region of the calling thread's.
///
/// # Safety
/// The kernel takes these arguments, and the program may call it so.
pub unsafe fn call(thread: &Thread, kernel: *const c_void, mut arguments: Vec<usize>) {
    let count = arguments.len();
    arguments.resize(count.max(invoke::REGISTERS), 0);
    let exit_frame = thread.task().tool.frame.exit.as_ptr();
    // SAFETY: the caller's promise; there are at least as many arguments as registers.
    unsafe { invoke::call_kernel(kernel, count, arguments.as_ptr().cast(), exit_frame) };
}

/// Carries out an operation on a device's memory, and tells tools of it. The caller holds no lock.
#[cold]
pub(super) fn operation<R>(
    op: TargetOp,
    ends: Ends,
    devices: (i32, i32),
    act: impl FnOnce() -> R,
    went: impl FnOnce(&R, &mut Ends),
) -> R {
    let thread = Thread::current();
    // SAFETY: null, or a record on the thread's own stack.
    let caller = unsafe { thread.target.get().as_ref() }.map_or(Caller::NONE, |at| at.caller);
    shown_data_op(thread, op, ends, devices, caller, act, went)
}
