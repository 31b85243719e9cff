//! The rows, by family.
//!
//! Sections are those of OpenMP 5.2, chapter 19.

/// One row: its name and section, its statement, the events, the compilers that make a part of it
/// themselves (may be left out), and the check. The program is the file of its name in `programs`.
/// A macro's name may stand before all of these: the macro puts text before the program.
macro_rules! row {
    (($name:literal, $section:literal), $says:expr, $events:expr, $check:expr $(,)?) => {
        row!(include_str, ($name, $section), $says, $events, &[], $check)
    };
    (
        ($name:literal, $section:literal), $says:expr, $events:expr, $inlined:expr,
        $check:expr $(,)?
    ) => {
        row!(include_str, ($name, $section), $says, $events, $inlined, $check)
    };
    (
        $program:ident, ($name:literal, $section:literal), $says:expr, $events:expr,
        $check:expr $(,)?
    ) => {
        row!($program, ($name, $section), $says, $events, &[], $check)
    };
    (
        $program:ident, ($name:literal, $section:literal), $says:expr, $events:expr,
        $inlined:expr, $check:expr $(,)?
    ) => {
        $crate::rows::Row {
            name: $name,
            section: $section,
            says: $says,
            events: $events,
            inlined: $inlined,
            program: $program!(concat!("programs/", $name, ".c")),
            check: $check,
        }
    };
}

mod control;
mod devices;
mod inquiries;
mod mutex;
mod reductions;
mod structure;
mod sync;
mod tasks;
mod worksharing;

use crate::stream::Stream;
use crate::table::Head;

/// One promise.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// The section of OpenMP 5.2 that makes it.
    pub section: &'static str,
    /// The promise, in a few words.
    pub says: &'static str,
    /// Events that the row is about: a runtime that answers "never" to one is not judged.
    pub events: &'static [&'static str],
    /// Compilers (words of their names) that make this construct, or a part of it, without a call
    /// of the runtime: then a missing event is no fault of the runtime's.
    pub inlined: &'static [&'static str],
    /// The program's text, from a file in `programs`; [`PROLOGUE`] comes in front of it.
    pub program: &'static str,
    /// Checks the promise with the recorded events.
    pub check: fn(&Stream) -> Result<(), String>,
}

/// The text in front of each program.
const PROLOGUE: &str = "#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sink;
";

impl Row {
    /// Returns the left part of its line in a table.
    pub fn head(&self) -> Head {
        Head { name: self.name, section: self.section, says: self.says }
    }

    /// Whether the program has a tool of its own, which records; then the recorder is not loaded.
    pub fn has_tool(&self) -> bool {
        self.program.contains("ompt_start_tool")
    }

    /// Returns the whole program.
    pub fn source(&self) -> String {
        format!("{PROLOGUE}{}", self.program)
    }
}

/// Returns all rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [
        structure::ROWS,
        worksharing::ROWS,
        reductions::ROWS,
        tasks::ROWS,
        sync::ROWS,
        mutex::ROWS,
        control::ROWS,
        devices::ROWS,
        inquiries::ROWS,
    ]
    .into_iter()
    .flatten()
}
