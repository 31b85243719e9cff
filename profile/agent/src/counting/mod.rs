//! The counters of a thread, those of the system and of the processor, by the place that the thread
//! is in. `OMPHALOS_PROFILE_COUNTERS` asks for them.
//!
//! A reading gives the counts since the last reading to the place that the thread is in: at a tick,
//! at the end of a call in which the thread slept, and at an event that comes 0.2 ms or more after
//! the last look. Page faults and switches come from the system's account of the thread, which
//! needs no permission and no descriptor. (As events of perf_event, switches are zeros for a user
//! who may look at user code alone.)
//!
//! What must hold: a reading allocates nothing and takes no lock, and a thread reads its own
//! counters. If no counters are asked for, there is one branch at a tick and one at a look.

mod places;

use crate::hardware::events::{self, EVENTS, Group, Reading};
use crate::hardware::sources;
use crate::{clock, recording, sched, stream};
use core::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64,
    Ordering::{Relaxed, Release},
};
use omphalos_profile_format::{CounterDifference, ProcessCounters};
pub use places::Place;
use places::Places;

/// The number of a thread's figures that the system counts: ns on a processor, page faults without
/// and with a wait for a file, and how often it left its processor and was taken off it.
const OF_SYSTEM: usize = CounterDifference::OF_SYSTEM;

static IS_ON: AtomicBool = AtomicBool::new(false);
/// The number of threads that got no group because the process may open no more files.
static WITHOUT_FILES: AtomicU32 = AtomicU32::new(0);
/// The process's figures when recording began.
static BEGIN: [AtomicU64; OF_SYSTEM - 1] = [const { AtomicU64::new(0) }; OF_SYSTEM - 1];

/// Whether anything is counted. Async-signal-safe.
#[inline]
pub fn is_on() -> bool {
    IS_ON.load(Relaxed)
}

/// Finds the counters of this machine, if they are asked for, at the agent's start. Allocates.
pub fn start() {
    if recording::config().counters {
        sources::find();
        begin_process();
        IS_ON.store(true, Release);
    }
}

/// Begins the process's figures at zero, as in a forked child.
pub fn begin_process() {
    let now = of_process();
    BEGIN.iter().zip(now).for_each(|(begin, now)| begin.store(now, Relaxed));
}

/// Stops all counting: the program forbids itself the system calls that it takes.
pub fn stop() {
    IS_ON.store(false, Relaxed);
}

/// Returns the number of threads whose events could not be counted because no more files may be
/// opened.
pub fn without_files() -> u32 {
    WITHOUT_FILES.load(Relaxed)
}

/// Returns the process's figures since recording began, if counters are asked for.
/// Async-signal-safe.
pub fn process_record() -> Option<ProcessCounters> {
    if !is_on() {
        return None;
    }
    let mut since = of_process();
    since.iter_mut().zip(&BEGIN).for_each(|(now, begin)| {
        *now = now.saturating_sub(begin.load(Relaxed));
    });
    let [minor_faults, major_faults, left, taken] = since;
    Some(ProcessCounters { minor_faults, major_faults, left, taken })
}

fn of_process() -> [u64; OF_SYSTEM - 1] {
    sched::usage(libc::RUSAGE_SELF).map_or([0; 4], faults_and_switches)
}

fn faults_and_switches(usage: libc::rusage) -> [u64; OF_SYSTEM - 1] {
    let all = [usage.ru_minflt, usage.ru_majflt, usage.ru_nvcsw, usage.ru_nivcsw];
    all.map(|figure| u64::try_from(figure).unwrap_or(0))
}

/// Returns the same figures of the calling thread, and how long it ran. Async-signal-safe.
fn of_thread() -> [u64; OF_SYSTEM] {
    let [minor, major, left, taken] =
        sched::usage(libc::RUSAGE_THREAD).map_or([0; 4], faults_and_switches);
    [clock::used_here(), minor, major, left, taken]
}

/// The counters of one thread.
pub struct Counting {
    /// The system's figures at the last reading.
    before: [u64; OF_SYSTEM],
    group: Option<Group>,
    is_opened: bool,
    /// The processor's figures at the last reading.
    read: Reading,
    places: Places,
}

impl Counting {
    /// Makes the counters of a thread's record, if anything is counted. Allocates.
    pub fn for_record() -> Option<Box<Counting>> {
        is_on().then(|| {
            let before = [0; OF_SYSTEM];
            let (read, places) = (Reading::default(), Places::default());
            Box::new(Counting { before, group: None, is_opened: false, read, places })
        })
    }

    /// Gives the record to the calling thread from here on.
    pub fn begin(&mut self) {
        self.close();
        self.is_opened = false;
        self.read = Reading::default();
        self.places = Places::default();
        self.before = of_thread();
    }

    /// Reads the calling thread's counters and books the difference since the last reading to
    /// `place`. Returns the record of another place that has to be written first, where there is no
    /// room for this one. Async-signal-safe.
    pub fn read(&mut self, thread: u32, place: Place) -> Option<CounterDifference> {
        if !is_on() {
            return None;
        }
        self.open();
        let now = of_thread();
        let mut figures = [0; places::FIGURES];
        let (own, processors) = figures.split_at_mut(OF_SYSTEM);
        for ((to, now), before) in own.iter_mut().zip(now).zip(self.before) {
            *to = now.saturating_sub(before);
        }
        self.before = now;
        if let Some(read) = self.group.as_ref().and_then(Group::read) {
            let since = read.since(&self.read);
            self.read = read;
            let of_group = [since.enabled, since.counting].into_iter().chain(since.values);
            processors.iter_mut().zip(of_group).for_each(|(to, figure)| *to = figure);
        }
        if !recording::is_measured() {
            return None;
        }
        self.places.add(place, &figures).map(|(place, figures)| record(thread, place, &figures))
    }

    /// Hands each place that no record has yet to `put`, until `put` has no room. Returns whether
    /// all of them were put. Async-signal-safe.
    pub fn put_all(&mut self, thread: u32, mut put: impl FnMut(CounterDifference) -> bool) -> bool {
        self.places.drain(|place, figures| put(record(thread, place, figures)))
    }

    /// Opens the group, but not before there is a record file: a process that uses no OpenMP gets
    /// no descriptor of the agent's.
    fn open(&mut self) {
        if self.is_opened || !stream::is_open() {
            return;
        }
        self.is_opened = true;
        let Some(sources) = sources::known().filter(|sources| sources.are_there()) else { return };
        let (group, errors) = sources.open(&mut events::open);
        if errors.contains(&libc::EMFILE) {
            WITHOUT_FILES.fetch_add(1, Relaxed);
        }
        self.group = group;
    }

    /// Closes the open group.
    pub fn close(&mut self) {
        if let Some(group) = self.group.take() {
            group.close();
        }
    }
}

const _: () = assert!(places::FIGURES == OF_SYSTEM + 2 + EVENTS);

fn record(thread: u32, place: Place, figures: &[u64; places::FIGURES]) -> CounterDifference {
    let Place { state, region_codeptr, stack } = place;
    let mut record =
        CounterDifference { thread, state, region_codeptr, stack, ..CounterDifference::default() };
    record.figures().into_iter().zip(figures).for_each(|(to, figure)| *to = *figure);
    record
}
