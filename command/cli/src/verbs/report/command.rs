//! Whether profiles are of the processes of one command.

use omphalos_report::Analysis;

/// What the agents of one command were told to call their profiles.
const NAME: &str = "OMPHALOS_PROFILE_OUT=";

/// Whether all are of one command, as far as they tell: they were told one name of profiles, and
/// where that leaves a place for the process's id, which other commands may fill too, they ran at
/// one time.
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

/// Each but the first began before all that began earlier had ended.
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
