//! A member of a crowd, about to run a row of tasks that it queued itself, lets others come to them first.
//!
//! With more threads than processors those who could take its tasks may not have had a processor since the
//! tasks were made: the member would run them all, and the others find nothing when they come. So it
//! gives its processor away a few times, until somebody has taken a task. It does so seldom, because
//! each time costs as many switches as threads wait for the processor, and only for a row of tasks.
//!
//! A thread does it longest the first time: then the others may be threads that have never run, and where other
//! programs are at work too each turn of one of them lies between.
//!
//! What must hold: it is a matter of time only, and of an end: the others may be busy for as long as they like, or
//! wait for what this member does next. Where there is a processor for each thread, it costs a
//! load and a branch for each wait that is not over at once.

use super::find::now;
use crate::team::Team;
use crate::thread::Thread;

/// Tasks queued since the current task began that make a row. A recursion that waits for what it made
/// has fewer.
const ROW: u64 = 16;
/// Time-stamp cycles from one invitation of a thread to its next: with nobody there to come, less than a
/// hundredth of its time goes into them.
const SELDOM: u64 = 20_000_000;
/// How often it gives way at most, and the time-stamp cycles after which it does not any more.
const TIMES: u32 = 32;
const LONG: u64 = 5_000_000;
/// The same for the first time.
const FIRST_TIMES: u32 = 1024;
const FIRST_LONG: u64 = 200_000_000;

/// The thread is about to wait in `team`, running tasks meanwhile.
#[inline(always)]
pub(crate) fn others(thread: &Thread, team: &Team) {
    if team.crowded.get() {
        let tasks = &thread.slot().tasks;
        if tasks.deque.bottom().saturating_sub(tasks.mark.get()) >= ROW {
            invite(thread);
        }
    }
}

#[cold]
fn invite(thread: &Thread) {
    let (latest, start) = (&thread.tasks.invited, now());
    if start.wrapping_sub(latest.get()) < SELDOM {
        return;
    }
    let deque = &thread.slot().tasks.deque;
    let all = deque.len();
    if all < ROW {
        // Others have come.
        return latest.set(start);
    }
    let first = latest.get() == 0;
    let (times, long) = if first { (FIRST_TIMES, FIRST_LONG) } else { (TIMES, LONG) };
    for _ in 0..times {
        if deque.len() != all || now().wrapping_sub(start) > long {
            break;
        }
        omphalos_sys::thread::give_way();
    }
    latest.set(now());
}
