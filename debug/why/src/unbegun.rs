//! Finds tasks that are ready and that nobody begins: each thread of their team waits where it
//! executes no tasks.

use std::collections::BTreeMap;

use omphalos_ompd_view::snapshot::{Address, Snapshot, Thread, Wait};

use crate::{Finding, words};

/// Places that are named.
const MOST_PLACES: usize = 4;

/// Adds the line about these tasks to the first cause that one of the team's threads is part of.
pub fn add(snapshot: &Snapshot, findings: &mut [Finding]) {
    let ready = snapshot.tasks.iter().filter(|task| task.state == "queued");
    let mut teams: Vec<Address> = ready.filter_map(|task| task.team).collect();
    teams.sort_unstable();
    teams.dedup();
    for team in teams {
        let members = || snapshot.threads.iter().filter(|thread| thread.team == Some(team));
        if members().any(executes) {
            continue;
        }
        let is_about =
            |finding: &Finding| members().any(|thread| finding.threads.contains(&thread.lwp));
        if let Some(finding) = findings.iter_mut().find(|finding| is_about(finding)) {
            let polls = members().find_map(|thread| held_by(snapshot, thread));
            finding.summary.push(' ');
            finding.summary.push_str(&polls.unwrap_or_else(|| said(snapshot, team)));
        }
    }
}

/// Whether the thread executes tasks during its wait.
fn executes(thread: &Thread) -> bool {
    matches!(
        thread.waits,
        Some(
            Wait::Barrier { .. }
                | Wait::Taskwait { .. }
                | Wait::Taskgroup { .. }
                | Wait::Dependences { .. }
                | Wait::Copyprivate { .. }
                | Wait::Event { .. }
        )
    )
}

/// Says which task comes to where the code writes what the thread's loop reads, if that task waits
/// until the thread's own task is complete.
fn held_by(snapshot: &Snapshot, thread: &Thread) -> Option<String> {
    let (own, bodies) = (thread.task?, &thread.brings.as_ref()?.bodies);
    let polls = thread.awaits.is_some() && thread.waits.is_none();
    let mut tasks = snapshot.tasks.iter().filter(|task| task.depends_on.contains(&own));
    let task = tasks.find(|task| polls && bodies.contains(&task.function))?;
    Some(format!(
        "The task {} comes to where the code writes that, but begins only when the task that {} \
         executes is complete: each waits for the other.",
        words::made(task),
        words::thread(thread)
    ))
}

fn said(snapshot: &Snapshot, team: Address) -> String {
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    let mut all = 0;
    let of_team = snapshot.tasks.iter().filter(|task| task.team == Some(team));
    for task in of_team.filter(|task| task.state == "queued") {
        let count = task.shares.unwrap_or(1);
        all += count;
        *places.entry(words::made(task)).or_default() += count;
    }
    let each: String = match places.len() {
        1 => places.into_keys().collect(),
        more => {
            let named = places.into_iter().take(MOST_PLACES);
            let mut named: Vec<String> =
                named.map(|(place, count)| format!("{count} {place}")).collect();
            if more > MOST_PLACES {
                named.push(format!("and {} more places", more - MOST_PLACES));
            }
            format!("({})", named.join(", "))
        }
    };
    let (noun, them) = if all == 1 { ("task", "it") } else { ("tasks", "them") };
    let are = if all == 1 { "is" } else { "are" };
    format!(
        "{all} {noun} {each} {are} ready, and no thread comes to where it would execute {them}."
    )
}
