//! Queues and finds a member's ready tasks with a priority.
//!
//! Each member has a list for each priority that it has used, under a lock of its own. One word
//! (`top`) says which is the highest priority of a list that is not empty. A thread that looks for
//! a task compares these words and goes to the best member. In a small team the thread compares all
//! members. In a large team it compares itself, the member where it found its last task, and two
//! random members (two choices keep a queue in many parts nearly in order, and no thread reads n
//! words for each task). If none of these members has a task, the thread compares all. If one
//! member makes all tasks, they are taken in the exact order of priorities.
//!
//! A region without priorities uses only one word of all this: a word of the team that no thread
//! writes then.
//!
//! `top` changes under the lock, and is written after the list (SeqCst). So a member that reads 0
//! in its own `top` may say that it has no task (`presence.rs`), and a thread that is about to
//! sleep sees the queued tasks.

use super::prepared;
use crate::records::{Slot, Task, Team, Thread};

/// Teams up to this size are searched as a whole.
const MEMBERS_ALL_COMPARED: u32 = 8;
/// Returns a random number below `size`.
fn any_of(thread: &Thread, size: u32) -> u32 {
    let dice = &thread.tasks.dice;
    let mut x = match dice.get() {
        0 => (thread.gtid as u32).wrapping_mul(0x9e37_79b9) | 1,
        x => x,
    };
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    dice.set(thread.as_owner(), x);
    ((u64::from(x) * u64::from(size)) >> 32) as u32
}

/// Returns the better of the member `best` and member `num`: its number and the highest priority
/// that it has.
fn better(team: &Team, best: (u32, u32), num: u32) -> (u32, u32) {
    let top = team.slot(num).tasks.ranked.top();
    if top > best.1 { (num, top) } else { best }
}

/// Takes a task with a priority that `may` agrees to; if `alone`, only one of the thread's own.
/// Also returns the number of the member that had it. Calls `come` before it takes another member's
/// task.
pub(super) fn take(
    thread: &Thread,
    team: &Team,
    alone: bool,
    may: impl Fn(&Task) -> bool + Copy,
    come: impl Fn(),
) -> Option<(&'static Task, u32)> {
    let (own, size) = (thread.num.get(), team.size.get());
    let source = &thread.tasks.source;
    let from = |num: u32| {
        if num != own {
            come();
        }
        let slot = team.slot(num);
        let task = slot.tasks.ranked.take(may)?;
        if num != own && u64::from(slot.tasks.ranked.len()) == prepared::TASKS_TAKEN_BEFORE_ASKING {
            prepared::ask_member(slot.thread());
        }
        source.set(thread.as_owner(), num);
        Some((task, num))
    };
    let mut best = better(team, (own, 0), own);
    if alone {
        return if best.1 == 0 { None } else { from(own) };
    }
    if size > MEMBERS_ALL_COMPARED {
        let last = source.get().min(size - 1);
        for num in [last, any_of(thread, size), any_of(thread, size)] {
            best = better(team, best, num);
        }
    }
    if size <= MEMBERS_ALL_COMPARED || best.1 == 0 {
        best = (0..size).fold(best, |best, num| better(team, best, num));
    }
    if best.1 == 0 {
        return None;
    }
    // If that member has no task for this thread, any other may have one.
    from(best.0).or_else(|| {
        let others = (0..size).filter(|&num| team.slot(num).tasks.ranked.top() != 0);
        others.into_iter().find_map(from)
    })
}

/// Whether [`take`] might find a task.
pub(super) fn could_take(team: &Team, may: impl Fn(&Task) -> bool + Copy) -> bool {
    team.members().any(|slot: &Slot| slot.tasks.ranked.could_take(may))
}
