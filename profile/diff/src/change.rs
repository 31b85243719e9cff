//! A figure before and after.

use crate::noise::{median, of_runs, of_single};

/// A figure of all runs of both sides, ns.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    before: Vec<f64>,
    after: Vec<f64>,
    noise: f64,
}

impl Change {
    /// Makes a change. `period`: the time between two samples, if the figure comes from samples,
    /// ns.
    pub(crate) fn new(before: Vec<f64>, after: Vec<f64>, period: Option<f64>) -> Change {
        let noise = of_runs(&before, &after)
            .unwrap_or_else(|| of_single(median(&before), median(&after), period));
        Change { before, after, noise }
    }

    /// The median of the runs before, ns.
    pub fn before(&self) -> f64 {
        median(&self.before)
    }

    /// The median of the runs after, ns.
    pub fn after(&self) -> f64 {
        median(&self.after)
    }

    /// The growth of the median, ns.
    pub fn by(&self) -> f64 {
        self.after() - self.before()
    }

    /// The growth as a share of the figure before; 0 where that is 0.
    pub fn share(&self) -> f64 {
        if self.before() > 0.0 { self.by() / self.before() } else { 0.0 }
    }

    /// The largest change that may be chance, ns.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// Whether the change is larger than chance.
    pub fn is_beyond_noise(&self) -> bool {
        self.by().abs() > self.noise
    }

    /// The figure of each run before, ns.
    pub fn runs_before(&self) -> &[f64] {
        &self.before
    }

    /// The figure of each run after, ns.
    pub fn runs_after(&self) -> &[f64] {
        &self.after
    }
}
