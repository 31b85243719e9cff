//! Forks and joins, on the primary's side. README.md has the protocol; `orders.rs` has the workers'
//! side of the fork, `join.rs` the closing barrier.

use super::orders::{Orders, give_orders};
use super::{crowd, join, size, summed};
use crate::call::Call;
use crate::records::{LoopSpec, REGION_SHIFT, Team, Thread, Watch, Work, demands};
use crate::{affinity, enable, hooks, tasks};
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::compiler_fence;
use omphalos_events::{State, wishes};
use omphalos_settings::{Icvs, settings};
use omphalos_sys::debugger;
use omphalos_sys::fp_control::FpControl;

/// A parallel region, as its construct describes it.
pub struct Region<'a, C> {
    /// The code that each thread runs.
    pub work: Work,
    /// `num_threads` clause, 0 = none.
    pub threads: u32,
    /// The `if` clause was false.
    pub serial: bool,
    /// `proc_bind` clause, -1 = none.
    pub bind: i32,
    /// The program's call.
    pub caller: C,
    /// The floating-point control words with which the members begin; `FpControl::NONE`: each keeps
    /// its own.
    pub fp_control: FpControl,
    /// Bits of `ompt_parallel_flag_t`.
    pub flags: u32,
    /// The first worksharing construct, if it is combined with the region.
    pub prepare: Option<&'a LoopSpec>,
}

/// Runs a whole region: fork, the primary's share, join.
///
/// # Safety
/// The work must be callable by every thread of the team at once.
pub unsafe fn run<C: Call>(thread: &'static Thread, region: &Region<'_, C>) {
    let team = begin(thread, region);
    let slot = team.slot(0);
    // SAFETY: the caller's promise.
    unsafe { region.work.run_in(slot, thread.gtid, 0) };
    end(thread, region.flags, region.caller);
}

/// Begins a region without running the primary's share. [`end`] ends it.
pub fn begin<C: Call>(thread: &'static Thread, region: &Region<'_, C>) -> &'static Team {
    thread.set_state(State::OVERHEAD);
    enable::poll(thread);
    let parent = thread.team();
    let team = Team::at_depth(thread);
    go_deeper(thread);
    let watched = region.caller.is_watched();
    let is_summed =
        watched && summed::begins(thread, parent, region.caller.caller().address(), &region.work);
    let watch = match watched {
        false => Watch::Not,
        true if is_summed => Watch::Summed,
        true => Watch::Told,
    };
    let watched = watch == Watch::Told;
    if watched {
        // This comes before the size is settled: tools that lend processors call
        // `omp_set_num_threads` in their callback.
        let asked = size::asked_for(thread, region.threads, region.serial);
        let caller = region.caller.caller();
        hooks::parallel_begin(thread, team, asked, &region.work, region.flags, caller);
    }
    let wanted = size::team_size(thread, parent, region.threads, region.serial);
    let size = team.staff(wanted);
    if size::counts(thread) || team.claimed.value_for(team.as_owner()) != 0 {
        claim(thread, team, wanted, size);
    }
    let number = next_region(team);
    set_up(team, thread, parent, size, watch);
    team.fp_control.put(team.as_owner(), region.fp_control);
    team.codeptr.set(team.as_owner(), region.caller.caller().address());
    // For debuggers. It is on the line of the word above.
    team.function.set(team.as_owner(), region.work.code());
    if !thread.demands.get().is_null() {
        demands::meet(thread, team, size);
    }
    affinity::place_team(thread, team, region.bind);
    thread.pushed_bind.set(thread.as_owner(), -1);
    let prepared = region.prepare.is_some();
    if let Some(spec) = region.prepare {
        team.constructs.prepare(number << REGION_SHIFT, spec);
    }
    if watched {
        enable::pass(debugger::parallel_begin);
    } else if is_summed {
        summed::name(thread, team);
    }
    give_orders(team, size, &Orders { number, prepared, work: region.work });
    tasks::drop_prepared(thread);
    team.slot(0).enter(thread, team, 0, number, prepared);
    affinity::settle(thread);
    thread.set_state(State::WORK_PARALLEL);
    if watched {
        hooks::implicit_task_begins(thread);
    } else if is_summed {
        summed::primary_works(thread, team);
    }
    team
}

/// Notes how many threads the region took from its contention group's limit, and gives back the
/// surplus.
#[cold]
fn claim(thread: &Thread, team: &Team, wanted: u32, size: u32) {
    if !size::counts(thread) {
        return team.claimed.set(team.as_owner(), 0);
    }
    team.claimed.set(team.as_owner(), size - 1);
    if wanted > size {
        thread.team().give_back(wanted - size);
    }
}

/// Joins: the primary waits for the others and returns to the encountering task.
pub fn end(thread: &'static Thread, flags: u32, call: impl Call) {
    let team = thread.team();
    let watch = if call.may_be_watched() { team.watched.get() } else { Watch::Not };
    let watched = watch == Watch::Told;
    let part = (watch == Watch::Summed).then(|| summed::primary_ends(thread));
    join::primary(thread, team, watched);
    if let Some(part) = part {
        summed::over(thread, team, part);
    }
    if watched {
        hooks::implicit_task_ends(thread);
    }
    team.fp_control.get().resume();
    tasks::drop_prepared(thread);
    thread.task.set(thread.as_owner(), team.parent_task.get());
    if watched {
        thread.set_state(State::OVERHEAD);
        // The encountering task is current, and the innermost region is the one that ends: OMPD
        // requires that at this place.
        enable::pass(debugger::parallel_end);
    }
    thread.slot.set(thread.as_owner(), team.parent_slot.get());
    thread.num.set(thread.as_owner(), team.parent_num.get());
    // SAFETY: a region has a team around it, and teams are never freed.
    let parent: &'static Team = unsafe { &*team.parent.get() };
    thread.as_owner().set_team(parent);
    let parent_level = parent.level.get();
    if watched {
        hooks::parallel_end(thread, team, flags);
    }
    crowd::end(team);
    if team.claimed.value_for(team.as_owner()) != 0 {
        thread.team().give_back(team.claimed.get());
    }
    if parent_level == 0 {
        affinity::region_over(thread);
    }
    let state = if parent_level == 0 { State::WORK_SERIAL } else { State::WORK_PARALLEL };
    thread.set_state(state);
    go_back(thread);
}

/// Takes the team record of the thread's depth for a region, before the thread writes the first
/// word there. A signal handler of the program that begins a region meanwhile takes the next
/// record.
#[inline(always)]
pub(super) fn go_deeper(thread: &Thread) {
    thread.depth.set(thread.as_owner(), thread.depth.get() + 1);
    compiler_fence(SeqCst);
}

/// Gives up the team record of a region that is over. The thread needs nothing of the record any
/// more.
#[inline(always)]
pub(super) fn go_back(thread: &Thread) {
    compiler_fence(SeqCst);
    thread.depth.set(thread.as_owner(), thread.depth.get() - 1);
}

/// The words of parts hold 48 bits of a construct's number. Region numbers that differ only above
/// this bit look alike to them.
const PARTS_SHIFT: u32 = 48 - REGION_SHIFT;

/// Returns a number for the next region that no counter of an earlier region of this team has
/// reached. A region may have had more than 2^12 barriers or worksharing constructs.
#[inline(always)]
pub(super) fn next_region(team: &Team) -> u64 {
    if team.cancelled.load(Relaxed) != 0 {
        team.forget_cancelled();
    }
    let slot = team.slot(0);
    let counted = slot.epoch.get().max(slot.share.next()).max(slot.singles.get());
    let used = counted.max(slot.beyond.get()) >> REGION_SHIFT;
    let before = team.region.get();
    let number = before.max(used) + 1;
    if (before ^ number) >> tasks::NUMBER_BITS != 0 {
        forget_parts_of_numbers(team, before ^ number);
    }
    team.region.set(team.as_owner(), number);
    number
}

/// Clears the words that do not hold all bits of a region's number. The number differs from the one
/// before in these `bits`.
#[cold]
fn forget_parts_of_numbers(team: &Team, bits: u64) {
    team.tasks.forget_outside();
    if bits >> PARTS_SHIFT != 0 {
        team.constructs.forget_parts();
    }
}

const _: () = assert!(tasks::NUMBER_BITS <= PARTS_SHIFT);

/// Writes the words that are the same for all members. It compares first, so that the line stays
/// shared if nothing changes from region to region.
#[inline(always)]
pub(super) fn set_up(
    team: &'static Team,
    thread: &'static Thread,
    parent: &'static Team,
    size: u32,
    watch: Watch,
) {
    let own = team.as_owner();
    let active = parent.active_level.get() + u32::from(size > 1);
    let busy = crowd::begin(team, parent, size);
    team.size.put(own, size);
    team.level.put(own, parent.level.get() + 1);
    team.active_level.put(own, active);
    team.busy.put(own, busy);
    team.shape.put(own, team.shape_for(size, busy));
    // It is compared every time, because `kmp_set_blocktime` may change it.
    team.spin.put(own, settings().spin_budget(busy));
    team.crowded.put(own, settings().crowded(busy));
    team.watched.put(own, watch);
    if watch == Watch::Told {
        team.ends_late.put(own, wishes::ends_may_be_late());
    }
    team.parent.put(own, core::ptr::from_ref(parent).cast_mut());
    team.parent_task.put(own, thread.task.get());
    team.parent_slot.put(own, thread.slot.get());
    team.parent_num.put(own, thread.num.get());
    team.league.put(own, parent.league.get());
    let (icvs, level) = (thread.task().icvs(), parent.level.get() + 1);
    if icvs.depend_on(level) {
        inherit(team, &icvs.for_region(level));
    } else if team.icvs() != icvs {
        own.set_icvs(*icvs);
    }
}

/// Makes the members' tasks inherit these ICVs, which are not the encountering task's.
#[cold]
#[inline(never)]
fn inherit(team: &Team, icvs: &Icvs) {
    if team.icvs() != icvs {
        team.as_owner().set_icvs(*icvs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Slot;
    use omphalos_events::{Cancel, ThreadKind};

    fn team_of_two() -> (&'static Team, [&'static Thread; 2]) {
        let thread =
            |number| &*Box::leak(Box::new(Thread::new(number, number as u32, ThreadKind::Unknown)));
        let (team, threads) = (Team::new(), [thread(0), thread(1)]);
        for thread in threads {
            let slot = Slot::of_worker(thread);
            team.seat(&[slot]);
            thread.slot.set(thread.as_owner(), core::ptr::from_ref(slot).cast_mut());
        }
        (team, threads)
    }

    #[test]
    fn a_region_with_many_barriers_takes_several_numbers() {
        let (team, _) = team_of_two();
        assert_eq!(next_region(team), 1);
        let slot = team.as_owner().member(0);
        slot.epoch.set(slot, (4 << REGION_SHIFT) - 1);
        assert_eq!(next_region(team), 4);
        slot.singles.set(slot, 7 << REGION_SHIFT);
        assert_eq!(next_region(team), 8);
        slot.region.set(slot, 8);
        let number = slot.number_after((11 << REGION_SHIFT) - 1);
        assert_eq!(number, 11 << REGION_SHIFT);
        assert_eq!(next_region(team), 12);
    }

    /// A member that left counts as arrived at all barriers, however many the region had, and the
    /// next region sees nothing of that.
    #[test]
    fn who_left_a_cancelled_region_arrived_everywhere() {
        let (team, [primary, _]) = team_of_two();
        assert_eq!(next_region(team), 1);
        team.cancelled.store(Cancel::PARALLEL, Relaxed);
        crate::cancel::leave(primary, team);
        let epoch = 300 << REGION_SHIFT;
        let slot = team.as_owner().member(1);
        slot.epoch.set(slot, epoch);
        assert!(team.slot(0).published.arrived.load(Relaxed) > epoch);
        assert_eq!(next_region(team), 301);
        assert_eq!(team.cancelled.load(Relaxed), 0);
        for num in 0..2 {
            assert!(team.slot(num).published.arrived.load(Relaxed) <= 301 << REGION_SHIFT);
            assert!(team.slot(num).published.shares_done.load(Relaxed) <= 301 << REGION_SHIFT);
        }
    }
}
