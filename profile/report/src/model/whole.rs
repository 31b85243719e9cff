//! The run as a whole, and each thread's time. Times are nanoseconds.

use std::rc::Rc;

use omphalos_profile_format::MpiThread;

use super::sums::add;
use crate::class_parts::{ClassParts, InMpi};
use crate::recording::Scheduling;

/// The run as a whole.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Path of the program's file, as the system has it; empty if unknown.
    pub executable: String,
    /// The process's arguments, the program's name first; empty if unknown.
    pub command: Vec<String>,
    /// The process's id; 0 if unknown.
    pub pid: u32,
    /// Name of the machine that it ran on; empty if unknown.
    pub host: String,
    /// The runtime's own name; empty if unknown.
    pub runtime: String,
    /// Each `OMP_*`, `KMP_*`, `GOMP_*` and `OMPHALOS_*` variable that was set, as `NAME=value`.
    pub environment: Vec<String>,
    /// CPUs that the process could run on; 0 if unknown.
    pub cpus: u32,
    /// The CPUs that its threads may use, as they are bound.
    pub usable_cpus: u32,
    /// The model of the machine's processors, where whoever started the program wrote it down.
    pub processor: Option<String>,
    /// The share of the machine that other programs used meanwhile, where it is known.
    pub other_programs: Option<f64>,
    /// The compiler and options of the code with the regions, from its debug information, or the
    /// compilers alone. Empty if unknown.
    pub compilers: Vec<String>,
    /// Wall clock of the start, ns since 1970; 0 if unknown.
    pub started: u64,
    /// The time from the agent's start to the program's end, ns; if the program was killed, to the
    /// last time on record. For a run that was measured in parts, the sum of the parts.
    pub elapsed: u64,
    /// The same for the whole run, whatever part of it was measured.
    pub run: u64,
    /// The parts of the run that were measured, from when to when, ns since the agent's start; none
    /// where the whole run was.
    pub parts: Option<Vec<(u64, u64)>>,
    /// How much of `elapsed` the exact totals of regions, tasks and mutexes cover: all of it unless
    /// the program was killed.
    pub covered: u64,
    /// Threads with any time of their own.
    pub threads: u64,
    /// Sum of all threads' lives.
    pub alive: u64,
    /// Sum of all threads' [`ThreadRow::openmp_work`], ns.
    pub openmp_work: u64,
    /// Sum of all threads' [`ThreadRow::openmp_wait`], ns.
    pub openmp_wait: u64,
    /// Work outside any region.
    pub serial: u64,
    /// Sleep in the program's own calls, over all threads.
    pub blocked: u64,
    /// Those calls outside any region, the longest first: the function's name, how often, and the
    /// time.
    pub serial_calls: Vec<(Rc<str>, u64, u64)>,
    /// The number of samples, of all threads.
    pub samples: u64,
    /// Sampling periods in which no sample could be taken, of all threads.
    pub missed: u64,
    /// Samples a second for each thread: the rate that was asked for.
    pub rate_asked: f64,
    /// The rate that was reached: samples by the second of the threads' lives.
    pub rate: f64,
    /// Time spent in the agent, over all threads.
    pub agent: u64,
    /// The time that threads without OpenMP computed, ns: when they did is not known.
    pub others: u64,
    /// Share of their work time in which threads had a CPU, by samples; 1 where unknown. It is less
    /// on a busy machine, or with more threads than CPUs.
    pub cpu_share: f64,
    /// Sum of all threads' [`ThreadRow::mpi`], ns.
    pub mpi: u64,
    /// Sum of all threads' [`ThreadRow::without_cpu`], ns.
    pub without_cpu: u64,
    /// Bytes of the profile that could not be read.
    pub damaged: u64,
    /// Size of the profile, bytes.
    pub file_size: u64,
    /// The program ended in good order and everything was written.
    pub complete: bool,
    /// The reason why recording ended before the program did, if so; also one of
    /// [`Analysis::notes`](crate::Analysis::notes).
    pub stopped: Option<String>,
    /// True where figures come from the agent's totals by events, not from samples.
    pub exact: bool,
    /// The cost of looks from outside at a process that already ran, if that was done. Then counts
    /// are not known, and threads' times come from samples.
    pub attached: Option<Looks>,
}

/// Looks from outside, and their cost. Times are ns.
#[derive(Clone, Copy, Debug)]
pub struct Looks {
    /// How often all threads were looked at.
    pub looks: u64,
    /// How often one thread stood still for a look.
    pub stops: u64,
    /// The time of all these stops together.
    pub stood: u64,
    /// The longest stop.
    pub longest: u64,
    /// Processor time of the watching program.
    pub own: u64,
}

/// One thread's time. The classes (work, serial work, blocked, without a CPU, in MPI, the waits,
/// idle and overhead) do not overlap and add up to `alive`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadRow {
    /// The agent's index of the thread, from 0; other tables name the thread by it.
    pub thread: u32,
    /// The system's id of the thread; 0 if unknown.
    pub os_tid: u32,
    /// `ompt_thread_t`: 1 initial, 2 worker, 3 other.
    pub kind: u32,
    /// The known part of the thread's life, ns: all classes together.
    pub alive: u64,
    /// Work in regions, ns: the time that ran.
    pub work: u64,
    /// Work outside any region, ns: the time that ran.
    pub serial_work: u64,
    /// At work and able to run, but without a processor, ns: neither Work nor Wait.
    pub without_cpu: u64,
    /// The part of it outside any region.
    pub without_cpu_serial: u64,
    /// A worker's time without a region, ns.
    pub idle: u64,
    /// Waits at explicit and implicit barriers, ns.
    pub barrier_wait: u64,
    /// Waits for locks, criticals, ordered and atomic regions, ns.
    pub mutex_wait: u64,
    /// Waits for tasks, as in `taskwait` and at the end of a `taskgroup`, ns.
    pub task_wait: u64,
    /// In the runtime and in no wait, ns: making teams and tasks, handing out chunks.
    pub overhead: u64,
    /// Asleep in the program's own calls: neither Work nor Wait.
    pub blocked: u64,
    /// The part of it outside any region.
    pub blocked_serial: u64,
    /// In calls of MPI, waiting or not: neither Work nor Wait.
    pub mpi: u64,
    /// The part of it outside any region.
    pub mpi_serial: u64,
    /// The time on a processor, by the system; 0 = unknown.
    pub running: u64,
    /// Able to run, without a processor.
    pub runnable: u64,
    /// Samples that were taken of the thread.
    pub samples: u64,
    /// Sampling periods in which no sample of the thread could be taken.
    pub missed: u64,
    /// In the agent itself, ns: part of the classes, not one of its own.
    pub agent: u64,
    /// Part of `alive` in which events were too many to be timed: split among the classes by
    /// estimate.
    pub untimed: u64,
}

impl ThreadRow {
    /// Sets apart, of both classes of work, the time asleep, without a processor and in calls of
    /// MPI. `queued`: the time without a processor, in regions and outside of them.
    pub(super) fn take_parts(
        &mut self,
        scheduling: Option<Scheduling>,
        queued: (u64, u64),
        mpi: Option<MpiThread>,
    ) {
        let known = scheduling.unwrap_or_default();
        let in_mpi = InMpi::of_thread(&mpi.unwrap_or_default());
        let work = ClassParts::of(self.work, known.blocked_work, queued.0, in_mpi[0]);
        let serial = ClassParts::of(self.serial_work, known.blocked_serial, queued.1, in_mpi[1]);
        (self.work, self.serial_work) = (work.ran, serial.ran);
        self.blocked_serial = serial.blocked;
        self.without_cpu_serial = serial.queued;
        self.mpi_serial = serial.mpi;
        for parts in [work, serial] {
            add(&mut self.blocked, parts.blocked);
            add(&mut self.without_cpu, parts.queued);
            add(&mut self.mpi, parts.mpi);
        }
    }

    /// Sets the runtime's part of the work in regions apart, which is overhead: `time`, or all of
    /// that work.
    pub(super) fn take_runtimes(&mut self, time: u64) {
        let time = time.min(self.work);
        self.work -= time;
        add(&mut self.overhead, time);
    }

    /// Returns the time at work outside any region, with or without a processor, ns.
    pub fn serial(&self) -> u64 {
        self.serial_work + self.without_cpu_serial
    }

    /// Returns how much of the overhead was a wait for a processor, at most: on the way into a
    /// region that has begun, and out of one. A thread that ran no longer than it worked was not in
    /// the runtime. 0 where the system does not say how long it ran.
    pub fn overhead_without_cpu(&self) -> u64 {
        let ran = self.running.saturating_sub(self.openmp_work());
        let waited = self.runnable.saturating_sub(self.without_cpu);
        self.overhead.saturating_sub(ran).min(waited)
    }

    /// Returns the white paper's OpenMP Work: serial and parallel work, and reductions.
    pub fn openmp_work(&self) -> u64 {
        self.work + self.serial_work
    }

    /// Returns the white paper's OpenMP Wait: every wait, idleness and overhead.
    pub fn openmp_wait(&self) -> u64 {
        self.idle + self.barrier_wait + self.mutex_wait + self.task_wait + self.overhead
    }
}
