//! Deals a taskloop's iterations to tasks, and tells tools each task's iterations.

use crate::call::Call;
use crate::records::{Task, Thread, Traits};
use crate::worksharing::hooks::taskloop_share;
use omphalos_events::Kind;

/// The iterations of a task, at the end of its payload: the first value and the number of
/// iterations.
type Noted = [u64; 2];

/// Returns the bytes that a task of a taskloop needs after its payload so that tools can be told
/// its iterations: 0 if no tool wants them.
#[inline(always)]
pub fn chunk_room(call: impl Call) -> usize {
    if call.wants(Kind::Dispatch) { size_of::<Noted>() } else { 0 }
}

/// Notes the iterations of a task that is about to be made with [`chunk_room`] after its payload.
/// Returns the trait that its construct must give it.
#[inline(always)]
pub fn note_chunk(task: &Task, room: usize, first: u64, count: u64) -> u32 {
    if room == 0 {
        return 0;
    }
    // SAFETY: the payload ends with that much room.
    unsafe { noted(task).write_unaligned([first, count]) };
    Traits::CHUNK
}

fn noted(task: &Task) -> *mut Noted {
    task.payload().wrapping_byte_add(task.payload_size() - size_of::<Noted>()).cast()
}

/// Tells the iterations of a task of a taskloop that begins.
#[inline]
pub(super) fn tell_chunk(thread: &Thread, task: &Task) {
    // SAFETY: `note_chunk` wrote it.
    let [first, count] = unsafe { noted(task).read_unaligned() };
    taskloop_share(thread, first, count);
}

/// The number or size of a taskloop's tasks, as the construct's clauses ask (OpenMP 5.2, section
/// 12.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// The construct has neither clause: the runtime makes this many tasks.
    Default(u64),
    /// `grainsize(n)`: each task gets at least n and fewer than 2n iterations.
    Size(u64),
    /// `grainsize(strict: n)`: n each, and the last one gets the rest.
    StrictSize(u64),
    /// `num_tasks(n)`: n, or as many as there are iterations if that is less.
    Tasks(u64),
}

/// The numbers of tasks for each thread of a loop whose construct does not say how many: the first
/// if a task costs next to nothing before a thread takes it (`split.rs`), the second if each task
/// is made. They are few enough to cost little beside short iterations, and so many that one task
/// is small beside an uneven loop.
const TASKS_EACH: u64 = 64;
const MADE_EACH: u64 = 10;
/// The number of consecutive tiny tasks of the first kind that may be one task: there are then
/// still as many tasks as of the second kind.
const LONGEST_ROW: u64 = TASKS_EACH / MADE_EACH;

impl Grain {
    /// Returns the grain of a construct with neither clause. `splits`: no task is made before a
    /// thread takes it.
    #[inline]
    pub fn by_default(thread: &Thread, splits: bool) -> Grain {
        let each = if splits { TASKS_EACH } else { MADE_EACH };
        let size = u64::from(thread.team().size.get());
        Grain::Default(if size > 1 { size * each } else { 1 })
    }
}

/// The iterations of each task: the first `longer` tasks get one more than `size`, except that the
/// last task gets `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The number of tasks.
    pub tasks: u64,
    /// The number of tasks that were made one by one; the others are dealt out.
    made: u64,
    size: u64,
    longer: u64,
    last: u64,
}

impl Deal {
    /// Deals `trip` iterations.
    pub fn new(trip: u64, grain: Grain) -> Deal {
        let tasks = match grain {
            Grain::StrictSize(size) => {
                let size = size.clamp(1, trip.max(1));
                let tasks = trip.div_ceil(size);
                let last = trip - size * tasks.saturating_sub(1);
                return Deal { tasks, made: 0, size, longer: 0, last };
            }
            Grain::Size(size) => (trip / size.max(1)).max(1),
            Grain::Default(tasks) | Grain::Tasks(tasks) => tasks.max(1),
        };
        let tasks = tasks.min(trip);
        if tasks == 0 {
            return Deal { tasks: 0, made: 0, size: 0, longer: 0, last: 0 };
        }
        let (size, longer) = (trip / tasks, trip % tasks);
        Deal { tasks, made: 0, size, longer, last: size }
    }

    /// Returns arguments for [`deal`](super::split::deal): how many tasks are dealt out, and how
    /// many of them may be one. `by_default`: the construct has neither clause, so that consecutive
    /// tasks may be one.
    pub fn rows(self, by_default: bool) -> (u64, u64) {
        (self.tasks - self.made, if by_default { LONGEST_ROW } else { 1 })
    }

    /// Returns the first iteration and the number of iterations of `count` consecutive tasks among
    /// those that are dealt out. `lowest` is the first of them.
    #[inline(always)]
    pub fn row(self, (lowest, count): (u64, u64)) -> (u64, u64) {
        let lowest = self.made + lowest;
        let (first, iterations) = self.share(lowest);
        if count == 1 {
            return (first, iterations);
        }
        let (last, of_last) = self.share(lowest + count - 1);
        (first, last + of_last - first)
    }

    /// Returns the first iteration and the number of iterations of task number `task`.
    #[inline(always)]
    pub fn share(self, task: u64) -> (u64, u64) {
        let longer = u64::from(task < self.longer);
        let count = if task + 1 == self.tasks { self.last } else { self.size + longer };
        (task * self.size + task.min(self.longer), count)
    }

    /// Returns the share of each task, in order.
    pub fn shares(self) -> Shares {
        Shares { deal: self, task: 0, first: 0 }
    }
}

/// The iterator of [`Deal::shares`].
#[derive(Clone, Debug)]
pub struct Shares {
    deal: Deal,
    /// The next task and its first iteration.
    task: u64,
    first: u64,
}

impl Shares {
    /// Returns a deal of the tasks that the iterator has not returned yet.
    #[inline]
    pub fn rest(&self) -> Deal {
        Deal { made: self.task, ..self.deal }
    }
}

impl Iterator for Shares {
    type Item = (u64, u64);

    #[inline(always)]
    fn next(&mut self) -> Option<(u64, u64)> {
        let (deal, task, first) = (&self.deal, self.task, self.first);
        if task >= deal.tasks {
            return None;
        }
        self.task = task + 1;
        let count = if self.task == deal.tasks {
            deal.last
        } else {
            deal.size + u64::from(task < deal.longer)
        };
        self.first = first + count;
        Some((first, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(trip: u64, grain: Grain) -> Vec<u64> {
        let shares: Vec<_> = Deal::new(trip, grain).shares().collect();
        let mut next = 0;
        for (task, &(first, count)) in shares.iter().enumerate() {
            assert_eq!(Deal::new(trip, grain).share(task as u64), (first, count));
            assert_eq!(Deal::new(trip, grain).row((0, task as u64 + 1)), (0, first + count));
            assert_eq!(first, next);
            next += count;
        }
        assert_eq!(next, trip);
        shares.into_iter().map(|share| share.1).collect()
    }

    #[test]
    fn every_iteration_is_dealt_once() {
        assert_eq!(counts(10, Grain::Tasks(4)), [3, 3, 2, 2]);
        assert_eq!(counts(3, Grain::Default(20)), [1, 1, 1]);
        assert_eq!(counts(10, Grain::Size(4)), [5, 5]);
        assert_eq!(counts(10, Grain::Size(40)), [10]);
        assert_eq!(counts(10, Grain::StrictSize(4)), [4, 4, 2]);
        assert_eq!(counts(8, Grain::StrictSize(4)), [4, 4]);
        assert_eq!(counts(5, Grain::StrictSize(50)), [5]);
        assert_eq!(counts(0, Grain::Tasks(4)), [0; 0]);
        assert_eq!(counts(0, Grain::StrictSize(4)), [0; 0]);
    }
}
