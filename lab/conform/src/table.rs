//! The result as text: a line for each row, a column for each runtime and compiler.

use crate::run::{Compiler, Outcome, Verdict};
use crate::runtime::Runtime;
use std::fmt::Write;

/// The left part of a row in a table.
#[derive(Clone, Copy)]
pub struct Head {
    /// The row's name.
    pub name: &'static str,
    /// The section that makes its promise.
    pub section: &'static str,
    /// The promise, in a few words.
    pub says: &'static str,
}

impl Head {
    /// Writes the row for a list.
    pub fn line(&self, heads: &[Head]) -> String {
        let wide = sections(heads);
        format!("{:<28} {:<wide$} {}\n", self.name, self.section, self.says)
    }
}

/// Returns the width of the sections' column.
fn sections(heads: &[Head]) -> usize {
    heads.iter().map(|head| head.section.len()).max().unwrap_or(0).max(10)
}

/// Writes the table, its totals, and below it the text of each fault. A runtime without outcomes is
/// left out.
pub fn table(
    runtimes: &[Runtime],
    compilers: &[Compiler],
    rows: &[Head],
    outcomes: &[Outcome],
) -> String {
    let mut columns = Vec::new();
    for runtime in 0..runtimes.len() {
        if outcomes.iter().any(|outcome| outcome.runtime == runtime) {
            columns.extend((0..compilers.len()).map(|compiler| (runtime, compiler)));
        }
    }
    let head = |&(runtime, compiler): &(usize, usize)| {
        format!("{}/{}", runtimes[runtime].name, compilers[compiler].0)
    };
    let wide: Vec<usize> = columns.iter().map(|column| head(column).len().max(6)).collect();
    let deep = sections(rows);
    let mut text = String::new();
    let _ = write!(text, "{:<28} {:<deep$}", "row", "section");
    for (column, width) in columns.iter().zip(&wide) {
        let _ = write!(text, "  {:>width$}", head(column));
    }
    text.push('\n');
    let verdict = |row: &Head, column: &(usize, usize)| {
        let of = |each: &&Outcome| each.row == row.name && (each.runtime, each.compiler) == *column;
        outcomes.iter().find(of).map(|outcome| &outcome.verdict)
    };
    for row in rows {
        let _ = write!(text, "{:<28} {:<deep$}", row.name, row.section);
        for (column, width) in columns.iter().zip(&wide) {
            let _ = write!(text, "  {:>width$}", verdict(row, column).map_or("", word));
        }
        text.push('\n');
    }
    let _ = write!(text, "{:<28} {:<deep$}", "ok", "");
    for (column, width) in columns.iter().zip(&wide) {
        let ok = rows.iter().filter(|row| verdict(row, column) == Some(&Verdict::Ok)).count();
        let judged = |row: &&Head| !matches!(verdict(row, column), Some(Verdict::NoProgram(_)));
        let judged = rows.iter().filter(judged).count();
        let _ = write!(text, "  {:>width$}", format!("{ok}/{judged}"));
    }
    text.push('\n');
    for row in rows {
        for column in &columns {
            let why = match verdict(row, column) {
                Some(Verdict::Fault(why)) => why.clone(),
                Some(Verdict::Never(event)) => {
                    format!("{event}: the runtime says it never reports it")
                }
                Some(Verdict::NoProgram(why)) => format!("no program: {why}"),
                _ => continue,
            };
            let _ = write!(text, "\n{} on {} ({}): {why}", row.name, head(column), row.says);
        }
    }
    text.push('\n');
    text
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Fault(_) => "FAULT",
        Verdict::Never(_) => "never",
        Verdict::NoProgram(_) => "-",
    }
}
