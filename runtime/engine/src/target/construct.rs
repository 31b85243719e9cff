//! Tells tools of target constructs and device memory routines that the host carries out.
//!
//! Without a tool, these functions only carry out the construct or the routine. The record of a
//! construct stands on the stack of the thread that executes it.

use super::library::devices;
use super::played;
use crate::hooks::entered;
use crate::records::{Construct, Thread};
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::{
    Endpoint, Event, Identity, Kind, MapFlags, MapItems, SLOTS, TargetInfo, TargetKind, TargetOp,
    dispatch, wants, wants_any,
};
use omphalos_mapping::{Mapping, Part};
use omphalos_sys::entry::Caller;

/// Executes a construct. If a tool is attached, `body` gets the construct's record: the tool may
/// ask for it (`ompt_get_target_info`), whatever events it registered for.
#[inline(always)]
pub fn construct<R>(
    thread: &'static Thread,
    kind: TargetKind,
    caller: Caller,
    body: impl FnOnce(Option<&Construct>) -> R,
) -> R {
    if !omphalos_events::active() {
        return body(None);
    }
    shown_construct(thread, kind, devices(), caller, body)
}

/// Does what [`construct`] does, while a tool is attached.
#[cold]
#[inline(never)]
pub(super) fn shown_construct<R>(
    thread: &'static Thread,
    kind: TargetKind,
    device: i32,
    caller: Caller,
    body: impl FnOnce(Option<&Construct>) -> R,
) -> R {
    let construct = Construct::new(thread, caller, device);
    let outer = thread.target.replace(thread.as_owner(), &raw const construct);
    construct.tell_construct(thread, kind, Endpoint::Begin);
    let result = body(Some(&construct));
    construct.tell_construct(thread, kind, Endpoint::End);
    thread.target.set(thread.as_owner(), outer);
    result
}

impl Construct {
    pub(super) fn new(thread: &Thread, caller: Caller, device: i32) -> Construct {
        let construct = Construct::of(Identity::new(), caller, device);
        construct.identity.renew(thread.unique_id());
        construct
    }

    #[cold]
    pub(super) fn tell_construct(
        &self,
        thread: &'static Thread,
        kind: TargetKind,
        endpoint: Endpoint,
    ) {
        let task = &thread.task().tool;
        task.frame.enter.store(entered(self.caller), Ordering::Relaxed);
        if wants(Kind::Target) {
            let (device, target) = (self.device, &self.identity);
            let codeptr = self.caller.address();
            dispatch(&Event::Target { kind, endpoint, device, task, target, codeptr });
        }
        if endpoint == Endpoint::End {
            task.frame.enter.store(0, Ordering::Relaxed);
        }
    }

    /// Tells of the construct's list items, whose memory is mapped without a copy. `ends`: the
    /// construct is over.
    pub fn map(&self, items: MapItems<'_>, ends: bool) {
        if wants(Kind::TargetMap) && !items.addresses.is_empty() {
            let (target, codeptr) = (&self.identity, self.caller.address());
            dispatch(&Event::TargetMap { target, items, ends, codeptr });
        }
    }

    /// Tells of the unmapping at the end of the construct. It comes before the memory is unmapped.
    #[cold]
    pub fn unmap(&self, device: i32, mapping: &Mapping) {
        if !wants(Kind::TargetMap) {
            return;
        }
        let mut all =
            played::with_table(device, |table, _| table.held(mapping)).unwrap_or_default();
        // Memory to which only a pointer in the variable leads was not mapped, and is not unmapped.
        all.retain(|part| part.bytes != 0);
        let pointers = |of: fn(&Part) -> usize| -> Vec<*mut c_void> {
            all.iter().map(|part| of(part) as *mut c_void).collect()
        };
        let (addresses, on_device) = (&pointers(|part| part.host), &pointers(|part| part.device));
        let sizes: &Vec<usize> = &all.iter().map(|part| part.bytes).collect();
        let kind = |part: &Part| if part.from { MapFlags::FROM } else { MapFlags::RELEASE };
        let flags = &all.iter().map(kind).collect::<Vec<u32>>();
        self.map(MapItems { addresses, on_device, sizes, flags }, true);
    }

    /// Runs the region itself, and tells of it.
    pub fn submit(&self, thread: &'static Thread, teams: u32, run: impl FnOnce()) {
        let outer = self.operation();
        let operation = &self.operation_begins(thread);
        let tell = |endpoint| {
            if wants(Kind::TargetSubmit) {
                let target = &self.identity;
                dispatch(&Event::TargetSubmit { endpoint, target, operation, teams });
            }
        };
        tell(Endpoint::Begin);
        // The region has a task of its own, so the encountering task stays in the runtime.
        run();
        tell(Endpoint::End);
        self.set_operation(outer);
    }

    pub(super) fn operation_begins(&self, thread: &Thread) -> Identity {
        let operation = operation(thread);
        self.set_operation(operation.id.load(Ordering::Relaxed));
        operation
    }
}

/// Makes a new operation. Each tool finds the operation's id in its own word, where it may put an
/// id of its own.
pub(super) fn operation(thread: &Thread) -> Identity {
    let operation = Identity::new();
    let id = thread.unique_id();
    operation.renew(id);
    for slot in 0..SLOTS {
        // SAFETY: no tool has seen the operation yet.
        unsafe { *operation.word(slot) = id };
    }
    operation
}

/// The two ends of a memory operation and its length, as far as they are known when it begins.
#[derive(Clone, Copy)]
pub struct Ends {
    /// The address that the operation reads.
    pub source: *const c_void,
    /// The address that the operation writes.
    pub destination: *const c_void,
    /// The length in bytes.
    pub bytes: usize,
}

/// Carries out an operation on the memory of these devices (source, destination). `went` completes
/// the ends with what is known only afterwards, such as the address of the result.
#[inline]
pub fn data_op<R>(
    op: TargetOp,
    ends: Ends,
    devices: impl FnOnce() -> (i32, i32),
    caller: Caller,
    act: impl FnOnce() -> R,
    went: impl FnOnce(&R, &mut Ends),
) -> R {
    // This comes first: it may start the runtime, and so the tools.
    let thread = Thread::current();
    if played::watch::is_watched() {
        return watched_data_op(thread, op, ends, devices, caller, act, went);
    }
    told_data_op(thread, op, ends, devices, caller, act, went)
}

/// Does what [`data_op`] does, in a process that another one watches from outside.
#[cold]
fn watched_data_op<R>(
    thread: &'static Thread,
    op: TargetOp,
    ends: Ends,
    devices: impl FnOnce() -> (i32, i32),
    caller: Caller,
    act: impl FnOnce() -> R,
    went: impl FnOnce(&R, &mut Ends),
) -> R {
    let on = devices();
    played::watch::routine(op, &ends, on, caller);
    let result = told_data_op(thread, op, ends, || on, caller, act, went);
    played::watch::routine_ends();
    result
}

/// Does what [`data_op`] does, for tools.
#[inline(always)]
fn told_data_op<R>(
    thread: &'static Thread,
    op: TargetOp,
    ends: Ends,
    devices: impl FnOnce() -> (i32, i32),
    caller: Caller,
    act: impl FnOnce() -> R,
    went: impl FnOnce(&R, &mut Ends),
) -> R {
    if !wants_any(Kind::TargetDataOp.bit() | Kind::Device.bit()) {
        return act();
    }
    let devices = devices();
    if played::is_device(devices.0) || played::is_device(devices.1) {
        played::begin();
    }
    if !wants(Kind::TargetDataOp) {
        return act();
    }
    shown_data_op(thread, op, ends, devices, caller, act, went)
}

/// Does what [`data_op`] does, where a tool wants to be told of the operation.
pub(super) fn shown_data_op<R>(
    thread: &'static Thread,
    op: TargetOp,
    ends: Ends,
    devices: (i32, i32),
    caller: Caller,
    act: impl FnOnce() -> R,
    went: impl FnOnce(&R, &mut Ends),
) -> R {
    // SAFETY: null, or a record on the thread's own stack.
    let construct = unsafe { thread.target.get().as_ref() };
    let outer = construct.map_or(0, Construct::operation);
    let operation = &match construct {
        Some(construct) => construct.operation_begins(thread),
        None => operation(thread),
    };
    let tell = |endpoint, ends: Ends| {
        let Ends { source, destination, bytes } = ends;
        dispatch(&Event::TargetDataOp {
            endpoint,
            target: construct.map(|construct| &construct.identity),
            operation,
            op,
            source,
            destination,
            devices,
            bytes,
            codeptr: caller.address(),
        });
    };
    let frame = &thread.task().tool.frame;
    let before = frame.enter.load(Ordering::Relaxed);
    if before == 0 {
        frame.enter.store(entered(caller), Ordering::Relaxed);
    }
    tell(Endpoint::Begin, ends);
    let result = act();
    let mut ends = ends;
    went(&result, &mut ends);
    tell(Endpoint::End, ends);
    if let Some(construct) = construct {
        construct.set_operation(outer);
    }
    frame.enter.store(before, Ordering::Relaxed);
    result
}

/// Returns the construct that the calling thread is in. Async-signal-safe.
pub(crate) fn current(thread: &Thread) -> Option<TargetInfo> {
    // SAFETY: null, or a record on the thread's own stack, or one of a library's construct, which
    // lives until the library says that the construct ended.
    let construct = unsafe { thread.target.get().as_ref() }?;
    Some(TargetInfo {
        device: construct.device,
        target: construct.identity.id.load(Ordering::Relaxed),
        operation: construct.operation(),
    })
}
