//! The rows of the generations before OpenMP 5.0: a text for each document.
//!
//! A row begins with its name, the document's section, its program and the one of the program's
//! checks that it runs. The lines below it are indented: the document's statement, then, if the row
//! has them, compiler flags, environment variables, and the program's output.

use super::Generation;
use crate::table::Head;
use std::sync::LazyLock;

/// A program that reports its own findings.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// The document and its section.
    pub section: &'static str,
    /// The document's statement there, in a few words.
    pub says: &'static str,
    /// The source, without its file ending, among the programs of the tests.
    pub(super) program: &'static str,
    /// The check that it runs.
    pub(super) check: &'static str,
    /// Compiler flags, beside those of all programs.
    pub(super) flags: Vec<&'static str>,
    /// Environment variables that are set.
    pub(super) variables: Vec<(&'static str, &'static str)>,
    /// Everything that it prints if the promise is kept. `None`: any output without `WRONG`.
    pub(super) prints: Option<String>,
}

impl Row {
    /// Returns the left part of its line in a table.
    pub fn head(&self) -> Head {
        Head { name: self.name, section: self.section, says: self.says }
    }
}

/// Reads the rows of a text. `prints`: the output of rows that do not name one.
fn read(text: &'static str, prints: Option<&str>) -> Vec<Row> {
    let (mut rows, mut own) = (Vec::<Row>::new(), false);
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some(more) = line.strip_prefix("    ") else {
            let mut parts = line.split(" | ");
            let mut part = || parts.next().unwrap_or_default();
            let (name, section, program) = (part(), part(), part());
            let (program, check) = program.split_once(' ').unwrap_or((program, ""));
            let (flags, variables, prints) = (Vec::new(), Vec::new(), prints.map(str::to_owned));
            rows.push(Row { name, section, says: "", program, check, flags, variables, prints });
            own = false;
            continue;
        };
        let Some(row) = rows.last_mut() else { continue };
        if let Some(flags) = more.strip_prefix("flags: ") {
            row.flags = flags.split(' ').collect();
        } else if let Some(variables) = more.strip_prefix("variables: ") {
            row.variables = variables.split(' ').filter_map(|it| it.split_once('=')).collect();
        } else if more == "prints: anything" {
            row.prints = None;
        } else if let Some(printed) = more.strip_prefix("prints: ") {
            let before = row.prints.take().filter(|_| own).unwrap_or_default();
            row.prints = Some(format!("{before}{printed}\n"));
            own = true;
        } else {
            row.says = more;
        }
    }
    rows
}

static OF_2007: LazyLock<Vec<Row>> = LazyLock::new(|| read(include_str!("of_2007.txt"), None));
static OF_2013: LazyLock<Vec<Row>> =
    LazyLock::new(|| read(include_str!("of_2013.txt"), Some("it holds\n")));
static OF_2016: LazyLock<Vec<Row>> = LazyLock::new(|| read(include_str!("of_2016.txt"), Some("")));
static OF_2016_WORDS: LazyLock<Vec<Row>> =
    LazyLock::new(|| read(include_str!("of_2016_words.txt"), None));

/// Returns the rows of a generation.
pub fn rows(generation: Generation) -> impl Iterator<Item = &'static Row> {
    let (all, of_words): (&[Row], &[Row]) = match generation {
        Generation::Ompt2013 => (&OF_2013, &[]),
        Generation::Ompt2016Data => (&OF_2016, &OF_2016_WORDS),
        Generation::Ompt2016Ids => (&OF_2016, &[]),
        Generation::Collector => (&OF_2007, &[]),
    };
    all.iter().chain(of_words)
}
