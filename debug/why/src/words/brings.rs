//! Says where the code would end a wait.

use omphalos_ompd_view::snapshot::{Bringing, Thread, Wait};

/// "The code signals it at a.c:3 and at a.c:9."
pub fn brings(thread: &Thread) -> Option<String> {
    let brings = thread.brings.as_ref()?;
    let (verb, one, alike) = match brings.what {
        Bringing::Signal => ("signals", "it", "condition variables"),
        Bringing::Post => ("releases", "it", "semaphores"),
        Bringing::Release => ("takes or gives back", "it", "locks of that name"),
        Bringing::TaskDone => ("calls", "task_done", "task_done"),
        Bringing::Fulfil => ("fulfils", "events", "events"),
        Bringing::Write => ("writes", "it", "such variables"),
        Bringing::Destroy => ("destroys", "it", "locks"),
        Bringing::End => ("ends", "threads", "threads"),
        Bringing::CountDown => ("counts", "it down", "latches down"),
        Bringing::Arrive => ("arrives at", "it", "such barriers"),
        Bringing::Notify => ("notifies", "it", "those who wait for atomics"),
        Bringing::Store => ("notifies nobody who waits for atomics; it writes", "it", "atomics"),
        Bringing::Set => ("sets", "it", "values of promises"),
        Bringing::Send => ("sends", "messages", "messages"),
        Bringing::Take => ("takes", "messages", "messages"),
        Bringing::Change => ("changes", "it", "semaphores of System V"),
        Bringing::Source => ("comes to", "sources", "sources"),
        Bringing::Raise => ("sends", "signals", "signals"),
        Bringing::Flush => ("flushes", "it", "streams"),
        Bringing::WriteTo => ("writes to", "it", "file descriptors"),
        Bringing::Open => ("opens", "it", "files"),
        Bringing::ReadFrom => ("reads from", "it", "file descriptors"),
    };
    if brings.places.is_empty() {
        return None;
    }
    if !brings.others.is_empty() {
        return Some(format!(
            "The code {verb} {} at {}, and nowhere what this thread waits for.",
            brings.others.join(" and "),
            brings.places.join(" and at ")
        ));
    }
    let what = if brings.alike { alike } else { one };
    Some(format!("The code {verb} {what} at {}.", brings.places.join(" and at ")))
}

/// "64 bytes": what has come where the thread waits for what comes next, and has not been read,
/// although `epoll` tells of it only once.
pub fn left_unread(thread: &Thread) -> Option<&str> {
    let Some(Wait::Call { what, .. }) = &thread.waits else { return None };
    let (_, rest) = what.split_once("(EPOLLET), and ")?;
    rest.split_once(" of it are not read").map(|(left, _)| left)
}
