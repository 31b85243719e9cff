//! Access to windows, from `MPI_Win_lock` to `MPI_Win_unlock`: when a process asked for it, and
//! when it gave it back.
//!
//! What must hold: the table is bounded; an access that finds no place has no record.

use super::Ended;
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The most accesses that a process has at one time.
const SLOTS: usize = 128;
/// The most records that a process writes.
const RECORDS: u32 = 1 << 14;
/// The number that stands for all targets.
pub const ALL_TARGETS: u32 = u32::MAX;

struct Access {
    /// The window in the library's form; 0 = free.
    window: AtomicUsize,
    target: AtomicU32,
    exclusive: AtomicU32,
    /// The number of the function whose call waited longest for the access, so far.
    call: AtomicU32,
    /// Whether an operation has been completed since the access was asked for.
    completes: AtomicU32,
    begin: AtomicU64,
    elapsed: AtomicU64,
}

static ALL: [Access; SLOTS] = [const {
    Access {
        window: AtomicUsize::new(0),
        target: AtomicU32::new(0),
        exclusive: AtomicU32::new(0),
        call: AtomicU32::new(0),
        completes: AtomicU32::new(0),
        begin: AtomicU64::new(0),
        elapsed: AtomicU64::new(0),
    }
}; SLOTS];

static RECORDED: AtomicU32 = AtomicU32::new(0);

/// The value of `MPI_LOCK_EXCLUSIVE`: Open MPI's, and that of MPICH and its kin.
const EXCLUSIVE: [i32; 2] = [1, 234];

/// Notes a call that asks for access; `number` is the function's.
pub fn lock(window: usize, target: u32, kind: i32, (number, call): (u32, &Ended)) {
    let take = |slot: &&Access| slot.window.compare_exchange(0, window, Relaxed, Relaxed).is_ok();
    if let Some(slot) = ALL.iter().find(take) {
        slot.target.store(target, Relaxed);
        slot.exclusive.store(u32::from(EXCLUSIVE.contains(&kind)), Relaxed);
        slot.completes.store(0, Relaxed);
        slot.call.store(number, Relaxed);
        slot.begin.store(call.begin, Relaxed);
        slot.elapsed.store(call.elapsed, Relaxed);
    }
}

fn open(window: usize, target: u32) -> Option<&'static Access> {
    ALL.iter()
        .find(|slot| slot.window.load(Relaxed) == window && slot.target.load(Relaxed) == target)
}

/// Notes a call that completes operations on the window: in the first of these, the library may
/// have waited for the access.
pub fn complete(window: usize, target: u32, (number, call): (u32, &Ended)) {
    let Some(slot) = open(window, target) else { return };
    if slot.completes.swap(1, Relaxed) == 0 && call.elapsed > slot.elapsed.load(Relaxed) {
        slot.call.store(number, Relaxed);
        slot.begin.store(call.begin, Relaxed);
        slot.elapsed.store(call.elapsed, Relaxed);
    }
}

/// An access that was given back.
pub struct Had {
    pub exclusive: bool,
    /// The number of the function whose call got it.
    pub call: u32,
    pub got: Ended,
}

/// Ends the access. Returns `None` if it is to have no record.
pub fn unlock(window: usize, target: u32) -> Option<Had> {
    let slot = open(window, target)?;
    let had = Had {
        exclusive: slot.exclusive.load(Relaxed) == 1,
        call: slot.call.load(Relaxed),
        got: Ended { begin: slot.begin.load(Relaxed), elapsed: slot.elapsed.load(Relaxed) },
    };
    slot.window.store(0, Relaxed);
    let is_early = RECORDED.load(Relaxed) < RECORDS;
    RECORDED.fetch_add(u32::from(is_early), Relaxed);
    is_early.then_some(had)
}
