//! A census of many members: one read tells whether any of them is in it, and no counter is written
//! by all.
//!
//! The words are the nodes of a tree. `FAN` members share a word of the lowest level, and `FAN`
//! words of one level share a word of the level above, up to a single one, the root. A word counts
//! the things below it: at the lowest level, members; above that, words that are not 0. A member
//! that comes to a word that is not 0 goes no further up; nor does a member that leaves a word that
//! is not 0 afterwards. So most members come and go with one addition to a word that `FAN` members
//! write, and the root changes only when a part of the tree fills or empties.
//!
//! | step | order |
//! |---|---|
//! | come: the word is not 0: += 1 by compare-exchange | done |
//! | come: the word is 0: come to the word above, then += 1 | if it was not 0 by then, leave the word above again |
//! | leave: -= 1 | if it is 0 now, leave the word above |
//! | look: the root is 0 | no member is there |
//!
//! At every moment a word above counts each word below that is not 0, and perhaps some that are
//! about to be, or just were. (It is raised before the word below, and lowered after it.) So from
//! the return of `add_thread` to the call of `leave` no word on the member's way up is 0, the root
//! included.
//!
//! For tasks, a member is in the census while it executes a task or has some in its queues. It
//! comes before it makes one or takes another member's, and leaves when it has seen its queues
//! empty. The claim: if every member has arrived at a barrier and the root is 0, no task is left.
//!
//! Suppose one is left. Call the members that had it, one after the other, its holders; the first
//! one made it. A holder comes before it makes or takes the task, and leaves only after it has seen
//! the task gone. So each holder has come before the one ahead of it leaves, and the root is not 0
//! from the first one's coming to the last one's leaving. The last one still has the task, so it
//! has not left; the first one came before the barrier was complete. So the root is not 0: a
//! contradiction. (If the maker made the task inside another task, the same holds of that one.)
//!
//! A task that no member has (it waits for an event, or is in a list that belongs to all) stands in
//! the census by itself, under any number.

use crate::shim::{AtomicU32, Ordering};

/// A word on a line of its own, with the neighbouring line that processors prefetch.
#[repr(align(128))]
struct Line(AtomicU32);

/// A census of many members.
pub struct Census<const FAN: usize> {
    /// The words, level by level from the members up.
    levels: Vec<Vec<Line>>,
}

impl<const FAN: usize> Census<FAN> {
    /// Makes an empty census for up to `members` members, at least 1.
    pub fn new(members: u32) -> Census<FAN> {
        let mut levels = Vec::new();
        let mut width = members as usize;
        loop {
            width = width.div_ceil(FAN);
            let mut words = Vec::with_capacity(width);
            words.resize_with(width, || Line(AtomicU32::new(0)));
            levels.push(words);
            if width <= 1 {
                return Census { levels };
            }
        }
    }

    /// Adds member `num`, or something else that counts under that number. A number may be in the
    /// census several times.
    #[inline]
    pub fn add_thread(&self, num: u32) {
        self.come_to(0, num as usize / FAN);
    }

    /// Removes the thing that came under this number. Release: a reader that finds the census empty
    /// sees all its effects.
    #[inline]
    pub fn leave(&self, num: u32) {
        self.leave_from(0, num as usize / FAN);
    }

    /// Whether the census is empty.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.levels.last().is_none_or(|root| root[0].0.load(Ordering::SeqCst) == 0)
    }

    /// Whether a member that shares a word with member `num` may be in the census. The answer is a
    /// hint.
    #[inline(always)]
    pub fn is_near(&self, num: u32) -> bool {
        self.word(0, num as usize / FAN).is_some_and(|word| word.load(Ordering::Relaxed) != 0)
    }

    /// Makes the census empty, when no member is in it.
    pub fn reset(&self) {
        for word in self.levels.iter().flatten() {
            word.0.store(0, Ordering::Relaxed);
        }
    }

    fn word(&self, level: usize, index: usize) -> Option<&AtomicU32> {
        Some(&self.levels.get(level)?.get(index)?.0)
    }

    fn come_to(&self, level: usize, index: usize) {
        let Some(word) = self.word(level, index) else { return };
        let mut now = word.load(Ordering::Relaxed);
        while now != 0 {
            match word.compare_exchange_weak(now, now + 1, Ordering::SeqCst, Ordering::Relaxed) {
                Ok(_) => return,
                Err(newer) => now = newer,
            }
        }
        self.come_to(level + 1, index / FAN);
        if word.fetch_add(1, Ordering::SeqCst) != 0 {
            // Other members came at the same time, and one of them counts in the word above.
            self.leave_from(level + 1, index / FAN);
        }
    }

    fn leave_from(&self, level: usize, index: usize) {
        let Some(word) = self.word(level, index) else { return };
        if word.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.leave_from(level + 1, index / FAN);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn it_is_empty_when_all_that_came_have_left() {
        for size in 1..=70 {
            let census = Census::<4>::new(size);
            assert!(census.is_empty());
            for num in 0..size {
                census.add_thread(num * 7 % size);
                assert!(!census.is_empty() && census.is_near(num * 7 % size), "{size}");
            }
            for num in 0..size {
                assert!(!census.is_empty(), "{size}");
                census.leave(num * 7 % size);
            }
            assert!(census.is_empty() && (0..size).all(|num| !census.is_near(num)), "{size}");
        }
    }

    #[test]
    fn the_root_is_written_once_for_those_who_share_a_word() {
        let census = Census::<4>::new(16);
        let root = || census.levels[1][0].0.load(Ordering::Relaxed);
        for num in [0, 1, 2, 3, 3] {
            census.add_thread(num);
            assert_eq!(root(), 1);
        }
        census.add_thread(15);
        assert_eq!(root(), 2);
        census.reset();
        assert!(census.is_empty());
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::deque::{Deque, Steal};
    use loom::sync::Arc;
    use loom::thread;

    fn check(model: impl Fn() + Sync + Send + 'static) {
        let mut bounded = loom::model::Builder::new();
        bounded.preemption_bound = Some(3);
        bounded.check(model);
    }

    /// Two members share a word, and one has another: while one of them is in the census, no reader
    /// finds it empty.
    #[test]
    fn who_came_is_seen_until_it_leaves() {
        check(|| {
            let census = Arc::new(Census::<2>::new(3));
            let others: Vec<_> = (1..3)
                .map(|num| {
                    let census = census.clone();
                    thread::spawn(move || {
                        census.add_thread(num);
                        assert!(!census.is_empty());
                        census.leave(num);
                    })
                })
                .collect();
            census.add_thread(0);
            assert!(!census.is_empty());
            census.leave(0);
            others.into_iter().for_each(|other| other.join().unwrap());
            assert!(census.is_empty());
        });
    }

    const MEMBERS: usize = 2;

    struct Team {
        census: Census<2>,
        deques: [Deque; MEMBERS],
        arrived: [AtomicU32; MEMBERS],
        /// Tasks that were executed; task 1 makes task 2.
        done: [AtomicU32; 2],
    }

    /// A member of the team, and whether it is in the census.
    struct Member<'a> {
        team: &'a Team,
        num: usize,
        there: bool,
    }

    impl Member<'_> {
        fn enter(&mut self) {
            if !self.there {
                self.team.census.add_thread(2 * self.num as u32);
                self.there = true;
            }
        }

        fn make(&mut self, task: usize) {
            self.enter();
            self.team.deques[self.num].push(task);
        }

        fn execute(&mut self, task: usize) {
            if task == 1 {
                self.make(2);
            }
            self.team.done[task - 1].store(1, Ordering::Relaxed);
        }

        fn next(&mut self) -> Option<usize> {
            if let Some(task) = self.team.deques[self.num].pop() {
                return Some(task);
            }
            let victim = &self.team.deques[1 - self.num];
            if victim.looks_empty() {
                return None;
            }
            self.enter();
            match victim.steal(|_| true) {
                Steal::Value(task, _) => Some(task),
                Steal::Lost | Steal::Nothing => None,
            }
        }

        fn rest(&mut self) {
            if self.there && self.team.deques[self.num].looks_empty() {
                self.there = false;
                self.team.census.leave(2 * self.num as u32);
            }
        }
    }

    fn member(team: &Team, num: usize) {
        let mut me = Member { team, num, there: false };
        if num == 0 {
            me.make(1);
        }
        team.arrived[num].swap(1, Ordering::SeqCst);
        while team.arrived[1 - num].load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        while !team.census.is_empty() {
            match me.next() {
                Some(task) => me.execute(task),
                None => {
                    me.rest();
                    thread::yield_now();
                }
            }
        }
        for done in &team.done {
            assert_eq!(done.load(Ordering::Relaxed), 1, "left the region before a task was done");
        }
    }

    /// Each member has a word of its own under the root. One of the tasks may be stolen, and makes
    /// another task.
    #[test]
    fn nobody_leaves_a_region_before_its_stolen_tasks_are_done() {
        check(|| {
            let team = Arc::new(Team {
                census: Census::new(2 * MEMBERS as u32),
                deques: [Deque::new(), Deque::new()],
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
