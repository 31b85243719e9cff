//! The analysis: a profile read, its samples joined, its totals by thread, region, task and mutex.

mod analysing;
mod blocked;
mod callers;
mod code;
mod constructs;
mod counters;
mod far_memory;
mod handing_out;
mod last_calls;
mod lines;
mod mpi;
mod mutexes;
mod own_files;
mod page_faults;
mod place_times;
mod placed;
mod queued;
mod rows;
mod sampled_times;
mod shared_memory;
mod shares;
mod singles;
mod split;
mod summary;
mod sums;
mod targets;
mod totals;
mod tree;
mod whole;
mod within;

use std::collections::HashMap;
use std::rc::Rc;

pub use callers::{Caller, CallerFrame};
pub use code::{CodeCost, Costs};
pub use counters::{CounterPlace, CounterRow, Counters, Counts, Energy};
pub use far_memory::{FarMemory, MemoryNodes};
pub use lines::LineTime;
pub use mpi::MpiRow;
pub(crate) use mpi::function as mpi_function;
pub(crate) use own_files::is_users;
pub use page_faults::PageFaults;
pub use placed::{PlacedFrame, TimeKind};
pub use rows::{ConstructRow, HotLine, MutexRow, RegionRow, TaskRow};
pub use shared_memory::SharedMemory;
pub(crate) use sums::{add, ratio, total};
pub use targets::{Copies, DeviceEvent, DeviceEventKind, TargetRow};
pub use tree::CallNode;
pub use whole::{Looks, Summary, ThreadRow};

use crate::diagnosis::Finding;
use crate::join::{LeafId, NodeId, PlacesId, StackTree};
use crate::maps;
use crate::ompt::{Activity, THREAD_WORKER};
use crate::placement::Placement;
use crate::recording::COLLECTOR;
use crate::samples::{Samples, Taken};
use crate::symbols::ModuleInfo;

/// A sample with its user-model stack, for timelines.
#[derive(Clone, Copy, Debug)]
pub struct TimedSample {
    /// Since the start of the program, ns.
    pub time: u64,
    /// The agent's index of the thread, as [`ThreadRow::thread`].
    pub thread: u32,
    /// CPU time that the thread used since its last sample, ns.
    pub cpu_time: u64,
    /// The number of periods that it stands for.
    pub weight: u32,
    /// The number of these in which the thread was at work and had no CPU.
    pub queued: u32,
    pub(crate) node: NodeId,
    pub(crate) places: PlacesId,
    /// The instance of the innermost region; 0 = none.
    pub(crate) region: u64,
    /// The wait id of the mutex that the thread waits for.
    pub(crate) wait_id: u64,
}

/// The place of a sample in the user's model, and its thread's activity there.
#[derive(Clone, Copy, Debug)]
struct Place {
    node: NodeId,
    places: PlacesId,
    leaf: Option<LeafId>,
    activity: Activity,
}

/// Everything that a report shows.
pub struct Analysis {
    summary: Summary,
    placement: Placement,
    counters: Option<Counters>,
    threads: Vec<ThreadRow>,
    regions: Vec<RegionRow>,
    tasks: Vec<TaskRow>,
    mutexes: Vec<MutexRow>,
    mpi_calls: Vec<MpiRow>,
    targets: Vec<TargetRow>,
    device_events: Vec<DeviceEvent>,
    /// By the regions' labels.
    callers: maps::HashMap<Rc<str>, Vec<Caller>>,
    tree: CallNode,
    serial_tree: CallNode,
    blocked_tree: CallNode,
    hot_lines: Vec<HotLine>,
    /// None where no sample names the memory that its instruction used.
    shared_memory: Option<Vec<SharedMemory>>,
    page_faults: Vec<PageFaults>,
    memory_nodes: MemoryNodes,
    serial_lines: Vec<HotLine>,
    code: Vec<CodeCost>,
    findings: Vec<Finding>,
    doubts: Vec<String>,
    warnings: Vec<String>,
    notes: Vec<String>,
    pub(crate) stacks: StackTree,
    samples: Samples,
    /// The result for each sample.
    joined: Vec<Place>,
    /// Periods at work without a CPU, by the samples' numbers, where there are any.
    queued: maps::HashMap<u32, u32>,
    /// The stack for those periods.
    pub(crate) without_cpu: NodeId,
    /// The time of the program's begin.
    start: u64,
    /// Files of code, by the numbers in places.
    pub(crate) modules: Vec<ModuleInfo>,
    /// The begins of the regions whose forks were recorded, ns since the start of the program.
    pub(crate) fork_times: HashMap<u64, u64>,
    /// Time in each stack, ns, in the order of the stacks' numbers.
    pub(crate) stack_times: Vec<(NodeId, u64)>,
}

impl Analysis {
    /// The program and its arguments as they were typed.
    pub fn command(&self) -> String {
        match &self.summary.command[..] {
            [] => self.summary.executable.clone(),
            words => words.join(" "),
        }
    }

    /// The run as a whole.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The CPUs on which threads ran, those they may use, those of the machine, and the control
    /// group's grant.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The counters of the system and the processor; `None` if nobody asked for them.
    pub fn counters(&self) -> Option<&Counters> {
        self.counters.as_ref()
    }

    /// One row a thread, in the agent's order.
    pub fn threads(&self) -> &[ThreadRow] {
        &self.threads
    }

    /// Parallel regions, the longest first; nested ones follow the region that encloses them.
    pub fn regions(&self) -> &[RegionRow] {
        &self.regions
    }

    /// Task constructs, most work first.
    pub fn tasks(&self) -> &[TaskRow] {
        &self.tasks
    }

    /// Mutexes, the longest wait first.
    pub fn mutexes(&self) -> &[MutexRow] {
        &self.mutexes
    }

    /// Calls of MPI by place, the longest first.
    pub fn mpi_calls(&self) -> &[MpiRow] {
        &self.mpi_calls
    }

    /// Target constructs, the longest first.
    pub fn targets(&self) -> &[TargetRow] {
        &self.targets
    }

    /// Target constructs, kernels and copies in the order of their begins; where they came fast,
    /// not all of them.
    pub fn device_events(&self) -> &[DeviceEvent] {
        &self.device_events
    }

    /// Memory that threads write in turn, the longest time first; `None` where no sample of the
    /// profile tells of it.
    pub fn shared_memory(&self) -> Option<&[SharedMemory]> {
        self.shared_memory.as_deref()
    }

    /// The NUMA nodes of the memory that threads use; empty where nobody knows.
    pub fn memory_nodes(&self) -> &MemoryNodes {
        &self.memory_nodes
    }

    /// Code that spends its time in the first accesses to pages, the longest first.
    pub(crate) fn page_faults(&self) -> &[PageFaults] {
        &self.page_faults
    }

    /// The call paths to the regions with this label, the path with the most time first.
    pub fn callers(&self, label: &str) -> &[Caller] {
        self.callers.get(label).map_or(&[], |callers| callers)
    }

    /// The user-model call tree; its root is nameless and has the time of all samples.
    pub fn tree(&self) -> &CallNode {
        &self.tree
    }

    /// The part of the call tree that is work outside any region.
    pub fn serial_tree(&self) -> &CallNode {
        &self.serial_tree
    }

    /// The part of the call tree that is asleep in calls outside any region.
    pub fn blocked_tree(&self) -> &CallNode {
        &self.blocked_tree
    }

    /// Lines of the user's source that were running in work states, the hottest first.
    pub fn hot_lines(&self) -> &[HotLine] {
        &self.hot_lines
    }

    /// The same of work outside any region.
    pub fn serial_lines(&self) -> &[HotLine] {
        &self.serial_lines
    }

    /// The cost of the program's code, by address, the dearest first.
    pub fn code(&self) -> &[CodeCost] {
        &self.code
    }

    /// The findings, the costliest first; empty for a healthy program.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Apparent findings that may come from a busy machine, one line each.
    pub fn doubts(&self) -> &[String] {
        &self.doubts
    }

    /// The gaps of the report, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether the profile was taken through the Collector API, which knows no tasks.
    pub fn is_from_collector(&self) -> bool {
        self.summary.runtime.starts_with(COLLECTOR)
    }

    /// Whether the process was watched from outside, which gives no counts.
    pub fn is_attached(&self) -> bool {
        self.summary.attached.is_some()
    }

    /// The agent's other messages.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// False for a program that never entered a region, made a task or had an OpenMP worker. (A
    /// user who watches a process from outside wants to see whatever it does.)
    pub fn used_openmp(&self) -> bool {
        !self.regions.is_empty()
            || self.is_attached()
            || !self.tasks.is_empty()
            || !self.mutexes.is_empty()
            || !self.targets.is_empty()
            || self.threads.iter().any(|thread| thread.kind == THREAD_WORKER)
            || self.joined.iter().any(|place| {
                !matches!(place.activity, Activity::Serial | Activity::Blocked | Activity::Mpi)
            })
    }

    /// Samples in the order of their times.
    pub fn samples(&self) -> impl Iterator<Item = TimedSample> {
        let timed = |(number, (taken, place)): (usize, (Taken, &Place))| {
            let (sample, Place { node, places, .. }) = (taken.sample, *place);
            TimedSample {
                time: sample.time.saturating_sub(self.start),
                thread: sample.thread,
                cpu_time: sample.cpu_time,
                weight: sample.weight,
                queued: self.queued.get(&(number as u32)).copied().unwrap_or(0),
                node,
                places,
                region: sample.region,
                wait_id: sample.wait_id,
            }
        };
        self.samples.iter().zip(&self.joined).enumerate().map(timed)
    }

    /// A sample's user-model stack, outermost frame first.
    pub fn stack(&self, sample: &TimedSample) -> Vec<Rc<str>> {
        self.stacks.path(sample.node).iter().map(|label| label.text.clone()).collect()
    }
}
