//! The records of the attached tools of OMPT's generations of 2013 to 2016.

use super::generation::{self, Generation};
use super::{event_numbers, ompt2016};
use crate::{handed_on, trace};
use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use omphalos_abi::earlier::EVENT_LIMIT;
use omphalos_events::{self as events, SLOTS};

/// The phases of a tool's life. They only go forward, with two exceptions: a tool that does not
/// want to run frees its slot, and a forked child asks its tools again.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No tool of these generations has the slot.
    Free,
    /// The tool's initializer runs: nothing is told, and its generation may still change.
    Initialising,
    /// Events are told.
    Active,
    /// Inquiries are answered, but no event is told (`OMPT_INITIALIZE=true`).
    Inquiring,
    /// The tool has ended.
    Ended,
    /// A forked child has not started OpenMP again yet.
    Forked,
}

/// How often an event comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// An event is told wherever the generation's specification has it.
    Always(u64),
    /// An event is told only where the compiler's code calls the runtime.
    Sometimes(u64),
    /// An event is never told: the runtime has no such event.
    Never,
}

impl Delivery {
    /// Returns the kinds of the engine's events that cause it.
    pub const fn kinds(self) -> u64 {
        match self {
            Delivery::Always(kinds) | Delivery::Sometimes(kinds) => kinds,
            Delivery::Never => 0,
        }
    }
}

/// The value of [`Tool::knowledge`] if the environment names the generation.
const CERTAIN: u8 = 1;
/// The value of [`Tool::knowledge`] if the tool was found by `ompt_initialize`.
const EARLY: u8 = 2;

/// The record of one tool.
pub struct Tool {
    phase: AtomicU8,
    /// The tool's [`Generation`], which is certain once the phase is past `Initialising`.
    generation: AtomicU8,
    /// Whether the generation is still to be guessed, and by which rule ([`CERTAIN`], [`EARLY`]).
    knowledge: AtomicU8,
    /// The traits of the names for which the tool asked ([`generation::trait_of`]).
    asked: AtomicU8,
    /// The function by which the tool was found, as an integer.
    found: AtomicUsize,
    /// The callbacks by event number, 0 for none. Registration writes them (release) before it
    /// subscribes to the kinds, and each event reads them (acquire).
    callbacks: [AtomicUsize; EVENT_LIMIT],
}

static TOOLS: [Tool; SLOTS] = [const { Tool::new() }; SLOTS];

/// Returns the tool in a slot.
#[inline(always)]
pub fn tool(slot: usize) -> &'static Tool {
    &TOOLS[slot % SLOTS]
}

impl Tool {
    const fn new() -> Tool {
        Tool {
            phase: AtomicU8::new(Phase::Free as u8),
            generation: AtomicU8::new(0),
            knowledge: AtomicU8::new(0),
            asked: AtomicU8::new(0),
            found: AtomicUsize::new(0),
            callbacks: [const { AtomicUsize::new(0) }; EVENT_LIMIT],
        }
    }

    /// Returns the phase of the tool's life.
    #[inline(always)]
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            0 => Phase::Free,
            1 => Phase::Initialising,
            2 => Phase::Active,
            3 => Phase::Inquiring,
            5 => Phase::Forked,
            _ => Phase::Ended,
        }
    }

    /// Goes on to another phase.
    pub fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Release);
    }

    /// Goes on from the phase `from` to another one. Returns false if the tool is not in that
    /// phase.
    pub fn leave(&self, from: Phase, to: Phase) -> bool {
        let (from, to) = (from as u8, to as u8);
        self.phase.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Forgets the callbacks that the tool registered.
    pub fn forget_callbacks(&self) {
        self.callbacks.iter().for_each(|callback| callback.store(0, Ordering::Relaxed));
    }

    /// Forgets a tool that does not want to run: another tool may get the slot.
    pub fn forget(&self) {
        self.forget_callbacks();
        for known in [&self.generation, &self.knowledge, &self.asked] {
            known.store(0, Ordering::Relaxed);
        }
        self.enter(Phase::Free);
    }

    /// Whether the tool may inquire: it has started, and has not ended.
    #[inline(always)]
    pub fn may_inquire(&self) -> bool {
        matches!(self.phase(), Phase::Initialising | Phase::Active | Phase::Inquiring)
    }

    /// Returns the generation, as far as it is known.
    #[inline(always)]
    pub fn generation(&self) -> Generation {
        Generation::from_number(self.generation.load(Ordering::Relaxed))
    }

    /// Sets the generation for good.
    pub fn decide(&self, generation: Generation) {
        self.knowledge.store(CERTAIN, Ordering::Relaxed);
        self.generation.store(generation as u8, Ordering::Relaxed);
    }

    /// Returns the function by which the tool was found.
    pub fn found(&self) -> usize {
        self.found.load(Ordering::Relaxed)
    }

    /// Notes the function by which it was found.
    pub fn is_found_by(&self, function: usize) {
        self.found.store(function, Ordering::Relaxed);
    }

    /// Notes that the tool was found by `ompt_initialize`: it is of 2013, unless it uses the lookup
    /// function.
    pub fn is_early(&self) {
        self.knowledge.store(EARLY, Ordering::Relaxed);
        self.guess();
    }

    /// Notes that the tool asked for a name.
    pub fn asked_for(&self, name: &[u8]) {
        self.asked.fetch_or(generation::trait_of(name), Ordering::Relaxed);
        self.guess();
    }

    /// Derives the generation from what is known so far. Only while the initializer runs.
    pub fn guess(&self) {
        if self.phase() != Phase::Initialising {
            return;
        }
        let asked = self.asked.load(Ordering::Relaxed);
        let generation = match self.knowledge.load(Ordering::Relaxed) {
            CERTAIN => return,
            EARLY => generation::of_early_tool(asked),
            _ => {
                let registered = |event: &usize| self.callback(*event) != 0;
                let highest = (1..EVENT_LIMIT).rev().find(registered).unwrap_or(0);
                generation::of_tool(asked, highest)
            }
        };
        self.generation.store(generation as u8, Ordering::Relaxed);
    }

    /// Returns how often an event is told in the tool's generation; `None` if it has no such event.
    fn delivery(&self, event: usize) -> Option<Delivery> {
        match self.generation() {
            generation @ (Generation::Y2013 | Generation::Y2014) => {
                event_numbers::delivery(generation, event)
            }
            Generation::Y2016Ids | Generation::Y2016Data => ompt2016::delivery(event),
        }
    }

    /// `ompt_set_callback`: notes the callback (0: none). Returns how often the event is told, in
    /// the numbers of the tool's generation. Not async-signal-safe.
    pub fn register(&self, slot: usize, event: i32, function: usize) -> i32 {
        let Some(entry) = usize::try_from(event).ok().and_then(|event| self.callbacks.get(event))
        else {
            return 0;
        };
        if event == 0 || !matches!(self.phase(), Phase::Initialising | Phase::Active) {
            return 0;
        }
        handed_on::uses(function);
        let before = entry.swap(function, Ordering::AcqRel);
        // A callback that is removed belonged to the generation known so far.
        if function != 0 {
            self.guess();
        }
        let Some(delivery) = self.delivery(event as usize) else {
            // None of the generations that the tool may still have has this event.
            entry.store(before, Ordering::Release);
            self.guess();
            return 0;
        };
        self.guess();
        if self.phase() == Phase::Active {
            self.attach_slot(slot);
        }
        match (self.generation(), delivery) {
            (Generation::Y2013, Delivery::Always(_)) if event_numbers::is_late(event as usize) => 2,
            (Generation::Y2013, Delivery::Always(_)) => 3,
            (Generation::Y2013, Delivery::Sometimes(_)) => 2,
            (Generation::Y2013, Delivery::Never) => 1,
            (_, Delivery::Always(_)) => 4,
            (_, Delivery::Sometimes(_)) => 3,
            (_, Delivery::Never) => 2,
        }
    }

    /// Subscribes to the events that the registered callbacks need. The tool is attached even if
    /// they need none.
    pub fn attach_slot(&self, slot: usize) {
        let registered = |event: &usize| self.callback(*event) != 0;
        let traced = if trace::is_recording(slot) { ompt2016::device::KINDS } else { 0 };
        let kinds = (1..EVENT_LIMIT)
            .filter(registered)
            .filter_map(|event| self.delivery(event))
            .fold(traced, |all, delivery| all | delivery.kinds());
        events::unsubscribe(slot, !kinds);
        events::subscribe(slot, kinds);
    }

    /// Returns the address registered for an event, 0 for none.
    #[inline(always)]
    pub fn callback(&self, event: usize) -> usize {
        self.callbacks.get(event).map_or(0, |entry| entry.load(Ordering::Acquire))
    }
}
