//! Tells tools of target constructs that a library of devices executes, as the library tells of
//! them.
//!
//! The library says when something begins and when it ends, on the thread that executes the
//! construct. In between it keeps the address of a record of this module. What must hold: each
//! record lives from one begin to the matching end. An end without its begin is ignored.

use super::construct::operation;
use crate::records::{Construct, Thread};
use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, Ordering};
use omphalos_events::{
    Endpoint, Event, Identity, Kind, TargetKind, TargetOp, dispatch, wants, wants_any,
};
use omphalos_sys::entry::Caller;

/// The number of the library's devices; 0 until the library says it.
static DEVICES: AtomicI32 = AtomicI32::new(0);

/// Returns the number of devices other than the host: those that the host plays, or those that a
/// library said it has. This is also the host's number. Async-signal-safe once the runtime is
/// started.
pub fn devices() -> i32 {
    match super::played::known_count() {
        0 => DEVICES.load(Ordering::Relaxed),
        played => played,
    }
}

/// Whether a library has devices.
pub(super) fn has_any() -> bool {
    DEVICES.load(Ordering::Relaxed) > 0
}

/// Notes the number of the library's devices.
pub fn has_devices(count: i32) {
    DEVICES.store(count.max(0), Ordering::Relaxed);
    if count > 0 {
        omphalos_sys::debugger::device_begin();
    }
}

/// A construct under way, with the one around it.
pub struct Record {
    construct: Construct,
    kind: TargetKind,
    codeptr: u64,
    outer: *const Construct,
}

/// Tells that a construct begins. Returns its record, or null if no tool is attached.
pub fn begin(kind: TargetKind, device: i32, codeptr: u64) -> *mut Record {
    let thread = Thread::current();
    if !omphalos_events::active() {
        return core::ptr::null_mut();
    }
    let construct = Construct::new(thread, Caller::NONE, device);
    let record = Record { construct, kind, codeptr, outer: thread.target.get() };
    let record = Box::into_raw(Box::new(record));
    // SAFETY: just made; only this thread has it.
    let shown = unsafe { &*record };
    thread.target.set(thread.as_owner(), &raw const shown.construct);
    shown.tell_construct(thread, Endpoint::Begin);
    record
}

/// Tells that the construct ends.
///
/// # Safety
/// `record` came from [`begin`] on this thread and did not end yet, or is null.
pub unsafe fn end(record: *mut Record) {
    if record.is_null() {
        return;
    }
    let thread = Thread::current();
    // SAFETY: the caller's promise.
    let record = unsafe { Box::from_raw(record) };
    record.tell_construct(thread, Endpoint::End);
    thread.target.set(thread.as_owner(), record.outer);
}

impl Record {
    fn tell_construct(&self, thread: &'static Thread, endpoint: Endpoint) {
        if wants(Kind::Target) {
            let (kind, codeptr, device) = (self.kind, self.codeptr, self.construct.device);
            let (task, target) = (&thread.task().tool, &self.construct.identity);
            dispatch(&Event::Target { kind, endpoint, device, task, target, codeptr });
        }
    }
}

/// Begins an operation of this construct, or, if that is null, of none. Returns the operation's
/// record, or null if no tool is told of operations.
///
/// # Safety
/// The construct is null, or did not end yet.
pub unsafe fn operation_begins(construct: *const Record) -> *mut Identity {
    let thread = Thread::current();
    if !wants_any(Kind::TargetDataOp.bit() | Kind::TargetSubmit.bit()) {
        return core::ptr::null_mut();
    }
    // SAFETY: the caller's promise.
    let operation = match unsafe { construct.as_ref() } {
        Some(record) => record.construct.operation_begins(thread),
        None => operation(thread),
    };
    Box::into_raw(Box::new(operation))
}

/// Ends the operation.
///
/// # Safety
/// `operation` came from [`operation_begins`] and did not end yet, or is null.
pub unsafe fn operation_ends(operation: *mut Identity) {
    if !operation.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(operation) });
    }
}

/// An operation on memory, as the library tells of it.
#[derive(Clone, Copy)]
pub struct Memory {
    /// The kind of operation.
    pub op: TargetOp,
    /// The address that the operation reads, and the device of that address.
    pub source: (*const c_void, i32),
    /// The address that the operation writes, and the device of that address.
    pub destination: (*const c_void, i32),
    /// The length in bytes.
    pub bytes: usize,
    /// The program's call, 0 if unknown.
    pub codeptr: u64,
}

/// Tells of a memory operation.
///
/// # Safety
/// Neither the construct, which may be null, nor the operation ended yet.
pub unsafe fn data_op(
    construct: *const Record,
    operation: *const Identity,
    endpoint: Endpoint,
    memory: Memory,
) {
    // SAFETY: the caller's promise.
    let (construct, operation) = unsafe { (construct.as_ref(), operation.as_ref()) };
    let Some(operation) = operation.filter(|_| wants(Kind::TargetDataOp)) else { return };
    let Memory { op, source, destination, bytes, codeptr } = memory;
    dispatch(&Event::TargetDataOp {
        endpoint,
        target: construct.map(|record| &record.construct.identity),
        operation,
        op,
        source: source.0,
        destination: destination.0,
        devices: (source.1, destination.1),
        bytes,
        codeptr,
    });
}

/// Tells that the region's code was submitted.
///
/// # Safety
/// Neither the construct nor the operation ended yet; either may be null.
pub unsafe fn submit(
    construct: *const Record,
    operation: *const Identity,
    endpoint: Endpoint,
    teams: u32,
) {
    // SAFETY: the caller's promise.
    let (construct, operation) = unsafe { (construct.as_ref(), operation.as_ref()) };
    if let (Some(record), Some(operation)) = (construct, operation)
        && wants(Kind::TargetSubmit)
    {
        let target = &record.construct.identity;
        dispatch(&Event::TargetSubmit { endpoint, target, operation, teams });
    }
}
