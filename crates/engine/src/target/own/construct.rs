//! Constructs and regions on a device that the host plays.

use super::memory::Operation;
use crate::records::Construct;
use crate::records::Thread;
use crate::target::construct::operation;
use crate::{hooks, team};
use omphalos_events::{Endpoint, Event, Kind, State, TargetKind, dispatch, wants};
use omphalos_sys::entry::Caller;

/// Executes a construct on a device, as [`crate::target::construct()`] does one on the host.
pub fn construct<R>(
    thread: &'static Thread,
    kind: TargetKind,
    device: i32,
    caller: Caller,
    body: impl FnOnce(Option<&Construct>) -> R,
) -> R {
    if !omphalos_events::active() {
        return body(None);
    }
    crate::target::library::knows_devices(super::count());
    let construct = Construct::new(thread, caller, device);
    let outer = thread.target.replace(&raw const construct);
    construct.tell(thread, kind, Endpoint::Begin);
    let result = body(Some(&construct));
    construct.tell(thread, kind, Endpoint::End);
    thread.target.set(outer);
    result
}

/// Runs a region on a device: in an initial task of the device's, on the calling thread.
/// `thread_limit`: what its clause says, 0 = nothing.
pub fn run(
    thread: &'static Thread,
    device: i32,
    thread_limit: u32,
    caller: Caller,
    region: impl FnOnce(),
) {
    team::enter_target(thread, caller.address(), thread_limit);
    let own = thread.team();
    own.on_device.set(device as u8 + 1);
    let state = thread.set_state(State::WORK_SERIAL);
    let shown = omphalos_events::active();
    if shown {
        hooks::target_task(thread, Endpoint::Begin);
    }
    crate::enable::pass(omphalos_sys::debugger::target_begin);
    region();
    // What the region's tasks left to do is done on the device, too.
    team::finish_alone(thread);
    crate::enable::pass(omphalos_sys::debugger::target_end);
    if shown {
        hooks::target_task(thread, Endpoint::End);
    }
    own.on_device.set(0);
    team::leave_target(thread);
    thread.set_state(state);
}

/// Tells tools of an operation that is over.
#[cold]
pub(super) fn tell(done: Operation) {
    let thread = Thread::current();
    if !wants(Kind::TargetDataOp) {
        return;
    }
    // SAFETY: null, or a record on the thread's own stack.
    let construct = unsafe { thread.target.get().as_ref() };
    let operation = &match construct {
        Some(construct) => construct.operation_begins(thread),
        None => operation(thread),
    };
    for endpoint in [Endpoint::Begin, Endpoint::End] {
        dispatch(&Event::TargetDataOp {
            endpoint,
            target: construct.map(|construct| &construct.identity),
            operation,
            op: done.op,
            source: done.ends.source,
            destination: done.ends.destination,
            devices: done.devices,
            bytes: done.ends.bytes,
            codeptr: construct.map_or(0, |construct| construct.caller.address()),
        });
    }
}
