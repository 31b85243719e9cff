//! Adds to a finding that a thread waits for text in the buffer of a stream, or at an object of one
//! process in the memory of several.

use omphalos_ompd_view::snapshot::{Reader, Snapshot, Thread};

use crate::{Finding, words};

/// Puts these lines first in each finding about such a thread.
pub fn add(snapshot: &Snapshot, findings: &mut [Finding]) {
    for finding in findings {
        let about = snapshot.threads.iter().filter(|it| finding.threads.contains(&it.lwp));
        let mut said: Vec<String> = Vec::new();
        for thread in about {
            let places = || words::brings(thread);
            said.extend(within_process(thread).filter(|line| !said.contains(line)));
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

fn within_process(thread: &Thread) -> Option<String> {
    let is_so = thread.os.as_ref().is_some_and(|os| os.within_process);
    is_so.then(|| {
        format!(
            "No other process can wake {}: other processes have this memory too, but the object is \
             one that was made for a single process (pshared 0, PTHREAD_PROCESS_PRIVATE).",
            words::thread(thread)
        )
    })
}
