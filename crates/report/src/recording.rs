//! A whole record file in memory: every record decoded, totals reduced to the last of each key,
//! stacks numbered across threads. Damage becomes warnings.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::rc::Rc;

use omphalos_profile_format::{
    ConstructTotal, DamageKind, Fork, Item, MutexSitePlace, MutexSiteSampling, MutexSiteTotal,
    Reader, Record, RecordError, RegionSiteTotal, TargetEvent, TargetSiteTotal, TaskSiteSampling,
    TaskSiteTotal, ThreadTotal, severity,
};

use crate::ompt::Activity;
use crate::samples::{Samples, Taken};
use crate::stacks::Stacks;
use crate::visible::visible_bytes;
use crate::{Profile, Progress};

/// Number of a stack in [`Recording::stacks`]; 0 is the empty stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StackIndex(pub(crate) u32);

#[derive(Debug, Default, Clone)]
pub(crate) struct ProcessInfo {
    pub(crate) pid: u32,
    pub(crate) start_time: u64,
    pub(crate) wall_clock: u64,
    pub(crate) period: u64,
    pub(crate) cpus: u32,
    pub(crate) executable: String,
    /// Where it was started, as the process had it.
    pub(crate) cwd: PathBuf,
    pub(crate) argv: Vec<String>,
    pub(crate) runtime_version: String,
    pub(crate) host: String,
    pub(crate) environment: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct ModuleInfo {
    pub(crate) base: u64,
    pub(crate) end: u64,
    pub(crate) file_offset: u64,
    /// As the process had it, whatever bytes that are.
    pub(crate) path: PathBuf,
    pub(crate) build_id: Vec<u8>,
    pub(crate) flags: u32,
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
    pub(crate) scheduling: Option<Scheduling>,
    /// Earliest and latest time that any record of the thread names.
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

/// What the system knows of a thread, and what of its work it was blocked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scheduling {
    pub(crate) running: u64,
    pub(crate) runnable: u64,
    pub(crate) blocked_work: u64,
    pub(crate) blocked_serial: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(crate) process: Option<ProcessInfo>,
    pub(crate) modules: Vec<ModuleInfo>,
    pub(crate) threads: BTreeMap<u32, ThreadInfo>,
    /// Program counters, innermost first.
    pub(crate) stacks: Vec<Box<[u64]>>,
    pub(crate) forks: HashMap<u64, (Fork, StackIndex)>,
    pub(crate) samples: Samples,
    /// What all calls of a function came to, by region (`codeptr_ra`, 0 = outside) and function.
    pub(crate) calls: BTreeMap<(u64, CallName), CallSums>,
    /// The functions' names, by number.
    call_names: Vec<Rc<str>>,
    pub(crate) regions: BTreeMap<(u64, u64, u32), RegionSiteTotal>,
    pub(crate) mutexes: BTreeMap<(u64, u32, u64), MutexSiteTotal>,
    pub(crate) tasks: BTreeMap<u64, TaskSiteTotal>,
    /// By region (`codeptr_ra`, level), construct and kind.
    pub(crate) constructs: BTreeMap<(u64, u32, u64, u32), ConstructTotal>,
    /// The region that a critical or ordered region was in, by the key of `mutexes`.
    pub(crate) mutex_places: BTreeMap<(u64, u32, u64), u64>,
    /// Beside `mutexes` and `tasks`, where those are estimates.
    pub(crate) mutex_sampling: BTreeMap<(u64, u32, u64), MutexSiteSampling>,
    pub(crate) task_sampling: BTreeMap<u64, TaskSiteSampling>,
    /// Of regions with one return address: that, and where the outlined function starts.
    pub(crate) region_bodies: HashMap<u64, (u64, u64)>,
    /// By place, kind and device.
    pub(crate) targets: BTreeMap<(u64, u32, u32), TargetSiteTotal>,
    pub(crate) target_events: Vec<TargetEvent>,
    /// Time and the agent's own ns of the end record.
    pub(crate) end: Option<(u64, u64)>,
    pub(crate) warnings: Vec<String>,
    pub(crate) notes: Vec<String>,
    /// Bytes of the file that could not be read, and of how many.
    pub(crate) damaged: (u64, u64),
    /// Why it ended, if not in good order.
    pub(crate) end_note: Option<String>,
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
        // What a module was loaded by may be relative to where the program was.
        if let Some(process) = &recording.process {
            for module in &mut recording.modules {
                if module.path.is_relative() && process.cwd.join(&module.path).is_file() {
                    module.path = process.cwd.join(&module.path);
                }
            }
        }
        recording.samples.sort();
        recording.stacks = stacks.into_all();
        recording.add_calls_looked_at();
        recording
    }

    /// A system call that the program makes itself has no total, nor has one that a killed program
    /// was in: looks from outside found the thread in it. How often it was made is unknown.
    fn add_calls_looked_at(&mut self) {
        let mut found: BTreeMap<(u64, CallName), CallSums> = BTreeMap::new();
        for Taken { sample, blocked, .. } in self.samples.iter() {
            let is_work =
                matches!(Activity::of_state(sample.state), Activity::Serial | Activity::Parallel);
            let Some((name, time)) = blocked.filter(|_| is_work) else { continue };
            let forked = self.forks.get(&sample.region).map(|(fork, _)| fork.codeptr_ra);
            let site = if sample.region == 0 { 0 } else { forked.unwrap_or(sample.region_codeptr) };
            if !self.calls.contains_key(&(site, name)) {
                let sums = found.entry((site, name)).or_default();
                sums.blocked = sums.blocked.saturating_add(time).min(LARGEST);
            }
        }
        self.calls.append(&mut found);
    }

    fn take(&mut self, chunk_thread: u32, record: &Record<'_>, stacks: &mut Stacks) {
        match record {
            Record::Process(process) => {
                self.process = Some(ProcessInfo {
                    pid: process.pid,
                    start_time: process.start_time,
                    wall_clock: process.wall_clock,
                    period: process.period,
                    cpus: process.cpus,
                    executable: text(process.executable),
                    cwd: OsStr::from_bytes(process.cwd).into(),
                    argv: process.argv.iter().map(text).collect(),
                    runtime_version: text(process.runtime_version),
                    host: text(process.host),
                    environment: process.environment.iter().map(text).collect(),
                });
            }
            Record::Module(module) => {
                let info = ModuleInfo {
                    base: module.base,
                    end: module.end,
                    file_offset: module.file_offset,
                    path: OsStr::from_bytes(module.path).into(),
                    build_id: module.build_id.to_vec(),
                    flags: module.flags,
                };
                // The later record of a place holds: a library was unloaded and another one mapped.
                self.modules.retain(|old| old.end <= info.base || old.base >= info.end);
                self.modules.push(info);
            }
            Record::ThreadBegin(begin) => {
                let thread = self.threads.entry(begin.thread).or_default();
                thread.os_tid = begin.os_tid;
                thread.kind = begin.thread_kind;
                thread.begin = Some(begin.time);
                thread.see(begin.time);
            }
            Record::ThreadEnd(end) => {
                let thread = self.threads.entry(end.thread).or_default();
                thread.end = Some(end.time);
                thread.see(end.time);
            }
            Record::Stack(stack) => {
                stacks.add(chunk_thread, stack.stack, stack.frames.iter().collect());
            }
            Record::Fork(fork) => {
                self.forks.insert(fork.region, (*fork, stacks.named(chunk_thread, fork.stack)));
            }
            Record::Sample(sample) => {
                let mut sample = *sample;
                sample.weight = sample.weight.clamp(1, LONGEST_GAP);
                self.samples.push(&sample, stacks.named(chunk_thread, sample.stack));
                self.threads.entry(sample.thread).or_default().see(sample.time);
            }
            Record::RegionSiteTotal(total) => {
                let mut total = *total;
                bound([
                    &mut total.instances,
                    &mut total.elapsed,
                    &mut total.team_size_sum,
                    &mut total.work,
                    &mut total.barrier_wait,
                    &mut total.mutex_wait,
                    &mut total.task_wait,
                    &mut total.overhead,
                    &mut total.imbalance,
                    &mut total.gain,
                    &mut total.tasks_created,
                    &mut total.tasks_executed,
                    &mut total.task_work,
                    &mut total.implementation_barriers,
                ]);
                let key = (total.codeptr_ra, total.parent_codeptr, total.level);
                self.regions.insert(key, total);
            }
            Record::MutexSiteTotal(total) => {
                let mut total = *total;
                bound([
                    &mut total.acquisitions,
                    &mut total.contended,
                    &mut total.wait,
                    &mut total.longest_wait,
                    &mut total.hold,
                ]);
                let key = (total.wait_id, total.mutex_kind, total.codeptr_ra);
                self.mutexes.insert(key, total);
            }
            Record::TaskSiteTotal(total) => {
                let mut total = *total;
                bound([
                    &mut total.created,
                    &mut total.executed,
                    &mut total.stolen,
                    &mut total.work,
                    &mut total.shortest,
                    &mut total.longest,
                ]);
                self.tasks.insert(total.codeptr_ra, total);
            }
            Record::ConstructTotal(total) => {
                let mut total = *total;
                bound([
                    &mut total.instances,
                    &mut total.entered,
                    &mut total.time,
                    &mut total.chunks,
                    &mut total.iterations,
                    &mut total.counted_iterations,
                    &mut total.barrier_wait,
                    &mut total.open_time,
                    &mut total.open_barrier_wait,
                    &mut total.open_instances,
                ]);
                let region = (total.region_codeptr, total.region_level);
                let key = (region.0, region.1, total.codeptr_ra, total.construct_kind);
                self.constructs.insert(key, total);
            }
            Record::TargetSiteTotal(total) => {
                let mut total = *total;
                bound([
                    &mut total.executions,
                    &mut total.elapsed,
                    &mut total.kernels,
                    &mut total.kernel_time,
                    &mut total.to_device,
                    &mut total.to_device_bytes,
                    &mut total.to_device_time,
                    &mut total.from_device,
                    &mut total.from_device_bytes,
                    &mut total.from_device_time,
                    &mut total.within,
                    &mut total.within_bytes,
                    &mut total.within_time,
                    &mut total.allocations,
                    &mut total.allocated_bytes,
                    &mut total.memory_time,
                    &mut total.host_wait,
                    &mut total.overlap,
                ]);
                self.targets.insert((total.codeptr_ra, total.target_kind, total.device), total);
            }
            Record::RegionBody(known) => {
                self.region_bodies.insert(known.codeptr_ra, (known.called_from, known.body));
            }
            Record::TargetEvent(event) => {
                let mut event = *event;
                bound([&mut event.duration, &mut event.bytes]);
                self.target_events.push(event);
            }
            Record::MutexSitePlace(place) => {
                let MutexSitePlace { wait_id, mutex_kind, codeptr_ra, region_codeptr } = *place;
                self.mutex_places.insert((wait_id, mutex_kind, codeptr_ra), region_codeptr);
            }
            Record::TaskSiteSampling(sampling) => {
                let mut sampling = *sampling;
                bound([&mut sampling.seen, &mut sampling.deviation]);
                self.task_sampling.insert(sampling.codeptr_ra, sampling);
            }
            Record::MutexSiteSampling(sampling) => {
                let mut sampling = *sampling;
                bound([&mut sampling.timed]);
                let key = (sampling.wait_id, sampling.mutex_kind, sampling.codeptr_ra);
                self.mutex_sampling.insert(key, sampling);
            }
            Record::SampleCall(call) => {
                let name = self.call_name(call.call);
                self.samples.set_call(call.thread, name, call.blocked.min(LARGEST));
            }
            Record::CallTotal(total) => {
                let key = (total.codeptr_ra, self.call_name(total.call));
                let (mut count, mut blocked) = (total.count, total.blocked);
                bound([&mut count, &mut blocked]);
                self.calls.insert(key, CallSums { count, blocked });
            }
            Record::ThreadScheduling(scheduling) => {
                let mut known = Scheduling {
                    running: scheduling.running,
                    runnable: scheduling.runnable,
                    blocked_work: scheduling.blocked_work,
                    blocked_serial: scheduling.blocked_serial,
                };
                bound([
                    &mut known.running,
                    &mut known.runnable,
                    &mut known.blocked_work,
                    &mut known.blocked_serial,
                ]);
                self.threads.entry(scheduling.thread).or_default().scheduling = Some(known);
            }
            Record::ThreadSampling(sampling) => {
                let thread = self.threads.entry(sampling.thread).or_default();
                thread.untimed = sampling.untimed.min(LARGEST);
            }
            Record::ThreadTotal(total) => {
                let thread = self.threads.entry(total.thread).or_default();
                thread.see(total.time);
                let mut total = *total;
                bound([
                    &mut total.alive,
                    &mut total.work,
                    &mut total.idle,
                    &mut total.barrier_wait,
                    &mut total.mutex_wait,
                    &mut total.task_wait,
                    &mut total.overhead,
                    &mut total.serial_work,
                    &mut total.samples,
                    &mut total.missed,
                    &mut total.agent,
                ]);
                thread.total = Some(total);
            }
            Record::End(end) => {
                self.end = Some((end.time, end.agent.min(LARGEST)));
                // Before an attempt to execute another program there is one too: the last one
                // holds.
                let note = (end.exit_kind != 0).then(|| text(end.note));
                self.end_note = note.filter(|note| !note.is_empty());
            }
            Record::Message(message) => {
                let list = if message.severity >= severity::WARNING {
                    &mut self.warnings
                } else {
                    &mut self.notes
                };
                list.push(text(message.text));
            }
        }
    }

    fn call_name(&mut self, name: &[u8]) -> CallName {
        let name = visible_bytes(name);
        let known = self.call_names.iter().position(|known| **known == *name);
        let at = known.unwrap_or_else(|| {
            // A damaged file may hold any number of names.
            if self.call_names.len() < MOST_CALLS {
                self.call_names.push(name.into());
            }
            self.call_names.len() - 1
        });
        CallName(at as u32)
    }

    /// What a call is called.
    pub(crate) fn call(&self, name: CallName) -> &Rc<str> {
        &self.call_names[name.0 as usize]
    }

    /// The period that was asked for, ns; 1 ms where the file does not say.
    pub(crate) fn period(&self) -> u64 {
        match self.process.as_ref().map_or(0, |process| process.period) {
            0 => 1_000_000,
            period => period.clamp(1_000, 10_000_000_000),
        }
    }
}

/// No figure of a real run is larger (two years in ns); what a damaged file says must not make sums
/// overflow.
const LARGEST: u64 = 1 << 56;
/// Functions in which a thread may be blocked.
const MOST_CALLS: usize = 1 << 10;
/// Periods that one sample may stand for.
const LONGEST_GAP: u32 = 1 << 20;

fn bound<const N: usize>(figures: [&mut u64; N]) {
    for figure in figures {
        *figure = (*figure).min(LARGEST);
    }
}

/// Text of a profile, made fit for a terminal.
fn text(bytes: &[u8]) -> String {
    visible_bytes(bytes)
}
