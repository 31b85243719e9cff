//! Decides whether profiles belong to the processes of one command.

use omphalos_report::Analysis;

/// The begin of the variable that gives the agents of one command the name of their profiles.
const NAME: &str = "OMPHALOS_PROFILE_OUT=";

/// Whether all belong to one command, as far as they tell: they have one name for their profiles.
/// If that name contains the process's id, other commands may have it too: then they must also have
/// run at one time.
pub fn is_one(processes: &[&Analysis]) -> bool {
    let name = |analysis: &Analysis| {
        let mut variables = analysis.summary().environment.iter();
        variables.find_map(|variable| variable.strip_prefix(NAME)).map(str::to_owned)
    };
    let names: Vec<Option<String>> = processes.iter().map(|one| name(one)).collect();
    let Some(Some(first)) = names.first() else { return false };
    let is_told_alike = names.iter().all(|other| other.as_deref() == Some(first));
    is_told_alike && (!first.contains('%') || is_at_one_time(processes))
}

/// Whether each except the first began before all earlier ones had ended.
fn is_at_one_time(processes: &[&Analysis]) -> bool {
    let span = |analysis: &&Analysis| {
        let summary = analysis.summary();
        (summary.started, summary.started.saturating_add(summary.elapsed))
    };
    let mut spans: Vec<(u64, u64)> = processes.iter().map(span).collect();
    spans.sort_unstable();
    let mut until = spans.first().map_or(0, |(_, end)| *end);
    spans.iter().all(|(begin, end)| {
        let is_beside = *begin <= until;
        until = until.max(*end);
        is_beside
    })
}
