//! The rows of the generations before OpenMP 5.0.

mod of_2007;
mod of_2013;
mod of_2016;

use super::Generation;
use crate::table::Head;

/// A program that says itself what it finds.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// The document and its section.
    pub section: &'static str,
    /// What the document says there, in a few words.
    pub says: &'static str,
    /// The source, without its ending, among the programs of the tests.
    pub(super) program: &'static str,
    /// Which of its checks.
    pub(super) check: &'static str,
    /// What the compiler is told, but for what all programs have.
    pub(super) flags: &'static [&'static str],
    /// Variables that are set.
    pub(super) variables: &'static [(&'static str, &'static str)],
    /// All that it says where the promise is kept. `None`: whatever it says, but `WRONG`.
    pub(super) said: Option<&'static str>,
}

impl Row {
    /// What stands at its left in a table.
    pub fn head(&self) -> Head {
        Head { name: self.name, section: self.section, says: self.says }
    }
}

/// The rows of a generation.
pub fn rows(generation: Generation) -> impl Iterator<Item = &'static Row> {
    let (all, of_words): (&[Row], &[Row]) = match generation {
        Generation::Ompt2013 => (of_2013::ROWS, &[]),
        Generation::Ompt2016Data => (of_2016::ROWS, of_2016::ROWS_OF_WORDS),
        Generation::Ompt2016Ids => (of_2016::ROWS, &[]),
        Generation::Collector => (of_2007::ROWS, &[]),
    };
    all.iter().chain(of_words)
}
