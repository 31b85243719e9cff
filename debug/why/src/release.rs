//! Decides whether somebody may release a thread that no other thread is about to release.
//!
//! What must hold: no thread is said to wait for ever for something that somebody may bring. A
//! release may come from outside in these cases. A thread of the program goes on by itself after a
//! time, or when something comes from outside the process. A signal's handler can do it. Or the
//! thread waits at memory that another process shares. A thread that itself waits for something
//! from outside is not said to wait for ever: its wait is described as it is.

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use crate::graph::{Blocker, Graph};
use crate::{circles, library, progress, words};

/// Whether somebody may let the thread at this place go on, as far as can be seen.
pub fn may_come(graph: &Graph<'_>, at: usize) -> bool {
    let thread = graph.thread(at);
    let is_own = matches!(thread.waits, Some(Wait::Call { .. })) && !polls(thread);
    needs_somebody(graph, at)
        && (!is_own && is_outside(thread)
            || !graph.snapshot.handlers.is_empty() && may_be_in_handler(thread)
            || graph
                .snapshot
                .threads
                .iter()
                .any(|other| other.lwp != thread.lwp && may_act(graph.snapshot, other)))
}

/// Whether a thread of the program goes on by itself after a time, or when something comes from
/// outside the process.
pub fn may_act(now: &Snapshot, thread: &Thread) -> bool {
    let is_called =
        matches!(thread.waits, Some(Wait::Asks { .. } | Wait::Call { .. })) && is_outside(thread);
    let is_of_program = || words::is_of_program(now, thread);
    // A thread that sleeps between two checks of memory only checks again.
    let only_looks =
        progress::awaits(thread) && thread.awaits.as_ref().is_some_and(|it| !it.writes);
    !only_looks && progress::is_timed(now, thread) || is_called && is_of_program()
}

/// The threads, processes and handlers that may release others, a line each.
pub fn may_release(now: &Snapshot) -> Vec<String> {
    let graph = Graph::new(now);
    let places = 0..now.threads.len();
    if !places.clone().any(|at| may_come(&graph, at)) {
        return Vec::new();
    }
    let acts = now.threads.iter().filter(|thread| may_act(now, thread)).take(MOST_NAMED);
    let mut each: Vec<String> = acts
        .map(|thread| {
            let (name, at) = (words::thread(thread), words::at(thread));
            format!("{name}{at} may let others go on when its call is over.")
        })
        .collect();
    if !now.handlers.is_empty() {
        let signals = now.handlers.join(", ");
        each.push(format!("A signal's handler may let others go on ({signals})."));
    }
    if now.threads.iter().any(|thread| is_outside(thread) && needs_own(thread)) {
        let other = "Another process, which has the same memory, may let others go on.";
        each.push(other.to_owned());
    }
    each
}

/// The signals that have come and whose handlers do not run, in a sentence. `None` also where a
/// thread is in a handler: the kernel blocks a signal while its handler runs.
pub fn withheld(now: &Snapshot) -> Option<String> {
    if now.threads.iter().any(|thread| words::interrupted(thread).is_some()) {
        return None;
    }
    let blocks = if let [_] = now.withheld[..] { "that signal" } else { "these signals" };
    let at = match now.blocked_at.is_empty() {
        true => String::new(),
        false => format!(" (the code changes what is blocked at {})", now.blocked_at.join(", ")),
    };
    (!now.withheld.is_empty()).then(|| {
        format!(
            "No handler runs for {}, which the process has got: each thread blocks {blocks}{at}.",
            now.withheld.join(", ")
        )
    })
}

/// Threads that are named.
const MOST_NAMED: usize = 4;

fn is_outside(thread: &Thread) -> bool {
    thread.os.as_ref().is_some_and(|os| os.outside)
}

/// Whether the thread waits for an action of some thread, but of no particular one.
fn needs_somebody(graph: &Graph<'_>, at: usize) -> bool {
    let thread = graph.thread(at);
    let for_event = graph.edges[at].iter().any(|edge| matches!(edge, Blocker::Event(_)));
    let is_damaged = |lock: u64| graph.lock(lock).is_some_and(|lock| lock.damaged && !lock.shared);
    match thread.waits {
        Some(Wait::Mutex { mutex: lock, .. } | Wait::Lock { lock }) if is_damaged(lock) => false,
        _ => for_event || needs_own(thread) && !library::is_in_handler(thread),
    }
}

/// Whether the thread waits for memory to change, awake or asleep between two checks.
fn polls(thread: &Thread) -> bool {
    let in_vain = progress::awaits(thread) || progress::tries_in_vain(thread);
    progress::spins(thread) || in_vain || circles::polls(thread)
}

fn needs_own(thread: &Thread) -> bool {
    if polls(thread) {
        return true;
    }
    match &thread.waits {
        Some(Wait::Call { what, .. }) => !is_outside(thread) && !words::is_message_passing(what),
        Some(
            Wait::Condition { .. }
            | Wait::Unknown { .. }
            | Wait::Mutex { .. }
            | Wait::Lock { .. }
            | Wait::Once { .. }
            | Wait::Loader { .. }
            | Wait::Interpreter { .. }
            | Wait::Event { .. }
            | Wait::Join { lwp: None },
        ) => true,
        Some(_) | None => false,
    }
}

/// Whether a signal's handler can end the wait. A handler may post a semaphore, write memory and
/// wake the threads that wait there, and write to a descriptor. It may take no lock and signal no
/// condition.
fn may_be_in_handler(thread: &Thread) -> bool {
    const OBJECTS: [&str; 4] = ["semaphore", "std::atomic", "std::latch", "std::counting"];
    match &thread.waits {
        Some(Wait::Unknown { what }) => OBJECTS.iter().any(|object| what.contains(object)),
        Some(Wait::Call { .. }) | None => true,
        _ => false,
    }
}
