//! The bench's figures as a table: medians side by side, our ratio to the best peer, our gap to the
//! floor, and a summary.

use crate::floors::Prices;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A row that is worse than this many times the best peer is named beneath the table.
const WORSE: f64 = 1.5;

/// The settings of a table, besides the figures.
pub struct Figures<'a> {
    /// Threads of a team.
    pub threads: u32,
    /// The machine's time for each part of an operation.
    pub prices: Prices,
    /// The runtimes, ours first.
    pub names: &'a [&'a str],
}

impl Figures<'_> {
    /// Writes the table. `results` has the figures of each runtime, by row.
    pub fn table(&self, rows: &[String], results: &[BTreeMap<String, Vec<f64>>]) -> String {
        let mut text = format!("{:<22} {:>4}", "row", "unit");
        for name in self.names {
            let _ = write!(text, " {name:>12}");
        }
        let _ = writeln!(text, " {:>7} {:>7} {:>8} {:>6}", "ratio", "least", "floor", "gap");
        let mut ratios: Vec<(&str, f64)> = Vec::new();
        for row in rows {
            let each = |of: fn(&[f64]) -> f64| -> Vec<Option<f64>> {
                results.iter().map(|result| result.get(row).map(|values| of(values))).collect()
            };
            let (medians, leasts) = (each(median), each(least));
            let _ =
                write!(text, "{row:<22} {:>4}", if row == "process_start" { "us" } else { "ns" });
            for median in &medians {
                text.push_str(&cell(*median, 12, 1));
            }
            let ours = medians.first().copied().flatten();
            let ratio_of = |figures: &[Option<f64>]| {
                let (ours, peers) = figures.split_first()?;
                ours.and_then(|ours| ratio(ours, peers))
            };
            let (ratio, least) = (ratio_of(&medians), ratio_of(&leasts));
            let floor = self.prices.of(row, self.threads);
            let gap = ours.zip(floor).map(|(ours, floor)| ours / floor);
            let ratios_shown = cell(ratio, 7, 2) + &cell(least, 7, 2);
            let _ = writeln!(text, "{ratios_shown}{}{}", cell(floor, 8, 1), cell(gap, 6, 1));
            ratios.extend(ratio.map(|ratio| (row.as_str(), ratio)));
        }
        text.push_str(&summary(&ratios));
        text
    }
}

/// Writes a figure, or a dash, in a column of `width`.
pub fn cell(value: Option<f64>, width: usize, digits: usize) -> String {
    match value {
        Some(value) => format!(" {value:>width$.digits$}"),
        None => format!(" {:>width$}", "-"),
    }
}

/// Divides our figure by the best peer's. Below a nanosecond both are free, and their ratio is
/// noise.
fn ratio(ours: f64, peers: &[Option<f64>]) -> Option<f64> {
    let best = peers.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    best.is_finite().then(|| ours.max(1.0) / best.max(1.0))
}

fn summary(ratios: &[(&str, f64)]) -> String {
    let mut text = String::new();
    let is_task =
        |row: &str| row.starts_with("task") || row.starts_with("fib") || row.starts_with("depend");
    let all: Vec<f64> = ratios.iter().map(|each| each.1).collect();
    let tasks: Vec<f64> = ratios.iter().filter(|each| is_task(each.0)).map(|each| each.1).collect();
    let _ = write!(text, "geometric mean of {} ratios {:.2}", all.len(), geometric_mean(&all));
    if !tasks.is_empty() {
        let _ = write!(text, ", of the {} of tasks {:.2}", tasks.len(), geometric_mean(&tasks));
    }
    text.push('\n');
    let named = |least: f64, most: f64| {
        let of = ratios.iter().filter(|each| each.1 > least && each.1 <= most).map(|each| each.0);
        of.collect::<Vec<_>>().join(", ")
    };
    let _ = match named(WORSE, f64::INFINITY).as_str() {
        "" => writeln!(text, "no row is worse than {WORSE} times the better peer"),
        names => writeln!(text, "worse than {WORSE} times the better peer: {names}"),
    };
    let between = named(1.0, WORSE);
    if !between.is_empty() {
        let _ = writeln!(text, "above 1: {between}");
    }
    text
}

/// The geometric mean.
pub fn geometric_mean(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (sum / values.len().max(1) as f64).exp()
}

/// The least.
pub fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The median.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_ratios() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert!((geometric_mean(&[0.5, 2.0]) - 1.0).abs() < 1e-12);
        assert_eq!(ratio(10.0, &[Some(20.0), None, Some(5.0)]), Some(2.0));
        assert_eq!(ratio(10.0, &[None]), None);
        let text = summary(&[("barrier", 0.5), ("task_all", 2.0), ("single", 1.2)]);
        assert!(text.contains("peer: task_all") && text.contains("above 1: single"), "{text}");
    }
}
