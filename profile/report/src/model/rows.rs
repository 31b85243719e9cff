//! The rows of the report's tables of constructs and lines, independent of how they are shown.
//! Times are nanoseconds.

use std::rc::Rc;

use super::sums::{ratio, total};
use crate::symbols::Construct;
use crate::visible::visible;

/// All instances of one parallel construct at one place below other regions.
#[derive(Clone, Debug)]
pub struct RegionRow {
    /// The parallel construct.
    pub construct: Rc<Construct>,
    /// The construct of the enclosing region.
    pub parent: Option<Rc<Construct>>,
    /// 1 = outermost.
    pub level: u32,
    /// The number of regions that the construct made: how often a team was formed.
    pub instances: u64,
    /// True where `instances` counts these; a watcher from outside cannot count.
    pub is_counted: bool,
    /// Sum over instances of the primary thread's time from begin to end, ns.
    pub elapsed: u64,
    /// Sum over instances of the threads in the team.
    pub team_size_sum: u64,
    /// Sum over threads and instances of the time that ran: without waits, `blocked`, `without_cpu`
    /// and `overhead`, ns.
    pub work: u64,
    /// At work and able to run, but without a processor, over all threads, ns.
    pub without_cpu: u64,
    /// Waits at explicit and implicit barriers, over all threads, ns.
    pub barrier_wait: u64,
    /// Waits for locks, criticals, ordered and atomic regions, over all threads, ns.
    pub mutex_wait: u64,
    /// Waits for tasks, as in `taskwait`, over all threads, ns.
    pub task_wait: u64,
    /// In the runtime and in no wait, over all threads, ns.
    pub overhead: u64,
    /// The part of `overhead` in which the program's code had called the runtime, by samples.
    pub handing_out: u64,
    /// Sum over threads and instances of (longest work - own work), or, where that is more, of the
    /// threads' waits for each other at barriers inside.
    pub imbalance: u64,
    /// The part of `imbalance` that is such a wait, and no unequal work of an instance as a whole.
    pub imbalance_at_barriers: u64,
    /// Elapsed time that perfect balance would give back.
    pub gain: u64,
    /// Explicit tasks that were created in it, over all instances.
    pub tasks_created: u64,
    /// Explicit tasks that were executed in it to their end, over all instances.
    pub tasks_executed: u64,
    /// Part of `work` that was in explicit tasks, ns.
    pub task_work: u64,
    /// Barriers that the runtime added, which the program does not ask for.
    pub implementation_barriers: u64,
    /// Sleep of threads in the program's own calls; part of no other class here.
    pub blocked: u64,
    /// Threads in calls of MPI; part of no other class here.
    pub mpi: u64,
    /// The calls of `blocked`, the longest first: the function's name, how often, and the time
    /// asleep.
    pub calls: Vec<(Rc<str>, u64, u64)>,
    /// The constructs inside, in the order of the source.
    pub constructs: Vec<ConstructRow>,
    /// The same as `gain / longest work`, for CPU time over the whole run and by samples: delays by
    /// a busy machine do not count, and differences between instances even out. 0 = balanced.
    pub cpu_imbalance: f64,
    /// The number of threads seen at work in it, over all instances.
    pub cpu_threads: u64,
}

/// All instances of one construct inside one region. Times are sums over threads.
#[derive(Clone, Debug)]
pub struct ConstructRow {
    /// `for (dynamic)`, `single`, `barrier`, `end of the region`, in OpenMP's words.
    pub name: String,
    /// The construct's place in the source; its line is 0 if unknown.
    pub construct: Rc<Construct>,
    /// How often a team came to it; for single, masked, critical and ordered, how often it was
    /// executed. 0 with `is_seen` false: unknown.
    pub instances: u64,
    /// The time from its begin to its end; none where the program does not tell the runtime.
    pub time: Option<u64>,
    /// Chunks, or sections, that were handed out.
    pub chunks: Option<u64>,
    /// True where there were too many chunks to count all.
    pub chunks_estimated: bool,
    /// Iterations of a loop, or sections, over all instances; none where no event tells them.
    pub iterations: Option<u64>,
    /// The time in which threads asked the runtime for chunks, by samples.
    pub handing_out: u64,
    /// The wait in the barrier behind it, which is its imbalance; for a mutex the wait for it.
    pub wait: Option<u64>,
    /// False where the program calls no runtime for it: then only the barrier behind it is known,
    /// if even that.
    pub is_seen: bool,
}

impl ConstructRow {
    /// Returns its place in the region, `at file.c:42`: the line, and what differs from the
    /// region's file or function.
    pub(crate) fn place(&self, region: &RegionRow) -> String {
        if self.name.starts_with("end of") {
            return String::new();
        }
        let label = self.construct.label.trim_start_matches("region at ");
        let own = format!(" in {}", region.construct.function);
        format!("at {}", label.strip_suffix(own.as_str()).unwrap_or(label))
    }

    /// Whether its wait is for a mutex, not for the team.
    pub(crate) fn is_mutex(&self) -> bool {
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
    /// Returns how often it was entered, where that is known.
    pub fn entered(&self) -> Option<u64> {
        self.is_counted.then_some(self.instances)
    }

    /// Returns the average number of threads in a team.
    pub fn team_size(&self) -> f64 {
        ratio(self.team_size_sum, self.instances)
    }

    /// Counts waits at inner barriers as imbalance.
    pub(super) fn count_phases(&mut self) {
        let waited = self.waited_in_phases();
        self.imbalance_at_barriers = waited.saturating_sub(self.imbalance);
        self.imbalance = self.imbalance.max(waited);
        self.gain = self.gain.max((waited as f64 / self.team_size().max(1.0)) as u64);
    }

    /// Returns how long threads waited for each other at inner barriers, ns. Work may be equal over
    /// an instance and unequal in each of its phases, from barrier to barrier. Only the part counts
    /// that is not caused by threads that came late from elsewhere.
    pub(crate) fn waited_in_phases(&self) -> u64 {
        /// The time of a barrier where all arrive at once, ns.
        const BARRIER: u64 = 1_000;
        let with_barriers =
            self.constructs.iter().filter(|row| row.wait.is_some() && !row.is_mutex());
        let barriers = with_barriers.map(|row| row.instances).fold(0, u64::saturating_add);
        if self.tasks_executed > 0 || barriers <= self.instances {
            return 0;
        }
        let own = (barriers as f64 * self.team_size() * BARRIER as f64) as u64;
        // While one thread has no processor, all others may wait for it.
        let queued = (self.without_cpu as f64 * (self.team_size() - 1.0).max(0.0)) as u64;
        let elsewhere = [self.mutex_wait, self.task_wait, self.blocked, queued, own];
        // After an instance without inner barriers, the threads wait for work that is unequal in
        // sum, which is counted already.
        let inside = (ratio(barriers - self.instances, self.instances)).min(1.0);
        let ends = self.constructs.iter().filter(|row| row.name.starts_with("end of"));
        let at_ends = total(ends.filter_map(|row| row.wait));
        let counted = (at_ends as f64 * (1.0 - inside)) as u64;
        self.barrier_wait.saturating_sub(counted + total(elsewhere.into_iter()))
    }

    /// Returns the time of all threads in the region.
    pub fn thread_time(&self) -> u64 {
        self.work
            + self.without_cpu
            + self.blocked
            + self.mpi
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
    /// The task construct.
    pub construct: Rc<Construct>,
    /// Tasks that were created.
    pub created: u64,
    /// Tasks that were executed to their end.
    pub executed: u64,
    /// Tasks executed by another thread than the creator.
    pub stolen: u64,
    /// Sum of the tasks' own work, ns: without their blocked time, and without the runtime's part.
    pub work: u64,
    /// Sleep in the program's own calls, by samples: no part of `work`.
    pub blocked: u64,
    /// Least work of one timed task, with its blocked time, ns; 0 if none was timed.
    pub shortest: u64,
    /// Most work of one timed task, with its blocked time, ns; 0 if none was timed.
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

    /// Returns the average time of one task, ns: with its blocked time, like `shortest` and
    /// `longest`.
    pub fn mean_time(&self) -> f64 {
        ratio(self.work.saturating_add(self.blocked), self.executed)
    }
}

/// One mutex, with all places that acquire it.
#[derive(Clone, Debug)]
pub struct MutexRow {
    /// `critical`, `lock`, `nest lock`, `atomic`, `ordered`.
    pub kind: &'static str,
    /// `critical (hot)`, `lock queue_lock`, `lock at 0x7f00…`.
    pub name: String,
    /// `ompt_wait_id_t` of the mutex; the first of them where several share the row.
    pub wait_id: u64,
    /// Times that it was acquired; where `only_waits`, after a wait.
    pub acquisitions: u64,
    /// Acquisitions that had to wait.
    pub contended: u64,
    /// Sum of the waits for it, over all threads, ns.
    pub wait: u64,
    /// The longest wait of one acquisition, ns.
    pub longest_wait: u64,
    /// Sum of the times from acquisition to release, ns.
    pub hold: u64,
    /// Part of `hold`: asleep in calls of the program's own, ns.
    pub slept: u64,
    /// Acquisitions that were timed; less than `acquisitions` where they came too fast for that:
    /// `contended`, `wait` and `hold` are estimates then.
    pub timed: u64,
    /// True where no event told of acquisitions without a wait, nor of its release: then `hold` is
    /// 0.
    pub only_waits: bool,
    /// The places that acquire it and their wait, the longest first.
    pub sites: Vec<(Rc<Construct>, u64)>,
}

/// A line of the user's source, with the time that samples found there.
#[derive(Clone, Debug, Default)]
pub struct HotLine {
    /// The function that the line is in.
    pub function: Rc<str>,
    /// Source file, its path as the compiler recorded it; none if unknown.
    pub file: Option<Rc<str>>,
    /// Line in `file`; 0 if unknown.
    pub line: u32,
    /// Time of the samples that ran there, ns.
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
