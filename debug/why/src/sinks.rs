//! Finds the thread that had an iteration for which another thread waits, in a loop with
//! dependences between iterations (`ordered depend(sink)`). `outside.rs` is the caller.

use omphalos_ompd_view::snapshot::{Thread, Wait};

use crate::graph::Graph;
use crate::words;

/// Returns a sentence: "Iteration 19 was thread 1's, which has left it without coming to its
/// source: it is in iteration 21." `None` unless the loop's schedule is static with a chunk: only
/// this schedule shows which member had an iteration.
pub fn left(graph: &Graph<'_>, thread: &Thread) -> Option<String> {
    let Some(Wait::Sink { team, iteration, .. }) = &thread.waits else { return None };
    let outer = u64::try_from(*iteration.first()?).ok()?;
    let within = thread.in_loop.as_ref().filter(|within| within.schedule == "static")?;
    let chunk = within.chunk.filter(|chunk| *chunk > 0)?;
    let members = graph.members(*team);
    let had = (outer / chunk).checked_rem(members.len() as u64)?;
    let (_, at) = members.into_iter().find(|(number, _)| u64::from(*number) == had)?;
    let other = graph.thread(at);
    let own = match &other.waits {
        Some(Wait::Sink { own, .. }) => *own,
        _ => None,
    };
    let own = own.or_else(|| other.in_loop.as_ref()?.own.map(|(first, _)| first))?;
    (own > outer).then(|| {
        let name = words::thread(other);
        format!(
            "Iteration {outer} was {name}'s, which has left it without coming to its source: it is \
             in iteration {own}."
        )
    })
}
