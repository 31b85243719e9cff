//! One rank's row of the report.

use std::collections::HashMap;
use std::path::PathBuf;

use super::meetings::Waited;
use super::rank::Rank;

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
    pub(super) fn elapsed_of(&self, time: u64) -> u64 {
        let all = self.mpi_wait + self.mpi_transfer + self.mpi_other + self.mpi_start;
        let of_all = |part: u64| part as f64 / all.max(1) as f64;
        let (shared, beside) = (of_all(self.mpi_in_regions), of_all(self.mpi_beside));
        let alone = (1.0 - shared - beside).max(0.0);
        (time as f64 * (alone + shared / self.threads.max(1) as f64)) as u64
    }

    /// Returns the part of the rank's elapsed time in which it waited for other ranks, ns.
    pub(super) fn waited(&self) -> u64 {
        self.elapsed_of(self.mpi_wait)
    }

    /// Returns the part of the rank's elapsed time in MPI in which it waited for no rank, and had
    /// no processor, ns: waits have their share of the time without one.
    pub(super) fn lacked_in_mpi(&self) -> u64 {
        let all = self.mpi_wait + self.mpi_transfer + self.mpi_other + self.mpi_start;
        let own = (self.mpi_transfer + self.mpi_other) as f64 / all.max(1) as f64;
        self.elapsed_of((self.mpi_without_cpu as f64 * own) as u64)
    }

    /// The times of a table's columns.
    pub(super) fn shown(&self) -> [u64; 8] {
        [
            self.work, self.serial, self.openmp_wait, self.blocked, self.without_cpu,
            self.mpi_wait, self.mpi_transfer, self.mpi_other,
        ]
    }
}

/// Makes a rank's row; `waits`: its waits in MPI, by function.
pub(super) fn row(rank: &Rank, waits: &HashMap<u32, Waited>) -> Row {
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
