//! Quiet threads: the [partner](crate::partner) asks that one thread's tasks be counted and not
//! told.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Places of constructs that one thread counts at a time.
const PLACES: usize = 16;
/// Places where a construct may stand.
const WAYS: usize = 4;
/// The bits of an address in a data word.
const ADDRESS: u64 = (1 << 48) - 1;

/// Tasks that one thread made at one place.
#[repr(C)]
#[derive(Default)]
pub struct QuietPlace {
    /// The address after the construct's call, 0 = none. Written by the tool.
    pub codeptr: AtomicU64,
    /// Tasks that the thread made here. It never decreases.
    pub count: AtomicU64,
    /// Tasks of this place that another thread made and this one ended. It never decreases.
    pub foreign: AtomicU64,
}

impl QuietPlace {
    const fn new() -> QuietPlace {
        QuietPlace {
            codeptr: AtomicU64::new(0),
            count: AtomicU64::new(0),
            foreign: AtomicU64::new(0),
        }
    }
}

/// A thread's counts of tasks while it is quiet. The partner reads and writes them, too. What must
/// hold: only the thread itself writes here, also from its signal handlers.
#[repr(C)]
#[derive(Default)]
pub struct QuietTasks {
    /// Not 0: the thread is quiet. Its tasks have one event left: the creation of a task that is
    /// not counted here.
    pub quiet: AtomicU32,
    /// Not 0: with a tool, the task that was counted last would have taken a much longer way.
    pub is_longer: AtomicU32,
    /// A mark for the data words of counted tasks.
    pub mark: AtomicU64,
    /// The counts, by place.
    pub places: [QuietPlace; PLACES],
}

impl QuietTasks {
    /// Makes the counts of a thread that has counted no task, and whose tasks' events are all told.
    pub const fn new() -> QuietTasks {
        QuietTasks {
            quiet: AtomicU32::new(0),
            is_longer: AtomicU32::new(0),
            mark: AtomicU64::new(0),
            places: [const { QuietPlace::new() }; PLACES],
        }
    }

    /// Whether the thread is quiet.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.quiet.load(Relaxed) != 0
    }

    /// Returns the place for tasks made at `codeptr`, if the tool entered one.
    #[inline(always)]
    fn place(&self, codeptr: u64) -> Option<&QuietPlace> {
        let at = (codeptr.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize;
        let mut places = (0..WAYS).map(|way| &self.places[(at ^ way) % PLACES]);
        places.find(|place| place.codeptr.load(Relaxed) == codeptr)
    }

    /// Counts so many tasks that are made at `codeptr`. Returns the value for the data word of
    /// each; `None` if this place is not counted. `is_longer`: see the field.
    #[inline(always)]
    pub fn count(&self, codeptr: u64, tasks: u64, is_longer: bool) -> Option<u64> {
        let place = self.place(codeptr)?;
        self.is_longer.store(u32::from(is_longer), Relaxed);
        place.count.store(place.count.load(Relaxed) + tasks, Relaxed);
        Some((codeptr & ADDRESS) | self.mark.load(Relaxed))
    }

    /// Whether [`Self::ends`] counts the end of a task whose data word holds `word`.
    #[inline(always)]
    pub fn knows(&self, word: u64) -> bool {
        self.is_own(word) || self.place(word & ADDRESS).is_some()
    }

    /// Whether the thread made the task whose data word holds `word`.
    #[inline(always)]
    fn is_own(&self, word: u64) -> bool {
        (word ^ self.mark.load(Relaxed)) & !ADDRESS == 0
    }

    /// Counts the end of a task whose data word holds `word`, if another thread made it. Returns
    /// false if its place is not counted here.
    #[inline(always)]
    pub fn ends(&self, word: u64) -> bool {
        if self.is_own(word) {
            return true;
        }
        let place = self.place(word & ADDRESS);
        place.is_some_and(|place| {
            place.foreign.store(place.foreign.load(Relaxed) + 1, Relaxed);
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `is_longer` belongs to the task that was counted last.
    #[test]
    fn a_counted_task_says_which_way_it_took() {
        let tasks = QuietTasks::new();
        tasks.places.iter().for_each(|place| place.codeptr.store(0x1000, Relaxed));
        for is_longer in [true, false, true] {
            assert!(tasks.count(0x1000, 1, is_longer).is_some());
            assert!(tasks.count(0x2000, 1, !is_longer).is_none());
            assert_eq!(tasks.is_longer.load(Relaxed), u32::from(is_longer));
        }
    }

    /// A construct is found at each place where it may stand, and at no other.
    #[test]
    fn constructs_are_found_where_they_may_stand() {
        let codeptr = 0x55d0_1234_5678;
        let is_found = |at: &usize| {
            let tasks = QuietTasks::new();
            tasks.places[*at].codeptr.store(codeptr, Relaxed);
            tasks.count(codeptr, 1, false).is_some()
        };
        let first = (0..PLACES).find(is_found).expect("a place");
        assert!(first.is_multiple_of(WAYS));
        assert!((0..PLACES).filter(is_found).eq(first..first + WAYS));
    }
}
