//! Finds threads that wait in each look, and yet go on. Such a thread has been woken between the
//! looks, or is on its way into a region.

use omphalos_ompd_view::snapshot::{Os, Snapshot, Thread, Wait};

use crate::graph::{Blocker, Graph};
use crate::progress;

/// Whether the thread sleeps for something that others bring, and has been woken again and again:
/// it waits for the next of many things.
pub fn again_and_again(thread: &Thread) -> bool {
    let is_brought = matches!(
        thread.waits,
        Some(
            Wait::Condition { .. } | Wait::Unknown { .. } | Wait::Mutex { .. } | Wait::Join { .. }
        )
    );
    let woken = |os: &Os| os.state == "S" && !os.timed && os.woken;
    is_brought && thread.os.as_ref().is_some_and(woken)
}

/// Whether the thread waits as at the first look in a runtime that tells nothing, but the program's
/// own function has gone on since.
pub fn goes_on_behind_runtime(old: &Thread, thread: &Thread) -> bool {
    old.caller != 0 && thread.caller != 0 && old.caller != thread.caller
}

/// Whether some idle thread is about to come into a region.
pub fn some_comes(graph: &Graph<'_>, before: Option<&Snapshot>) -> bool {
    (0..graph.edges.len()).any(|at| comes(graph, at, before))
}

/// Returns the threads that wait at a barrier for this idle thread, which is on its way into their
/// region.
fn callers(graph: &Graph<'_>, at: usize) -> Vec<usize> {
    let waits = |other: &usize| {
        let at_barrier = matches!(graph.thread(*other).waits, Some(Wait::Barrier { .. }));
        at_barrier && graph.edges[*other].contains(&Blocker::Thread(at))
    };
    (0..graph.edges.len()).filter(waits).collect()
}

/// Whether an idle thread is about to come into a region: it has been woken, or the others of its
/// team have only now begun to wait for it.
fn comes(graph: &Graph<'_>, at: usize, before: Option<&Snapshot>) -> bool {
    let thread = graph.thread(at);
    let is_awake = || thread.os.as_ref().is_some_and(|os| os.state == "R");
    let moved = |other: &usize| progress::moved(graph.snapshot, graph.thread(*other), before);
    let callers = callers(graph, at);
    matches!(thread.waits, Some(Wait::Work))
        && is_called(graph, at)
        && (is_awake() || callers.iter().any(moved))
}

/// Whether a region waits for an idle thread; if the runtime does not tell, whether any region
/// waits.
fn is_called(graph: &Graph<'_>, at: usize) -> bool {
    let waits = |other: usize| {
        matches!(graph.thread(other).waits, Some(Wait::Barrier { .. })) && graph.is_untold(other)
    };
    !callers(graph, at).is_empty() || (0..graph.edges.len()).any(waits)
}

#[cfg(test)]
mod tests {
    use omphalos_ompd_view::snapshot::Team;

    use super::*;
    use crate::roots;

    #[test]
    fn who_is_called_into_a_region_goes_on() {
        let team = Team { address: 8, members: vec![16, 32], ..Team::default() };
        let at_end =
            Wait::Barrier { kind: "region".into(), team: 8, missing: vec![1], for_tasks: false };
        let of = |lwp, record, waits| Thread {
            lwp,
            record,
            number: (record != 0).then_some(lwp as i32 - 1),
            waits: Some(waits),
            ..asleep()
        };
        let woken = |state: &str| {
            let mut worker = of(2, 32, Wait::Work);
            worker.os = Some(Os { state: state.into(), ..Os::default() });
            worker
        };
        let looks = |worker: Thread, region: u64| Snapshot {
            teams: vec![Team { region, ..team.clone() }],
            threads: vec![
                Thread { team: Some(8), ..of(1, 16, at_end.clone()) },
                worker,
                of(3, 0, Wait::Condition { condition: 64 }),
            ],
            ..Snapshot::default()
        };
        let found = |now: &Snapshot, before: &Snapshot| {
            roots::find(&Graph::new(now), Some(before), &[]).len()
        };
        let (sleeps, awake) = (looks(woken("S"), 5), looks(woken("R"), 5));
        assert_eq!(found(&awake, &awake), 0);
        assert_eq!(found(&sleeps, &looks(woken("S"), 4)), 0);
    }

    fn asleep() -> Thread {
        let os = Os { state: "S".into(), call: Some("futex".into()), ..Os::default() };
        Thread { os: Some(os), ..Thread::default() }
    }

    #[test]
    fn who_was_woken_often_waits_for_the_next() {
        let waits = |woken, waits| {
            let mut thread = Thread { waits: Some(waits), ..asleep() };
            thread.os.as_mut().unwrap().woken = woken;
            again_and_again(&thread)
        };
        let condition = || Wait::Condition { condition: 8 };
        assert!(waits(true, condition()) && !waits(false, condition()));
        assert!(!waits(true, Wait::Interpreter { owner: None }));
    }
}
