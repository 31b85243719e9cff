//! Finds what keeps the whole process from running, whatever its threads wait for.

use omphalos_ompd_view::snapshot::Snapshot;

use crate::{Finding, words};

/// Returns the finding, if something keeps the process from running. A signal that stops one thread
/// stops all threads.
pub fn find(now: &Snapshot) -> Option<Finding> {
    let stopped = |thread: &omphalos_ompd_view::snapshot::Thread| {
        thread.os.as_ref().is_some_and(|os| os.state == "T")
    };
    let mut finding = if let Some(group) = &now.frozen {
        let summary = format!(
            "The process is frozen by its control group '{group}' (a container that is paused, a \
             job that is suspended): no thread goes on before that is thawed."
        );
        Finding::new("frozen", summary)
    } else if now.threads.iter().any(stopped) {
        let summary = "The process is stopped by a signal (Ctrl-Z, `kill -STOP`, a batch system \
                       that suspends a job): `kill -CONT` lets it go on."
            .to_owned();
        let mut finding = Finding::new("stopped", summary);
        finding.details.extend(words::lines(now, &now.threads.iter().collect::<Vec<_>>()));
        finding
    } else {
        return None;
    };
    finding.threads = now.threads.iter().map(|thread| thread.lwp).collect();
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_ompd_view::snapshot::{Os, Thread};

    /// Two threads that are stopped outside any wait are not two threads that spin.
    #[test]
    fn a_stopped_process_is_one_finding_wherever_its_threads_are() {
        let thread = |lwp| {
            let os = Os { state: "T".into(), ..Os::default() };
            Thread { lwp, os: Some(os), unchanged: 8, ..Thread::default() }
        };
        let snapshot = Snapshot { threads: vec![thread(1), thread(2)], ..Snapshot::default() };
        let found = crate::explain(&snapshot, Some(&snapshot));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((&*found[0].kind, &*found[0].threads), ("stopped", &[1, 2][..]));
        assert_eq!(found[0].details, ["LWP 1, LWP 2: stopped by a signal"]);
    }
}
