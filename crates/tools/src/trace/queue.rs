//! The traces' queues, and what their tools asked for.

use super::waits::{self, Patience};
use super::{Complete, Form, Record, Request, Traced, helper, index};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use omphalos_events::SLOTS;
use omphalos_sync::process_lock::{ProcessLock, rank};
use std::collections::{BTreeMap, VecDeque};

/// A queue with so many records is full: a megabyte.
const QUEUED_RECORDS: usize = 8192;

/// What a trace was started with.
#[derive(Clone, Copy)]
pub struct Functions {
    pub form: &'static Form,
    pub request: Request,
    pub complete: Complete,
}

/// A trace from its start until its last record is delivered.
pub(super) struct Session {
    pub number: u64,
    pub device: i32,
    pub functions: Functions,
    /// It takes records; false once it is stopped.
    records: bool,
    paused: bool,
    /// The tool gave no buffer.
    pub refused: bool,
    /// The tool keeps the helper for too long.
    pub stuck: bool,
    pub queue: VecDeque<Record>,
    /// The helper is to come when there are so many.
    pub wake_at: usize,
    /// How often all that is there was asked for, and how often the tool got it.
    pub asked: u64,
    pub delivered: u64,
    pub lost: u64,
}

impl Session {
    /// Whether the helper has something to do.
    pub fn needs_helper(&self) -> bool {
        self.queue.len() >= self.wake_at.max(1) || self.asked != self.delivered
    }

    /// Whether all is done.
    pub fn is_over(&self) -> bool {
        !self.records && self.queue.is_empty() && self.asked == self.delivered
    }
}

/// What a device is to record.
#[derive(Clone, Copy, Default)]
struct Wanted {
    /// The numbers under which events of constructs are recorded, 0 for those that are not.
    constructs: [u32; Traced::COUNT],
    /// The numbers of what regions do, as bits.
    regions: u64,
}

/// What an event is.
#[derive(Clone, Copy)]
pub enum Of {
    /// One of a construct.
    Construct(Traced),
    /// One of what a region does, by its number.
    Region(u32),
}

impl Wanted {
    /// The number under which it is recorded, 0 if it is not.
    fn number(&self, of: Of) -> u32 {
        match of {
            Of::Construct(traced) => self.constructs[traced as usize],
            Of::Region(number) if self.regions & 1 << number != 0 => number,
            Of::Region(_) => 0,
        }
    }
}

/// The traces of one tool.
#[derive(Default)]
pub(super) struct Traces {
    /// By device.
    wanted: BTreeMap<i32, Wanted>,
    pub sessions: Vec<Session>,
    newest: u64,
    /// Operations under way, with the times of their begin.
    begun: Vec<(u64, u64)>,
    /// By device: records that are lost, of sessions that are over.
    pub lost: BTreeMap<i32, u64>,
    /// The process that has the helper thread, 0 for none: after `fork` the child has none.
    pub helper_of: u32,
    /// The helper thread.
    pub helper: usize,
    pub helper_sleeps: bool,
}

impl Traces {
    const fn new() -> Traces {
        Traces {
            wanted: BTreeMap::new(),
            sessions: Vec::new(),
            newest: 0,
            begun: Vec::new(),
            lost: BTreeMap::new(),
            helper_of: 0,
            helper: 0,
            helper_sleeps: false,
        }
    }

    /// The trace that the device records to.
    fn recording(&mut self, device: i32) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.device == device && session.records)
    }
}

static TRACES: ProcessLock<[Traces; SLOTS], { rank::TRACES }> =
    ProcessLock::new([const { Traces::new() }; SLOTS]);

/// By slot: how many devices record.
static RECORDING: [AtomicU32; SLOTS] = [const { AtomicU32::new(0) }; SLOTS];

/// Runs `f` with a tool's traces. No code of a tool's runs in it.
pub(super) fn with<R>(slot: usize, f: impl FnOnce(&mut Traces) -> R) -> R {
    TRACES.with(|traces| f(&mut traces[index(slot)]))
}

/// Whether any device records for the tool.
#[inline]
pub fn is_recording(slot: usize) -> bool {
    RECORDING[index(slot)].load(Ordering::Relaxed) != 0
}

/// The device shall record such events under this number; 0: not.
pub fn wanted(slot: usize, device: i32, traced: Traced, number: u32) {
    with(slot, |traces| {
        traces.wanted.entry(device).or_default().constructs[traced as usize] = number;
    });
}

/// By slot: what any device is to record of regions, by numbers as bits.
static REGIONS: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];

/// The device shall record what regions do, or not, of the events with these numbers (bits).
pub fn wanted_of_regions(slot: usize, device: i32, numbers: u64, on: bool) {
    with(slot, |traces| {
        let regions = &mut traces.wanted.entry(device).or_default().regions;
        *regions = if on { *regions | numbers } else { *regions & !numbers };
        let all = traces.wanted.values().fold(0, |all, wanted| all | wanted.regions);
        REGIONS[index(slot)].store(all, Ordering::Relaxed);
    });
}

/// What any device of the tool's records of regions, by numbers as bits.
#[inline]
pub fn recorded_of_regions(slot: usize) -> u64 {
    if is_recording(slot) { REGIONS[index(slot)].load(Ordering::Relaxed) } else { 0 }
}

/// The device records from here on. False where it does already, unless the tool gave no buffer:
/// then it begins anew; or where no thread can be made.
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

/// Pauses the device's trace, or lets it go on; false if there is none.
pub fn pause(slot: usize, device: i32, pause: bool) -> bool {
    with(slot, |traces| match traces.recording(device) {
        Some(session) => {
            session.paused = pause;
            true
        }
        None => false,
    })
}

/// What somebody waits for.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    session: u64,
    asked: u64,
}

/// Asks for all that is there.
pub(super) fn flush(slot: usize, device: i32) -> Option<Asked> {
    let asked = with(slot, |traces| {
        let session = traces.recording(device)?;
        session.asked += 1;
        Some(Asked { session: session.number, asked: session.asked })
    });
    helper::call(slot);
    asked
}

/// The same, and nothing more is recorded.
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

/// Whether the tool has it all.
pub(super) fn is_delivered(slot: usize, of: Asked) -> bool {
    with(slot, |traces| {
        let session = traces.sessions.iter().find(|session| session.number == of.session);
        session.is_none_or(|session| session.delivered >= of.asked)
    })
}

/// How many of the device's records are lost.
pub fn lost(slot: usize, device: i32) -> u64 {
    with(slot, |traces| {
        let now = traces.sessions.iter().filter(|session| session.device == device);
        let now: u64 = now.map(|session| session.lost).sum();
        now + traces.lost.get(&device).copied().unwrap_or(0)
    })
}

/// An operation begins, of which a record is to be made when it ends.
pub fn noted_begin(slot: usize, operation: u64, time: u64) {
    with(slot, |traces| traces.begun.push((operation, time)));
}

/// When it began, if that was noted.
pub fn begun(slot: usize, operation: u64) -> Option<u64> {
    with(slot, |traces| {
        let at = traces.begun.iter().rposition(|&(its, _)| its == operation)?;
        Some(traces.begun.swap_remove(at).1)
    })
}

/// What becomes of a record.
enum Fate {
    Done,
    Calls,
    Waits,
}

/// A device has an event, of which `make` makes a record with the number under which it is wanted.
pub fn note(slot: usize, device: i32, of: Of, make: impl FnOnce(u32) -> Record) {
    let mut make = Some(make);
    let mut patience = Patience::new();
    let mut waits = true;
    loop {
        let seen = waits::progress(slot);
        let fate = with(slot, |traces| {
            let wanted = traces.wanted.get(&device).map_or(0, |wanted| wanted.number(of));
            let helper_sleeps = traces.helper_sleeps;
            let is_helper = traces.helper == omphalos_sys::thread::own();
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
            *lost.entry(session.device).or_default() += session.lost;
            left.push((session.device, session.lost));
        }
        traces.begun.clear();
        left
    });
    for (device, lost) in left {
        helper::say(device, lost, "does not take the rest");
    }
}
