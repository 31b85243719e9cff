//! Counts the tasks of a region that each member of a team made and finished, and tells whether any
//! task is left.
//!
//! No word counts the tasks that are left: one member makes a task and another may finish it, so
//! all would write such a count. Instead each member counts in its own words the tasks that it made
//! and those that it finished. A thread that wants to know reads all of them: first the counts of
//! finished tasks, then those of made ones.
//!
//! | step | done by | order |
//! |---|---|---|
//! | `made` += 1 | the member, before the task can be seen | relaxed: a thread that sees the task sees the count |
//! | `finished` += 1 | the member, after all effects of the task | release |
//! | the sums | any thread, once all members arrived | all `finished` (acquire), then all `made` |
//!
//! Claim: if every member has arrived and the sums are equal, no task was left when the reading of
//! `finished` ended. Let F be the tasks that were counted as finished. The maker of a task of F
//! counted it before, so the reader sees that, and the sum of `made` is at least |F|. Suppose a
//! task T was left. Follow its makers upwards to the first one that is an implicit task or in F.
//! The task that this one made is seen too (an implicit task's because its arrival was acquired,
//! F's because `finished` was), and is not in F. So the sum is at least |F| + 1, and the two are
//! not equal.
//!
//! The words hold for one region, whose number stands beside them. A member resets its own with its
//! first task of a region, and a reader that sees another number counts 0.

use crate::shim::{AtomicU64, Ordering};

/// A number of tasks that no region finishes: a million a second for 30,000 years.
const LOST: u64 = 1 << 60;

/// The counts of one member, which alone writes them.
#[derive(Debug)]
pub struct Tally {
    /// The region that the two counts hold for. Written (release) after they were set to 0.
    region: AtomicU64,
    made: AtomicU64,
    finished: AtomicU64,
}

impl Tally {
    /// Makes the counts of no region (or of one with number 0, without tasks).
    pub fn new() -> Tally {
        Tally { region: AtomicU64::new(0), made: AtomicU64::new(0), finished: AtomicU64::new(0) }
    }

    /// Whether the counts hold for `region`. Only the member asks.
    #[inline(always)]
    pub fn is_of(&self, region: u64) -> bool {
        self.region.load(Ordering::Relaxed) == region
    }

    /// Makes the counts hold for `region` from here on. Only the member calls it.
    pub fn begin(&self, region: u64) {
        self.made.store(0, Ordering::Relaxed);
        self.finished.store(0, Ordering::Relaxed);
        self.region.store(region, Ordering::Release);
    }

    /// Notes that the member has lost sight of some tasks: for the rest of the region it has made
    /// more than all members finish.
    pub fn never_even(&self) {
        self.made.store(self.made.load(Ordering::Relaxed) + LOST, Ordering::Relaxed);
    }

    /// Makes the counts hold for no region. Only the member calls it, while no thread reads them.
    pub fn end(&self) {
        self.region.store(0, Ordering::Relaxed);
    }

    /// Counts a task that the member made and is about to let others see.
    #[inline(always)]
    pub fn count_made(&self) {
        self.made.store(self.made.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Counts a task that the member has finished.
    #[inline(always)]
    pub fn count_finished(&self) {
        self.finished.store(self.finished.load(Ordering::Relaxed) + 1, Ordering::Release);
    }

    /// Returns how many tasks the member has made and finished, as one number. Others compare it
    /// with an earlier one. It says nothing about which tasks.
    #[inline(always)]
    pub fn seen(&self) -> u64 {
        self.made.load(Ordering::Relaxed).wrapping_add(self.finished.load(Ordering::Relaxed))
    }

    fn of(&self, region: u64, count: &AtomicU64) -> u64 {
        // The region's number is read first: counts of this region are not reset any more.
        if self.region.load(Ordering::Acquire) == region {
            count.load(Ordering::Acquire)
        } else {
            0
        }
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether no task of `region` is left. `outside` tasks of it, a number read before, were finished
/// by threads that are no members. The answer is reliable only once every member has arrived and
/// the reader has seen that.
pub fn none_left<'a>(
    region: u64,
    outside: u64,
    members: impl Iterator<Item = &'a Tally> + Clone,
) -> bool {
    let finished: u64 = members.clone().map(|tally| tally.of(region, &tally.finished)).sum();
    let made: u64 = members.map(|tally| tally.of(region, &tally.made)).sum();
    outside + finished == made
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn counts_of_another_region_are_none() {
        let team = [Tally::new(), Tally::new()];
        assert!(none_left(5, 0, team.iter()));
        team[0].begin(5);
        team[0].count_made();
        team[0].count_made();
        assert!(!none_left(5, 0, team.iter()) && none_left(6, 0, team.iter()));
        team[1].begin(5);
        team[1].count_finished();
        assert!(!none_left(5, 0, team.iter()));
        assert!(none_left(5, 1, team.iter()));
        team[1].count_finished();
        assert!(none_left(5, 0, team.iter()));
        team[0].begin(6);
        assert!(none_left(6, 0, team.iter()));
        team[0].never_even();
        team[1].begin(6);
        for _ in 0..3 {
            team[1].count_finished();
            assert!(!none_left(6, 0, team.iter()) && none_left(7, 0, team.iter()));
        }
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::deque::{Deque, Steal};
    use crate::shim::AtomicU32;
    use loom::sync::Arc;
    use loom::thread;

    const REGION: u64 = 3;

    /// A team of two at the end of a region. Member 0 makes a task, which makes another one; each
    /// is executed by its maker or stolen.
    struct Team {
        deques: [Deque; 2],
        tallies: [Tally; 2],
        arrived: [AtomicU32; 2],
        /// The effects of the tasks.
        done: [AtomicU32; 2],
    }

    fn make(team: &Team, me: usize, task: usize) {
        if !team.tallies[me].is_of(REGION) {
            team.tallies[me].begin(REGION);
        }
        team.tallies[me].count_made();
        team.deques[me].push(task);
    }

    fn execute(team: &Team, me: usize, task: usize) {
        if task == 1 {
            make(team, me, 2);
        }
        team.done[task - 1].store(1, Ordering::Relaxed);
        if !team.tallies[me].is_of(REGION) {
            team.tallies[me].begin(REGION);
        }
        team.tallies[me].count_finished();
    }

    fn member(team: &Team, me: usize) {
        if me == 0 {
            make(team, me, 1);
        }
        team.arrived[me].swap(1, Ordering::SeqCst);
        while team.arrived[1 - me].load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        while !none_left(REGION, 0, team.tallies.iter()) {
            let task =
                team.deques[me].pop().or_else(|| match team.deques[1 - me].steal(|_| true) {
                    Steal::Value(task, _) => Some(task),
                    Steal::Lost | Steal::Nothing => None,
                });
            match task {
                Some(task) => execute(team, me, task),
                None => thread::yield_now(),
            }
        }
        for done in &team.done {
            assert_eq!(done.load(Ordering::Relaxed), 1, "left the region before a task was done");
        }
    }

    #[test]
    fn nobody_leaves_a_region_before_its_stolen_tasks_are_done() {
        let mut bounded = loom::model::Builder::new();
        bounded.preemption_bound = Some(3);
        bounded.check(|| {
            let team = Arc::new(Team {
                deques: [Deque::new(), Deque::new()],
                tallies: [Tally::new(), Tally::new()],
                arrived: [AtomicU32::new(0), AtomicU32::new(0)],
                done: [AtomicU32::new(0), AtomicU32::new(0)],
            });
            let other = team.clone();
            let worker = thread::spawn(move || member(&other, 1));
            member(&team, 0);
            worker.join().unwrap();
        });
    }
}
