//! Regions that come too fast to be reported one by one: Omphalos' runtime times them and adds them
//! up (`accounting/summed.rs`), and reports one now and then.
//!
//! Events inside such a region are reported as always. At the first event, tick or marked call
//! there, the agent learns that the thread works in such a region and makes a context
//! (`thread/summed.rs`). Then the runtime reports the end of that work to the agent ([`ended`]). It
//! also reports the end of long work: the thread lost its processor, or the region is not short.
//! Static loops, reductions and barriers are counted, and need no context (`tool/counted.rs`).
//!
//! What must hold: a region's work on a thread is booked once, by the runtime's sums or, if its end
//! was reported to the agent, by the agent.

use crate::accounting::Class;
use crate::accounting::context::Context;
use crate::accounting::region::{Region, site};
use crate::accounting::summed::{add_share, sites};
use crate::clock;
use crate::thread::cost::Kind;
use crate::thread::{Owner, Thread, stretch, summed};
use crate::tool::brief::alive;
use crate::tool::{enter, timed};
use core::sync::atomic::Ordering::{Relaxed, Release};
use omphalos_ompt::Host;
use omphalos_ompt::sums::{omphalos_sum_site_t, omphalos_sums_t};

/// Work in a region, and a pause between two, is short below this, ns: the same time that counts as
/// a wait for a processor (`thread/queued.rs`).
const SHORT: u64 = 20_000;
/// The number of regions of a site that are reported before the runtime adds them up.
const FIRST_TOLD: u64 = 16;
/// The least number of regions that are added up before one is reported again. A random number, up
/// to as many more, comes on top.
const SUMMED: u64 = 512;

/// Decides, at the end of a reported region of this site at `now`, that the next ones are not
/// reported if they are as short. `capture` records its fork.
#[inline]
pub fn consider(
    owner: &mut Owner,
    region: &Region,
    codeptr: u64,
    now: u64,
    capture: impl FnOnce(&Region),
) {
    let elapsed = now.saturating_sub(region.begin.load(Relaxed));
    let function = region.body.load(Relaxed);
    let is_outermost = region.level.load(Relaxed) == 1 && !region.is_league_part();
    if function == 0 || !is_outermost || elapsed > clock::in_ticks_fast(SHORT) {
        return;
    }
    let entry = owner.regions.entry_of(region.key());
    let of = |at: usize| entry.values[at].load(Relaxed);
    let Some(sums) = owner.account.summed().sums() else { return };
    if of(site::INSTANCES) < FIRST_TOLD || of(site::CREATED) > 0 {
        return;
    }
    if sums.on.load(Relaxed) == 0 {
        owner.account.summed().make_sites(sums);
    }
    let left = SUMMED + (now >> 4) % SUMMED;
    let made = sites(sums);
    match place_of(made, function, codeptr) {
        Some((place, true)) => place.left.store(left, Relaxed),
        Some((place, false)) => {
            add(owner, place, region, (function, codeptr), now, capture);
            place.left.store(left, Relaxed);
        }
        None => {}
    }
}

/// Returns the place of a site among those that were made, and whether the site stands there
/// already; else a free place. `None` if there is neither, or if the runtime gave the site up. If a
/// function with a region is inlined, the same outlined code has several sites.
fn place_of(
    made: &'static [omphalos_sum_site_t],
    function: u64,
    codeptr: u64,
) -> Option<(&'static omphalos_sum_site_t, bool)> {
    let ways = || omphalos_sums_t::places(function).filter_map(|at| made.get(at));
    let is_used = |place: &&omphalos_sum_site_t| place.instances.load(Relaxed) > 0;
    let by = |place: &omphalos_sum_site_t| place.function.load(Relaxed);
    let mut same = ways().filter(|place| place.codeptr_ra.load(Relaxed) == codeptr);
    match same.find(|place| by(place) == function || by(place) == 0 && is_used(place)) {
        Some(place) => (by(place) == function).then_some((place, true)),
        None => {
            let free = ways().find(|place| by(place) == 0 && !is_used(place));
            free.map(|place| (place, false))
        }
    }
}

/// Allows the runtime to add up the calling thread's regions from here on.
pub fn follow(owner: &Owner) {
    let summed = owner.books().summed();
    if summed.sums().is_none()
        && clock::is_counter()
        && let Some(sums) = Host::get().sums()
    {
        sums.longest.store(clock::in_ticks(SHORT), Relaxed);
        let told: unsafe extern "C" fn(u64, u64) -> u64 = ended;
        sums.ended.store(told as usize, Relaxed);
        summed.follow(sums);
    }
}

/// Adds a new site. Samples in its regions name one instance that stands for all.
#[cold]
fn add(
    owner: &mut Owner,
    place: &omphalos_sum_site_t,
    region: &Region,
    (function, codeptr): (u64, u64),
    now: u64,
    capture: impl FnOnce(&Region),
) {
    // SAFETY: null or an instance of the agent's, which is never freed.
    let all = unsafe { (place.word.load(Relaxed) as *const Region).as_ref() };
    let all = all.unwrap_or_else(|| Region::with_room(1));
    all.stand_for(region, owner.stack().next_region_id(), now);
    capture(all);
    place.word.store(core::ptr::from_ref(all) as u64, Relaxed);
    place.codeptr_ra.store(codeptr, Relaxed);
    place.function.store(function, Release);
}

/// Ends the calling thread's work, from `since`, in a region that is not reported. `since` is 0 if
/// the thread leaves the closing barrier of a region that had tasks. Returns how long the thread
/// ran. The runtime calls this.
unsafe extern "C" fn ended(since: u64, until: u64) -> u64 {
    if let Some(ran) = passed(since, until) {
        return ran;
    }
    let Some(mut owner) = enter() else { return until.saturating_sub(since) };
    let Some(sums) = owner.account.summed().sums() else {
        owner.give_up();
        return until.saturating_sub(since);
    };
    let has_context = owner.stack().top().is_some_and(|context| context.is_summed);
    if since != 0 && !has_context {
        summed::go_in(&mut owner, sums, since);
    }
    sums.known.store(0, Relaxed);
    let mut ran = until.saturating_sub(since);
    let owner = timed(owner, false, |owner, now| {
        if let Some(known) = leave(owner, if since == 0 { now } else { until }, since != 0) {
            ran = known;
        }
        Kind::Rare
    });
    // The runtime sums this time as a wait.
    owner.books().forgive();
    stretch::leave(owner);
    ran
}

/// Does what [`ended`] does, for short work whose task has no context: the thread came to barriers
/// that were only counted. `None` for other work.
#[inline(always)]
fn passed(since: u64, until: u64) -> Option<u64> {
    let thread = Thread::current().filter(|thread| !thread.is_in_callback())?;
    let sums = thread.account.summed().sums()?;
    let length = until.saturating_sub(since);
    // Nothing is booked of what came after the work began.
    let is_last = thread.account.since() <= since && !thread.account.is_off();
    if !is_last || length > sums.longest.load(Relaxed) {
        return None;
    }
    // SAFETY: no callback of the thread is at work.
    let owner = alive(unsafe { Owner::enter(thread) })?;
    let Some(waited) = owner.account.summed().passed().leave(since) else {
        owner.give_up();
        return None;
    };
    sums.known.store(0, Relaxed);
    let worked = length.saturating_sub(waited);
    // SAFETY: the agent put an instance there, which is never freed.
    let region = unsafe { &*(sums.word.load(Relaxed) as *const Region) };
    let entry = owner.regions.entry_of(region.key());
    entry.add(site::WORK, worked);
    entry.add(site::BARRIER, waited);
    owner.books().book_passed([(Class::Work, worked), (Class::Barrier, waited)]);
    owner.cost.count_event();
    stretch::leave(owner);
    Some(worked)
}

/// Leaves the region's task at `until`; returns how long the thread ran there.
fn leave(owner: &mut Owner, until: u64, has_task: bool) -> Option<u64> {
    let (thread, account) = (owner.thread(), owner.books());
    account.settle(until);
    let stack = owner.stack();
    let is_in = has_task && stack.top().is_some_and(|context| context.is_summed);
    let task = stack.top().filter(|_| is_in).map(|context| context.task);
    let ran = task.and_then(|task| Some(book(stack.pop(task)?, thread)));
    task.into_iter().for_each(|task| stack.tasks.end_implicit(task));
    stack.guesses = false;
    let class = if stack.top().is_none() { Class::Idle } else { stack.active() };
    account.summed().leave();
    account.switch(class, until);
    summed::show_outer(owner);
    ran
}

/// Adds the task's share to its region's site.
fn book(context: &Context, thread: &Thread) -> u64 {
    let (share, inner) = context.so_far(&thread.account);
    let entry = thread.regions.entry_of([context.codeptr, context.parent_codeptr, 1]);
    let work = add_share(entry, &share, inner);
    work.saturating_sub(share.queued())
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_ompt::sums::OMPHALOS_SUM_SITES;

    /// Each call of the same code has a place, as long as there are any; one that the runtime gave
    /// up gets none again.
    #[test]
    fn calls_of_the_same_code_are_sites_of_their_own() {
        let made = (0..OMPHALOS_SUM_SITES).map(|_| omphalos_sum_site_t::default());
        let made: &'static [omphalos_sum_site_t] = Box::leak(made.collect());
        let function = 0x4010;
        let ways = omphalos_sums_t::places(function).count() as u64;
        for codeptr in 1..=ways {
            let (place, is_known) = place_of(made, function, codeptr).expect("a free place");
            assert!(!is_known);
            place.codeptr_ra.store(codeptr, Relaxed);
            place.function.store(function, Relaxed);
            place.instances.store(1, Relaxed);
        }
        let found = |codeptr| place_of(made, function, codeptr);
        for codeptr in 1..=ways {
            let (place, is_known) = found(codeptr).expect("the site's place");
            assert_eq!((place.codeptr_ra.load(Relaxed), is_known), (codeptr, true));
        }
        assert!(found(9).is_none());
        let (second, _) = found(2).expect("the site's place");
        second.function.store(0, Relaxed);
        assert!(found(2).is_none() && found(9).is_none());
        assert!(found(3).is_some_and(|(_, is_known)| is_known));
    }
}
