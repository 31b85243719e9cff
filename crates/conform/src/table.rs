//! The result as text: a line for each row, a column for each runtime and compiler.

use crate::rows::Row;
use crate::run::{Outcome, Setup, Verdict};
use std::fmt::Write;

/// The table, its totals, and beneath it what each fault was.
pub fn table(setup: &Setup<'_>, rows: &[&Row], outcomes: &[Outcome]) -> String {
    let mut columns = Vec::new();
    for runtime in 0..setup.runtimes.len() {
        for compiler in 0..setup.compilers.len() {
            columns.push((runtime, compiler));
        }
    }
    let head = |&(runtime, compiler): &(usize, usize)| {
        format!("{}/{}", setup.runtimes[runtime].name, setup.compilers[compiler].0)
    };
    let wide: Vec<usize> = columns.iter().map(|column| head(column).len().max(6)).collect();
    let mut text = String::new();
    let _ = write!(text, "{:<28} {:<10}", "row", "section");
    for (column, width) in columns.iter().zip(&wide) {
        let _ = write!(text, "  {:>width$}", head(column));
    }
    text.push('\n');
    let verdict = |row: &Row, column: &(usize, usize)| {
        let of = |each: &&Outcome| each.row == row.name && (each.runtime, each.compiler) == *column;
        outcomes.iter().find(of).map(|outcome| &outcome.verdict)
    };
    for row in rows {
        let _ = write!(text, "{:<28} {:<10}", row.name, row.section);
        for (column, width) in columns.iter().zip(&wide) {
            let _ = write!(text, "  {:>width$}", verdict(row, column).map_or("", word));
        }
        text.push('\n');
    }
    let _ = write!(text, "{:<28} {:<10}", "ok", "");
    for (column, width) in columns.iter().zip(&wide) {
        let ok = rows.iter().filter(|row| verdict(row, column) == Some(&Verdict::Ok)).count();
        let judged = |row: &&&Row| !matches!(verdict(row, column), Some(Verdict::NoProgram(_)));
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
