//! Counts the threads at work in the whole process when several threads of the program open
//! regions.
//!
//! A chain of nested regions has a count of its threads (`Team::busy`). The threads of other
//! initial threads are counted here, because two decisions depend on all of them: how a region's
//! members wait, and how many threads dyn-var grants. (A thread limit belongs to one contention
//! group, so it needs nothing from here.)
//!
//! With one initial thread, the usual case, nothing is counted: a fork pays one load of a line that
//! no thread writes. With more, each region of several threads costs its primary two atomic
//! additions; workers never write here. A region that began before the second initial thread came
//! is not counted.

use crate::records::Team;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use crossbeam_utils::CachePadded;

/// The number of initial threads that live.
static INITIAL: CachePadded<AtomicU32> = CachePadded::new(AtomicU32::new(0));
/// The number of threads in counted regions.
static AT_WORK: CachePadded<AtomicU32> = CachePadded::new(AtomicU32::new(0));

/// Counts an initial thread that came.
pub fn initial_thread_comes() {
    INITIAL.fetch_add(1, Relaxed);
}

/// Subtracts an initial thread that ends.
pub fn initial_thread_goes() {
    INITIAL.fetch_sub(1, Relaxed);
}

/// Resets the counts in a forked child: `left` initial threads, and no thread at work.
pub fn after_fork_in_child(left: u32) {
    INITIAL.store(left, Relaxed);
    AT_WORK.store(0, Relaxed);
}

#[inline(always)]
fn several() -> bool {
    INITIAL.load(Relaxed) > 1
}

/// Counts a region of `size` threads that begins in `team`, inside a region of `parent`. Returns
/// how many threads then work at once, as far as is known.
#[inline(always)]
pub(super) fn begin(team: &Team, parent: &Team, size: u32) -> u32 {
    let own = parent.busy.get() + size - 1;
    if size > 1 && several() { own.max(count(team, parent, size)) } else { own }
}

#[cold]
fn count(team: &Team, parent: &Team, size: u32) -> u32 {
    // A region inside an active one shares its primary thread with it.
    let more = if parent.active_level.get() != 0 { size - 1 } else { size };
    team.counted.set(team.as_owner(), more);
    AT_WORK.fetch_add(more, Relaxed) + more
}

/// Subtracts a region that is over.
#[inline(always)]
pub(super) fn end(team: &Team) {
    if team.counted.value_for(team.as_owner()) != 0 {
        discount(team);
    }
}

#[cold]
fn discount(team: &Team) {
    AT_WORK.fetch_sub(team.counted.get(), Relaxed);
    team.counted.set(team.as_owner(), 0);
}

/// Returns the number of threads at work, the calling one included, before a region begins inside
/// one of `parent`.
pub(super) fn at_work(parent: &Team) -> u32 {
    let own = parent.busy.get();
    if !several() {
        return own;
    }
    own.max(AT_WORK.load(Relaxed) + u32::from(parent.active_level.get() == 0))
}
