//! Giving members their places, and binding threads.

use super::assign::assign;
use super::format;
use crate::icv::{Settings, settings};
use crate::team::{Slot, Team};
use crate::thread::Thread;
use omphalos_sys::cpus;

/// A thread comes to know OpenMP: the process's first one goes to the first place, others stay
/// where the program put them until they fork.
pub fn welcome(thread: &Thread, first: bool) {
    let slot = thread.slot();
    if let Some(places) = &settings().places {
        slot.partition.set((0, places.count() as i32 - 1));
        slot.place.set(if first { 0 } else { -1 });
        thread.place.set(-1);
        settle(thread, slot);
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
        let partition = parent.partition.get();
        let home = match thread.place.get() {
            // A thread of the program's own: the place it happens to run on.
            -1 => usize::try_from(cpus::current()).ok().and_then(|cpu| places.of_cpu(cpu)),
            place => Some(place),
        };
        (home.unwrap_or(partition.0), partition)
    });
    for num in 0..threads {
        let slot = team.slot(num);
        let before = slot.place.get();
        let (mut place, mut partition) = (before, parent.partition.get());
        if let Some((home, parent_partition)) = target {
            let assigned = assign(policy, num, threads, home, parent_partition);
            (place, partition) = (assigned.place, assigned.partition);
        }
        let show = settings.display_affinity && (slot.shown.get() != threads || place != before);
        slot.shown.set(threads);
        slot.partition.set(partition);
        slot.place.set(place);
        slot.show.set(show);
    }
}

/// Binds the calling thread to its slot's place if it is bound elsewhere.
#[inline(always)]
pub fn settle(thread: &Thread, slot: &Slot) {
    if slot.place.get() != thread.place.get() || slot.show.get() {
        move_to(thread, slot);
    }
}

#[cold]
fn move_to(thread: &Thread, slot: &Slot) {
    let place = slot.place.get();
    if place >= 0 && place != thread.place.get() {
        if let Some(places) = &settings().places {
            // A refusal (the mask shrank meanwhile) leaves the thread where it is.
            cpus::bind(0, places.cpus(place));
        }
        thread.place.set(place);
    }
    if slot.show.replace(false) {
        format::show(thread);
    }
}
