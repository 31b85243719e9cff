//! Adds to a finding the work that waits: tasks, iterations and sections that no thread begins
//! while a thread that could execute them waits for the program's own code. The action that this
//! thread waits for may be part of that work.

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use crate::{Finding, words};

/// Tasks that are named.
const MOST_TASKS: usize = 4;

/// Adds this work to the first finding, if a thread of that finding waits for the program's own
/// code. On a runtime that tells nothing, also adds the other threads that wait.
pub fn add(snapshot: &Snapshot, findings: &mut [Finding]) {
    let untold = of_untold(snapshot, findings);
    let Some(finding) = findings.first_mut() else { return };
    finding.details.extend(untold);
    let about = snapshot.threads.iter().filter(|thread| finding.threads.contains(&thread.lwp));
    let about: Vec<&Thread> = about.filter(|thread| waits_for_program(thread)).collect();
    for thread in &about {
        finding.details.extend(of_tasks(snapshot, thread));
    }
    finding.details.extend(of_loops(snapshot, &about));
}

/// Names the other threads that wait, whether for the cause or not, on a runtime that tells nothing
/// of itself.
fn of_untold(snapshot: &Snapshot, findings: &[Finding]) -> Vec<String> {
    let waits = |thread: &&Thread| {
        !matches!(thread.waits, None | Some(Wait::Work))
            && words::is_of_program(snapshot, thread)
            && !findings.iter().any(|finding| finding.threads.contains(&thread.lwp))
    };
    match snapshot.tells() {
        true => Vec::new(),
        false => words::lines(snapshot, &snapshot.threads.iter().filter(waits).collect::<Vec<_>>()),
    }
}

/// Whether the thread waits for an action of the program's own code, not of the runtime.
fn waits_for_program(thread: &Thread) -> bool {
    use Wait::{Call, Condition, Mutex, Unknown};
    matches!(
        thread.waits,
        None | Some(Call { .. } | Condition { .. } | Mutex { .. } | Unknown { .. })
    )
}

/// Tasks that wait until the thread's own task is complete.
fn of_tasks(snapshot: &Snapshot, thread: &Thread) -> Vec<String> {
    let Some(own) = thread.task else { return Vec::new() };
    let tasks = snapshot.tasks.iter().filter(|task| task.depends_on.contains(&own));
    let mut said: Vec<String> = Vec::new();
    for task in tasks {
        let one = format!(
            "A task {} waits for the one that {} executes.",
            words::made(task),
            words::thread(thread)
        );
        if said.len() < MOST_TASKS && !said.contains(&one) {
            said.push(one);
        }
    }
    said
}

/// The iterations or sections that are left of each construct, and whether a thread is alone in it.
/// Threads in the same situation share a line.
fn of_loops(snapshot: &Snapshot, about: &[&Thread]) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&Thread>)> = Vec::new();
    for thread in about {
        let Some(within) = of_loop(thread) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == within) {
            Some((_, group)) => group.push(thread),
            None => groups.push((within, vec![thread])),
        }
    }
    let mut said: Vec<String> = Vec::new();
    for (within, group) in groups {
        let is = if group.len() == 1 { "is" } else { "are" };
        said.push(format!("{} {is} in {within}", words::threads(&group)));
    }
    said.extend(about.iter().filter_map(|thread| alone_in(snapshot, thread)));
    said.dedup();
    for text in &mut said {
        if let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        text.push('.');
    }
    said
}

fn of_loop(thread: &Thread) -> Option<String> {
    let within = thread.in_loop.as_ref().filter(|within| within.left.is_some_and(|left| left > 0));
    within.map(words::of_loop)
}

fn alone_in(snapshot: &Snapshot, thread: &Thread) -> Option<String> {
    let team = snapshot.teams.iter().find(|team| Some(team.address) == thread.team);
    let alone = team.filter(|team| team.size == 1 && team.level > 0);
    Some(format!("the {} has one thread", alone?.location.as_ref()?))
}
