//! The report's tables, independent of how they are shown. Times are nanoseconds.

use std::rc::Rc;

use crate::symbols::Construct;
use crate::visible::visible;

/// The run as a whole.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub executable: String,
    pub command: Vec<String>,
    pub pid: u32,
    pub host: String,
    /// What the runtime calls itself; empty if unknown.
    pub runtime: String,
    pub environment: Vec<String>,
    pub cpus: u32,
    /// Wall clock of the start, ns since 1970; 0 if unknown.
    pub started: u64,
    pub elapsed: u64,
    /// How much of `elapsed` the exact totals of regions, tasks and mutexes cover: all of it unless
    /// the program was killed.
    pub covered: u64,
    /// Threads with any time of their own.
    pub threads: u64,
    /// Sum of all threads' lives.
    pub alive: u64,
    pub openmp_work: u64,
    pub openmp_wait: u64,
    /// Work outside any region.
    pub serial: u64,
    /// Asleep in calls of the program's own, over all threads.
    pub blocked: u64,
    /// Those outside of any region, the longest first: the function's name, how often, and the
    /// time.
    pub serial_calls: Vec<(Rc<str>, u64, u64)>,
    pub samples: u64,
    pub missed: u64,
    /// Samples a second and thread: asked for, and really taken.
    pub rate_asked: f64,
    pub rate: f64,
    /// Time spent in the agent, over all threads.
    pub agent: u64,
    /// Share of their work time in which threads had a CPU, by samples; 1 where unknown. Less than
    /// that on a busy machine, or with more threads than CPUs.
    pub cpu_share: f64,
    /// Bytes of the profile that could not be read, and its size.
    pub damaged: u64,
    pub file_size: u64,
    /// The program ended in good order and everything was written.
    pub complete: bool,
    /// Figures come from the agent's totals by events, not from samples.
    pub exact: bool,
}

/// One thread's time. The classes (work, serial work, blocked, the waits, idle and overhead) do not
/// overlap and add up to `alive`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadRow {
    pub thread: u32,
    pub os_tid: u32,
    /// `ompt_thread_t`: 1 initial, 2 worker, 3 other.
    pub kind: u32,
    pub alive: u64,
    pub work: u64,
    pub serial_work: u64,
    pub idle: u64,
    pub barrier_wait: u64,
    pub mutex_wait: u64,
    pub task_wait: u64,
    pub overhead: u64,
    /// Asleep in calls of the program's own: neither Work nor Wait.
    pub blocked: u64,
    /// Part of it outside of any region.
    pub blocked_serial: u64,
    /// On a processor, as the system says; 0 = unknown.
    pub running: u64,
    /// Able to run, without a processor.
    pub runnable: u64,
    pub samples: u64,
    pub missed: u64,
    pub agent: u64,
    /// Part of `alive` in which events were too many to be timed: split among the classes by
    /// estimate.
    pub untimed: u64,
}

impl ThreadRow {
    /// The white paper's OpenMP Work: serial and parallel work, and reductions.
    pub fn openmp_work(&self) -> u64 {
        self.work + self.serial_work
    }

    /// The white paper's OpenMP Wait: every wait, idleness and overhead.
    pub fn openmp_wait(&self) -> u64 {
        self.idle + self.barrier_wait + self.mutex_wait + self.task_wait + self.overhead
    }
}

/// All instances of one parallel construct at one place below other regions.
#[derive(Clone, Debug)]
pub struct RegionRow {
    pub construct: Rc<Construct>,
    /// The construct of the enclosing region.
    pub parent: Option<Rc<Construct>>,
    /// 1 = outermost.
    pub level: u32,
    pub instances: u64,
    pub elapsed: u64,
    pub team_size_sum: u64,
    pub work: u64,
    pub barrier_wait: u64,
    pub mutex_wait: u64,
    pub task_wait: u64,
    pub overhead: u64,
    /// Part of it in which the program's code had called the runtime, by samples.
    pub handing_out: u64,
    /// Sum over threads and instances of (longest work - own work), or, where that is more, of what
    /// they waited for each other at barriers inside.
    pub imbalance: u64,
    /// Elapsed time that perfect balance would give back.
    pub gain: u64,
    pub tasks_created: u64,
    pub tasks_executed: u64,
    pub task_work: u64,
    pub implementation_barriers: u64,
    /// Threads asleep in calls of the program's own; part of no other class here.
    pub blocked: u64,
    /// Those calls, the longest first: the function's name, how often, and the time asleep.
    pub calls: Vec<(Rc<str>, u64, u64)>,
    /// What stands inside, in the order of the source.
    pub constructs: Vec<ConstructRow>,
    /// The same as `gain / longest work`, of CPU time over the whole run and by samples: what a
    /// busy machine does to a thread does not count, and what differs from instance to instance
    /// evens out. 0 = balanced.
    pub cpu_imbalance: f64,
    /// Samples behind `cpu_imbalance`.
    pub cpu_samples: u64,
    /// Threads that were seen at work in it, over all instances.
    pub cpu_threads: u64,
}

/// All instances of one construct inside of one region. Times are sums over threads.
#[derive(Clone, Debug)]
pub struct ConstructRow {
    /// `for (dynamic)`, `single`, `barrier`, `end of the region`, in OpenMP's words.
    pub name: String,
    pub construct: Rc<Construct>,
    /// Times that a team came to it; of single, masked, critical and ordered, that it was executed.
    /// 0 with `is_seen` false: unknown.
    pub instances: u64,
    /// From its begin to its end; none where the program does not tell the runtime.
    pub time: Option<u64>,
    /// Chunks, or sections, that were handed out.
    pub chunks: Option<u64>,
    /// There were too many to count all.
    pub chunks_estimated: bool,
    pub iterations: Option<u64>,
    /// In the runtime for a chunk, by samples.
    pub handing_out: u64,
    /// In the barrier behind it, which is its imbalance; of a mutex the wait for it.
    pub wait: Option<u64>,
    /// False where the program asks no runtime for it: only the barrier behind it is known, if
    /// that.
    pub is_seen: bool,
}

impl ConstructRow {
    /// Its wait is for a mutex, not for the team.
    pub(super) fn is_mutex(&self) -> bool {
        ["ordered", "critical"].contains(&&*self.name)
    }

    pub(super) fn new(construct: Rc<Construct>) -> ConstructRow {
        ConstructRow {
            name: String::new(),
            construct,
            instances: 0,
            time: None,
            chunks: None,
            chunks_estimated: false,
            iterations: None,
            handing_out: 0,
            wait: None,
            is_seen: true,
        }
    }
}

impl RegionRow {
    /// Threads of a team on average.
    pub fn team_size(&self) -> f64 {
        ratio(self.team_size_sum, self.instances)
    }

    /// Work may be equal over an instance and unequal in each of its phases, from barrier to
    /// barrier: what the threads wait there is imbalance too, as far as they did not come late from
    /// elsewhere.
    pub(super) fn count_phases(&mut self) {
        /// What a barrier takes where all arrive at once, ns.
        const BARRIER: u64 = 1_000;
        let with_barriers =
            self.constructs.iter().filter(|row| row.wait.is_some() && !row.is_mutex());
        let barriers = with_barriers.map(|row| row.instances).fold(0, u64::saturating_add);
        if self.tasks_executed > 0 || barriers <= self.instances {
            return;
        }
        let own = (barriers as f64 * self.team_size() * BARRIER as f64) as u64;
        let elsewhere = [self.mutex_wait, self.task_wait, self.blocked, own];
        let waited = self.barrier_wait.saturating_sub(total(elsewhere.into_iter()));
        self.imbalance = self.imbalance.max(waited);
        self.gain = self.gain.max((waited as f64 / self.team_size().max(1.0)) as u64);
    }

    /// Time of all threads in the region.
    pub fn thread_time(&self) -> u64 {
        self.work
            + self.blocked
            + self.barrier_wait
            + self.mutex_wait
            + self.task_wait
            + self.overhead
    }

    /// Elapsed time of one instance on average, ns.
    pub fn mean_elapsed(&self) -> f64 {
        ratio(self.elapsed, self.instances)
    }
}

/// All tasks of one task construct.
#[derive(Clone, Debug)]
pub struct TaskRow {
    pub construct: Rc<Construct>,
    pub created: u64,
    pub executed: u64,
    /// Executed by another thread than the creator.
    pub stolen: u64,
    pub work: u64,
    /// Asleep in calls of the program's own, by samples: no part of `work`.
    pub blocked: u64,
    pub shortest: u64,
    pub longest: u64,
    /// Tasks whose times were taken; less than `executed` where they came too fast for that.
    pub timed: u64,
    /// Standard deviation of `work`, 0 where all tasks were timed.
    pub deviation: u64,
}

impl TaskRow {
    /// True where `work` is an estimate.
    pub fn is_estimate(&self) -> bool {
        self.timed < self.executed
    }

    /// What one task takes on average, ns: as `shortest` and `longest`, with what it is blocked.
    pub fn mean_time(&self) -> f64 {
        ratio(self.work.saturating_add(self.blocked), self.executed)
    }
}

/// One mutex, all places that acquire it together.
#[derive(Clone, Debug)]
pub struct MutexRow {
    /// `critical`, `lock`, `nest lock`, `atomic`, `ordered`.
    pub kind: &'static str,
    /// `critical (hot)`, `lock queue_lock`, `lock at 0x7f00…`.
    pub name: String,
    pub wait_id: u64,
    pub acquisitions: u64,
    /// Acquisitions that had to wait.
    pub contended: u64,
    pub wait: u64,
    pub longest_wait: u64,
    pub hold: u64,
    /// Acquisitions that were timed; less than `acquisitions` where they came too fast for that:
    /// `contended`, `wait` and `hold` are estimates then.
    pub timed: u64,
    /// The places that acquire it and their wait, the longest first.
    pub sites: Vec<(Rc<Construct>, u64)>,
}

/// A line of the user's source and the time that samples found there.
#[derive(Clone, Debug, Default)]
pub struct HotLine {
    pub function: Rc<str>,
    pub file: Option<Rc<str>>,
    pub line: u32,
    pub time: u64,
}

impl HotLine {
    /// `file.c:31`, if known.
    pub fn place(&self) -> Option<String> {
        let file = self.file.as_ref()?;
        let name = file.rsplit('/').next().unwrap_or(file);
        (self.line > 0).then(|| format!("{}:{}", visible(name), self.line))
    }
}

/// No sum in a report is larger, whatever a damaged file says: a few of them can be added up.
pub(crate) const LARGEST_SUM: u64 = 1 << 58;

/// Adds a part to a sum.
pub(crate) fn add(sum: &mut u64, part: u64) {
    *sum = sum.saturating_add(part).min(LARGEST_SUM);
}

/// All of them together.
pub(crate) fn total(parts: impl Iterator<Item = u64>) -> u64 {
    parts.fold(0, |mut sum, part| {
        add(&mut sum, part);
        sum
    })
}

pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
