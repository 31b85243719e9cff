//! Compares the counters of the system and the processor (`--counters`) before and after. A
//! counter that changed becomes a note on its row of the comparison.

use omphalos_report::words::count;
use serde::Deserialize;

use crate::comparison::LEAST_SHARE;
use crate::run::{Construct, Run};
use crate::{Change, noise::median};

/// A page fault, or a switch, takes this long at least, ns.
const LEAST_COST: f64 = 1_000.0;
/// A rate that changed by less than this share of it is not worth a word.
const LEAST_RATE: f64 = 0.05;

/// The counters of a run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Counters {
    rows: Vec<CounterRow>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct CounterRow {
    place: String,
    construct: Option<Construct>,
    counts: Counts,
}

/// The counts of one place.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Counts {
    running_ns: f64,
    page_faults: f64,
    switches_left: f64,
    switches_taken: f64,
    cycles: Option<f64>,
    instructions: Option<f64>,
    cache_misses: Option<f64>,
}

type Figure = fn(&Counts) -> f64;
type Rate = fn(&Counts) -> Option<f64>;

impl Run {
    /// Returns the counts of threads at work in the region of that label, or outside of regions.
    pub(crate) fn counts(&self, region: Option<&str>) -> Option<Counts> {
        let is_it = |row: &&CounterRow| match region {
            Some(label) => row.construct.as_ref().is_some_and(|at| at.label == label),
            None => row.place == "serial",
        };
        self.counters.as_ref()?.rows.iter().find(is_it).map(|row| row.counts.clone())
    }
}

/// Returns the changes of a row's counts, in words; none unless all runs of both sides have counts.
pub(crate) fn changes(before: &[Option<Counts>], after: &[Option<Counts>]) -> Vec<String> {
    let known = |of: &[Option<Counts>]| of.iter().cloned().collect::<Option<Vec<Counts>>>();
    let (Some(before), Some(after)) = (known(before), known(after)) else { return Vec::new() };
    let of = |side: &[Counts], figure: Figure| -> Vec<f64> { side.iter().map(figure).collect() };
    let running = |side| median(&of(side, |counts| counts.running_ns));
    let least = LEAST_SHARE * running(&before).max(running(&after)) / LEAST_COST;
    let counts: [(&str, Figure); 3] = [
        ("page faults", |counts| counts.page_faults),
        ("switches to wait", |counts| counts.switches_left),
        ("switches off a CPU", |counts| counts.switches_taken),
    ];
    let mut notes = Vec::new();
    for (what, figure) in counts {
        let change = Change::new(of(&before, figure), of(&after, figure), None);
        if change.is_beyond_noise() && change.by().abs() >= least {
            let [before, after] = [change.before(), change.after()].map(|it| count(it as u64));
            notes.push(format!("{after} {what} instead of {before}"));
        }
    }
    let rates: [(&str, Rate); 2] = [
        ("instructions a cycle", |of| ratio(of.instructions, of.cycles)),
        ("cache misses in 1,000 instructions", |of| {
            Some(1000.0 * ratio(of.cache_misses, of.instructions)?)
        }),
    ];
    for (what, rate) in rates {
        let of = |side: &[Counts]| side.iter().map(rate).collect::<Option<Vec<f64>>>();
        let (Some(before), Some(after)) = (of(&before), of(&after)) else { continue };
        let change = Change::new(before, after, None);
        if change.is_beyond_noise() && change.share().abs() >= LEAST_RATE {
            notes.push(format!("{:.2} {what} instead of {:.2}", change.after(), change.before()));
        }
    }
    notes
}

fn ratio(part: Option<f64>, whole: Option<f64>) -> Option<f64> {
    Some(part? / whole.filter(|whole| *whole > 0.0)?)
}
