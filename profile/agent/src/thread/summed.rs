//! How a thread enters and leaves a region that the runtime adds up and does not report
//! (`tool/summed.rs` says what that is).

use super::{Owner, Thread, asked, stretch};
use crate::accounting::Class;
use crate::accounting::passed::Wait;
use crate::accounting::place::state_of;
use crate::accounting::region::Region;
use crate::clock::ticks;
use core::sync::atomic::Ordering::{Acquire, Relaxed};
use omphalos_ompt::Host;
use omphalos_ompt::sums::omphalos_sums_t;

/// Books the thread's regions that are over and not yet booked, and enters the region that the
/// thread is at work in.
#[cold]
#[inline(never)]
pub fn catch_up(mut owner: Owner) -> Owner {
    let begin = ticks();
    book(&mut owner);
    let end = owner.cost.book_seldom(begin);
    owner.books().pay(end.saturating_sub(begin));
    owner
}

fn book(owner: &mut Owner) {
    let account = owner.books();
    account.book_summed();
    if let Some(sums) = at_work(owner) {
        go_in(owner, sums, sums.since.load(Relaxed));
    } else if owner.stack().top().is_some() && waits_in(owner).is_none() {
        // All is booked now. In the other cases the sums may still grow, a worker's up to its next
        // region.
        account.summed().saw();
    }
}

/// Does what [`catch_up`] does, where the thread is about to make a call of the C library that is
/// followed; returns whether it is at work.
#[cold]
#[inline(never)]
pub fn enter_call(thread: &'static Thread) -> bool {
    // SAFETY: the calling thread's, whose calls are followed outside of callbacks only.
    let mut owner = unsafe { Owner::enter(thread) };
    tick(&mut owner);
    stretch::leave(owner);
    thread.account.is_at_work()
}

/// Does what [`catch_up`] does, in the thread's handler, which allocates nothing.
/// Async-signal-safe.
pub(super) fn tick(owner: &mut Owner) {
    if owner.account.summed().is_new() && !owner.account.is_off() && owner.stack().has_room() {
        book(owner);
    }
}

/// Returns the instance of the region at whose end the thread waits, if the runtime adds that
/// region up, and the thread's number there. Async-signal-safe.
pub fn waits_in(thread: &Thread) -> Option<(&'static Region, u32)> {
    let is_outside = thread.place.region.load(Relaxed) == 0 && thread.account.summed().is_new();
    let (word, number) = if is_outside { Host::get().summed()? } else { return None };
    // SAFETY: as in [`go_in`].
    Some((unsafe { &*(word as *const Region) }, number))
}

/// Returns the runtime's sums, if the thread is at work in a region that is not reported.
fn at_work(thread: &Thread) -> Option<&'static omphalos_sums_t> {
    thread.account.summed().sums().filter(|sums| sums.turns.load(Relaxed) % 2 == 1)
}

/// Enters a region that is not reported, in which the thread has worked since `since`: from here on
/// it has a context, and the runtime reports where that work ends. The barriers that the thread has
/// passed are booked as if they had come first.
pub fn go_in(owner: &mut Owner, sums: &omphalos_sums_t, since: u64) {
    let (word, number) = (sums.word.load(Relaxed), sums.number.load(Relaxed) as u32);
    if owner.account.is_off() {
        stretch::resume(owner, ticks(), 0);
    }
    let (thread, account) = (owner.thread(), owner.books());
    let pointer = word as *const Region;
    // SAFETY: what `tool/summed.rs` gave for the site's word: an instance, which is never freed.
    let region = unsafe { &*pointer };
    let passed = account.summed().passed().take(since);
    account.switch(Class::Barrier, since);
    let task = asked::current_task();
    let stack = owner.stack();
    let context = stack.push(account);
    context.is_summed = true;
    (context.task, context.flags) = (task.name, task.flags);
    (context.region, context.region_id) = (pointer, region.id.load(Acquire));
    context.codeptr = region.codeptr.load(Relaxed);
    context.parent_codeptr = region.parent_codeptr.load(Relaxed);
    (context.level, context.number) = (1, number);
    thread.place.enter(pointer, context.region_id, context.codeptr, number);
    stack.tasks.begin_implicit(task.name, task.flags);
    thread.place.set_task(task.flags, 0);
    sums.known.store(1, Relaxed);
    account.summed().enter(region, &account.counters());
    account.summed().saw();
    account.switch(Class::Work, since + passed.waited);
    let Some(context) = owner.stack().top_mut() else { return };
    passed.construct.into_iter().for_each(|counted| context.constructs.follow(counted));
    if let Some(Wait { since, which }) = passed.wait {
        account.switch(Class::Barrier, since);
        thread.place.wait_state.store(state_of(which.0).number() as u32, Relaxed);
        context.comes_to_plain_barrier();
        context.begin_barrier(thread, which, account.booked(Class::Barrier), since);
    }
}

/// Shows where the thread is after it has left its innermost implicit task.
#[inline]
pub fn show_outer(owner: &mut Owner) {
    let thread = owner.thread();
    let stack = owner.stack();
    match stack.top() {
        Some(outer) => {
            thread.place.enter(outer.region, outer.region_id, outer.codeptr, outer.number);
        }
        None => thread.place.enter(core::ptr::null(), 0, 0, 0),
    }
    let (flags, codeptr) = stack.tasks.current();
    thread.place.set_task(flags, codeptr);
}
