//! The compared part of one run, in the form of `omphalos report --json`. Times are in ns.
//!
//! Fields that are missing count as 0 or as unknown, so that reports of other versions can be read.

use serde::Deserialize;

use crate::counted::Counters;

/// A report of one process.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Run {
    pub(crate) format: u64,
    /// The program and its machine.
    pub program: Program,
    /// The whole process.
    pub summary: Summary,
    /// The report's findings, the costliest first.
    pub diagnosis: Vec<Finding>,
    /// Parallel regions.
    pub regions: Vec<Region>,
    pub(crate) tasks: Vec<Task>,
    /// Locks, critical and ordered regions.
    pub mutexes: Vec<Mutex>,
    pub(crate) targets: Vec<Target>,
    pub(crate) counters: Option<Counters>,
    pub(crate) call_tree: Node,
}

/// The program and its machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Program {
    /// The command line, word by word.
    pub command: Vec<String>,
    pub(crate) host: String,
    pub(crate) runtime: String,
    pub(crate) environment: Vec<String>,
    pub(crate) usable_cpus: u32,
    pub(crate) compilers: Vec<String>,
    pub(crate) processor: Option<String>,
}

/// Figures of the whole process.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// The time of the whole process.
    pub elapsed_ns: f64,
    /// The time that threads computed outside regions.
    pub serial_ns: f64,
    /// The time of threads at work that had no processor, in regions and outside.
    pub without_cpu_ns: f64,
    pub(crate) threads: u64,
    pub(crate) cpu_share: f64,
    pub(crate) rate_hz: f64,
    pub(crate) other_programs_share: Option<f64>,
    pub(crate) complete: bool,
}

/// A finding of the report.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Finding {
    /// A stable name: `hot-mutex`.
    pub disease: String,
    /// The place of the disease.
    pub place: String,
    /// Its cost, as elapsed time.
    pub cost_ns: f64,
    /// The figures behind it.
    pub evidence: String,
    /// The advice.
    pub advice: String,
}

/// A place in the program.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Construct {
    /// `region at app.c:42 in main`.
    pub label: String,
    pub(crate) file: Option<String>,
    pub(crate) line: u32,
    pub(crate) function: String,
}

/// A parallel region: times of all its instances.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Region {
    /// Its place.
    pub construct: Construct,
    pub(crate) parent: Option<Construct>,
    /// 1 for the outermost.
    pub level: u32,
    pub(crate) instances: Option<f64>,
    /// The elapsed time of all instances.
    pub elapsed_ns: f64,
    /// The mean number of threads.
    pub team_size: f64,
    /// The computing of all its threads.
    pub work_ns: f64,
    /// The time of threads at work that had no processor.
    pub without_cpu_ns: f64,
    /// Waits at barriers.
    pub barrier_wait_ns: f64,
    /// Waits for locks, critical, ordered and atomic regions.
    pub mutex_wait_ns: f64,
    /// Waits for tasks, where they are known.
    pub task_wait_ns: Option<f64>,
    /// The work of the runtime itself.
    pub overhead_ns: f64,
    /// Sleep of threads in the program's own calls.
    pub blocked_ns: f64,
    pub(crate) tasks_created: Option<f64>,
    pub(crate) constructs: Vec<Inner>,
}

/// A construct inside a region.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Inner {
    pub(crate) name: String,
    pub(crate) construct: Construct,
    pub(crate) iterations: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Task {
    pub(crate) construct: Construct,
    pub(crate) executed: f64,
    pub(crate) work_ns: f64,
}

/// A lock, critical or ordered region.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Mutex {
    /// Its name.
    pub name: String,
    pub(crate) acquisitions: Option<f64>,
    pub(crate) wait_ns: f64,
    /// How long it was held, where that is known.
    pub hold_ns: Option<f64>,
    pub(crate) sites: Vec<Site>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Site {
    pub(crate) construct: Construct,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) construct: Construct,
    pub(crate) executions: f64,
    pub(crate) elapsed_ns: f64,
}

/// A frame of the call tree.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) total_ns: f64,
    pub(crate) self_ns: f64,
    pub(crate) children: Vec<Node>,
}

impl Run {
    /// The time of the outermost regions.
    pub fn in_regions(&self) -> f64 {
        self.regions.iter().filter(|row| row.level <= 1).map(|row| row.elapsed_ns).sum()
    }

    /// Whether other programs had the processors, so that times say little: by the report's rule.
    pub fn is_busy(&self) -> bool {
        /// A run is busy if threads that can run have a processor for less than this share of it.
        const KEPT: f64 = 0.85;
        /// Or if other programs use more than this share of the machine: they use its caches and
        /// its memory too.
        const BESIDE: f64 = 0.10;
        let (usable, threads) = (f64::from(self.program.usable_cpus), self.summary.threads as f64);
        let alone = if threads > 0.0 && usable > 0.0 { (usable / threads).min(1.0) } else { 1.0 };
        self.summary.cpu_share < KEPT * alone
            || self.summary.other_programs_share.is_some_and(|share| share > BESIDE)
    }

    /// Returns the time that threads computed in each function, with the label of the region;
    /// `None` for functions outside regions.
    pub(crate) fn functions(&self) -> Vec<(Option<&str>, &str, f64)> {
        let mut found = Vec::new();
        // Call trees may be deep: no recursion.
        let mut open: Vec<(&Node, Option<&str>, &str)> = vec![(&self.call_tree, None, "")];
        while let Some((node, region, function)) = open.pop() {
            let (region, function) = match node.kind.as_str() {
                "region" => (Some(node.name.as_str()), function),
                "function" if !node.name.is_empty() => (region, node.name.as_str()),
                _ => (region, function),
            };
            let is_work = matches!(node.kind.as_str(), "function" | "system" | "region" | "task");
            if is_work && node.self_ns > 0.0 {
                let own = match node.kind.as_str() {
                    "region" => node.name.rsplit_once(" in ").map_or(function, |(_, own)| own),
                    _ => function,
                };
                found.push((region, own, node.self_ns));
            }
            open.extend(node.children.iter().map(|child| (child, region, function)));
        }
        found
    }
}
