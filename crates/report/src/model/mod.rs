//! The analysis: a profile read, its samples joined, its totals by thread, region, task and mutex.

mod blocked;
mod constructs;
mod handing_out;
mod lines;
mod mutexes;
mod rows;
mod shares;
mod targets;
mod totals;
mod tree;
mod within;

use std::collections::HashMap;
use std::rc::Rc;

use omphalos_profile_format::{Fork, Sample};

pub use lines::LineTime;
pub use rows::{ConstructRow, HotLine, MutexRow, RegionRow, Summary, TaskRow, ThreadRow};
pub(crate) use rows::{add, ratio, total};
pub use targets::{Copies, DeviceEvent, DeviceEventKind, TargetRow};
pub use tree::CallNode;

use blocked::Blocked;
use shares::{Class, Parts, Sampled};
use within::Within;

use crate::diagnosis::{self, Finding};
use crate::join::{Joined, Joiner, LeafId, NodeId, PlacesId, StackTree, learn};
use crate::ompt::{Activity, THREAD_WORKER};
use crate::recording::{ModuleInfo, Recording};
use crate::samples::{Samples, Taken};
use crate::symbols::Symbols;
use crate::{Profile, Progress};

/// A sample with its user-model stack, for timelines.
#[derive(Clone, Copy, Debug)]
pub struct TimedSample {
    /// Since the start of the program, ns.
    pub time: u64,
    pub thread: u32,
    pub cpu_time: u64,
    /// Periods that it stands for.
    pub weight: u32,
    pub(crate) node: NodeId,
    pub(crate) places: PlacesId,
    /// The instance of the innermost region; 0 = none.
    pub(crate) region: u64,
    /// What is waited for.
    pub(crate) wait_id: u64,
}

/// Where a sample is in the user's model, and what its thread did there.
#[derive(Clone, Copy, Debug)]
struct Place {
    node: NodeId,
    places: PlacesId,
    activity: Activity,
}

/// Everything that a report shows.
pub struct Analysis {
    summary: Summary,
    threads: Vec<ThreadRow>,
    regions: Vec<RegionRow>,
    tasks: Vec<TaskRow>,
    mutexes: Vec<MutexRow>,
    targets: Vec<TargetRow>,
    device_events: Vec<DeviceEvent>,
    tree: CallNode,
    serial_tree: CallNode,
    hot_lines: Vec<HotLine>,
    serial_lines: Vec<HotLine>,
    findings: Vec<Finding>,
    doubts: Vec<String>,
    warnings: Vec<String>,
    notes: Vec<String>,
    pub(crate) stacks: StackTree,
    samples: Samples,
    /// What became of each.
    joined: Vec<Place>,
    /// When the program began.
    start: u64,
    /// Files of code, by the numbers that places have.
    pub(crate) modules: Vec<ModuleInfo>,
    /// When the regions began whose forks were recorded, ns since the start of the program.
    pub(crate) fork_times: HashMap<u64, u64>,
    /// Time in each stack, ns, in the order of the stacks' numbers.
    pub(crate) stack_times: Vec<(NodeId, u64)>,
}

impl Analysis {
    /// Reads and analyses a profile; what is missing is in [`Analysis::warnings`].
    pub fn new(profile: &Profile, progress: &mut dyn Progress) -> Analysis {
        let mut recording = Recording::read(profile, progress);
        let mut warnings = std::mem::take(&mut recording.warnings);
        let mut symbols = open_symbols(&recording, &mut warnings, progress);
        symbols.tell_apart(std::mem::take(&mut recording.region_bodies));
        let learned = learn::bodies(&recording, &symbols);
        symbols.learn(learned);
        let symbols = symbols;

        let mut joiner = Joiner::new(&recording, &symbols);
        let seen =
            || recording.threads.values().filter_map(|thread| thread.seen).map(|seen| seen.0);
        let start = recording.process.as_ref().map(|process| process.start_time);
        let start = start.or_else(|| seen().min()).unwrap_or(0);
        let period = recording.period();
        let mut joined = Vec::with_capacity(recording.samples.len());
        let mut times: Parts<NodeId> = HashMap::new();
        let mut serial_times: Parts<NodeId> = HashMap::new();
        let mut place_times: Parts<PlacesId> = HashMap::new();
        let mut lines: Parts<LeafId> = HashMap::new();
        let mut serial_lines: Parts<LeafId> = HashMap::new();
        let mut sampled = Sampled::default();
        let mut within = Within::default();
        progress.begin("joining stacks", recording.samples.len() as u64);
        for (i, taken) in recording.samples.iter().enumerate() {
            let Joined { mut node, places, leaf, mut activity } = joiner.join(&taken);
            let sample = &taken.sample;
            let mut whole = period.saturating_mul(u64::from(sample.weight.max(1)));
            // The first sample in a long while says nothing of what was before its region.
            let before = before_fork(&recording, sample, whole).filter(|before| *before > WHILE);
            if let Some(before) = before {
                whole -= before;
                let nowhere = joiner.not_sampled();
                let key = (nowhere, sample.thread, Class::Serial);
                add(times.entry(key).or_default(), before);
                add(serial_times.entry(key).or_default(), before);
                sampled.add(sample.thread, Class::Serial, before);
            }
            let blocked = taken.blocked.filter(|_| activity.is_work());
            let blocked_time = blocked.map_or(0, |(_, time)| time.min(whole));
            within.add(&recording, sample, activity, whole - blocked_time);
            let time = whole - blocked_time;
            let (thread, class) = (sample.thread, Class::of(activity));
            add(times.entry((node, thread, class)).or_default(), time);
            add(place_times.entry((places, thread, class)).or_default(), time);
            sampled.add(thread, class, time);
            let serial = activity == Activity::Serial && sample.region == 0;
            if serial {
                add(serial_times.entry((node, thread, class)).or_default(), time);
            }
            if let Some(leaf) = leaf.filter(|_| activity.is_work()) {
                if serial {
                    add(serial_lines.entry((leaf, thread, class)).or_default(), time);
                }
                add(lines.entry((leaf, thread, class)).or_default(), time);
            }
            if let Some((call, _)) = blocked {
                let asleep = joiner.blocked_in(node, call);
                let class = Class::Blocked;
                add(times.entry((asleep, thread, class)).or_default(), blocked_time);
                add(place_times.entry((places, thread, class)).or_default(), blocked_time);
                sampled.add(thread, class, blocked_time);
                if blocked_time > time {
                    (node, activity) = (asleep, Activity::Blocked);
                }
            }
            joined.push(Place { node, places, activity });
            if i % 1024 == 0 {
                progress.advance(i as u64);
            }
        }
        progress.end();
        let (threads, exact) = totals::threads(&recording, &within);
        let shares = sampled.shares(&recording, &threads);
        let mut times = shares.sums(&times);
        let serial_times = shares.sums(&serial_times);
        if shares.overhead > 0 {
            add(times.entry(joiner.overhead()).or_default(), shares.overhead);
        }
        let hot_lines = sorted_lines(&joiner, shares.sums(&lines));
        let serial_lines = sorted_lines(&joiner, shares.sums(&serial_lines));
        let place_times = shares.sums(&place_times);
        let stacks = joiner.tree;
        if !exact && !threads.is_empty() {
            warnings.push(
                "the totals of some threads are missing: their times are estimates from samples"
                    .to_owned(),
            );
        }
        let summary = summarise(&recording, &threads, exact);
        if summary.covered < summary.elapsed / 100 * 98 {
            warnings.push(format!(
                "the figures of regions, tasks and mutexes cover the first {} of {}",
                diagnosis::duration(summary.covered as f64),
                diagnosis::duration(summary.elapsed as f64),
            ));
        }
        let mut stack_times: Vec<(NodeId, u64)> = times.iter().map(|(n, t)| (*n, *t)).collect();
        stack_times.sort_unstable();
        let lines = lines::by_node(&stacks, &place_times);
        let blocked = Blocked::of(&recording);
        let waited = total(threads.iter().map(|row| row.mutex_wait));
        let fork_time = |(fork, _): &(Fork, _)| fork.time.saturating_sub(start);
        let mut analysis = Analysis {
            threads,
            regions: totals::regions(&recording, &symbols, &within, &blocked),
            tasks: totals::tasks(&recording, &symbols, &within, &blocked),
            mutexes: mutexes::rows(&recording, &symbols, exact.then_some(waited)),
            targets: targets::rows(&recording, &symbols),
            device_events: targets::events(&recording, &symbols, start),
            tree: tree::build(&stacks, &times, lines),
            serial_tree: tree::build(&stacks, &serial_times, HashMap::new()),
            hot_lines,
            serial_lines,
            findings: Vec::new(),
            doubts: Vec::new(),
            warnings,
            notes: recording.notes.into_iter().chain(recording.end_note).collect(),
            stacks,
            samples: recording.samples,
            joined,
            start,
            stack_times,
            fork_times: recording.forks.iter().map(|(id, fork)| (*id, fork_time(fork))).collect(),
            modules: symbols.into_modules(),
            summary,
        };
        analysis.drop_tasks_of_targets();
        (analysis.findings, analysis.doubts) = diagnosis::diagnose(&analysis);
        // Rules look at whole instances, and have one of their own for waits inside.
        analysis.regions.iter_mut().for_each(RegionRow::count_phases);
        analysis
    }

    /// A task that a target construct with nowait was left to is that construct's row.
    fn drop_tasks_of_targets(&mut self) {
        let targets = &self.targets;
        self.tasks.retain(|task| {
            let (own, line) = (&task.construct, task.construct.line);
            let is_it = |row: &TargetRow| {
                row.nowait && row.construct.line == line && row.construct.file == own.file
            };
            line == 0 || !targets.iter().any(is_it)
        });
    }

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

    /// Target constructs, the longest first.
    pub fn targets(&self) -> &[TargetRow] {
        &self.targets
    }

    /// Target constructs, kernels and copies in the order of their begins; where they came fast,
    /// not all of them.
    pub fn device_events(&self) -> &[DeviceEvent] {
        &self.device_events
    }

    /// The user-model call tree; its root is nameless and has the time of all samples.
    pub fn tree(&self) -> &CallNode {
        &self.tree
    }

    /// The part of the call tree that is work outside any region.
    pub fn serial_tree(&self) -> &CallNode {
        &self.serial_tree
    }

    /// Lines of the user's source that were running in work states, the hottest first.
    pub fn hot_lines(&self) -> &[HotLine] {
        &self.hot_lines
    }

    /// The same of work outside any region.
    pub fn serial_lines(&self) -> &[HotLine] {
        &self.serial_lines
    }

    /// What is wrong with the program, the costliest first; empty for a healthy one.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What looks like a finding but may come from a busy machine, one line each.
    pub fn doubts(&self) -> &[String] {
        &self.doubts
    }

    /// What the report lacks, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether the profile was taken through the Collector API, which knows no tasks.
    pub fn is_from_collector(&self) -> bool {
        self.summary.runtime.starts_with("Collector API")
    }

    /// What else the agent had to say.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// False for a program that never entered a region, made a task or had an OpenMP worker.
    pub fn used_openmp(&self) -> bool {
        !self.regions.is_empty()
            || !self.tasks.is_empty()
            || !self.mutexes.is_empty()
            || !self.targets.is_empty()
            || self.threads.iter().any(|thread| thread.kind == THREAD_WORKER)
            || self
                .joined
                .iter()
                .any(|place| !matches!(place.activity, Activity::Serial | Activity::Blocked))
    }

    /// Samples in the order of their times.
    pub fn samples(&self) -> impl Iterator<Item = TimedSample> {
        let timed = |(taken, place): (Taken, &Place)| {
            let (sample, Place { node, places, .. }) = (taken.sample, *place);
            TimedSample {
                time: sample.time.saturating_sub(self.start),
                thread: sample.thread,
                cpu_time: sample.cpu_time,
                weight: sample.weight,
                node,
                places,
                region: sample.region,
                wait_id: sample.wait_id,
            }
        };
        self.samples.iter().zip(&self.joined).map(timed)
    }

    /// A sample's user-model stack, outermost frame first.
    pub fn stack(&self, sample: &TimedSample) -> Vec<Rc<str>> {
        self.stacks.path(sample.node).iter().map(|label| label.text.clone()).collect()
    }
}

/// Ticks of the slowest kernels, ns: a sample that stands for less stands for its like, as where
/// regions are short and follow each other.
const WHILE: u64 = 20_000_000;

/// What part of a sample's time was before the outermost region that its thread forked, ns.
fn before_fork(recording: &Recording, sample: &Sample, whole: u64) -> Option<u64> {
    let (fork, _) = recording.forks.get(&sample.region)?;
    let own = fork.thread == sample.thread && fork.parent == 0;
    let inside = sample.time.checked_sub(fork.time).filter(|_| own)?;
    Some(whole.saturating_sub(inside))
}

/// Opens the modules that any address of the recording lies in.
fn open_symbols(
    recording: &Recording,
    warnings: &mut Vec<String>,
    progress: &mut dyn Progress,
) -> Symbols {
    let mut addresses: Vec<u64> = Vec::new();
    for stack in &recording.stacks {
        addresses.extend_from_slice(stack);
    }
    addresses.extend(recording.forks.values().map(|(fork, _)| fork.codeptr_ra));
    addresses.extend(recording.regions.keys().map(|key| key.0));
    addresses.extend(recording.tasks.keys());
    addresses.extend(recording.constructs.keys().map(|key| key.2));
    addresses.extend(recording.region_bodies.values().flat_map(|known| [known.0, known.1]));
    addresses.extend(recording.targets.keys().map(|key| key.0));
    addresses.extend(recording.mutexes.keys().flat_map(|key| [key.0, key.2]));
    addresses.sort_unstable();
    addresses.dedup();
    progress.begin("reading symbols", recording.modules.len() as u64);
    let wanted = |module: &crate::recording::ModuleInfo| {
        let next = addresses.partition_point(|address| *address < module.base);
        addresses.get(next).is_some_and(|address| *address < module.end)
    };
    let symbols =
        Symbols::open(&recording.modules, &wanted, warnings, |done| progress.advance(done));
    progress.end();
    symbols
}

fn sorted_lines(joiner: &Joiner<'_>, lines: HashMap<LeafId, u64>) -> Vec<HotLine> {
    let mut lines: Vec<HotLine> = lines
        .into_iter()
        .map(|(id, time)| {
            let leaf = joiner.leaf(id).clone();
            HotLine { function: leaf.function, file: leaf.file, line: leaf.line, time }
        })
        .collect();
    lines.sort_by(|a, b| {
        let key = |line: &HotLine| (line.function.clone(), line.line);
        b.time.cmp(&a.time).then_with(|| key(a).cmp(&key(b)))
    });
    lines
}

/// Less waiting for a processor than this share of the threads' lives is none.
const KEPT_FROM_RUNNING: f64 = 0.02;

/// How much of the time in which threads could run they had a CPU; older agents know it for work
/// only.
fn cpu_share(recording: &Recording) -> f64 {
    let mut wall = 0u64;
    let mut cpu = 0u64;
    let known: Vec<_> = recording.threads.values().filter_map(|info| info.scheduling).collect();
    let ran = known.iter().map(|known| known.running).fold(0, u64::saturating_add);
    let could = known.iter().map(|known| known.runnable).fold(ran, u64::saturating_add);
    if could > 0 {
        // Of threads that hardly want to run it says nothing that a processor is free only at
        // times.
        let alive = recording.threads.values().filter_map(|info| info.total).map(|t| t.alive);
        let alive = alive.fold(0, u64::saturating_add);
        return if ratio(could - ran, alive) < KEPT_FROM_RUNNING { 1.0 } else { ratio(ran, could) };
    }
    for Taken { sample, .. } in recording.samples.iter() {
        if Activity::of_state(sample.state) == Activity::Parallel {
            let time = recording.period().saturating_mul(u64::from(sample.weight));
            wall = wall.saturating_add(time);
            // A thread's first sample may count what it did before.
            cpu = cpu.saturating_add(sample.cpu_time.min(time));
        }
    }
    if cpu == 0 { 1.0 } else { ratio(cpu, wall) }
}

fn summarise(recording: &Recording, threads: &[ThreadRow], exact: bool) -> Summary {
    let process = recording.process.clone().unwrap_or_default();
    let last_seen = recording.threads.values().filter_map(|thread| thread.seen).map(|seen| seen.1);
    // Where the record of the process was lost, the first that is known of a thread stands in.
    let first_seen = recording.threads.values().filter_map(|thread| thread.seen).map(|seen| seen.0);
    let start = match &recording.process {
        Some(process) => process.start_time,
        None => first_seen.min().unwrap_or(0),
    };
    let end = recording.end.map(|(time, _)| time).or_else(|| last_seen.max()).unwrap_or(0);
    let sum = |field: &dyn Fn(&ThreadRow) -> u64| total(threads.iter().map(field));
    let alive = sum(&|row| row.alive);
    let samples = sum(&|row| row.samples);
    let by_threads = sum(&|row| row.agent);
    let totals = recording.threads.values().filter_map(|thread| thread.total).map(|t| t.time);
    let covered = recording.end.map(|(time, _)| time).or_else(|| totals.max()).unwrap_or(end);
    Summary {
        elapsed: end.saturating_sub(start),
        covered: covered.min(end).saturating_sub(start),
        threads: threads.len() as u64,
        alive,
        openmp_work: sum(&ThreadRow::openmp_work),
        openmp_wait: sum(&ThreadRow::openmp_wait),
        serial: sum(&|row| row.serial_work),
        blocked: sum(&|row| row.blocked),
        serial_calls: totals::serial_calls(recording),
        samples,
        missed: sum(&|row| row.missed),
        cpu_share: cpu_share(recording),
        rate_asked: 1e9 / recording.period() as f64,
        rate: ratio(samples, alive) * 1e9,
        agent: recording.end.map_or(by_threads, |(_, agent)| agent.max(by_threads)),
        damaged: recording.damaged.0,
        file_size: recording.damaged.1,
        complete: recording.end.is_some(),
        exact,
        executable: process.executable,
        command: process.argv,
        pid: process.pid,
        host: process.host,
        runtime: process.runtime_version,
        environment: process.environment,
        cpus: process.cpus,
        started: process.wall_clock,
    }
}
