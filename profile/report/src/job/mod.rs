//! Makes one report of a job: of several processes that a launcher such as `mpirun` started
//! together. The verb `report` calls [`Job::read`] with the record files of the job's ranks.
//!
//! | file | what |
//! |---|---|
//! | `rank` | one rank's file, read without its samples |
//! | `meetings` | the waits of ranks in collective calls |
//! | `messages` | the waits of ranks in messages between two |
//! | `clocks` | one time for all nodes |
//! | `factors` | the job's losses to MPI, and to OpenMP |
//! | `groups` | ranks that behave alike |
//! | `names` | the names of places |
//! | `placed` | ranks that share CPUs |
//! | `lateness` | ranks that others wait for, for another reason than work |
//! | `lost` | what a rank loses to sleep and to a lack of CPUs |
//! | `findings` | the slowest rank and its cause, and other findings |
//! | `within_ranks` | the losses of most ranks among their own threads |
//! | `text`, `json` | the report |
//!
//! What must hold: files are read one after the other, and only a bounded part of each is kept, so
//! that a thousand ranks fit into memory.

mod calls;
mod clocks;
mod factors;
mod findings;
mod groups;
mod json;
mod lateness;
mod locks;
mod lost;
mod meetings;
mod messages;
mod names;
mod placed;
mod rank;
mod text;
mod unfinished;
mod within_ranks;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use omphalos_profile_format::{Item, Reader, Record};

use crate::{Profile, Progress, ReportError};
pub use calls::CallRow;
use clocks::Clocks;
pub use factors::Factors;
pub use findings::JobFinding;
use locks::Locks;
use meetings::{Meetings, Waited, Waits};
use messages::Messages;
use rank::Rank;

/// One rank's time. The times of its threads do not overlap, and add up to `alive`.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The rank's number.
    pub rank: u32,
    /// The node that the rank ran on.
    pub host: String,
    /// The rank's record file.
    pub file: PathBuf,
    /// The time that was measured, without the begin of MPI, ns.
    pub elapsed: u64,
    /// The number of the process's threads.
    pub threads: u64,
    /// The sum of the threads' lives, ns.
    pub alive: u64,
    /// Work in regions, ns: the time on a processor, outside MPI.
    pub work: u64,
    /// Work outside regions, ns: the time on a processor, outside MPI.
    pub serial: u64,
    /// Waits in the runtime, idleness and overhead.
    pub openmp_wait: u64,
    /// Asleep, outside MPI.
    pub blocked: u64,
    /// At work without a processor, outside MPI.
    pub without_cpu: u64,
    /// In calls of MPI, waiting for other ranks.
    pub mpi_wait: u64,
    /// In calls of MPI whose waits are known, not waiting.
    pub mpi_transfer: u64,
    /// In calls of MPI whose waits are not known.
    pub mpi_other: u64,
    /// The time that MPI took to begin.
    pub mpi_start: u64,
    /// The number of calls of MPI.
    pub mpi_calls: u64,
    /// The number of threads that called MPI.
    pub mpi_threads: u64,
    /// The part of the time in MPI without a processor: contained in the four times of MPI above.
    pub mpi_without_cpu: u64,
    /// The part of the time in MPI that was in regions.
    pub mpi_in_regions: u64,
    /// The part of the time in MPI on threads that the program made itself, outside regions.
    pub mpi_beside: u64,
    /// The time in no call of MPI, ns: for several threads in a region the mean of the threads.
    pub outside_mpi: u64,
    /// The elapsed time that the rank lost because threads could run and had no CPU: outside of
    /// MPI, and in MPI without waiting for other ranks.
    pub lacked: u64,
    /// Whether the rank used OpenMP.
    pub used_openmp: bool,
    /// Whether the rank's file is complete: it has its end.
    pub is_complete: bool,
}

impl Row {
    /// Returns the part of the rank's elapsed time that a time of all its threads in MPI took. Time
    /// in regions counts as the mean of the threads, and time outside regions as the first thread's
    /// time.
    fn elapsed_of(&self, time: u64) -> u64 {
        let all = self.mpi_wait + self.mpi_transfer + self.mpi_other + self.mpi_start;
        let of_all = |part: u64| part as f64 / all.max(1) as f64;
        let (shared, beside) = (of_all(self.mpi_in_regions), of_all(self.mpi_beside));
        let alone = (1.0 - shared - beside).max(0.0);
        (time as f64 * (alone + shared / self.threads.max(1) as f64)) as u64
    }

    /// Returns the part of the rank's elapsed time in which it waited for other ranks, ns.
    fn waited(&self) -> u64 {
        self.elapsed_of(self.mpi_wait)
    }

    /// Returns the part of the rank's elapsed time in MPI in which it waited for no rank, and had
    /// no processor, ns: waits have their share of the time without one.
    fn lacked_in_mpi(&self) -> u64 {
        let all = self.mpi_wait + self.mpi_transfer + self.mpi_other + self.mpi_start;
        let own = (self.mpi_transfer + self.mpi_other) as f64 / all.max(1) as f64;
        self.elapsed_of((self.mpi_without_cpu as f64 * own) as u64)
    }

    /// The times of a table's columns.
    fn shown(&self) -> [u64; 8] {
        [
            self.work, self.serial, self.openmp_wait, self.blocked, self.without_cpu,
            self.mpi_wait, self.mpi_transfer, self.mpi_other,
        ]
    }
}

/// The names of the levels of threads that a library of MPI can give.
const LEVELS: [&str; 5] = [
    "", "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE",
];
/// Up to this level, only one thread of a process may call MPI.
const ONE_THREAD: u32 = 2;

/// A job that has been read.
#[derive(Debug, Default)]
pub struct Job {
    /// The number of its ranks.
    pub size: u32,
    /// The job's name, from the launcher.
    pub name: String,
    /// The program's words.
    pub command: Vec<String>,
    /// The name and version that the library of MPI gives itself; empty if unknown.
    pub library: String,
    /// The level of threads that the library gave; empty if MPI did not begin.
    pub level: &'static str,
    /// The nodes, by name.
    pub nodes: Vec<String>,
    /// The longest time from a rank's begin in MPI to its end, ns; of what was measured.
    pub elapsed: u64,
    /// The longest run of a rank, ns, if only parts of it were measured.
    pub run: Option<u64>,
    /// Each rank, by number.
    pub rows: Vec<Row>,
    /// Its losses to MPI, and to OpenMP.
    pub factors: Factors,
    /// Its findings, the costliest first.
    pub findings: Vec<JobFinding>,
    /// Calls of MPI by place, the longest first.
    pub calls: Vec<CallRow>,
    /// The possible difference of the nodes' clocks, ns; `None` where the difference does not
    /// matter or is not known.
    pub clocks_unsure: Option<u64>,
    /// The gaps of the report, and threads that may not call MPI but do, a sentence each.
    pub warnings: Vec<String>,
    /// The file of the rank whose own report explains most.
    pub slowest: Option<PathBuf>,
}

/// Returns the rank of the process that wrote a file: its number, the number of ranks, and the
/// job's name; `None` for a process that no launcher started. Reads only the file's begin.
pub fn rank_of(profile: &Profile) -> Option<(u32, u32, String)> {
    let chunks = Reader::new(profile.bytes()).ok()?.filter_map(|item| match item {
        Item::Chunk(chunk) => Some(chunk),
        Item::Damage(_) => None,
    });
    /// The rank's record comes soon after the record of the process.
    const FIRST_CHUNKS: usize = 8;
    chunks.take(FIRST_CHUNKS).find_map(|chunk| {
        chunk.records().flatten().find_map(|record| match record {
            Record::Rank(rank) if rank.size > 1 => {
                let job = String::from_utf8_lossy(rank.job).into_owned();
                Some((rank.number, rank.size, job))
            }
            _ => None,
        })
    })
}

impl Job {
    /// Reads the ranks' files. [`Job::warnings`] names each file that cannot be read.
    ///
    /// # Errors
    /// If no file can be read as a rank's profile.
    pub fn read(files: &[PathBuf], progress: &mut dyn Progress) -> Result<Job, ReportError> {
        let mut job = Job::default();
        let mut ranks: Vec<Rank> = Vec::new();
        let mut meetings = Meetings::default();
        let mut messages = Messages::default();
        let mut locks = Locks::default();
        let mut failed = None;
        progress.begin("reading the ranks", files.len() as u64);
        for (number, file) in files.iter().enumerate() {
            let at = ranks.len() as u32;
            let mut meets = |record: &Record<'_>| match record {
                Record::MpiMeeting(met) => meetings.take(at, met),
                Record::MpiMessage(message) => messages.take(at, message),
                Record::MpiWaited(waited) => meetings.take_wait(at, waited),
                Record::MpiAsked(asked) => messages.take_asked(at, asked),
                Record::MpiLock(access) => locks.take(at, access),
                _ => {}
            };
            let read = Profile::open(file).and_then(|profile| Rank::read(&profile, &mut meets));
            match read {
                Ok(rank) => ranks.push(rank),
                Err(error) => {
                    job.warnings.push(error.to_string());
                    failed = failed.or(Some(error));
                }
            }
            progress.advance(number as u64 + 1);
        }
        progress.end();
        if let (true, Some(error)) = (ranks.is_empty(), failed) {
            return Err(error);
        }
        let mut numbers = vec![None; ranks.len()];
        let mut all: Vec<(usize, Rank)> = ranks.into_iter().enumerate().collect();
        job.keep_one_job(&mut all);
        all.iter().enumerate().for_each(|(to, (from, _))| numbers[*from] = Some(to as u32));
        meetings.renumber(&numbers);
        messages.renumber(&numbers);
        locks.renumber(&numbers);
        let ranks: Vec<Rank> = all.into_iter().map(|(_, rank)| rank).collect();
        let clocks = Clocks::new(&ranks, &meetings);
        let mut later = Waits::new();
        let mut waits = meetings.waits(ranks.len(), &clocks, &mut later);
        messages.add_waits(&mut waits, &clocks, later);
        locks.add_waits(&mut waits, &clocks);
        job.describe(&ranks);
        job.rows = ranks.iter().zip(&waits).map(|(rank, waits)| row(rank, waits)).collect();
        let left_out = meetings.left_out + messages.left_out + locks.left_out;
        if job.calls_mpi() && meetings.most_ranks == 1 {
            job.warnings.push(format!(
                "the library of MPI took each of the {} processes for a job of its own: it does \
                 not belong to the launcher (mpirun and the library must be of one MPI)",
                job.size
            ));
        }
        job.warn(&ranks, left_out, &clocks);
        job.factors = Factors::of(&job.rows);
        let slow = findings::slow(&ranks);
        job.slowest = slow.and_then(|at| ranks.get(at)).map(|rank| rank.file.clone());
        let names = names::Names::of(&ranks, slow.unwrap_or(0));
        job.calls = calls::rows(&ranks, &waits, &names);
        job.findings = findings::all(&job, &ranks, slow, &names);
        Ok(job)
    }

    /// Keeps the files of the newest job, if there are files of several jobs. If several processes
    /// have one rank, keeps the process that called MPI, or else the one that worked most.
    fn keep_one_job(&mut self, all: &mut Vec<(usize, Rank)>) {
        let newest = all
            .iter()
            .map(|(_, rank)| rank)
            .max_by_key(|rank| (rank.wall_less_clock + i128::from(rank.start), rank.number));
        let Some(newest) = newest.map(|rank| (rank.job.clone(), rank.size)) else { return };
        let before = all.len();
        all.retain(|(_, rank)| (&rank.job, rank.size) == (&newest.0, newest.1));
        if all.len() < before {
            self.warnings.push(format!(
                "{} of the files are of other jobs than the newest one, and left out",
                before - all.len()
            ));
        }
        all.sort_by_key(|(_, rank)| {
            (rank.number, std::cmp::Reverse((rank.level, rank.work)), rank.pid)
        });
        let processes = all.len();
        all.dedup_by_key(|(_, rank)| rank.number);
        if all.len() < processes {
            self.warnings.push(format!(
                "{} further processes that ranks started are left out: name their profiles to see \
                 them",
                processes - all.len()
            ));
        }
    }

    fn describe(&mut self, ranks: &[Rank]) {
        let nodes: BTreeSet<&str> = ranks.iter().map(|rank| &*rank.host).collect();
        self.nodes = nodes.into_iter().map(str::to_owned).collect();
        self.elapsed = ranks.iter().map(Rank::elapsed).max().unwrap_or(0);
        self.run = ranks.iter().filter(|rank| rank.measured.is_some()).map(Rank::run).max();
        let Some(first) = ranks.first() else { return };
        self.size = first.size;
        self.name.clone_from(&first.job);
        self.command.clone_from(&first.command);
        self.library.clone_from(&first.library);
        self.level = LEVELS.get(first.level as usize).copied().unwrap_or_default();
    }

    fn warn(&mut self, ranks: &[Rank], left_out: u64, clocks: &Clocks) {
        let numbers: BTreeSet<u32> = ranks.iter().map(|rank| rank.number).collect();
        /// A damaged file may claim any number of ranks.
        const MOST: u32 = 1 << 20;
        let all = 0..self.size.min(MOST);
        let missing: Vec<u32> = all.filter(|rank| !numbers.contains(rank)).collect();
        let ranges = groups::ranges;
        if !missing.is_empty() {
            self.warnings.push(format!(
                "of {} of the {} ranks there is no profile: {}",
                missing.len(),
                self.size,
                ranges(&missing)
            ));
        }
        let those = |is_it: &dyn Fn(&Rank) -> bool| -> Vec<u32> {
            ranks.iter().filter(|rank| is_it(rank)).map(|rank| rank.number).collect()
        };
        let torn = those(&|rank| !rank.is_complete);
        if !torn.is_empty() {
            self.warnings.push(format!(
                "the profiles of these ranks have no end, since they were killed or run still: {}",
                ranges(&torn)
            ));
        }
        let damaged = those(&|rank| rank.damaged > 0);
        if !damaged.is_empty() {
            self.warnings.push(format!("damaged in part: the profiles of {}", ranges(&damaged)));
        }
        let against = those(&|rank| (1..=ONE_THREAD).contains(&rank.level) && rank.mpi_threads > 1);
        if let Some(first) = ranks.iter().find(|rank| against.contains(&rank.number)) {
            let others: Vec<u32> =
                against.iter().copied().filter(|rank| *rank != first.number).collect();
            self.warnings.push(format!(
                "{} threads of rank {} call MPI, which gave it {}: only the first may, and what \
                 happens otherwise is undefined (MPI_Init_thread asks for more){}",
                first.mpi_threads,
                first.number,
                LEVELS.get(first.level as usize).copied().unwrap_or_default(),
                match &others[..] {
                    [] => String::new(),
                    [one] => format!("; so do those of rank {one}"),
                    several => format!("; so do those of ranks {}", groups::ranges(several)),
                },
            ));
        }
        if left_out > 0 {
            self.warnings.push(format!(
                "{left_out} parts in calls of MPI were too many: waits in MPI are of the others"
            ));
        }
        match clocks.unsure {
            None => {}
            Some(i128::MAX) => self.warnings.push(
                "nothing tells how far the nodes' clocks are apart: waits in MPI go by their wall \
                 clocks"
                    .to_owned(),
            ),
            Some(unsure) => self.clocks_unsure = u64::try_from(unsure).ok(),
        }
    }

    /// Returns the ranks of each node: name and numbers.
    fn ranks_of_nodes(&self) -> BTreeMap<&str, Vec<u32>> {
        let mut nodes: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        self.rows.iter().for_each(|row| nodes.entry(&row.host).or_default().push(row.rank));
        nodes
    }

    /// Whether any rank called MPI.
    fn calls_mpi(&self) -> bool {
        self.rows.iter().any(|row| row.mpi_calls > 0)
    }

    /// Returns the profile of a rank.
    pub fn file_of(&self, rank: u32) -> Option<&Path> {
        self.rows.iter().find(|row| row.rank == rank).map(|row| &*row.file)
    }

    /// The report for a terminal.
    pub fn text(&self, options: &crate::text::TextOptions) -> String {
        text::render(self, options)
    }

    /// The report for programs.
    pub fn json(&self) -> serde_json::Value {
        json::value(self)
    }
}

fn row(rank: &Rank, waits: &HashMap<u32, Waited>) -> Row {
    let (mut wait, mut transfer) = (0.0, 0.0);
    for (function, elapsed) in &rank.ended_calls {
        if let Some(known) = waits.get(function).filter(|known| known.elapsed > 0) {
            let share = known.wait as f64 / known.elapsed as f64;
            wait += *elapsed as f64 * share;
            transfer += *elapsed as f64 * (1.0 - share);
        }
    }
    let start = rank.beginning().min(rank.mpi);
    let wait = (wait as u64).min(rank.mpi - start);
    let transfer = (transfer as u64).min(rank.mpi - start - wait);
    let mut row = Row {
        rank: rank.number,
        host: rank.host.clone(),
        file: rank.file.clone(),
        elapsed: rank.elapsed(),
        threads: rank.threads,
        alive: rank.alive,
        work: rank.work,
        serial: rank.serial,
        openmp_wait: rank.openmp_wait,
        blocked: rank.blocked,
        without_cpu: rank.without_cpu,
        mpi_wait: wait,
        mpi_transfer: transfer,
        mpi_other: rank.mpi - start - wait - transfer,
        mpi_start: start,
        mpi_calls: rank.mpi_calls,
        mpi_threads: rank.mpi_threads,
        mpi_without_cpu: rank.mpi_without_cpu.min(rank.mpi),
        mpi_in_regions: rank.mpi_in_regions,
        mpi_beside: rank.mpi_beside,
        outside_mpi: rank.outside_mpi(),
        lacked: rank.lacked.elapsed(rank.threads),
        used_openmp: rank.used_openmp,
        is_complete: rank.is_complete,
    };
    row.lacked += row.lacked_in_mpi();
    row
}
