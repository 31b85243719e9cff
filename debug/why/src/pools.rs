//! Finds pools of threads whose jobs wait for jobs of the same pool. Each thread of such a pool
//! executes a job that waits for the value of another job, and no thread is left to begin the other
//! job.
//!
//! What must hold: a pool is named only if none of its threads waits for work. A job is recognised
//! by the C++ library's own functions around it, which set a future's value when it ends.

use omphalos_ompd_view::snapshot::{Bringing, Frame, Snapshot, Thread};

use crate::{Finding, words};

/// Functions that execute a packaged task, by parts of their names: libstdc++'s and libc++'s.
const EXECUTES: [(&str, &str); 2] =
    [("std::__future_base::_Task_state<", "_M_run"), ("std::__1::packaged_task<", "operator()")];

/// Returns one finding for the threads of a pool among the causes, and for the threads that wait
/// for the pool's jobs.
pub fn find(snapshot: &Snapshot, causes: &[&Thread]) -> Option<Finding> {
    let waits = |thread: &&&Thread| {
        thread.brings.as_ref().is_some_and(|brings| brings.what == Bringing::Set)
    };
    let waiting: Vec<&Thread> = causes.iter().filter(waits).copied().collect();
    let (executing, others): (Vec<&Thread>, Vec<&Thread>) =
        waiting.iter().partition(|thread| executor(thread).is_some());
    let first = executor(executing.first()?)?;
    let (place, function) = (words::place(first)?, &first.function);
    let is_of_pool = |thread: &Thread| thread.stack.iter().any(|it| it.function == *function);
    let waits_in_job = |thread: &Thread| executing.iter().any(|one| one.lwp == thread.lwp);
    if !snapshot.threads.iter().filter(|it| is_of_pool(it)).all(waits_in_job)
        || !executing.iter().all(|thread| is_of_pool(thread))
    {
        return None;
    }
    let mut places: Vec<String> = Vec::new();
    for at in executing.iter().filter_map(|thread| words::standing(thread)) {
        places.extend(Some(at).filter(|at| !places.contains(at)));
    }
    let (who, at) = (words::threads(&executing), words::some(&places));
    let (waits, each) = match executing.len() {
        1 => ("waits", "It is the one thread"),
        _ => ("wait", "They are all threads"),
    };
    let summary = format!(
        "{who} {waits} at {at} for the value of a std::future that another job is to set, each in \
         a job of its own. {each} that execute{} such jobs, at {place} in {function}: none is left \
         to begin the one that is waited for.",
        if executing.len() == 1 { "s" } else { "" },
    );
    let mut finding = Finding::new("waits-for-ever", summary);
    finding.details.extend(executing.first().and_then(|thread| words::brings(thread)));
    finding.details.push(
        "A job that waits for jobs of its own pool keeps its thread meanwhile: execute them there, \
         or give them to another pool."
            .to_owned(),
    );
    finding.details.extend(words::lines(snapshot, &others));
    finding.threads = executing.iter().chain(&others).map(|thread| thread.lwp).collect();
    Some(finding)
}

/// The program's frame that executes the thread's current job.
fn executor(thread: &Thread) -> Option<&Frame> {
    let executes = |frame: &Frame| {
        EXECUTES
            .iter()
            .any(|(begin, end)| frame.function.starts_with(begin) && frame.function.ends_with(end))
    };
    let from = thread.stack.iter().rposition(executes)?;
    thread.stack[from..].iter().find(|frame| words::is_placed(frame))
}

#[cfg(test)]
mod tests {
    use omphalos_ompd_view::snapshot::Brings;

    use super::*;

    fn thread(lwp: u32, functions: &[(&str, &str)]) -> Thread {
        let frame = |(function, file): &(&str, &str)| Frame {
            function: (*function).to_owned(),
            file: Some((*file).to_owned()),
            line: Some(7),
            module: "app".to_owned(),
            ..Frame::default()
        };
        let brings = Brings { what: Bringing::Set, ..Brings::default() };
        let stack = functions.iter().map(frame).collect();
        Thread { lwp, stack, brings: Some(brings), ..Thread::default() }
    }

    #[test]
    fn a_pool_without_a_thread_that_waits_for_work_is_named() {
        let run = ("std::__future_base::_Task_state<job>::_M_run", "/usr/include/c++/12/future");
        let in_job = |lwp| thread(lwp, &[("half", "a.cpp"), run, ("serve", "pool.hpp")]);
        let main = || thread(1, &[("main", "a.cpp")]);
        let found = |threads: Vec<Thread>, causes: &[usize]| {
            let snapshot = Snapshot { threads, ..Snapshot::default() };
            let causes: Vec<&Thread> = causes.iter().map(|at| &snapshot.threads[*at]).collect();
            find(&snapshot, &causes).map(|finding| finding.threads)
        };
        assert_eq!(found(vec![main(), in_job(2), in_job(3)], &[0, 1, 2]), Some(vec![2, 3, 1]));
        // One of the pool's threads waits for work; or no thread is known to be in a pool.
        let idle = thread(4, &[("serve", "pool.hpp")]);
        assert_eq!(found(vec![main(), in_job(2), idle], &[0, 1]), None);
        assert_eq!(found(vec![main()], &[0]), None);
    }
}
