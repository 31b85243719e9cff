//! Decides which of a thread's events are timed. While events are rare, all are. Where they come
//! fast, a thread times the events of a stretch after each tick of its timer, and only counts the
//! others.
//!
//! A clock read costs as much as a small task. So a thread times a certain number of events
//! ([`quota`]) between two ticks; then follows an untimed stretch, up to the next tick. Its time is
//! split among classes, tasks and mutexes in the proportions of the timed events before it; the
//! difference from one split to the next says how large the error may be. Anything that lasts
//! longer than a period is not estimated: the tick finds the thread in it, and no event happened
//! since.
//!
//! What must hold:
//! - Class times still add up to the thread's life: an untimed stretch is closed
//!   (`Books::close_untimed`) before anything else is booked.
//! - One writer: a tick that comes during a callback, even one that counts only, leaves its work to
//!   that callback's end (`thread::stretch::tick_or_note`).

use super::sites::{MutexTable, TaskTable, mutex as mutex_site, task as task_site};
use super::{CLASSES, Class};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use omphalos_ompt::TaskFlags;

/// The number of events that are timed between two ticks a millisecond apart: they take about one
/// percent of that time.
const QUOTA: u64 = 128;
/// The number of counted events after which events are timed again even if no tick came.
const MOST_UNTIMED: u32 = 1 << 18;

/// True once anything was left untimed in this process: then the number of created tasks stands for
/// the number of executed ones.
pub static SAMPLED: AtomicBool = AtomicBool::new(false);

/// State: every event is timed.
const TIMED: u32 = 0;
/// State: events are counted only.
const UNTIMED: u32 = 1;
/// State: a tick closed the stretch, and the next event is the first to be timed.
pub(super) const STALE: u32 = 2;

/// The current task, as the runtime reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Current {
    /// The address of its data word, 0 if not known.
    pub name: usize,
    /// The value of that word.
    pub word: u64,
    /// `ompt_task_flag_t`.
    pub flags: u32,
}

impl Current {
    /// Returns true for a task of a task construct.
    pub fn is_explicit(self) -> bool {
        self.flags & TaskFlags::EXPLICIT.bits() != 0 && self.name != 0
    }
}

/// The state of timing, and how the time of timed events was spent lately. The thread and its
/// signal handler write it; others read.
#[derive(Default)]
pub struct Pace {
    pub(super) state: AtomicU32,
    /// In a timed stretch: how many more events may be timed before the next tick. In an untimed
    /// one: how many more may be counted.
    left: AtomicU32,
    /// Ticks by class in timed events, without the agent's own; halved from tick to tick.
    recent: [AtomicU64; CLASSES],
    /// Whether the event at work is of a kind that never comes often. Then the time before it says
    /// nothing about the kinds that may come often.
    rare: AtomicBool,
    /// Ticks in untimed stretches.
    pub untimed: AtomicU64,
    /// Events counted in them.
    pub events: AtomicU64,
    /// Tasks that the runtime counted in them.
    pub untold: AtomicU64,
    /// Whether the untimed stretch began in a barrier, and lies in it.
    in_barrier: AtomicBool,
    name: AtomicU64,
    word: AtomicU64,
    flags: AtomicU32,
}

pub(super) fn positive(value: &AtomicU64) -> u64 {
    (value.load(Relaxed) as i64).max(0) as u64
}

pub(super) fn add(to: &AtomicU64, much: u64) {
    to.store(to.load(Relaxed).wrapping_add(much), Relaxed);
}

/// Returns `of` times `part` divided by `whole`; 0 if `whole` is 0.
pub fn portion(of: u64, part: u64, whole: u64) -> u64 {
    if whole == 0 {
        0
    } else {
        (u128::from(of) * u128::from(part.min(whole)) / u128::from(whole)) as u64
    }
}

/// Returns the number of events that a thread may time in `time` ns.
pub fn quota(time: u64) -> u32 {
    u32::try_from((QUOTA * time / 1_000_000).clamp(32, 1 << 16)).unwrap_or(1 << 16)
}

impl Pace {
    /// Starts anew with `quota` events to time.
    pub fn begin(&self, quota: u32) {
        self.state.store(TIMED, Relaxed);
        self.left.store(quota, Relaxed);
        self.untimed.store(0, Relaxed);
        self.events.store(0, Relaxed);
        self.untold.store(0, Relaxed);
        self.recent.iter().for_each(|recent| recent.store(0, Relaxed));
    }

    /// Whether events are counted only.
    #[inline]
    pub fn is_untimed(&self) -> bool {
        self.state.load(Relaxed) == UNTIMED
    }

    /// Returns true unless every event was timed up to now.
    #[inline]
    pub fn is_off(&self) -> bool {
        self.state.load(Relaxed) != TIMED
    }

    /// Notes that an event was timed. Returns true if it is time for an untimed stretch.
    #[inline]
    pub fn spend(&self) -> bool {
        let left = self.left.load(Relaxed).saturating_sub(1);
        self.left.store(left, Relaxed);
        left == 0
    }

    /// Counts an event. Returns true if no tick came for too many of them.
    #[inline]
    pub fn counted(&self) -> bool {
        let left = self.left.load(Relaxed).wrapping_sub(1);
        self.left.store(left, Relaxed);
        left == 0
    }

    /// Notes how many events were counted in the untimed stretch that is about to end.
    pub fn note_counted(&self) {
        if self.is_untimed() {
            let left = self.left.swap(MOST_UNTIMED, Relaxed);
            add(&self.events, u64::from(MOST_UNTIMED.saturating_sub(left)));
        }
    }

    /// Notes that the runtime counted this many tasks.
    pub fn note_untold(&self, tasks: u64) {
        add(&self.untold, tasks);
    }

    /// Returns true in an untimed stretch that lies in a barrier.
    #[inline]
    pub fn is_in_barrier(&self) -> bool {
        self.in_barrier.load(Relaxed)
    }

    /// Begins an untimed stretch.
    pub fn begin_untimed(&self, in_barrier: bool) {
        self.in_barrier.store(in_barrier, Relaxed);
        SAMPLED.store(true, Relaxed);
        self.left.store(MOST_UNTIMED, Relaxed);
        self.state.store(UNTIMED, Relaxed);
    }

    /// Ends the untimed stretch: the first event after it is at work.
    pub fn resume(&self) {
        self.state.store(TIMED, Relaxed);
    }

    /// Notes the current task for the event that comes next.
    pub fn set_current(&self, task: Current) {
        self.name.store(task.name as u64, Relaxed);
        self.word.store(task.word, Relaxed);
        self.flags.store(task.flags, Relaxed);
    }

    /// Returns the task noted last.
    pub fn current(&self) -> Current {
        Current {
            name: self.name.load(Relaxed) as usize,
            word: self.word.load(Relaxed),
            flags: self.flags.load(Relaxed),
        }
    }

    /// Notes which kind of event is at work. `busy`: the kind may come often.
    #[inline]
    pub fn event(&self, busy: bool) {
        self.rare.store(!busy, Relaxed);
    }

    /// Whether the time before the event at work says something about kinds that may come often.
    #[inline]
    pub fn is_measure(&self) -> bool {
        !self.rare.load(Relaxed)
    }

    /// Adds timed ticks of a class; only where they are a [measure](Pace::is_measure).
    #[inline]
    pub fn timed(&self, class: Class, much: u64) {
        if let Some(recent) = self.recent.get(class as usize) {
            add(recent, much);
        }
    }

    /// Returns the recent time of timed events, in all classes.
    pub fn total(&self) -> u64 {
        self.recent.iter().map(positive).sum()
    }

    /// Returns the part of `time` that belongs to each class.
    pub(super) fn split(&self, time: u64, class: Class) -> [u64; CLASSES] {
        let total = self.total();
        let mut parts: [u64; CLASSES] =
            core::array::from_fn(|at| portion(time, positive(&self.recent[at]), total));
        let rest = time.saturating_sub(parts.iter().sum());
        parts[class as usize] += rest;
        parts
    }

    /// Notes a tick: `quota` events may be timed until the next one. If the last quota was used up,
    /// events come fast, and the recent times count half from here on. If not, events were rare:
    /// then the recent times say nothing about events that may come fast after this tick, and are
    /// set to 0. Async-signal-safe.
    pub fn tick(&self, quota: u32, tasks: &TaskTable, mutexes: &MutexTable) {
        let fast = self.is_untimed() || self.left.load(Relaxed) == 0;
        if fast || self.total() > 0 {
            let kept = u64::from(fast);
            let lower = |value: &AtomicU64| value.store(positive(value) / 2 * kept, Relaxed);
            self.recent.iter().for_each(lower);
            tasks.iter().for_each(|entry| lower(&entry.values[task_site::RECENT]));
            for entry in mutexes.iter() {
                lower(&entry.values[mutex_site::RECENT_WAIT]);
                lower(&entry.values[mutex_site::RECENT_HOLD]);
            }
        }
        self.left.store(quota, Relaxed);
    }
}

/// The binary logarithm of a number of ticks; its square is the unit of a site's variance of work.
pub const SPREAD_SHIFT: u32 = 6;
