//! Teams kept for the next region: finding the one of a depth, staffing it, giving its workers up.

use super::shape::Shape;
use crate::records::{Slot, Team, Thread};
use crate::thread::registry::Lists;
use crate::thread::{NoWorker, hire, warn_refused};
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_events::TaskFlags;
use omphalos_settings::settings;
use omphalos_sync::settled::Settled;

/// The team of workers that have been in no region.
static OUTSIDE: Settled<&'static Team> = Settled::new();

impl Team {
    /// The team that `thread` is primary of at its current depth, made if there is none.
    #[inline(always)]
    pub(super) fn at_depth(thread: &'static Thread) -> &'static Team {
        // SAFETY: only the owner touches its list.
        let teams = unsafe { &*thread.hot_teams.get() };
        match teams.get(thread.depth.get()) {
            // SAFETY: teams are never freed.
            Some(&team) => unsafe { &*team },
            None => Self::make(thread),
        }
    }

    /// The team that `thread` would be primary of next.
    pub(crate) fn next(thread: &'static Thread) -> &'static Team {
        Self::at_depth(thread)
    }

    #[cold]
    fn make(thread: &'static Thread) -> &'static Team {
        let team = Team::new();
        team.primary.set(thread);
        team.seat_primary(thread);
        thread.keep_team(team);
        team
    }

    /// Makes the teams that a thread needs for its initial task and for its first region.
    pub(crate) fn prepare(thread: &'static Thread) {
        for depth in 0..2 {
            thread.depth.set(depth);
            Self::at_depth(thread);
        }
        thread.depth.set(0);
    }

    /// Gives a thread without a team its initial team of one, with the initial task current.
    pub(crate) fn make_initial(thread: &'static Thread) {
        thread.depth.set(0);
        let team = Self::at_depth(thread);
        thread.depth.set(1);
        team.size.set(1);
        // SAFETY: nobody else knows this team yet, or the thread that did has ended.
        unsafe { *team.icvs.get() = settings().initial };
        team.region.set(team.region.get() + 1);
        team.slot(0).enter(thread, team, 0, team.region.get(), false);
        team.slot(0).task.become_implicit(team, TaskFlags::INITIAL);
    }

    /// Gives a worker that has been in no region the team of those: what runs on it may ask who it is, a
    /// tool in its callbacks, a signal handler of the program. All of them are in this one, of size 1 and
    /// level 0, which nobody writes to.
    pub(crate) fn outside(thread: &'static Thread) {
        let team = *OUTSIDE.get_or(|| {
            let team = Team::new();
            team.primary.set(thread);
            team.seat_primary(thread);
            team.size.set(1);
            // SAFETY: nobody else knows this team yet.
            unsafe { *team.icvs.get() = settings().initial };
            team.slot(0).task.become_implicit(team, TaskFlags::INITIAL);
            team
        });
        thread.team.set(core::ptr::from_ref(team).cast_mut());
        thread.slot.set(core::ptr::from_ref(team.slot(0)).cast_mut());
        thread.task.set(core::ptr::from_ref(&team.slot(0).task).cast_mut());
    }

    /// Whether this is the team of workers that have been in no region.
    pub(crate) fn is_outside(&self) -> bool {
        OUTSIDE.get().is_some_and(|team| core::ptr::eq(*team, self))
    }

    /// Sees to it that the first `wanted` slots have threads; returns how many have, at least 1.
    #[inline(always)]
    pub(super) fn staff(&'static self, wanted: u32) -> u32 {
        if wanted <= self.staffed.get() { wanted } else { self.staff_anew(wanted) }
    }

    /// More are wanted than a region gets without a look.
    #[cold]
    fn staff_anew(&'static self, wanted: u32) -> u32 {
        static KEEPS_BLOCKS: AtomicBool = AtomicBool::new(false);
        let have = self.capacity.get();
        let got = if wanted > have { self.hire_more(wanted) } else { wanted };
        // Not with the first hiring: a new worker needs the processors for itself, and a program of one region needs
        // none of this. So its next region looks again.
        let first = have <= 1 && !KEEPS_BLOCKS.load(Ordering::Relaxed);
        self.staffed.set(if first { 1 } else { self.capacity.get() });
        if !first && !KEEPS_BLOCKS.swap(true, Ordering::Relaxed) {
            omphalos_sys::memory::keep_blocks();
        }
        got
    }

    fn hire_more(&'static self, wanted: u32) -> u32 {
        let have = self.capacity.get();
        let mut slots = Vec::new();
        let mut refused = None;
        for _ in have..wanted {
            match hire() {
                Ok(worker) => slots.push(Slot::of_worker(worker)),
                Err(NoWorker::Limit) => break,
                Err(NoWorker::Refused(error)) => {
                    refused = Some(error);
                    break;
                }
            }
        }
        self.seat(&slots);
        let got = self.capacity.get();
        if let Some(error) = refused {
            warn_refused(error, wanted, got);
        }
        got
    }

    fn seat_primary(&self, thread: &Thread) {
        let slot = Slot::new();
        slot.thread.set(thread);
        self.seat(&[slot]);
    }

    /// The primary thread ends: its workers become idle ones.
    pub(crate) fn dismiss(&self, lists: &mut Lists) {
        for num in 1..self.capacity.get() {
            lists.idle.push(self.slot(num).thread());
        }
        super::crowd::end(self);
        self.forget_workers();
    }

    /// Only the primary is left (dismissed workers, or a forked child).
    pub(crate) fn forget_workers(&self) {
        self.counted.set(0);
        if self.cancelled.load(Ordering::Relaxed) != 0 {
            self.forget_cancelled();
        }
        self.claimed.set(0);
        self.capacity.set(self.capacity.get().min(1));
        self.staffed.set(self.capacity.get());
        self.size.set(self.size.get().min(1));
        self.shape.put(Shape::Flat);
        self.forget_arrivals();
    }
}
