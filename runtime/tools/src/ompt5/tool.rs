//! The records of the attached tools.

use super::{device, direct};
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use omphalos_abi::ompt::{CALLBACK_LIMIT, ompt_data_t, ompt_finalize_t};
use omphalos_events::{self as events, SLOTS};

/// The phases of a tool's life. They only go forward, with two exceptions: a tool that ended before
/// it was active frees its slot, and one that another process brought may come again.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No tool has the slot.
    Free,
    /// The tool's initializer runs: callbacks are noted, nothing is told.
    Initialising,
    /// Events are told.
    Active,
    /// The tool has ended, or its initializer declined.
    Ended,
}

/// The record of one tool.
pub struct Tool {
    /// The tool's [`Phase`]. Written by the thread that starts or ends the tool; read by
    /// registration.
    phase: AtomicU8,
    /// The callbacks by number, 0 for none. Registration writes them before it sets the kind's bit
    /// (release), and each event reads them (acquire).
    callbacks: [AtomicUsize; CALLBACK_LIMIT],
    /// The kinds that the initializer registered. They are told from the end of the initializer on.
    pending: AtomicU64,
    /// The tool's finalizer and data; written before the phase becomes active.
    finalize: AtomicUsize,
    data: AtomicPtr<ompt_data_t>,
}

static TOOLS: [Tool; SLOTS] = [const { Tool::new() }; SLOTS];

/// Returns the tool in a slot.
#[inline(always)]
pub fn tool(slot: usize) -> &'static Tool {
    &TOOLS[slot % SLOTS]
}

impl Tool {
    const fn new() -> Self {
        Tool {
            phase: AtomicU8::new(Phase::Free as u8),
            callbacks: [const { AtomicUsize::new(0) }; CALLBACK_LIMIT],
            pending: AtomicU64::new(0),
            finalize: AtomicUsize::new(0),
            data: AtomicPtr::new(core::ptr::null_mut()),
        }
    }

    /// Returns the phase of the tool's life.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            0 => Phase::Free,
            1 => Phase::Initialising,
            2 => Phase::Active,
            _ => Phase::Ended,
        }
    }

    fn step(&self, from: Phase, to: Phase) -> bool {
        self.phase
            .compare_exchange(from as u8, to as u8, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    /// Notes that the initializer is about to run.
    pub fn begin(&self) {
        self.step(Phase::Free, Phase::Initialising);
    }

    /// Makes events be told to the tool, whose initializer has accepted. Returns false if the tool
    /// has ended itself meanwhile.
    pub fn activate(&self, slot: usize, finalize: ompt_finalize_t, data: *mut ompt_data_t) -> bool {
        self.finalize.store(finalize as usize, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
        if !self.step(Phase::Initialising, Phase::Active) {
            return false;
        }
        events::subscribe(slot, self.pending.load(Ordering::Acquire));
        true
    }

    /// Ends the tool in any phase. Returns true if it was active: then the caller (only one gets
    /// true) has to call its finalizer.
    pub fn end(&self, slot: usize) -> bool {
        let was_active = self.step(Phase::Active, Phase::Ended);
        if was_active {
            events::detach(slot);
        } else {
            self.step(Phase::Initialising, Phase::Ended);
        }
        was_active
    }

    /// Begins a tool anew that has ended, in its slot. It has the same functions as before, so that
    /// a hook that still calls one of them calls code that exists.
    pub fn begin_again(&self) -> bool {
        self.pending.store(0, Ordering::Relaxed);
        self.step(Phase::Ended, Phase::Initialising)
    }

    /// Forgets a tool that ended before it was active: another tool may get the slot.
    pub fn forget(&self) {
        self.callbacks.iter().for_each(|callback| callback.store(0, Ordering::Relaxed));
        self.pending.store(0, Ordering::Relaxed);
        self.step(Phase::Ended, Phase::Free);
    }

    /// Calls the tool's finalizer. Only after [`Tool::end`] returned true.
    pub fn finalize(&self) {
        let function = self.finalize.load(Ordering::Relaxed);
        if function == 0 {
            return;
        }
        // SAFETY: `activate` stored a finalizer here.
        let function: ompt_finalize_t = unsafe { core::mem::transmute(function) };
        // SAFETY: the pointer is the tool's own data word, valid for the whole run.
        unsafe { function(self.data.load(Ordering::Relaxed)) };
    }

    /// Notes a callback (0: none) and subscribes to its kind.
    pub fn register(&self, slot: usize, number: usize, function: usize, kind: u64) {
        let Some(entry) = self.callbacks.get(number) else { return };
        entry.store(function, Ordering::Release);
        // An event that is recorded has to come as an event, not as a direct call.
        let recorded = device::regions_kinds(slot) & kind != 0;
        let direct = direct::functions(slot, number, if recorded { 0 } else { function });
        // SAFETY: the tool registers a callback of its number's signature, and never unloads it.
        unsafe {
            events::connect(slot, kind, direct.usual);
            events::connect_closing(slot, kind, direct.closing);
        }
        if function != 0 {
            self.want(slot, kind);
        }
    }

    /// Subscribes to kinds: at once if the tool is active, else when its initializer has returned.
    pub fn want(&self, slot: usize, kinds: u64) {
        if self.phase() == Phase::Active {
            events::subscribe(slot, kinds);
        } else {
            self.pending.fetch_or(kinds, Ordering::AcqRel);
        }
    }

    /// Unsubscribes from kinds.
    pub fn forget_kinds(&self, slot: usize, kinds: u64) {
        if self.phase() == Phase::Active {
            events::unsubscribe(slot, kinds);
        } else {
            self.pending.fetch_and(!kinds, Ordering::AcqRel);
        }
    }

    /// Returns the address registered under a number, 0 for none.
    #[inline(always)]
    pub fn callback(&self, number: usize) -> usize {
        match self.callbacks.get(number) {
            Some(entry) => entry.load(Ordering::Acquire),
            None => 0,
        }
    }
}
