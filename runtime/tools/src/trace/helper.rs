//! The helper: the thread that gives a tool its records.

use super::buffer::Buffer;
use super::traces::{self, Functions, Session};
use super::{Record, index, waits};
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_events::SLOTS;
use omphalos_sys::message;
use omphalos_sys::signals::Blocked;
use omphalos_sys::{futex, thread};
use std::collections::VecDeque;

/// For each slot, the number of times that the helper was called. A futex, written under the
/// queues' lock: a helper that found no work does not sleep through a call.
static CALLS: [AtomicU32; SLOTS] = [const { AtomicU32::new(0) }; SLOTS];

/// Whether the calling thread is the tool's helper.
pub fn is_calling(slot: usize) -> bool {
    traces::with(slot, |traces| {
        traces.helper == thread::own_pthread() && has_helper(traces.helper_of)
    })
}

/// Whether this process made the helper; `of`: the id of the process that made it.
fn has_helper(of: u32) -> bool {
    of == std::process::id()
}

/// Calls the helper, which looks for work. Makes one in a forked child, which has none.
pub fn call(slot: usize) {
    let (sleeps, there) = traces::with(slot, |traces| {
        let sleeps = core::mem::take(&mut traces.helper_sleeps);
        CALLS[index(slot)].fetch_add(1, Ordering::Release);
        (sleeps, has_helper(traces.helper_of) || traces.sessions.is_empty())
    });
    if !there {
        ensure(slot);
    } else if sleeps {
        futex::wake(&CALLS[index(slot)], 1);
    }
}

/// Makes the helper if there is none. Returns false if that is impossible.
pub fn ensure(slot: usize) -> bool {
    let is_there = traces::with(slot, |traces| {
        let is_there = has_helper(traces.helper_of);
        if !is_there {
            (traces.helper_of, traces.helper) = (std::process::id(), 0);
            traces.helper_sleeps = false;
        }
        is_there
    });
    if is_there {
        return true;
    }
    // The helper blocks all signals: the program's signals are for the program's threads.
    let _blocked = Blocked::new();
    // SAFETY: the function takes a slot's number for its argument.
    let made = unsafe { thread::spawn(main, index(slot) as *mut c_void, 0) };
    if made.is_err() {
        traces::with(slot, |traces| traces.helper_of = 0);
    }
    made.is_ok()
}

/// The helper's part of a trace.
struct Hand {
    session: u64,
    device: i32,
    functions: Functions,
    refused: bool,
    buffer: Option<Buffer>,
}

/// The next work of the helper.
enum Job {
    Deliver { number: u64, records: VecDeque<Record>, asked: u64 },
    Sleep(u32),
    End,
}

extern "C" fn main(slot: *mut c_void) -> *mut c_void {
    let slot = slot as usize;
    let mut hands: Vec<Hand> = Vec::new();
    traces::with(slot, |traces| traces.helper = thread::own_pthread());
    loop {
        match next(slot, &mut hands) {
            Job::Deliver { number, records, asked } => {
                let Some(hand) = hands.iter_mut().find(|hand| hand.session == number) else {
                    continue;
                };
                deliver(slot, hand, records, asked);
                settle(slot, &mut hands, number, asked);
            }
            Job::Sleep(calls) => futex::wait(&CALLS[index(slot)], calls, None),
            Job::End => return core::ptr::null_mut(),
        }
        waits::got_on(slot);
    }
}

fn next(slot: usize, hands: &mut Vec<Hand>) -> Job {
    traces::with(slot, |traces| {
        // Traces that a thread waits for come first, then the one with most records.
        let urgent = |its: &&mut Session| (its.asked != its.delivered, its.queue.len());
        let due = traces.sessions.iter_mut().filter(|its| its.needs_helper()).max_by_key(urgent);
        let Some(session) = due else {
            if traces.sessions.is_empty() {
                traces.helper_of = 0;
                return Job::End;
            }
            traces.helper_sleeps = true;
            return Job::Sleep(CALLS[index(slot)].load(Ordering::Acquire));
        };
        traces.helper_sleeps = false;
        if !hands.iter().any(|hand| hand.session == session.number) {
            let Session { number: session, device, functions, refused, .. } = *session;
            hands.push(Hand { session, device, functions, refused, buffer: None });
        }
        let records = core::mem::take(&mut session.queue);
        session.stuck = false;
        Job::Deliver { number: session.number, records, asked: session.asked }
    })
}

/// Writes the records into buffers. If a thread has `asked` for all records, the last buffer is
/// given back too.
fn deliver(slot: usize, hand: &mut Hand, records: VecDeque<Record>, asked: u64) {
    let count = records.len();
    for (at, record) in records.into_iter().enumerate() {
        if hand.refused || !hand.put(slot, record) {
            let lost = if hand.refused { count - at } else { 1 };
            traces::with(slot, |traces| {
                let session = traces.sessions.iter_mut().find(|its| its.number == hand.session);
                if let Some(session) = session {
                    session.refused = hand.refused;
                    session.lost += lost as u64;
                }
            });
            if hand.refused {
                break;
            }
        }
    }
    let is_asked = traces::with(slot, |traces| {
        let session = traces.sessions.iter().find(|its| its.number == hand.session);
        session.is_some_and(|session| session.delivered != asked)
    });
    let least = hand.functions.form.least;
    if hand.buffer.as_ref().is_some_and(|buffer| is_asked || buffer.room() < least) {
        hand.give_back(slot);
    }
}

impl Hand {
    /// Writes a record. Returns false if it is lost.
    fn put(&mut self, slot: usize, mut record: Record) -> bool {
        let Functions { form, request, .. } = self.functions;
        loop {
            let size = (form.size)(&record);
            let Some(buffer) = &mut self.buffer else {
                self.buffer = Buffer::request_buffer(request, self.device, size);
                waits::got_on(slot);
                self.refused = self.buffer.is_none();
                if self.refused {
                    return false;
                }
                continue;
            };
            let room = buffer.room();
            if size <= room {
                buffer.put(form, &record);
                return true;
            }
            if let Some(first) = record.split(|part| (form.size)(part) <= room) {
                buffer.put(form, &first);
            } else if buffer.is_empty() {
                // A buffer without room for any record counts as none.
                self.refused = room < form.least;
                if self.refused {
                    self.give_back(slot);
                }
                return false;
            }
            self.give_back(slot);
        }
    }

    fn give_back(&mut self, slot: usize) {
        if let Some(buffer) = self.buffer.take() {
            buffer.complete(self.functions.complete, self.device);
            waits::got_on(slot);
        }
    }
}

/// Notes that the tool has the records. Removes the trace if it is over.
fn settle(slot: usize, hands: &mut Vec<Hand>, number: u64, asked: u64) {
    let Some(at) = hands.iter().position(|hand| hand.session == number) else { return };
    let hand = &hands[at];
    let room = hand.buffer.as_ref().map_or(0, Buffer::room) / hand.functions.form.least;
    let over = traces::with(slot, |traces| {
        let session = traces.sessions.iter().position(|session| session.number == number);
        let Some(index) = session else { return Some((hand.device, 0)) };
        let session = &mut traces.sessions[index];
        session.delivered = asked;
        session.wake_at = room.clamp(1, HANDFUL);
        if !session.is_over() {
            return None;
        }
        let Session { device, lost, .. } = traces.sessions.remove(index);
        *traces.lost.or_default(device as usize) += lost;
        Some((device, lost))
    });
    if let Some((device, lost)) = over {
        hands.remove(at);
        say(device, lost, "gave no buffer for them, or none that had room");
    }
}

/// The number of records at which the helper is called, unless fewer fill a buffer.
const HANDFUL: usize = 512;

/// Prints that records are lost, if some are.
pub fn say(device: i32, lost: u64, why: &str) {
    if lost != 0 {
        message!("{lost} records of the trace of device {device} are lost: the tool {why}");
    }
}
