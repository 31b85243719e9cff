//! A whole record file in memory: every record decoded, totals reduced to the last of each key,
//! stacks numbered across threads. Damage becomes warnings.

mod bounds;
mod calls;
mod counted;
mod names;
mod open_mpi_calls;
mod parts;
mod take;
mod waits_for_nobody;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use omphalos_profile_format::{
    Attached, ConstructTotal, DamageKind, Fork, Item, MpiCallTotal, MpiOpen, MpiThread,
    MutexSiteSampling, MutexSiteTotal, Reader, RecordError, RegionSiteTotal, TargetEvent,
    TargetSiteTotal, TaskSiteSampling, TaskSiteTotal, ThreadTotal,
};
use omphalos_program::symbols::{ModuleInfo, PythonCodes, find_elsewhere};

use crate::maps::HashMap;
use crate::placement::Placement;
use crate::samples::Samples;
use crate::stacks::Stacks;
use crate::{Profile, Progress};
use counted::Counted;
pub(crate) use counted::Doing;
pub(crate) use names::symbols_of;

/// Number of a stack in [`Recording::stacks`]; 0 is the empty stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StackIndex(pub(crate) u32);

/// The agent's name for the runtime in a profile through the Collector API.
pub(crate) const COLLECTOR: &str = "Collector API";

#[derive(Debug, Default, Clone)]
pub(crate) struct ProcessInfo {
    pub(crate) pid: u32,
    pub(crate) start_time: u64,
    pub(crate) wall_clock: u64,
    pub(crate) period: u64,
    pub(crate) cpus: u32,
    pub(crate) executable: String,
    /// The folder in which it was started, as the process had it.
    pub(crate) cwd: PathBuf,
    pub(crate) argv: Vec<String>,
    pub(crate) runtime_version: String,
    pub(crate) host: String,
    pub(crate) environment: Vec<String>,
}

/// The machine while the program ran.
#[derive(Debug, Clone)]
pub(crate) struct MachineInfo {
    pub(crate) processor: String,
    /// The time that all its processors had, ns.
    pub(crate) all: f64,
    /// The part of that for other programs, ns.
    pub(crate) others: f64,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ThreadInfo {
    pub(crate) os_tid: u32,
    pub(crate) kind: u32,
    pub(crate) begin: Option<u64>,
    pub(crate) end: Option<u64>,
    pub(crate) total: Option<ThreadTotal>,
    /// Part of the total that is split by estimate, ns.
    pub(crate) untimed: u64,
    /// Its work without a processor, in regions and outside, ns.
    pub(crate) queued: (u64, u64),
    pub(crate) scheduling: Option<Scheduling>,
    /// Its time in calls of MPI.
    pub(crate) mpi: Option<MpiThread>,
    /// The call of MPI in which its record ends.
    pub(crate) mpi_open: Option<MpiOpen>,
    /// The earliest and latest time in any record of the thread.
    pub(crate) seen: Option<(u64, u64)>,
}

impl ThreadInfo {
    fn see(&mut self, time: u64) {
        let (first, last) = self.seen.unwrap_or((time, time));
        self.seen = Some((first.min(time), last.max(time)));
    }
}

/// A function of the C library, or a system call, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CallName(u32);

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallSums {
    pub(crate) count: u64,
    pub(crate) blocked: u64,
}

/// The system's figures of a thread, and the part of its work in which it was blocked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scheduling {
    pub(crate) running: u64,
    pub(crate) runnable: u64,
    pub(crate) blocked_work: u64,
    pub(crate) blocked_serial: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Recording {
    /// Set where the process was watched from outside.
    pub(crate) attached: Option<Attached>,
    pub(crate) process: Option<ProcessInfo>,
    pub(crate) machine: Option<MachineInfo>,
    /// The number of processors that its threads may use, as they are bound.
    pub(crate) usable_cpus: Option<u32>,
    /// The CPUs on which threads ran, and those they may use.
    pub(crate) placement: Placement,
    /// The time of all threads of the process on processors, ns.
    pub(crate) computed: Option<u64>,
    /// The counters of the system and the processor.
    pub(crate) counted: Counted,
    pub(crate) modules: Vec<ModuleInfo>,
    pub(crate) threads: BTreeMap<u32, ThreadInfo>,
    /// The Python code whose frames are on stacks.
    pub(crate) python: PythonCodes,
    /// Program counters, innermost first.
    pub(crate) stacks: Vec<Box<[u64]>>,
    pub(crate) forks: HashMap<u64, (Fork, StackIndex)>,
    pub(crate) samples: Samples,
    /// The sums of all calls of a function, by region (`codeptr_ra`, 0 = outside) and function.
    pub(crate) calls: BTreeMap<(u64, CallName), CallSums>,
    /// Calls of MPI by function, place and region.
    pub(crate) mpi_calls: BTreeMap<(u32, u64, u64), MpiCallTotal>,
    /// The functions' names, by number.
    call_names: Vec<Rc<str>>,
    pub(crate) regions: BTreeMap<(u64, u64, u32), RegionSiteTotal>,
    /// The number of their instances that have not reached their ends.
    pub(crate) open_regions: BTreeMap<(u64, u64, u32), u64>,
    /// Their work without a processor, ns.
    pub(crate) queued_regions: BTreeMap<(u64, u64, u32), u64>,
    /// True where no team had more than one thread.
    pub(crate) has_no_team: bool,
    pub(crate) mutexes: BTreeMap<(u64, u32, u64), MutexSiteTotal>,
    pub(crate) tasks: BTreeMap<u64, TaskSiteTotal>,
    /// By region (`codeptr_ra`, level), construct and kind.
    pub(crate) constructs: BTreeMap<(u64, u32, u64, u32), ConstructTotal>,
    /// The region that a critical or ordered region was in, by the key of `mutexes`.
    pub(crate) mutex_places: BTreeMap<(u64, u32, u64), u64>,
    /// The time that threads slept while they held it, ns, by the key of `mutexes`.
    pub(crate) mutex_slept: BTreeMap<(u64, u32, u64), u64>,
    /// Beside `mutexes` and `tasks`, where those are estimates.
    pub(crate) mutex_sampling: BTreeMap<(u64, u32, u64), MutexSiteSampling>,
    pub(crate) task_sampling: BTreeMap<u64, TaskSiteSampling>,
    /// By the number that stands for one of several regions with the same return address: that
    /// address, and the start of the region's outlined function.
    pub(crate) region_bodies: HashMap<u64, (u64, u64)>,
    /// By place, kind and device.
    pub(crate) targets: BTreeMap<(u64, u32, u32), TargetSiteTotal>,
    pub(crate) target_events: Vec<TargetEvent>,
    /// The time of the end record, and the agent's own time in it, ns.
    pub(crate) end: Option<(u64, u64)>,
    pub(crate) warnings: Vec<String>,
    pub(crate) notes: Vec<String>,
    /// Bytes of the file that could not be read, and all its bytes.
    pub(crate) damaged: (u64, u64),
    /// The reason for its end, if not in good order.
    pub(crate) end_note: Option<String>,
    /// True where the process went on without being recorded.
    pub(crate) goes_on: bool,
    /// True where only parts of the run were measured: `spans`. Totals and samples are theirs.
    pub(crate) has_parts: bool,
    pub(crate) spans: Vec<(u64, u64)>,
    /// The state while records are read.
    parts: parts::Parts,
    /// Also while records are read: a thread, and the first and last time of the samples read last.
    seen: Option<(u32, u64, u64)>,
}

impl Recording {
    pub(crate) fn read(profile: &Profile, progress: &mut dyn Progress) -> Recording {
        let bytes = profile.bytes().len();
        let samples = Samples::for_bytes(bytes);
        let mut recording = Recording { samples, ..Recording::default() };
        recording.damaged.1 = bytes as u64;
        let Ok(mut reader) = Reader::new(profile.bytes()) else { return recording };
        progress.begin("reading the profile", profile.bytes().len() as u64);
        let mut stacks = Stacks::new();
        let mut unknown = 0u64;
        let mut malformed = 0u64;
        while let Some(item) = reader.next() {
            match item {
                Item::Damage(damage) => {
                    recording.damaged.0 += damage.length as u64;
                    let hint = match damage.kind {
                        DamageKind::TornTail => " (the program was killed, or the disk was full)",
                        _ => "",
                    };
                    recording.warnings.push(format!("{damage}{hint}"));
                }
                Item::Chunk(chunk) => {
                    for record in chunk.records() {
                        match record {
                            Ok(record) => recording.take(chunk.thread, &record, &mut stacks),
                            Err(RecordError::UnknownKind { .. }) => unknown += 1,
                            Err(_) => malformed += 1,
                        }
                    }
                    progress.advance(reader.offset() as u64);
                }
            }
        }
        progress.end();
        if unknown > 0 {
            let text =
                format!("{unknown} records of unknown kinds, from a later agent, were skipped");
            recording.warnings.push(text);
        }
        if malformed > 0 {
            recording.warnings.push(format!("{malformed} malformed records were skipped"));
        }
        // A module's path may be relative to the folder where the program was.
        if let Some(process) = &recording.process {
            for module in &mut recording.modules {
                if module.path.is_relative() && process.cwd.join(&module.path).is_file() {
                    module.path = process.cwd.join(&module.path);
                }
            }
            let pid = process.pid;
            find_elsewhere(&mut recording.modules, profile.path(), pid);
        }
        recording.see_last_samples();
        recording.samples.sort();
        recording.add_open_mpi_calls();
        recording.keep_parts();
        recording.take_waits_for_nobody();
        recording.stacks = stacks.into_all();
        recording.add_calls_looked_at();
        recording
    }

    /// Returns the sums, when all records of totals are taken.
    pub(crate) fn of_totals(mut self) -> Recording {
        self.add_open_mpi_calls();
        self.keep_parts();
        self.take_waits_for_nobody();
        self
    }

    /// Returns the number of processors that the threads may use, 0 if unknown.
    pub(crate) fn usable_cpus(&self) -> u32 {
        let of_process = self.process.as_ref().map(|process| process.cpus);
        self.usable_cpus.or(of_process).unwrap_or(0)
    }

    /// Whether the profile was taken through the Collector API of 2007: of a mutex it tells only
    /// that a thread waited for it, and nothing of tasks, loops, sections and devices.
    pub(crate) fn is_from_collector(&self) -> bool {
        let runtime = self.process.as_ref().map(|process| &process.runtime_version);
        runtime.is_some_and(|runtime| runtime.starts_with(COLLECTOR))
    }

    /// Returns the program's begin. Where the record of the process was lost, the earliest known
    /// time of a thread stands in.
    pub(crate) fn start(&self) -> u64 {
        let seen = || self.threads.values().filter_map(|thread| thread.seen).map(|seen| seen.0);
        let process = self.process.as_ref().map(|process| process.start_time);
        process.or_else(|| seen().min()).unwrap_or(0)
    }

    /// Returns the program's end, or, if it was killed, the last time on record.
    pub(crate) fn last_time(&self) -> u64 {
        let seen = || self.threads.values().filter_map(|thread| thread.seen).map(|seen| seen.1);
        self.end.map(|(time, _)| time).or_else(|| seen().max()).unwrap_or(0)
    }

    /// Returns the period that was asked for, ns; 1 ms where the file does not say.
    pub(crate) fn period(&self) -> u64 {
        match self.process.as_ref().map_or(0, |process| process.period) {
            0 => 1_000_000,
            period => period.clamp(1_000, 10_000_000_000),
        }
    }
}
