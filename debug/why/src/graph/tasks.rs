//! Finds the blockers that keep tasks from being complete.

use std::collections::HashSet;

use omphalos_ompd_view::snapshot::{Address, Task, Thread};

use super::{Blocker, Graph};

/// `ompt_task_initial` and `ompt_task_implicit`.
const IMPLICIT: u32 = 3;
/// The most blockers of one wait. More of them would not change the cause that is named.
const MOST_BLOCKERS: usize = 1024;
/// Tasks that are looked at behind one wait.
const MOST_TASKS: usize = 100_000;

impl Graph<'_> {
    /// Returns the thread that executes a task. A task that waits inside code that it called has no
    /// thread in the snapshot; its frame is on that thread's stack.
    pub(super) fn executing(&self, task: &Task) -> Option<usize> {
        if let Some(record) = task.thread {
            return self.by_record(record);
        }
        let has_frame = |thread: &Thread| {
            let known = || thread.stack.iter().map(|frame| frame.cfa).filter(|cfa| *cfa != 0);
            let (Some(first), Some(last)) = (known().min(), known().max()) else { return false };
            (first..=last).contains(&task.exit_frame)
        };
        self.snapshot.threads.iter().position(has_frame)
    }

    pub(super) fn is_inside(&self, task: &Task, ancestor: Address) -> bool {
        let mut parent = task.parent;
        for _ in 0..64 {
            match parent {
                Some(address) if address == ancestor => return true,
                Some(address) => parent = self.task(address).and_then(|(_, task)| task.parent),
                None => return false,
            }
        }
        false
    }

    pub(super) fn of_team(&self, waiting: usize, team: Address) -> Vec<Blocker> {
        let mut known = self.of_teams.borrow_mut();
        let all = known
            .entry(team)
            .or_insert_with(|| self.tasks(usize::MAX, |task| task.team == Some(team)));
        all.iter().filter(|blocker| **blocker != Blocker::Thread(waiting)).cloned().collect()
    }

    /// The blockers that keep the wanted tasks from being complete.
    pub(super) fn tasks(&self, waiting: usize, wanted: impl Fn(&Task) -> bool) -> Vec<Blocker> {
        let tasks = &self.snapshot.tasks;
        // An implicit task is a thread's part of a region, and no child of a task.
        let explicit = (0..tasks.len()).filter(|at| tasks[*at].flags & IMPLICIT == 0);
        self.behind_tasks(waiting, explicit.filter(|at| wanted(&tasks[*at])).collect())
    }

    /// The blockers that keep these tasks (places in the snapshot) from being complete.
    pub(super) fn behind_tasks(&self, waiting: usize, mut open: Vec<usize>) -> Vec<Blocker> {
        let tasks = &self.snapshot.tasks;
        let mut found: Vec<Blocker> = Vec::new();
        let mut known: HashSet<Blocker> = HashSet::new();
        let mut seen: HashSet<usize> = HashSet::new();
        let mut queued = false;
        while let Some(at) = open.pop() {
            if !seen.insert(at) || seen.len() > MOST_TASKS {
                continue;
            }
            let task = &tasks[at];
            let blocker = match &*task.state {
                "detached" => Blocker::Event(at),
                "waits" => {
                    let before: Vec<usize> =
                        task.depends_on.iter().filter_map(|on| Some(self.task(*on)?.0)).collect();
                    if before.is_empty() {
                        Blocker::Held(at)
                    } else {
                        open.extend(before);
                        continue;
                    }
                }
                // One queued task represents all of them.
                "queued" if queued => continue,
                "queued" => {
                    queued = true;
                    Blocker::Queued(at)
                }
                "executing" | "suspended" => match self.executing(task) {
                    Some(thread) if thread != waiting => Blocker::Thread(thread),
                    _ => continue,
                },
                _ => continue,
            };
            if found.len() < MOST_BLOCKERS && known.insert(blocker.clone()) {
                found.push(blocker);
            }
        }
        found
    }
}
