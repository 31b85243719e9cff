//! Takes one record after the other into the recording: the last total of each key holds.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use omphalos_profile_format::{MutexSitePlace, MutexSiteSlept, Record, severity};

use super::bounds::{Bounded, LARGEST, LONGEST_GAP};
use omphalos_program::symbols::{ModuleInfo, PythonCode};

use super::{CallSums, MachineInfo, ProcessInfo, Recording, Scheduling, StackIndex};
use crate::stacks::Stacks;
use crate::visible::visible_bytes;

/// The most libraries for which the report says that others took their places.
const MOST_TAKEN: usize = 16;

fn taken_place(old: &ModuleInfo, new: &ModuleInfo) -> String {
    let name = |of: &ModuleInfo| visible_bytes(of.path.as_os_str().as_bytes());
    let (old, new) = (name(old), name(new));
    format!(
        "'{old}' was unloaded and '{new}' took its place: some of its code has the other's names"
    )
}

impl Recording {
    /// Takes a record of the file.
    pub(crate) fn take(&mut self, chunk_thread: u32, record: &Record<'_>, stacks: &mut Stacks) {
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
            Record::Processors(processors) => self.usable_cpus = Some(processors.usable),
            Record::Machine(machine) => {
                self.machine = Some(MachineInfo {
                    processor: text(machine.processor),
                    all: machine.elapsed.min(LARGEST) as f64 * f64::from(machine.cpus),
                    others: machine.others.min(LARGEST) as f64,
                });
            }
            // `Profile::kept_report` and `job` read these.
            Record::ReportPiece(_)
            | Record::Rank(_)
            | Record::MpiMeeting(_)
            | Record::MpiMessage(_)
            | Record::MpiWaited(_)
            | Record::MpiAsked(_)
            | Record::MpiLock(_) => {}
            Record::MpiThread(known) => {
                let thread = self.threads.entry(known.thread).or_default();
                thread.mpi = Some(known.bounded());
                thread.mpi_open = None;
            }
            Record::MpiOpen(open) => {
                self.threads.entry(open.thread).or_default().mpi_open = Some(open.bounded());
            }
            Record::MpiCallTotal(total) => {
                let key = (total.call, total.codeptr_ra, total.region_codeptr);
                self.mpi_calls.insert(key, total.bounded());
            }
            Record::ThreadCpu(_)
            | Record::ThreadAffinity(_)
            | Record::ProcessAffinity(_)
            | Record::ControlGroup(_)
            | Record::MachineCpu(_) => {
                self.placement.take(record);
            }
            Record::CounterDifference(difference) => {
                let stack = stacks.named(chunk_thread, difference.stack);
                self.counted.take(record, stack);
            }
            Record::CounterSources(_) | Record::ProcessCounters(_) | Record::Energy(_) => {
                self.counted.take(record, StackIndex(0));
            }
            Record::Part(part) => {
                self.has_parts = true;
                self.see_last_samples();
                self.take_part(part);
            }
            Record::Attached(attached) => self.attached = Some(*attached),
            Record::ProcessTime(time) => self.computed = Some(time.running.min(LARGEST)),
            Record::Module(module) => {
                let info = ModuleInfo::from(module);
                // The later record of a place holds: a library was unloaded and another one mapped.
                let is_elsewhere = |old: &ModuleInfo| old.end <= info.base || old.base >= info.end;
                let is_other = |old: &&ModuleInfo| {
                    !is_elsewhere(old) && (&old.path, &old.build_id) != (&info.path, &info.build_id)
                };
                for old in self.modules.iter().filter(is_other) {
                    let text = taken_place(old, &info);
                    if self.warnings.len() < MOST_TAKEN && !self.warnings.contains(&text) {
                        self.warnings.push(text);
                    }
                }
                self.modules.retain(is_elsewhere);
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
            Record::PythonCode(code) => {
                self.python.insert(code.code, PythonCode::new(code));
            }
            Record::Fork(fork) => {
                self.forks.insert(fork.region, (*fork, stacks.named(chunk_thread, fork.stack)));
            }
            Record::Sample(sample) => {
                let mut sample = *sample;
                sample.weight = sample.weight.clamp(1, LONGEST_GAP);
                self.samples.push(&sample, stacks.named(chunk_thread, sample.stack));
                self.see_sample(sample.thread, sample.time);
            }
            Record::RegionSiteTotal(total) => {
                let key = (total.codeptr_ra, total.parent_codeptr, total.level);
                self.regions.insert(key, total.bounded());
                self.open_regions.remove(&key);
                self.queued_regions.remove(&key);
            }
            Record::RegionSiteQueued(queued) => {
                let key = (queued.codeptr_ra, queued.parent_codeptr, queued.level);
                self.queued_regions.insert(key, queued.work.min(LARGEST));
            }
            Record::ThreadQueued(queued) => {
                let thread = self.threads.entry(queued.thread).or_default();
                thread.queued = (queued.work.min(LARGEST), queued.serial.min(LARGEST));
            }
            Record::RegionSiteOpen(open) => {
                let key = (open.codeptr_ra, open.parent_codeptr, open.level);
                self.open_regions.insert(key, open.instances.min(LARGEST));
            }
            Record::MutexSiteTotal(total) => {
                let key = (total.wait_id, total.mutex_kind, total.codeptr_ra);
                self.mutexes.insert(key, total.bounded());
            }
            Record::TaskSiteTotal(total) => {
                self.tasks.insert(total.codeptr_ra, total.bounded());
            }
            Record::ConstructTotal(total) => {
                let region = (total.region_codeptr, total.region_level);
                let key = (region.0, region.1, total.codeptr_ra, total.construct_kind);
                self.constructs.insert(key, total.bounded());
            }
            Record::TargetSiteTotal(total) => {
                let key = (total.codeptr_ra, total.target_kind, total.device);
                self.targets.insert(key, total.bounded());
            }
            Record::RegionBody(known) => {
                self.region_bodies.insert(known.codeptr_ra, (known.called_from, known.body));
            }
            Record::TargetEvent(event) => self.target_events.push(event.bounded()),
            Record::MutexSitePlace(place) => {
                let MutexSitePlace { wait_id, mutex_kind, codeptr_ra, region_codeptr } = *place;
                self.mutex_places.insert((wait_id, mutex_kind, codeptr_ra), region_codeptr);
            }
            Record::MutexSiteSlept(held) => {
                let MutexSiteSlept { wait_id, mutex_kind, codeptr_ra, slept } = *held;
                self.mutex_slept.insert((wait_id, mutex_kind, codeptr_ra), slept.min(LARGEST));
            }
            Record::TaskSiteSampling(sampling) => {
                self.task_sampling.insert(sampling.codeptr_ra, sampling.bounded());
            }
            Record::MutexSiteSampling(sampling) => {
                let key = (sampling.wait_id, sampling.mutex_kind, sampling.codeptr_ra);
                self.mutex_sampling.insert(key, sampling.bounded());
            }
            Record::SampleCall(call) => {
                let name = self.call_name(call.call);
                self.samples.set_call(call.thread, name, call.blocked.min(LARGEST));
            }
            Record::SampleQueued(about) => {
                self.samples.set_queued(about.thread, about.queued.min(LARGEST));
            }
            Record::SampleMemory(about) => {
                self.samples.set_memory(about.thread, (about.behind, about.address));
            }
            Record::SampleNode(about) => {
                self.samples.set_nodes(about.thread, (about.node, about.from_node));
            }
            Record::CallTotal(total) => {
                let key = (total.codeptr_ra, self.call_name(total.call));
                let sums = CallSums { count: total.count, blocked: total.blocked };
                self.calls.insert(key, sums.bounded());
            }
            Record::ThreadScheduling(scheduling) => {
                let known = Scheduling {
                    running: scheduling.running,
                    runnable: scheduling.runnable,
                    blocked_work: scheduling.blocked_work,
                    blocked_serial: scheduling.blocked_serial,
                };
                let thread = self.threads.entry(scheduling.thread).or_default();
                thread.scheduling = Some(known.bounded());
            }
            Record::ThreadSampling(sampling) => {
                let thread = self.threads.entry(sampling.thread).or_default();
                thread.untimed = sampling.untimed.min(LARGEST);
            }
            Record::ThreadTotal(total) => {
                let thread = self.threads.entry(total.thread).or_default();
                thread.see(total.time);
                thread.total = Some(total.bounded());
            }
            Record::End(end) => {
                self.end = Some((end.time, end.agent.min(LARGEST)));
                self.goes_on = end.exit_kind == 2;
                // There is such a record before an attempt to execute another program too: the last
                // one holds.
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

    /// Notes the times of a thread's samples, which follow each other.
    fn see_sample(&mut self, thread: u32, time: u64) {
        match &mut self.seen {
            Some((of, first, last)) if *of == thread => {
                (*first, *last) = ((*first).min(time), (*last).max(time));
            }
            _ => {
                self.see_last_samples();
                self.seen = Some((thread, time, time));
            }
        }
    }

    pub(super) fn see_last_samples(&mut self) {
        if let Some((thread, first, last)) = self.seen.take() {
            let thread = self.threads.entry(thread).or_default();
            thread.see(first);
            thread.see(last);
        }
    }
}

/// Makes text of a profile fit for a terminal.
pub(super) fn text(bytes: &[u8]) -> String {
    visible_bytes(bytes)
}
