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
const PROCESSES: &str = "multiprocessing/pool.py";
const QUEUES: &str = "multiprocessing/queues.py";
/// The threads that a pool of processes has in the process that made it.
const KEEPERS: [&str; 3] = ["_handle_workers", "_handle_tasks", "_handle_results"];
/// The methods of a pool's results that wait.
const OF_RESULTS: [&str; 3] = ["get", "wait", "next"];
const LOOP: &str = "asyncio/base_events.py";

/// Whether the frame is in this method or function of a file of Python's library.
fn is_in(frame: &Frame, file: &str, name: &str) -> bool {
    let own = frame.function.rsplit('.').next();
    own == Some(name) && frame.file.as_deref().is_some_and(|path| path.ends_with(file))
}

fn has(thread: &Thread, file: &str, name: &str) -> bool {
    thread.stack.iter().any(|frame| is_in(frame, file, name))
}

/// Whether the thread is a pool's and waits for a job, or for what a pool's processes do.
pub fn is_idle(thread: &Thread) -> bool {
    has(thread, POOL, "_worker") && !has(thread, POOL, "run") && waits_for_lock(thread)
        || KEEPERS.iter().any(|name| has(thread, PROCESSES, name))
}

/// Whether the thread waits for the result of a job of a pool of processes.
fn waits_for_process(thread: &Thread) -> bool {
    waits_for_lock(thread) && OF_RESULTS.iter().any(|name| has(thread, PROCESSES, name))
}

/// Whether one of these causes is a wait for a job of a pool of processes (`multiprocessing.Pool`).
pub fn wants_processes(snapshot: &Snapshot, found: &[Finding]) -> bool {
    found.iter().any(|finding| waits_for_pool(snapshot, finding).is_some())
}

fn waits_for_pool<'a>(snapshot: &'a Snapshot, finding: &Finding) -> Option<&'a Thread> {
    let mut threads = snapshot.threads.iter();
    threads.find(|thread| finding.threads.contains(&thread.lwp) && waits_for_process(thread))
}

/// Says in the cause of a wait for a pool of processes that each of the pool's processes waits in a
/// job, and returns whether that is so. `children`: all child processes, of which no thread goes
/// on.
pub fn add_processes(snapshot: &Snapshot, found: &mut [Finding], children: &[&Snapshot]) -> bool {
    // A process that waits for a job is in the queue's `get`. What comes from the outside may end a
    // wait in a system call.
    let in_job = |(pid, thread): &(Option<u32>, &Thread)| {
        let waits = matches!(thread.waits, Some(Wait::Unknown { .. }));
        (waits && !has(thread, QUEUES, "get"))
            .then(|| Some(format!("process {} waits{}", (*pid)?, words::at(thread))))?
    };
    let all = children.iter().flat_map(|child| child.threads.iter().map(|it| (child.pid, it)));
    let workers = all.filter(|(_, thread)| has(thread, PROCESSES, "worker"));
    let jobs: Option<Vec<String>> = workers.map(|worker| in_job(&worker)).collect();
    let Some(jobs) = jobs.filter(|jobs| !jobs.is_empty()) else { return false };
    for finding in found {
        if waits_for_pool(snapshot, finding).is_none() {
            continue;
        }
        finding.details.insert(
            0,
            format!(
                "It waits for a job of a pool of processes (multiprocessing.Pool), and each of \
                 the pool's processes waits in a job: {}. None is left to begin the jobs behind \
                 these in the queue.",
                words::some(&jobs)
            ),
        );
    }
    true
}

fn waits_for_lock(thread: &Thread) -> bool {
    matches!(&thread.waits, Some(Wait::Unknown { what }) if is_lock_of_python(what))
}

/// Says in each cause that is a wait of an event loop what that means: it has no timer, and nothing
/// from outside the process comes to what it watches.
pub fn add_loops(snapshot: &Snapshot, found: &mut [Finding]) {
    let waits = |thread: &Thread| {
        matches!(thread.waits, Some(Wait::Call { .. })) && has(thread, LOOP, "_run_once")
    };
    for finding in found {
        let mut threads = snapshot.threads.iter();
        if threads.any(|thread| finding.threads.contains(&thread.lwp) && waits(thread)) {
            finding.details.insert(
                0,
                "It is an event loop (asyncio) that has no timer, and nothing outside the process \
                 comes to what it watches: its tasks wait for each other, or for a call from \
                 another thread (call_soon_threadsafe)."
                    .to_owned(),
            );
        }
    }
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
