//! Barriers, taskwait and taskgroup.
//!
//! At a barrier or taskwait, a thread waits from the construct's begin to its end, except while it
//! executes tasks inside; at a taskgroup, it waits only while the end of the taskgroup waits.

use crate::accounting::place::state_of;
use crate::accounting::{Class, IMPLEMENTATION_BARRIERS};
use crate::thread::Owner;
use crate::tool::{Profiler, at_barrier, brief, on_busy_thread};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use omphalos_ompt::{Endpoint, Events, Host, State, SyncKind, SyncRegion};

/// Begins or ends a construct that synchronises.
#[inline(always)]
pub fn region(event: SyncRegion<'_>) {
    if !brief::barrier(&event) {
        any_region(event.kind, event.endpoint, event.region.address(), event.codeptr);
    }
}

#[inline(never)]
fn any_region(kind: SyncKind, endpoint: Endpoint, region: usize, codeptr: u64) {
    match kind {
        SyncKind::Taskgroup => want_waits(),
        SyncKind::Reduction => {}
        // The implicit task's end comes next, and ends the wait as well.
        SyncKind::ParallelBarrier if endpoint == Endpoint::End => {}
        SyncKind::Taskwait => on_busy_thread(
            |_| (),
            |owner, now| {
                wait(owner, State::WaitTaskwait, endpoint, now);
            },
        ),
        kind => at_barrier(|owner, now| {
            let (thread, account) = (owner.thread(), owner.books());
            if endpoint == Endpoint::Begin {
                owner.stack().works(account);
                let worked = account.is_at_work().then(|| now.saturating_sub(account.since()));
                account.switch(Class::Barrier, now);
                thread.place.wait_state.store(state_of(kind).number() as u32, Relaxed);
                if kind == SyncKind::ImplementationBarrier {
                    account.count(IMPLEMENTATION_BARRIERS, 1);
                }
                if let Some(context) = owner.stack().top_mut() {
                    let may_close = may_close(kind);
                    if may_close {
                        context.will_close(region);
                    }
                    context.comes_to_barrier(account, may_close, now);
                    if let Some(time) = worked {
                        context.constructs.worked(time);
                    }
                    let waited = account.booked(Class::Barrier);
                    context.begin_barrier(thread, (kind, codeptr), waited, now);
                }
            } else if endpoint == Endpoint::End {
                let active = owner.stack().active();
                account.settle(now);
                // A worker that idled since its region's end goes on idling.
                if account.class() != Class::Idle {
                    account.switch(active, now);
                }
                if let Some(context) = owner.stack().top_mut() {
                    let waited = context.waited(account);
                    context.in_barrier = false;
                    context.end_barrier(thread, kind, codeptr, waited);
                }
            }
        }),
    }
}

/// Resets the state when the agent comes again: it has asked for no waits yet.
pub fn forget_waits() {
    TOLD.store(false, Relaxed);
}

/// Whether waits are reported.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Asks for the events of waits at the first taskgroup's begin: only a taskgroup's waits tell the
/// agent anything new. Until then barriers cost less.
#[inline]
fn want_waits() {
    if !TOLD.load(Relaxed) && !TOLD.swap(true, Relaxed) {
        Host::get().attach_events(&Profiler, Events::SYNC_REGION_WAIT);
    }
}

/// Books the begin or end of the wait in such a construct.
#[inline]
pub fn region_wait(event: SyncRegion<'_>) {
    if event.kind == SyncKind::Taskgroup {
        on_busy_thread(|_| (), |owner, now| wait(owner, State::WaitTaskgroup, event.endpoint, now));
    }
}

/// Whether such a barrier may be the one at a region's end; runtimes older than OpenMP 5.1 do not
/// say.
#[inline]
fn may_close(kind: SyncKind) -> bool {
    let other = matches!(
        kind,
        SyncKind::ExplicitBarrier | SyncKind::ImplementationBarrier | SyncKind::WorkshareBarrier
    );
    !other
}

fn wait(owner: &mut Owner, state: State, endpoint: Endpoint, now: u64) {
    let account = owner.books();
    if endpoint == Endpoint::Begin {
        owner.stack().works(account);
        owner.place.wait_state.store(state.number() as u32, Relaxed);
        account.switch(Class::TaskWait, now);
    } else if endpoint == Endpoint::End {
        owner.stack().guesses = false;
        account.switch(owner.stack().active(), now);
    }
}
