//! A member's ready tasks with a priority.
//!
//! Each member has a list for each priority that it has used, under a lock of its own, and says in
//! one word (`top`) which is the highest that is not empty. Who looks for a task compares these
//! words and goes to the best: in a small team to the best of all; in a large one to the best of
//! its own, the one where it found its last, and two others by chance (two choices keep a queue in
//! many parts nearly in order, and nobody reads n words for each task), and only if none of these
//! has any, of all. Where one member makes the tasks, that is the order of their priorities.
//!
//! Nothing here is touched in a region in which no task had a priority, but for one word of the
//! team that nobody writes then.
//!
//! `top` changes under the lock. It is written behind the list (SeqCst), so that who sees 0 in its
//! own may say that it has none (`presence.rs`), and who is about to sleep sees what is queued.

use crate::records::{Slot, Task, Team, Thread};

/// Teams up to this size are searched as a whole.
const MEMBERS_ALL_COMPARED: u32 = 8;
/// A number by chance, below `size`.
fn any_of(thread: &Thread, size: u32) -> u32 {
    let dice = &thread.tasks.dice;
    let mut x = match dice.get() {
        0 => (thread.gtid as u32).wrapping_mul(0x9e37_79b9) | 1,
        x => x,
    };
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    dice.set(x);
    ((u64::from(x) * u64::from(size)) >> 32) as u32
}

/// The better of two members: their number and the highest priority that they have.
fn better(team: &Team, best: (u32, u32), num: u32) -> (u32, u32) {
    let top = team.slot(num).tasks.ranked.top();
    if top > best.1 { (num, top) } else { best }
}

/// Takes a task with a priority that `may` agrees to, with `alone` only one of its own; says whose
/// it was. `come` is called before it takes another member's.
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
        let task = team.slot(num).tasks.ranked.take(may)?;
        source.set(num);
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
    // Where that one has none for this thread, any other may.
    from(best.0).or_else(|| {
        let others = (0..size).filter(|&num| team.slot(num).tasks.ranked.top() != 0);
        others.into_iter().find_map(from)
    })
}

/// Whether [`take`] might give something.
pub(super) fn could_take(team: &Team, may: impl Fn(&Task) -> bool + Copy) -> bool {
    team.members().any(|slot: &Slot| slot.tasks.ranked.could_take(may))
}
