//! A tool's traces, and the events that it wants recorded. One lock guards this state.

use super::{Complete, Form, Record, Request, Traced, index};
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_events::SLOTS;
use omphalos_index::Index;
use omphalos_sync::process_lock::{ProcessLock, rank};
use std::collections::VecDeque;

/// The functions with which a trace was started.
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
    /// Whether the trace takes records; false once it is stopped.
    pub records: bool,
    pub paused: bool,
    /// Whether the tool gave no buffer.
    pub refused: bool,
    /// Whether the tool keeps the helper for too long.
    pub stuck: bool,
    pub queue: VecDeque<Record>,
    /// The number of records at which the helper is called.
    pub wake_at: usize,
    /// The number of times that all records were asked for, and the number of times that the tool
    /// got them.
    pub asked: u64,
    pub delivered: u64,
    pub lost: u64,
}

impl Session {
    /// Whether the helper has work with this trace.
    pub fn needs_helper(&self) -> bool {
        self.queue.len() >= self.wake_at.max(1) || self.asked != self.delivered
    }

    /// Whether the trace is stopped, and all its records are delivered.
    pub fn is_over(&self) -> bool {
        !self.records && self.queue.is_empty() && self.asked == self.delivered
    }
}

/// The events that a device is to record.
#[derive(Clone, Copy, Default)]
pub(super) struct Wanted {
    /// The numbers under which events of constructs are recorded, 0 for those that are not.
    pub constructs: [u32; Traced::COUNT],
    /// The numbers of the events of regions, as bits.
    pub regions: u64,
}

/// The two sorts of events.
#[derive(Clone, Copy)]
pub enum Of {
    /// An event of a construct.
    Construct(Traced),
    /// An event of a region, by its number.
    Region(u32),
}

impl Wanted {
    /// Returns the number under which the event is recorded, 0 if it is not.
    pub fn number(&self, of: Of) -> u32 {
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
    /// The events to record, by device.
    pub wanted: Index<Wanted>,
    pub sessions: Vec<Session>,
    pub newest: u64,
    /// The operations under way, with the times of their begin.
    pub begun: Vec<(u64, u64)>,
    /// The number of lost records of traces that are over, by device.
    pub lost: Index<u64>,
    /// The process that has the helper thread, 0 for none: after `fork` the child has none.
    pub helper_of: u32,
    /// The helper thread, by its `pthread_t`.
    pub helper: usize,
    pub helper_sleeps: bool,
}

impl Traces {
    const fn new() -> Traces {
        Traces {
            wanted: Index::new(),
            sessions: Vec::new(),
            newest: 0,
            begun: Vec::new(),
            lost: Index::new(),
            helper_of: 0,
            helper: 0,
            helper_sleeps: false,
        }
    }

    /// Returns the trace to which the device records, if there is one.
    pub fn recording(&mut self, device: i32) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.device == device && session.records)
    }
}

static TRACES: ProcessLock<[Traces; SLOTS], { rank::TRACES }> =
    ProcessLock::new([const { Traces::new() }; SLOTS]);

/// The number of devices that record, by slot.
pub(super) static RECORDING: [AtomicU32; SLOTS] = [const { AtomicU32::new(0) }; SLOTS];

/// Runs `f` with a tool's traces. No code of a tool's runs in it.
pub(super) fn with<R>(slot: usize, f: impl FnOnce(&mut Traces) -> R) -> R {
    TRACES.with(|traces| f(&mut traces[index(slot)]))
}

/// Whether any device records for the tool.
#[inline]
pub fn is_recording(slot: usize) -> bool {
    RECORDING[index(slot)].load(Ordering::Relaxed) != 0
}
