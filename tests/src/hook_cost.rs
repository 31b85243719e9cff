//! The cost of the hooks for tools, as tables: without a tool compared with a library without
//! hooks, and with tools whose callbacks are empty compared with the same on LLVM's runtimes.
//!
//! Times depend on the machine at the moment; instructions, counted with one thread, are the same
//! every time.

use crate::figures::{cell, geometric_mean, median};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Figures by row.
pub type Rows = BTreeMap<String, f64>;

/// The figures of one contender.
#[derive(Default)]
pub struct Found {
    /// Its name.
    pub name: &'static str,
    /// The ns per operation, one figure for each process.
    pub times: BTreeMap<String, Vec<f64>>,
    /// Instructions per operation with one thread; empty where they cannot be counted.
    pub instructions: Rows,
}

impl Found {
    fn median(&self, row: &str) -> Option<f64> {
        self.times.get(row).map(|values| median(values))
    }

    fn least(&self, row: &str) -> Option<f64> {
        self.times.get(row).map(|values| values.iter().copied().fold(f64::INFINITY, f64::min))
    }
}

/// Divides `with` by `without`. Figures below a nanosecond are free, and their ratio is noise.
fn ratio(with: Option<f64>, without: Option<f64>) -> Option<f64> {
    Some(with?.max(1.0) / without?.max(1.0))
}

fn mean(ratios: &[f64]) -> String {
    if ratios.is_empty() { "-".into() } else { format!("{:.3}", geometric_mean(ratios)) }
}

/// Writes the table of a library `without` hooks and of ours, with no tool in either.
pub fn idle(rows: &[String], without: &Found, ours: &Found) -> String {
    let mut text = format!(
        "no tool: with the hooks / with them compiled out\n{:<22} {:>10} {:>10} {:>7} {:>7} {:>9} \
         {:>9} {:>7}\n",
        "row", "without ns", "with ns", "ratio", "least", "without i", "with i", "ratio"
    );
    let (mut medians, mut leasts, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        let by_median = ratio(ours.median(row), without.median(row));
        let by_least = ratio(ours.least(row), without.least(row));
        let (before, after) = (without.instructions.get(row), ours.instructions.get(row));
        let by_count = ratio(after.copied(), before.copied());
        medians.extend(by_median);
        leasts.extend(by_least);
        counts.extend(by_count);
        let _ = write!(text, "{row:<22}");
        text.push_str(&cell(without.median(row), 10, 2));
        text.push_str(&cell(ours.median(row), 10, 2));
        text.push_str(&cell(by_median, 7, 3));
        text.push_str(&cell(by_least, 7, 3));
        text.push_str(&cell(before.copied(), 9, 0));
        text.push_str(&cell(after.copied(), 9, 0));
        text.push_str(&cell(by_count, 7, 3));
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "geometric mean: {} (medians), {} (least), {} (instructions, one thread)",
        mean(&medians),
        mean(&leasts),
        mean(&counts)
    );
    text
}

/// A runtime alone and with a tool that registered every callback, and the number of events.
pub struct Heard<'a> {
    /// Without the tool.
    pub alone: &'a Found,
    /// With it.
    pub heard: &'a Found,
    /// Events per operation.
    pub events: Rows,
}

impl Heard<'_> {
    fn added(&self, row: &str) -> Option<f64> {
        Some(self.heard.median(row)? - self.alone.median(row)?)
    }

    /// Returns the cost that the tool adds per event; `None` if there are far fewer events than
    /// operations.
    fn per_event(&self, row: &str) -> Option<f64> {
        let events = self.events.get(row).copied().filter(|events| *events >= 0.2)?;
        Some(self.added(row)? / events)
    }

    fn added_instructions(&self, row: &str) -> Option<f64> {
        Some(self.heard.instructions.get(row)? - self.alone.instructions.get(row)?)
    }
}

/// Writes the table of tools that registered every callback and do nothing, on ours (first) and on
/// the others.
pub fn every_callback(rows: &[String], runtimes: &[Heard<'_>]) -> String {
    let mut text = String::from(
        "every callback registered and empty: added ns per operation, events per operation, ns per \
         event, added instructions (one thread)\n",
    );
    let _ = write!(text, "{:<22}", "");
    for each in runtimes {
        let _ = write!(text, " | {:<33}", each.alone.name);
    }
    let _ = write!(text, "\n{:<22}", "row");
    for _ in runtimes {
        let _ = write!(text, " | {:>8} {:>7} {:>7} {:>8}", "added", "events", "each", "instr");
    }
    text.push_str(" |  added: ours / first peer's\n");
    let mut costs = Vec::new();
    let mut above = Vec::new();
    for row in rows {
        let _ = write!(text, "{row:<22}");
        for each in runtimes {
            text.push_str(" |");
            text.push_str(&cell(each.added(row), 8, 1));
            text.push_str(&cell(each.events.get(row).copied(), 7, 2));
            text.push_str(&cell(each.per_event(row), 7, 1));
            text.push_str(&cell(each.added_instructions(row), 8, 0));
        }
        let ours = runtimes.first();
        let peer = runtimes.get(1);
        let added = ours.and_then(|each| each.added(row));
        let theirs = peer.and_then(|each| each.added(row)).filter(|added| *added > 0.0);
        let by_peer = added.zip(theirs).map(|(ours, theirs)| ours / theirs);
        let _ = writeln!(text, " | {}", cell(by_peer, 7, 2));
        costs.extend(ours.and_then(|each| each.per_event(row)));
        if by_peer.is_some_and(|by_peer| by_peer > 1.0) {
            above.push(row.as_str());
        }
    }
    if !costs.is_empty() {
        let _ = writeln!(text, "median cost of an event on ours: {:.1} ns", median(&costs));
    }
    let above = if above.is_empty() { "no row".into() } else { above.join(", ") };
    let _ = writeln!(text, "ours adds more than the first peer to: {above}");
    text
}

/// Writes the table of the cost that tools of other kinds add to ours.
pub fn other_tools(rows: &[String], alone: &Found, tools: &[&Found]) -> String {
    let mut text =
        String::from("other tools on ours: added ns per operation / added instructions\n");
    let _ = write!(text, "{:<22} {:>9}", "row", "alone");
    for tool in tools {
        let _ = write!(text, " | {:<17}", tool.name);
    }
    text.push('\n');
    for row in rows {
        let _ = write!(text, "{row:<22}{}", cell(alone.median(row), 9, 1));
        for tool in tools {
            let added =
                tool.median(row).zip(alone.median(row)).map(|(with, without)| with - without);
            let count = tool.instructions.get(row).zip(alone.instructions.get(row));
            text.push_str(" |");
            text.push_str(&cell(added, 8, 1));
            text.push_str(&cell(count.map(|(with, without)| with - without), 8, 0));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &'static str, ns: f64, instructions: f64) -> Found {
        Found {
            name,
            times: BTreeMap::from([("barrier".into(), vec![ns])]),
            instructions: BTreeMap::from([("barrier".into(), instructions)]),
        }
    }

    #[test]
    fn tables_name_what_they_found() {
        let rows = ["barrier".to_owned()];
        let (ours, heard) = (found("ours", 10.0, 60.0), found("heard", 18.0, 100.0));
        assert!(idle(&rows, &ours, &found("with", 11.0, 63.0)).contains("mean: 1.100"));
        let events = Rows::from([("barrier".into(), 4.0)]);
        let mine = Heard { alone: &ours, heard: &heard, events: events.clone() };
        let (peer, with) = (found("peer", 10.0, 1.0), found("with", 14.0, 2.0));
        let theirs = Heard { alone: &peer, heard: &with, events };
        let text = every_callback(&rows, &[mine, theirs]);
        assert!(text.contains("on ours: 2.0 ns") && text.contains("peer to: barrier"), "{text}");
    }
}
