//! Chooses a member from which a thief takes no tasks for a while: one that completes tiny tasks
//! faster without help.
//!
//! To fetch a task takes several cache lines from its maker. If tasks are tiny, that costs the
//! maker more than executing the tasks would. How fast the maker is alone shows only while no thief
//! comes. So a thief that got a tiny task spares its victim for a moment, and then checks how many
//! tasks the victim got done. If these were many, the thief spares the victim again, for longer. If
//! not (the victim executes something long, or code that is no task), the thief takes tasks from it
//! again, and takes several before the next check.
//!
//! What must hold: this only changes when tasks are taken. If a spared member stops executing its
//! tasks, they wait for [`LONGEST_SPARED_CYCLES`] at most, because each check counts the member's
//! work since the last one.
//!
//! | constant | pays in | could hurt | there |
//! |---|---|---|---|
//! | all of them | one thread makes empty tasks (bench row `task_producer`), or makes one and waits for it (`task_taskwait`) | a hand-off: a thread makes a task, does other work, needs the result (row `task_handoff`); a producer with work between its tasks (`uneven`, shape `producer`) | at most [`LONGEST_SPARED_CYCLES`] late once, when it begins; then at once |

use crate::records::{Owner, Slot, Spared, Thread};

/// If to fetch and execute a task took at least this many time-stamp cycles, the task was worth
/// fetching, whatever its maker did.
const CYCLES_WORTH_THE_WAY: u64 = 2000;
/// A member that needs fewer time-stamp cycles than this for each task is faster without a thief:
/// to fetch a task takes as long.
const CYCLES_A_TASK_ALONE: u64 = 500;
/// The time for which a member is spared first, in time-stamp cycles.
const FIRST_SPARED_CYCLES: u64 = 2_000;
/// The longest time for which a member is spared, in time-stamp cycles.
const LONGEST_SPARED_CYCLES: u64 = 8_000;
/// The number of tiny tasks in a row that a thief takes from a member that was slow alone, before
/// the thief checks again.
const TASKS_ON_TRUST: u32 = 16;

impl Spared {
    fn begin(&self, by: Owner<'_>, whom: &Slot, now: u64, time: u64) {
        self.whom.set(by, whom);
        self.since.set(by, now);
        self.until.set(by, now + time);
        self.done.set(by, done_by(whom));
    }
}

/// Returns the number of tasks that a member has made, finished and executed at once so far. The
/// number wraps.
fn done_by(member: &Slot) -> u32 {
    (member.tasks.tally.seen() as u32).wrapping_add(member.thread().tasks.executed_at_once())
}

/// Returns the member that the thread spares now, or null.
#[inline(always)]
pub(super) fn spared_member(thread: &Thread) -> *const Slot {
    let whom = thread.tasks.spared.whom.get();
    if whom.is_null() { whom } else { still(thread) }
}

#[inline(never)]
fn still(thread: &Thread) -> *const Slot {
    let spared = &thread.tasks.spared;
    // SAFETY: a member's slot, perhaps of another team; teams are never freed.
    let member = unsafe { &*spared.whom.get() };
    let now = omphalos_sys::ticks();
    if now < spared.until.get() {
        return member;
    }
    let done = done_by(member).wrapping_sub(spared.done.get());
    let (time, spent) = (now - spared.since.get(), spared.until.get() - spared.since.get());
    if u64::from(done) * CYCLES_A_TASK_ALONE > time {
        spared.begin(thread.as_owner(), member, now, (2 * spent).min(LONGEST_SPARED_CYCLES));
        return member;
    }
    spared.trust.set(thread.as_owner(), TASKS_ON_TRUST);
    spared.whom.set(thread.as_owner(), core::ptr::null());
    core::ptr::null()
}

/// Called when the thread took a task (or a ticket to several) from `victim` at `start`, and has
/// executed it. Begins to spare the victim if the tasks were tiny.
pub(super) fn after(thread: &Thread, start: u64, victim: &Slot) {
    let (spared, end) = (&thread.tasks.spared, omphalos_sys::ticks());
    if end - start >= CYCLES_WORTH_THE_WAY * u64::from(thread.tasks.got.get()) {
        return;
    }
    match spared.trust.get() {
        0 => spared.begin(thread.as_owner(), victim, end, FIRST_SPARED_CYCLES),
        trust => spared.trust.set(thread.as_owner(), trust - 1),
    }
}
