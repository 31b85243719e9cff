//! One side of a comparison: a run, or several of one program.

use serde_json::Value;

use crate::noise::median;
use crate::run::Run;

/// The format of reports that this version reads.
const FORMAT: u64 = 1;

/// The runs of one side.
#[derive(Clone, Debug)]
pub struct Side {
    pub(crate) name: String,
    pub(crate) runs: Vec<Run>,
}

impl Side {
    /// Makes the side with this name, from reports in the form of `omphalos report --json`.
    ///
    /// # Errors
    /// If there is no report, or if this version cannot read one of them.
    pub fn of(name: &str, reports: &[Value]) -> Result<Side, String> {
        if reports.is_empty() {
            return Err(format!("{name} has no run"));
        }
        let read = |report: &Value| {
            let run: Option<Run> = serde::Deserialize::deserialize(report).ok();
            let run = run.filter(|run| run.format == FORMAT && run.summary.elapsed_ns > 0.0);
            run.ok_or_else(|| format!("{name} is no report that this version can read"))
        };
        let runs = reports.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(Side { name: name.to_owned(), runs })
    }

    /// The number of runs.
    pub fn count(&self) -> usize {
        self.runs.len()
    }

    /// The runs, in order.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The side's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a figure of each run.
    pub(crate) fn each(&self, figure: impl Fn(&Run) -> f64) -> Vec<f64> {
        self.runs.iter().map(figure).collect()
    }

    pub(crate) fn first(&self) -> &Run {
        &self.runs[0]
    }

    /// Whether other programs had the processors in most of the runs.
    pub fn is_busy(&self) -> bool {
        2 * self.runs.iter().filter(|run| run.is_busy()).count() > self.count()
    }

    /// The time between two samples of a thread, ns.
    pub(crate) fn period(&self) -> f64 {
        /// The period if no rate is known: the kernel's tick on most machines, ns.
        const TICK: f64 = 4e6;
        match median(&self.each(|run| run.summary.rate_hz)) {
            rate if rate > 0.0 => 1e9 / rate,
            _ => TICK,
        }
    }
}
