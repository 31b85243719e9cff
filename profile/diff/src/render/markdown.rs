//! A comment for a pull request: the sentence, the rows that are worth a word, and what else
//! differs between the two runs (machine, settings).

use std::fmt::Write;

use super::{ms, remark, signed_ms};
use crate::Comparison;
use crate::compared_row::Row;

/// Returns the comparison in the Markdown of GitHub and GitLab.
pub fn render(comparison: &Comparison) -> String {
    let mut out = format!("**{}**\n", escape(&comparison.sentence));
    if !comparison.circumstances.is_empty() {
        out.push_str("\n| differs | before | after |\n|---|---|---|\n");
        for one in &comparison.circumstances {
            let cells = [&one.what, &one.before, &one.after].map(|text| escape(text));
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
    let parts = comparison.parts.iter().flat_map(|row| {
        let inside = row.parts.iter().filter(|part| comparison.is_worth_naming(part));
        let inside: Vec<(bool, &Row)> = inside.map(|part| (true, part)).collect();
        let is_named = comparison.is_worth_naming(row) || !inside.is_empty();
        is_named.then_some((false, row)).into_iter().chain(inside)
    });
    let parts: Vec<(bool, &Row)> = parts.collect();
    if !parts.is_empty() {
        out.push_str(
            "\n| ms | before | after | change | noise | |\n|---|---:|---:|---:|---:|---|\n",
        );
        for (is_inside, row) in parts {
            let indent = if is_inside { "&nbsp;&nbsp;" } else { "" };
            let _ = writeln!(
                out,
                "| {indent}{} | {} | {} | {} | {} | {} |",
                escape(&row.label),
                ms(row.time.before()),
                ms(row.time.after()),
                signed_ms(row.time.by()),
                ms(row.time.noise()),
                escape(&remark(row)),
            );
        }
    }
    let runs = |count: usize| if count == 1 { "1 run".to_owned() } else { format!("{count} runs") };
    let _ = writeln!(
        out,
        "\n{} before, {} after, by `omphalos diff`",
        runs(comparison.before.count()),
        runs(comparison.after.count())
    );
    out
}

/// Returns text so that Markdown shows it unchanged, also in a cell.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '~' | '@' | '#' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
