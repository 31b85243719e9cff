//! Parallel regions and implicit tasks.

use crate::accounting::Class;
use crate::accounting::context::Context;
use crate::accounting::region::{self, LEAGUE_PART, Region};
use crate::clock::{self, moment};
use crate::sampling::{only, watch};
use crate::thread::summed::show_outer;
use crate::thread::{Owner, Thread};
use crate::tool::{on_thread, summed, threads};
use crate::{life, recording, stream, totals, unwind};
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use omphalos_ompt::{Endpoint, ImplicitTask, ParallelBegin, ParallelEnd, ParallelFlags};
use omphalos_profile_format::{Fork, RegionBody};

/// Sees to it that events can be recorded from here on: opens the record file if there is none, and
/// writes the modules if there are new ones.
#[inline(always)]
pub fn record_from_here(now: u64) {
    if stream::open() {
        watch::start();
    }
    if unwind::modules::refresh(|| moment(now)) {
        stream::process::write_modules();
    }
}

/// Begins a region that is about to be made.
#[inline]
pub fn begin(event: ParallelBegin<'_>) {
    if recording::awaits_region() {
        life::first_region();
    }
    let is_wanted = only::enter(event.codeptr);
    let mut is_noted = false;
    on_thread(|owner, now| {
        let (thread, account) = (owner.thread(), owner.books());
        record_from_here(now);
        let stack = owner.stack();
        stack.works(account);
        let class = account.switch(Class::Overhead, now);
        let outer =
            stack.top().map_or((0, 0, 0), |outer| (outer.region_id, outer.codeptr, outer.level));
        let league = stack.top().and_then(|outer| league_of(outer, &event));
        let pointer = stack.take_region(event.requested as usize);
        stack.encounter(pointer, account, class);
        // SAFETY: instances are never freed, and this one belongs to this thread until it is given
        // back.
        let region = unsafe { &*pointer };
        region.clear();
        let id = stack.next_region_id();
        let (codeptr, first) = match league {
            None => region::names::name(event.codeptr, event.region.get()),
            Some(_) => (outer.1, None),
        };
        region.codeptr.store(codeptr, Relaxed);
        region.parent.store(outer.0, Relaxed);
        region.parent_codeptr.store(league.unwrap_or(outer.1), Relaxed);
        region.level.store(outer.2 + u32::from(league.is_none()), Relaxed);
        region.begin.store(now, Relaxed);
        region.requested.store(event.requested, Relaxed);
        let part = if league.is_some() { LEAGUE_PART } else { ParallelFlags::empty() };
        region.flags.store((event.flags | part).bits(), Relaxed);
        region.body.store(event.region.get(), Relaxed);
        region.id.store(id, Relaxed);
        region.is_wanted.store(is_wanted, Relaxed);
        is_noted = true;
        if let Some(first) = first {
            tell_apart(thread, region, [event.codeptr, first, event.region.get()]);
        }
        event.region.set(pointer as u64);
        if is_worth_a_record(thread, region, now) {
            capture(thread, region, now, true);
        }
    });
    if is_wanted && !is_noted {
        only::leave();
    }
}

/// Returns the site of the league, if the region that begins is only the one that a team of a
/// league begins with. No directive of the source stands for such a region, and some runtimes give
/// it no address.
fn league_of(outer: &Context, event: &ParallelBegin<'_>) -> Option<u64> {
    let region = outer.region()?;
    let is_league = ParallelFlags::from_bits_retain(region.flags.load(Relaxed)) & LEAGUE_PART
        == ParallelFlags::LEAGUE;
    let has_own_place = event.codeptr != 0 && event.codeptr != outer.codeptr;
    (is_league && !has_own_place).then(|| region.parent_codeptr.load(Relaxed))
}

/// Records, once for each thread, that a region shares its `codeptr_ra` with another one.
#[cold]
fn tell_apart(thread: &Thread, region: &Region, [called_from, first, body]: [u64; 3]) {
    let entry = thread.regions.entry_of(region.key());
    if entry.values[region::site::STACKS].load(Relaxed) > 0 {
        return;
    }
    let codeptr_ra = region.codeptr.load(Relaxed);
    thread.own_sampler(|sampler| {
        for (codeptr_ra, body) in [(called_from, first), (codeptr_ra, body)] {
            sampler.push(RegionBody { codeptr_ra, called_from, body }.into());
        }
    });
}

/// The time between two records of forks in whose regions no thread was sampled, ns.
const SELDOM: u64 = 100_000_000;

/// Whether a fork is recorded at once: the first two of each site are, and then one now and then.
/// Another fork is recorded at its region's end, if a thread was sampled in the region and its
/// stack differs from the site's last one: only such forks are looked up.
#[inline(always)]
fn is_worth_a_record(thread: &Thread, region: &Region, now: u64) -> bool {
    let entry = thread.regions.entry_of(region.key());
    let count = entry.values[region::site::STACKS].load(Relaxed);
    if count >= 2 && now < thread.next_capture.load(Relaxed) {
        return false;
    }
    entry.add(region::site::STACKS, 1);
    thread.next_capture.store(now + clock::in_ticks(SELDOM), Relaxed);
    true
}

/// The index, plus 1, of the thread that encountered the first outermost region; 0 = none yet.
static FIRST: AtomicU32 = AtomicU32::new(0);
/// Whether another thread encounters outermost regions too.
static SEVERAL: AtomicBool = AtomicBool::new(false);

/// Whether a region needs no record if its stack is that of its site's latest record: it is
/// outermost, and only one thread makes such regions. So a reader of the latest record knows which
/// thread encountered the region, and where.
fn stands_for_itself(thread: &Thread, region: &Region) -> bool {
    if region.level.load(Relaxed) != 1 || region.is_league_part() {
        return false;
    }
    let own = thread.index.load(Relaxed) + 1;
    let first = FIRST.compare_exchange(0, own, Relaxed, Relaxed).unwrap_or_else(|first| first);
    if first != 0 && first != own {
        SEVERAL.store(true, Relaxed);
    }
    !SEVERAL.load(Relaxed)
}

/// Records the fork with the encountering thread's stack, which is the same at the region's end.
/// `anyway`: whether to record it even if a reader knows the stack from the record before.
#[cold]
#[inline(never)]
fn capture(thread: &Thread, region: &Region, now: u64, anyway: bool) {
    let begin = clock::ticks();
    let registers = unwind::capture::here();
    region.captured.store(true, Relaxed);
    thread.own_sampler(|sampler| {
        let stack = sampler.stack(registers);
        let last = &thread.regions.entry_of(region.key()).values[region::site::STACK];
        let is_known = last.swap(stack, Relaxed) == stack && stack != 0;
        if stands_for_itself(thread, region) && is_known && !anyway {
            return;
        }
        let record = Fork {
            region: region.id.load(Relaxed),
            parent: region.parent.load(Relaxed),
            time: moment(region.begin.load(Relaxed)),
            thread: thread.index.load(Relaxed),
            codeptr_ra: region.codeptr.load(Relaxed),
            requested_threads: region.requested.load(Relaxed),
            flags: region.flags.load(Relaxed),
            stack,
        };
        sampler.push(record.into());
        if sampler.is_due(now) {
            sampler.flush();
        }
    });
    thread.cost.book_seldom(begin);
}

/// Ends a region.
#[inline]
pub fn end(event: ParallelEnd<'_>) {
    let mut was_wanted = false;
    on_thread(|owner, now| {
        let (thread, account) = (owner.thread(), owner.books());
        let pointer = event.region.get() as *mut Region;
        if pointer.is_null() {
            return;
        }
        // A late event of a worker finds no instance. Only this thread writes: no locked operation.
        event.region.set(0);
        account.settle(now);
        let stack = owner.stack();
        let Some(class) = stack.leave(pointer, account) else { return };
        // SAFETY: an instance of this thread that is still in use.
        let region = unsafe { &*pointer };
        region.close(&thread.regions, now, thread);
        if region.sampled.load(Relaxed) {
            // A reader looks up its samples through the enclosing regions.
            thread.place.note_named();
            if !region.captured.load(Relaxed) {
                capture(thread, region, now, region.named.load(Relaxed));
            }
        }
        summed::consider(owner, region, event.codeptr, now, |all| capture(thread, all, now, true));
        let stack = owner.stack();
        region.id.store(0, Relaxed);
        was_wanted = region.is_wanted.load(Relaxed);
        stack.give_region(pointer);
        account.switch(class, now);
        if !watch::runs() {
            totals::write_if_due(now);
        }
    });
    if was_wanted {
        only::leave();
    }
}

/// Begins or ends an initial or implicit task.
#[inline]
pub fn implicit_task(event: ImplicitTask<'_>) {
    if recording::is_late() && event.index != 0 && event.endpoint != Endpoint::End {
        threads::meet_worker();
    }
    on_thread(|owner, now| {
        if event.endpoint == Endpoint::End {
            end_task(owner, event.task.address(), now);
        } else {
            begin_task(owner, event, now);
        }
    });
}

fn begin_task(owner: &mut Owner, event: ImplicitTask<'_>, now: u64) {
    owner.stack().will_begin();
    let region = event.region.get() as *const Region;
    let (task, flags) = (event.task.address(), event.flags.bits());
    let (thread, account) = (owner.thread(), owner.books());
    let stack = owner.stack();
    // SAFETY: null or an instance, which is never freed.
    let instance = unsafe { region.as_ref() };
    if let Some(region) = instance {
        account.join(region.begin.load(Relaxed), now);
        account.switch(Class::Work, now);
    } else if account.class() != stack.outside() {
        account.switch(stack.outside(), now);
    }
    let context = stack.push(account);
    context.task = task;
    context.flags = flags;
    if let Some(instance) = instance {
        context.region = region;
        context.region_id = instance.id.load(Relaxed);
        context.codeptr = instance.codeptr.load(Relaxed);
        context.parent_codeptr = instance.parent_codeptr.load(Relaxed);
        context.level = instance.level.load(Relaxed);
        context.number = event.index;
        if let Some(slot) = instance.slot(event.index as usize) {
            slot.begin(context.region_id, thread, now);
            context.slot = slot;
        }
        thread.place.enter(region, context.region_id, context.codeptr, event.index);
    }
    stack.tasks.begin_implicit(task, flags);
    thread.place.set_task(flags, 0);
    // All regions before this one are over.
    account.summed().saw();
    summed::follow(owner);
}

fn end_task(owner: &mut Owner, task: usize, now: u64) {
    let (thread, account) = (owner.thread(), owner.books());
    account.settle(now);
    let stack = owner.stack();
    let Some(context) = stack.pop(task) else { return };
    let (pointer, name) = (context.region, context.task);
    let published = context.had_barrier;
    stack.tasks.end_implicit(name);
    if !pointer.is_null() {
        let encountered = stack.has_encountered(pointer);
        if encountered {
            // SAFETY: an instance, which is never freed.
            unsafe { &*pointer }.will_close();
        }
        // A worker's share was stored when it entered the closing barrier; at this event it may be
        // too late.
        if (encountered || !published)
            && let Some(context) = stack.left()
            && let Some(region) = context.region()
        {
            context.publish(account, now);
            if encountered {
                region.tell_over(now, thread);
            }
        } else if let Some(context) = stack.left().filter(|_| published) {
            context.add_untold(account, &thread.regions);
        }
        account.switch(if encountered { Class::Overhead } else { Class::Idle }, now);
    } else {
        account.switch(stack.after_outside(), now);
    }
    show_outer(owner);
}
