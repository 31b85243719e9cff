//! Makes records of events.
//!
//! What must hold: times nest as the events do. A begin is noted after the tool was told of it, an
//! end before the tool is told of it. A record has the ids that the tool knows: the values of the
//! tool's words, if it has words and put some there, else the runtime's ids.

use super::queue::{begun, note, noted_begin};
use super::traces::{Of, is_recording};
use super::{Body, DataOp, Mapped, Record, Traced, What};
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, Event, Identity, MapItems, Notes, inquiry};
use omphalos_sys::clock;

/// The names of constructs and operations in a tool's records.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// The values in the tool's words, if the tool put some there.
    Words,
    /// The runtime's ids.
    Ids,
}

/// Tells the tool of a target event. Meanwhile the thread has a note of that, because a flush by
/// this thread is then inside a callback.
pub fn tell_noted(notes: Option<&'static Notes>, tell: impl FnOnce()) {
    let count = |by: u64| {
        if let Some(notes) = notes {
            let now = notes.target.load(Ordering::Relaxed);
            notes.target.store(now.wrapping_add(by), Ordering::Relaxed);
        }
    };
    count(1);
    tell();
    count(u64::MAX);
}

/// Notes an event before the tool is told of it.
pub fn note_before(slot: usize, names: Names, event: &Event<'_>) {
    if !is_recording(slot) {
        return;
    }
    match *event {
        Event::Target { endpoint: Endpoint::End, .. } => note_target(slot, names, event),
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
            let time = begun(slot, id(operation)).unwrap_or(end);
            let (source, destination) = (source as usize, destination as usize);
            let operation = names.of(operation, slot);
            let what = DataOp { operation, op, source, destination, devices, bytes, end, codeptr };
            let target = target.map_or(0, |target| names.of(target, slot));
            let make = |number| record(number, time, target, What::DataOp(what));
            note(slot, device_of(devices), Of::Construct(Traced::DataOp), make);
        }
        Event::TargetSubmit { endpoint: Endpoint::End, target, operation, teams } => {
            let end = clock::nanoseconds();
            let time = begun(slot, id(operation)).unwrap_or(end);
            let operation = names.of(operation, slot);
            let what = What::Submit { operation, requested: teams, granted: 1, end };
            let make = |number| record(number, time, names.of(target, slot), what);
            note(slot, device_here(), Of::Construct(Traced::Submit), make);
        }
        _ => {}
    }
}

/// Notes an event after the tool was told of it.
pub fn note_behind(slot: usize, names: Names, event: &Event<'_>) {
    if !is_recording(slot) {
        return;
    }
    match *event {
        Event::Target { endpoint: Endpoint::Begin, .. } => note_target(slot, names, event),
        Event::TargetDataOp { endpoint: Endpoint::Begin, operation, .. }
        | Event::TargetSubmit { endpoint: Endpoint::Begin, operation, .. } => {
            noted_begin(slot, id(operation), clock::nanoseconds());
        }
        Event::TargetMap { target, items, codeptr, .. } => {
            let (time, target) = (clock::nanoseconds(), names.of(target, slot));
            let what = What::Map { items: mapped(items), codeptr };
            note(slot, device_here(), Of::Construct(Traced::Map), |number| {
                record(number, time, target, what)
            });
        }
        _ => {}
    }
}

/// Notes an event of a region on a device. The event has this number, and the interface makes its
/// body. Does nothing on the host.
pub fn note_region(slot: usize, names: Names, number: u32, body: impl FnOnce() -> Option<Body>) {
    let Some((device, construct)) = inquiry().and_then(|engine| (engine.on_device)()) else {
        return;
    };
    let Some(body) = body() else { return };
    // SAFETY: null, or the construct of the region that the calling thread is in.
    let target = unsafe { construct.as_ref() }.map_or(0, |construct| names.of(construct, slot));
    let time = clock::nanoseconds();
    let make = |number| record(number, time, target, What::Region(body));
    note(slot, device, Of::Region(number), make);
}

fn note_target(slot: usize, names: Names, event: &Event<'_>) {
    let Event::Target { kind, endpoint, device, task, target, codeptr } = *event else { return };
    let (time, task) = (clock::nanoseconds(), id(&task.identity));
    let what = What::Target { kind, endpoint, device, task, codeptr };
    let target = names.of(target, slot);
    note(slot, device, Of::Construct(Traced::Target), |number| record(number, time, target, what));
}

fn record(number: u32, time: u64, target: u64, what: What) -> Record {
    // SAFETY: null, or the calling thread's identity, which outlives the thread.
    let thread = inquiry().and_then(|engine| unsafe { (engine.thread)().as_ref() });
    Record { number, time, thread: thread.map_or(0, id), target, what }
}

fn id(identity: &Identity) -> u64 {
    identity.id.load(Ordering::Relaxed)
}

impl Names {
    /// Returns the name of an identity.
    pub fn of(self, identity: &Identity, slot: usize) -> u64 {
        // SAFETY: the tool's own word of an identity that the calling thread has. Only the tool
        // writes it, in callbacks of this thread.
        let word = unsafe { identity.word(slot).read() };
        if self == Names::Ids || word == 0 { id(identity) } else { word }
    }
}

/// Returns the device to which an operation belongs: the one to which it writes, unless that is the
/// host.
fn device_of((from, to): (i32, i32)) -> i32 {
    let host = inquiry().map_or(0, |engine| (engine.num_devices)());
    if to == host || to < 0 { from } else { to }
}

/// Returns the device of the construct that the calling thread executes, -1 outside of any.
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
