//! Books the common case of barriers and loops inside a region: the thread worked since it left the
//! last barrier, the loop stands in no other construct, and nothing else is to be done. Regions of
//! tiny loops have millions of these.
//!
//! What must hold: where a function here does something, it books what `sync::region` and
//! `work::work` would have booked; where it does nothing, it has changed nothing.

use crate::accounting::construct::{Place, UNTIMED};
use crate::accounting::context::Context;
use crate::accounting::{Class, IMPLEMENTATION_BARRIERS};
use crate::clock::ticks;
use crate::thread::cost::Kind;
use crate::thread::{Owner, Thread, stretch};
use crate::tool::counted::{self, in_summed};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::{Endpoint, State, SyncKind, SyncRegion, Work, WorkKind};

/// Books the begin or end of a barrier that cannot be its region's last one. Returns false if it is
/// another barrier, or more is to be done. It calls nothing, so everything stays in registers.
#[inline(always)]
pub fn barrier(event: &SyncRegion<'_>) -> bool {
    let (kind, state) = match event.kind {
        SyncKind::ExplicitBarrier => (SyncKind::ExplicitBarrier, State::WaitBarrierExplicit),
        SyncKind::WorkshareBarrier => {
            (SyncKind::WorkshareBarrier, State::WaitBarrierImplicitWorkshare)
        }
        SyncKind::ImplementationBarrier => {
            (SyncKind::ImplementationBarrier, State::WaitBarrierImplementation)
        }
        _ => return false,
    };
    if let Some(at) = in_summed() {
        return counted::barrier(at, event.endpoint, (kind, event.codeptr));
    }
    let Some(mut owner) = enter() else { return false };
    let now = ticks();
    let is_done = now < owner.look.next.load(Relaxed)
        && !owner.account.is_off()
        && match event.endpoint {
            Endpoint::Begin => begin(&mut owner, (kind, event.codeptr), state, now),
            Endpoint::End => end(&mut owner, kind, now),
            _ => false,
        };
    close(owner, is_done, now)
}

/// Books the begin or end of a short loop, or of sections, without a time. Returns false as
/// [`barrier`] does.
#[inline(always)]
pub fn work(event: &Work<'_>, counts: bool) -> bool {
    if matches!(event.kind, WorkKind::SingleExecutor | WorkKind::SingleOther | WorkKind::Taskloop) {
        return false;
    }
    // At a loop that hands out chunks, the agent learns of the region.
    if event.kind == WorkKind::LoopStatic
        && let Some(at) = in_summed()
    {
        let what = (event.codeptr, event.count);
        return counted::static_loop(at, event.endpoint, what, counts);
    }
    untimed(|context, place| match event.endpoint {
        Endpoint::Begin => {
            let what = (event.codeptr, event.count);
            context.constructs.begin_short_work(place, event.kind, what)
        }
        Endpoint::End => context.constructs.end_short_work(place, event.codeptr, counts),
        _ => false,
    })
}

/// Books the begin or end of a reduction's short combining. Returns false as [`barrier`] does.
#[inline(always)]
pub fn reduction(event: &SyncRegion<'_>) -> bool {
    if let Some(at) = in_summed() {
        return counted::reduction(at, event.endpoint, event.codeptr);
    }
    untimed(|context, place| match event.endpoint {
        Endpoint::Begin if context.constructs.is_short_reduction(place, event.codeptr) => {
            (context.reduces_since, context.reduces_at) = (UNTIMED, event.codeptr);
            true
        }
        Endpoint::End if context.reduces_since == UNTIMED => {
            context.constructs.reduced_shortly(place, context.reduces_at);
            true
        }
        _ => false,
    })
}

/// Runs `body` for an event in a region that is counted and not timed.
#[inline(always)]
fn untimed(body: impl FnOnce(&mut Context, Place<'_>) -> bool) -> bool {
    let Some(mut owner) = enter() else { return false };
    let thread = owner.thread();
    let is_done = owner.stack().top_mut().is_some_and(|context| {
        let place = context.place(thread);
        place.is_some_and(|place| body(context, place))
    });
    if !is_done {
        owner.give_up();
        return false;
    }
    owner.cost.count_event();
    stretch::leave(owner);
    true
}

/// Ends a callback of which the work is done, and has taken its time since `now`; or leaves the
/// work to another callback. Returns `is_done`.
#[inline(always)]
pub fn close(owner: Owner, is_done: bool, now: u64) -> bool {
    if !is_done {
        // The callback that does the work has its own end, where no tick is lost.
        owner.give_up();
        return false;
    }
    let is_measured = owner.cost.is_measured(now);
    match owner.leave() {
        None if !is_measured => {}
        again => finish(again, is_measured, now),
    }
    true
}

/// Does the remaining work after one callback of many.
#[cold]
#[inline(never)]
fn finish(owner: Option<Owner>, is_measured: bool, now: u64) {
    if is_measured && let Some(thread) = Thread::current() {
        thread.cost.measure(Kind::Plain, now);
    }
    if let Some(owner) = owner {
        stretch::leave(owner);
    }
}

/// Does what `tool::enter` does, where the thread has its record and nothing of its regions is to
/// be booked.
#[inline(always)]
fn enter() -> Option<Owner> {
    let thread = Thread::current()?;
    if thread.is_in_callback() || thread.account.summed().is_new() {
        return None;
    }
    // SAFETY: no callback of the thread is at work.
    alive(unsafe { Owner::enter(thread) })
}

/// Returns the right, unless the record's end was reported. As in `tool::enter_record`,
/// `in_callback` is set before `alive` is read.
#[inline(always)]
pub fn alive(owner: Owner) -> Option<Owner> {
    if owner.alive.load(Relaxed) {
        return Some(owner);
    }
    owner.give_up();
    None
}

#[inline(always)]
fn begin(owner: &mut Owner, which: (SyncKind, u64), state: State, now: u64) -> bool {
    let (thread, account) = (owner.thread(), owner.books());
    let Some(context) = owner.stack().top_mut().filter(|context| context.is_plain()) else {
        return false;
    };
    let since = account.since();
    if context.is_to_publish(now)
        || !context.constructs.is_known(which.0, which.1)
        || !account.pass(Class::Work, Class::Barrier, now)
    {
        return false;
    }
    thread.place.wait_state.store(state.number() as u32, Relaxed);
    context.comes_to_plain_barrier();
    if which.0 == SyncKind::ImplementationBarrier {
        account.count(IMPLEMENTATION_BARRIERS, 1);
    }
    let waited = account.booked(Class::Barrier);
    if let Some(place) = context.place(thread) {
        context.constructs.worked(now - since);
        context.constructs.begin_plain_barrier(place, which.0, waited);
    }
    account.pay(owner.cost.book_mean(Kind::Plain));
    true
}

#[inline(always)]
fn end(owner: &mut Owner, kind: SyncKind, now: u64) -> bool {
    let (thread, account) = (owner.thread(), owner.books());
    let Some(context) = owner.stack().top_mut() else { return false };
    let was_plain = context.in_barrier && context.constructs.was_plain();
    if !was_plain || !account.pass(Class::Barrier, Class::Work, now) {
        return false;
    }
    context.in_barrier = false;
    let waited = context.waited(account);
    if let Some(place) = context.place(thread) {
        context.constructs.end_plain_barrier(place, kind, waited);
    }
    account.pay(owner.cost.book_mean(Kind::Plain));
    true
}
