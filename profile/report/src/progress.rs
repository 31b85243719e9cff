//! The way in which long work tells the front end how far it is, so that it can draw a bar.

/// Receives the phases of an analysis in order; a phase is `begin`, any number of `advance`, `end`.
pub trait Progress {
    /// `what` is a short present participle phrase ("reading the profile"), `total` the value that
    /// `advance` will reach.
    fn begin(&mut self, what: &str, total: u64);
    /// `done` of the phase's total, never decreasing.
    fn advance(&mut self, done: u64);
    /// The phase is over.
    fn end(&mut self);
}

/// Shows nothing.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&mut self, _what: &str, _total: u64) {}
    fn advance(&mut self, _done: u64) {}
    fn end(&mut self) {}
}
