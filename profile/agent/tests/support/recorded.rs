//! A record file that has been read: its content, with the last of each total.

use omphalos_profile_format::{
    ConstructTotal, Fork, Item, MutexSiteTotal, Reader, Record, RegionSiteTotal, Sample,
    TaskSiteSampling, TaskSiteTotal, ThreadSampling, ThreadScheduling, ThreadTotal,
};
use std::collections::HashMap;
use std::path::Path;

/// A mapped object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    pub base: u64,
    pub end: u64,
    pub path: String,
    pub flags: u32,
}

/// The content of a record file, with the last of each total.
#[derive(Default)]
pub struct Recorded {
    pub pid: u32,
    pub samples: Vec<Sample>,
    pub forks: Vec<Fork>,
    pub stacks: HashMap<(u32, u64), Vec<u64>>,
    pub modules: Vec<Mapped>,
    pub threads: HashMap<u32, ThreadTotal>,
    pub regions: Vec<RegionSiteTotal>,
    pub mutexes: Vec<MutexSiteTotal>,
    pub tasks: Vec<TaskSiteTotal>,
    pub task_sampling: HashMap<u64, TaskSiteSampling>,
    pub thread_sampling: HashMap<u32, ThreadSampling>,
    /// The samples in calls, with the call's name and the ns blocked.
    pub sample_calls: Vec<(Sample, String, u64)>,
    /// The threads' waits for a processor, from records of their samples, ns.
    pub queued: HashMap<u32, u64>,
    /// The ns blocked, by the region's address and the call's name.
    pub calls: HashMap<(u64, String), u64>,
    /// The constructs' totals, by region, construct and kind.
    pub constructs: HashMap<(u64, u64, u32), ConstructTotal>,
    pub scheduling: HashMap<u32, ThreadScheduling>,
    /// The agent's messages to the reader.
    pub messages: Vec<String>,
    pub ended: bool,
    /// The note of the end record.
    pub end_note: String,
    /// The agent's part of all the processors' time, ns, from the end record.
    pub agent: u64,
    pub damage: usize,
    pub bad_records: usize,
}

/// Reads a record file.
pub fn read(path: &Path) -> Recorded {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut all = Recorded::default();
    for item in Reader::new(&bytes).expect("a record file") {
        let chunk = match item {
            Item::Chunk(chunk) => chunk,
            Item::Damage(_) => {
                all.damage += 1;
                continue;
            }
        };
        for record in chunk.records() {
            let Ok(record) = record else {
                all.bad_records += 1;
                continue;
            };
            all.take(chunk.thread, record);
        }
    }
    all
}

impl Recorded {
    fn take(&mut self, writer: u32, record: Record<'_>) {
        match record {
            Record::Process(process) => self.pid = process.pid,
            Record::Module(module) => self.modules.push(Mapped {
                base: module.base,
                end: module.end,
                path: String::from_utf8_lossy(module.path).into_owned(),
                flags: module.flags,
            }),
            Record::Stack(stack) => {
                self.stacks.insert((writer, stack.stack), stack.frames.iter().collect());
            }
            Record::Fork(fork) => self.forks.push(fork),
            Record::Sample(sample) => {
                assert_eq!(writer, sample.thread);
                self.samples.push(sample);
            }
            Record::ThreadTotal(total) => {
                self.threads.insert(total.thread, total);
            }
            Record::RegionSiteTotal(total) => {
                let key = |t: &RegionSiteTotal| (t.codeptr_ra, t.parent_codeptr, t.level);
                self.regions.retain(|known| key(known) != key(&total));
                self.regions.push(total);
            }
            Record::MutexSiteTotal(total) => {
                let key = |t: &MutexSiteTotal| (t.wait_id, t.mutex_kind, t.codeptr_ra);
                self.mutexes.retain(|known| key(known) != key(&total));
                self.mutexes.push(total);
            }
            Record::TaskSiteTotal(total) => {
                self.tasks.retain(|known| known.codeptr_ra != total.codeptr_ra);
                self.tasks.push(total);
            }
            Record::TaskSiteSampling(sampling) => {
                self.task_sampling.insert(sampling.codeptr_ra, sampling);
            }
            Record::ThreadSampling(sampling) => {
                self.thread_sampling.insert(sampling.thread, sampling);
            }
            Record::ConstructTotal(total) => {
                let key = (total.region_codeptr, total.codeptr_ra, total.construct_kind);
                self.constructs.insert(key, total);
            }
            Record::SampleCall(about) => {
                let sample = self.samples.last().expect("a sample before it");
                assert_eq!(sample.thread, about.thread);
                let name = String::from_utf8_lossy(about.call).into_owned();
                self.sample_calls.push((*sample, name, about.blocked));
            }
            Record::SampleQueued(about) => {
                *self.queued.entry(about.thread).or_default() += about.queued;
            }
            Record::CallTotal(total) => {
                let name = String::from_utf8_lossy(total.call).into_owned();
                self.calls.insert((total.codeptr_ra, name), total.blocked);
            }
            Record::ThreadScheduling(scheduling) => {
                self.scheduling.insert(scheduling.thread, scheduling);
            }
            Record::Message(message) => {
                self.messages.push(String::from_utf8_lossy(message.text).into_owned());
            }
            Record::End(end) => {
                (self.ended, self.agent) = (true, end.agent);
                self.end_note = String::from_utf8_lossy(end.note).into_owned();
            }
            _ => {}
        }
    }

    /// Returns the frames of a sample, innermost first; the first address is exact.
    pub fn frames(&self, sample: &Sample) -> &[u64] {
        self.stacks.get(&(sample.thread, sample.stack)).map_or(&[], Vec::as_slice)
    }

    /// Returns the base of the module whose path ends with this text.
    pub fn base(&self, ending: &str) -> u64 {
        self.modules.iter().find(|module| module.path.ends_with(ending)).expect("the module").base
    }

    /// Returns the total of the thread with index 0.
    pub fn initial(&self) -> &ThreadTotal {
        &self.threads[&0]
    }
}
