//! Gives members their places, and binds threads.

use super::assign::assign;
use super::format;
use crate::records::{Owner, Slot, Team, Thread, Whereabouts};
use omphalos_settings::places::Places;
use omphalos_settings::{Settings, settings};
use omphalos_sys::{cpus, needed};

/// Gives a thread that meets OpenMP a partition of all places. The thread stays where the program
/// put it until it forks. One exception: in a program that does not need LLVM's runtime, the
/// `first` thread goes to the first place at once, as in libgomp.
pub fn welcome(thread: &Thread, first: bool) {
    let slot = thread.as_owner().slot();
    if let Some(places) = &settings().places {
        slot.partition.set(slot, (0, places.count() as i32 - 1));
        slot.place.set(slot, -1);
        thread.place.set(thread.as_owner(), -1);
        if first && !needed::llvm() {
            bind_first(thread);
        }
    }
}

/// Binds the process's first thread to the first place, if the thread has no place yet.
pub(super) fn bind_first(thread: &Thread) {
    if thread.place.get() < 0 && thread.gtid == 0 && settings().initial.bind != 0 {
        let slot = thread.as_owner().slot();
        slot.place.set(slot, 0);
        settle(thread);
    }
}

/// Decides the places of a region's members. `bind`: the clause, -1 = none.
#[inline(always)]
pub fn place_team(thread: &Thread, team: &Team, bind: i32) {
    let settings = settings();
    if settings.places.is_some() || settings.display_affinity {
        place_all(settings, thread, team, bind);
    }
}

#[cold]
fn place_all(settings: &Settings, thread: &Thread, team: &Team, bind: i32) {
    let threads = team.size.get();
    let icvs = thread.task().icvs();
    // bind-var `false` beats the clause.
    let policy = if icvs.bind != 0 && bind > 0 { bind as u32 } else { icvs.bind };
    let parent = thread.slot();
    let target = settings.places.as_ref().filter(|_| policy != 0).map(|places| {
        bind_first(thread);
        (home(places, thread, parent), parent.partition.get())
    });
    let own = team.as_owner();
    let now = (team.level.get(), threads);
    let mut moved = false;
    for num in 0..threads {
        let slot = own.member(num);
        let before = slot.place.get();
        let (mut place, mut partition) = (before, parent.partition.get());
        if let Some((home, parent_partition)) = target {
            let assigned = assign(policy, num, threads, home, parent_partition);
            (place, partition) = (assigned.place, assigned.partition);
        }
        moved |= place != before;
        slot.partition.set(slot, partition);
        slot.place.set(slot, place);
    }
    if settings.display_affinity {
        for num in 0..threads {
            let slot = own.member(num);
            let member = if num == 0 { thread } else { slot.thread() };
            // If one member has a new place, all of the team's are shown.
            slot.show.set(slot, member.show_with(now) || moved);
        }
    }
}

/// Returns the place of a team's primary thread. For a thread without a place, this is the place on
/// which it runs at the moment.
fn home(places: &Places, thread: &Thread, slot: &Slot) -> i32 {
    let running = || usize::try_from(cpus::current()).ok().and_then(|cpu| places.of_cpu(cpu));
    match thread.place.get() {
        -1 => running().unwrap_or(slot.partition.get().0),
        place => place,
    }
}

/// Returns the place and the partition of the encountering thread, from which the teams of a league
/// get their places; `None` if they get none.
pub fn league_origin(thread: &Thread) -> Option<Whereabouts> {
    let settings = settings();
    let places = settings.places.as_ref().filter(|_| settings.teams_bind != 0)?;
    bind_first(thread);
    let slot = thread.as_owner().slot();
    Some((home(places, thread, &slot), slot.partition.get()))
}

/// Gives the calling thread, on which team `number` of a league of `count` begins, a place and a
/// partition by the league's policy. Returns the earlier ones, for [`leave_league`].
pub fn league_place(
    thread: &Thread,
    number: u32,
    count: u32,
    (home, partition): Whereabouts,
    before: Option<Whereabouts>,
) -> Whereabouts {
    let slot = thread.as_owner().slot();
    let before = before.unwrap_or_else(|| (thread.place.get(), slot.partition.get()));
    let assigned = assign(settings().teams_bind, number, count, home, partition);
    slot.partition.set(slot, assigned.partition);
    slot.place.set(slot, assigned.place);
    settle(thread);
    before
}

/// Gives the calling thread, whose league is over, its earlier place and partition back.
pub fn leave_league(thread: &Thread, (place, partition): Whereabouts) {
    let slot = thread.as_owner().slot();
    slot.partition.set(slot, partition);
    if place < 0 {
        return unbind(thread);
    }
    slot.place.set(slot, place);
    settle(thread);
}

/// Forgets the calling thread's place, because the program has bound the thread itself. The next
/// region binds the thread again, if it asks for a place.
pub fn forget_place(thread: &Thread) {
    thread.place.set(thread.as_owner(), -1);
}

/// Called when an outermost region is over: with `KMP_AFFINITY=reset`, frees its primary thread
/// from its place.
#[inline(always)]
pub fn region_over(thread: &Thread) {
    if thread.place.get() >= 0 && settings().affinity_reset {
        unbind(thread);
    }
}

/// Lets the calling thread run on all processors of the process.
#[cold]
fn unbind(thread: &Thread) {
    cpus::bind(0, &settings().mask);
    let slot = thread.as_owner().slot();
    slot.place.set(slot, -1);
    thread.place.set(thread.as_owner(), -1);
}

/// Binds the calling thread to its slot's place if it is bound elsewhere.
#[inline(always)]
pub fn settle(thread: &Thread) {
    let slot = thread.as_owner().slot();
    if slot.place.get() != thread.place.get() || slot.show.get() {
        move_to(thread, slot);
    }
}

#[cold]
fn move_to(thread: &Thread, slot: Owner<'_, Slot>) {
    let place = slot.place.get();
    // A helper stays on the helpers' processors, even as the primary thread of a region.
    if place >= 0 && place != thread.place.get() && !thread.is_helper() {
        if let Some(places) = &settings().places {
            // A refusal (the mask shrank meanwhile) leaves the thread where it is.
            cpus::bind(0, places.cpus(place));
        }
        thread.place.set(thread.as_owner(), place);
    }
    if slot.show.replace(slot, false) {
        format::show(thread);
    }
}
