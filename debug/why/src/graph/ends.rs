//! Finds the members that have not come to a region's end, or to a barrier in it, if the runtime
//! does not tell them: the stacks of these members are in the region.

use omphalos_ompd_view::snapshot::{Frame, Thread, Wait};

use super::Graph;
use crate::words;

/// Functions of runtimes that call a region's body and wait for its end, by the beginnings of their
/// names.
const FORKS: [&str; 2] = ["__kmpc_fork_call", "GOMP_parallel"];

impl Graph<'_> {
    /// Returns the threads for which `at` waits at its region's end: the threads in the body of a
    /// region that the function of `at` has begun. Empty if several threads have begun regions of
    /// that function. A body has the name of the function that begins its region, and the thread
    /// that begins the region stays in that function until all members have left the body.
    pub(super) fn inside(&self, at: usize) -> Vec<usize> {
        let threads = &self.snapshot.threads;
        let Some(function) = threads[at].stack.iter().find(is_own).map(|frame| &frame.function)
        else {
            return Vec::new();
        };
        let begins = |thread: &Thread| {
            let pairs = thread.stack.windows(2);
            let mut forks = pairs.filter(|pair| is_fork(&pair[0]) && !is_fork(&pair[1]));
            forks.any(|pair| pair[1].function == *function)
        };
        if function.is_empty() || threads.iter().filter(|thread| begins(thread)).count() != 1 {
            return Vec::new();
        }
        let is_body = |frame: &Frame| {
            let of_region = frame.construct.as_ref().is_some_and(|it| it.contains("parallel"));
            of_region && frame.function == *function
        };
        let inside = |other: &usize| *other != at && threads[*other].stack.iter().any(is_body);
        (0..threads.len()).filter(inside).collect()
    }

    /// Returns the threads for which `at` waits at a barrier: the threads in the body of its region
    /// that are at no barrier. Empty unless the process has one region.
    pub(super) fn elsewhere(&self, at: usize) -> Vec<usize> {
        let threads = &self.snapshot.threads;
        let begins = |thread: &Thread| {
            let pairs = thread.stack.windows(2);
            pairs.filter(|pair| is_fork(&pair[0]) && !is_fork(&pair[1])).count()
        };
        let is_body = |frame: &Frame| frame.construct.as_deref() == Some("parallel");
        let is_inside = |thread: &Thread| thread.stack.iter().any(is_body);
        if threads.iter().map(begins).sum::<usize>() != 1 || !is_inside(&threads[at]) {
            return Vec::new();
        }
        let is_missing = |thread: &Thread| {
            is_inside(thread) && !matches!(thread.waits, Some(Wait::Barrier { .. }))
        };
        (0..threads.len()).filter(|other| is_missing(&threads[*other])).collect()
    }
}

fn is_own(frame: &&Frame) -> bool {
    !frame.runtime && !words::is_system(frame)
}

fn is_fork(frame: &Frame) -> bool {
    frame.runtime && FORKS.iter().any(|name| frame.function.starts_with(name))
}
