//! Where the code does what would end a wait.

use omphalos_ompd_view::snapshot::{Bringing, Thread};

/// "The code signals it at a.c:3 and at a.c:9."
pub fn brings(thread: &Thread) -> Option<String> {
    let brings = thread.brings.as_ref()?;
    let (verb, one, alike) = match brings.what {
        Bringing::Signal => ("signals", "it", "condition variables"),
        Bringing::Post => ("releases", "it", "semaphores"),
        Bringing::Fulfil => ("fulfils", "events", "events"),
        Bringing::Write => ("writes", "it", "such variables"),
        Bringing::End => ("ends", "threads", "threads"),
    };
    let what = if brings.alike { alike } else { one };
    Some(format!("The code {verb} {what} at {}.", brings.places.join(" and at ")))
}
