//! From an event to a record.
//!
//! What must hold: times nest as the events do. A begin is noted when the tool has heard of it, an
//! end before it hears of that. A record has the ids that the tool has: its own where it put some
//! into its words, else the runtime's.

use crate::trace::{self, DataOp, Mapped, Record, Traced, What};
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, Event, Identity, MapItems, inquiry};
use omphalos_sys::clock;

/// Notes an event of which the tool is about to hear.
pub fn note_before(slot: usize, event: &Event<'_>) {
    if !trace::is_recording(slot) {
        return;
    }
    match *event {
        Event::Target { endpoint: Endpoint::End, .. } => note_target(slot, event),
        Event::TargetDataOp {
            endpoint: Endpoint::End,
            target,
            operation,
            op,
            source,
            destination,
            devices,
            bytes,
            codeptr,
        } => {
            let end = clock::nanoseconds();
            let time = trace::begun(slot, id(operation)).unwrap_or(end);
            let (source, destination) = (source as usize, destination as usize);
            let operation = word(operation, slot);
            let what = DataOp { operation, op, source, destination, devices, bytes, end, codeptr };
            let target = target.map_or(0, |target| name(target, slot));
            let make = |number| record(number, time, target, What::DataOp(what));
            trace::note(slot, device_of(devices), Traced::DataOp, make);
        }
        Event::TargetSubmit { endpoint: Endpoint::End, target, operation, teams } => {
            let end = clock::nanoseconds();
            let time = trace::begun(slot, id(operation)).unwrap_or(end);
            let operation = word(operation, slot);
            let what = What::Submit { operation, requested: teams, granted: 1, end };
            let make = |number| record(number, time, name(target, slot), what);
            trace::note(slot, device_here(), Traced::Submit, make);
        }
        _ => {}
    }
}

/// Notes an event of which the tool has heard.
pub fn note_behind(slot: usize, event: &Event<'_>) {
    if !trace::is_recording(slot) {
        return;
    }
    match *event {
        Event::Target { endpoint: Endpoint::Begin, .. } => note_target(slot, event),
        Event::TargetDataOp { endpoint: Endpoint::Begin, operation, .. }
        | Event::TargetSubmit { endpoint: Endpoint::Begin, operation, .. } => {
            trace::noted_begin(slot, id(operation), clock::nanoseconds());
        }
        Event::TargetMap { target, items, codeptr } => {
            let (time, target) = (clock::nanoseconds(), name(target, slot));
            let what = What::Map { items: mapped(items), codeptr };
            trace::note(slot, device_here(), Traced::Map, |number| {
                record(number, time, target, what)
            });
        }
        _ => {}
    }
}

fn note_target(slot: usize, event: &Event<'_>) {
    let Event::Target { kind, endpoint, device, task, target, codeptr } = *event else { return };
    let (time, task) = (clock::nanoseconds(), id(&task.identity));
    let what = What::Target { kind, endpoint, device, task, codeptr };
    let target = name(target, slot);
    trace::note(slot, device, Traced::Target, |number| record(number, time, target, what));
}

fn record(number: u32, time: u64, target: u64, what: What) -> Record {
    // SAFETY: null, or the calling thread's identity, which outlives the thread.
    let thread = inquiry().and_then(|engine| unsafe { (engine.thread)().as_ref() });
    Record { number, time, thread: thread.map_or(0, id), target, what }
}

fn id(identity: &Identity) -> u64 {
    identity.id.load(Ordering::Relaxed)
}

/// The tool's word.
fn word(identity: &Identity, slot: usize) -> u64 {
    // SAFETY: the tool's own word of what the calling thread has; who writes it is the tool, in
    // callbacks of this thread.
    unsafe { identity.word(slot).read() }
}

/// The tool's word, if it put something there, else the runtime's id.
fn name(identity: &Identity, slot: usize) -> u64 {
    match word(identity, slot) {
        0 => id(identity),
        own => own,
    }
}

/// The device that an operation is one of: the one that it writes to, unless that is the host.
fn device_of((from, to): (i32, i32)) -> i32 {
    let host = inquiry().map_or(0, |engine| (engine.num_devices)());
    if to == host || to < 0 { from } else { to }
}

/// The device of the construct that the calling thread executes.
fn device_here() -> i32 {
    inquiry().and_then(|engine| (engine.target)()).map_or(-1, |info| info.device)
}

fn mapped(items: MapItems<'_>) -> Vec<Mapped> {
    let one = |at: usize| {
        Some(Mapped {
            host: *items.addresses.get(at)? as usize,
            device: *items.on_device.get(at)? as usize,
            bytes: *items.sizes.get(at)?,
            flags: *items.flags.get(at)?,
        })
    };
    (0..items.addresses.len()).filter_map(one).collect()
}
