//! Finds regions whose workers do not exist. GCC's runtime keeps its workers from region to region.
//! A process that is forked after a region has no workers, but its runtime counts on them.

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use crate::{Finding, progress, words};

/// The begin of the name of GCC's runtime.
const KEEPS: &str = "GCC's runtime";

/// Returns the findings for threads that wait for members of their regions in a process without
/// workers.
pub fn find(now: &Snapshot, before: Option<&Snapshot>) -> Vec<Finding> {
    if !now.runtime.starts_with(KEEPS) || before.is_none() || now.threads.iter().any(is_worker) {
        return Vec::new();
    }
    let stays = |thread: &&Thread| {
        let sleeps = thread.os.as_ref().is_some_and(|os| os.state == "S");
        let waits = matches!(thread.waits, Some(Wait::Barrier { .. }));
        waits && sleeps && in_runtime(thread).is_some() && !progress::moved(now, thread, before)
    };
    now.threads.iter().filter(stays).map(finding).collect()
}

/// The outermost of a thread's frames that is in the runtime.
fn in_runtime(thread: &Thread) -> Option<usize> {
    thread.stack.iter().rposition(|frame| frame.runtime)
}

/// Whether the runtime began the thread: none of its outer frames is the program's. (A thread that
/// has just begun may have no frame of the runtime yet.)
fn is_worker(thread: &Thread) -> bool {
    let outside = in_runtime(thread).map_or(0, |at| at + 1);
    thread.stack.get(outside..).unwrap_or_default().iter().all(words::is_system)
}

fn finding(thread: &Thread) -> Finding {
    let (name, at) = (words::thread(thread), words::at(thread));
    let summary = format!(
        "{name} waits{at} for the other threads of its region, and this process has none: no \
         thread of it is one of the runtime's."
    );
    let mut finding = Finding::new("members-not-there", summary);
    finding.details.push(
        "GCC's runtime keeps its threads from region to region, and a fork copies only the thread \
         that calls it: in a child that is forked behind a region, the next region with several \
         threads waits for ever."
            .to_owned(),
    );
    finding.details.push(
        "Start children before the first region, or by exec (Python: the start methods 'spawn' \
         and 'forkserver'); other runtimes, Omphalos too, make new threads in the child."
            .to_owned(),
    );
    finding.details.extend(words::came(thread));
    finding.threads.push(thread.lwp);
    finding
}
