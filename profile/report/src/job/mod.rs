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
//! | `row` | one rank's times |
//! | `warnings` | the gaps of the report |
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
mod row;
mod text;
mod unfinished;
mod warnings;
mod within_ranks;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use omphalos_profile_format::{Item, Reader, Record};

use crate::{Profile, Progress, ReportError};
pub use calls::CallRow;
use clocks::Clocks;
pub use factors::Factors;
pub use findings::JobFinding;
use locks::Locks;
use meetings::{Meetings, Waits};
use messages::Messages;
use rank::Rank;
pub use row::Row;
use row::row;

/// The names of the levels of threads that a library of MPI can give.
const LEVELS: [&str; 5] = [
    "", "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE",
];
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
