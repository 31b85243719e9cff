//! nthreads-var as a list that a `num_threads` clause gave: numbers for the regions nested inside.
//!
//! The list is a chain whose links are made once and never freed. So ICVs, which every fork copies
//! and compares, hold one pointer. A program has as many different lists as it has clauses.

use omphalos_sync::process_lock::{ProcessLock, rank};

/// The number for one nesting level, and the levels below.
#[derive(Debug)]
pub struct Level {
    threads: u32,
    deeper: Option<&'static Level>,
}

omphalos_layout::describe!(Level { threads, deeper });

/// Equal chains are the same chain.
impl PartialEq for Level {
    fn eq(&self, other: &Level) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Level {}

impl Level {
    /// Returns the number of threads of a region at this level, at least 1.
    pub fn threads(&self) -> u32 {
        self.threads.max(1)
    }

    /// Returns the level below. The last number holds for all levels below it.
    pub fn deeper(&'static self) -> &'static Level {
        self.deeper.unwrap_or(self)
    }
}

/// Returns the chain of these numbers; `None` for none.
pub fn levels(numbers: &[u32]) -> Option<&'static Level> {
    static KNOWN: ProcessLock<Vec<&'static Level>, { rank::LEVELS }> = ProcessLock::new(Vec::new());
    let mut known = KNOWN.lock();
    numbers.iter().rev().fold(None, |deeper: Option<&'static Level>, &threads| {
        let same = |level: &&&'static Level| level.threads == threads && level.deeper == deeper;
        if let Some(level) = known.iter().find(same) {
            return Some(level);
        }
        let level: &'static Level = Box::leak(Box::new(Level { threads, deeper }));
        known.push(level);
        Some(level)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_are_one_chain() {
        let chain = levels(&[4, 3, 2]).unwrap();
        assert_eq!(levels(&[4, 3, 2]), Some(chain));
        assert_eq!(levels(&[3, 2]), Some(chain.deeper()));
        assert_ne!(levels(&[4, 3]), Some(chain));
        let last = chain.deeper().deeper();
        assert_eq!((last.threads(), last.deeper().threads()), (2, 2));
        assert_eq!(levels(&[]), None);
    }
}
