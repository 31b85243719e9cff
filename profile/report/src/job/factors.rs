//! Computes the used share of the processors' time as a product of factors, after the hybrid model
//! of the POP Centre of Excellence.

use super::Row;

/// The factors. Each is 1 where nothing is lost; `parallel` is the product of `mpi`, `openmp` and
/// `cpu`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Factors {
    /// The work of all threads, as a share of the time that they had.
    pub parallel: f64,
    /// The factor of MPI: `balance` times `communication`.
    pub mpi: f64,
    /// The balance of the ranks' times outside MPI: the mean divided by the longest.
    pub balance: f64,
    /// The longest time outside MPI, as a share of the run.
    pub communication: f64,
    /// The factor of OpenMP within the ranks.
    pub openmp: f64,
    /// The factor of processors: the share of work in which threads had a processor.
    pub cpu: f64,
}

impl Factors {
    pub(super) fn of(rows: &[Row]) -> Factors {
        let runtime = rows.iter().map(|row| row.elapsed).max().unwrap_or(0) as f64;
        let longest = rows.iter().map(|row| row.outside_mpi).max().unwrap_or(0) as f64;
        if rows.is_empty() || runtime <= 0.0 || longest <= 0.0 {
            return Factors::default();
        }
        let mean = rows.iter().map(|row| row.outside_mpi as f64).sum::<f64>() / rows.len() as f64;
        let could: f64 = rows.iter().map(|row| row.threads.max(1) as f64 * runtime).sum();
        let useful: f64 = rows.iter().map(|row| (row.work + row.serial) as f64).sum();
        let (balance, communication) = (mean / longest, longest / runtime);
        let mpi = balance * communication;
        let queued: f64 = rows.iter().map(|row| row.without_cpu as f64).sum();
        let at_work = ((useful + queued) / could).min(1.0);
        let cpu = useful / (useful + queued).max(1.0);
        let openmp = (at_work / mpi).min(1.0);
        Factors { parallel: at_work * cpu, mpi, balance, communication, openmp, cpu }
    }
}
