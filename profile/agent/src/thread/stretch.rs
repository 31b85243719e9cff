//! Where events come too fast to be timed: how a thread gets into an untimed stretch and out of it.
//!
//! What it means is in `accounting/pace.rs`. An untimed stretch ends at the next tick, or at an
//! event that is not a task's or a mutex's. The tasks that are on the thread then are not the ones
//! that were on it before, so the runtime is asked for the current one, and those below it are told
//! by the events that come.

use super::{Owner, Thread, asked, queued, summed};
use crate::accounting::ledger::Ledger;
use crate::accounting::pace::quota;
use crate::accounting::sites::mutex;
use crate::accounting::tasks::Creation;
use crate::accounting::{Books, CREATED, Class};
use crate::clock::ticks;
use crate::recording;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::Host;

/// True if the event that has come to the calling thread is to be counted only.
#[inline]
pub fn is_uncounted(owner: Owner) -> (Owner, bool) {
    if !owner.account.is_untimed() {
        return (owner, false);
    }
    if owner.books().pace().counted() { (lost(owner), false) } else { (owner, true) }
}

/// No tick came for long.
#[cold]
fn lost(mut owner: Owner) -> Owner {
    let now = ticks();
    let queued = queued::look(&mut owner, now).queued;
    resume(&mut owner, now, queued);
    tick_of(owner.books(), &owner);
    owner
}

/// Events may be timed again: so many as are worth the time to the next tick.
fn tick_of(books: &Books, of: &Ledger) {
    books.pace().tick(quota(recording::real_period()), &of.tasks, &of.mutexes);
}

/// Begins an untimed stretch, as the last thing in a callback.
#[cold]
pub fn rest(mut owner: Owner) -> Owner {
    let (thread, account) = (owner.thread(), owner.books());
    let ticking = thread.timer.load(Relaxed) >= 0 && recording::is_running();
    if !ticking || account.class() == Class::Idle || account.pace().total() == 0 {
        return owner;
    }
    let context = owner.stack().top().filter(|context| context.in_barrier);
    if let Some(context) = context {
        context.publish_untimed(account, &thread.tasks);
    }
    // The runtime of Omphalos can leave events out, and count what the agent would only count.
    if let Some(quiet) = Host::get().quiet_counts() {
        account.counts().follow(quiet, thread.index.load(Relaxed));
    }
    account.pace().begin_untimed(context.is_some());
    owner
}

/// The runtime tells every event again: books what it counted meanwhile. Async-signal-safe.
fn end_quiet(account: &Books, of: &Ledger) {
    account.counts().end();
    book_counted(account, account.counts().book(&of.tasks));
}

fn book_counted(account: &Books, tasks: u64) {
    account.count(CREATED, tasks);
    account.pace().note_untold(tasks);
}

/// A task that was made at `codeptr` was told of in an untimed stretch: the next ones need not be.
pub fn note_told_task(owner: &Owner, codeptr: u64) {
    let account = owner.books();
    book_counted(account, account.counts().keep(codeptr, &owner.tasks));
}

/// An event after an untimed stretch, or the one that ends it, came at `now`; the thread was
/// `queued` ticks at work without a processor since the last one.
#[cold]
pub fn resume(owner: &mut Owner, now: u64, queued: u64) {
    let (thread, account) = (owner.thread(), owner.books());
    let stack = owner.stack();
    account.pace().note_counted();
    let found = if account.is_untimed() {
        let in_barrier = stack.top().is_some_and(|context| context.in_barrier);
        let idles = account.close_untimed(now, queued, &thread.tasks, &thread.mutexes);
        end_quiet(account, thread);
        let current = asked::current_task();
        account.pace().set_current(current);
        if !idles {
            // Whatever it was before, now it is the code that brought this event.
            let waits = in_barrier && !current.is_explicit();
            account.correct(if waits { Class::Barrier } else { stack.active() });
        }
        0
    } else {
        // Since the tick nothing happened.
        let before = account.work();
        let since = account.since();
        account.settle_certain(now);
        let worked = account.work().saturating_sub(before);
        stack.tasks.book_certain(account.pace().current(), worked, account, &thread.tasks);
        now.saturating_sub(since)
    };
    stack.found_waiting = if account.class() == Class::Mutex { found } else { 0 };
    stack.holds.clear();
    thread.holding.forget(now);
    stack.asking = None;
    stack.guesses = false;
    stack.tasks.go_on(account.pace().current(), account);
    account.pace().resume();
    show_task(thread, account.pace().current());
}

fn show_task(thread: &Thread, task: asked::Current) {
    let codeptr = if task.is_explicit() { Creation(task.word).codeptr() } else { 0 };
    thread.place.set_task(task.flags, codeptr);
}

/// A tick came to the thread of this record at `now`. Where it meets a callback, that does what is
/// to be done when it is done itself. Async-signal-safe.
///
/// # Safety
/// The caller is the thread's handler.
pub unsafe fn tick_or_note(thread: &'static Thread, now: u64) {
    // SAFETY: the caller's promise.
    if let Some(mut owner) = unsafe { Owner::in_handler(thread) } {
        tick(&mut owner, now);
    }
}

/// A callback ends, and what a tick left to it is done.
#[inline]
pub fn leave(owner: Owner) {
    if let Some(owner) = owner.leave() {
        catch_up(owner);
    }
}

/// A tick came while the callback was at work that ends now.
#[cold]
fn catch_up(owner: Owner) {
    let mut again = Some(owner);
    while let Some(mut owner) = again {
        owner.tick_waits.store(false, Relaxed);
        let now = ticks();
        tick(&mut owner, now);
        owner.cost.book_seldom(now);
        again = owner.leave();
    }
}

/// A tick came at `now`: ends an untimed stretch there. Async-signal-safe.
fn tick(owner: &mut Owner, now: u64) {
    summed::tick(owner);
    let (thread, account) = (owner.thread(), owner.books());
    account.pace().note_counted();
    if account.is_untimed() {
        let queued = queued::look(owner, now).queued;
        let context = owner.stack().top();
        tick_of(account, thread);
        let idles = account.close_untimed(now, queued, &thread.tasks, &thread.mutexes);
        end_quiet(account, thread);
        let current = asked::current_task();
        account.pace().set_current(current);
        if !idles {
            let active = context.map_or(Class::Serial, |context| context.active());
            account.correct(class_of(asked::state().0, active));
        }
        if let Some(context) = context
            && account.pace().is_in_barrier()
        {
            context.publish(account, now);
        }
        show_task(thread, current);
    } else {
        tick_of(account, thread);
    }
    owner.stack().publish_open(account);
}

/// The class of a state, by its number.
fn class_of(state: u32, active: Class) -> Class {
    match state & 0xffff {
        0x10..0x20 => Class::Barrier,
        0x20..0x40 => Class::TaskWait,
        0x40..0x80 => Class::Mutex,
        _ => active,
    }
}

/// The thread ends at `now`. Its own thread calls this, or the one that ends the process.
pub fn end(thread: &Thread, now: u64) {
    // SAFETY: recording ends. What a callback of another thread books at this moment may be lost.
    let account = unsafe { Books::of(&thread.account) };
    let own = Thread::current().filter(|own| core::ptr::eq(*own, thread));
    let queued = own.filter(|own| !own.is_in_callback()).map_or(0, |own| {
        // SAFETY: the calling thread's own, which has no timer any more.
        queued::look(&mut unsafe { Owner::outside(own) }, now).queued
    });
    account.pace().note_counted();
    if account.is_untimed() {
        account.close_untimed(now, queued, &thread.tasks, &thread.mutexes);
    } else {
        // What it holds still it has held until now.
        for (key, held) in thread.holding.open(now) {
            thread.mutexes.find(key).into_iter().for_each(|entry| entry.add(mutex::HOLD, held));
        }
    }
    thread.holding.forget(now);
    book_counted(account, account.counts().book(&thread.tasks));
    account.pace().resume();
    account.book_summed();
    account.settle(now);
}

/// Before [`end`], on the thread itself, in no callback.
pub fn end_here(thread: &Thread) {
    if thread.account.is_untimed() {
        // SAFETY: the calling thread's own; a tick that comes in between books what is left.
        end_quiet(unsafe { Books::of(&thread.account) }, thread);
    }
}

/// The thread's record begins, or begins anew: every event is timed at first.
pub(super) fn begin(owner: &Owner) {
    let account = owner.books();
    if account.is_untimed() {
        end_quiet(account, owner);
    }
    account.pace().begin(quota(recording::real_period()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::sites::mutex as mutex_site;

    /// The account of a thread whose callback is at work is the callback's alone.
    #[test]
    fn a_tick_waits_for_a_callback() {
        let thread = Thread::adopt(Class::Work, 1000, 1 << 12);
        // SAFETY: the test's own thread, and no callback.
        let account = unsafe { Books::of(&thread.account) };
        thread.mutexes.entry([1, 2, 3]).add(mutex_site::RECENT_WAIT, 10);
        account.pace().timed(Class::Work, 100);
        account.pace().begin_untimed(false);
        let before = (account.counters(), account.since());
        // SAFETY: as above; the test is callback and handler by turns.
        let owner = unsafe { Owner::enter(thread) };
        // SAFETY: as above.
        unsafe { tick_or_note(thread, 5000) };
        assert_eq!((account.counters(), account.since()), before);
        assert!(account.is_untimed() && thread.tick_waits.load(Relaxed));
        // Whoever reads at that time sees one booking or the other.
        assert_eq!(account.counters_at(5000).time(), 4000);
        assert!(owner.leave().is_some_and(|again| {
            again.tick_waits.store(false, Relaxed);
            again.leave().is_none()
        }));
        // SAFETY: as above.
        unsafe { tick_or_note(thread, 5000) };
        assert!(!account.is_untimed());
        assert_eq!((account.counters().time(), account.since()), (4000, 5000));
        thread.release();
    }
}
