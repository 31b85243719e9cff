//! Starts and ends traces, and puts records into their queues.

use super::traces::{Functions, Of, RECORDING, Session, Traces, with};
use super::waits::{self, Patience};
use super::{Record, helper, index};
use core::sync::atomic::Ordering;
use std::collections::VecDeque;

/// The number of records in a full queue, which has about a megabyte.
const QUEUED_RECORDS: usize = 8192;

/// Starts a trace of the device. Returns false if the device has one already, or if no thread can
/// be made. A trace for which the tool had no buffer does not count: the new one replaces it.
pub fn start(slot: usize, device: i32, functions: Functions) -> bool {
    let begins = with(slot, |traces| {
        if let Some(session) = traces.recording(device) {
            if !session.refused {
                return false;
            }
            session.records = false;
            session.asked += 1;
            RECORDING[index(slot)].fetch_sub(1, Ordering::Relaxed);
        }
        traces.newest += 1;
        traces.sessions.push(Session {
            number: traces.newest,
            device,
            functions,
            records: true,
            paused: false,
            refused: false,
            stuck: false,
            queue: VecDeque::new(),
            wake_at: 1,
            asked: 0,
            delivered: 0,
            lost: 0,
        });
        RECORDING[index(slot)].fetch_add(1, Ordering::Relaxed);
        true
    });
    if !begins {
        return false;
    }
    let can = helper::ensure(slot);
    helper::call(slot);
    if !can {
        stop(slot, device);
        with(slot, |traces| traces.sessions.retain(|session| session.device != device));
    }
    can
}

/// Pauses the device's trace, or lets it go on. Returns false if there is none.
pub fn pause(slot: usize, device: i32, pause: bool) -> bool {
    with(slot, |traces| match traces.recording(device) {
        Some(session) => {
            session.paused = pause;
            true
        }
        None => false,
    })
}

/// The delivery for which a thread waits.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    session: u64,
    asked: u64,
}

/// Asks for the delivery of all records.
pub(super) fn flush(slot: usize, device: i32) -> Option<Asked> {
    let asked = with(slot, |traces| {
        let session = traces.recording(device)?;
        session.asked += 1;
        Some(Asked { session: session.number, asked: session.asked })
    });
    helper::call(slot);
    asked
}

/// Asks for the delivery of all records, and records nothing more.
pub(super) fn stop(slot: usize, device: i32) -> Option<Asked> {
    let asked = with(slot, |traces| {
        let session = traces.recording(device)?;
        session.records = false;
        session.asked += 1;
        let asked = Asked { session: session.number, asked: session.asked };
        if RECORDING[index(slot)].fetch_sub(1, Ordering::Relaxed) == 1 {
            traces.begun.clear();
        }
        Some(asked)
    });
    helper::call(slot);
    asked
}

/// Whether the tool has all records that were asked for.
pub(super) fn is_delivered(slot: usize, of: Asked) -> bool {
    with(slot, |traces| {
        let session = traces.sessions.iter().find(|session| session.number == of.session);
        session.is_none_or(|session| session.delivered >= of.asked)
    })
}

/// Returns how many of the device's records are lost.
pub fn lost(slot: usize, device: i32) -> u64 {
    with(slot, |traces| {
        let now = traces.sessions.iter().filter(|session| session.device == device);
        let now: u64 = now.map(|session| session.lost).sum();
        now + traces.lost.get(device as usize).copied().unwrap_or(0)
    })
}

/// Notes that an operation begins. Its record is made when it ends.
pub fn noted_begin(slot: usize, operation: u64, time: u64) {
    with(slot, |traces| traces.begun.push((operation, time)));
}

/// Returns the time when the operation began, if that was noted, and forgets it.
pub fn begun(slot: usize, operation: u64) -> Option<u64> {
    with(slot, |traces| {
        let at = traces.begun.iter().rposition(|&(its, _)| its == operation)?;
        Some(traces.begun.swap_remove(at).1)
    })
}

/// The next step of a thread that has a record for a queue.
enum Fate {
    Done,
    Calls,
    Waits,
}

/// Notes an event of a device. `make` makes a record of it, with the number under which it is
/// wanted.
pub fn note(slot: usize, device: i32, of: Of, make: impl FnOnce(u32) -> Record) {
    let mut make = Some(make);
    let mut patience = Patience::new();
    let mut waits = true;
    loop {
        let seen = waits::progress(slot);
        let fate = with(slot, |traces| {
            let wanted = traces.wanted.get(device as usize).map_or(0, |wanted| wanted.number(of));
            let helper_sleeps = traces.helper_sleeps;
            let is_helper = traces.helper == omphalos_sys::thread::own_pthread();
            let Some(session) = traces.recording(device).filter(|session| !session.paused) else {
                return Fate::Done;
            };
            if wanted == 0 {
                return Fate::Done;
            }
            if session.refused || session.stuck {
                session.lost += 1;
                return Fate::Done;
            }
            if session.queue.len() >= QUEUED_RECORDS && !is_helper {
                if waits {
                    return Fate::Waits;
                }
                session.stuck = true;
                session.lost += 1;
                return Fate::Done;
            }
            if let Some(make) = make.take() {
                session.queue.push_back(make(wanted));
            }
            if helper_sleeps && session.needs_helper() { Fate::Calls } else { Fate::Done }
        });
        match fate {
            Fate::Done => return,
            Fate::Calls => return helper::call(slot),
            Fate::Waits => {
                helper::call(slot);
                waits = patience.wait(slot, seen);
            }
        }
    }
}

/// Ends all traces of a tool that goes, and waits until it has every record.
pub fn finish(slot: usize) {
    let devices = with(slot, |traces| {
        let recording = traces.sessions.iter().filter(|session| session.records);
        recording.map(|session| session.device).collect::<Vec<_>>()
    });
    for device in devices {
        stop(slot, device);
    }
    let nothing = || with(slot, |traces| traces.sessions.is_empty());
    waits::to_the_end(slot, nothing);
    let left = with(slot, |traces| {
        let Traces { sessions, lost, .. } = traces;
        let mut left = Vec::new();
        for mut session in sessions.drain(..) {
            session.lost += session.queue.len() as u64;
            *lost.or_default(session.device as usize) += session.lost;
            left.push((session.device, session.lost));
        }
        traces.begun.clear();
        left
    });
    for (device, lost) in left {
        helper::say(device, lost, "does not take the rest");
    }
}
