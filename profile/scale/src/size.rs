//! One size: a number of threads, and the program's figures with it.

use serde::{Deserialize, Serialize};

use crate::factors::Factors;

/// The program with so many threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// The threads that were asked for.
    pub threads: u32,
    /// How often it ran.
    pub runs: usize,
    /// The elapsed time of the run in the middle, ns; the rows are of that run.
    pub elapsed_ns: f64,
    /// The elapsed time of the fastest run, ns.
    pub least_ns: f64,
    /// The elapsed time of the slowest run, ns.
    pub most_ns: f64,
    /// The elapsed time of the first size, divided by this one.
    pub speedup: f64,
    /// The speedup, divided by the ratio of the threads to those of the first size.
    pub efficiency: f64,
    /// The speedup by Amdahl's law: the time outside regions at the first size stays, and all other
    /// time is shared out without a loss.
    pub amdahl_speedup: f64,
    /// The factors of the efficiency.
    pub factors: Factors,
    /// True for more threads than CPUs: nothing is concluded from this size.
    pub is_oversubscribed: bool,
    /// True where some threads share a core with another one, as hyper-threads.
    pub shares_cores: bool,
    /// True where some threads have slower cores than others.
    pub has_slow_cores: bool,
    /// True where other programs used the machine meanwhile: its times say little.
    pub is_busy: bool,
}
