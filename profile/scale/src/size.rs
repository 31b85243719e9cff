//! One size: a number of threads, and what became of the program with it.

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
    /// Of the fastest run, ns.
    pub least_ns: f64,
    /// Of the slowest one, ns.
    pub most_ns: f64,
    /// The elapsed time of the first size, divided by this one.
    pub speedup: f64,
    /// The speedup, divided by how many times the threads of the first size these are.
    pub efficiency: f64,
    /// The speedup by Amdahl's law: what is outside of regions at the first size takes as long, all
    /// else is shared out without a loss.
    pub amdahl_speedup: f64,
    /// What makes up the efficiency.
    pub factors: Factors,
    /// More threads than CPUs: nothing is taken from this size.
    pub is_oversubscribed: bool,
    /// Some threads share a core with another one, as hyper-threads.
    pub shares_cores: bool,
    /// Some threads have slower cores than others.
    pub has_slow_cores: bool,
    /// Other programs used the machine meanwhile: its times say little.
    pub is_busy: bool,
}
