//! Differences around the program: a change that they cause says nothing about the code.

use std::collections::BTreeMap;

use crate::compared_row::{Kind, Row, Status, Work};
use crate::noise::median;
use crate::run::Run;
use crate::side::Side;

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circumstance {
    /// `threads`, `OMP_PROC_BIND`, `compiler`.
    pub what: String,
    /// Its state before.
    pub before: String,
    /// Its state after.
    pub after: String,
}

/// Whether a variable is for the profiler's parts, and means nothing to the program.
fn is_of_the_profiler(name: &str) -> bool {
    name.starts_with("OMPHALOS_PROFILE_") || ["OMP_TOOL", "OMP_TOOL_LIBRARIES"].contains(&name)
}

/// Returns all differences; those that change times the most come first. `rows` give the size of
/// the input.
pub(crate) fn differences(before: &Side, after: &Side, rows: &[&Row]) -> Vec<Circumstance> {
    let mut found = Vec::new();
    let mut compare = |what: &str, figure: &dyn Fn(&Side) -> String| {
        let (b, a) = (figure(before), figure(after));
        if a != b && !a.is_empty() && !b.is_empty() {
            found.push(Circumstance { what: what.to_owned(), before: b, after: a });
        }
    };
    compare("threads", &|side| whole(median(&side.each(|run| run.summary.threads as f64))));
    compare("CPUs", &|side| side.first().program.usable_cpus.to_string());
    compare("processor", &|side| side.first().program.processor.clone().unwrap_or_default());
    compare("machine", &|side| side.first().program.host.clone());
    compare("runtime", &|side| side.first().program.runtime.clone());
    compare("compiler", &|side| side.first().program.compilers.join("; "));
    compare("arguments", &|side| {
        let words = side.first().program.command.get(1..).unwrap_or_default();
        if words.is_empty() { "none".to_owned() } else { words.join(" ") }
    });
    let variables = |side: &Side| -> BTreeMap<String, String> {
        let split = |text: &String| {
            let (name, value) = text.split_once('=')?;
            (!is_of_the_profiler(name)).then(|| (name.to_owned(), value.to_owned()))
        };
        side.first().program.environment.iter().filter_map(split).collect()
    };
    if !found.iter().any(|one| one.what == "threads")
        && let (Some(b), Some(a)) = (team(before), team(after))
        && (b - a).abs() >= 0.05
    {
        let (before, after) = (format!("{b:.1}"), format!("{a:.1}"));
        found.insert(0, Circumstance { what: "threads of a team".to_owned(), before, after });
    }
    let (b, a) = (variables(before), variables(after));
    let names: std::collections::BTreeSet<_> = b.keys().chain(a.keys()).collect();
    for name in names {
        let of =
            |all: &BTreeMap<String, String>| all.get(name).cloned().unwrap_or("not set".into());
        if b.get(name) != a.get(name) {
            found.push(Circumstance { what: name.clone(), before: of(&b), after: of(&a) });
        }
    }
    found.extend(input(rows));
    let load = |side: &Side| match (side.is_busy(), share_of_others(side)) {
        (_, Some(share)) => format!("other programs used {:.0} % of the CPUs", 100.0 * share),
        (true, None) => "other programs had the CPUs".to_owned(),
        (false, None) => "idle".to_owned(),
    };
    if before.is_busy() || after.is_busy() {
        let (before, after) = (load(before), load(after));
        found.push(Circumstance { what: "load".to_owned(), before, after });
    }
    let whole_runs = |side: &Side| side.runs.iter().all(|run| run.summary.complete);
    if whole_runs(before) != whole_runs(after) {
        let says = |is: bool| if is { "in good order" } else { "was killed" }.to_owned();
        let (before, after) = (says(whole_runs(before)), says(whole_runs(after)));
        found.push(Circumstance { what: "end of the program".to_owned(), before, after });
    }
    found
}

/// Returns the share of the machine's processors that other programs used, where it is known.
fn share_of_others(side: &Side) -> Option<f64> {
    let known: Vec<f64> =
        side.runs.iter().filter_map(|run| run.summary.other_programs_share).collect();
    (!known.is_empty()).then(|| median(&known))
}

/// Returns the team size of the longest outermost region.
fn team(side: &Side) -> Option<f64> {
    let longest = |run: &Run| {
        let outermost = run.regions.iter().filter(|row| row.level <= 1);
        outermost.max_by(|a, b| a.elapsed_ns.total_cmp(&b.elapsed_ns)).map(|row| row.team_size)
    };
    let all: Option<Vec<f64>> = side.runs.iter().map(longest).collect();
    all.map(|all| median(&all))
}

/// Compares the size of the input, by the work of the constructs on both sides, where they tell.
fn input(rows: &[&Row]) -> Option<Circumstance> {
    let sums = |kind: Kind, what: &str| {
        let rows = rows.iter().filter(|row| row.kind == kind);
        let counted = rows.filter(|row| !matches!(row.status, Status::New | Status::Gone));
        let counted = counted.flat_map(|row| &row.counted).filter(|work| work.what == what);
        let (before, after) = counted.fold((0.0, 0.0), |(b, a), w| (b + w.before, a + w.after));
        Work { what: "", before, after }
    };
    let all = [
        ("iterations of loops", sums(Kind::Region, "iterations")),
        ("regions entered", sums(Kind::Region, "entered")),
        ("tasks executed", sums(Kind::Task, "tasks")),
    ];
    let (what, other) = all.into_iter().find(|(_, work)| work.is_other())?;
    let (before, after) = (whole(other.before), whole(other.after));
    Some(Circumstance { what: what.to_owned(), before, after })
}

pub(crate) fn whole(number: f64) -> String {
    omphalos_report::words::count(number.round().max(0.0) as u64)
}
