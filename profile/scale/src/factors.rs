//! POP's factors, as far as they have a meaning for threads that share memory.

use serde::{Deserialize, Serialize};

use crate::rows::{Construct, Row};

/// The factors of the efficiency at one size; each is 1 where nothing is lost.
///
/// `global` is `parallel` times `computation`; `parallel` is the product of the six fields after
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factors {
    /// The work of the first size, as a share of all threads' time.
    pub global: f64,
    /// Work, as a share of all threads' time.
    pub parallel: f64,
    /// The part of all threads' time that is left without the time in which one thread works and
    /// the others have nothing to do (Amdahl).
    pub serial: f64,
    /// The part of that without the threads that regions might have and do not use.
    pub team: f64,
    /// The part of that without waits at barriers.
    pub load_balance: f64,
    /// The part of that without waits for locks and for tasks.
    pub serialisation: f64,
    /// The part of that without the runtime's own work.
    pub runtime: f64,
    /// The part of that without calls that block, and without time of threads that had no CPU.
    pub processor: f64,
    /// The work of the first size, as a share of the work.
    pub computation: f64,
}

impl Factors {
    /// Returns the factors at the size with the index `at`.
    pub(crate) fn of(constructs: &[Construct], at: usize) -> Factors {
        let outermost = constructs.iter().filter(|construct| construct.is_outermost());
        let rows: Vec<Row> = outermost.filter_map(|construct| construct.sizes[at]).collect();
        let sum = |figure: &dyn Fn(&Row) -> f64| rows.iter().map(figure).sum::<f64>();
        let all = sum(&Row::area);
        let mut left = all;
        let mut after = |lost: &dyn Fn(&Row) -> f64| {
            let before = left;
            left = (left - sum(&|row| row.threads * lost(row))).max(0.0);
            ratio(left, before)
        };
        let serial = after(&|row| row.lost.serial_ns);
        let team = after(&|row| row.lost.unused_threads_ns);
        let load_balance = after(&|row| row.lost.barrier_wait_ns);
        let serialisation = after(&|row| row.lost.mutex_wait_ns + row.lost.task_wait_ns);
        let runtime = after(&|row| row.lost.overhead_ns);
        let processor = after(&|row| row.lost.blocked_ns + row.lost.without_cpu_ns);
        let (work, first) = (sum(&|row| row.work_ns), sum(&|row| row.threads * row.ideal_ns));
        Factors {
            global: ratio(first, all),
            parallel: ratio(work, all),
            serial,
            team,
            load_balance,
            serialisation,
            runtime,
            processor,
            computation: ratio(first, work),
        }
    }
}

/// Returns a part of a whole; 1 where the whole is 0.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 1.0 }
}
