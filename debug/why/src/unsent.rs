//! Adds to a finding that a thread waits for text in the buffer of a stream.

use omphalos_ompd_view::snapshot::{Reader, Snapshot, Thread};

use crate::{Finding, words};

/// Puts the line about the stream first in each finding about a thread that waits for its text.
pub fn add(snapshot: &Snapshot, findings: &mut [Finding]) {
    for finding in findings {
        let about = snapshot.threads.iter().filter(|it| finding.threads.contains(&it.lwp));
        let mut said: Vec<String> = Vec::new();
        for thread in about {
            let places = || words::brings(thread);
            let lines = lies_in_buffer(snapshot, thread).map(|line| [Some(line), places()]);
            let lines = lines.into_iter().flatten().flatten();
            said.extend(lines.filter(|line| !said.contains(line)).collect::<Vec<_>>());
        }
        finding.details.retain(|line| !said.contains(line));
        finding.details.splice(0..0, said);
    }
}

fn lies_in_buffer(snapshot: &Snapshot, thread: &Thread) -> Option<String> {
    let unsent = thread.unsent.as_ref()?;
    let reader = match &unsent.reader {
        Reader::Own(lwp) => words::thread(snapshot.threads.iter().find(|other| other.lwp == *lwp)?),
        Reader::Other(pid, Some(name)) => format!("process {pid} ('{name}')"),
        Reader::Other(pid, None) => format!("process {pid}"),
    };
    let bytes = if unsent.bytes == 1 { "byte" } else { "bytes" };
    Some(format!(
        "{reader} waits for what is still in the buffer of the stream of file descriptor {}: {} \
         {bytes}, which the code has written to it and not flushed (fflush).",
        unsent.descriptor, unsent.bytes
    ))
}
