//! Translates the kernel's numbers of threads for a program that sees other numbers than we do: in
//! a container, whose processes have a PID namespace of their own (pid_namespaces(7)). The
//! program's memory has the numbers that it sees. So a look works with these, and gives ours at its
//! end.

use std::collections::HashMap;

use omphalos_ompd_view::asleep::number_within as within;
use omphalos_ompd_view::snapshot::{Snapshot, Wait};

/// The numbers of a process's threads; empty if the program sees ours.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The numbers that the program sees, by ours.
    seen: HashMap<u32, u32>,
    /// Our numbers, by those that the program sees.
    ours: HashMap<u32, u32>,
}

impl Numbers {
    /// The numbers of `threads`, which are the process's threads by our numbers.
    pub fn of(pid: u32, threads: impl Iterator<Item = u32>) -> Numbers {
        let mut numbers = Numbers::default();
        if within(pid, pid).is_some_and(|seen| seen != pid) {
            numbers.add(pid, threads);
        }
        numbers
    }

    /// Adds threads that have come meanwhile.
    pub fn add(&mut self, pid: u32, threads: impl Iterator<Item = u32>) {
        for ours in threads {
            if !self.seen.contains_key(&ours)
                && let Some(seen) = within(pid, ours)
            {
                self.seen.insert(ours, seen);
                self.ours.insert(seen, ours);
            }
        }
    }

    /// Whether the program sees other numbers than we do.
    pub fn differ(&self) -> bool {
        !self.seen.is_empty()
    }

    /// The program's number of a thread.
    pub fn seen(&self, ours: u32) -> u32 {
        self.seen.get(&ours).copied().unwrap_or(ours)
    }

    /// Our number of a thread. A thread that has ended keeps the program's number.
    pub fn ours(&self, seen: u32) -> u32 {
        self.ours.get(&seen).copied().unwrap_or(seen)
    }

    /// Gives the threads of a snapshot our numbers.
    pub fn give(&self, snapshot: &mut Snapshot) {
        if !self.differ() {
            return;
        }
        for thread in &mut snapshot.threads {
            thread.lwp = self.ours(thread.lwp);
            let other = match &mut thread.waits {
                Some(
                    Wait::Mutex { owner, .. }
                    | Wait::Once { owner, .. }
                    | Wait::Loader { owner }
                    | Wait::Interpreter { owner }
                    | Wait::Join { lwp: owner },
                ) => owner,
                _ => continue,
            };
            *other = other.map(|seen| self.ours(seen));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_ompd_view::snapshot::Thread;

    #[test]
    fn a_snapshot_gets_our_numbers() {
        let pairs = [(2948, 1), (2949, 2)];
        let (seen, ours) = (pairs.into(), pairs.map(|(ours, seen)| (seen, ours)).into());
        let numbers = Numbers { seen, ours };
        let wait = |owner| Wait::Mutex { mutex: 16, owner: Some(owner), read_write: false };
        let thread = |lwp, owner| Thread { lwp, waits: Some(wait(owner)), ..Thread::default() };
        let threads = vec![thread(1, 2), thread(2, 9)];
        let mut snapshot = Snapshot { threads, ..Snapshot::default() };
        numbers.give(&mut snapshot);
        assert_eq!(snapshot.threads, [thread(2948, 2949), thread(2949, 9)]);
    }
}
