//! Finds threads of Python's that wait for work which they would do themselves. A thread's outer
//! frames say whose worker it is: a `ThreadPoolExecutor`'s, or an event loop's of `asyncio`.
//!
//! What must hold: a pool is named only if all of its threads are in jobs, and all threads among
//! the causes wait for results.

use omphalos_ompd_view::asleep::is_lock_of_python;
use omphalos_ompd_view::snapshot::{Frame, Snapshot, Thread, Wait};

use crate::{Finding, words};

const POOL: &str = "concurrent/futures/thread.py";
const RESULTS: &str = "concurrent/futures/_base.py";
const LOOP: &str = "asyncio/base_events.py";

/// Whether the frame is in this method or function of a file of Python's library.
fn is_in(frame: &Frame, file: &str, name: &str) -> bool {
    let own = frame.function.rsplit('.').next();
    own == Some(name) && frame.file.as_deref().is_some_and(|path| path.ends_with(file))
}

fn has(thread: &Thread, file: &str, name: &str) -> bool {
    thread.stack.iter().any(|frame| is_in(frame, file, name))
}

/// Whether the thread is a pool's and waits for a job.
pub fn is_idle(thread: &Thread) -> bool {
    has(thread, POOL, "_worker") && !has(thread, POOL, "run") && waits_for_lock(thread)
}

fn waits_for_lock(thread: &Thread) -> bool {
    matches!(&thread.waits, Some(Wait::Unknown { what }) if is_lock_of_python(what))
}

/// Returns one finding for the threads among the causes that wait for results, if each of a pool's
/// threads does so, or if one of them runs an event loop.
pub fn find(snapshot: &Snapshot, causes: &[&Thread]) -> Option<Finding> {
    let waits = |thread: &Thread| waits_for_lock(thread) && has(thread, RESULTS, "result");
    if !causes.iter().all(|thread| waits(thread)) {
        return None;
    }
    let runs_loop = |thread: &Thread| has(thread, LOOP, "run_forever");
    let executes = |thread: &Thread| has(thread, POOL, "_worker");
    let (inside, others): (Vec<&Thread>, Vec<&Thread>);
    let mut finding;
    if let Some(first) = causes.iter().find(|thread| runs_loop(thread)) {
        (inside, others) = causes.iter().partition(|thread| thread.lwp == first.lwp);
        let summary = format!(
            "{} runs an event loop (asyncio) and waits{} in Future.result: meanwhile the loop runs \
             nothing, and nobody else runs what is given to it.",
            words::thread(first),
            words::at(first)
        );
        finding = Finding::new("waits-for-ever", summary);
        finding.details.extend(words::came(first));
        finding.details.push(
            "A coroutine waits by await; to wait for a result in the thread of a loop keeps that \
             loop from going on."
                .to_owned(),
        );
    } else {
        (inside, others) = causes.iter().partition(|thread| executes(thread));
        let is_busy = |thread: &Thread| inside.iter().any(|one| one.lwp == thread.lwp);
        let mut of_pools = snapshot.threads.iter().filter(|thread| executes(thread));
        if inside.is_empty() || !of_pools.all(is_busy) || snapshot.threads.iter().any(runs_loop) {
            return None;
        }
        let mut places: Vec<String> =
            inside.iter().filter_map(|thread| words::standing(thread)).collect();
        places.sort_unstable();
        places.dedup();
        let wait = if inside.len() == 1 { "waits" } else { "wait" };
        let summary = format!(
            "{} {wait} at {} in Future.result, each in a job of a ThreadPoolExecutor, and no other \
             thread of this process executes such jobs: none is left to begin the job that is \
             waited for.",
            words::threads(&inside),
            words::some(&places)
        );
        finding = Finding::new("waits-for-ever", summary);
        finding.details.push(
            "A job that waits for jobs of its own pool keeps its thread meanwhile: execute them \
             there, or give them to another pool."
                .to_owned(),
        );
    }
    finding.details.extend(words::lines(snapshot, &others));
    finding.threads = inside.iter().chain(&others).map(|thread| thread.lwp).collect();
    Some(finding)
}
