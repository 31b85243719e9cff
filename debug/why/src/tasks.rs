//! Finds waits for tasks that nobody executes: a detached task whose event never comes, and a task
//! whose dependence is never released. `explain` is the caller.

use std::collections::BTreeMap;

use omphalos_ompd_view::snapshot::{Snapshot, Task, Thread, Wait};

use crate::graph::{Blocker, Graph};
use crate::{Finding, progress, release, words};

pub fn find(graph: &Graph<'_>, before: Option<&Snapshot>) -> Vec<Finding> {
    let mut events: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut held: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, edges) in graph.edges.iter().enumerate() {
        // The thread `at` may wait for several things. If one of them is a thread that can go on,
        // that thread may bring about the others, so `at` has no finding.
        let lives = edges.iter().any(|edge| match edge {
            Blocker::Thread(other) => graph.edges[*other].is_empty(),
            Blocker::Queued(_) => false,
            _ => false,
        });
        if lives || progress::moved(graph.snapshot, graph.thread(at), before) {
            continue;
        }
        for edge in edges {
            match edge {
                Blocker::Event(task) => events.entry(*task).or_default().push(at),
                Blocker::Held(task) => held.entry(*task).or_default().push(at),
                _ => {}
            }
        }
    }
    // A thread that goes on may still fulfil an event, and so may a call from outside. In both
    // cases no event has a finding.
    let goes_on = |at: usize| {
        let thread = graph.thread(at);
        let waits = || graph.edges[at].iter().any(|edge| matches!(edge, Blocker::Thread(_)));
        !matches!(thread.waits, Some(Wait::Work))
            && !waits()
            && progress::goes_on(graph.snapshot, thread, before)
    };
    let may_come = |waiting: &Vec<usize>| waiting.iter().any(|at| release::may_come(graph, *at));
    if (0..graph.edges.len()).any(goes_on) || events.values().any(may_come) {
        events.clear();
    }
    let mut found: Vec<Finding> = events
        .into_iter()
        .take(MOST_FINDINGS)
        .map(|(task, waiting)| event(graph, task, &waiting))
        .collect();
    found.extend(
        held.into_iter()
            .take(MOST_FINDINGS)
            .map(|(task, waiting)| dependence(graph, task, &waiting)),
    );
    found.truncate(MOST_FINDINGS);
    found
}

/// The most findings about tasks that are given.
const MOST_FINDINGS: usize = 8;

fn event(graph: &Graph<'_>, task: usize, waiting: &[usize]) -> Finding {
    let task = &graph.snapshot.tasks[task];
    let summary = format!(
        "{} has run, but its event is never fulfilled (detach): {} for it{}.",
        capital(&words::task(task)),
        wait_of(graph, waiting),
        words::at(graph.thread(waiting[0])),
    );
    let mut finding = Finding::new("event-not-fulfilled", summary);
    let first = waiting.first().map(|at| graph.thread(*at));
    finding.details.extend(first.and_then(|first| itself(graph.snapshot, task, first)));
    finding.details.extend(first.and_then(words::brings));
    successors(graph.snapshot, task, &mut finding);
    about(graph, waiting, &mut finding);
    finding
}

/// Returns the line about a task whose code fulfils events and that begins only when `task` is
/// complete.
fn itself(snapshot: &Snapshot, task: &Task, waiting: &Thread) -> Option<String> {
    let bodies = &waiting.brings.as_ref()?.bodies;
    // The tasks that wait for `task`, directly or through others.
    let mut behind: Vec<&Task> = vec![task];
    let mut at = 0;
    while let Some(before) = behind.get(at).map(|task| task.address) {
        for other in &snapshot.tasks {
            let is_known = behind.iter().any(|known| known.address == other.address);
            if !is_known && other.depends_on.contains(&before) && behind.len() < MOST_BEHIND {
                behind.push(other);
            }
        }
        at += 1;
    }
    let fulfils = behind[1..].iter().find(|other| bodies.contains(&other.function))?;
    Some(format!(
        "{} comes to where the code fulfils events, but begins only when this one is complete: \
         each waits for the other.",
        capital(&words::task(fulfils))
    ))
}

/// The most tasks that are looked at, counted with the first.
const MOST_BEHIND: usize = 256;

fn dependence(graph: &Graph<'_>, task: usize, waiting: &[usize]) -> Finding {
    let task = &graph.snapshot.tasks[task];
    let summary = format!(
        "{} waits for a dependence that is never released: {} for it{}.",
        capital(&words::task(task)),
        wait_of(graph, waiting),
        words::at(graph.thread(waiting[0])),
    );
    let mut finding = Finding::new("dependence-not-released", summary);
    about(graph, waiting, &mut finding);
    finding
}

/// Adds the tasks that depend on the task: each place of the source once, with their number.
fn successors(snapshot: &Snapshot, task: &Task, finding: &mut Finding) {
    let mut places: Vec<(String, u32)> = Vec::new();
    for other in snapshot.tasks.iter().filter(|other| other.depends_on.contains(&task.address)) {
        let text = words::task(other);
        if let Some((_, count)) = places.iter_mut().find(|(known, _)| *known == text) {
            *count += 1;
        } else if places.len() < 4 {
            places.push((text, 1));
        }
    }
    for (text, count) in places {
        finding.details.push(match count {
            1 => format!("{text} depends on it"),
            more => format!("{more} tasks like {text} depend on it"),
        });
    }
}

fn wait_of(graph: &Graph<'_>, waiting: &[usize]) -> String {
    match waiting {
        [one] => format!("{} waits", words::thread(graph.thread(*one))),
        more => format!("{} threads wait", more.len()),
    }
}

fn about(graph: &Graph<'_>, waiting: &[usize], finding: &mut Finding) {
    for at in waiting.iter().take(8) {
        let thread = graph.thread(*at);
        finding.threads.push(thread.lwp);
        let doing = match &thread.waits {
            Some(Wait::Barrier { .. }) => format!("waits at a barrier{}", words::at(thread)),
            _ => words::doing_at(graph.snapshot, thread),
        };
        finding.details.push(format!("{} {doing}", words::thread(thread)));
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
