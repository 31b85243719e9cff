//! How a thread enters and leaves an untimed stretch, where events come too fast to be timed.
//!
//! `accounting/pace.rs` says what that means. An untimed stretch ends at the next tick, or at an
//! event that is not a task's or a mutex's. The tasks on the thread are not the same then as
//! before, so the agent asks the runtime for the current one; later events report those below it.

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

/// Returns the right, and true if the event that has come to the calling thread is only to be
/// counted.
#[inline]
pub fn is_uncounted(owner: Owner) -> (Owner, bool) {
    if !owner.account.is_untimed() {
        return (owner, false);
    }
    if owner.books().pace().counted() { (lost(owner), false) } else { (owner, true) }
}

/// Ends a stretch in which no tick came for long.
#[cold]
fn lost(mut owner: Owner) -> Owner {
    let now = ticks();
    let queued = queued::look(&mut owner, now).queued;
    resume(&mut owner, now, queued);
    tick_of(owner.books(), &owner);
    owner
}

/// Allows events to be timed again: as many as are worth the time to the next tick.
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
    // Omphalos' runtime can leave events out, and count what the agent would only count.
    if let Some(quiet) = Host::get().quiet_counts() {
        account.counts().follow(quiet, thread.index.load(Relaxed));
    }
    account.pace().begin_untimed(context.is_some());
    owner
}

/// Lets the runtime report every event again, and books the tasks that it counted meanwhile.
/// Async-signal-safe.
fn end_quiet(account: &Books, of: &Ledger) {
    account.counts().end();
    book_counted(account, account.counts().book(&of.tasks));
}

fn book_counted(account: &Books, tasks: u64) {
    account.count(CREATED, tasks);
    account.pace().note_untold(tasks);
}

/// Notes that a task made at `codeptr` was reported in an untimed stretch: the next ones need not
/// be reported.
pub fn note_told_task(owner: &Owner, codeptr: u64) {
    let account = owner.books();
    book_counted(account, account.counts().keep(codeptr, &owner.tasks));
}

/// Times events again, at an event at `now` after an untimed stretch, or at the one that ends it.
/// The thread was `queued` ticks at work without a processor since the last event.
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
            // Whatever the class was before, the thread is now in the code that brought this event.
            let waits = in_barrier && !current.is_explicit();
            account.correct(if waits { Class::Barrier } else { stack.active() });
        }
        0
    } else {
        // Nothing has happened since the tick.
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

/// Does the work of a tick that came to this record's thread at `now`. If the tick came during a
/// callback, the callback does that work at its end. Async-signal-safe.
///
/// # Safety
/// The caller is the thread's handler.
pub unsafe fn tick_or_note(thread: &'static Thread, now: u64) {
    // SAFETY: the caller's promise.
    if let Some(mut owner) = unsafe { Owner::in_handler(thread) } {
        tick(&mut owner, now);
    }
}

/// Ends a callback, and does the work that a tick left to it.
#[inline]
pub fn leave(owner: Owner) {
    if let Some(owner) = owner.leave() {
        catch_up(owner);
    }
}

/// Does the work of a tick that came during the callback that ends here.
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

/// Ends an untimed stretch at a tick at `now`. Async-signal-safe.
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

/// Returns the class of a state, by its number.
fn class_of(state: u32, active: Class) -> Class {
    match state & 0xffff {
        0x10..0x20 => Class::Barrier,
        0x20..0x40 => Class::TaskWait,
        0x40..0x80 => Class::Mutex,
        _ => active,
    }
}

/// Ends the thread's record at `now`. The thread itself calls this, or the one that ends the
/// process.
pub fn end(thread: &Thread, now: u64) {
    // SAFETY: recording ends. A booking by a callback of another thread at this moment may be lost.
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
        // A mutex that it still holds, it has held until `now`.
        for (key, held) in thread.holding.open(now) {
            thread.mutexes.find(key).into_iter().for_each(|entry| entry.add(mutex::HOLD, held));
        }
    }
    thread.holding.forget(now);
    book_counted(account, account.counts().book(&thread.tasks));
    account.pace().resume();
    account.book_summed();
    account.book_passed(account.summed().open(now, now.saturating_sub(account.since())));
    account.settle(now);
}

/// Ends the thread's untimed stretch, if it is in one. Called before [`end`], on the thread itself,
/// in no callback.
pub fn end_here(thread: &Thread) {
    if thread.account.is_untimed() {
        // SAFETY: the calling thread's own; a tick that comes in between books what is left.
        end_quiet(unsafe { Books::of(&thread.account) }, thread);
    }
}

/// Begins the thread's record, or begins it anew: every event is timed at first.
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

    /// While a callback is at work, only it touches the thread's account.
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
        // A reader at that time sees one booking or the other.
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
