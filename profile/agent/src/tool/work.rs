//! The constructs inside a region: worksharing constructs, masked, reductions, chunks.
//!
//! A thread stays in its class here: it works before, inside and after. So these callbacks book no
//! time of the account, and cost less.

use crate::accounting::construct;
use crate::clock::{self, ticks};
use crate::thread::summed::catch_up;
use crate::thread::{Owner, stretch};
use crate::tool::{brief, enter_record, lightly};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use omphalos_ompt::{Dispatch, Endpoint, Events, Host, Masked, SyncRegion, Work, WorkKind};

/// Whether chunks are reported.
static COUNTS: AtomicBool = AtomicBool::new(true);
/// The number of chunks that were reported.
static CHUNKS: AtomicU64 = AtomicU64::new(0);
/// The time when the first chunks were reported, ticks.
static SINCE: AtomicU64 = AtomicU64::new(0);

/// The number of chunks that may be reported; one more may come every [`PAUSE`] ns.
const TOLD_CHUNKS: u64 = 350_000;
const PAUSE: u64 = 12_000;
/// The number of chunks after which a thread looks whether they are too many.
const LOOK: u64 = 4096;

/// Books the begin or end of a worksharing construct.
#[inline]
pub fn work(event: Work<'_>) {
    // A league's loop is no construct of a team.
    if matches!(event.kind, WorkKind::Distribute | WorkKind::Unlisted(_))
        || brief::work(&event, COUNTS.load(Relaxed))
    {
        return;
    }
    any_work(event.kind, event.endpoint, event.count, event.codeptr);
}

#[inline(never)]
fn any_work(kind: WorkKind, endpoint: Endpoint, count: u64, codeptr: u64) {
    lightly(|owner, now| match endpoint {
        Endpoint::Begin => {
            let thread = owner.thread();
            if let Some(context) = owner.stack().top_mut()
                && let Some(place) = context.place(thread)
            {
                let constructs = &mut context.constructs;
                constructs.begin_work(place, kind, codeptr, count, now);
            }
        }
        Endpoint::End => end(owner, codeptr, now),
        _ => {}
    });
}

/// Books the begin or end of a masked region.
#[inline]
pub fn masked(event: Masked<'_>) {
    lightly(|owner, now| match event.endpoint {
        Endpoint::Begin => {
            let thread = owner.thread();
            if let Some(context) = owner.stack().top_mut()
                && let Some(place) = context.place(thread)
            {
                context.constructs.begin_masked(place, event.codeptr, now);
            }
        }
        Endpoint::End => end(owner, event.codeptr, now),
        _ => {}
    });
}

#[inline]
fn end(owner: &mut Owner, codeptr: u64, now: u64) {
    let thread = owner.thread();
    if let Some(context) = owner.stack().top_mut()
        && let Some(place) = context.place(thread)
    {
        context.constructs.end(place, codeptr, now, COUNTS.load(Relaxed));
    }
}

/// Books the begin or end of a reduction's combining.
#[inline]
pub fn reduction(event: SyncRegion<'_>) {
    if brief::reduction(&event) {
        return;
    }
    lightly(|owner, now| {
        let thread = owner.thread();
        let Some(context) = owner.stack().top_mut() else { return };
        match event.endpoint {
            Endpoint::Begin => {
                (context.reduces_since, context.reduces_at) = (now, event.codeptr);
            }
            Endpoint::End => {
                if let Some(place) = context.place(thread) {
                    let (since, codeptr) = (context.reduces_since, context.reduces_at);
                    context.constructs.reduced(place, codeptr, since, now);
                }
            }
            _ => {}
        }
    });
}

/// Counts a chunk or a section that was handed out.
#[inline]
pub fn dispatch(_event: Dispatch<'_>) {
    let Some(mut owner) = enter_record() else { return };
    let mut is_first = false;
    let is_new = owner.account.summed().is_new();
    if is_new && owner.account.summed().is_at_work() {
        // A chunk of a static loop that has been counted, in a region that is not reported.
        let counted = owner.account.summed().passed().last_loop();
        counted.into_iter().for_each(|entry| entry.add(construct::site::CHUNKS, 1));
    } else {
        if is_new {
            owner = catch_up(owner);
        }
        let context = owner.stack().top_mut();
        is_first = context.is_some_and(|context| context.constructs.dispatch());
    }
    if owner.cost.count_chunk(is_first).is_multiple_of(LOOK) {
        look(ticks());
    }
    stretch::leave(owner);
}

/// Stops counting chunks where that would cost more than the count is worth: the report scales the
/// count up.
#[cold]
fn look(now: u64) {
    let since = match SINCE.compare_exchange(0, now, Relaxed, Relaxed) {
        Ok(_) => now,
        Err(since) => since,
    };
    let told = CHUNKS.fetch_add(LOOK, Relaxed) + LOOK;
    let may_be = TOLD_CHUNKS + clock::ns(now.saturating_sub(since)) / PAUSE;
    if told > may_be && COUNTS.swap(false, Relaxed) {
        Host::get().ignore(Events::DISPATCH);
    }
}
