//! The counters that are kept of each site of tasks, mutexes and calls; a site's key is three
//! words. Constructs and regions have theirs in `construct` and `region`.

use super::table::Table;

/// Counters of a task site.
pub mod task {
    #![allow(missing_docs)]
    pub const CREATED: usize = 0;
    pub const EXECUTED: usize = 1;
    pub const STOLEN: usize = 2;
    pub const WORK: usize = 3;
    /// The work of the shortest task, stored as `u64::MAX - shortest`, so that 0 means none and
    /// larger is shorter.
    pub const SHORTEST: usize = 4;
    pub const LONGEST: usize = 5;
    /// Work in timed events lately.
    pub const RECENT: usize = 6;
    /// The part of the last untimed stretch that went to this site, of 2^32, plus one.
    pub const SHARE: usize = 7;
    /// The square of the possible error of `WORK`.
    pub const SPREAD: usize = 8;
    pub const COUNT: usize = 9;
}

/// Task sites: (codeptr_ra, 0, 0).
pub type TaskTable = Table<{ task::COUNT }>;

/// Counters of a mutex site.
pub mod mutex {
    #![allow(missing_docs)]
    pub const ACQUISITIONS: usize = 0;
    pub const CONTENDED: usize = 1;
    pub const WAIT: usize = 2;
    pub const LONGEST: usize = 3;
    pub const HOLD: usize = 4;
    /// Acquisitions that were timed.
    pub const TIMED: usize = 5;
    /// Waits that a tick found the thread in, besides the timed ones.
    pub const FOUND: usize = 6;
    /// Waiting and holding in timed events lately.
    pub const RECENT_WAIT: usize = 7;
    pub const RECENT_HOLD: usize = 8;
    /// `codeptr_ra` of the region in which the mutex was asked for.
    pub const REGION: usize = 9;
    /// The part of `HOLD` that the thread was off the processor in calls.
    pub const SLEPT: usize = 10;
    pub const COUNT: usize = 11;
}

/// Mutex sites: (wait id, kind, codeptr_ra).
pub type MutexTable = Table<{ mutex::COUNT }>;

/// Counters of a call of the C library in a region.
pub mod call {
    #![allow(missing_docs)]
    pub const COUNT: usize = 0;
    pub const BLOCKED: usize = 1;
    pub const ELAPSED: usize = 2;
    pub const LONGEST: usize = 3;
    pub const COUNTERS: usize = 4;
}

/// Calls that a thread was blocked in: (address of the [`Call`](crate::mark::Call), the region's
/// `codeptr_ra`, 0).
pub type CallTable = Table<{ call::COUNTERS }>;
